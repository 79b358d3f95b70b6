"""Stores what towns remember: rows of text in the world, so that it is state like everything else.

    ORG000001/state      a town, as `town` writes it
    ORG000001/seal       its snapshot, as governors see it
    receipt/proposal_…   the receipt of an accepted handoff
    nether               the last rift or raid

Receipts are kept for some days. A key whose receipt has gone cannot be used again: its handoff
names a day that has passed, so it is stale.
"""

from typing import Final

import msgspec

from thorp.town.handoff_judge import Receipt
from thorp.voxel.extension import ExtensionRow, RowKey
from thorp.voxel.state.world import World

# Two weeks; with 32 commands a day that is less than 150 kB for a town.
RECEIPT_DAYS: Final = 14

EXTENSION: Final = "town"
_PREFIX: Final = "receipt/"


class _StoredReceipt(msgspec.Struct):
    """A receipt with the day from which its age is counted."""

    content: str
    result_id: str
    day: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_StoredReceipt).decode


def find(world: World, key: str) -> Receipt | None:
    """The receipt of a handoff by its key; None if there never was one, or it is no longer kept."""
    text = read(world, _PREFIX + key)
    if text is None:
        return None
    stored = _decode(text)
    return Receipt(stored.content, stored.result_id)


def keep(world: World, key: str, receipt: Receipt, day: int) -> None:
    """Store the receipt of an accepted handoff."""
    stored = _StoredReceipt(receipt.content, receipt.result_id, day)
    write(world, _PREFIX + key, _encode(stored).decode())


def forget_old(world: World, today: int) -> None:
    """Erase receipts that are older than `RECEIPT_DAYS`."""
    for key in keys(world):
        if key.startswith(_PREFIX) and _decode(read(world, key) or "").day <= today - RECEIPT_DAYS:
            erase(world, key)


def read(world: World, key: str) -> str | None:
    """The text of a row; None if there is no such row."""
    row = world.rows.get(RowKey(EXTENSION, key))
    return None if row is None else row.text


def write(world: World, key: str, text: str) -> None:
    """Store a row, in place of one with the same key."""
    world.rows.put(ExtensionRow(EXTENSION, key, text))


def erase(world: World, key: str) -> None:
    """Remove a row, if it is there."""
    if RowKey(EXTENSION, key) in world.rows:
        world.rows.remove(RowKey(EXTENSION, key))


def keys(world: World) -> list[str]:
    """The key of every row, in order."""
    return [row.key for row in world.rows if row.extension == EXTENSION]
