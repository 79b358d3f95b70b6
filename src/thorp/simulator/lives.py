"""What the lives of every engine share: a seed, a disk that breaks, a tally, and promises that are
checked.

A *life* is one process that works on the disk until it closes, is killed, or loses its disk. A
seed's lives follow each other on the same disk, and the next one must find what the last one
promised.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from thorp.store.testing import BreakableDisk

FAILURES: Final = ("disk_error", "disk_full")
"""How a change to the disk fails, where the power stays on."""


class BrokenPromise(AssertionError):
    """An engine did not keep a promise. It is an engine's defect, never the user's."""


class Lives:
    """One seed's worth of lives of an engine, and how much happened in them."""

    def __init__(self, random: Random, disk: BreakableDisk) -> None:
        self.random = random
        self.disk = disk
        self.tally: Counter[str] = Counter()
        """How often things happened. `steps`, `kills`, `faults` and `checks` are reported."""
        self.doing = "beginning"
        """What the last step was."""

    def run(self) -> Counter[str]:
        """Live all lives; raise what goes wrong."""
        try:
            self.live_all()
        finally:
            self.tally["faults"] += self.disk.faults
        return self.tally

    def live_all(self) -> None:
        """Live the lives of one engine."""
        raise NotImplementedError

    def step(self, doing: str) -> None:
        """Count a step, and remember it for the report of a failure."""
        self.tally["steps"] += 1
        self.doing = doing

    def check(self, holds: object, message: str) -> None:
        """Count a check of a promise, which is broken if this is false."""
        self.tally["checks"] += 1
        if not holds:
            raise BrokenPromise(message)

    def restart(self, *, memory_kept: bool) -> None:
        """Kill the process; unless memory is kept, the machine loses its power too."""
        self.tally["kills"] += 1
        self.tally["killed" if memory_kept else "power lost"] += 1
        self.disk.restart(memory_kept=memory_kept)

    def crash(self) -> None:
        """Lose power between two changes to the disk."""
        self.tally["kills"] += 1
        self.disk.crash()
