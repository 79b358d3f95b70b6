"""A flat world for simulated lives: bedrock of stone, soil up to y 21, grass at 22, agents stand at
y 23.

Its land costs nothing to make, so that a life of a few ticks is spent on the rules and the disk.
"""

from __future__ import annotations

from thorp.voxel import Catalogs, Tuning, World, default_catalogs
from thorp.voxel.society.listeners import LISTENERS
from thorp.voxel.state.ground import CHUNK_CELLS, LAYER

SURFACE = 22


class FlatTerrain:
    """Land that is the same everywhere and in every season."""

    def __init__(self, catalogs: Catalogs) -> None:
        number = catalogs.block_number
        stone = bytes([number["STONE"]]) * (LAYER * (SURFACE - 3))
        dirt = bytes([number["DIRT"]]) * (LAYER * 3)
        grass = bytes([number["GRASS"]]) * LAYER
        self._chunk = (stone + dirt + grass).ljust(CHUNK_CELLS, b"\0")

    def chunk(self, cx: int, cz: int) -> bytes:
        """The blocks of a chunk before anyone touched it."""
        return self._chunk

    def biome(self, x: int, z: int) -> str:
        """The biome at a place."""
        return "PLAINS"

    def of_season(self, season: int) -> FlatTerrain:
        """The terrain of another season."""
        return self


def create_flat_world(seed: int, draw_seed: int, tuning: Tuning) -> World:
    """Make a flat world without agents."""
    catalogs = default_catalogs()
    return World(
        seed=seed,
        draw_seed=draw_seed,
        catalogs=catalogs,
        tuning=tuning,
        terrain=FlatTerrain(catalogs),
        listeners=LISTENERS,
    )
