"""`Worlds`: many worlds over processes are the same worlds, and what goes wrong is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

from thorp.env import World, Worlds
from thorp.kernel.errors import IllegalError, InvalidError, UnavailableError

SMALL = {"obs_radius": 2}
SEEDS = (3, 4, 5)


@pytest.mark.parametrize("processes", [1, 2])
def test_they_are_the_same_worlds_as_alone(processes: int) -> None:
    draw = np.random.default_rng(1)
    alone = [World(seed, 2, SMALL, arrays=True, busy_ticks=9, max_steps=12) for seed in SEEDS]
    with Worlds(SEEDS, 2, SMALL, processes=processes, busy_ticks=9, max_steps=12) as worlds:
        for _ in range(2):
            seen: list[Any] = [world.reset() for world in alone]
            told = worlds.reset()
            while not worlds.dones.all():
                for name, array in told.items():
                    rows = [[obs[name] for obs in one.values()] for one in seen]
                    np.testing.assert_array_equal(array, np.array(rows))
                possible = [[np.flatnonzero(mask) for mask in row] for row in told["action_mask"]]
                actions = np.array([[draw.choice(numbers) for numbers in row] for row in possible])
                told = worlds.step(actions)
                seen = [
                    world.step(dict(zip(world.agent_ids, row, strict=True)))
                    for world, row in zip(alone, actions, strict=True)
                ]
                assert worlds.rewards.tolist() == [list(world.rewards.values()) for world in alone]
            assert worlds.infos == [world.infos for world in alone]
        with pytest.raises(
            IllegalError, match=r"the episode has ended, or never begun; call reset\(\)"
        ):
            worlds.step(np.zeros((3, 2), int))


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        (
            np.zeros(3, int),
            "actions must be integers from 0 to 87 of shape (3, 1), not int64 of (3,)",
        ),
        (
            np.zeros((3, 1)),
            "actions must be integers from 0 to 87 of shape (3, 1), not float64 of (3, 1)",
        ),
        ([[0], [0, 0], [0]], "actions must be an array: "),
        ([[0], [-1], [0]], "actions must be integers from 0 to 87 of shape (3, 1)"),
        ([[0], [88], [0]], "actions must be integers from 0 to 87 of shape (3, 1)"),
    ],
)
def test_wrong_actions_are_refused_with_a_sentence(actions: Any, sentence: str) -> None:
    with Worlds(SEEDS, tuning=SMALL, processes=1) as worlds:
        with pytest.raises(IllegalError, match=r"never begun; call reset\(\)"):
            worlds.step(actions)
        worlds.reset()
        with pytest.raises(InvalidError) as refused:
            worlds.step(actions)
        assert str(refused.value).startswith(sentence)
        worlds.step([[0]] * 3)


def test_limits_are_told() -> None:
    wrong: list[dict[str, Any]] = [
        {"seeds": []},
        {"seeds": range(9_999)},
        {"seeds": SEEDS, "processes": 0},
    ]
    for options in wrong:
        with pytest.raises(InvalidError):
            Worlds(**options)


def test_a_process_that_dies_is_told_and_the_others_end() -> None:
    worlds = Worlds(SEEDS, tuning=SMALL, processes=3)
    worlds.reset()
    os.kill(worlds._processes[0].pid, signal.SIGKILL)
    with pytest.raises(UnavailableError, match="a process of these worlds has ended"):
        worlds.step([[0]] * 3)
    assert not any(process.is_alive() for process in worlds._processes)
    with pytest.raises(IllegalError, match="these worlds were closed"):
        worlds.reset()


def test_processes_end_with_whoever_made_them() -> None:
    script = (
        "import sys, time, thorp.env\n"
        "worlds = thorp.env.Worlds(range(2), processes=2)\n"
        "print(*[process.pid for process in worlds._processes], flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as maker:
        assert maker.stdout is not None
        children = [int(number) for number in maker.stdout.readline().split()]
        maker.kill()
    deadline = time.monotonic() + 30
    while any(_runs(child) for child in children):
        assert time.monotonic() < deadline, "a process outlived its maker"
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(("source", "target"), [(0, 1), (0, 2), (2, 0), (1, 1)])
def test_a_fork_goes_on_as_its_source_and_resets_to_its_own_seed(source: int, target: int) -> None:
    draw = np.random.default_rng(2)

    def actions(seen: Any) -> Any:
        """Something possible for each world; the same for source and target."""
        chosen = np.array([[draw.choice(np.flatnonzero(row[0]))] for row in seen["action_mask"]])
        chosen[target] = chosen[source]
        return chosen

    with Worlds(SEEDS, 1, SMALL, processes=2, busy_ticks=9) as worlds:
        begun = worlds.reset()
        seen = begun
        for _ in range(5):
            seen = worlds.step(
                np.array([[draw.choice(np.flatnonzero(row[0]))] for row in seen["action_mask"]])
            )
        worlds.fork(source, target)
        for array in seen.values():
            array[target] = array[source]
        other = ({0, 1, 2} - {source, target}).pop()
        for _ in range(20):
            seen = worlds.step(actions(seen))
            for array in (*seen.values(), worlds.rewards):
                np.testing.assert_array_equal(array[target], array[source])
        assert (seen["blocks"][other] != seen["blocks"][source]).any()
        assert worlds.infos[target] == worlds.infos[source]
        for name, array in worlds.reset().items():
            np.testing.assert_array_equal(array, begun[name])


@pytest.mark.parametrize("numbers", [(0, 3), (-1, 0), (0, True), (0, "1")])
def test_a_fork_of_no_world_is_refused_and_changes_nothing(numbers: Any) -> None:
    with Worlds(SEEDS, 1, SMALL, processes=1) as worlds:
        with pytest.raises(IllegalError, match=r"the episode has ended, or never begun"):
            worlds.fork(0, 1)
        worlds.reset()
        with pytest.raises(InvalidError, match="worlds are numbered from 0 to 2, not "):
            worlds.fork(*numbers)
        worlds.step(np.zeros((3, 1), int))


def test_a_world_with_another_seed_for_its_next_episode_is_still_copied_exactly() -> None:
    world = World(3)
    world.reset()
    world.step({})
    world.seed = 4
    copy = world.clone()
    for each in (world, copy):
        each.step({"A1": {"tasks": [{"type": "MOVE_TO", "target": [3, 21, 0], "tolerance": 1}]}})
    assert copy.digest() == world.digest()
