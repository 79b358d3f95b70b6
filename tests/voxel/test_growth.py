"""Crops, bushes, saplings and warrens: food and wood that come back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.voxel.flat import STAND, SURFACE, put_agent
from tests.voxel.working import a_world, block_name, check_bodies, check_books, done, put, tick
from thorp.protocol.actions import Mine, Place
from thorp.voxel.load import default_catalogs
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.systems import blocks
from thorp.voxel.systems.blocks import grow_at

HERE = (3, STAND, 3)


def ripen(world: World, position: Position = HERE) -> None:
    """Go to the tick in which something is due, without living through those between."""
    world.tick = world.growth[position].tick - 1
    tick(world)


@pytest.mark.parametrize(
    ("young", "grown"),
    [("WHEAT_SPROUT", "WHEAT_RIPE"), ("BERRY_BUSH_BARE", "BERRY_BUSH"), ("WARREN_EMPTY", "WARREN")],
)
def test_what_grows_is_grown_when_it_is_due_and_not_before(young: str, grown: str) -> None:
    world = a_world()
    put(world, HERE, young)
    world.tick = world.growth[HERE].tick - 2
    tick(world)
    assert block_name(world, HERE) == young
    tick(world)
    assert block_name(world, HERE) == grown
    assert HERE not in world.growth
    assert world.scratch.block_changes[0].reason == "GROW"
    check_books(world)


def test_bread_from_seeds_is_a_loop() -> None:
    world = a_world()
    agent = put_agent(world, 3, 2, SEEDS=1)
    done(world, agent, Place(block_pos=HERE, item_id="SEEDS"))
    ripen(world)
    done(world, agent, Mine(block_pos=HERE))
    assert agent.have("WHEAT") == 1
    assert agent.have("SEEDS") >= 1


@pytest.mark.parametrize(("block", "item"), [("BERRY_BUSH", "BERRIES"), ("WARREN", "RAW_MEAT")])
def test_bushes_and_warrens_can_be_picked_again(block: str, item: str) -> None:
    world = a_world()
    agent = put_agent(world, 3, 2)
    put(world, HERE, block)
    done(world, agent, Mine(block_pos=HERE))
    once = agent.have(item)
    ripen(world)
    done(world, agent, Mine(block_pos=HERE))
    assert agent.have(item) == 2 * once > 0


def test_a_sapling_becomes_a_tree() -> None:
    world = a_world()
    put(world, HERE, "SAPLING")
    ripen(world)
    x, y, z = HERE
    assert [block_name(world, (x, y + n, z)) for n in range(5)] == ["LOG"] * 4 + ["LEAVES"]
    assert block_name(world, (x + 1, y + 3, z - 1)) == "LEAVES"
    assert not len(world.growth)
    check_books(world)


@pytest.mark.parametrize("height", [1, 2, 3])
def test_a_sapling_under_a_roof_tries_again_later(height: int) -> None:
    world = a_world()
    x, y, z = HERE
    put(world, HERE, "SAPLING")
    put(world, (x, y + height, z), "STONE")
    ripen(world)
    assert block_name(world, HERE) == "SAPLING"
    assert world.growth[HERE].tick == world.tick + blocks.RETRY_TICKS
    put(world, (x, y + height, z), "AIR")
    ripen(world)
    assert block_name(world, HERE) == "LOG"


def test_a_crown_takes_only_free_cells() -> None:
    world = a_world()
    x, y, z = HERE
    put(world, HERE, "SAPLING")
    put(world, (x + 1, y + 3, z), "GLASS")
    ripen(world)
    assert block_name(world, (x + 1, y + 3, z)) == "GLASS"
    assert block_name(world, (x - 1, y + 3, z)) == "LEAVES"


@pytest.mark.parametrize("offset", [(0, 0, 0), (0, 3, 0), (1, 2, 0), (1, 3, 1), (0, 4, -1)])
def test_no_tree_grows_into_a_body(offset: Position) -> None:
    world = a_world()
    x, y, z = HERE
    put(world, HERE, "SAPLING")
    agent = put_agent(world, x + offset[0], z + offset[2], y=y + offset[1])
    ripen(world)
    assert block_name(world, HERE) == "SAPLING"
    check_bodies(world)
    world.relocate(agent, (20, STAND, 20))
    ripen(world)
    assert block_name(world, HERE) == "LOG"


@pytest.mark.parametrize(
    ("position", "grown"), [((3, 60, 3), "LOG"), ((3, 61, 3), "SAPLING"), ((64, 30, 0), "LOG")]
)
def test_at_the_ends_of_the_world_a_trunk_must_fit_and_a_crown_is_cut(
    position: Position, grown: str
) -> None:
    world = a_world(world_boundary_r=64)
    x, y, z = position
    put(world, (x, y - 1, z), "DIRT")
    put(world, position, "SAPLING")
    ripen(world, position)
    assert block_name(world, position) == grown
    assert all(world.ground.inside(*audit.position) for audit in world.scratch.block_changes)


def test_without_soil_nothing_grows() -> None:
    world = a_world()
    put(world, HERE, "WHEAT_SPROUT")
    put(world, (3, SURFACE, 3), "STONE")
    ripen(world)
    assert block_name(world, HERE) == "WHEAT_SPROUT"
    put(world, (3, SURFACE, 3), "DIRT")
    ripen(world)
    assert block_name(world, HERE) == "WHEAT_RIPE"


def test_a_sprout_taken_out_and_set_again_starts_anew() -> None:
    world = a_world()
    put(world, HERE, "WHEAT_SPROUT")
    first = world.growth[HERE].tick
    tick(world, 1600)
    put(world, HERE, "AIR")
    put(world, HERE, "WHEAT_SPROUT")
    second = world.growth[HERE].tick
    assert second > first
    world.tick = first - 1
    tick(world)
    assert block_name(world, HERE) == "WHEAT_SPROUT"
    ripen(world)
    assert block_name(world, HERE) == "WHEAT_RIPE"


def test_a_loaded_world_grows_as_the_saved_one_would() -> None:
    world = a_world()
    for x in range(5):
        put(world, (x, STAND, 0), "WHEAT_SPROUT")
    put(world, HERE, "SAPLING")
    fresh = check_books(world)
    for each in (world, fresh):
        last = max(row.tick for row in each.growth)
        for at in sorted({row.tick for row in each.growth}):
            each.tick = at - 1
            tick(each)
        assert each.tick == last
    assert fresh.digest() == world.digest()


def test_so_much_grows_in_a_tick_and_the_rest_in_the_next() -> None:
    world = a_world()
    sprout = world.catalogs.block_number["WHEAT_SPROUT"]
    cells = [(x, STAND, z) for x in range(12) for z in range(12)]
    for cell in cells:
        put(world, cell, "WHEAT_SPROUT")
        grow_at(world, cell, sprout, 10)
    world.tick = 9
    tick(world)
    ripe = sum(block_name(world, cell) == "WHEAT_RIPE" for cell in cells)
    assert ripe == blocks.GROWN_PER_TICK
    check_books(world)
    tick(world)
    assert all(block_name(world, cell) == "WHEAT_RIPE" for cell in cells)


def test_the_documented_times_are_in_force() -> None:
    page = (Path(__file__).parents[2] / "docs" / "world-work.md").read_text("utf-8")
    rows = re.findall(r"^\| ([A-Z_]+) \| [\w ]+ \| ([\d,]+) to ([\d,]+) \|$", page, re.MULTILINE)
    documented = {name: (int(a.replace(",", "")), int(b.replace(",", ""))) for name, a, b in rows}
    growing = [(block.id, block.grows) for block in default_catalogs().blocks]
    assert documented == {
        name: (grows.ticks, grows.ticks + grows.spread)
        for name, grows in growing
        if grows is not None
    }
