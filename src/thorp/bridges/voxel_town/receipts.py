"""What accepted handoffs leave behind: a key is used, and which result it led to.

Receipts are kept for some days. A key whose receipt is gone is not open again: its handoff names a day that
has passed, so it is stale.
"""

from __future__ import annotations

from typing import Final

import msgspec

from thorp.bridges.voxel_town import rows
from thorp.town.judging import Receipt
from thorp.voxel.world import World

# Two weeks; with 32 commands a day that is less than 150 kB of a town.
RECEIPT_DAYS: Final = 14

_PREFIX: Final = "receipt/"


class _Kept(msgspec.Struct):
    content: str
    result_id: str
    day: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Kept).decode


def find(world: World, key: str) -> Receipt | None:
    text = rows.read(world, _PREFIX + key)
    if text is None:
        return None
    kept = _decode(text)
    return Receipt(kept.content, kept.result_id)


def keep(world: World, key: str, receipt: Receipt, day: int) -> None:
    rows.write(world, _PREFIX + key, _encode(_Kept(receipt.content, receipt.result_id, day)).decode())


def forget_old(world: World, today: int) -> None:
    for key in rows.keys(world):
        if key.startswith(_PREFIX) and _decode(rows.read(world, key) or "").day <= today - RECEIPT_DAYS:
            rows.erase(world, key)
