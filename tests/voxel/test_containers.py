"""OPEN and TRANSFER."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.working import a_world, begin, check_books, done, failed, put, refused, tick
from thorp.protocol.actions import Open, SetSign, Transfer
from thorp.simulator.totals import count_everything
from thorp.voxel.lookups import permissions
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import Container, World
from thorp.voxel.systems.block_actions import set_sign

HERE = (2, STAND, 0)
CHEST = f"CHEST@2,{STAND},0"


def with_chest(kind: str = "CHEST", **stock: int) -> tuple[World, Agent, Container]:
    world = a_world()
    agent = put_agent(world)
    put(world, HERE, kind)
    world.containers[HERE].stock = dict(stock)
    return world, agent, world.containers[HERE]


def move(source: str | None, target: str | None, item: str | None, count: int | None) -> Transfer:
    return Transfer(src_container=source, dst_container=target, item_id=item, count=count)


# OPEN


def test_opening_a_chest_shows_its_stock_before_the_task_is_done() -> None:
    world, agent, _ = with_chest(PLANK=3, COAL=2)
    assert done(world, agent, Open(target_id=CHEST)) == 1
    shown, ended = events(agent)
    assert shown == {
        "t": 1,
        "type": "CONTAINER",
        "container": CHEST,
        "container_type": "CHEST",
        "pos": list(HERE),
        "inventory": [{"item": "COAL", "count": 2}, {"item": "PLANK", "count": 3}],
    }
    assert ended["type"] == "TASK_DONE"
    assert all(event.own for event in agent.event_log.since(0))


def test_opening_a_terminal_shows_contracts_and_what_is_owed_to_the_opener() -> None:
    world, agent, terminal = with_chest("CONTRACT_TERMINAL")
    terminal.owed = {agent.id: {"PLANK": 2, "COAL": 1}, "A9": {"COAL": 5}}
    done(world, agent, Open(target_id=terminal.id))
    shown = events(agent)[0]
    assert shown["owed"] == [["COAL", 1], ["PLANK", 2]]
    assert shown["contracts"] == []
    assert shown["inventory"] == []


def test_opening_a_sign() -> None:
    world, agent, _ = with_chest()
    put(world, (1, STAND, 1), "SIGN")
    name = f"SIGN@1,{STAND},1"
    set_sign(world, agent, SetSign(target_id=name, text="to the mill"))
    done(world, agent, Open(target_id=name))
    assert events(agent)[0] == {
        "t": 1,
        "type": "SIGN",
        "sign_id": name,
        "pos": [1, STAND, 1],
        "text": "to the mill",
        "updated_tick": 0,
        "updated_by": agent.id,
    }


def test_opening_a_board() -> None:
    world, agent, _ = with_chest()
    put(world, (1, STAND, 1), "BULLETIN_BOARD")
    done(world, agent, Open(target_id=f"BULLETIN_BOARD@1,{STAND},1"))
    shown = events(agent)[0]
    assert (shown["type"], shown["total_posts"], shown["posts"]) == ("BOARD", 0, [])


def test_what_cannot_be_opened() -> None:
    world, agent, _ = with_chest()
    assert refused(world, agent, Open()) == ("E_BAD_REQUEST", "missing target_id")
    for name in (
        "CHEST@9,9,9",
        f"FURNACE@2,{STAND},0",
        f"CHEST@02,{STAND},0",
        f"CHEST@2,{STAND}",
        f"SIGN@2,{STAND},0",
        "A1",
        "@",
        "CHEST@1,2,3,4",
        "CHEST@" + "9" * 4000,
        "\0@1,2,3",
    ):
        assert failed(world, agent, Open(target_id=name)) == (
            "E_INVALID_TARGET",
            "target not found",
        )
    world.relocate(agent, (6, STAND, 0))
    assert failed(world, agent, Open(target_id=CHEST)) == ("E_BLOCKED", "too far")
    world.relocate(agent, (5, STAND, 0))
    done(world, agent, Open(target_id=CHEST))


# TRANSFER


def test_in_and_out() -> None:
    world, agent, chest = with_chest(COAL=5)
    agent.give("PLANK", 4)
    assert done(world, agent, move("SELF", CHEST, "PLANK", 3)) == 1
    assert done(world, agent, move(CHEST, "SELF", "COAL", 5)) == 1
    assert chest.stock == {"PLANK": 3}
    assert agent.inventory == {"PLANK": 1, "COAL": 5}
    check_books(world)


def test_between_containers() -> None:
    world, agent, chest = with_chest(COAL=5)
    put(world, (-2, STAND, 0), "FURNACE")
    done(world, agent, move(CHEST, f"FURNACE@-2,{STAND},0", "COAL", 2))
    assert world.containers[-2, STAND, 0].stock == {"COAL": 2}
    assert chest.stock == {"COAL": 3}
    assert not agent.inventory


@pytest.mark.parametrize(
    "task",
    [
        move(None, "SELF", "COAL", 1),
        move(CHEST, None, "COAL", 1),
        move(CHEST, "SELF", None, 1),
        move(CHEST, "SELF", "COAL", None),
        move(CHEST, "SELF", "COAL", 0),
        move(CHEST, "SELF", "COAL", -3),
        move("", "SELF", "COAL", 1),
    ],
)
def test_it_must_be_asked_for_whole(task: Transfer) -> None:
    world, agent, _ = with_chest(COAL=5)
    assert refused(world, agent, task)[0] == "E_BAD_REQUEST"


@pytest.mark.parametrize("name", ["SELF", CHEST])
def test_from_a_place_to_itself(name: str) -> None:
    world, agent, chest = with_chest(COAL=5)
    assert failed(world, agent, move(name, name, "COAL", 1))[0] == "E_BAD_REQUEST"
    assert chest.stock == {"COAL": 5}


def test_what_is_not_there() -> None:
    world, agent, chest = with_chest(COAL=5)
    assert failed(world, agent, move("CHEST@9,9,9", "SELF", "COAL", 1))[0] == "E_INVALID_TARGET"
    assert failed(world, agent, move("SELF", "CHEST@9,9,9", "COAL", 1))[0] == "E_INVALID_TARGET"
    assert failed(world, agent, move(CHEST, "A1", "COAL", 1))[0] == "E_INVALID_TARGET"
    assert failed(world, agent, move("SELF", CHEST, "COAL", 1)) == ("E_NO_RESOURCE", "missing item")
    assert failed(world, agent, move(CHEST, "SELF", "COAL", 6)) == ("E_NO_RESOURCE", "missing item")
    assert failed(world, agent, move(CHEST, "SELF", "NO_SUCH", 1)) == (
        "E_NO_RESOURCE",
        "missing item",
    )
    assert chest.stock == {"COAL": 5}


def test_reach_counts_for_both_sides() -> None:
    world, agent, _ = with_chest(COAL=5)
    put(world, (-4, STAND, 0), "CHEST")
    far = f"CHEST@-4,{STAND},0"
    assert failed(world, agent, move(CHEST, far, "COAL", 1)) == ("E_BLOCKED", "too far")
    assert failed(world, agent, move(far, "SELF", "COAL", 1)) == ("E_BLOCKED", "too far")


def test_reserved_stock_stays() -> None:
    world, agent, chest = with_chest(COAL=5)
    chest.reserved = {"COAL": 4}
    assert failed(world, agent, move(CHEST, "SELF", "COAL", 2))[0] == "E_NO_RESOURCE"
    done(world, agent, move(CHEST, "SELF", "COAL", 1))


def test_taking_needs_a_right_and_giving_none(monkeypatch: pytest.MonkeyPatch) -> None:
    world, agent, chest = with_chest(COAL=5)
    agent.give("PLANK", 1)
    monkeypatch.setattr(permissions, "may_take", lambda world, agent, container: False)
    assert failed(world, agent, move(CHEST, "SELF", "COAL", 1)) == (
        "E_NO_PERMISSION",
        "withdraw denied",
    )
    done(world, agent, move("SELF", CHEST, "PLANK", 1))
    assert chest.stock == {"COAL": 5, "PLANK": 1}


def test_two_who_take_the_last_one() -> None:
    world, agent, _ = with_chest(COAL=1)
    other = put_agent(world, 2, 2)
    begin(world, other, move(CHEST, "SELF", "COAL", 1))
    begin(world, agent, move(CHEST, "SELF", "COAL", 1))
    tick(world)
    assert agent.inventory == {"COAL": 1}
    assert events(other)[-1]["code"] == "E_NO_RESOURCE"


PLACES = st.sampled_from(["SELF", CHEST, f"FURNACE@-2,{STAND},0", "CHEST@9,9,9", "?"])
MOVES = st.tuples(PLACES, PLACES, st.sampled_from(["COAL", "PLANK", "X"]), st.integers(1, 7))


@given(st.lists(MOVES, max_size=20))
def test_nothing_is_made_or_lost(moves: list[Any]) -> None:
    world, agent, chest = with_chest(COAL=5, PLANK=2)
    put(world, (-2, STAND, 0), "FURNACE")
    chest.reserved = {"COAL": 1}
    world.containers.touch(HERE)
    agent.give("COAL", 3)
    before = count_everything(world)
    for asked in moves:
        begin(world, agent, move(*asked))
        tick(world)
        assert agent.work is None
        assert chest.stock["COAL"] >= 1
    assert count_everything(world) == before
    check_books(world)
