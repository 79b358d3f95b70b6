"""Gymnasium and PettingZoo: their own tests pass, seeds give the same life, and neither library is
needed."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.max_cycles_test import max_cycles_test

import thorp.env
from thorp.env.rendering import LOOKS, MARKS, SELF
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.voxel.load import default_catalogs

SMALL = {"obs_radius": 2}
# Of PettingZoo about observations that are dictionaries, of several arrays, some of which are 0
# everywhere; of Gymnasium about what it does not know of, and about bounds that are those of the
# type.
pytestmark = [pytest.mark.filterwarnings("ignore")]


def test_the_parallel_environment_is_one_to_pettingzoo() -> None:
    parallel_api_test(
        thorp.env.parallel_env(seed=1, agents=3, tuning=SMALL, max_cycles=100), num_cycles=250
    )


def test_the_environment_of_turns_is_one_to_pettingzoo() -> None:
    api_test(thorp.env.env(seed=1, agents=3, tuning=SMALL, max_cycles=60), num_cycles=150)


def test_pettingzoos_tests_of_seeds_and_cycles_pass() -> None:
    seed_test(lambda: thorp.env.env(agents=2, tuning=SMALL, max_cycles=50), num_cycles=60)
    parallel_seed_test(
        lambda: thorp.env.parallel_env(agents=2, tuning=SMALL, max_cycles=50), num_cycles=60
    )
    max_cycles_test(thorp.env)


def lives(seed: int, steps: int) -> Iterator[Any]:
    """Everything that a masked random life is told, to its end."""
    env = thorp.env.parallel_env(agents=2, tuning=SMALL, max_cycles=steps, busy_ticks=20)
    seen, infos = env.reset(seed=seed)
    for name in env.possible_agents:
        env.action_space(name).seed(seed)
    yield seen, infos
    while env.agents:
        actions = {
            name: env.action_space(name).sample(mask=seen[name]["action_mask"])
            for name in env.agents
        }
        told = env.step(actions)
        seen = told[0]
        yield told
    yield env.world.digest()


def test_a_seed_is_a_whole_life() -> None:
    """The library's own test of parallel environments looks at one step only."""
    one, other = list(lives(42, 150)), list(lives(42, 150))
    assert len(one) == len(other) == 152
    assert one[-1] == other[-1]
    for told, again in zip(one, other, strict=True):
        np.testing.assert_equal(told, again)
    assert list(lives(43, 3))[-1] != list(lives(42, 3))[-1]
    assert list(lives(0, 3))[-1] == list(lives(0, 3))[-1], "0 is a seed"


def test_gymnasium_knows_it_and_its_checker_passes() -> None:
    env = gymnasium.make("thorp/World-v0", tuning=SMALL, max_steps=50)
    check_env(env.unwrapped)
    env.reset(seed=3)
    truncated = False
    for _ in range(50):
        assert not truncated
        _, _, terminated, truncated, _ = env.step(0)
        assert not terminated
    assert truncated
    with pytest.raises(IllegalError, match="the episode has ended after 50 steps"):
        env.step(0)


def test_gymnasiums_worlds_are_those_of_thorp() -> None:
    env = gymnasium.make("thorp/World-v0", seed=7, tuning=SMALL)
    world = thorp.env.World(7, tuning=SMALL, arrays=True)
    np.testing.assert_equal(env.reset()[0], world.reset()["A1"])
    np.testing.assert_equal(env.step(6)[0], world.step({"A1": 6})["A1"])
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    told = env.step(0)
    for one in copies:
        np.testing.assert_equal(one.step(0), told)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_worlds_are_vectorised(mode: str) -> None:
    envs = gymnasium.make_vec(
        "thorp/World-v0", 2, vectorization_mode=mode, tuning=SMALL, max_steps=4
    )
    seen, _ = envs.reset(seed=5)
    assert seen["blocks"].shape == (2, 5, 5, 5)
    ends = [envs.step(np.array([0, 6]))[3].tolist() for _ in range(5)]
    assert ends == [[False, False]] * 3 + [[True, True], [False, False]]
    envs.close()


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ({"agent_9": 0}, "there is no agent 'agent_9'; there are agent_0 to agent_1"),
        ([0, 0], "step takes a dict of actions by agent, not "),
    ],
)
def test_wrong_steps_are_refused_with_a_sentence(actions: Any, sentence: str) -> None:
    env = thorp.env.parallel_env(tuning=SMALL, max_cycles=1)
    with pytest.raises(IllegalError, match=r"call reset\(\)"):
        env.step({})
    env.reset()
    with pytest.raises(InvalidError) as refused:
        env.step(actions)
    assert str(refused.value).startswith(sentence)
    env.step({})
    with pytest.raises(
        IllegalError, match=r"the episode has ended, or never begun; call reset\(\)"
    ):
        env.step({"agent_0": 0})


