"""Spawn points: where a new body begins, and where it comes back after dying.

A new body gets the next site after that of the one before it which is nobody's home and nobody's land, and
whose glade is as it was made, if possible with its boulders; so settlements grow outwards from the middle.
An agent that comes back after dying gets its home column, or the nearest place to stand. Both are functions
of the world's state alone.
"""

from collections.abc import Container, Iterable, Iterator
from itertools import chain, islice
from typing import Final

from thorp.voxel.catalog import AIR
from thorp.voxel.observation import cubes
from thorp.voxel.society import land
from thorp.voxel.state.ground import HEIGHT, Position
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.terrain import spawn_lattice

CLEAR_R: Final = 6
"""Around a spawn the ground is level so far out, and bare but for the boulders."""
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
    ring_count = spawn_lattice.rings(world.tuning.world_boundary_r)
    known, number_of = spawn_lattice.columns(ring_count), spawn_lattice.numbers(ring_count)
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
            if world.ground.is_untouched([(x + dx, y, z + dz) for dx, dz in spawn_lattice.BOULDERS]):
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
    for dx, dz in spawn_lattice.BOULDERS:
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
