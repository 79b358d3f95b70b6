"""What a page has to know before it can show a world."""

from typing import Final

from thorp.protocol.observer import Bootstrap, ObserverParams
from thorp.voxel import World
from thorp.voxel.state.ground import CHUNK, HEIGHT

_CHUNK_SIZE: Final = (CHUNK, CHUNK, HEIGHT)


def make_bootstrap(world: World, world_id: str) -> Bootstrap:
    """The size of a world, and its palette of blocks."""
    return Bootstrap(
        world_id=world_id,
        tick=world.tick,
        world_params=ObserverParams(
            tick_rate_hz=world.tuning.tick_rate_hz,
            chunk_size=_CHUNK_SIZE,
            height=HEIGHT,
            seed=world.seed,
            boundary_r=world.tuning.world_boundary_r,
        ),
        block_palette=[block.id for block in world.catalogs.blocks],
    )