@pytest.mark.parametrize("action", [88, -1, np.zeros(3), "wait", None, 2.5, {}, 10**30], ids=repr)
def test_an_action_out_of_range_costs_that_agent_its_turn_and_nobody_the_step(action: Any) -> None:
    spoilt, sound = (thorp.env.parallel_env(seed=7, tuning=SMALL, max_cycles=9) for _ in range(2))
    seen, infos = spoilt.reset()
    sound.reset()
    assert infos["agent_0"]["refused"] == ""
    move = int(np.flatnonzero(seen["agent_1"]["action_mask"])[1])
    *_, infos = spoilt.step({"agent_0": action, "agent_1": move})
    *_, expected = sound.step({"agent_0": 0, "agent_1": move})
    assert spoilt.world.digest() == sound.world.digest(), "the other one moved, and this one waited"
    assert (
        infos["agent_0"]
        .pop("refused")
        .startswith("the action must be an integer from 0 to 87, not ")
    )
    assert infos["agent_1"]["refused"] == expected["agent_0"].pop("refused") == ""
    assert infos == expected
    *_, infos = spoilt.step({"agent_0": 0, "agent_1": 0})
    assert infos["agent_0"]["refused"] == "", "it is told once"


def test_agents_that_take_turns_lose_only_their_own_turn() -> None:
    env = thorp.env.env(seed=7, agents=2, tuning=SMALL, max_cycles=3)
    env.reset()
    for name in env.agent_iter(4):
        env.step(1_000 if name == "agent_0" else 0)
    assert env.infos["agent_0"]["refused"]
    assert not env.infos["agent_1"]["refused"]
    assert env.agents == ["agent_0", "agent_1"]


@pytest.mark.parametrize(("mode", "kind"), [("ansi", str), ("rgb_array", np.ndarray)])
def test_agents_that_take_turns_are_rendered_too(mode: str, kind: type) -> None:
    """PettingZoo's own test of rendering wants a window, which there is none of."""
    env = thorp.env.env(agents=2, tuning=SMALL, max_cycles=20, render_mode=mode)
    assert env.metadata["render_modes"] == ["ansi", "rgb_array"]
    env.reset()
    for _ in env.agent_iter(6):
        env.step(0)
        assert isinstance(env.render(), kind)


def test_a_map_as_text_shows_the_agent_its_neighbour_and_the_ground() -> None:
    env = thorp.env.parallel_env(
        seed=7, agents=2, render_mode="ansi", tuning={"newcomers": "lattice"}
    )
    seen, _ = env.reset()
    picture = env.render()
    assert isinstance(picture, str)
    first, second, legend = picture.split("\n\n")
    caption, *rows = first.split("\n")
    assert caption.startswith("agent_0: hp 20, hunger 20; BERRIES 10")
    assert second.startswith("agent_1: ")
    width = seen["agent_0"]["blocks"].shape[0]
    assert [len(row) for row in rows] == [width] * width
    assert rows[width // 2][width // 2] == "@"
    assert all(character in legend for character in set("".join(rows)) - {" "})
    seen["agent_0"]["blocks"][:] = 0
    assert env.render() == picture, "what the caller does to its observation changes no picture"
    env.step({})
    assert isinstance(env.render(), str)


def test_a_picture_has_a_map_for_each_agent_and_is_bounded() -> None:
    for agents, shape in ((1, (40, 40, 3)), (5, (82, 166, 3)), (40, (166, 166, 3))):
        env = thorp.env.parallel_env(seed=7, agents=agents, render_mode="rgb_array", tuning=SMALL)
        env.reset()
        picture = env.render()
        assert isinstance(picture, np.ndarray)
        assert (picture.shape, picture.dtype) == (shape, np.uint8)
        assert picture[20, 20].tolist() == [255, 255, 255], (
            "the agent stands in the middle of its map"
        )


def test_rendering_needs_a_mode_and_a_world() -> None:
    with pytest.raises(
        InvalidError, match="render_mode is one of ansi, rgb_array, or None; not 'human'"
    ):
        thorp.env.parallel_env(render_mode="human")
    with pytest.raises(IllegalError, match=r"nothing to see yet; call reset\(\)"):
        thorp.env.parallel_env(render_mode="ansi").render()
    env = thorp.env.parallel_env()
    env.reset()
    assert env.render() is None


def test_every_block_has_a_look_of_its_own() -> None:
    assert {block.id for block in default_catalogs().blocks} == set(LOOKS)
    characters = [look.character for look in (*LOOKS.values(), SELF, *MARKS.values())]
    assert len(set(characters)) == len(characters)


def test_neither_library_is_needed() -> None:
    script = """
import sys
sys.modules["gymnasium"] = sys.modules["pettingzoo"] = None
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "gymnasium" else real(name, *rest)
import thorp.env
from thorp.kernel.errors import UnavailableError
thorp.env.World(7, arrays=True).reset()
for make in (thorp.env.parallel_env, thorp.env.env):
    try:
        make()
    except UnavailableError as told:
        print(told)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    sentence = "this needs the package pettingzoo: pip install 'thorp[pettingzoo]'\n"
    assert (done.stdout, done.stderr) == (2 * sentence, "")


def test_pettingzoo_is_imported_when_it_is_asked_for() -> None:
    script = "import sys, thorp.env; print('pettingzoo' in sys.modules, 'gymnasium' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "False True\n"
