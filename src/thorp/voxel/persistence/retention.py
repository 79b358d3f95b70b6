"""Retention: seals full segments, removes most snapshots, and drops history that is too old.

`docs/world-keeping.md` says what is kept. A snapshot can be the beginning of a history if a segment
begins behind it, so that everything that is left can be executed. Each step leaves a directory that
opens, so a crash between two of them does no harm.
"""

import contextlib
from collections.abc import Callable
from typing import Final, NamedTuple, Self

from thorp.kernel.errors import DamagedError, InvalidError
from thorp.store.packed import SUFFIX, pack_file
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.persistence.snapshot import Header
from thorp.voxel.tuning import Tuning

DAY_S: Final = 86_400
# One that is damaged, one that is being replaced, and one to spare.
SNAPSHOTS_KEPT: Final = 3


class Retention(NamedTuple):
    """How much history is kept."""

    oldest_tick: int  # What came after this tick is kept.
    spacing_ticks: int  # One snapshot in this many ticks is kept, so that history can begin there.
    drop_before: Callable[
        [int], None
    ]  # Told where history begins from now on, before anything is removed.

    @classmethod
    def of(cls, days: float, tick: int, tuning: Tuning, drop_before: Callable[[int], None]) -> Self:
        day_ticks = DAY_S * tuning.tick_rate_hz
        ticks = round(days * day_ticks)
        return cls(tick - ticks, max(1, min(ticks, day_ticks)), drop_before)


def seal_segments(
    directory: WorldDirectory, *, before: int, rest: Callable[[], None] = lambda: None
) -> None:
    """Pack the segments that begin before a tick, and remove their plain form. `rest` as in
    `pack_file`."""
    for first, path in directory.journals().items():
        if first < before:
            plain = directory.journal_path(first)
            if path.suffix != SUFFIX:
                pack_file(directory.disk, path, rest=rest)
            if directory.disk.exists(plain):
                directory.disk.remove(plain)


def thin_out(directory: WorldDirectory, begin_tick: int, retention: Retention | None) -> None:
    """Remove what is not to be kept. The history begins with the state after `begin_tick`."""
    headers = _headers(directory)
    wanted = {header.tick for header in headers[-SNAPSHOTS_KEPT:]}
    wanted.update(header.tick for header in headers if header.tick == header.terms.epoch_tick)
    wanted.update(first - 1 for first in list(directory.journals())[-2:])
    if retention is not None:
        journals = directory.journals()
        ticks = [header.tick for header in headers if header.tick + 1 in journals]
        begin_tick = max([begin_tick, *(tick for tick in ticks if tick <= retention.oldest_tick)])
        newest = min(begin_tick, retention.oldest_tick)  # what an accepted loss left may be younger
        older = [path for first, path in journals.items() if first <= newest]
        if older:
            retention.drop_before(begin_tick + 1)
        for path in older:
            directory.disk.remove(path)
            directory.disk.sync_directory(
                directory.path
            )  # the oldest goes first, also after a crash
        ticks = [tick for tick in ticks if tick >= begin_tick]
        wanted.update({tick // retention.spacing_ticks: tick for tick in reversed(ticks)}.values())
    wanted = {tick for tick in wanted if retention is None or tick >= begin_tick} | {begin_tick}
    for header in headers:
        if header.tick not in wanted:
            directory.disk.remove(directory.snapshot_path(header.tick))


def _headers(directory: WorldDirectory) -> list[Header]:
    """Of the snapshots, in order. A damaged one is not counted and not removed: someone should look
    at it. So is one of another format, one with the name of another, and what is no file."""
    headers = []
    for tick in directory.snapshots():
        with contextlib.suppress(DamagedError, InvalidError):
            header = directory.snapshot_header(tick)
            if header.tick == tick:
                headers.append(header)
    return headers
