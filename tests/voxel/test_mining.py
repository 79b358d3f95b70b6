"""MINE: durations, stamina, tools, yields, and everything it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
from thorp.protocol.actions import Mine
from thorp.simulator.totals import count_everything
from thorp.voxel.lookups import permissions
from thorp.voxel.state.world import Container, World
from thorp.voxel.systems import mining, work

FLOOR = (1, SURFACE, 0)


def a_chest(world: World, **stock: int) -> Container:
    put(world, (1, STAND, 0), "CHEST")
    chest = world.containers[1, STAND, 0]
    chest.stock = dict(stock)
    world.containers.touch(chest.position)
    return chest


def test_bare_hands_take_ten_ticks_and_150_stamina() -> None:
    world = a_world()
    agent = put_agent(world)
    assert done(world, agent, Mine(block_pos=FLOOR)) == 10
    assert agent.stamina == 1000 - 150
    assert agent.inventory == {"GRASS": 1}
    assert block_name(world, FLOOR) == "AIR"
    assert world.scratch.block_changes[0].actor == agent.id
    assert world.scratch.block_changes[0].reason == "MINE"


@pytest.mark.parametrize(
    ("material", "ticks", "stamina"), [("WOOD", 8, 8 * 13), ("STONE", 6, 6 * 11), ("IRON", 4, 36)]
)
@pytest.mark.parametrize(
    ("tool", "block", "yielded"),
    [("SHOVEL", "DIRT", "DIRT"), ("AXE", "LOG", "LOG"), ("PICKAXE", "IRON_ORE", "IRON_ORE")],
)
def test_the_right_tool_is_quicker(
    material: str, ticks: int, stamina: int, tool: str, block: str, yielded: str
) -> None:
    world = a_world()
    agent = put_agent(world, **{f"{material}_{tool}": 1})
    put(world, (1, STAND, 0), block)
    assert done(world, agent, Mine(block_pos=(1, STAND, 0))) == ticks
    assert agent.stamina == 1000 - stamina
    assert agent.have(yielded) == 1
    assert agent.have(f"{material}_{tool}") == 1


def test_the_best_tool_counts_and_a_wrong_one_does_not() -> None:
    world = a_world()
    agent = put_agent(world, WOOD_SHOVEL=1, IRON_SHOVEL=1, IRON_PICKAXE=1)
    assert done(world, agent, Mine(block_pos=FLOOR)) == 4
    wrong = put_agent(world, 5, 5, IRON_AXE=1)
    assert done(world, wrong, Mine(block_pos=(5, SURFACE, 6))) == 10


def test_a_tired_miner_waits_and_the_task_lives_on() -> None:
    world = a_world()
    agent = put_agent(world)
    agent.stamina = 15 * 4 + 14
    begin(world, agent, Mine(block_pos=FLOOR))
    tick(world, 30)
    assert agent.work is not None
    assert agent.work.spent == 4
    assert agent.stamina == 14
    agent.stamina = 1000
    tick(world, 6)
    assert agent.work is None
    assert agent.have("GRASS") == 1


def test_progress_is_true() -> None:
    world = a_world()
    agent = put_agent(world)
    begin(world, agent, Mine(block_pos=FLOOR))
    tick(world, 3)
    assert work.status(world, agent) == (0.3, FLOOR, 7)
    agent.give("WOOD_SHOVEL", 1)
    assert work.status(world, agent) == (0.375, FLOOR, 5)


@pytest.mark.parametrize(
    ("block", "yielded"),
    [
        ("STONE", {"STONE": 1}),
        ("COAL_ORE", {"COAL": 1}),
        ("CRYSTAL_ORE", {"CRYSTAL_SHARD": 1}),
        ("WATER", {"WATER": 1}),
        ("TALL_GRASS", {"SEEDS": 1}),
        ("WHEAT_RIPE", {"WHEAT": 1, "SEEDS": 2}),
        ("BERRY_BUSH", {"BERRIES": 3}),
        ("WARREN", {"RAW_MEAT": 2}),
        ("CHEST", {"CHEST": 1}),
    ],
)
def test_what_blocks_yield(block: str, yielded: dict[str, int]) -> None:
    world = a_world()
    agent = put_agent(world)
    put(world, (1, STAND, 0), block)
    done(world, agent, Mine(block_pos=(1, STAND, 0)))
    assert agent.inventory == yielded
    check_books(world)


@pytest.mark.parametrize(
    ("block", "left"), [("BERRY_BUSH", "BERRY_BUSH_BARE"), ("WARREN", "WARREN_EMPTY")]
)
def test_what_bears_again_stays(block: str, left: str) -> None:
    world = a_world()
    agent = put_agent(world)
    put(world, (1, STAND, 0), block)
    done(world, agent, Mine(block_pos=(1, STAND, 0)))
    assert block_name(world, (1, STAND, 0)) == left
    assert (1, STAND, 0) in world.growth


def test_leaves_yield_a_sapling_now_and_then() -> None:
    world = a_world()
    agent = put_agent(world, IRON_AXE=1)
    for _ in range(60):
        agent.stamina = 1000
        put(world, (1, STAND, 0), "LEAVES")
        done(world, agent, Mine(block_pos=(1, STAND, 0)))
    permille = world.catalogs.blocks[world.catalogs.block_number["LEAVES"]].drop_permille
    assert 0 < agent.have("SAPLING") < 2 * 60 * permille // 1000


def test_the_ground_may_be_mined_from_under_ones_feet() -> None:
    world = a_world()
    agent = put_agent(world)
    done(world, agent, Mine(block_pos=(0, SURFACE, 0)))
    assert agent.have("GRASS") == 1


def test_what_cannot_be_mined() -> None:
    world = a_world()
    agent = put_agent(world)
    put(world, (1, STAND, 0), "BEDROCK")
    assert refused(world, agent, Mine()) == ("E_BAD_REQUEST", "missing block_pos")
    assert failed(world, agent, Mine(block_pos=(0, STAND, 2))) == ("E_INVALID_TARGET", "no block")
    assert failed(world, agent, Mine(block_pos=(1, STAND, 0))) == (
        "E_INVALID_TARGET",
        "unbreakable",
    )
    assert failed(world, agent, Mine(block_pos=(2, SURFACE, 0))) == ("E_INVALID_TARGET", "too far")
    assert failed(world, agent, Mine(block_pos=(10**9, 10**9, 0))) == (
        "E_INVALID_TARGET",
        "too far",
    )
    assert agent.stamina == 1000
    assert not agent.inventory


def test_the_world_is_looked_at_in_every_tick() -> None:
    world = a_world()
    agent = put_agent(world)
    begin(world, agent, Mine(block_pos=FLOOR))
    tick(world, 5)
    put(world, FLOOR, "AIR")
    tick(world)
    assert events(agent)[-1]["message"] == "no block"
    begin(world, agent, Mine(block_pos=(0, SURFACE, 0)))
    tick(world, 5)
    world.relocate(agent, (0, STAND, 2))
    tick(world)
    assert events(agent)[-1]["message"] == "too far"


def test_a_container_hands_over_its_stock_and_what_it_owes_the_miner() -> None:
    world = a_world()
    agent = put_agent(world)
    chest = a_chest(world, COAL=7, PLANK=2)
    chest.owed = {agent.id: {"COAL": 1, "BREAD": 1}, "A9": {}}
    before = count_everything(world)
    done(world, agent, Mine(block_pos=chest.position))
    assert agent.inventory == {"COAL": 8, "PLANK": 2, "BREAD": 1, "CHEST": 1}
    assert count_everything(world) - before == {"CHEST": 1}
    check_books(world)


def test_a_container_with_goods_of_others_cannot_be_broken() -> None:
    world = a_world()
    agent = put_agent(world)
    chest = a_chest(world, COAL=7)
    chest.reserved = {"COAL": 1}
    assert failed(world, agent, Mine(block_pos=chest.position)) == (
        "E_BLOCKED",
        "container has reserved items",
    )
    chest.reserved, chest.owed = {}, {"A9": {"COAL": 1}}
    assert failed(world, agent, Mine(block_pos=chest.position))[0] == "E_BLOCKED"
    chest.owed = {}
    done(world, agent, Mine(block_pos=chest.position))


def test_rights_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_world()
    agent = put_agent(world)
    chest = a_chest(world, COAL=7)
    monkeypatch.setattr(permissions, "may_take", lambda world, agent, container: False)
    assert failed(world, agent, Mine(block_pos=chest.position)) == (
        "E_NO_PERMISSION",
        "withdraw denied",
    )
    monkeypatch.setattr(permissions, "may_break", lambda world, agent, position: False)
    assert failed(world, agent, Mine(block_pos=chest.position)) == (
        "E_NO_PERMISSION",
        "break denied",
    )
    assert chest.stock == {"COAL": 7}


def test_two_who_mine_the_same_block_get_it_once() -> None:
    world = a_world()
    first, second = put_agent(world, 0, 0), put_agent(world, 1, 1)
    begin(world, first, Mine(block_pos=FLOOR))
    begin(world, second, Mine(block_pos=FLOOR))
    tick(world, 10)
    assert first.inventory == {"GRASS": 1}
    assert not second.inventory
    assert events(second)[-1]["message"] == "no block"


def test_the_documented_table_of_tools_is_in_force() -> None:
    page = (Path(__file__).parents[2] / "docs" / "world-work.md").read_text("utf-8")
    rows = re.findall(r"^\| (none|[A-Z]+) \| (\d+) \| 0\.(\d{3}) \|$", page, re.MULTILINE)
    documented = [(tool, int(ticks), int(stamina)) for tool, ticks, stamina in rows]
    assert documented == [("none", *mining.BARE_HANDS), *reversed(mining.TOOLS)]
