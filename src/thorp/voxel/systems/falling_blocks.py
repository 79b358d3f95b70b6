"""Falling blocks: sand and gravel without support fall until something holds them.

Only cells in or under which something changed are looked at, a bounded number in each tick; the rest wait for
the next tick, in order. A body holds what falls on it; when it goes, what it held falls on.
"""

from itertools import islice
from typing import Final

from thorp.voxel.catalog import AIR
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.systems.blocks import change_block

# A millisecond of looking and five of falling, at most. A thousand miners unsettle some 200 cells a tick.
CELLS_PER_TICK: Final = 2_000
FALLS_PER_TICK: Final = 200

# What gives way to a falling block.
YIELDING: Final = ("AIR", "TALL_GRASS", "WATER")


def step(world: World) -> None:
    unsettled = world.unsettled
    if not unsettled:
        return
    blocks, block_at = world.catalogs.blocks, world.ground.block
    fallen = 0
    for position in list(islice(unsettled, CELLS_PER_TICK)):
        if fallen == FALLS_PER_TICK:
            return
        del unsettled[position]
        if blocks[block_at(*position)].falls:
            fallen += _fall(world, position)


def _fall(world: World, position: Position) -> bool:
    """Let a block fall. False if it rests where it is."""
    x, y, z = position
    column = world.ground.column(x, z)
    yielding = [world.catalogs.block_number[name] for name in YIELDING]
    heads = [agent.y + 1 for agent in world.agents.in_chunk(x >> 4, z >> 4) if (agent.x, agent.z) == (x, z)]
    floor = max((head for head in heads if head < y), default=-1)
    landing = y
    while landing > floor + 1 and column[landing - 1] in yielding:
        landing -= 1
    block = column[y]
    if landing < y:
        change_block(world, position, AIR, actor="WORLD", reason="FALL")
        change_block(world, (x, landing, z), block, actor="WORLD", reason="FALL")
    if landing == floor + 1 and floor >= 0:
        world.unsettled[x, landing, z] = None
    return landing < y
