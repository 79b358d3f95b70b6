"""What is hidden: ores and tunnels. All of it comes from the secret seed, none of it from the public one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from thorp.voxel.catalog import AIR
from thorp.voxel.state.ground import HEIGHT, LAYER
from thorp.voxel.terrain.columns import WINDOW_SHAPE, Blocks, Columns, Flags, inner
from thorp.voxel.terrain.noise import ONE, Noise, below, mix, seed_for

# Of a thousand cells of stone. Crystal lies in the lower layers only; iron takes its share above.
TOP_ORE_Y: Final = 15
TOP_CRYSTAL_Y: Final = 9
ORES: Final = {"CRYSTAL_ORE": 2, "IRON_ORE": 8, "COPPER_ORE": 15, "COAL_ORE": 20}

# A tunnel runs where a field is near zero, at the height that a second one gives; a third varies its width.
TUNNEL_FIELDS: Final = (((64, 4), (32, 2)), ((64, 8), (32, 3)), ((64, 4),))
# The middle height of each family of tunnels: one deep down, one near the grass.
TUNNEL_LEVELS: Final = (9, 20)
HALF_WIDTH: Final = 330
HALF_HEIGHT: Final = 2
LOWEST_Y: Final = 3
# So much stays closed above a tunnel where nothing may break in; elsewhere it comes out of the hillside.
ROOF: Final = 6


class Ores:
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
    def __init__(self, draw_seed: int) -> None:
        self._noise = Noise(seed_for(draw_seed, "tunnels"), TUNNEL_FIELDS * len(TUNNEL_LEVELS))
        self._y = np.arange(HEIGHT)[:, None]

    def dig(self, cells: Blocks, columns: Columns, cx: int, cz: int) -> Flags:
        """Hollow them out; tell which columns of the window lost their topmost block."""
        height = columns.height
        top = np.where(columns.closed, height - ROOF, height)
        opened = np.zeros(WINDOW_SHAPE, np.bool_)
        fields = self._noise.window(cx, cz).reshape(len(TUNNEL_LEVELS), 3, *WINDOW_SHAPE)
        for level, (line, climb, width) in zip(TUNNEL_LEVELS, fields, strict=True):
            inside = abs(line) < HALF_WIDTH + width // 16
            if inside.any():
                middle = level + climb // ONE
                low = np.where(inside, np.maximum(middle - HALF_HEIGHT, LOWEST_Y), HEIGHT)
                high = np.minimum(middle + HALF_HEIGHT, top)
                opened |= (low <= height) & (high == height)
                hollow = (self._y >= inner(low).reshape(LAYER)) & (self._y <= inner(high).reshape(LAYER))
                cells[hollow] = AIR
        return opened
