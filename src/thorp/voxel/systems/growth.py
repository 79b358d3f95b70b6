"""Growth: crops ripen, bushes bear again, saplings become trees, rabbits come back.

Each growing block has a row with the tick it is due in; a tick looks only at the rows that are due. What has
no room then (a body in the way, a low roof, no soil) tries again later.
"""

from typing import Final

from thorp.voxel.catalog import AIR
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.systems.blocks import change_block, grow_at
from thorp.voxel.systems.indexes import index_of

RETRY_TICKS: Final = 300
# Some three milliseconds. The rest grows a tick later.
GROWN_PER_TICK: Final = 100

_TRUNK: Final = [(0, height, 0) for height in range(4)]
_CROWN: Final = [
    *((x, 3, z) for x in (-1, 0, 1) for z in (-1, 0, 1) if (x, z) != (0, 0)),
    *((x, 4, z) for x, z in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))),
]


def step(world: World) -> None:
    due = index_of(world).due.pop(world.tick, None)
    for number, position in enumerate(sorted(due or ())):
        row = world.growth.get(position)
        if row is None or row.tick != world.tick:
            continue
        if number >= GROWN_PER_TICK:
            grow_at(world, position, row.block, world.tick + 1)
        elif not _grow(world, position):
            grow_at(world, position, row.block, world.tick + RETRY_TICKS)


def _grow(world: World, position: Position) -> bool:
    catalogs = world.catalogs
    block = catalogs.blocks[world.ground.block(*position)]
    if block.grows is None or not soil_suits(world, position, block.needs):
        return False
    if block.id == "SAPLING":
        return _grow_tree(world, position)
    into = catalogs.block_number[block.grows.into]
    if catalogs.solid[into] and world.bodies_in(position):
        return False
    change_block(world, position, into, actor="WORLD", reason="GROW")
    return True


def soil_suits(world: WorldState, position: Position, needs: list[str] | None) -> bool:
    """Whether one of the blocks that something needs lies below a cell."""
    x, y, z = position
    return needs is None or world.catalogs.blocks[world.ground.block(x, y - 1, z)].id in needs


def _grow_tree(world: World, position: Position) -> bool:
    """A trunk needs all its cells, a crown takes those that are free; neither grows into a body."""
    ground, numbers = world.ground, world.catalogs.block_number
    log, leaves = numbers["LOG"], numbers["LEAVES"]
    trunk = _shifted(_TRUNK, position)
    crown = [
        cell for cell in _shifted(_CROWN, position) if ground.inside(*cell) and ground.block(*cell) == AIR
    ]
    room = all(ground.inside(*cell) and ground.block(*cell) in (AIR, leaves) for cell in trunk[1:])
    if not room or any(world.bodies_in(cell) for cell in (*trunk, *crown)):
        return False
    for cell in trunk:
        change_block(world, cell, log, actor="WORLD", reason="GROW")
    for cell in crown:
        change_block(world, cell, leaves, actor="WORLD", reason="GROW")
    return True


def _shifted(shape: list[Position], position: Position) -> list[Position]:
    x, y, z = position
    return [(x + dx, y + dy, z + dz) for dx, dy, dz in shape]
