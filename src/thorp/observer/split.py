"""Finds where two runs part: the last tick up to which they are one.

A journal has a digest after every tick, so two runs of one beginning are compared without executing
anything, by bisection: once they differ they never agree again. A fork begins with a copy of the
state, or with one thing changed; then its own record says at which tick.

    what is known                                   what is answered
    two seeds                                       they were never one world
    equal digests up to a tick, and no further      that tick
    equal digests up to the end of the shorter      the end: no difference so far
    both begin with a fork at one tick, or one      that tick, by the record of the fork
    does and the other has the tick, and in a
    fork something was changed
    anything else                                   they parted before both journals begin
"""

import re
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from thorp.kernel.inflate import GZIP, inflate
from thorp.observer.kept_run import KeptRun, describe_run
from thorp.observer.tape import MAX_SEGMENT_BYTES
from thorp.observer.tape_recorder import SEGMENT_TICKS
from thorp.store import Disk
from thorp.voxel.persistence.directory import WorldDirectory

How = Literal["digest", "same", "record", "earlier", "never", "seen"]

_FORKED: Final = re.compile(r"forked at tick ([0-9]{1,15})(?:, (.*))?\Z", re.ASCII | re.DOTALL)
_REDRAWN: Final = "with another draw seed"
_CHANGED: Final = re.compile(rf"(?:{_REDRAWN}, )?changed: (.*)\Z", re.DOTALL)


class Split(msgspec.Struct, frozen=True):
    """Where two runs part."""

    how: How
    tick: int | None
    """The last tick up to which they are one; None if that is not known, or if they never were."""
    text: str
    """The same in words."""


class Fork(msgspec.Struct, frozen=True):
    """What the newest fork in the history of a run says of itself."""

    tick: int
    changed: str
    """What is otherwise, in words; empty if nothing is."""
    is_redrawn: bool
    """Whether it draws from another seed."""


def fork_of(run: KeptRun) -> Fork | None:
    """The newest fork that the journal of a run tells of; None if it tells of none."""
    for reason in reversed(run.history):
        match = _FORKED.match(reason)
        if match is not None:
            rest = match[2] or ""
            changed = _CHANGED.match(rest)
            is_redrawn = rest.startswith(_REDRAWN)
            return Fork(int(match[1]), "" if changed is None else changed[1], is_redrawn)
    return None


def label_of(run: KeptRun, other: KeptRun) -> str:
    """What a run is beside another: the original, a fork with one thing changed, or the control
    without that."""
    fork = fork_of(run)
    if fork is None:
        return "original"
    if fork.changed:
        return "changed"
    other_fork = fork_of(other)
    return "control" if other_fork is not None and other_fork.changed else "fork"


def find_split(disk: Disk, here: Path, there: Path) -> Split:
    """Where the worlds of two directories part. Only reads them; servers may go on meanwhile."""
    runs = describe_run(disk, here), describe_run(disk, there)
    if runs[0].seed != runs[1].seed:
        seeds = f"seed {runs[0].seed} here, {runs[1].seed} there"
        return Split("never", None, f"they were never one world: {seeds}")
    worlds = WorldDirectory(disk, here), WorldDirectory(disk, there)
    low = max(run.first_tick for run in runs) - 1
    # A journal has the digest of a tick in the record that follows.
    high = min(run.last_tick for run in runs) - 1

    def agree(tick: int) -> bool:
        digests = [world.digest_after(tick) for world in worlds]
        return digests[0] is not None and digests[0] == digests[1]

    if not agree(low):
        return _by_record(runs, low)
    end = max(low, high)
    while low < high:
        middle = (low + high + 1) // 2
        if agree(middle):
            low = middle
        else:
            high = middle - 1
    if low == end:
        return Split("same", low, f"they are one up to tick {low:,}, where one of them ends")
    return Split("digest", low, f"they part after tick {low:,}: the digests differ from there on")


def _by_record(runs: tuple[KeptRun, KeptRun], tick: int) -> Split:
    """The split of runs whose states differ already when the later of their journals begins."""
    forks = [fork_of(run) for run in runs if run.first_tick == tick + 1]
    at_tick = [fork for fork in forks if fork is not None and fork.tick == tick]
    # A fork in which nothing is otherwise has the state of the run that it was made of.
    is_otherwise = any(fork.changed or fork.is_redrawn for fork in at_tick)
    if is_otherwise and len(at_tick) == len(forks):
        return Split("record", tick, f"they part after tick {tick:,}: by the record of the fork")
    why = f"they parted before tick {tick + 1:,}, where both journals have begun"
    return Split("earlier", None, f"{why}; where, their files do not say")


class _Seen(msgspec.Struct):
    """Of a segment, what tells at which tick something is another."""

    n: int
    first: int
    last: int
    agents: list[dict[str, Any]]
    weather: list[list[Any]]
    events: list[list[Any]]
    blocks: list[list[Any]]


_decode_seen = msgspec.json.Decoder(_Seen).decode


def first_difference(here: bytes, there: bytes) -> int | None:
    """The first tick of a segment in which something is to be seen that the other lacks; None if
    they look the same as far as both go. For runs without journals, such as matches."""
    seen = [_decode_seen(inflate(each, MAX_SEGMENT_BYTES, GZIP)) for each in (here, there)]
    last = min(each.last for each in seen)
    found = [_changes(each) for each in seen]
    start = seen[0].n * SEGMENT_TICKS
    offsets = [
        offset
        for offset in found[0].keys() | found[1].keys()
        if start + offset <= last and found[0].get(offset) != found[1].get(offset)
    ]
    return start + min(offsets) if offsets else None


def _changes(seen: _Seen) -> dict[int, list[str]]:
    """Everything that changes in a segment, by its offset."""
    changes: dict[int, list[str]] = {}
    for name in ("weather", "events", "blocks"):
        for offset, *what in getattr(seen, name):
            changes.setdefault(offset, []).append(repr((name, what)))
    for body in seen.agents:
        for name, track in body.items():
            if not isinstance(track, list):
                continue
            offset = 0
            for step, value in zip(*track, strict=True):
                offset += step
                changes.setdefault(offset, []).append(repr((body["id"], name, value)))
    return changes
