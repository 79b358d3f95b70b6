"""The file `head`, which says how much of its journal a world directory must hold. See
`docs/world-keeping.md`.

It is written when that has become true, and before anything depends on it:

    a segment is begun        after the segment is durable, before the first of its ticks is
    the world is opened       after recovery, before the first tick
    the world is closed       last: then it names the very last tick, and `closed` is true
    retention drops history   before the first file goes

So after a crash the directory holds all that its head says, and perhaps more. If it holds less,
that is a loss. The file has the form of one line of a journal, so it proves itself. Beside it is
the file `secret`: the world's origin, a name that commits to its seeds, is computed from it
(`docs/proof.md`).
"""

from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from secrets import token_hex
from typing import Final

import msgspec

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import DamagedError
from thorp.store import Disk, read_whole, write_atomic
from thorp.store.record import GENESIS, decode_line, encode_batch
from thorp.voxel.persistence.directory import HEAD, End, Segment, WorldDirectory
from thorp.voxel.persistence.record import SegmentHeader

# A head has some 300 bytes.
MAX_HEAD_BYTES: Final = 4096

SECRET: Final = "secret"
SECRET_BYTES: Final = 32


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The least that the history must hold, so that a missing end is noticed."""

    first_tick: int
    """Where the history begins. Older files may still be there; they do not count."""
    live: int  # The first tick of the segment that was begun last.
    segments: int  # How many there are from `first_tick` to `live`.
    tick: int  # A durable tick.
    tip: str | None  # The hash of its last record; None before the first tick of a history.
    digest: str | None  # The digest after that tick; None in a backup that could not tell.
    closed: bool  # Whether that tick was the last one.


def first_head(header: SegmentHeader, *, closed: bool = False) -> Head:
    """The head of a history that begins with this segment."""
    first = header.first_tick
    digest = header.digest
    return Head(
        first_tick=first,
        live=first,
        segments=1,
        tick=first - 1,
        tip=None,
        digest=digest,
        closed=closed,
    )


def read_head(directory: WorldDirectory) -> Head | None:
    """The head of a directory; None if the file is missing. Raises DamagedError if it cannot be
    read."""
    path = directory.path / HEAD
    if not directory.disk.exists(path):
        return None
    with closing(directory.disk.open(path)) as file:
        record = decode_line(file.read(0, MAX_HEAD_BYTES))
    if record is not None:
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(record.data, type=Head)
    raise DamagedError(
        f"{path}: this is not the head of a world; restore it from a backup", code="loss"
    )


def encode_head(head: Head) -> bytes:
    """A head as one checked line."""
    return encode_batch([msgspec.json.encode(head)], first=0, synced=0, prev=GENESIS)[0]


def write_head(directory: WorldDirectory, head: Head) -> None:
    """Replace the head of a directory, atomically."""
    write_atomic(directory.disk, directory.path / HEAD, encode_head(head), replace=True)


def remove_unfinished(directory: WorldDirectory) -> None:
    """Remove heads that crashes left half written. The directory must be locked."""
    for name in directory.disk.list(directory.path):
        if name.startswith(f".{HEAD}.") and name.endswith(".tmp"):
            directory.disk.remove(directory.path / name)


def hold_against_head(directory: WorldDirectory) -> tuple[Head | None, list[str]]:
    """The head of a directory that a server may be writing to, and what is missing there."""
    head = read_head(directory)
    # If the head has changed while the segments were read, what seems to be missing may have been
    # dropped meanwhile: look again.
    while True:
        last = directory.segments()[-1]
        missing = losses(directory, head, last.end())
        now = read_head(directory)
        if not missing or now == head:
            return head, missing
        head = now


def losses(directory: WorldDirectory, head: Head | None, end: End) -> list[str]:
    """What a directory, whose journal ends at `end`, should hold and does not; a sentence each."""
    if head is None:
        # A new world gets its first segment, then its head; nothing was shown before it had both.
        if end.tick < min(directory.journals()):
            return []
        return [f"{directory.path / HEAD} is missing, which says how far the journal went"]
    journals = [first for first in directory.journals() if first >= head.first_tick]
    missing_parts: list[str] = []
    if head.live not in journals:
        name = directory.journal_path(head.live).name
        missing_parts.append(f"{name} is missing, with every tick from {head.live} on")
    missing = head.segments - 1 - sum(first < head.live for first in journals)
    if missing > 0:
        ticks = ", ".join(f"{first} to {last}" for first, last in _gaps(directory, head, journals))
        missing_parts.append(
            f"{missing} of {head.segments - 1} full segments are missing: ticks {ticks}"
        )
    if end.tick < head.tick:
        missing_parts.append(
            f"the journal ends with tick {end.tick}, and tick {head.tick} was durable"
        )
    elif end.tick == head.tick and end.tip != head.tip:
        missing_parts.append(f"the record of tick {head.tick} is not the one that was durable")
    elif head.closed and end.tick > head.tick:
        missing_parts.append(
            f"the world was closed after tick {head.tick}, and its journal has tick {end.tick}"
        )
    return missing_parts


def _gaps(directory: WorldDirectory, head: Head, journals: list[int]) -> Iterator[tuple[int, int]]:
    """Ranges of ticks that no segment holds. Reads every segment."""
    paths = directory.journals()
    if not journals or journals[0] > head.first_tick:
        yield head.first_tick, min(journals, default=head.live) - 1
    for first, following in pairwise(
        [*journals, *([head.live] if head.live not in journals else [])]
    ):
        last = Segment(directory.disk, paths[first]).end().tick
        if last + 1 < following:
            yield last + 1, following - 1


# The origin


def ensure_origin(disk: Disk, path: Path) -> str:
    """The origin of a world directory. A secret is made if the directory has none."""
    if not disk.exists(path / SECRET):
        write_atomic(disk, path / SECRET, token_hex(SECRET_BYTES).encode())
    return read_origin(disk, path)


def check_published(disk: Disk, path: Path, leaf: Mapping[str, Json]) -> None:
    """Refuse a world that is not the one of a published leaf, by its origin and by the segment that
    the leaf names."""
    if "origin" in leaf and leaf["origin"] != read_origin(disk, path):
        raise DamagedError("the log has another world, by its seeds and secret")
    if "segment" in leaf:
        first = leaf.get("first")
        kept = WorldDirectory(disk, path).journals()
        if not isinstance(first, int) or first not in kept:
            raise DamagedError(f"the segment from tick {first} on, which the log has, is not here")
        if Segment(disk, kept[first]).sha256() != leaf["segment"]:
            raise DamagedError(f"{kept[first]}: not the bytes that the log has")


def read_origin(disk: Disk, path: Path) -> str:
    """The origin of a world, computed from its seeds and its secret: the digest under which it was
    announced."""
    if not disk.exists(path / SECRET):
        raise DamagedError(
            f"{path / SECRET}: without it nobody can tell what this world was announced as"
        )
    epoch = WorldDirectory(disk, path).segments()[-1].header.epoch
    try:
        secret = bytes.fromhex(
            read_whole(disk, path / SECRET, most=2 * SECRET_BYTES).decode("ascii")
        )
    except ValueError:
        raise DamagedError(f"{path / SECRET}: not {SECRET_BYTES} bytes in hexadecimal") from None
    return sha256(
        canonical_bytes({"draw_seed": epoch.draw_seed, "seed": epoch.seed}) + secret
    ).hexdigest()
