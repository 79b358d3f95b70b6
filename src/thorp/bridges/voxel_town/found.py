"""A world with towns: the generated one, and the annex built onto it."""

from __future__ import annotations

from thorp.bridges.voxel_town.towns import Towns
from thorp.voxel.found import found as found_generated
from thorp.voxel.tuning import Tuning
from thorp.voxel.world import World


def found(seed: int, draw_seed: int | None = None, tuning: Tuning | None = None) -> World:
    """Make a world that nobody has set foot in, in which cities are towns."""
    return with_towns(found_generated(seed, draw_seed, tuning))


def with_towns(world: World) -> World:
    """The same world, at tick 0, in which cities are towns."""
    world.annexes = (Towns(),)
    return world
