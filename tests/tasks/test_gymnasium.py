"""`thorp/Task-v1`: the same tasks, seen as arrays."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import thorp.env  # noqa: F401
from tests.tasks.table import table
from thorp.kernel.errors import ConflictError, IllegalError, InvalidError, UnknownError
from thorp.tasks import Episode
from thorp.tasks.single_agent import TaskEnv


def made(task: str, **options: Any) -> TaskEnv:
    env = gymnasium.make("thorp/Task-v1", task=task, suite=table(), **options).unwrapped
    assert isinstance(env, TaskEnv)
    return env


def possible(seen: Any, draw: np.random.Generator) -> np.int64:
    return np.int64(draw.choice(np.flatnonzero(seen["action_mask"])))


def test_it_keeps_the_contract_of_gymnasium() -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Box observation space.*")
        check_env(made("try-logs"), skip_render_check=True)


def test_it_plays_the_same_episode_as_anybody_else() -> None:
    env = made("try-logs-1")
    draw = np.random.default_rng(1)
    seen, info = env.reset(seed=5)
    episode = table().open("try-logs-1")
    # News are told to whoever looks, so both look every turn.
    assert (info["state"], info["text"]) == (episode.digest(), episode.observe()["text"])
    total = 0.0
    ended = False
    while not ended:
        action = possible(seen, draw)
        seen, reward, terminated, truncated, info = env.step(action)
        ended = terminated or truncated
        episode.act(int(action))
        total += reward
        assert (info["state"], info["score"], info["text"]) == (
            episode.digest(),
            episode.score,
            episode.observe()["text"],
        )
        assert env.observation_space.contains(seen)
        assert seen["action_mask"].nonzero()[0].tolist() == episode.observe()["possible"]
    assert total == pytest.approx(info["score"])
    assert truncated == (info["score"] < 1)


def test_the_goal_terminates_it_with_all_of_the_reward() -> None:
    env = made("try-patience-1")
    env.reset()
    wait = np.int64(env.action_names.index("wait"))
    assert [env.step(wait)[1:4] for _ in range(2)] == [(0.5, False, False), (0.5, True, False)]
    with pytest.raises(IllegalError, match="the task is over"):
        env.step(wait)


def test_a_task_draws_rows_of_its_split_and_a_start_is_taken_up() -> None:
    env = made("try-careful", split="dev")
    drawn = {env.reset(seed=seed)[1]["task"] for seed in range(12)}
    assert drawn == {"try-careful-11", "try-careful-12"}
    assert {env.reset(seed=4)[1]["task"] for _ in range(3)} == {env.reset(seed=4)[1]["task"]}
    episode: Episode = table().open("try-logs-2")
    episode.act({"action": "wait"})
    start = {"task": "try-logs-2", "acts": episode.acts, "digest": episode.digest()}
    _, info = env.reset(options={"start": start})
    assert info["state"] == episode.digest()
    with pytest.raises(ConflictError, match="these acts lead to"):
        env.reset(options={"start": {**start, "digest": "0" * 64}})
    with pytest.raises(InvalidError, match="reset has the option start, and not 'size'"):
        env.reset(options={"size": 1})
    with pytest.raises(UnknownError, match="has no task 'try-nothing'"):
        made("try-nothing")
