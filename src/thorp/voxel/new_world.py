"""Makes a new world at tick 0 from its seeds."""

from collections.abc import Callable

from thorp.kernel.identity import seed_from
from thorp.voxel.catalog import Catalogs
from thorp.voxel.load import default_catalogs
from thorp.voxel.society.listeners import LISTENERS
from thorp.voxel.state.ground import Terrain
from thorp.voxel.state.world import World
from thorp.voxel.terrain.generator import NoiseTerrain
from thorp.voxel.tuning import Tuning


def create_world(
    seed: int,
    draw_seed: int | None = None,
    tuning: Tuning | None = None,
    make_terrain: Callable[[int, int, Catalogs, int], Terrain] = NoiseTerrain,
) -> World:
    """Make a world without agents. A draw seed that is not given is derived from the seed, so it is
    not secret."""
    catalogs = default_catalogs()
    tuning = tuning or Tuning()
    drawn = derived_draw_seed(seed) if draw_seed is None else draw_seed
    terrain = make_terrain(seed, drawn, catalogs, tuning.world_boundary_r)
    return World(
        seed=seed,
        draw_seed=drawn,
        catalogs=catalogs,
        tuning=tuning,
        terrain=terrain,
        listeners=LISTENERS,
    )


def derived_draw_seed(seed: int) -> int:
    """The draw seed of a world that has no secrets to keep: of tests, matches, worlds in
    process."""
    return seed_from("thorp.voxel.draws", seed)
