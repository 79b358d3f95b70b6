"""What a world directory holds, at a glance: read from headers and the live segment alone."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec

from thorp.store import Disk
from thorp.voxel.persistence.directory import Segment, WorldDirectory


class EpochBegun(msgspec.Struct, frozen=True):
    epoch: int
    reason: str
    rules: int
    first_tick: int


class Summary(msgspec.Struct, frozen=True):
    first_tick: int
    """The first tick that the journal still holds."""
    last_tick: int
    seed: int
    rules: int
    epochs: tuple[EpochBegun, ...]
    segments: int
    journal_bytes: int
    snapshots: tuple[int, ...]
    """Their ticks."""
    snapshot_bytes: int


def summarize(disk: Disk, path: Path) -> Summary:
    """Look at a directory, which a server may be writing to. Changes nothing."""
    directory = WorldDirectory(disk, path)
    directory.require()
    journals = directory.journals()
    segments = [Segment(disk, journal) for journal in journals.values()]
    last = segments[-1]
    begun = {
        segment.header.terms.epoch: EpochBegun(
            segment.header.terms.epoch,
            segment.header.terms.reason,
            segment.header.terms.rules,
            segment.first_tick,
        )
        for segment in reversed(segments)
    }
    snapshots = directory.snapshots()
    return Summary(
        segments[0].first_tick,
        last.end().tick,
        last.header.terms.seed,
        last.header.terms.rules,
        tuple(begun[epoch] for epoch in sorted(begun)),
        len(segments),
        sum(_size(disk, journal) for journal in journals.values()),
        tuple(snapshots),
        sum(_size(disk, directory.snapshot_path(tick)) for tick in snapshots),
    )


def _size(disk: Disk, path: Path) -> int:
    with closing(disk.open(path)) as file:
        return file.size()
