"""What need not stay as it is: full segments are sealed, and most snapshots removed.

What follows from the rest may go: an old snapshot, unless an epoch begins with it. Journals are kept, unless
retention is asked for. Then one snapshot a day is kept as well, and the newest one that is old enough becomes
the beginning: what lies wholly before it is dropped.

Each step leaves a directory that opens, so a crash between two of them is no matter.
"""

from __future__ import annotations

import contextlib
from itertools import pairwise
from typing import Final

from thorp.kernel.errors import DamagedError, InvalidError
from thorp.store.packed import SUFFIX, pack_file
from thorp.voxel.keeping.directory import WorldDirectory
from thorp.voxel.snapshot import Header

DAY_S: Final = 86_400
# One that is damaged, one that is being replaced, and one to spare.
SNAPSHOTS_KEPT: Final = 3


def seal_segments(directory: WorldDirectory, *, before: int) -> None:
    """Pack the segments that begin before a tick, and remove their plain form."""
    for first, path in directory.journals().items():
        if first < before:
            plain = directory.journal_path(first)
            if path.suffix != SUFFIX:
                pack_file(directory.disk, path)
            if directory.disk.exists(plain):
                directory.disk.remove(plain)


def thin_out(directory: WorldDirectory, *, retain_days: int | None, now_s: int) -> None:
    """Remove what is not to be kept."""
    headers = _headers(directory)
    if retain_days is not None:
        headers = _drop_history(directory, headers, now_s - retain_days * DAY_S)
    wanted = {header.tick for header in headers[-SNAPSHOTS_KEPT:]}
    wanted.update(header.tick for header in headers if header.tick == header.terms.epoch_tick)
    if retain_days is not None:
        wanted.update({header.taken_s // DAY_S: header.tick for header in reversed(headers)}.values())
    for header in headers:
        if header.tick not in wanted:
            directory.disk.remove(directory.snapshot_path(header.tick))


def _headers(directory: WorldDirectory) -> list[Header]:
    """Of the snapshots, in order. A damaged one is not counted and not removed: someone should look at it. So
    is one of another format, one with the name of another, and what is no file."""
    headers = []
    for tick in directory.snapshots():
        with contextlib.suppress(DamagedError, InvalidError):
            header = directory.snapshot_header(tick)
            if header.tick == tick:
                headers.append(header)
    return headers


def _drop_history(directory: WorldDirectory, headers: list[Header], old_s: int) -> list[Header]:
    """Drop what lies before the newest snapshot that is old enough; return the snapshots that are left."""
    base = max((header.tick for header in headers if header.taken_s <= old_s), default=0)
    journals = list(directory.journals().items())
    for (_, path), (following, _) in pairwise(journals):
        if following <= base + 1:
            directory.disk.remove(path)
            directory.disk.sync_directory(directory.path)  # the oldest goes first, also after a crash
    for header in headers:
        if header.tick < base:
            directory.disk.remove(directory.snapshot_path(header.tick))
    return [header for header in headers if header.tick >= base]
