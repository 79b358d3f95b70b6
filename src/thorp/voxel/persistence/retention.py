"""Retention: seals full segments, removes most snapshots, and drops history that is too old.

`docs/world-keeping.md` says what is kept. A history can begin with a snapshot if a segment begins
right after it, so that everything that is left can be executed. Each step leaves a directory that
can be opened, so a crash between two steps does no harm.
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
# Enough if one is damaged and one is being replaced.
SNAPSHOTS_KEPT: Final = 3


class Retention(NamedTuple):
    """How much history is kept."""

    oldest_tick: int  # All ticks after this one are kept.
    spacing_ticks: int  # One snapshot in this many ticks is kept, so that history can begin there.
    drop_before: Callable[[int], None]
    """Called with the tick with which history begins from now on, before anything is removed."""

    @classmethod
    def of(cls, days: float, tick: int, tuning: Tuning, drop_before: Callable[[int], None]) -> Self:
        """The retention of a number of days, counted back from a tick."""
        day_ticks = DAY_S * tuning.tick_rate_hz
        ticks = round(days * day_ticks)
        return cls(tick - ticks, max(1, min(ticks, day_ticks)), drop_before)


def seal_segments(
    directory: WorldDirectory, *, before: int, rest: Callable[[], None] = lambda: None
) -> None:
    """Pack the segments that begin before a tick, and remove their plain files. `rest` is called as
    in `pack_file`."""
    for first, path in directory.journals().items():
        if first < before:
            plain = directory.journal_path(first)
            if path.suffix != SUFFIX:
                pack_file(directory.disk, path, rest=rest)
            if directory.disk.exists(plain):
                directory.disk.remove(plain)


def thin_out(directory: WorldDirectory, begin_tick: int, retention: Retention | None) -> None:
    """Remove snapshots, and with a retention history, that need not be kept. The history begins
    with the state after `begin_tick`."""
    headers = _headers(directory)
    wanted = {header.tick for header in headers[-SNAPSHOTS_KEPT:]}
    wanted.update(header.tick for header in headers if header.tick == header.epoch.begin_tick)
    wanted.update(first - 1 for first in list(directory.journals())[-2:])
    if retention is not None:
        journals = directory.journals()
        ticks = [header.tick for header in headers if header.tick + 1 in journals]
        begin_tick = max([begin_tick, *(tick for tick in ticks if tick <= retention.oldest_tick)])
        # A history that begins after an accepted loss may be younger than the retention.
        newest = min(begin_tick, retention.oldest_tick)
        older = [path for first, path in journals.items() if first <= newest]
        if older:
            retention.drop_before(begin_tick + 1)
        for path in older:
            directory.disk.remove(path)
            # Synced each time: after a crash too, the oldest must be gone first.
            directory.disk.sync_directory(directory.path)
        ticks = [tick for tick in ticks if tick >= begin_tick]
        wanted.update({tick // retention.spacing_ticks: tick for tick in reversed(ticks)}.values())
    wanted = {tick for tick in wanted if retention is None or tick >= begin_tick} | {begin_tick}
    for header in headers:
        if header.tick not in wanted:
            directory.disk.remove(directory.snapshot_path(header.tick))


def _headers(directory: WorldDirectory) -> list[Header]:
    """The headers of the snapshots, in order. A damaged snapshot is not counted and so not removed:
    someone should look at it. The same holds for one of another format, or with a wrong name, and
    for a directory of that name."""
    headers = []
    for tick in directory.snapshots():
        with contextlib.suppress(DamagedError, InvalidError):
            header = directory.snapshot_header(tick)
            if header.tick == tick:
                headers.append(header)
    return headers
