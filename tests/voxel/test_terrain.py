"""The land: reproducible, smooth, varied, with ores at their rates, and glades where bodies
begin."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from thorp.voxel.load import default_catalogs
from thorp.voxel.state.ground import CHUNK, CHUNK_CELLS, HEIGHT
from thorp.voxel.terrain.columns import (
    BIOMES,
    BOULDERS,
    GLADE_R,
    MAX_RINGS,
    SCATTER,
    SEA_LEVEL,
    SPACING,
    Survey,
    site_columns,
    site_numbers,
    site_rings,
)
from thorp.voxel.terrain.generator import CROWN, NoiseTerrain
from thorp.voxel.terrain.noise import MARGIN

ROOT = Path(__file__).parent.parent.parent
BOUNDARY = 4000
NUMBER = default_catalogs().block_number
ORES = ("CRYSTAL_ORE", "IRON_ORE", "COPPER_ORE", "COAL_ORE")
GROUND = [
    NUMBER[name]
    for name in ("BEDROCK", "STONE", "DIRT", "GRASS", "SAND", "GRAVEL", "WARREN", *ORES)
]
AIR, WATER, STONE = NUMBER["AIR"], NUMBER["WATER"], NUMBER["STONE"]

OUTLAND_X, OUTLAND_Z = 120, -90

Cells = NDArray[np.uint8]


def terrain(seed: int = 1337, draw_seed: int = 99, boundary_r: int = BOUNDARY) -> NoiseTerrain:
    return NoiseTerrain(seed, draw_seed, default_catalogs(), boundary_r)


def stretch(land: NoiseTerrain, cx: int, cz: int, count: int) -> Cells:
    """The blocks of count × count chunks, as [y, z, x]."""
    rows = []
    for row in range(cz, cz + count):
        chunks = [cells(land.chunk(column, row)) for column in range(cx, cx + count)]
        rows.append(np.concatenate(chunks, axis=2))
    return np.concatenate(rows, axis=1)


def cells(chunk: bytes) -> Cells:
    return np.frombuffer(chunk, np.uint8).reshape(HEIGHT, CHUNK, CHUNK)


@cache
def middle() -> Cells:
    """384 × 384 columns around the origin of a world."""
    return stretch(terrain(), -12, -12, 24)


@cache
def outland() -> Cells:
    """As many, far from all sites."""
    return stretch(terrain(), OUTLAND_X, OUTLAND_Z, 24)


def surface(land: Cells) -> NDArray[np.int64]:
    """The y of the topmost block that is ground: no plant, no tree, no water."""
    return HEIGHT - 1 - np.isin(land, GROUND)[::-1].argmax(axis=0)


# The same again


def test_a_chunk_has_its_size_and_only_known_blocks() -> None:
    chunk = terrain().chunk(3, -4)
    assert len(chunk) == CHUNK_CELLS
    assert max(chunk) < len(default_catalogs().blocks)


chunk_keys = st.tuples(st.integers(-250, 250), st.integers(-250, 250))


@given(st.lists(chunk_keys, min_size=1, max_size=6), st.randoms())
@settings(max_examples=15)
def test_a_chunk_depends_on_the_seeds_alone_not_on_what_was_made_before(
    keys: list[tuple[int, int]], random: Random
) -> None:
    used = terrain()
    first = {key: used.chunk(*key) for key in keys}
    for key in random.sample(keys, len(keys)):
        assert terrain().chunk(*key) == used.chunk(*key) == first[key]


# Of a few chunks. If this changes, so does every world ever made: that is a new version of the
# rules.
GOLDEN = "e56d19e015a45b799b573178e877c0a89f232360f1cc2358fde59a14e6b6140c"


def fingerprint() -> str:
    land = terrain(seed=20, draw_seed=21)
    keys = [(0, 0), (-1, 5), (33, -60), (-250, 250), (249, 0)]
    return sha256(b"".join(land.chunk(*key) for key in keys)).hexdigest()


def test_the_land_is_the_land_it_always_was() -> None:
    assert fingerprint() == GOLDEN


def test_the_land_does_not_depend_on_the_hash_seed() -> None:
    code = "from tests.voxel.test_terrain import fingerprint; print(fingerprint())"
    for hash_seed in ("0", "4711"):
        environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": "."}
        command = [sys.executable, "-c", code]
        found = subprocess.check_output(command, env=environment, cwd=ROOT, text=True, timeout=60)
        assert found.strip() == GOLDEN


def test_seeds_of_any_size_and_sign_give_different_lands() -> None:
    chunks = {terrain(seed=seed).chunk(40, 40) for seed in (0, 1, -1, 2**64, 10**30)}
    assert len(chunks) == 5


# The shape


@pytest.mark.parametrize("land", [middle, outland])
def test_land_is_smooth(land: Callable[[], Cells]) -> None:
    heights = surface(land())
    for axis in (0, 1):
        steps = abs(np.diff(heights, axis=axis))
        assert (steps <= 1).mean() > 0.99
    assert heights.max() - heights.min() >= 8
    assert heights.max() < HEIGHT - 16


@pytest.mark.parametrize("land", [middle, outland])
def test_bedrock_below_everything_and_water_up_to_the_sea_level(land: Callable[[], Cells]) -> None:
    blocks = land()
    assert (blocks[0] == NUMBER["BEDROCK"]).all()
    assert (blocks[1:] != NUMBER["BEDROCK"]).all()
    wet = np.isin(blocks, [WATER, NUMBER["ICE"]])
    assert not wet[SEA_LEVEL + 1 :].any()
    assert 0.005 < wet[SEA_LEVEL].mean() < 0.5
    below_water = np.roll(wet, -1, axis=0)[: SEA_LEVEL + 1] & ~wet[: SEA_LEVEL + 1]
    assert np.isin(blocks[: SEA_LEVEL + 1][below_water], [NUMBER["SAND"], NUMBER["GRAVEL"]]).all()


def test_all_kinds_of_land_are_there() -> None:
    found = np.bincount(outland().ravel(), minlength=len(NUMBER))
    wanted = "GRASS SAND GRAVEL WATER ICE LOG LEAVES BERRY_BUSH TALL_GRASS WARREN"
    assert [name for name in wanted.split() if found[NUMBER[name]] < 20] == []


def test_biomes_are_regions_and_each_has_its_share() -> None:
    shares: Counter[str] = Counter()
    changes = columns = 0
    for seed in range(4):
        land = terrain(seed=seed)
        for z in range(-1500, 1500, 150):
            row = [land.biome(x, z) for x in range(600, 1600, 4)]
            shares.update(row)
            changes += sum(a != b for a, b in pairwise(row))
            columns += 4 * len(row)
    assert set(shares) == set(BIOMES)
    assert min(shares.values()) > 0.12 * sum(shares.values())
    assert 40 < columns / changes < 160


def test_what_grows_and_lies_there_fits_the_biome() -> None:
    land = terrain()
    blocks, heights = outland(), surface(outland())
    columns: Counter[str] = Counter()
    trees: Counter[str] = Counter()
    for z in range(blocks.shape[1]):
        for x in range(z % 3, blocks.shape[2], 3):
            biome = land.biome(OUTLAND_X * 16 + x, OUTLAND_Z * 16 + z)
            y = heights[z, x]
            assert biome != "DESERT" or blocks[y, z, x] not in (NUMBER["GRASS"], NUMBER["WARREN"])
            columns[biome] += 1
            trees[biome] += int(blocks[y + 1, z, x] == NUMBER["LOG"])
    forest, plains = trees["FOREST"] / columns["FOREST"], trees["PLAINS"] / columns["PLAINS"]
    assert forest > 5 * plains > 0
    assert trees["DESERT"] == 0


def test_the_middle_of_every_world_is_dry_temperate_and_has_wood_and_food() -> None:
    for seed in range(5):
        land = terrain(seed=seed)
        blocks = stretch(land, -4, -4, 8)
        assert (blocks[SEA_LEVEL] == WATER).mean() < 0.25
        assert land.biome(0, 0) != "DESERT"
        found = Counter(blocks.ravel().tolist())
        assert found[NUMBER["LOG"]] > 20
        assert found[NUMBER["BERRY_BUSH"]] > 3


# Trees


def test_every_tree_is_whole_also_across_borders() -> None:
    """Above each trunk its crown: whatever chunk a leaf is in, and nothing but other wood in its
    place."""
    land = outland()
    log, leaves = NUMBER["LOG"], NUMBER["LEAVES"]
    edge = MARGIN
    tops = np.argwhere((land[:-1] == log) & (land[1:] == leaves))
    checked = 0
    for y, z, x in tops.tolist():
        if edge <= x < land.shape[2] - edge and edge <= z < land.shape[1] - edge:
            around = [land[y + dy, z + dz, x + dx] for dx, dy, dz in CROWN]
            assert AIR not in around
            assert around.count(leaves) > len(CROWN) // 3
            below = land[: y + 1, z, x]
            trunk = y - int(np.flatnonzero(below != log)[-1])
            assert 4 <= trunk <= 6
            assert below[y - trunk] in (NUMBER["GRASS"], NUMBER["WARREN"])
            checked += 1
    assert checked > 100


def test_no_leaf_hangs_without_a_trunk() -> None:
    land = outland()
    trunks = (land == NUMBER["LOG"]).any(axis=0)
    near = trunks.copy()
    for dz in range(-MARGIN, MARGIN + 1):
        for dx in range(-MARGIN, MARGIN + 1):
            near |= np.roll(trunks, (dz, dx), axis=(0, 1))
    leafy = (land == NUMBER["LEAVES"]).any(axis=0)
    inside = slice(MARGIN, -MARGIN)
    assert not (leafy & ~near)[inside, inside].any()


def test_plants_stand_on_grass() -> None:
    for land in (middle(), outland()):
        for name in ("TALL_GRASS", "BERRY_BUSH"):
            y, z, x = np.nonzero(land == NUMBER[name])
            assert (land[y - 1, z, x] == NUMBER["GRASS"]).all()


# What is hidden


def test_ores_have_their_rates() -> None:
    """Of the stone from y 1 to y 15. Crystal lies below 10 only; above, iron takes its share."""
    land = np.concatenate([middle().reshape(HEIGHT, -1), outland().reshape(HEIGHT, -1)], axis=1)
    for low, high, rates in (
        (1, 9, {"CRYSTAL_ORE": 0.002, "IRON_ORE": 0.008, "COPPER_ORE": 0.015, "COAL_ORE": 0.02}),
        (10, 15, {"CRYSTAL_ORE": 0.0, "IRON_ORE": 0.010, "COPPER_ORE": 0.015, "COAL_ORE": 0.02}),
    ):
        layer = land[low : high + 1]
        rock = int(np.isin(layer, [STONE, *(NUMBER[ore] for ore in ORES)]).sum())
        for ore, rate in rates.items():
            found = int((layer == NUMBER[ore]).sum())
            deviation = (rock * rate * (1 - rate)) ** 0.5
            assert abs(found - rock * rate) <= 5 * deviation, (ore, found / rock)
    assert not np.isin(land[16:], [NUMBER[ore] for ore in ORES]).any()


def test_the_public_seed_tells_nothing_of_what_is_hidden() -> None:
    """Other secret seed: the same hills and trees, ores no more alike than by chance, other
    tunnels."""
    one, other = stretch(terrain(draw_seed=1), 60, 60, 8), stretch(terrain(draw_seed=2), 60, 60, 8)
    same_top = surface(one) == surface(other)
    assert same_top.mean() > 0.95  # all but where a tunnel comes out
    plants = [NUMBER[name] for name in ("LOG", "LEAVES", "BERRY_BUSH", "TALL_GRASS")]
    ones, others = np.isin(one, plants)[:, same_top], np.isin(other, plants)[:, same_top]
    assert (ones == others).mean() > 0.99
    coal = NUMBER["COAL_ORE"]
    both = ((one == coal) & (other == coal)).sum() / (one == coal).sum()
    assert both < 0.04
    hollow_one, hollow_other = (one[2:18] == AIR), (other[2:18] == AIR)
    assert (hollow_one & hollow_other).sum() < hollow_one.sum() / 3


def test_other_public_seed_same_ores_where_there_is_stone() -> None:
    one, other = (
        stretch(terrain(seed=1), 60, 60, 4)[1:10],
        stretch(terrain(seed=2), 60, 60, 4)[1:10],
    )
    rock = [STONE, *(NUMBER[ore] for ore in ORES)]
    stone = np.isin(one, rock) & np.isin(other, rock)
    assert stone.mean() > 0.8
    assert (one == other)[stone].all()


def test_there_are_tunnels_and_some_come_out() -> None:
    land = outland()
    heights = surface(land)
    under = np.arange(HEIGHT)[:, None, None] < heights
    hollow = (land == AIR) & under
    assert 0.01 < hollow.sum() / under.sum() < 0.08
    assert not hollow[:3].any()
    bare = np.take_along_axis(land, heights[None], axis=0)[0] == STONE
    assert bare.any()


def test_no_tunnel_lets_sand_or_water_fall() -> None:
    """Above every hollow cell lies neither water nor what would fall."""
    loose = [WATER, NUMBER["ICE"], NUMBER["SAND"], NUMBER["GRAVEL"]]
    for land in (middle(), outland()):
        air_below = land[:-1] == AIR
        assert not (np.isin(land[1:], loose) & air_below).any()


# The edge of the world


@pytest.mark.parametrize("limit", [64, 100, 4000, 4001])
def test_outside_the_boundary_there_is_nothing(limit: int) -> None:
    land = terrain(boundary_r=limit)
    for cx in ((limit >> 4) - 1, limit >> 4, (limit >> 4) + 1, -limit >> 4, (-limit >> 4) - 1):
        for key in ((cx, 0), (0, cx)):
            chunk = cells(land.chunk(*key))
            x = np.arange(key[0] * 16, key[0] * 16 + 16)
            z = np.arange(key[1] * 16, key[1] * 16 + 16)
            inside = (abs(x) <= limit) & (abs(z) <= limit)[:, None]
            assert (chunk[0][inside] == NUMBER["BEDROCK"]).all()
            assert not chunk[:, ~inside].any()


# Glades


def test_sites_lie_on_a_spiral_apart_from_each_other() -> None:
    columns = site_columns(MAX_RINGS)
    assert columns[0] == (0, 0)
    assert len(set(columns)) == len(columns) == (2 * MAX_RINGS + 1) ** 2
    assert [site_numbers(MAX_RINGS)[column] for column in columns[:9]] == list(range(9))
    reach = [max(abs(x), abs(z)) for x, z in columns]
    assert all(a <= b + SPACING for a, b in pairwise(reach))
    points = np.array(columns)
    for index in range(0, len(points), 97):
        apart = abs(points - points[index]).max(axis=1)
        assert sorted(apart.tolist())[1] >= SPACING - 2 * SCATTER >= 12


@pytest.mark.parametrize("limit", [64, 128, 500, 4000])
def test_glades_lie_inside_the_boundary(limit: int) -> None:
    for x, z in site_columns(site_rings(limit)):
        assert max(abs(x), abs(z)) + GLADE_R <= limit


def test_there_are_glades_for_a_full_world() -> None:
    squares = range(-MAX_RINGS, MAX_RINGS + 1)
    for seed in (3, 1337):
        survey = Survey(seed, BOUNDARY)
        sample = [(i, j) for i in squares[::3] for j in squares[::3]]
        share = sum(survey.glade(i, j) is not None for i, j in sample) / len(sample)
        assert share * len(squares) ** 2 > 2_500 * 1.2


def test_every_glade_is_level_and_bare_but_for_two_blocks_to_mine() -> None:
    land = middle()
    survey = Survey(1337, BOUNDARY)
    half = land.shape[1] // 2
    checked = 0
    for i in range(-5, 6):
        for j in range(-5, 6):
            glade = survey.glade(i, j)
            if glade is None:
                continue
            x, z, r = glade.x + half, glade.z + half, GLADE_R
            around = land[:, z - r : z + r + 1, x - r : x + r + 1]
            assert np.isin(around[glade.floor - 4 : glade.floor + 1], GROUND).all()
            standing = np.argwhere(around[glade.floor + 1 :]).tolist()
            assert standing == sorted([0, r + dz, r + dx] for dx, dz in BOULDERS)
            assert sorted(glade.boulders) == ["LOG", "STONE"]
            checked += 1
    assert checked > 90
