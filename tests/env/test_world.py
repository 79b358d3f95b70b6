"""`thorp.env.World` for learners: rewards, infos, the end of an episode, copies, and what it
refuses."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thorp.env import World
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.voxel.achievements import IDS
from thorp.voxel.terrain.columns import Survey

SHORT = {"obs_radius": 3, "day_ticks": 30, "season_length_ticks": 120}


def wishes(random: Random, obs: dict[str, Any]) -> dict[str, Any]:
    """An act of one or two actions: walking, digging, building, eating, talking, remembering."""
    x, y, z = obs["self"]["pos"]
    cell = [x + random.randint(-2, 2), y + random.randint(-1, 1), z + random.randint(-2, 2)]
    act: dict[str, Any] = random.choice(
        [
            {},
            {"tasks": [{"type": "MOVE_TO", "target": [9 * cell[0] - 8 * x, y, 9 * cell[2] - 8 * z]}]},
            {"tasks": [{"type": "MINE", "block_pos": cell}]},
            {"tasks": [{"type": "PLACE", "block_pos": cell, "item_id": random.choice(["PLANK", "STONE"])}]},
            {"tasks": [{"type": "CRAFT", "recipe_id": random.choice(["stick_from_plank", "torch"])}]},
            {"instants": [{"type": "EAT", "item_id": "BERRIES"}]},
            {"instants": [{"type": "SAY", "channel": "LOCAL", "text": "hello"}]},
            {"instants": [{"type": "SAVE_MEMORY", "key": "k", "value": str(random.random())}]},
            {"instants": [{"type": "LOAD_MEMORY", "prefix": "k", "limit": 1}]},
            {"tasks": 3},
        ]
    )  # fmt: skip
    return act


def live(world: World, seen: dict[str, Any], random: Random, steps: int) -> list[Any]:
    told = []
    for _ in range(steps):
        seen = world.step({name: wishes(random, obs) for name, obs in seen.items()})
        told.append((copy.deepcopy(seen), world.rewards, world.dones, world.infos))
    return [*told, world.digest()]


COPIES: dict[str, Callable[[World], World]] = {
    "clone": World.clone,
    "deepcopy": copy.deepcopy,
    "pickle": lambda world: pickle.loads(pickle.dumps(world)),
}


@given(seed=st.integers(0, 2**32), before=st.integers(0, 40), how=st.sampled_from(sorted(COPIES)))
@settings(max_examples=12, deadline=None)
def test_a_copy_continues_identically(seed: int, before: int, how: str) -> None:
    tuning = {**SHORT, "seasons": seed % 2 == 0}
    world, random = World(seed % 5, 3, tuning), Random(seed)
    seen = world.reset()
    for _ in range(before):
        seen = world.step({name: wishes(random, obs) for name, obs in seen.items()})
    other = COPIES[how](world)
    assert (other.digest(), other.rewards, other.infos) == (
        world.digest(),
        world.rewards,
        world.infos,
    )
    drawn = random.getstate()
    told = live(world, seen, random, 30)
    random.setstate(drawn)
    assert live(other, seen, random, 30) == told


def test_a_copy_of_a_later_season_and_of_a_world_that_has_not_begun() -> None:
    world = World(7, tuning={**SHORT, "season_length_ticks": 30, "seasons": True})
    assert world.clone().reset() == world.reset()
    for _ in range(35):
        world.step({})
    other = world.clone()
    assert other.digest() == world.digest()
    assert other.step({}) == world.step({})


def test_a_copy_is_independent() -> None:
    world = World(7)
    world.reset()
    other = world.clone()
    other.step({"A1": {"instants": [{"type": "EAT", "item_id": "BERRIES"}]}})
    assert (world.tick, other.tick) == (1, 2)
    assert world.infos["A1"]["achievements"]["eat_berries"] == 0
    assert other.infos["A1"]["achievements"]["eat_berries"] == 1


def test_rewards_are_the_points_of_what_was_unlocked() -> None:
    world = World(7, 2)
    world.reset()
    assert world.rewards == {"A1": 0, "A2": 0}
    eat = {"instants": [{"type": "EAT", "item_id": "BERRIES"}]}
    world.step({"A1": eat})
    assert world.rewards == {"A1": 1, "A2": 0}
    info = world.infos["A1"]
    assert (info["unlocked"], info["downed"]) == (["eat_berries"], False)
    assert list(info["achievements"]) == list(IDS)
    world.step({"A1": eat})
    assert world.rewards == {"A1": 0, "A2": 0}, "only the first time"
    assert (world.infos["A1"]["unlocked"], world.infos["A1"]["achievements"]["eat_berries"]) == (
        [],
        2,
    )


def test_death_is_told_and_ends_nothing() -> None:
    world = World(7)
    world.reset()
    body = world._world.agents[1]
    body.hp = 0
    world.step({})
    assert (world.infos["A1"]["downed"], world.dones["A1"]) == (True, False)
    world.step({})
    assert not world.infos["A1"]["downed"]


def test_an_episode_ends_after_max_steps() -> None:
    world = World(7, max_steps=2)
    world.reset()
    world.step({})
    assert world.dones == {"A1": False}
    world.step({})
    assert world.dones == {"A1": True}
    with pytest.raises(IllegalError, match=r"the episode has ended after 2 steps; call reset\(\)"):
        world.step({})
    assert world.tick == 3
    world.reset()
    assert world.dones == {"A1": False}
    with pytest.raises(InvalidError, match="max_steps must be at least 1"):
        World(7, max_steps=0)


@pytest.mark.parametrize(
    ("acts", "sentence"),
    [
        ([1], "step takes a dict of acts by agent, not "),
        (None, "step takes a dict of acts by agent, not None"),
        ({"A1": None}, "the act of A1 must be a dict, or an integer from 0 to 87, not None"),
        ({"A1": [[0]]}, "the act of A1 must be a dict, or an integer from 0 to 87, not "),
        ({"A1": 88}, "the act of A1 must be a dict, or an integer from 0 to 87, not 88"),
        ({"A1": -1}, "the act of A1 must be a dict, or an integer from 0 to 87, not -1"),
        ({"A1": True}, "the act of A1 must be a dict, or an integer from 0 to 87, not True"),
        ({"A1": 1.0}, "the act of A1 must be a dict, or an integer from 0 to 87, not 1.0"),
        (
            {"A1": np.zeros(2, int)},
            "the act of A1 must be a dict, or an integer from 0 to 87, not array",
        ),
        ({7: {}}, "there is no agent 7; there are A1 to A2"),
        ({"x" * 999: {}}, "there is no agent 'xx"),
    ],
)
def test_what_is_no_act_is_refused_with_a_sentence(acts: Any, sentence: str) -> None:
    world = World(7, 2)
    world.reset()
    before = world.digest()
    with pytest.raises(InvalidError) as refused:
        world.step(acts)
    assert str(refused.value).startswith(sentence)
    assert len(str(refused.value)) < 200
    assert (world.digest(), world.tick) == (before, 1)


def test_the_ground_of_a_seed_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = World(424_242, 2, SHORT)
    seen = first.reset()
    first.step({"A1": {"tasks": [{"type": "MINE", "block_pos": [0, 0, 0]}]}})
    monkeypatch.setattr(Survey, "columns", None)  # whoever makes ground now fails
    assert first.reset() == World(424_242, 2, SHORT).reset() == seen
    with pytest.raises(TypeError):
        World(424_243, 2, SHORT).reset()
