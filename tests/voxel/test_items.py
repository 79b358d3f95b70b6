"""Things that lie about: falling, floating, joining, perishing, being gathered."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.voxel.flat import STAND, SURFACE, events, put_agent
from tests.voxel.working import (
    a_world,
    begin,
    block_name,
    check_books,
    done,
    failed,
    put,
    refused,
    tick,
)
from thorp.protocol.actions import Gather
from thorp.simulator.totals import count_everything
from thorp.voxel.systems import items

HERE = (3, STAND, 4)


def test_a_thing_falls_to_the_ground() -> None:
    world = a_world()
    items.drop(world, (3, 60, 4), "COAL", 2)
    assert [entity.position for entity in world.items] == [HERE]


def test_a_thing_floats_on_water_and_rises_in_it() -> None:
    world = a_world()
    for y in range(SURFACE - 4, SURFACE + 1):
        put(world, (0, y, 0), "WATER")
    items.drop(world, (0, 40, 0), "LOG", 1)
    items.drop(world, (0, SURFACE - 4, 0), "PLANK", 1)
    assert [entity.position for entity in world.items] == [(0, SURFACE, 0)] * 2


def test_a_thing_rests_on_a_torch_no_more_than_in_the_air() -> None:
    world = a_world()
    put(world, HERE, "TORCH")
    items.drop(world, (3, STAND + 5, 4), "COAL", 1)
    assert [entity.position for entity in world.items] == [HERE]


def test_a_thing_falls_into_the_cell_of_a_belt() -> None:
    world = a_world()
    put(world, HERE, "CONVEYOR")
    items.drop(world, (3, STAND + 9, 4), "COAL", 1)
    assert [entity.position for entity in world.items] == [HERE]


def test_things_of_one_kind_become_one_which_lives_longer() -> None:
    world = a_world(item_lifetime_ticks=100)
    items.drop(world, HERE, "COAL", 2)
    items.drop(world, HERE, "PLANK", 1)
    tick(world, 30)
    items.drop(world, HERE, "COAL", 3)
    coal, plank = world.items.at(HERE)
    assert (coal.id, coal.item, coal.count, coal.expires_tick) == ("IT000001", "COAL", 5, 130)
    assert (plank.item, plank.count, plank.expires_tick) == ("PLANK", 1, 100)


def test_what_has_lain_too_long_perishes_at_the_next_look() -> None:
    world = a_world(item_lifetime_ticks=60)
    items.drop(world, HERE, "COAL", 2)
    tick(world, 99)
    assert len(world.items) == 1
    tick(world)
    assert not len(world.items)
    check_books(world)


def test_gathering_takes_all_of_it() -> None:
    world = a_world()
    agent = put_agent(world, 3, 3)
    items.drop(world, HERE, "COAL", 5)
    assert done(world, agent, Gather(target_id="IT000001")) == 1
    assert agent.inventory == {"COAL": 5}
    assert not len(world.items)


def test_gathering_refuses_what_is_not_there() -> None:
    world = a_world()
    agent = put_agent(world)
    items.drop(world, HERE, "COAL", 5)
    assert refused(world, agent, Gather()) == ("E_BAD_REQUEST", "missing target_id")
    assert refused(world, agent, Gather(target_id=""))[0] == "E_BAD_REQUEST"
    for name in (
        "IT000002",
        "IT1",
        "IT0000001",
        "xx000001",
        "A1",
        "IT²",
        "IT" + "9" * 5000,
        "IT-00001",
    ):
        assert refused(world, agent, Gather(target_id=name)) == (
            "E_INVALID_TARGET",
            "item not found",
        )


def test_gathering_reaches_two_cells() -> None:
    world = a_world()
    near, far = put_agent(world, 3, 2), put_agent(world, 3, 1)
    items.drop(world, HERE, "COAL", 5)
    assert failed(world, far, Gather(target_id="IT000001")) == ("E_BLOCKED", "too far")
    assert not far.inventory
    done(world, near, Gather(target_id="IT000001"))


def test_of_two_who_gather_the_same_the_first_has_it() -> None:
    world = a_world()
    first, second = put_agent(world, 3, 3), put_agent(world, 3, 5)
    items.drop(world, HERE, "COAL", 5)
    begin(world, first, Gather(target_id="IT000001"))
    begin(world, second, Gather(target_id="IT000001"))
    tick(world)
    assert events(second)[-1]["code"] == "E_INVALID_TARGET"
    assert count_everything(world) == Counter(COAL=5)


DROPS = st.tuples(
    st.tuples(st.integers(0, 1), st.integers(0, 63), st.integers(0, 1)),
    st.sampled_from(["COAL", "PLANK"]),
    st.integers(1, 9),
)


@given(
    st.lists(DROPS, max_size=12),
    st.lists(
        st.tuples(
            st.tuples(st.integers(0, 1), st.integers(1, 40), st.integers(0, 1)),
            st.sampled_from(["AIR", "STONE", "WATER", "CONVEYOR", "TORCH"]),
        ),
        max_size=12,
    ),
)
def test_nothing_is_lost_and_everything_rests(
    drops: list[tuple[tuple[int, int, int], str, int]],
    ground: list[tuple[tuple[int, int, int], str]],
) -> None:
    world = a_world()
    expected: Counter[str] = Counter()
    for position, item, count in drops:
        items.drop(world, position, item, count)
        expected[item] += count
    for position, name in ground:
        put(world, position, name)
    assert count_everything(world) == expected
    seen = set()
    for entity in world.items:
        x, y, z = entity.position
        assert (entity.position, entity.item) not in seen, "two of a kind in one cell"
        seen.add((entity.position, entity.item))
        here, below = block_name(world, entity.position), block_name(world, (x, y - 1, z))
        assert here in ("AIR", "TORCH", "WATER", "CONVEYOR")
        held = (
            here in ("WATER", "CONVEYOR")
            or y == 0
            or below not in ("AIR", "TORCH", "WATER", "CONVEYOR")
        )
        assert held, (entity, here, below)
    check_books(world)


def test_everything_counts_what_is_carried_stored_owed_and_lying() -> None:
    world = a_world()
    put_agent(world, COAL=1)
    put(world, HERE, "CHEST")
    world.containers[HERE].stock["COAL"] = 2
    world.containers[HERE].owed["A1"] = {"COAL": 4}
    items.drop(world, (9, STAND, 9), "COAL", 8)
    assert count_everything(world) == Counter(COAL=15)


@pytest.mark.parametrize("y", [0, 63])
def test_the_ends_of_a_column(y: int) -> None:
    world = a_world()
    items.drop(world, (0, y, 0), "COAL", 1)
    assert [entity.position for entity in world.items] == [(0, STAND, 0)]
