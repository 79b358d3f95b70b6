"""What the annex remembers: rows of text in the world, so that they are state like everything else.

ORG000001/state      a town, as `town` writes it
ORG000001/seal       its snapshot, as governors see it
receipt/proposal_…   what an accepted handoff left behind
nether               the last rift or raid
"""

from __future__ import annotations

from typing import Final

from thorp.voxel.annex import Row, RowKey
from thorp.voxel.world import World

ANNEX: Final = "town"


def read(world: World, key: str) -> str | None:
    row = world.rows.get(RowKey(ANNEX, key))
    return None if row is None else row.text


def write(world: World, key: str, text: str) -> None:
    world.rows.put(Row(ANNEX, key, text))


def erase(world: World, key: str) -> None:
    if RowKey(ANNEX, key) in world.rows:
        world.rows.remove(RowKey(ANNEX, key))


def keys(world: World) -> list[str]:
    """Every key, in order."""
    return [row.key for row in world.rows if row.annex == ANNEX]
