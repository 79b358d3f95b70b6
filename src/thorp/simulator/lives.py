"""The base of the lives of every engine: a seed, a disk that breaks, a tally, and promises that are
checked.

A *life* is one process that works on the disk until it closes, is killed, or loses its disk. The
lives of a seed follow each other on the same disk, and each must find what the one before has
promised.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from thorp.store.testing import BreakableDisk

FAILURES: Final = ("disk_error", "disk_full")
"""How a change to the disk can fail while the power stays on."""


class BrokenPromise(AssertionError):
    """An engine has not kept a promise. It is always a defect of the engine, never a mistake of the
    user."""


class Lives:
    """The lives of an engine for one seed, and how much happened in them."""

    def __init__(self, random: Random, disk: BreakableDisk) -> None:
        self.random = random
        self.disk = disk
        self.tally: Counter[str] = Counter()
        """How often things happened. `steps`, `kills`, `faults` and `checks` are reported."""
        self.doing = "beginning"
        """What the last step was."""

    def run(self) -> Counter[str]:
        """Live all lives, and return the tally. Raises BrokenPromise, and any error that no
        accident explains."""
        try:
            self.live_all()
        finally:
            self.tally["faults"] += self.disk.faults
        return self.tally

    def live_all(self) -> None:
        """Live the lives of one engine. Subclasses implement it."""
        raise NotImplementedError

    def step(self, doing: str) -> None:
        """Count a step, and remember it for the report of a failure."""
        self.tally["steps"] += 1
        self.doing = doing

    def check(self, holds: object, message: str) -> None:
        """Count a check of a promise; raise BrokenPromise if it does not hold."""
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
