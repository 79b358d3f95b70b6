"""Tiles of a transparency log (C2SP tlog-tiles): the tree and its entries as files that never change.

    tile/L/N           256 hashes of level 8*L: the leaf hashes for L = 0, else the roots of whole tiles below
    tile/L/N.p/W       the first W of them, while the tile is not whole yet
    tile/entries/N     256 entries, each behind its length in two bytes; partial ones as above

N is written in groups of three digits, all but the last with an `x`: 1234067 is `x001/x234/067`.
"""

from collections.abc import Sequence
from typing import Final

from thorp.kernel.errors import DamagedError, LimitError
from thorp.kernel.merkle import HASH_BYTES, node_hash

TILE_HEIGHT: Final = 8
TILE_WIDTH: Final = 1 << TILE_HEIGHT
# A length has two bytes.
MAX_ENTRY_BYTES: Final = 65_535
ENTRIES: Final = "entries"
MAX_TILE_BYTES: Final = TILE_WIDTH * HASH_BYTES
MAX_BUNDLE_BYTES: Final = TILE_WIDTH * (2 + MAX_ENTRY_BYTES)


def tile_path(level: int | str, index: int, width: int = TILE_WIDTH) -> str:
    """Where a tile is, below the log's prefix; `level` may be `entries`."""
    groups = [f"{index % 1000:03}"]
    while index := index // 1000:
        groups.insert(0, f"x{index % 1000:03}")
    partial = "" if width == TILE_WIDTH else f".p/{width}"
    return f"tile/{level}/{'/'.join(groups)}{partial}"


def tile_root(hashes: Sequence[bytes]) -> bytes:
    """The root of a whole tile, or of any other power of two of hashes."""
    row = list(hashes)
    while len(row) > 1:
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]


def split_hashes(data: bytes) -> list[bytes]:
    return [data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)]


def pack_entries(entries: Sequence[bytes]) -> bytes:
    for entry in entries:
        if len(entry) > MAX_ENTRY_BYTES:
            raise LimitError(f"an entry has at most {MAX_ENTRY_BYTES} bytes, this one {len(entry)}")
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def unpack_entries(data: bytes) -> list[bytes]:
    entries, at = [], 0
    while at < len(data):
        end = at + 2 + int.from_bytes(data[at : at + 2], "big")
        if end > len(data) or at + 2 > len(data):
            raise DamagedError("an entry bundle is cut short")
        entries.append(data[at + 2 : end])
        at = end
    return entries
