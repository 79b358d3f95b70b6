"""Spawn points: where a new body begins, and where it comes back after dying. See
`docs/world-ground.md`.

Both are functions of the world's state alone, and look at a bounded number of cells. A place at the
gate of a city is good if

    - no land is near, and no home of a stranger who is connected;
    - a body stands there under the sky with dry feet, with level room to build towards +x;
    - a block that the first clients mine is in reach at the height of the feet, or there is room to
      set one down;
    - it can walk from there into the open.
"""

from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, islice
from typing import Final, NamedTuple

from thorp.voxel.catalog import AIR
from thorp.voxel.lookups import cubes, land
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import HEIGHT, SIDES, Position
from thorp.voxel.state.records import Claim
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.terrain.columns import (
    BOULDERS,
    SPACING,
    site_column,
    site_columns,
    site_numbers,
    site_rings,
)

# Up to this distance the ground around a spawn is level, and bare except for the boulders.
CLEAR_R: Final = 6
# How many sites a join looks at. Looking may mean making a chunk, and a lake covers a few dozen
# sites at most.
MAX_LOOKS: Final = 64
# How far from its home a body may be put to find dry ground.
MAX_DETOUR: Final = 48
# Bodies that join within this time of each other have come together.
TOGETHER_SECONDS: Final = 60
# The squares of the lattice around one: its neighbours, and theirs in case the neighbours are under
# water or taken.
_SQUARES_AROUND: Final = tuple((di, dj) for di in range(-2, 3) for dj in range(-2, 3) if di or dj)

Column = tuple[int, int]

FIRST_BODY: Final = 1
# How far from the totem of the gate a body may wake. The plaza of the demo is 3 cells from its
# totem, and nobody may wake more than 48 from the plaza.
REACH: Final = 44
# A land that is too large for REACH has its gate up to this far beyond its border.
BEYOND: Final = 12
# Every second column in each direction is looked at: a few hundred of them.
STRIDE: Final = 2
# How many strangers may be at the gate at once. More are a crowd, which wakes elsewhere.
PLACES: Final = 24
# How far from land a body wakes, so that what it builds and mines first is not on the land.
APART: Final = 4
MINE_REACH: Final = 2
ROOM: Final = tuple((dx, dz) for dx in (1, 2, 3) for dz in (-1, 0, 1))
# The distance between the homes of connected strangers: enough that nobody mines another's block;
# for a crowd, enough that everybody has its room to build.
HOMES_APART: Final = 6
CROWD_APART: Final = 4
# How far a walk must lead to be in the open, and how many cells are looked at to find out.
OPEN_R: Final = 10
WALK_CELLS: Final = 400
# From how many places that look good a walk is tried before the search gives up.
MAX_WALKS: Final = 16
# The blocks that the protocol's first clients look for at the height of their feet: they mine the
# nearest one.
LOOKED_FOR: Final = ("DIRT", "GRASS", "STONE", "SAND", "GRAVEL", "ICE", "LOG")
# The block that is set down where there is nothing to mine, and the cells beside the feet where it
# may be: not towards +x, where there must be room to build.
BOULDER: Final = "STONE"
BESIDE: Final = (*BOULDERS, (0, -1), (0, 1))
# The blocks that it may replace.
YIELDING: Final = ("AIR", "TALL_GRASS")
# Cells in reach of MINE at the height of the feet, in the order in which the first clients look.
_NEAREST: Final = sorted(
    (
        (dx, dz)
        for dx in range(-MINE_REACH, MINE_REACH + 1)
        for dz in range(abs(dx) - MINE_REACH, MINE_REACH - abs(dx) + 1)
    ),
    key=lambda at: (abs(at[0]) + abs(at[1]), at[1], at[0]),
)


def find_spawn(world: World, number: int) -> Position:
    """Where the body with this number appears: a new one at a site, one that died at its home."""
    agent = world.agents.get(number)
    if agent is not None:
        return nearest_standing(world, *agent.home)
    return next(newcomers(world, [number]))


def newcomers(world: World, numbers: Iterable[int]) -> Iterator[Position]:
    """Where new bodies with these numbers appear, one after the other, if each takes its place.

    Sites are given out along a spiral. A body that joins within a minute of another gets a site
    beside it, so that two agents that were started together can meet.
    """
    sites = site_columns(site_rings(world.tuning.world_boundary_r))
    number_of = site_numbers(site_rings(world.tuning.world_boundary_r))
    bodies = [agent for agent in world.agents if not agent.hidden]
    taken = dict.fromkeys(agent.home for agent in bodies)
    newest = bodies[-1].home if bodies else None
    since_newest = world.tick - bodies[-1].joined_tick if bodies else 0
    is_together = since_newest <= TOGETHER_SECONDS * world.tuning.tick_rate_hz
    for number in numbers:
        first = 0 if newest is None else (number_of.get(newest, number) + 1) % len(sites)
        columns: Iterable[Column] = chain(islice(sites, first, None), islice(sites, first))
        if newest is not None and is_together:
            columns = chain(_sites_around(number_of, newest, sites[first]), columns)
        place = _free_site(world, columns, taken)
        x, y, z = place or nearest_standing(world, *sites[first])
        yield x, y, z
        newest = (x, z)
        taken[newest] = None
        is_together = True


