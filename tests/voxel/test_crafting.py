"""CRAFT and SMELT: stations, time, inputs and outputs."""

from __future__ import annotations

import pytest

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.working import a_world, begin, done, failed, put, refused, tick
from thorp.protocol.actions import Craft, Smelt
from thorp.voxel.load import default_catalogs
from thorp.voxel.systems import work


def test_by_hand() -> None:
    world = a_world()
    agent = put_agent(world, LOG=1)
    assert done(world, agent, Craft(recipe_id="plank_from_log")) == 5
    assert agent.inventory == {"PLANK": 4}


def test_many_units_one_after_the_other() -> None:
    world = a_world()
    agent = put_agent(world, LOG=3)
    begin(world, agent, Craft(recipe_id="plank_from_log", count=3))
    tick(world, 7)
    assert agent.inventory == {"LOG": 2, "PLANK": 4}
    assert work.status(world, agent) == (round(7 / 15, 3), (0, 0, 0), 8)
    tick(world, 8)
    assert agent.inventory == {"PLANK": 12}
    assert events(agent, "TASK_DONE") == [
        {"t": world.tick, "type": "TASK_DONE", "task_id": "T000001", "kind": "CRAFT"}
    ]


def test_inputs_are_taken_at_the_end_of_a_unit() -> None:
    world = a_world()
    agent = put_agent(world, LOG=1)
    begin(world, agent, Craft(recipe_id="plank_from_log", count=1))
    tick(world, 2)
    assert work.status(world, agent) == (0.4, (0, 0, 0), 3)
    tick(world, 2)
    assert agent.inventory == {"LOG": 1}


def test_what_was_made_stays_when_a_later_unit_fails() -> None:
    world = a_world()
    agent = put_agent(world, LOG=2)
    assert failed(world, agent, Craft(recipe_id="plank_from_log", count=3)) == (
        "E_NO_RESOURCE",
        "missing inputs",
    )
    assert agent.inventory == {"PLANK": 8}


def test_missing_inputs_are_told_at_once_and_nothing_is_taken() -> None:
    world = a_world()
    agent = put_agent(world, COAL=5)
    end = failed(world, agent, Craft(recipe_id="torch"))
    assert end == ("E_NO_RESOURCE", "missing inputs")
    assert world.tick == 1
    assert agent.inventory == {"COAL": 5}


def test_what_cannot_be_asked_for() -> None:
    world = a_world()
    agent = put_agent(world, LOG=3, IRON_ORE=1, COAL=1)
    put(world, (1, STAND, 0), "FURNACE")
    assert refused(world, agent, Craft()) == ("E_BAD_REQUEST", "missing recipe_id")
    assert refused(world, agent, Craft(recipe_id="elixir")) == (
        "E_INVALID_TARGET",
        "unknown recipe",
    )
    assert refused(world, agent, Craft(recipe_id="torch", count=-1))[0] == "E_BAD_REQUEST"
    assert refused(world, agent, Smelt()) == ("E_BAD_REQUEST", "missing item_id")
    assert refused(world, agent, Smelt(item_id="PLANK")) == ("E_INVALID_TARGET", "unsupported item")
    assert refused(world, agent, Smelt(item_id="COAL"))[0] == "E_INVALID_TARGET"
    assert refused(world, agent, Smelt(item_id="IRON_ORE", count=-5))[0] == "E_BAD_REQUEST"
    assert failed(world, agent, Craft(recipe_id="iron_ingot"))[0] == "E_INVALID_TARGET"
    assert agent.inventory == {"LOG": 3, "IRON_ORE": 1, "COAL": 1}


@pytest.mark.parametrize("count", [None, 1])
def test_one_unit_is_meant_unless_more_are_named(count: int | None) -> None:
    world = a_world()
    agent = put_agent(world, LOG=3)
    done(world, agent, Craft(recipe_id="plank_from_log", count=count))
    assert agent.have("PLANK") == 4


