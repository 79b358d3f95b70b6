"""Belts, switches, sensors and wires."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.working import a_world, block_name, check_books, done, put, tick
from thorp.protocol.actions import Craft, Place, ToggleSwitch
from thorp.simulator.totals import count_everything
from thorp.voxel.lookups import permissions
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import Container, World
from thorp.voxel.systems import conveyors, items
from thorp.voxel.systems.block_actions import toggle_switch
from thorp.voxel.systems.conveyors import sensor_on


def at(x: int, z: int = 0, y: int = STAND) -> Position:
    return x, y, z


def a_chest(world: World, position: Position, **stock: int) -> Container:
    put(world, position, "CHEST")
    world.containers[position].stock = dict(stock)
    world.containers.touch(position)
    return world.containers[position]


def where(world: World) -> list[tuple[Position, int]]:
    return [(entity.position, entity.count) for entity in world.items]


def test_a_placed_belt_faces_z_and_moves_a_thing_by_a_cell_a_tick() -> None:
    world = a_world()
    agent = put_agent(world, 2, 2, CONVEYOR=2)
    done(world, agent, Place(block_pos=at(0), item_id="CONVEYOR"))
    done(world, agent, Place(block_pos=at(0, 1), item_id="CONVEYOR"))
    items.drop(world, at(0, 0, STAND + 1), "COAL", 3)
    assert where(world) == [(at(0), 3)]
    tick(world)
    assert where(world) == [(at(0, 1), 3)]
    tick(world)
    assert where(world) == [(at(0, 2), 3)]
    tick(world, 3)
    assert where(world) == [(at(0, 2), 3)]
    check_books(world)


@pytest.mark.parametrize("kind", ["CHEST", "FURNACE", "CONTRACT_TERMINAL"])
def test_a_belt_puts_all_of_it_into_a_container(kind: str) -> None:
    world = a_world()
    put(world, at(0), "CONVEYOR")
    put(world, at(1), kind)
    items.drop(world, at(0), "COAL", 4)
    tick(world)
    assert world.containers[at(1)].stock == {"COAL": 4}
    assert not where(world)
    check_books(world)


def test_from_chest_to_chest_one_a_tick() -> None:
    world = a_world()
    back, front = a_chest(world, at(0), COAL=2), a_chest(world, at(2))
    put(world, at(1), "CONVEYOR")
    tick(world)
    assert (back.stock, front.stock) == ({"COAL": 1}, {})
    tick(world)
    assert (back.stock, front.stock) == ({}, {"COAL": 1})
    tick(world)
    assert front.stock == {"COAL": 2}
    tick(world, 3)
    assert count_everything(world) == Counter(COAL=2)
    check_books(world)


def test_a_belt_takes_the_first_of_the_alphabet_and_nothing_reserved() -> None:
    world = a_world()
    back, front = a_chest(world, at(0), COAL=3, PLANK=1), a_chest(world, at(2))
    back.reserved = {"COAL": 2}
    put(world, at(1), "CONVEYOR")
    tick(world, 6)
    assert back.stock == {"COAL": 2}
    assert front.stock == {"COAL": 1, "PLANK": 1}


def test_a_belt_takes_nothing_across_a_border(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_world()
    back = a_chest(world, at(0), COAL=3)
    put(world, at(1), "CONVEYOR")
    monkeypatch.setattr(permissions, "same_land", lambda world, a, b: False)
    tick(world, 3)
    assert back.stock == {"COAL": 3}


def test_a_thing_waits_before_a_wall_and_those_behind_join_it() -> None:
    world = a_world()
    a_chest(world, at(0), COAL=5)
    put(world, at(1), "CONVEYOR")
    put(world, at(2), "CONVEYOR")
    put(world, at(3), "STONE")
    tick(world, 12)
    assert where(world) == [(at(2), 5)]
    check_books(world)


def test_a_ring_of_belts_holds_no_more_than_one_of_a_kind_each() -> None:
    world = a_world()
    ring = [(0, 0, (1, 0)), (1, 0, (0, 1)), (1, 1, (-1, 0)), (0, 1, (0, -1))]
    for x, z, heading in ring:
        put(world, at(x, z), "CONVEYOR", heading)
    a_chest(world, at(-2, 0), COAL=40, PLANK=40)
    put(world, at(-1, 0), "CONVEYOR")
    for _ in range(100):
        tick(world)
        assert len({(entity.position, entity.item) for entity in world.items}) == len(world.items)
    assert count_everything(world) == Counter(COAL=40, PLANK=40)
    assert len(world.items) <= 8
    check_books(world)


def test_over_an_edge_things_fall_and_join_what_lies_there() -> None:
    world = a_world()
    for x in range(3):
        put(world, at(x, 0, STAND + 2), "CONVEYOR")
    a_chest(world, at(-1, 0, STAND + 2), COAL=6)
    tick(world, 12)
    assert where(world) == [(at(3), 6)]


def test_over_an_edge_onto_a_lower_belt() -> None:
    world = a_world()
    put(world, at(0, 0, STAND + 1), "CONVEYOR")
    put(world, at(1), "CONVEYOR")
    items.drop(world, at(0, 0, STAND + 2), "COAL", 1)
    tick(world, 2)
    assert where(world) == [(at(2), 1)]


def test_a_thing_is_not_carried_out_of_the_world() -> None:
    world = a_world(world_boundary_r=64)
    put(world, at(64), "CONVEYOR")
    items.drop(world, at(64), "COAL", 1)
    tick(world, 3)
    assert where(world) == [(at(64), 1)]


def test_what_lies_on_a_belt_that_is_taken_away_falls() -> None:
    world = a_world()
    put(world, at(0, 0, STAND + 1), "CONVEYOR")
    items.drop(world, at(0, 0, STAND + 1), "COAL", 1)
    put(world, at(0, 0, STAND + 1), "AIR")
    tick(world, 2)
    assert where(world) == [(at(0), 1)]
    check_books(world)


# Signals


def switch(world: World, position: Position) -> str:
    put(world, position, "SWITCH")
    return f"SWITCH@{position[0]},{position[1]},{position[2]}"


def test_a_switch_stops_a_belt_until_it_is_on_and_then_in_the_same_tick() -> None:
    world = a_world()
    agent = put_agent(world, 0, 2)
    put(world, at(0), "CONVEYOR")
    name = switch(world, at(0, 1))
    items.drop(world, at(0), "COAL", 1)
    tick(world, 3)
    assert where(world) == [(at(0), 1)]
    assert toggle_switch(world, agent, ToggleSwitch(target_id=name)) == {}
    tick(world)
    assert where(world) == [(at(1), 1)]


def test_a_switch_can_be_made_placed_and_turned_on() -> None:
    world = a_world()
    agent = put_agent(world, 0, 2, WIRE=1, PLANK=1)
    put(world, at(1, 2), "CRAFTING_BENCH")
    done(world, agent, Craft(recipe_id="switch"))
    done(world, agent, Place(block_pos=at(0), item_id="SWITCH"))
    toggle_switch(world, agent, ToggleSwitch(target_id=f"SWITCH@0,{STAND},0"))
    assert world.switches[at(0)].on
    assert not agent.inventory


def test_a_toggle_is_told_and_undone_by_the_next() -> None:
    world = a_world()
    agent = put_agent(world, 0, 2)
    name = switch(world, at(0))
    for on in (True, False):
        toggle_switch(world, agent, ToggleSwitch(target_id=name))
        told = {"t": 0, "type": "SWITCH", "switch_id": name, "pos": list(at(0)), "on": on}
        assert events(agent)[-1] == told
        assert world.switches[at(0)].on is on
        check_books(world)


def test_what_cannot_be_toggled(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_world()
    agent = put_agent(world, 0, 4)
    name = switch(world, at(0))

    def code(target: str | None) -> str:
        with pytest.raises(Refusal) as no:
            toggle_switch(world, agent, ToggleSwitch(target_id=target))
        return no.value.code

    assert code(None) == code("") == code("CHEST@0,0,0") == code("SWITCH@0,0") == "E_BAD_REQUEST"
    assert code("SWITCH@0,0,0") == "E_INVALID_TARGET"
    assert code(name) == "E_BLOCKED"
    world.relocate(agent, at(0, 3))
    monkeypatch.setattr(permissions, "may_build", lambda world, agent, position: False)
    assert code(name) == "E_NO_PERMISSION"
    assert not world.switches[at(0)].on


def test_one_source_that_is_on_is_enough() -> None:
    world = a_world()
    agent = put_agent(world, 0, 2)
    put(world, at(0), "CONVEYOR")
    switch(world, at(-1))
    name = switch(world, at(0, 1))
    items.drop(world, at(0), "COAL", 1)
    toggle_switch(world, agent, ToggleSwitch(target_id=name))
    tick(world)
    assert where(world) == [(at(1), 1)]


def test_a_sensor_starts_a_belt_when_there_is_stock_beside_it() -> None:
    world = a_world()
    put(world, at(0), "CONVEYOR")
    put(world, at(0, -1), "SENSOR")
    chest = a_chest(world, at(0, -2))
    a_chest(world, at(-1), PLANK=1)
    tick(world, 3)
    assert not where(world)
    assert not sensor_on(world, at(0, -1))
    chest.stock["COAL"] = 1
    assert sensor_on(world, at(0, -1))
    tick(world)
    assert where(world) == [(at(0), 1)]


@pytest.mark.parametrize(
    "side", [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
)
def test_what_a_sensor_feels(side: Position) -> None:
    world = a_world()
    put(world, (15, 40, 0), "SENSOR")
    beside = (15 + side[0], 40 + side[1], side[2])
    further = (15 + 2 * side[0], 40 + 2 * side[1], 2 * side[2])
    a_chest(world, further, COAL=1)
    assert not sensor_on(world, (15, 40, 0))
    chest = a_chest(world, beside, COAL=1)
    assert sensor_on(world, (15, 40, 0))
    chest.reserved = {"COAL": 1}
    assert not sensor_on(world, (15, 40, 0))
    put(world, beside, "CONVEYOR")
    put(world, further, "STONE")
    for entity in world.items:
        items.remove(world, entity)
    items.drop(world, beside, "PLANK", 1)
    assert sensor_on(world, (15, 40, 0))


def wired(world: World) -> str:
    """A belt, two wires, and a switch at their end."""
    put(world, at(0), "CONVEYOR")
    put(world, at(0, 1), "WIRE")
    put(world, at(0, 2), "WIRE")
    items.drop(world, at(0), "COAL", 1)
    return switch(world, at(0, 3))


def test_wires_carry_a_remote_switch() -> None:
    world = a_world()
    agent = put_agent(world, 1, 3)
    name = wired(world)
    tick(world, 3)
    assert where(world) == [(at(0), 1)]
    toggle_switch(world, agent, ToggleSwitch(target_id=name))
    tick(world)
    assert where(world) == [(at(1), 1)]


def test_wires_that_lead_nowhere_stop_a_belt_and_a_cut_is_felt() -> None:
    world = a_world()
    agent = put_agent(world, 1, 3)
    name = wired(world)
    toggle_switch(world, agent, ToggleSwitch(target_id=name))
    put(world, at(0, 2), "AIR")
    tick(world, 3)
    assert where(world) == [(at(0), 1)]
    put(world, at(0, 2), "WIRE")
    tick(world)
    assert where(world) == [(at(1), 1)]


def test_a_switch_beside_the_belt_overrules_its_wires() -> None:
    world = a_world()
    agent = put_agent(world, 1, 3)
    toggle_switch(world, agent, ToggleSwitch(target_id=wired(world)))
    switch(world, at(0, -1))
    tick(world, 3)
    assert where(world) == [(at(0), 1)]


def test_wires_stay_on_their_level() -> None:
    world = a_world()
    agent = put_agent(world, 1, 3)
    put(world, at(0), "CONVEYOR")
    put(world, at(0, 1), "WIRE")
    put(world, at(0, 1, STAND + 1), "WIRE")
    name = switch(world, at(0, 2, STAND + 1))
    items.drop(world, at(0), "COAL", 1)
    toggle_switch(world, agent, ToggleSwitch(target_id=name))
    tick(world, 3)
    assert where(world) == [(at(0), 1)]


@pytest.mark.parametrize(
    ("length", "carries"), [(conveyors.MAX_WIRES, True), (conveyors.MAX_WIRES + 1, False)]
)
def test_a_network_may_be_so_long(length: int, carries: bool) -> None:
    world = a_world()
    snake = [(x if z % 4 == 0 else 31 - x, z) for z in range(0, 2 * 40, 2) for x in range(32)]
    cells = []
    for n, (x, z) in enumerate(snake):
        if n and snake[n - 1][1] != z:
            cells.append((snake[n - 1][0], z - 1))
        cells.append((x, z))
    wire = world.catalogs.block_number["WIRE"]
    for x, z in cells[:length]:
        world.ground.put(x, STAND, z, wire)
    put(world, at(-1), "SWITCH")
    world.switches[at(-1)].on = True
    assert len(conveyors.network_of(world, at(*cells[length - 1]))[1]) == carries
    assert len(conveyors.network_of(world, at(*cells[0]))[1]) == carries


@pytest.mark.parametrize("longest", [conveyors.MAX_WIRES, 3, 6])
def test_what_is_known_of_belts_and_wires_follows_every_change(
    longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conveyors, "MAX_WIRES", longest)
    world = a_world()
    draw = random.Random(4)
    kinds = ["AIR", "WIRE", "WIRE", "WIRE", "SWITCH", "SENSOR", "CONVEYOR", "CHEST"]
    cells = [at(x, z) for x in range(5) for z in range(5)]
    for _ in range(250):
        put(world, draw.choice(cells), draw.choice(kinds))
        fresh = check_books(world) if draw.random() < 0.2 else None
        for cell in draw.sample(cells, len(cells)):
            if block_name(world, cell) == "WIRE":
                known = sorted(conveyors.network_of(world, cell)[1])
                assert fresh is None or known == sorted(conveyors.network_of(fresh, cell)[1])
            elif cell in world.conveyors:
                runs = conveyors.running(world)(world.conveyors[cell])
                assert fresh is None or runs == conveyors.running(fresh)(world.conveyors[cell])


KINDS = st.sampled_from(
    ["CONVEYOR", "CONVEYOR", "CONVEYOR", "CHEST", "STONE", "SENSOR", "WIRE", "AIR"]
)
HEADINGS = st.sampled_from([(1, 0), (0, 1), (-1, 0), (0, -1)])


@settings(max_examples=40)
@given(
    st.dictionaries(
        st.tuples(st.integers(14, 18), st.integers(0, 2), st.integers(0, 3)),
        st.tuples(KINDS, HEADINGS),
    ),
    st.integers(0, 12),
)
def test_any_plant_keeps_its_goods_and_a_loaded_one_runs_on_alike(
    plan: dict[tuple[int, int, int], tuple[str, tuple[int, int]]], pause: int
) -> None:
    world = a_world()
    for (x, dy, z), (kind, heading) in plan.items():
        put(world, (x, STAND + dy, z), kind, heading)
        if kind == "CHEST":
            world.containers[x, STAND + dy, z].stock = {"COAL": 3, "PLANK": 2}
            world.containers.touch((x, STAND + dy, z))
    items.drop(world, (16, 60, 1), "LOG", 2)
    before = count_everything(world)
    tick(world, pause)
    fresh = check_books(world)
    for each in (world, fresh):
        tick(each, 8)
        assert count_everything(each) == before
    assert fresh.digest() == world.digest()


# How much a tick may cost


def test_a_source_is_looked_at_once_whatever_listens_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty belts beside forty wires, all of one network with ten sensors: ten looks, not four
    hundred."""
    world = a_world()
    for x in range(40):
        put(world, at(x), "CONVEYOR", (0, 1))
        put(world, at(x, -1), "WIRE")
        items.drop(world, at(x, 0, STAND + 1), "COAL", 1)
    for x in range(0, 40, 4):
        put(world, at(x, -2), "SENSOR")
    looks: list[Position] = []

    def look(world: World, position: Position) -> bool:
        looks.append(position)
        return False

    monkeypatch.setattr(conveyors, "sensor_on", look)
    tick(world)
    assert sorted(looks) == [at(x, -2) for x in range(0, 40, 4)]
    assert len(where(world)) == 40, "no sensor is on, so nothing has moved"


