"""What towns remember: rows of text in the world, so that they are state like everything else.

ORG000001/state      a town, as `town` writes it
ORG000001/seal       its snapshot, as governors see it
receipt/proposal_…   the receipt of an accepted handoff
nether               the last rift or raid

Receipts are kept for some days. A key whose receipt is gone is not open again: its handoff names a
day that has passed, so it is stale.
"""

from typing import Final

import msgspec

from thorp.town.handoff_judge import Receipt
from thorp.voxel.extension import Row, RowKey
from thorp.voxel.state.world import World

# Two weeks; with 32 commands a day that is less than 150 kB of a town.
RECEIPT_DAYS: Final = 14

EXTENSION: Final = "town"
_PREFIX: Final = "receipt/"


class _Kept(msgspec.Struct):
    content: str
    result_id: str
    day: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Kept).decode


def find(world: World, key: str) -> Receipt | None:
    """The receipt of a handoff by its key; None if there is none, or none any more."""
    text = read(world, _PREFIX + key)
    if text is None:
        return None
    kept = _decode(text)
    return Receipt(kept.content, kept.result_id)


def keep(world: World, key: str, receipt: Receipt, day: int) -> None:
    """Store the receipt of an accepted handoff."""
    write(world, _PREFIX + key, _encode(_Kept(receipt.content, receipt.result_id, day)).decode())


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
    world.rows.put(Row(EXTENSION, key, text))


def erase(world: World, key: str) -> None:
    """Remove a row, if it is there."""
    if RowKey(EXTENSION, key) in world.rows:
        world.rows.remove(RowKey(EXTENSION, key))


def keys(world: World) -> list[str]:
    """Every key, in order."""
    return [row.key for row in world.rows if row.extension == EXTENSION]