@pytest.mark.parametrize("offset", [(1, 0, 0), (2, 2, -2), (-2, -2, 2), (0, -1, 0)])
def test_a_station_may_stand_two_cells_away_in_each_direction(offset: tuple[int, int, int]) -> None:
    world = a_world()
    agent = put_agent(world, 15, 16, STONE=8)
    put(world, (15 + offset[0], STAND + offset[1], 16 + offset[2]), "CRAFTING_BENCH")
    done(world, agent, Craft(recipe_id="furnace"))
    assert agent.inventory == {"FURNACE": 1}


@pytest.mark.parametrize("offset", [(3, 0, 0), (0, 3, 0), (0, 0, -3)])
def test_three_cells_are_too_far(offset: tuple[int, int, int]) -> None:
    world = a_world()
    agent = put_agent(world, STONE=8, SAND=1, COAL=1)
    where = (offset[0], STAND + offset[1], offset[2])
    put(world, where, "CRAFTING_BENCH")
    assert failed(world, agent, Craft(recipe_id="furnace")) == (
        "E_BLOCKED",
        "need crafting bench nearby",
    )
    put(world, where, "FURNACE")
    assert failed(world, agent, Smelt(item_id="SAND")) == ("E_BLOCKED", "need furnace nearby")
    assert agent.inventory == {"STONE": 8, "SAND": 1, "COAL": 1}


def test_stations_are_looked_for_within_the_world_only() -> None:
    world = a_world()
    agent = put_agent(world, STONE=8)
    for y in (0, 63):
        agent.y = y
        assert failed(world, agent, Craft(recipe_id="furnace"))[0] == "E_BLOCKED"


def test_a_station_that_goes_ends_the_task() -> None:
    world = a_world()
    agent = put_agent(world, STONE=8)
    put(world, (1, STAND, 0), "CRAFTING_BENCH")
    begin(world, agent, Craft(recipe_id="furnace"))
    tick(world, 4)
    put(world, (1, STAND, 0), "AIR")
    tick(world)
    assert events(agent)[-1]["code"] == "E_BLOCKED"
    assert agent.inventory == {"STONE": 8}


@pytest.mark.parametrize(
    ("item", "made"),
    [
        ("IRON_ORE", "IRON_INGOT"),
        ("COPPER_ORE", "COPPER_INGOT"),
        ("RAW_MEAT", "COOKED_MEAT"),
        ("SAND", "GLASS"),
    ],
)
def test_smelting(item: str, made: str) -> None:
    world = a_world()
    agent = put_agent(world, **{item: 2, "COAL": 2})
    put(world, (1, STAND, 0), "FURNACE")
    begin(world, agent, Smelt(item_id=item, count=2))
    tick(world, 3)
    assert work.status(world, agent) == (0.15, (0, 0, 0), 17)
    tick(world, 7)
    assert agent.inventory == {item: 1, "COAL": 1, made: 1}
    tick(world, 10)
    assert agent.inventory == {made: 2}


def test_smelting_without_coal() -> None:
    world = a_world()
    agent = put_agent(world, IRON_ORE=1)
    put(world, (1, STAND, 0), "FURNACE")
    assert failed(world, agent, Smelt(item_id="IRON_ORE"))[0] == "E_NO_RESOURCE"


@pytest.mark.parametrize("recipe_id", sorted(default_catalogs().recipes))
def test_every_recipe_turns_its_inputs_into_its_outputs(recipe_id: str) -> None:
    world = a_world()
    recipe = world.catalogs.recipes[recipe_id]
    agent = put_agent(world, **{stack.item: stack.count for stack in recipe.inputs})
    if recipe.station != "HAND":
        put(world, (1, STAND, 0), recipe.station)
    task = (
        Smelt(item_id=recipe.inputs[0].item)
        if recipe.station == "FURNACE"
        else Craft(recipe_id=recipe_id)
    )
    assert done(world, agent, task) == recipe.time_ticks
    assert agent.inventory == {stack.item: stack.count for stack in recipe.outputs}