@given(
    st.lists(st.integers(0, 100), max_size=30, unique=True), st.integers(1, 10), st.integers(0, 100)
)
def test_everybody_has_a_turn(waiting: list[int], limit: int, first_tick: int) -> None:
    turns = -(-len(waiting) // limit)
    chosen = [conveyors.round_robin(first_tick + number, waiting, limit) for number in range(turns)]
    assert all(len(some) == min(limit, len(waiting)) for some in chosen)
    assert {one for some in chosen for one in some} == set(waiting)
    assert all(len(set(some)) == len(some) for some in chosen)


@pytest.mark.parametrize("limit", [1, 3])
def test_where_there_is_too_much_on_belts_all_get_there_later(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conveyors, "MOVED_PER_TICK", limit)
    monkeypatch.setattr(conveyors, "TAKEN_PER_TICK", limit)
    world = a_world()
    for z in range(0, 16, 2):
        a_chest(world, at(0, z), COAL=3)
        for x in range(1, 4):
            put(world, at(x, z), "CONVEYOR")
        a_chest(world, at(4, z))
    for _ in range(400 // limit):
        before = {entity.number: entity.position for entity in world.items}
        tick(world)
        now = {entity.number: entity.position for entity in world.items}
        moved = [number for number in before if now.get(number) != before[number]]
        assert len(moved) <= limit
        assert len([number for number in now if number not in before]) <= limit
    assert [world.containers[at(4, z)].stock for z in range(0, 16, 2)] == [{"COAL": 3}] * 8
    check_books(world)
