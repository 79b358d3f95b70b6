"""Spawn points: where a new body begins, and where it comes back after dying. See `docs/world-ground.md`.

Both are functions of the world's state alone, and look at a bounded number of cells. A place at the gate of a
city is good if

    nobody's land is near, and no other body's home
    a body stands under the sky with dry feet, and there is level room to build towards +x
    a block that can be mined and leaves nothing behind is the nearest at the feet's height, and in reach
    a walk leads into the open
"""

from collections import deque
from collections.abc import Container, Iterable, Iterator
from functools import cache
from itertools import chain, islice
from typing import Final

from thorp.voxel.catalog import AIR
from thorp.voxel.observation import cubes
from thorp.voxel.society import land
from thorp.voxel.society.records import Claim
from thorp.voxel.state.ground import HEIGHT, SIDES, Position
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.terrain.columns import BOULDERS, site_columns, site_numbers, site_rings

CLEAR_R: Final = 6  # Up to here the ground around a spawn is level, and bare but for the boulders.
# How many sites a join looks at. Looking may mean making a chunk, and a lake covers a few dozen at most.
MAX_LOOKS: Final = 64
# How far from home dry ground is looked for.
MAX_DETOUR: Final = 48


def find_spawn(world: World, number: int) -> Position:
    """Where the body with this number appears: a new one at a site, a known one at its home."""
    agent = world.agents.get(number)
    if agent is not None:
        return nearest_standing(world, *agent.home)
    return next(newcomers(world, [number]))


def newcomers(world: World, numbers: Iterable[int]) -> Iterator[Position]:
    """Where new bodies with these numbers appear, one after the other, if each takes its place."""
    ring_count = site_rings(world.tuning.world_boundary_r)
    known, number_of = site_columns(ring_count), site_numbers(ring_count)
    homes = [agent.home for agent in world.agents]
    newest, taken = homes[-1] if homes else None, dict.fromkeys(homes)
    for number in numbers:
        first = 0 if newest is None else (number_of.get(newest, number) + 1) % len(known)
        place = _free_site(world, chain(islice(known, first, None), islice(known, first)), taken)
        x, y, z = place or nearest_standing(world, *known[first])
        yield x, y, z
        newest = (x, z)
        taken[newest] = None


def _free_site(
    world: World, columns: Iterable[tuple[int, int]], taken: Container[tuple[int, int]]
) -> Position | None:
    free = (column for column in columns if column not in taken and land.at(world, *column) is None)
    mined_out = None
    for x, z in islice(free, MAX_LOOKS):
        y = standing(world, x, z)
        if y is not None and is_clear(world, (x, y, z)):
            if world.ground.is_untouched([(x + dx, y, z + dz) for dx, dz in BOULDERS]):
                return x, y, z
            mined_out = mined_out or (x, y, z)
    return mined_out


def is_clear(world: WorldState, feet: Position) -> bool:
    """Whether the ground around is level and no frozen lake, and nothing but boulders stands on it."""
    x, y, z = feet
    (cube,) = cubes.gather(world.ground, [(x, y - 1 + CLEAR_R, z)], CLEAR_R)
    width = 2 * CLEAR_R + 1
    layer = width**2
    number, solid = world.catalogs.block_number, world.catalogs.solid
    ice = number["ICE"]
    for dx, dz in BOULDERS:
        at = layer + (dz + CLEAR_R) * width + dx + CLEAR_R
        if cube[at] in (number["STONE"], number["LOG"]):
            cube[at] = AIR
    firm = all(solid[block] and block != ice for block in dict.fromkeys(cube[:layer].tolist()))
    return firm and not cube[layer:].any()


def standing(world: WorldState, x: int, z: int) -> int | None:
    """The y of the feet of a body that stands as high as it can in this column, with dry feet."""
    solid, water = world.catalogs.solid, world.catalogs.block_number["WATER"]
    column = world.ground.column(x, z)
    for y in range(min(_above_all(column), HEIGHT - 2), 0, -1):
        if solid[column[y - 1]] and not solid[column[y]] and not solid[column[y + 1]] and column[y] != water:
            return y
    return None


def floating(world: WorldState, x: int, z: int) -> int | None:
    """The y of the feet of a body above everything in this column; None if there is no room or no ground."""
    y = _above_all(world.ground.column(x, z))
    return y if 0 < y <= HEIGHT - 2 else None


def nearest_standing(world: WorldState, x: int, z: int) -> Position:
    """The place to stand nearest to a column, itself first; the top of the water where all is water."""
    for place, reach in ((standing, MAX_DETOUR), (floating, 4 * world.tuning.world_boundary_r)):
        for column_x, column_z in _outwards(x, z, reach):
            y = place(world, column_x, column_z)
            if y is not None:
                return column_x, y, column_z
    raise AssertionError("no column of the world has room for a body")


def _above_all(column: bytes) -> int:
    return len(column.rstrip(bytes([AIR])))


def _outwards(x: int, z: int, reach: int) -> Iterator[tuple[int, int]]:
    """Columns in order of their distance from one, along the axes."""
    yield x, z
    for distance in range(1, reach + 1):
        for dx in range(-distance, distance + 1):
            dz = distance - abs(dx)
            yield x + dx, z + dz
            if dz:
                yield x + dx, z - dz


# The gate

FIRST_BODY: Final = 1
# From the totem; the plaza of the demo is 3 cells from it, and nobody may wake farther than 48 from that.
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
# How many places that look good are followed into the open before the search gives up.
MAX_WALKS: Final = 8

# Cells in reach of MINE at the feet's height, in the order in which the first clients look for one.
_NEAREST: Final = sorted(_outwards(0, 0, MINE_REACH), key=lambda at: (abs(at[0]) + abs(at[1]), at[1], at[0]))


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
        for x, _, z in _walk_from(world, feet)
    )


def _walk_from(world: World, feet: Position) -> Iterator[Position]:
    """Cells to which a body can walk, the nearest first."""
    seen, edge = {(feet[0], feet[2]): None}, deque([feet])
    while edge and len(seen) < WALK_CELLS:
        x, y, z = edge.popleft()
        yield x, y, z
        for dx, dz in SIDES:
            column = x + dx, z + dz
            there = None if column in seen else _feet_at(world, column[0], y, column[1])
            if there is not None:
                seen[column] = None
                edge.append((column[0], there, column[1]))
