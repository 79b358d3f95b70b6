"""The land as it was before anyone touched it: a pure function of two seeds. See
`docs/world-ground.md`.

Tunnels and ores come from the secret draw seed alone, so nobody can compute where they are. A chunk
is made in a window with a margin of two cells, the reach of a tree's crown: so a tree beside a
border is the same tree from both sides, in whatever order chunks are made. Everything else depends
on one column or one cell alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from thorp.kernel.identity import seed_from
from thorp.voxel.catalog import AIR, Catalogs
from thorp.voxel.state.ground import CHUNK, CHUNK_CELLS, HEIGHT, LAYER, ChunkKey
from thorp.voxel.terrain.columns import (
    BIOMES,
    BOULDERS,
    FOREST,
    PLAINS,
    PLANTS_FROM,
    TREES_FROM,
    Blocks,
    Columns,
    Flags,
    Survey,
    inner,
    profiles,
    squares_near,
)
from thorp.voxel.terrain.noise import MARGIN, ONE, Ints, Noise, below, hash_columns, mix, seed_for

# How many of a thousand columns of grass have each plant.
PLANTS: Final = {
    PLAINS: {"TALL_GRASS": 90, "BERRY_BUSH": 8, "WARREN": 4},
    FOREST: {"TALL_GRASS": 25, "BERRY_BUSH": 14},
}

# Each square of 4 × 4 columns has at most one tree; TREES is how many of a thousand squares have
# one.
SQUARE: Final = 4
SQUARES: Final = CHUNK // SQUARE
TREES: Final = {PLAINS: 25, FOREST: 550}
# A trunk keeps to the first columns of its square, so that trunks of neighbouring squares do not
# touch.
SPREAD: Final = SQUARE - 1
# Trunks have this many blocks at least; TRUNKS different heights are drawn.
LOWEST_TRUNK: Final = 4
TRUNKS: Final = 3
# Leaves around the top of a trunk: (dx, dy, dz). They reach at most MARGIN cells out.
CROWN: Final = tuple(
    (dx, dy, dz)
    for dy, reach in ((-1, 2), (0, 2), (1, 1))
    for dz in range(-reach, reach + 1)
    for dx in range(-reach, reach + 1)
    if abs(dx) + abs(dz) < 2 * reach
)

# How many of a thousand cells of stone are each ore. Crystal lies in the lower layers only; above
# them iron takes its share.
TOP_ORE_Y: Final = 15
TOP_CRYSTAL_Y: Final = 9
ORES: Final = {"CRYSTAL_ORE": 2, "IRON_ORE": 8, "COPPER_ORE": 15, "COAL_ORE": 20}

# A tunnel runs where a first field is near zero, at the height that a second one gives; a third one
# varies its width.
TUNNEL_FIELDS: Final = (((64, 4), (32, 2)), ((64, 8), (32, 3)), ((64, 4),))
# The middle height of each family of tunnels: one deep down, one near the grass.
TUNNEL_LEVELS: Final = (9, 20)
HALF_WIDTH: Final = 330
HALF_HEIGHT: Final = 2
LOWEST_Y: Final = 3
# How many cells stay closed above a tunnel that may not come out of the ground; others come out of
# the hillside.
ROOF: Final = 6

# For how many chunks the biomes are cached: 256 bytes each.
REMEMBERED_BIOMES: Final = 65_536


class Plants:
    """Grass, bushes and burrows on top of the ground."""

    def __init__(self, seed: int, number: Mapping[str, int]) -> None:
        self._seed = seed_for(seed, "plants")
        self._burrow = number["WARREN"]
        self._drawn = np.zeros((len(BIOMES), 1000), np.uint8)
        for biome, shares in PLANTS.items():
            row = [number[plant] for plant, share in shares.items() for _ in range(share)]
            self._drawn[biome, : len(row)] = row

    def put(self, cells: Blocks, columns: Columns, opened: Flags, cx: int, cz: int) -> None:
        x = np.arange(CHUNK * cx, CHUNK * cx + CHUNK)
        z = np.arange(CHUNK * cz, CHUNK * cz + CHUNK)
        drawn = below(hash_columns(self._seed, x, z[:, None]), 1000)
        plants = self._drawn[inner(columns.biome), drawn]
        plants[~inner(columns.grassy(PLANTS_FROM) & ~opened)] = AIR
        where = np.flatnonzero(plants)
        planted = plants.reshape(LAYER)[where]
        # A burrow lies in the ground; everything else stands on it.
        y = inner(columns.height).reshape(LAYER)[where] + (planted != self._burrow)
        cells[y, where] = planted


class Trees:
    """Trunks and crowns, also the crowns of trees whose trunk stands in the next chunk."""

    def __init__(self, seed: int, number: Mapping[str, int]) -> None:
        self._seed = seed_for(seed, "trees")
        self._log = number["LOG"]
        self._leaves = number["LEAVES"]
        self._chance = np.array([TREES.get(biome, 0) for biome in range(len(BIOMES))])
        self._crown = np.array(CROWN).T[:, None, :]
        self._squares = np.arange(-1, SQUARES + 1)

    def put(self, cells: Blocks, columns: Columns, opened: Flags, cx: int, cz: int) -> None:
        x, z, trunk, chance = self._candidates(cx, cz)
        at = z + MARGIN, x + MARGIN
        fit = columns.grassy(TREES_FROM) & ~opened
        grows = fit[at] & (chance < self._chance[columns.biome[at]])
        if grows.any():
            x = x[grows]
            z = z[grows]
            trunk = trunk[grows]
            ground = columns.height[at][grows]
            flat = cells.reshape(CHUNK_CELLS)
            self._put_crowns(flat, x, ground + trunk, z)
            self._put_trunks(flat, x, z, ground, trunk)

    def _candidates(self, cx: int, cz: int) -> tuple[Ints, Ints, Ints, Ints]:
        """Where trees would stand in this window, how tall each would be, and the number that it
        has drawn for its chance."""
        squares_z = self._squares[:, None]
        hashes = hash_columns(self._seed, self._squares + cx * SQUARES, squares_z + cz * SQUARES)
        # One hash for each square; its parts are taken out of one number by division.
        drawn = below(hashes, 1000 * SPREAD * SPREAD * TRUNKS)
        drawn, chance = np.divmod(drawn, 1000)
        drawn, dx = np.divmod(drawn, SPREAD)
        rise, dz = np.divmod(drawn, SPREAD)
        x = self._squares * SQUARE + dx
        z = squares_z * SQUARE + dz
        near = (np.minimum(x, z) >= -MARGIN) & (np.maximum(x, z) < CHUNK + MARGIN)
        return x[near], z[near], rise[near] + LOWEST_TRUNK, chance[near]

    def _put_crowns(self, flat: Blocks, x: Ints, top: Ints, z: Ints) -> None:
        leaf_x, leaf_y, leaf_z = np.array((x, top, z))[:, :, None] + self._crown
        # Both are from 0 to 15 if no other bit is set in either, the sign included.
        inside = (leaf_x | leaf_z) & -CHUNK == 0
        leaves = (leaf_y << 8 | leaf_z << 4 | leaf_x)[inside]
        flat[leaves[flat[leaves] == AIR]] = self._leaves

    def _put_trunks(self, flat: Blocks, x: Ints, z: Ints, ground: Ints, trunk: Ints) -> None:
        inside = (x | z) & -CHUNK == 0
        column = z[inside] << 4 | x[inside]
        rise = np.arange(1, LOWEST_TRUNK + TRUNKS)[:, None]
        logs = (ground[inside] + rise) << 8 | column
        flat[logs[rise <= trunk[inside]]] = self._log


class Ores:
    """Ores in the stone, drawn from the secret seed."""

    def __init__(self, draw_seed: int, number: Mapping[str, int]) -> None:
        self._draw_seed = draw_seed
        self._stone = number["STONE"]
        y = np.arange(1, TOP_ORE_Y + 1)
        self._upper = (y > TOP_CRYSTAL_Y).astype(np.int64)[:, None]
        self._cells = (y[:, None] << 8 | np.arange(LAYER)).astype(np.uint64)
        low = [number[ore] for ore, share in ORES.items() for _ in range(share)]
        high = [number["IRON_ORE"]] * ORES["CRYSTAL_ORE"] + low[ORES["CRYSTAL_ORE"] :]
        rest = [self._stone] * (1000 - len(low))
        self._drawn = np.array([low + rest, high + rest], np.uint8)

    def put(self, cells: Blocks, cx: int, cz: int) -> None:
        key = seed_for(self._draw_seed, f"ores of {cx},{cz}")
        ores = self._drawn[self._upper, below(mix(mix(self._cells ^ key)), 1000)]
        band = cells[1 : TOP_ORE_Y + 1]
        np.copyto(band, ores, where=band == self._stone)


class Tunnels:
    """Caves in the ground, from noise of the secret seed."""

    def __init__(self, draw_seed: int) -> None:
        self._noise = Noise(seed_for(draw_seed, "tunnels"), TUNNEL_FIELDS * len(TUNNEL_LEVELS))
        self._y = np.arange(HEIGHT)[:, None]

    def dig(self, cells: Blocks, columns: Columns, cx: int, cz: int) -> Flags:
        """Hollow out the tunnels of a chunk. Returns which columns of the window lost their topmost
        block: nothing may grow there."""
        height = columns.height
        top = np.where(columns.closed, height - ROOF, height)
        opened = np.zeros(height.shape, np.bool_)
        fields = self._noise.window(cx, cz).reshape(len(TUNNEL_LEVELS), 3, *height.shape)
        for level, (line, climb, width) in zip(TUNNEL_LEVELS, fields, strict=True):
            inside = abs(line) < HALF_WIDTH + width // 16
            if inside.any():
                middle = level + climb // ONE
                low = np.where(inside, np.maximum(middle - HALF_HEIGHT, LOWEST_Y), HEIGHT)
                high = np.minimum(middle + HALF_HEIGHT, top)
                opened |= (low <= height) & (high == height)
                hollow = (self._y >= inner(low).reshape(LAYER)) & (
                    self._y <= inner(high).reshape(LAYER)
                )
                cells[hollow] = AIR
        return opened


class NoiseTerrain:
    """Hills and lakes, three biomes, trees, tunnels and ores."""

    def __init__(
        self, seed: int, draw_seed: int, catalogs: Catalogs, boundary_r: int, season: int = 1
    ) -> None:
        self._arguments = (seed, draw_seed, catalogs, boundary_r)
        # An agent that remembers the ores of one season must not know those of the next.
        if season > 1:
            seed = seed + season - 1
            draw_seed = seed_from("thorp.voxel.season", draw_seed, season)
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
            if len(self._biomes) >= REMEMBERED_BIOMES:
                self._biomes.clear()
            codes = self._biomes[x >> 4, z >> 4] = self._survey.biomes(x >> 4, z >> 4)
        return BIOMES[codes[(z & 15) << 4 | x & 15]]

    def of_season(self, season: int) -> NoiseTerrain:
        return NoiseTerrain(*self._arguments, season)

    def _put_boulders(self, cells: Blocks, cx: int, cz: int) -> None:
        """Put the boulders of the glades in a chunk: blocks to be mined, at the height of the
        feet."""
        for i in squares_near(cx):
            for j in squares_near(cz):
                glade = self._survey.glade(i, j)
                if glade is not None:
                    for (dx, dz), block in zip(BOULDERS, glade.boulders, strict=True):
                        x = glade.x + dx
                        z = glade.z + dz
                        if (x >> 4, z >> 4) == (cx, cz):
                            cells[glade.floor + 1, (z & 15) << 4 | x & 15] = self._number[block]

    def _cut_at_boundary(self, cells: Blocks, cx: int, cz: int) -> None:
        limit = self._boundary_r
        if CHUNK * (max(abs(cx), abs(cz)) + 1) > limit:
            x = np.arange(CHUNK * cx, CHUNK * cx + CHUNK)
            z = np.arange(CHUNK * cz, CHUNK * cz + CHUNK)
            outside = (abs(x) > limit) | (abs(z) > limit)[:, None]
            cells[:, outside.reshape(LAYER)] = AIR