def _sites_around(number_of: Mapping[Column, int], home: Column, following: Column) -> list[Column]:
    """The sites in the squares around a home: first the one that follows in the spiral, then the
    others, nearest first."""
    i = (home[0] + SPACING // 2) // SPACING
    j = (home[1] + SPACING // 2) // SPACING
    around = [site_column(i + di, j + dj) for di, dj in _SQUARES_AROUND]
    inside = [column for column in around if column in number_of]
    inside.sort(
        key=lambda column: (column != following, _distance(column, home), number_of[column])
    )
    return inside


def _distance(a: Column, b: Column) -> int:
    """The square of the distance between two columns."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _free_site(
    world: World, columns: Iterable[Column], taken: Container[Column]
) -> Position | None:
    """The first site that is free and clear; one whose boulders were mined only if there is no
    other."""
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
    """Whether the ground around is level, no frozen lake, and bare except for boulders."""
    x, y, z = feet
    (cube,) = cubes.gather(world.ground, [(x, y - 1 + CLEAR_R, z)], CLEAR_R)
    width = 2 * CLEAR_R + 1
    layer = width**2
    number = world.catalogs.block_number
    solid = world.catalogs.solid
    ice = number["ICE"]
    for dx, dz in BOULDERS:
        at = layer + (dz + CLEAR_R) * width + dx + CLEAR_R
        if cube[at] in (number["STONE"], number["LOG"]):
            cube[at] = AIR
    firm = all(solid[block] and block != ice for block in dict.fromkeys(cube[:layer].tolist()))
    return firm and not cube[layer:].any()


def standing(world: WorldState, x: int, z: int) -> int | None:
    """The height of the feet of a body that stands as high as it can in a column, with dry feet;
    None if it cannot stand there."""
    solid = world.catalogs.solid
    water = world.catalogs.block_number["WATER"]
    column = world.ground.column(x, z)
    for y in range(min(_above_all(column), HEIGHT - 2), 0, -1):
        if (
            solid[column[y - 1]]
            and not solid[column[y]]
            and not solid[column[y + 1]]
            and column[y] != water
        ):
            return y
    return None


def floating(world: WorldState, x: int, z: int) -> int | None:
    """The height of the feet of a body above everything in a column; None if there is no room or
    no ground."""
    y = _above_all(world.ground.column(x, z))
    return y if 0 < y <= HEIGHT - 2 else None


def nearest_standing(world: WorldState, x: int, z: int) -> Position:
    """The place to stand that is nearest to a column, which comes first itself; the top of the
    water where everything is water."""
    for place, reach in ((standing, MAX_DETOUR), (floating, 4 * world.tuning.world_boundary_r)):
        for column_x, column_z in _outwards(x, z, reach):
            y = place(world, column_x, column_z)
            if y is not None:
                return column_x, y, column_z
    raise AssertionError("no column of the world has room for a body")


def _above_all(column: bytes) -> int:
    return len(column.rstrip(bytes([AIR])))


def _outwards(x: int, z: int, reach: int) -> Iterator[Column]:
    """Columns in order of their distance from a column, counted along the axes; it comes first
    itself."""
    yield x, z
    for distance in range(1, reach + 1):
        for dx in range(-distance, distance + 1):
            dz = distance - abs(dx)
            yield x + dx, z + dz
            if dz:
                yield x + dx, z - dz


# The gate


class WakingPlace(NamedTuple):
    """Where a body wakes at the gate, and where to set down a boulder for it if there is nothing to
    mine."""

    feet: Position
    boulder: Position | None


def gate_of(world: World) -> Claim | None:
    """The land at whose gate newcomers wake: the first that the city of the first body owns. None
    where there is no such city."""
    first = world.agents.get(FIRST_BODY)
    org = None if first is None else world.orgs.get(first.org)
    if org is None or org.kind != "CITY":
        return None
    return min(land.owned_by(world, org.id), key=lambda claim: claim.id, default=None)


def waking_place(world: World) -> WakingPlace | None:
    """A free place at the gate, if there is one. Agents who are away hold no place, except those
    who lived there before the land was claimed."""
    gate = gate_of(world)
    if gate is None:
        return None
    x, _, z = gate.anchor
    reach = _reach(gate.radius)
    near = [agent for agent in world.agents if _apart(agent.home, (x, z)) <= reach + HOMES_APART]
    elders = [agent.home for agent in near if agent.number <= gate.newest_resident]
    strangers = [agent.home for agent in near if agent.attached and _is_stranger(gate, agent)]
    if len(strangers) >= PLACES:
        return None
    homes = elders + strangers
    lands = [
        claim
        for claim in world.claims
        if _apart(claim.anchor[::2], (x, z)) <= claim.radius + reach + APART
    ]
    columns = [
        (x + dx, z + dz)
        for dx, dz in _columns(gate.radius)
        if all(
            _apart((x + dx, z + dz), claim.anchor[::2]) > claim.radius + APART for claim in lands
        )
    ]
    walks = 0
    for apart in (HOMES_APART, CROWD_APART):
        for column in columns:
            if any(_apart(column, home) < apart for home in homes):
                continue
            place = _place_in(world, *column, homes)
            if place is not None:
                if _leads_into_the_open(world, place.feet):
                    return place
                walks += 1
                if walks == MAX_WALKS:
                    return None
    return None


def _is_stranger(gate: Claim, agent: Agent) -> bool:
    return agent.number > gate.newest_resident and agent.org != gate.owner


def _reach(radius: int) -> int:
    return max(REACH, radius + BEYOND)


@cache
def _columns(radius: int) -> list[Column]:
    """Offsets of the columns around a land of this size that are looked at, the nearest first."""
    reach = _reach(radius)
    sides = range(-reach, reach + 1, STRIDE)
    outside = [(dx, dz) for dx in sides for dz in sides if max(abs(dx), abs(dz)) > radius + APART]
    near = [(dx * dx + dz * dz, dx, dz) for dx, dz in outside if dx * dx + dz * dz <= reach * reach]
    return [(dx, dz) for _, dx, dz in sorted(near)]


def _apart(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    """The distance between two columns, by the larger of their differences."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def _place_in(world: World, x: int, z: int, homes: list[Column]) -> WakingPlace | None:
    """Where a body stands in a column, if it has room to build there and something to mine, or a
    boulder can be set down for it."""
    y = standing(world, x, z)
    if y is None or any(_feet_at(world, x + dx, y, z + dz) != y for dx, dz in ROOM):
        return None
    feet = x, y, z
    nearest = _nearest_block(world, feet)
    if nearest is not None:
        return WakingPlace(feet, None) if _is_steady(world, nearest) else None
    boulder = _boulder_place(world, feet, homes)
    return None if boulder is None else WakingPlace(feet, boulder)


def _boulder_place(world: World, feet: Position, homes: list[Column]) -> Position | None:
    """A cell beside a body for a boulder: on firm ground, and not in anybody's room to build."""
    x, y, z = feet
    solid = world.catalogs.solid
    block = world.ground.block
    yielding = [world.catalogs.block_number[name] for name in YIELDING]
    for dx, dz in BESIDE:
        cell = x + dx, y, z + dz
        is_in_the_way = any(
            (cell[0] - home_x, cell[2] - home_z) in ROOM for home_x, home_z in homes
        )
        is_firm = solid[block(cell[0], y - 1, cell[2])] and block(*cell) in yielding
        if is_firm and not is_in_the_way and not world.bodies_in(cell):
            return cell
    return None


def _nearest_block(world: World, feet: Position) -> Position | None:
    """The block in reach that the first clients would mine from where a body stands."""
    x, y, z = feet
    looked_for = [world.catalogs.block_number[name] for name in LOOKED_FOR]
    near = ((x + dx, y, z + dz) for dx, dz in _NEAREST)
    return next((cell for cell in near if world.ground.block(*cell) in looked_for), None)


def _is_steady(world: World, cell: Position) -> bool:
    """Whether nothing falls into a cell when its block is removed."""
    x, y, z = cell
    return not world.catalogs.blocks[world.ground.block(x, y + 1, z)].falls


def _feet_at(world: World, x: int, y: int, z: int) -> int | None:
    """The height at which a body stands in a column when it walks there from height `y` beside it;
    None if it cannot."""
    solid = world.catalogs.solid
    block = world.ground.block
    water = world.catalogs.block_number["WATER"]
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
    """Cells to which a body can walk, nearest first; WALK_CELLS at most."""
    seen = {(feet[0], feet[2]): None}
    edge = deque([feet])
    while edge and len(seen) < WALK_CELLS:
        x, y, z = edge.popleft()
        yield x, y, z
        for dx, dz in SIDES:
            column = x + dx, z + dz
            there = None if column in seen else _feet_at(world, column[0], y, column[1])
            if there is not None:
                seen[column] = None
                edge.append((column[0], there, column[1]))
