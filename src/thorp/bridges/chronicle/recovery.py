"""What the chronicle reads in a world's directory: the name of the world, and pages that were not published.

The name lets a story tell the ticks of one world from those of the next. It is derived from the world's first
journal and kept in the directory, because retention may drop that journal later.

Unpublished pages are recovered by replaying the journal, beginning after the last published tick. If it
cannot be replayed from there, because other rules wrote it or retention dropped it, recovery begins with the
earliest snapshot that can; then the chronicle has a gap, and reports it.
"""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from thorp.bridges.chronicle.observer import PageBuilder
from thorp.bridges.chronicle.publisher import PublishedPage, Publisher
from thorp.kernel.errors import DamagedError, IllegalError
from thorp.kernel.identity import digest
from thorp.store import Disk, write_atomic
from thorp.voxel.persistence.directory import Segment, WorldDirectory
from thorp.voxel.persistence.replay import History
from thorp.voxel.persistence.snapshot import Found

FILE: Final = "chronicle"
NAME_CHARS: Final = 16
"""Half of a SHA-256's half: worlds of one story are few."""

_NAME: Final = re.compile(rb"[0-9a-f]{16}\n\Z")


def world_name(disk: Disk, path: Path) -> str:
    """The name of the world in a directory. Refuses as `no_world` where there is none."""
    file = path / FILE
    if disk.exists(file):
        with closing(disk.open(file)) as kept:
            text = kept.read(0, NAME_CHARS + 2)
        if not _NAME.match(text):
            raise DamagedError(
                f"{file}: this is not the name of a world; remove the file to have it made again"
            )
        return text.decode().strip()
    name = _beginning(disk, path)
    write_atomic(disk, file, f"{name}\n".encode(), replace=True)
    return name


def _beginning(disk: Disk, path: Path) -> str:
    directory = WorldDirectory(disk, path)
    directory.require()
    header = Segment(disk, next(iter(directory.journals().values()))).header
    return digest(f"{header.first_tick} {header.began_s} {header.digest}".encode())[:NAME_CHARS]


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
