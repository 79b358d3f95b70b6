"""Finds leaves of a kind in what a log has published, from the newest back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import LimitError
from thorp.log import note as notes
from thorp.log import tlog
from thorp.log.announcement import members_of
from thorp.log.directory import CHECKPOINT, TileReader, no_log
from thorp.store import Disk, read_whole

LEAVES_LIMIT: Final = 1_000_000
"""Leaves that are looked at, which takes some seconds: a server publishes as many in a month at
most."""


class PublishedLeaf(NamedTuple):
    """A leaf under the published checkpoint: its number, and what it says."""

    number: int
    members: dict[str, Json]


def newest_leaves(disk: Disk, public: Path, kind: str) -> Iterator[PublishedLeaf]:
    """The published leaves of a kind, the newest first; none if nothing is published. Refuses a
    directory without a log."""
    if not disk.exists(public):
        raise no_log(public.parent)
    if not disk.exists(public / CHECKPOINT):
        return
    note = read_whole(disk, public / CHECKPOINT, most=notes.MAX_NOTE_BYTES)
    size = tlog.read_checkpoint(notes.read_note(note).text).size
    tiles = TileReader(disk, public, size)
    marker = msgspec.json.encode(kind)
    for bundle in range(-(-size // tlog.TILE_WIDTH) - 1, -1, -1):
        first = bundle * tlog.TILE_WIDTH
        if size - first > LEAVES_LIMIT:
            raise LimitError(
                f"the last {LEAVES_LIMIT} leaves of the log have none that covers it",
                code="too_long",
            )
        for place, leaf in reversed(list(enumerate(tiles.entries(bundle)))):
            if marker in leaf and (members := members_of(leaf)).get("kind") == kind:
                yield PublishedLeaf(first + place, members)
