"""BUILD_BLUEPRINT: rotation, speed, materials, resuming, and what it refuses before it touches
anything."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, SURFACE, events, put_agent
from tests.voxel.working import (
    a_world,
    begin,
    block_name,
    check_bodies,
    check_books,
    done,
    failed,
    put,
    refused,
    tick,
)
from thorp.protocol.actions import BuildBlueprint, Stack
from thorp.simulator.totals import count_everything
from thorp.voxel.catalog import Blueprint, BlueprintBlock, Catalogs, turned
from thorp.voxel.load import default_catalogs
from thorp.voxel.lookups import permissions
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import FLAGS, Claim
from thorp.voxel.state.world import Container, World
from thorp.voxel.systems import work
from thorp.voxel.systems.blueprints import turns_of

ANCHOR = (5, STAND, 5)


def road(anchor: Position = ANCHOR, rotation: int | None = None) -> BuildBlueprint:
    return BuildBlueprint(blueprint_id="road_segment", anchor=anchor, rotation=rotation)


def a_store(world: World, position: Position, kind: str = "CHEST", **stock: int) -> Container:
    put(world, position, kind)
    world.containers[position].stock = dict(stock)
    world.containers.touch(position)
    return world.containers[position]


def planks(world: World) -> list[Position]:
    return sorted(
        (x, y, z)
        for x in range(-12, 24)
        for y in range(STAND, STAND + 6)
        for z in range(-12, 24)
        if block_name(world, (x, y, z)) == "PLANK"
    )


def test_two_blocks_a_tick_in_the_order_of_the_plan() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=7)
    begin(world, agent, road())
    for expected in (2, 4):
        tick(world)
        assert planks(world) == [(5, STAND, 5 + z) for z in range(expected)]
        assert agent.have("PLANK") == 7 - expected
        assert work.status(world, agent) == (expected / 5, ANCHOR, (5 - expected + 1) // 2)
    tick(world)
    assert agent.work is None
    assert events(agent)[-1] == {
        "t": 3,
        "type": "TASK_DONE",
        "task_id": "T000001",
        "kind": "BUILD_BLUEPRINT",
    }
    assert agent.inventory == {"PLANK": 2}
    assert {audit.reason for audit in world.scratch.block_changes} == {"BUILD_BLUEPRINT"}
    check_books(world)


def test_speed_is_tunable() -> None:
    world = a_world(blueprint_blocks_per_tick=1)
    agent = put_agent(world, PLANK=5)
    begin(world, agent, road())
    tick(world)
    assert work.status(world, agent) == (0.2, ANCHOR, 4)
    tick(world, 4)
    assert agent.work is None


def test_a_block_can_take_its_time() -> None:
    world = a_world(blueprint_ticks_per_block=5)
    agent = put_agent(world, PLANK=5)
    begin(world, agent, road())
    assert work.status(world, agent) == (0.0, ANCHOR, 25)
    for ticks, laid in ((4, 0), (1, 1), (9, 2), (10, 4)):
        tick(world, ticks)
        assert len(planks(world)) == laid == 5 - agent.have("PLANK")
    assert work.status(world, agent) == (0.8, ANCHOR, 1)
    tick(world)
    assert (agent.work, world.tick) == (None, 25)
    begin(world, agent, road())
    tick(world)
    assert agent.work is None, "what stands already takes no time"
    check_books(world)


@pytest.mark.parametrize(
    ("rotation", "turns"),
    [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 0),
        (-1, 3),
        (90, 1),
        (180, 2),
        (270, 3),
        (360, 0),
        (-90, 3),
    ],
)
def test_rotation_in_turns_and_degrees(rotation: int, turns: int) -> None:
    assert turns_of(rotation) == turns
    assert turns_of(None) == 0


@pytest.mark.parametrize(
    ("rotation", "step"), [(None, (0, 1)), (1, (1, 0)), (180, (0, -1)), (-90, (-1, 0))]
)
def test_rotation_turns_the_road(rotation: int | None, step: tuple[int, int]) -> None:
    world = a_world()
    agent = put_agent(world, PLANK=5)
    done(world, agent, road(rotation=rotation))
    assert planks(world) == sorted((5 + step[0] * n, STAND, 5 + step[1] * n) for n in range(5))


def test_a_turned_bend() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=8)
    task = BuildBlueprint(blueprint_id="road_turn", anchor=ANCHOR, rotation=1)
    assert done(world, agent, task) == 4
    line = [(5 + n, STAND, 5) for n in range(5)] + [(9, STAND, 5 - n) for n in (1, 2, 3)]
    assert planks(world) == sorted(line)


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-1000, 1000))
def test_four_turns_are_none(x: int, z: int, rotation: int) -> None:
    once = turned(x, z, 1)
    assert turned(*once, 3) == (x, z)
    assert turned(*turned(*once, 1), 2) == (x, z)
    assert turns_of(rotation) in range(4)
    assert turns_of(90 * rotation) == rotation % 4 or abs(90 * rotation) <= 3


def test_a_hut_costs_more_than_its_blocks_and_asks_for_the_rest_first() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=39)
    hut = BuildBlueprint(blueprint_id="hut_small", anchor=ANCHOR)
    assert failed(world, agent, hut) == ("E_NO_RESOURCE", "missing PLANK x1")
    assert agent.inventory == {"PLANK": 39}
    agent.give("PLANK", 1)
    begin(world, agent, hut)
    tick(world)
    assert agent.have("PLANK") == 40 - 2 - 8
    tick(world, 15)
    assert agent.work is None
    assert not agent.inventory
    assert len(planks(world)) == 32


def test_a_workshop_has_its_bench_furnace_and_light() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=4, CRAFTING_BENCH=1, FURNACE=1, TORCH=1)
    done(world, agent, BuildBlueprint(blueprint_id="workshop_pad", anchor=ANCHOR))
    assert not agent.inventory
    assert len(world.containers) == 1
    check_books(world)


@pytest.mark.parametrize("blueprint_id", sorted(default_catalogs().blueprints))
def test_every_plan_is_paid_as_its_catalog_says(blueprint_id: str) -> None:
    world = a_world()
    blueprint = world.catalogs.blueprints[blueprint_id]
    cost = {stack.item: stack.count for stack in blueprint.cost}
    agent = put_agent(world, **cost)
    ticks = done(world, agent, BuildBlueprint(blueprint_id=blueprint_id, anchor=ANCHOR))
    assert ticks == (len(blueprint.blocks) + 1) // 2
    assert not agent.inventory
    used = Counter(cell.block for cell in blueprint.blocks)
    assert all(cost.get(item, 0) >= count for item, count in used.items()), (
        "a plan must cost its blocks"
    )


def test_floating_is_legal() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=5)
    done(world, agent, road((5, STAND + 9, 5)))
    assert block_name(world, (5, STAND + 9, 7)) == "PLANK"


# Materials


def test_materials_are_pulled_from_a_chest() -> None:
    world = a_world()
    agent = put_agent(world)
    chest = a_store(world, (5, STAND, 0), PLANK=10)
    assert done(world, agent, road()) == 3
    assert chest.stock == {"PLANK": 5}
    assert not agent.inventory
    check_books(world)


def test_the_inventory_is_used_first_then_the_nearest_then_the_smallest_position() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=1)
    far = a_store(world, (5, STAND, 9 + 6), PLANK=9)
    right = a_store(world, (8, STAND, 5), PLANK=1)
    left = a_store(world, (2, STAND, 5), "CONTRACT_TERMINAL", PLANK=2)
    done(world, agent, road())
    assert (left.stock, right.stock, far.stock) == ({}, {}, {"PLANK": 8})


def test_what_is_not_pulled() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=2)
    furnace = a_store(world, (7, STAND, 5), "FURNACE", PLANK=9)
    reserved = a_store(world, (8, STAND, 5), PLANK=2)
    reserved.reserved = {"PLANK": 2}
    far = a_store(world, (5 - 33, STAND, 5), PLANK=9)
    assert failed(world, agent, road()) == ("E_NO_RESOURCE", "missing PLANK x3")
    assert furnace.stock == far.stock == {"PLANK": 9}
    assert agent.inventory == {"PLANK": 2}
    near = a_store(world, (5 - 32, STAND, 5), PLANK=3)
    done(world, agent, road())
    assert not near.stock


def test_all_is_found_or_nothing_is_taken() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=1)
    first, second = a_store(world, (7, STAND, 5), PLANK=2), a_store(world, (8, STAND, 5), PLANK=1)
    assert failed(world, agent, road()) == ("E_NO_RESOURCE", "missing PLANK x1")
    assert (first.stock, second.stock, agent.inventory) == (
        {"PLANK": 2},
        {"PLANK": 1},
        {"PLANK": 1},
    )
    assert not planks(world)


def test_the_first_missing_item_of_the_alphabet_is_named() -> None:
    world = a_world()
    agent = put_agent(world)
    end = failed(world, agent, BuildBlueprint(blueprint_id="workshop_pad", anchor=ANCHOR))
    assert end == ("E_NO_RESOURCE", "missing CRAFTING_BENCH x1")


def test_other_land_and_other_peoples_chests_are_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = a_world()
    agent = put_agent(world)
    a_store(world, (5, STAND, 0), PLANK=10)
    with monkeypatch.context() as patch:
        patch.setattr(permissions, "same_land", lambda world, a, b: False)
        assert failed(world, agent, road()) == ("E_NO_RESOURCE", "missing PLANK x5")
    with monkeypatch.context() as patch:
        patch.setattr(permissions, "may_take", lambda world, agent, container: False)
        assert failed(world, agent, road()) == ("E_NO_RESOURCE", "missing PLANK x5")
    done(world, agent, road())


# Refusals


def test_what_cannot_be_asked_for() -> None:
    world = a_world()
    agent = put_agent(world)
    assert refused(world, agent, BuildBlueprint(anchor=ANCHOR)) == (
        "E_BAD_REQUEST",
        "missing blueprint_id",
    )
    palace = BuildBlueprint(blueprint_id="palace", anchor=ANCHOR)
    assert refused(world, agent, palace) == ("E_INVALID_TARGET", "unknown blueprint")
    nowhere = BuildBlueprint(blueprint_id="road_segment")
    assert refused(world, agent, nowhere) == ("E_BAD_REQUEST", "missing anchor")


def test_the_nearest_cell_counts_for_the_reach() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=5)
    assert failed(world, agent, road((0, STAND, 33))) == ("E_BLOCKED", "too far")
    assert failed(world, agent, road((2**31 - 1, 2**31 - 1, 0))) == ("E_BLOCKED", "too far")
    done(world, agent, road((0, STAND, -36)))


def test_a_builder_who_walks_away_stops_building() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=5)
    begin(world, agent, road())
    tick(world)
    world.relocate(agent, (100, STAND, 0))
    tick(world)
    assert events(agent)[-1]["message"] == "too far"
    assert agent.have("PLANK") == 3


def test_no_cell_may_be_outside_the_world() -> None:
    world = a_world(world_boundary_r=64)
    agent = put_agent(world, 60, 60, PLANK=5)
    assert failed(world, agent, road((60, STAND, 61))) == ("E_INVALID_TARGET", "outside the world")
    high = BuildBlueprint(blueprint_id="hut_small", anchor=(60, 62, 50))
    agent.y = 50
    assert failed(world, agent, high)[0] == "E_INVALID_TARGET"
    assert agent.inventory == {"PLANK": 5}
    assert not planks(world)


def test_every_cell_is_looked_at_before_anything_is_done() -> None:
    world = a_world()
    agent = put_agent(world)
    chest = a_store(world, (5, STAND, 0), PLANK=10)
    put(world, (5, STAND, 9), "STONE")
    assert failed(world, agent, road()) == ("E_BLOCKED", "space occupied")
    assert chest.stock == {"PLANK": 10}
    assert not planks(world)
    put(world, (5, STAND, 9), "TALL_GRASS")
    done(world, agent, road())


def test_rights_are_asked_for_every_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_world()
    agent = put_agent(world, PLANK=5)
    monkeypatch.setattr(permissions, "may_build", lambda world, agent, position: position[2] < 9)
    assert failed(world, agent, road()) == ("E_NO_PERMISSION", "build denied")
    assert agent.inventory == {"PLANK": 5}


@pytest.mark.parametrize("height", [0, -1])
def test_no_body_is_built_over(height: int) -> None:
    world = a_world()
    agent, other = put_agent(world, PLANK=5), put_agent(world, 5, 8, y=STAND + height)
    put(world, (5, SURFACE, 8), "AIR")
    assert failed(world, agent, road()) == ("E_UNSAFE", f"{other.id} stands there")
    assert agent.inventory == {"PLANK": 5}
    assert not planks(world)


def test_a_body_that_comes_in_the_way_later_stops_it() -> None:
    world = a_world()
    agent, other = put_agent(world, PLANK=5), put_agent(world, 0, 8)
    begin(world, agent, road())
    tick(world)
    world.relocate(other, (5, STAND, 8))
    tick(world)
    assert events(agent)[-1]["code"] == "E_UNSAFE"
    assert len(planks(world)) + agent.have("PLANK") == 5
    check_bodies(world)


def test_materials_that_went_elsewhere_stop_it() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=5)
    begin(world, agent, road())
    tick(world)
    agent.give("PLANK", -3)
    tick(world)
    assert events(agent)[-1]["message"] == "missing PLANK x1"


# Resuming


def test_cancelling_loses_nothing_and_asking_again_goes_on() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=5)
    begin(world, agent, road())
    tick(world)
    agent.work = None
    assert agent.inventory == {"PLANK": 3}
    assert done(world, agent, road()) == 2
    assert not agent.inventory
    assert len(planks(world)) == 5


def test_a_hut_that_was_begun_is_not_paid_twice() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=40)
    hut = BuildBlueprint(blueprint_id="hut_small", anchor=ANCHOR)
    begin(world, agent, hut)
    tick(world, 3)
    agent.work = None
    done(world, agent, hut)
    assert not agent.inventory


def test_what_stands_already_is_credited_and_counted() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=3)
    put(world, (5, STAND, 6), "PLANK")
    put(world, (5, STAND, 8), "PLANK")
    begin(world, agent, road())
    assert work.status(world, agent) == (0.4, ANCHOR, 2)
    tick(world)
    assert work.status(world, agent) == (0.8, ANCHOR, 1)
    tick(world)
    assert agent.work is None
    assert not agent.inventory


def test_a_complete_structure_ends_at_once_for_free() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=5)
    done(world, agent, road())
    body = put_agent(world, 5, 6, y=STAND + 1)
    agent.give("PLANK", 5)
    assert done(world, agent, road()) == 1
    assert agent.inventory == {"PLANK": 5}
    assert body.position == (5, STAND + 1, 6)


def test_two_builders_of_one_plan_share_the_work() -> None:
    world = a_world()
    first, second = put_agent(world, PLANK=5), put_agent(world, 1, 1, PLANK=5)
    begin(world, first, road())
    begin(world, second, road())
    tick(world, 2)
    assert first.work is second.work is None
    assert len(planks(world)) == 5
    assert first.have("PLANK") + second.have("PLANK") == 5


def a_world_with_plan(blocks: list[BlueprintBlock], *cost: Stack) -> World:
    stock = default_catalogs()
    world = a_world()
    world.catalogs = Catalogs(
        blocks=stock.blocks,
        items=list(stock.items.values()),
        recipes=list(stock.recipes.values()),
        blueprints=[Blueprint("own", "THORP", 1, ((0, 0, 0), (0, 9, 0)), blocks, list(cost))],
        law_templates=[],
        events=[],
    )
    return world


def test_belts_in_plans_turn_with_them() -> None:
    world = a_world_with_plan([BlueprintBlock((0, 0, 0), "CONVEYOR")])
    agent = put_agent(world)
    for rotation, heading in enumerate([(1, 0), (0, -1), (-1, 0), (0, 1)]):
        where = (5, STAND, 2 * rotation)
        done(world, agent, BuildBlueprint(blueprint_id="own", anchor=where, rotation=rotation))
        assert (world.conveyors[where].dx, world.conveyors[where].dz) == heading


def test_a_plan_with_a_belt_is_for_those_who_may_take_out() -> None:
    world = a_world_with_plan([BlueprintBlock((0, 0, 0), "CONVEYOR")])
    owner, visitor = put_agent(world), put_agent(world, 2, 2)
    everything = dict.fromkeys(FLAGS, True)
    world.claims.put(Claim("LAND_A1_001", owner.id, (0, STAND, 0), 8, 10**6, 0, flags=everything))
    world.derived.index = None
    plan = BuildBlueprint(blueprint_id="own", anchor=ANCHOR)
    assert failed(world, visitor, plan) == ("E_NO_PERMISSION", "taking denied")
    assert not len(world.conveyors)
    done(world, owner, plan)
    assert len(world.conveyors) == 1


def test_a_cost_that_is_no_block_is_paid_with_the_first() -> None:
    pole = [BlueprintBlock((0, 0, 0), "PLANK"), BlueprintBlock((0, 1, 0), "PLANK")]
    world = a_world_with_plan(pole, Stack("PLANK", 2), Stack("STICK", 3))
    agent = put_agent(world, PLANK=2, STICK=3)
    done(world, agent, BuildBlueprint(blueprint_id="own", anchor=ANCHOR))
    assert not agent.inventory


@settings(max_examples=40)
@given(
    st.sampled_from(["hut_small", "road_turn", "workshop_pad"]),
    st.integers(-3, 3),
    st.lists(st.integers(1, 4), max_size=5),
    st.sampled_from([0, 0, 1, 3]),
)
def test_however_often_it_is_stopped_a_plan_costs_what_it_costs(
    blueprint_id: str, rotation: int, pauses: list[int], pace: int
) -> None:
    world = a_world(blueprint_ticks_per_block=pace)
    blueprint = world.catalogs.blueprints[blueprint_id]
    cost = Counter({stack.item: stack.count for stack in blueprint.cost})
    agent = put_agent(world, **cost)
    task = BuildBlueprint(blueprint_id=blueprint_id, anchor=ANCHOR, rotation=rotation)
    for pause in pauses:
        begin(world, agent, task)
        tick(world, pause)
        if agent.work is None:
            break
        agent.work = None
    if agent.work is None:
        done(world, agent, task)
    assert not agent.inventory
    assert not count_everything(world)
