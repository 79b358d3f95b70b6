"""Changing a block keeps everything bound to blocks in step."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, SURFACE
from tests.voxel.working import a_world, block_name, check_books, put, tick
from thorp.simulator.totals import count_everything
from thorp.voxel.load import default_catalogs
from thorp.voxel.state.unsaved import BlockChange
from thorp.voxel.systems import items
from thorp.voxel.systems.blocks import CONTAINERS

HERE = (3, STAND, 4)
ABOVE = (3, STAND + 1, 4)

STATEFUL = {
    "CHEST": "containers",
    "CONTRACT_TERMINAL": "containers",
    "FURNACE": "containers",
    "BULLETIN_BOARD": "boards",
    "SIGN": "signs",
    "CONVEYOR": "conveyors",
    "SWITCH": "switches",
    "SENSOR": "sensors",
}


def test_a_change_is_in_the_ground_the_audit_and_the_list_of_what_may_fall() -> None:
    world = a_world()
    put(world, HERE, "STONE")
    stone = world.catalogs.block_number["STONE"]
    assert world.ground.block(*HERE) == stone
    assert world.scratch.block_changes == [BlockChange("TEST", "TEST", HERE, 0, stone)]
    assert list(world.unsettled) == [HERE, ABOVE]


def test_a_block_that_is_there_already_is_no_change() -> None:
    world = a_world()
    put(world, HERE, "CHEST")
    world.containers[HERE].stock["COAL"] = 1
    put(world, HERE, "CHEST")
    assert world.containers[HERE].stock == {"COAL": 1}
    assert len(world.scratch.block_changes) == 1


@pytest.mark.parametrize("kind", STATEFUL)
def test_state_comes_and_goes_with_its_block(kind: str) -> None:
    world = a_world()
    put(world, HERE, kind)
    table = getattr(world, STATEFUL[kind])
    assert HERE in table
    check_books(world)
    put(world, HERE, "STONE")
    assert HERE not in table
    check_books(world)


def test_a_belt_runs_the_way_it_was_put() -> None:
    world = a_world()
    put(world, HERE, "CONVEYOR", heading=(0, -1))
    belt = world.conveyors[HERE]
    assert (belt.dx, belt.dz) == (0, -1)


@pytest.mark.parametrize("kind", CONTAINERS)
def test_nothing_is_lost_when_a_container_goes(kind: str) -> None:
    world = a_world()
    put(world, HERE, kind)
    container = world.containers[HERE]
    container.stock, container.owed = {"COAL": 3, "IRON_INGOT": 2}, {"A9": {"COAL": 4}}
    world.containers.touch(HERE)
    before = count_everything(world)
    put(world, HERE, "AIR")
    assert count_everything(world) == before
    assert [(entity.item, entity.count) for entity in world.items.at(HERE)] == [
        ("COAL", 7),
        ("IRON_INGOT", 2),
    ]
    check_books(world)


def test_things_are_pushed_out_of_a_solid_block_and_not_out_of_others() -> None:
    world = a_world()
    items.drop(world, HERE, "COAL", 2)
    put(world, HERE, "TORCH")
    assert len(world.items.at(HERE)) == 1
    put(world, HERE, "STONE")
    assert not world.items.at(HERE)
    assert [entity.count for entity in world.items.at(ABOVE)] == [2]


def test_things_fall_with_the_ground_under_them() -> None:
    world = a_world()
    items.drop(world, HERE, "COAL", 2)
    put(world, (3, SURFACE, 4), "AIR")
    assert [entity.position for entity in world.items] == [(3, SURFACE, 4)]


def test_a_growing_block_gets_its_time_and_loses_it() -> None:
    world = a_world()
    put(world, HERE, "BERRY_BUSH_BARE")
    grows = world.catalogs.blocks[world.ground.block(*HERE)].grows
    assert grows is not None
    row = world.growth[HERE]
    assert grows.ticks <= row.tick - world.tick <= grows.ticks + grows.spread
    put(world, HERE, "AIR")
    assert not len(world.growth)
    check_books(world)


def test_outside_the_world_nothing_can_be_changed() -> None:
    world = a_world(world_boundary_r=64)
    for position in ((65, STAND, 0), (0, 64, 0), (0, -1, 0), (0, STAND, -65)):
        with pytest.raises(AssertionError):
            put(world, position, "STONE")


NAMES = st.sampled_from(
    [*STATEFUL, "AIR", "STONE", "WATER", "SAND", "WIRE", "SAPLING", "BERRY_BUSH_BARE"]
)
CELLS = st.tuples(st.integers(14, 17), st.integers(STAND, STAND + 2), st.integers(-1, 1))


@settings(max_examples=60)
@given(st.lists(st.tuples(CELLS, NAMES, st.booleans()), max_size=25))
def test_tables_and_ground_agree_whatever_was_built(
    changes: list[tuple[tuple[int, int, int], str, bool]],
) -> None:
    world = a_world()
    for position, name, leave_something in changes:
        put(world, position, name)
        if leave_something:
            items.drop(world, position, "COAL", 1)
            if position in world.containers:
                world.containers[position].stock["PLANK"] = 2
                world.containers.touch(position)
        tick(world)
    for position in {position for position, _, _ in changes}:
        for kind, table in STATEFUL.items():
            if block_name(world, position) == kind:
                assert position in getattr(world, table)
            elif position in world.containers:
                assert block_name(world, position) == world.containers[position].kind
    solid = default_catalogs().solid
    for entity in world.items:
        assert (
            block_name(world, entity.position) == "CONVEYOR"
            or not solid[world.ground.block(*entity.position)]
        )
    check_books(world)
