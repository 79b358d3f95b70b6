"""Waking places at a city's gate, for worlds whose tuning has `newcomers: gate`.

The gate is that of the city to which the world's first body belongs: nobody else can become it, whatever they
call their own. Places lie around the city's oldest land. At each one

    nobody's land is near, and no other body's home
    a body stands under the sky with dry feet, and there is level room to build towards +x
    a block that can be mined and leaves nothing behind is the nearest at the feet's height, and in reach
    a walk leads into the open

A gate has a few places for strangers; where they are taken, or none is found, bodies wake at the sites of the
lattice, as in any other world. All of it is a function of the state, and looks at a bounded number of cells.
"""

from collections import deque
from collections.abc import Iterator
from functools import cache
from typing import Final

from thorp.voxel.catalog import AIR
from thorp.voxel.society import land
from thorp.voxel.society.records import Claim
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.terrain.spawn_points import standing

FIRST_BODY: Final = 1
# From the totem; the plaza of the demo is 3 cells from it, and nobody shall wake farther than 48 from that.
REACH: Final = 44
# Every second column in each direction is looked at: a few hundred of them.
STRIDE: Final = 2
# Strangers who may have their home at the gate at once. More are a crowd, which wakes apart.
PLACES: Final = 8
# From land, and between homes: what a newcomer builds and mines first stays clear of both.
APART: Final = 4
HOMES_APART: Final = 6
MINE_REACH: Final = 2
ROOM: Final = tuple((dx, dz) for dx in (1, 2, 3) for dz in (-1, 0, 1))
# How far a walk must lead, and through how many cells it is followed.
OPEN_R: Final = 10
WALK_CELLS: Final = 400
# So many places that look good are followed into the open; then the search gives up.
MAX_WALKS: Final = 8

_SIDES: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
_NEAREST: Final = sorted(
    (
        (dx, dz)
        for dx in range(-MINE_REACH, MINE_REACH + 1)
        for dz in range(-MINE_REACH, MINE_REACH + 1)
        if abs(dx) + abs(dz) <= MINE_REACH
    ),
    key=lambda at: (abs(at[0]) + abs(at[1]), at[1], at[0]),
)
"""Cells in reach of MINE at the feet's height, in the order in which the first clients look for one."""


def gate_of(world: World) -> Claim | None:
    """The land whose gate it is; None where there is none."""
    first = world.agents.get(FIRST_BODY)
    org = None if first is None else world.orgs.get(first.org)
    if org is None or org.kind != "CITY":
        return None
    return min(land.owned_by(world, org.id), key=lambda claim: claim.id, default=None)


def waking_place(world: World) -> Position | None:
    """A free place at the gate, if there is one."""
    gate = gate_of(world)
    if gate is None:
        return None
    x, _, z = gate.anchor
    near = [agent for agent in world.agents if _apart(agent.home, (x, z)) <= REACH + HOMES_APART]
    strangers = [agent for agent in near if agent.number > gate.newest_resident and agent.org != gate.owner]
    if len(strangers) >= PLACES:
        return None
    homes = [agent.home for agent in near]
    lands = [one for one in world.claims if _apart(one.anchor[::2], (x, z)) <= one.radius + REACH + APART]
    walks = 0
    for place in _columns(gate.radius):
        column = x + place[0], z + place[1]
        if any(_apart(column, one.anchor[::2]) <= one.radius + APART for one in lands):
            continue
        if any(_apart(column, home) < HOMES_APART for home in homes):
            continue
        feet = _standing_place(world, *column)
        if feet is not None:
            if _leads_into_the_open(world, feet):
                return feet
            walks += 1
            if walks == MAX_WALKS:
                return None
    return None


@cache
def _columns(radius: int) -> list[tuple[int, int]]:
    """Offsets of the columns around a land of this size that are looked at, the nearest first."""
    sides = range(-REACH, REACH + 1, STRIDE)
    ring = [(dx, dz) for dx in sides for dz in sides if max(abs(dx), abs(dz)) > radius + APART]
    near = [(dx * dx + dz * dz, dx, dz) for dx, dz in ring if dx * dx + dz * dz <= REACH * REACH]
    return [(dx, dz) for _, dx, dz in sorted(near)]


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _standing_place(world: World, x: int, z: int) -> Position | None:
    """Where a body stands in a column, if it has there what it needs."""
    y = standing(world, x, z)
    if y is None or not _has_block_to_mine(world, (x, y, z)):
        return None
    floor = [_feet_at(world, x + dx, y, z + dz) for dx, dz in ROOM]
    return (x, y, z) if all(feet == y for feet in floor) else None


def _has_block_to_mine(world: World, feet: Position) -> bool:
    x, y, z = feet
    catalogs, water = world.catalogs, world.catalogs.block_number["WATER"]
    near = (world.ground.block(x + dx, y, z + dz) for dx, dz in _NEAREST)
    number = next((block for block in near if block not in (AIR, water)), None)
    if number is None:
        return False
    block = catalogs.blocks[number]
    return block.breakable and block.leaves == catalogs.blocks[AIR].id and bool(catalogs.drops[number])


def _feet_at(world: World, x: int, y: int, z: int) -> int | None:
    """The height at which a body that comes from height `y` beside stands in a column; None if it cannot."""
    solid, block, water = world.catalogs.solid, world.ground.block, world.catalogs.block_number["WATER"]
    for feet in (y, y + 1, y - 1):
        here = block(x, feet, z)
        free = not solid[here] and here != water and not solid[block(x, feet + 1, z)]
        if free and solid[block(x, feet - 1, z)]:
            return feet
    return None


def _leads_into_the_open(world: World, feet: Position) -> bool:
    return any(
        _apart((x, z), (feet[0], feet[2])) >= OPEN_R and land.at(world, x, z) is None
        for x, _, z in _walk(world, feet)
    )


def _walk(world: World, feet: Position) -> Iterator[Position]:
    """Cells to which a body can walk, the nearest first."""
    seen, edge = {(feet[0], feet[2]): None}, deque([feet])
    while edge and len(seen) < WALK_CELLS:
        x, y, z = edge.popleft()
        yield x, y, z
        for dx, dz in _SIDES:
            column = x + dx, z + dz
            there = None if column in seen else _feet_at(world, column[0], y, column[1])
            if there is not None:
                seen[column] = None
                edge.append((column[0], there, column[1]))
