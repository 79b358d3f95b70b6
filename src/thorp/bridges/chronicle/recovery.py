"""Recovers unpublished pages by replaying the world's journal, as an audit does.

Recovery begins after the last published tick. If the journal cannot be replayed from there, because other
rules wrote it or retention dropped it, recovery begins with the earliest snapshot that can; then the
chronicle has a gap, and reports it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from thorp.bridges.chronicle.observer import PageBuilder
from thorp.bridges.chronicle.publisher import PublishedPage, Publisher
from thorp.kernel.errors import DamagedError, IllegalError
from thorp.store import Disk
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.persistence.replay import History
from thorp.voxel.persistence.snapshot import Found

CHECK_EVERY: Final = 500
"""Ticks between two digests that are compared: the chronicle proves nothing, `thorp world verify` does."""


def catch_up(
    telling: Publisher,
    disk: Disk,
    path: Path,
    found: Found,
    *,
    until: int | None = None,
    show: Callable[[PublishedPage], None] = lambda _: None,
    gap: Callable[[int, int], None] = lambda _first, _last: None,
) -> None:
    """Tell every range that is over and was not told, up to a tick or to the last durable one.

    `gap` hears of the ticks that nothing can be known of any more.
    """
    told = telling.last_tick()
    if until is not None and until <= told:
        return
    history, reached = _from(disk, path, found, told, until)
    if reached > told:
        gap(told + 1, reached)
    reading: list[PageBuilder] = []

    def look(tick: int) -> None:
        if tick == reached:
            reading.append(PageBuilder(history.world))
        elif tick > reached and (page := reading[0].look(history.world)) is not None:
            show(telling.tell(page))

    look(history.world.tick)
    history.go(to_tick=until, check_every=CHECK_EVERY, watch=look)


def _from(disk: Disk, path: Path, found: Found, told: int, until: int | None) -> tuple[History, int]:
    """A history that can be executed to its end, and the tick behind which it tells."""
    try:
        history = History.begin(disk, path, found, at_most=told)
        _check(history)
        return history, told
    except (DamagedError, IllegalError):
        for tick in WorldDirectory(disk, path).snapshots():
            if tick > told and (until is None or tick <= until):
                try:
                    history = History.at_snapshot(WorldDirectory(disk, path), tick, found)
                    _check(history)
                except (DamagedError, IllegalError):
                    continue
                return history, tick
        raise


def _check(history: History) -> None:
    """Refuse what lies ahead if other rules wrote it, or some of it is missing."""
    for segment in history.directory.segments(after=history.world.tick):
        foreign = history.foreign(segment.header.terms)
        if foreign is not None:
            raise IllegalError(f"{segment.path}: cannot be executed: {foreign}", code="rules")
