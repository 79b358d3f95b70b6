"""Where bodies begin: apart, on clear flat ground, beside blocks to mine; and when that is
taken."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from tests.voxel.flat import STAND, flat_world, put_block
from thorp.voxel.catalog import Catalogs
from thorp.voxel.lookups.spawn_points import (
    TOGETHER_SECONDS,
    find_spawn,
    is_clear,
    nearest_standing,
    standing,
)
from thorp.voxel.society.listeners import LISTENERS
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import CHUNK_CELLS, HEIGHT, LAYER, Position
from thorp.voxel.state.world import World
from thorp.voxel.systems.mining import REACH
from thorp.voxel.terrain.columns import BOULDERS, SCATTER, SPACING
from thorp.voxel.terrain.generator import NoiseTerrain
from thorp.voxel.tuning import Tuning

# Sites of neighbouring squares are at most this far apart along an axis.
BESIDE = SPACING + 2 * SCATTER


def natural_world(catalogs: Catalogs, seed: int = 1337, boundary_r: int = 4000) -> World:
    tuning = Tuning(world_boundary_r=boundary_r)
    terrain = NoiseTerrain(seed, seed + 1, catalogs, boundary_r)
    return World(
        seed=seed,
        draw_seed=seed + 1,
        catalogs=catalogs,
        tuning=tuning,
        terrain=terrain,
        listeners=LISTENERS,
    )


def settle(world: World, number: int) -> Position:
    """Give a body its spawn, as joining does."""
    x, y, z = find_spawn(world, number)
    world.agents.put(Agent(number, f"A{number}", "someone", x, y, z, (x, z), world.tick, {}))
    world.counters.agent = max(world.counters.agent, number)
    return x, y, z


def solid(world: World, x: int, y: int, z: int) -> bool:
    return bool(world.catalogs.solid[world.ground.block(x, y, z)])


@pytest.mark.parametrize("seed", [1337, 2, 3])
def test_spawns_are_apart_on_clear_flat_ground_with_blocks_to_mine(
    catalogs: Catalogs, seed: int
) -> None:
    world = natural_world(catalogs, seed)
    spawns = [settle(world, number) for number in range(1, 41)]
    for (x, _, z), (other_x, _, other_z) in combinations(spawns, 2):
        assert max(abs(x - other_x), abs(z - other_z)) >= 12
    for x, y, z in spawns:
        mineable = {}
        for dx in range(-7, 8):
            for dz in range(-7, 8):
                column = world.ground.column(x + dx, z + dz)
                assert catalogs.solid[column[y - 1]]
                above = [block for block in column[y:] if block]
                if above:
                    mineable[dx, dz] = above
        assert sorted(mineable) == sorted(BOULDERS)
        for (dx, dz), (block,) in mineable.items():
            assert abs(dx) + abs(dz) == REACH
            assert world.ground.block(x + dx, y, z + dz) == block
            assert catalogs.blocks[block].breakable
            assert catalogs.drops[block]


def test_the_first_body_begins_in_the_middle_and_others_around_it(catalogs: Catalogs) -> None:
    world = natural_world(catalogs, 2)
    assert settle(world, 1)[::2] == (0, 0)
    far = [max(abs(x), abs(z)) for x, _, z in (settle(world, number) for number in range(2, 10))]
    assert max(far) <= 3 * SPACING


@pytest.mark.parametrize("seed", [1337, 2, 41])
def test_who_comes_within_a_minute_of_another_gets_a_glade_beside_it(
    catalogs: Catalogs, seed: int
) -> None:
    world = natural_world(catalogs, seed)
    spawns = [settle(world, number) for number in range(1, 121)]
    assert max(_apart(one, other) for one, other in pairwise(spawns)) <= BESIDE
    later = natural_world(catalogs, seed)
    apart = []
    for number in range(1, 121):
        later.tick = number * (TOGETHER_SECONDS * later.tuning.tick_rate_hz + 1)
        apart.append(settle(later, number))
    assert len(set(apart)) == len(apart)
    assert max(_apart(one, other) for one, other in pairwise(apart)) > BESIDE, (
        "the spiral passes over lakes"
    )


def _apart(one: Position, other: Position) -> int:
    return max(abs(one[0] - other[0]), abs(one[2] - other[2]))


def test_a_spawn_is_a_function_of_the_state(catalogs: Catalogs) -> None:
    one, other = natural_world(catalogs), natural_world(catalogs)
    for number in range(1, 12):
        assert settle(one, number) == settle(other, number)
    other.ground.keep(())
    assert find_spawn(one, 12) == find_spawn(other, 12)
    before = one.digest()
    find_spawn(one, 12)
    assert one.digest() == before


def test_the_homes_of_bodies_that_left_are_given_out_again(catalogs: Catalogs) -> None:
    world = flat_world(catalogs)
    spawns = {number: settle(world, number) for number in range(1, 6)}
    for number in (4, 5):
        world.agents.remove(number)
    assert settle(world, 6) == spawns[4]
    assert settle(world, 7) == spawns[5]


@pytest.mark.parametrize("built", [(0, 0, 0), (6, 0, -6), (-6, 11, 6), (3, 4, 0)])
def test_a_glade_that_was_built_over_is_passed_by(catalogs: Catalogs, built: Position) -> None:
    plain, changed = natural_world(catalogs, 2), natural_world(catalogs, 2)
    x, y, z = find_spawn(plain, 1)
    put_block(changed, x + built[0], y + built[1], z + built[2], "PLANK")
    assert find_spawn(changed, 1) != (x, y, z)
    assert is_clear(changed, find_spawn(changed, 1))


@pytest.mark.parametrize("dug", ["AIR", "WATER", "ICE"])
def test_a_glade_with_a_hole_is_passed_by(catalogs: Catalogs, dug: str) -> None:
    world = natural_world(catalogs, 2)
    x, y, z = find_spawn(world, 1)
    put_block(world, x + 6, y - 1, z + 6, dug)
    assert find_spawn(world, 1) != (x, y, z)


def test_a_glade_whose_blocks_were_mined_is_given_out_last(catalogs: Catalogs) -> None:
    world = natural_world(catalogs, seed=2, boundary_r=64)
    x, y, z = find_spawn(world, 1)
    put_block(world, x - 1, y, z - 1, "AIR")
    spawns = [settle(world, number) for number in range(1, 10)]
    assert spawns[0] != (x, y, z)
    assert (x, y, z) in spawns


def test_a_whole_population_fits_and_no_home_is_shared(catalogs: Catalogs) -> None:
    world = flat_world(catalogs)
    homes = [settle(world, number)[::2] for number in range(1, 601)]
    assert len(set(homes)) == len(homes)


def test_in_a_small_world_homes_are_shared_when_all_are_taken(catalogs: Catalogs) -> None:
    world = natural_world(catalogs, seed=2, boundary_r=64)
    spawns = [settle(world, number) for number in range(1, 40)]
    for x, y, z in spawns:
        assert world.ground.inside(x, y, z)
        assert solid(world, x, y - 1, z)
        assert not solid(world, x, y, z)
        assert not solid(world, x, y + 1, z)
    assert 1 < len(set(spawns)) <= 9


def test_whoever_died_begins_again_at_home(catalogs: Catalogs) -> None:
    world = natural_world(catalogs)
    home = settle(world, 1)
    world.relocate(world.agents[1], (home[0] + 90, 40, home[2]))
    assert find_spawn(world, 1) == home


def test_a_home_with_a_roof_or_a_floor_is_still_home(catalogs: Catalogs) -> None:
    world = flat_world(catalogs)
    x, y, z = settle(world, 1)
    put_block(world, x, y, z, "PLANK")
    assert find_spawn(world, 1) == (x, y + 1, z)
    put_block(world, x, HEIGHT - 1, z, "PLANK")
    assert find_spawn(world, 1) == (x, y + 1, z)


def test_when_home_is_full_the_nearest_place_is_taken(catalogs: Catalogs) -> None:
    world = flat_world(catalogs)
    x, y, z = settle(world, 1)
    for height in range(y, HEIGHT):
        put_block(world, x, height, z, "STONE")
    near = find_spawn(world, 1)
    assert abs(near[0] - x) + abs(near[2] - z) == 1
    assert near[1] == STAND
    for height in range(y, HEIGHT):
        put_block(world, near[0], height, near[2], "STONE")
    other = find_spawn(world, 1)
    assert other != near
    assert abs(other[0] - x) + abs(other[2] - z) == 1


def test_nobody_begins_in_water_if_there_is_land(catalogs: Catalogs) -> None:
    world = flat_world(catalogs)
    x, y, z = settle(world, 1)
    for dx in range(-3, 4):
        for dz in range(-3, 4):
            put_block(world, x + dx, y - 1, z + dz, "WATER")
            put_block(world, x + dx, y, z + dz, "WATER")
    assert standing(world, x, z) is None
    near = find_spawn(world, 1)
    assert abs(near[0] - x) + abs(near[2] - z) == 4
    assert near[1] == STAND


def test_where_all_is_water_one_swims(catalogs: Catalogs) -> None:
    class Sea:
        def chunk(self, cx: int, cz: int) -> bytes:
            bedrock, water = catalogs.block_number["BEDROCK"], catalogs.block_number["WATER"]
            return (bytes([bedrock]) * LAYER + bytes([water]) * LAYER * 20).ljust(
                CHUNK_CELLS, b"\0"
            )

        def biome(self, x: int, z: int) -> str:
            return "PLAINS"

        def of_season(self, season: int) -> Sea:
            return self

    world = World(
        seed=1, draw_seed=2, catalogs=catalogs, tuning=Tuning(), terrain=Sea(), listeners=LISTENERS
    )
    assert nearest_standing(world, 5, -7) == (5, 21, -7)
    assert find_spawn(world, 1) == (0, 21, 0)
