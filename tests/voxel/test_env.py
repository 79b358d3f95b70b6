"""`thorp.env.World`: the same world in process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import thorp.env
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.voxel.new_world import derived_draw_seed
from thorp.voxel.tuning import Tuning

MOVE = {"tasks": [{"id": "m", "type": "MOVE_TO", "target": [4, 22, 4], "tolerance": 1.5}]}


def results(obs: dict[str, Any]) -> list[dict[str, Any]]:
    return [event for event in obs["events"] if event["type"] == "ACTION_RESULT"]


def test_reset_gives_every_agent_its_first_observation() -> None:
    env = thorp.env.World(7, agents=3)
    seen = env.reset()
    assert list(seen) == ["A1", "A2", "A3"]
    assert env.tick == 1
    for agent_id, obs in seen.items():
        assert obs["type"] == "OBS"
        assert obs["protocol_version"] == "0.9"
        assert (obs["tick"], obs["agent_id"]) == (1, agent_id)
        assert [event["type"] for event in obs["events"]] == ["FUN", "WORLD_EVENT"]
        assert json.loads(json.dumps(obs)) == obs


def test_an_act_is_answered_in_the_next_observation() -> None:
    env = thorp.env.World(7)
    env.reset()
    obs = env.step({"A1": MOVE})["A1"]
    [result] = results(obs)
    assert (result["ref"], result["ok"]) == ("m", True)
    assert obs["tasks"][0]["kind"] == "MOVE_TO"


def test_an_absent_agent_passes() -> None:
    env = thorp.env.World(7, agents=2)
    env.reset()
    seen = env.step({"A1": MOVE})
    assert results(seen["A2"]) == []
    assert set(env.step({})) == {"A1", "A2"}
    assert env.tick == 3


def test_the_same_acts_give_the_same_observations() -> None:
    def story(order: list[str]) -> list[object]:
        env = thorp.env.World(11, agents=2)
        told: list[object] = [env.reset()]
        for tick in range(20):
            acts = {
                name: {"tasks": [{"type": "MOVE_TO", "target": [tick, 22, -tick]}]}
                for name in order
            }
            told.append(env.step(acts))
        return [*told, env.digest()]

    assert story(["A1", "A2"]) == story(["A2", "A1"])


def test_reset_begins_again() -> None:
    env = thorp.env.World(5)
    first = env.reset()
    for _ in range(5):
        env.step({"A1": MOVE})
    assert env.reset() == first
    assert env.tick == 1


def test_seeds_make_worlds() -> None:
    one, other = thorp.env.World(1), thorp.env.World(2)
    assert one.reset()["A1"]["voxels"] != other.reset()["A1"]["voxels"]
    assert derived_draw_seed(1) != derived_draw_seed(2)


def test_a_whole_act_as_on_the_wire() -> None:
    env = thorp.env.World(7)
    tick = env.reset()["A1"]["tick"]
    act = {
        "type": "ACT",
        "protocol_version": "0.9",
        "agent_id": "A1",
        "tick": tick,
        "expected_world_id": "x",
        **MOVE,
    }
    assert results(env.step({"A1": act})["A1"])[0]["ok"]


def test_a_late_act_is_stale() -> None:
    env = thorp.env.World(7)
    env.reset()
    for _ in range(4):
        env.step({})
    [result] = results(env.step({"A1": {"tick": 1, **MOVE}})["A1"])
    assert result["code"] == "E_STALE"


@pytest.mark.parametrize(
    ("ahead", "code"),
    [(-2, "E_STALE"), (-1, "ok"), (0, "ok"), (1, "ok"), (2, "E_STALE"), (99, "E_STALE")],
)
def test_an_act_may_name_the_tick_that_is_executed_and_two_before_it(ahead: int, code: str) -> None:
    """Counted from the last OBS: the tick that is executed next is one ahead of it."""
    env = thorp.env.World(7)
    env.reset()
    for _ in range(4):
        env.step({})
    [result] = results(env.step({"A1": {"tick": env.tick + ahead, **MOVE}})["A1"])
    assert result.get("code", "ok") == code


@pytest.mark.parametrize(
    "act",
    [
        {"tick": -1},
        {"tick": "now"},
        {"type": "OBS"},
        {"tasks": 3},
        {"tasks": [object()]},
        {"x": 2**70},
    ],
)
def test_an_act_that_cannot_be_read_is_answered_as_on_the_wire(act: dict[str, Any]) -> None:
    env = thorp.env.World(7)
    env.reset()
    answered = results(env.step({"A1": act})["A1"])
    assert all(result["code"] == "E_BAD_REQUEST" for result in answered)
    assert env.tick == 2


def test_tuning_may_be_a_mapping() -> None:
    env = thorp.env.World(7, tuning={"starter_items": {"PLANK": 2}})
    assert env.reset()["A1"]["inventory"] == [{"item": "PLANK", "count": 2}]
    assert thorp.env.World(7, tuning=Tuning(obs_radius=3)).reset()["A1"]["voxels"]["radius"] == 3
    with pytest.raises(InvalidError):
        thorp.env.World(7, tuning={"no_such": 1})


@pytest.mark.parametrize("agents", [0, -1, 10**6])
def test_the_number_of_agents_is_bounded(agents: int) -> None:
    with pytest.raises(InvalidError):
        thorp.env.World(7, agents=agents)


def test_unknown_agents_are_refused_and_nothing_happens() -> None:
    env = thorp.env.World(7)
    early: list[dict[str, Any]] = [{}, {"A1": {}}]
    for acts in early:
        with pytest.raises(IllegalError, match="reset"):
            env.step(acts)
    env.reset()
    with pytest.raises(InvalidError, match="A9"):
        env.step({"A9": {}})
    assert env.tick == 1


@pytest.mark.parametrize(
    "use", [lambda env: env.tick, lambda env: env.digest(), lambda env: env.step({})]
)
def test_before_the_first_reset_there_is_no_world_and_it_says_so(
    use: Callable[[thorp.env.World], Any],
) -> None:
    with pytest.raises(IllegalError, match=r"call reset\(\) first"):
        use(thorp.env.World(7))
