"""Array observations and discrete actions: shapes, masks, and the way to the end of the tech
tree."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from thorp.env import World
from thorp.env.arrays import ITEMS, KINDS
from thorp.kernel.errors import InvalidError
from thorp.protocol.obs import decode_rle
from thorp.voxel.achievements import TECH, points
from thorp.voxel.systems import items
from thorp.voxel.systems.blocks import change_block

QUIET = {"world_events": False}


def possible(obs: dict[str, Any]) -> list[int]:
    return [int(number) for number in np.flatnonzero(obs["action_mask"])]


def test_observations_are_as_declared_whatever_happens() -> None:
    world, random = World(3, 3, arrays=True), Random(3)
    seen = world.reset()
    for _ in range(120):
        for obs in seen.values():
            assert list(obs) == list(world.observation_spec)
            for name, spec in world.observation_spec.items():
                assert (obs[name].shape, obs[name].dtype) == (spec.shape, spec.dtype), name
                assert obs[name].min() >= spec.low
                assert obs[name].max() <= spec.high
            assert obs["action_mask"][0] == 1, "waiting is always possible"
        before = [array.copy() for array in seen["A1"].values()]
        after = world.step({name: random.choice(possible(obs)) for name, obs in seen.items()})
        assert all(
            np.array_equal(*pair) for pair in zip(before, seen["A1"].values(), strict=True)
        ), "own memory"
        seen = after


def test_arrays_say_what_the_wire_says() -> None:
    wire, arrays = World(7, 2, QUIET), World(7, 2, QUIET, arrays=True)
    wire.reset()
    arrays.reset()
    for choice in ("move_east", "mine_down", "wait", "craft_stick_from_plank", "eat_berries"):
        number = wire.action_names.index(choice)
        told, seen = wire.step({"A1": number})["A1"], arrays.step({"A1": number})["A1"]
        cube = decode_rle(told["voxels"]["data"], told["voxels"]["radius"])
        assert bytes(seen["blocks"].ravel()) == bytes(cube)
        stock = {stack["item"]: stack["count"] for stack in told["inventory"]}
        assert {
            item: int(n) for item, n in zip(ITEMS, seen["inventory"], strict=True) if n
        } == stock
        assert seen["self"][0] * 20 == pytest.approx(told["self"]["hp"])


def test_near_is_a_table_of_what_is_seen() -> None:
    world = World(7, 2, QUIET, arrays=True)
    world.reset()
    inner = world._world
    one, other = inner.agents[1], inner.agents[2]
    inner.relocate(other, (one.x + 1, one.y, one.z))
    items.drop(inner, (one.x, one.y, one.z + 1), "COAL", 3)
    obs = world.step({})["A1"]
    kinds = {KINDS.index(kind) + 1 for kind in ("agents", "items")}
    assert {int(row[0]) for row in obs["near"] if row[0]} == kinds
    (item,) = [row.tolist() for row in obs["near"] if row[0] == KINDS.index("items") + 1]
    assert (item[1], item[3], item[4:]) == (0, 1, [ITEMS.index("COAL") + 1, 3])
    assert world.action_names[possible(obs)[-1]] == "gather"


def test_what_the_mask_allows_is_not_refused() -> None:
    """In a world alone, over a long random life; a walk may still find no way, as into water."""
    world, random = World(5, 1, {**QUIET, "obs_radius": 3}, busy_ticks=100), Random(5)
    seen = world.reset()
    plain = World(5, 1, {**QUIET, "obs_radius": 3}, arrays=True, busy_ticks=100)
    masks = plain.reset()
    done: set[str] = set()
    for _ in range(250):
        number = random.choice(possible(masks["A1"]))
        masks = plain.step({"A1": number})
        seen = world.step({"A1": number})
        name = world.action_names[number]
        done.add(name.partition("_")[0])
        refused = [
            one
            for one in seen["A1"]["events"]
            if one.get("ok") is False or one["type"] == "TASK_FAIL"
        ]
        assert not refused or name.startswith("move"), (name, refused)
    assert plain._world.agents[1].position == world._world.agents[1].position, (
        "both doors, one world"
    )
    assert {"wait", "move", "mine", "place", "block", "craft"} <= done


def test_what_the_mask_rules_out_is_a_wait() -> None:
    world = World(7, tuning=QUIET, arrays=True)
    other = world.clone()
    out = [
        number
        for number in range(len(world.action_names))
        if number not in possible(world.reset()["A1"])
    ]
    other.reset()
    for number in out:
        world.step({"A1": np.int32(number)})
        other.step({"A1": 0})
    assert world.digest() == other.digest()


def test_while_a_task_runs_there_is_only_waiting() -> None:
    world = World(7, tuning=QUIET, arrays=True)
    world.reset()
    obs = world.step({"A1": world.action_names.index("mine_down")})["A1"]
    assert possible(obs) == [0]
    assert obs["self"][9] == 1


def test_busy_ticks_make_a_step_a_decision() -> None:
    world = World(7, tuning=QUIET, arrays=True, busy_ticks=50)
    world.reset()
    obs = world.step({"A1": world.action_names.index("mine_down")})["A1"]
    assert world.tick > 5
    assert len(possible(obs)) > 1
    for ticks in (0, 10**6):
        with pytest.raises(InvalidError, match="busy_ticks must be in"):
            World(7, busy_ticks=ticks)


class Climber:
    """Does discrete actions beside blocks that the test puts there."""

    def __init__(self) -> None:
        tuning = {**QUIET, "starter_items": {}, "obs_radius": 2}
        self.world = World(7, tuning=tuning, arrays=True, busy_ticks=100)
        self.obs = self.world.reset()["A1"]
        self.total = 0.0

    def do(self, name: str, times: int = 1) -> None:
        number = self.world.action_names.index(name)
        for _ in range(times):
            assert self.obs["action_mask"][number], f"{name} is not possible"
            self.obs = self.world.step({"A1": number})["A1"]
            self.total += self.world.rewards["A1"]

    def mine(self, block: str, times: int = 1) -> None:
        inner = self.world._world
        agent = inner.agents[1]
        for _ in range(times):
            agent.stamina, agent.hunger = 1000, 20
            place = (agent.x + 1, agent.y + 1, agent.z)
            change_block(
                inner, place, inner.catalogs.block_number[block], actor="TEST", reason="TEST"
            )
            self.obs = self.world.step({})["A1"]
            self.do("mine_head_east")

    @property
    def unlocked(self) -> dict[str, int]:
        return self.world._world.agents[1].achievements


def test_discrete_actions_reach_the_end_of_the_tech_tree() -> None:
    climber = Climber()
    do, mine = climber.do, climber.mine
    mine("LOG", 8)
    do("craft_plank_from_log", 8)
    do("craft_stick_from_plank", 2)
    do("craft_crafting_bench")
    do("place_crafting_bench")
    do("craft_wood_pickaxe")
    mine("STONE", 16)
    do("craft_stone_pickaxe")
    do("craft_furnace")
    do("place_furnace")
    do("place_stone")
    mine("COAL_ORE", 8)
    do("craft_torch")
    mine("IRON_ORE", 3)
    do("smelt_iron_ore", 3)
    do("craft_iron_pickaxe")
    mine("COPPER_ORE", 2)
    do("smelt_copper_ore", 2)
    do("craft_wire")
    mine("CRYSTAL_ORE", 2)
    do("craft_battery")
    do("craft_claim_totem")
    mine("STONE", 2)
    do("craft_brick")
    do("craft_contract_terminal")
    mine("TALL_GRASS")
    do("place_seeds")
    mine("WHEAT_RIPE", 3)
    do("craft_bread")
    mine("BERRY_BUSH")
    do("eat_berries")
    mine("WARREN")
    for _ in range(60):
        if "collect_sapling" not in climber.unlocked:
            mine("LEAVES")
    assert set(climber.unlocked) == set(TECH)
    assert climber.total == points(TECH)
    assert climber.obs["achievements"].sum() == len(TECH)
