"""The columns of a chunk and of the margin around it: how high the ground is, and what it is made
of.

Heights and climate are fields of noise. Around each site on dry land the ground is levelled to a
glade, from which it rises or falls by at most one block per cell up to the edge of the site's
square. `lookups.spawn_points` assigns the sites; see `docs/world-ground.md`.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from thorp.voxel.state.ground import CHUNK, HEIGHT
from thorp.voxel.terrain.noise import (
    MARGIN,
    ONE,
    WINDOW,
    Ints,
    Noise,
    below,
    hash_columns,
    seed_for,
)

Blocks = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Scalar = TypeVar("Scalar", bound=np.generic)

# Each square of this many cells has one site.
SPACING: Final = 32
# Up to this distance the ground around a site is level, and bare except for the boulders.
GLADE_R: Final = 7
BOULDERS: Final = ((-1, -1), (-1, 1))
"""Where blocks to be mined stand around a site, as (dx, dz). Every way from the site to a cell
beside one of them that ends 2 cells short of it, as a MOVE_TO may, ends within the reach of MINE.
Towards +x there is room to build."""
# Sites do not lie in rows: each is off the middle of its square by at most this many cells.
SCATTER: Final = 4
# 71 × 71 squares: even with two in five under water there are more sites than bodies in a full
# world.
MAX_RINGS: Final = 35

SEA_LEVEL: Final = 20
SOIL_DEPTH: Final = 3
BASE_HEIGHT: Final = 25

BIOMES: Final = ("PLAINS", "FOREST", "DESERT")
PLAINS, FOREST, DESERT = range(3)

# Octaves of each field: (period in cells, amplitude).
HEIGHT_FIELD: Final = ((256, 7), (64, 4), (32, 2))
HEAT_FIELD: Final = ((128, 4), (32, 1))
MOISTURE_FIELD: Final = ((128, 4), (32, 1))
PEBBLE_FIELD: Final = ((32, 4),)

# Where the fields divide biomes, frost and gravel.
DESERT_ABOVE: Final = 1400
FOREST_ABOVE: Final = 100
FROZEN_BELOW: Final = -1100
GRAVEL_ABOVE: Final = 2900

# Around the middle of the world the climate is temperate and the land is dry: it is lifted by one
# block for each LIFT_CELLS inwards.
TEMPERATE_R: Final = 128
DRY_R: Final = 192
LIFT_CELLS: Final = 64

# The kinds of columns: the top block, and the block of the SOIL_DEPTH cells below it.
KINDS: Final = (("GRASS", "DIRT"), ("SAND", "SAND"), ("GRAVEL", "GRAVEL"))
GRASS, SAND, GRAVEL = range(3)

# The blocks that the boulders of a glade may be, in the order of `BOULDERS`.
BOULDER_BLOCKS: Final = (("STONE", "LOG"), ("LOG", "STONE"))
# Nothing grows in a glade, and no crown reaches into it.
PLANTS_FROM: Final = GLADE_R + 1
TREES_FROM: Final = PLANTS_FROM + MARGIN
# Tunnels may come out in grassy hillsides from this height on; lower down a lake could hang above
# the opening.
TUNNELS_OPEN_FROM: Final = SEA_LEVEL + 3
# The distance that is used where there is no glade near.
_FAR: Final = 1 << 20
_EDGE: Final = np.arange(-MARGIN, CHUNK + MARGIN)


# Sites


def site_rings(boundary_r: int) -> int:
    """How many rings of squares around the middle one lie in a world with this boundary."""
    return max(0, min(MAX_RINGS, (boundary_r - SCATTER - GLADE_R) // SPACING))


def site_column(i: int, j: int) -> tuple[int, int]:
    """The column (x, z) of the site in one square of the lattice; in the middle square it is the
    origin."""
    off_x = 7 * i + 4 * j * j
    off_z = 5 * j + 2 * i * i
    return i * SPACING + _scattered(off_x), j * SPACING + _scattered(off_z)


def _scattered(off: int) -> int:
    return (off + SCATTER) % (2 * SCATTER + 1) - SCATTER


@cache
def site_columns(ring_count: int) -> list[tuple[int, int]]:
    """The columns of all sites, ring by ring, each ring clockwise from its east."""
    squares = [(0, 0)]
    for r in range(1, ring_count + 1):
        squares += [(r, j) for j in range(1 - r, r + 1)]
        squares += [(i, r) for i in range(r - 1, -r - 1, -1)]
        squares += [(-r, j) for j in range(r - 1, -r - 1, -1)]
        squares += [(i, -r) for i in range(1 - r, r + 1)]
    return [site_column(i, j) for i, j in squares]


@cache
def site_numbers(ring_count: int) -> dict[tuple[int, int], int]:
    """The number of each site in the order of `site_columns`, by its column."""
    return {site: number for number, site in enumerate(site_columns(ring_count))}


# Columns


class Glade(NamedTuple):
    """The level ground around a site, at which bodies appear."""

    x: int
    z: int
    floor: int  # The y of its topmost block.
    boulders: tuple[str, ...]  # The blocks that stand in it, in the order of `BOULDERS`.


class Columns(NamedTuple):
    """The columns of a window, one value each, as [z, x]."""

    height: Ints  # The y of the topmost block of the ground.
    kind: Ints  # An index into KINDS.
    frozen: Flags
    biome: Ints  # An index into BIOMES.
    away: Ints  # The distance to the site of this square, along the longer axis.

    def grassy(self, away: int) -> Flags:
        """Where grass grows at least this far from a site."""
        flags: Flags = (self.kind == GRASS) & (self.away >= away)
        return flags

    @property
    def closed(self) -> Flags:
        """Where no tunnel may come out."""
        return (self.height < TUNNELS_OPEN_FROM) | ~self.grassy(TREES_FROM)


def inner(window: NDArray[Scalar]) -> NDArray[Scalar]:
    """The chunk itself, without the margin."""
    return window[MARGIN : MARGIN + CHUNK, MARGIN : MARGIN + CHUNK]


class Survey:
    """Computes the columns of any chunk from the terrain seed."""

    def __init__(self, seed: int, boundary_r: int) -> None:
        self._rings = site_rings(boundary_r)
        self._heights = Noise(seed_for(seed, "heights"), (HEIGHT_FIELD,))
        self._climate = Noise(seed_for(seed, "climate"), (HEAT_FIELD, MOISTURE_FIELD, PEBBLE_FIELD))
        self._boulder_seed = seed_for(seed, "boulders")
        self._glades: dict[tuple[int, int], Glade | None] = {}

    def columns(self, cx: int, cz: int) -> Columns:
        """The columns of a chunk and its margin."""
        height, away = self._bend(self._natural(cx, cz), cx, cz)
        heat, moisture, pebbles = self._weather(cx, cz)
        biome = _biome(heat, moisture)
        sandy = (biome == DESERT) | (height <= SEA_LEVEL)
        kind = np.where(pebbles > GRAVEL_ABOVE, GRAVEL, np.where(sandy, SAND, GRASS))
        return Columns(height=height, kind=kind, frozen=heat < FROZEN_BELOW, biome=biome, away=away)

    def biomes(self, cx: int, cz: int) -> bytes:
        """The biome of each column of a chunk, as an index into BIOMES."""
        heat, moisture, _ = self._weather(cx, cz)
        return inner(_biome(heat, moisture)).astype(np.uint8).tobytes()

    def glade(self, i: int, j: int) -> Glade | None:
        """The glade in one square of the lattice of sites; None under water or where the lattice
        ends."""
        if max(abs(i), abs(j)) > self._rings:
            return None
        if (i, j) not in self._glades:
            x, z = site_column(i, j)
            floor = int(self._natural(x >> 4, z >> 4)[MARGIN + (z & 15), MARGIN + (x & 15)])
            hashed = hash_columns(self._boulder_seed, np.array([x]), np.array([z]))
            boulders = BOULDER_BLOCKS[int(below(hashed, len(BOULDER_BLOCKS))[0])]
            self._glades[i, j] = Glade(x, z, floor, boulders) if floor >= SEA_LEVEL else None
        return self._glades[i, j]

    def _natural(self, cx: int, cz: int) -> Ints:
        height: Ints = self._heights.window(cx, cz)[0]
        if max(abs(cx), abs(cz)) <= DRY_R // CHUNK:
            height += np.maximum(DRY_R - _from_middle(cx, cz), 0) * (ONE // LIFT_CELLS)
        return BASE_HEIGHT + height // ONE

    def _weather(self, cx: int, cz: int) -> Ints:
        """Heat, moisture and pebbles."""
        fields = self._climate.window(cx, cz)
        if max(abs(cx), abs(cz)) <= TEMPERATE_R // CHUNK:
            fields[0] = fields[0] * np.minimum(_from_middle(cx, cz), TEMPERATE_R) // TEMPERATE_R
        return fields

    def _bend(self, height: Ints, cx: int, cz: int) -> tuple[Ints, Ints]:
        """Level the glades. Returns the heights, and how far each column is from the site of its
        square."""
        away = np.full(height.shape, _FAR)
        for i, x_slice in _squares(cx):
            for j, z_slice in _squares(cz):
                glade = self.glade(i, j)
                if glade is not None:
                    part = z_slice, x_slice
                    x = _EDGE[x_slice] + CHUNK * cx - glade.x
                    z = _EDGE[z_slice] + CHUNK * cz - glade.z
                    away[part] = np.maximum(abs(x), abs(z)[:, None])
                    # One block up or down for each cell beyond the glade.
                    slack = np.maximum(away[part] - GLADE_R, 0)
                    height[part] = np.clip(height[part], glade.floor - slack, glade.floor + slack)
        return height, away


def _from_middle(cx: int, cz: int) -> Ints:
    """How far each column of a window is from the middle of the world, along the longer axis."""
    x = abs(_EDGE + CHUNK * cx)
    z = abs(_EDGE + CHUNK * cz)
    return np.maximum(x, z[:, None])


def _squares(chunk: int) -> list[tuple[int, slice]]:
    """The lattice squares along one axis of a window, and the part of the window that lies in
    each."""
    first = CHUNK * chunk - MARGIN + SPACING // 2
    square, inside = divmod(first, SPACING)
    split = SPACING - inside
    if split >= WINDOW:
        return [(square, slice(0, WINDOW))]
    return [(square, slice(0, split)), (square + 1, slice(split, WINDOW))]


def squares_near(chunk: int) -> range:
    """The lattice squares along one axis whose glades may reach into a chunk."""
    reach = GLADE_R + SCATTER
    first = CHUNK * chunk - reach
    last = CHUNK * chunk + CHUNK - 1 + reach
    return range(-(-first // SPACING), last // SPACING + 1)


def _biome(heat: Ints, moisture: Ints) -> Ints:
    return np.where(heat > DESERT_ABOVE, DESERT, np.where(moisture > FOREST_ABOVE, FOREST, PLAINS))


def profiles(number: Mapping[str, int]) -> Blocks:
    """The 64 blocks of every possible column, as [frozen, kind, height of the ground]: a chunk is
    then made by one lookup."""
    columns = np.zeros((2, len(KINDS), HEIGHT, HEIGHT), np.uint8)
    for kind, (top, soil) in enumerate(KINDS):
        for height in range(1, HEIGHT):
            column = columns[:, kind, height]
            column[:, : height - SOIL_DEPTH] = number["STONE"]
            column[:, max(1, height - SOIL_DEPTH) : height] = number[soil]
            column[:, height] = number[top]
            column[:, 0] = number["BEDROCK"]
            column[:, height + 1 : SEA_LEVEL + 1] = number["WATER"]
            if height < SEA_LEVEL:
                column[1, SEA_LEVEL] = number["ICE"]
    return columns
