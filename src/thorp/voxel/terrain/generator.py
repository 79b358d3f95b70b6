"""The land as it was before anyone touched it: a pure function of two seeds.

From the public seed comes what can be seen from above: hills, lakes, biomes, plants, and a glade around each
site where bodies begin. From the secret seed comes what is hidden: tunnels and ores.

A chunk is made in a window with a margin of two cells, the reach of a tree's crown, so a tree beside a
border is the same tree from both sides, in whatever order chunks are made. Everything else concerns one
column or one cell alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from thorp.kernel.identity import seed_from
from thorp.voxel.catalog import AIR, Catalogs
from thorp.voxel.state.ground import CHUNK, HEIGHT, LAYER, ChunkKey
from thorp.voxel.terrain import spawn_lattice
from thorp.voxel.terrain.columns import BIOMES, Blocks, Survey, inner, profiles
from thorp.voxel.terrain.features import Ores, Plants, Trees, Tunnels

# Chunks whose biomes are remembered: 256 bytes each.
REMEMBERED_BIOMES: Final = 65_536


class NoiseTerrain:
    """Hills and lakes, three biomes, trees, tunnels and ores."""

    def __init__(
        self, seed: int, draw_seed: int, catalogs: Catalogs, boundary_r: int, season: int = 1
    ) -> None:
        self._founding = (seed, draw_seed, catalogs, boundary_r)
        if season > 1:  # who remembers the ores of one season must not know those of the next
            seed, draw_seed = seed + season - 1, seed_from("thorp.voxel.season", draw_seed, season)
        number = catalogs.block_number
        self._boundary_r = boundary_r
        self._survey = Survey(seed, boundary_r)
        self._profiles = profiles(number)
        self._ores = Ores(draw_seed, number)
        self._tunnels = Tunnels(draw_seed)
        self._plants = Plants(seed, number)
        self._trees = Trees(seed, number)
        self._number = number
        self._biomes: dict[ChunkKey, bytes] = {}

    def chunk(self, cx: int, cz: int) -> bytes:
        columns = self._survey.columns(cx, cz)
        made_of = self._profiles[columns.frozen.view(np.uint8), columns.kind, columns.height]
        cells = np.ascontiguousarray(inner(made_of).reshape(LAYER, HEIGHT).T)
        self._ores.put(cells, cx, cz)
        opened = self._tunnels.dig(cells, columns, cx, cz)
        self._plants.put(cells, columns, opened, cx, cz)
        self._trees.put(cells, columns, opened, cx, cz)
        self._put_boulders(cells, cx, cz)
        self._cut_at_boundary(cells, cx, cz)
        return cells.tobytes()

    def biome(self, x: int, z: int) -> str:
        codes = self._biomes.get((x >> 4, z >> 4))
        if codes is None:
            codes = self._remember_biomes(x >> 4, z >> 4)
        return BIOMES[codes[(z & 15) << 4 | x & 15]]

    def of_season(self, season: int) -> NoiseTerrain:
        return NoiseTerrain(*self._founding, season)

    def _remember_biomes(self, cx: int, cz: int) -> bytes:
        if len(self._biomes) >= REMEMBERED_BIOMES:
            self._biomes.clear()
        codes = self._biomes[cx, cz] = self._survey.biomes(cx, cz)
        return codes

    def _put_boulders(self, cells: Blocks, cx: int, cz: int) -> None:
        """Every glade has a few blocks to be mined, at foot level."""
        for i in _squares_near(cx):
            for j in _squares_near(cz):
                glade = self._survey.glade(i, j)
                if glade is not None:
                    for (dx, dz), block in zip(spawn_lattice.BOULDERS, glade.boulders, strict=True):
                        x, z = glade.x + dx, glade.z + dz
                        if (x >> 4, z >> 4) == (cx, cz):
                            cells[glade.floor + 1, (z & 15) << 4 | x & 15] = self._number[block]

    def _cut_at_boundary(self, cells: Blocks, cx: int, cz: int) -> None:
        limit = self._boundary_r
        if CHUNK * (max(abs(cx), abs(cz)) + 1) > limit:
            x = np.arange(CHUNK * cx, CHUNK * cx + CHUNK)
            z = np.arange(CHUNK * cz, CHUNK * cz + CHUNK)
            outside = (abs(x) > limit) | (abs(z) > limit)[:, None]
            cells[:, outside.reshape(LAYER)] = AIR


def _squares_near(chunk: int) -> range:
    """The squares of the lattice, along one axis, whose glades may reach into a chunk."""
    reach = spawn_lattice.GLADE_R + spawn_lattice.SCATTER
    first, last = CHUNK * chunk - reach, CHUNK * chunk + CHUNK - 1 + reach
    return range(-(-first // spawn_lattice.SPACING), last // spawn_lattice.SPACING + 1)
