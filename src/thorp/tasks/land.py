"""Land that is made ready for a task: level ground, a trench to bridge, a spell of weather.

It is changed around the learner, after it has joined and before its first turn, so that a task can
be solved at any seed. Not earlier: a body's first place depends on the boulders there, and would be
another. All heights are those of feet: the ground is one below.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from thorp.kernel.rng import Mulberry32, bounded
from thorp.tasks.goal import Place
from thorp.voxel import World
from thorp.voxel.catalog import AIR

# As high as the tallest building that a task asks for, and as deep as a fall that is not deadly.
ROOM_ABOVE: Final = 10
SOIL_BELOW: Final = 4

Radius = Annotated[int, Meta(ge=1, le=24)]


class Trench(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cut through the level ground, east of the learner, from north to south."""

    distance: Annotated[int, Meta(ge=2, le=16)]
    width: Annotated[int, Meta(ge=1, le=8)]
    depth: Annotated[int, Meta(ge=1, le=SOIL_BELOW)]


class Land(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is done to the land. `level` is how far from the learner it is made even; `scatter` is
    how far the site and the trench may lie from their usual places, as the seed decides: or the
    acts that solve one row would solve them all."""

    level: Radius
    scatter: Annotated[int, Meta(ge=0, le=6)] = 0
    trench: Trench | None = None


def offsets(land: Land, seed: int) -> tuple[int, int]:
    """How far east and how far south of their usual places the site and the trench lie."""
    rng = Mulberry32(seed)
    east = int(bounded(rng.random(), 0, land.scatter))
    south = int(bounded(rng.random(), -land.scatter, land.scatter))
    return east, south


def prepare(world: World, land: Land, home: Place) -> None:
    """Make the land around the learner's place what a task needs."""
    _make_level(world, home, land.level)
    if land.trench is not None:
        east, _ = offsets(land, world.seed)
        _dig(world, (home[0] + east, *home[1:]), land.level, land.trench)


def _make_level(world: World, home: Place, radius: int) -> None:
    x, y, z = home
    put = world.ground.put
    number = world.catalogs.block_number
    for column_x in range(x - radius, x + radius + 1):
        for column_z in range(z - radius, z + radius + 1):
            for height in range(y - SOIL_BELOW, y - 1):
                put(column_x, height, column_z, number["DIRT"])
            put(column_x, y - 1, column_z, number["GRASS"])
            for height in range(y, y + ROOM_ABOVE):
                put(column_x, height, column_z, AIR)


def _dig(world: World, home: Place, radius: int, trench: Trench) -> None:
    x, y, z = home
    first = x + trench.distance
    for column_x in range(first, first + trench.width):
        for column_z in range(z - radius, z + radius + 1):
            for height in range(y - trench.depth, y):
                world.ground.put(column_x, height, column_z, AIR)
