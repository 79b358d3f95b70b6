"""Starts that fork: one object names a state, and every way to open it leads to the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.table import table
from thorp.kernel.errors import (
    ConflictError,
    IllegalError,
    InvalidError,
    ThorpError,
    UnavailableError,
    UnknownError,
)
from thorp.kernel.rng import Mulberry32
from thorp.tasks import Episode, Start, Starts, read_start, start_of
from thorp.tasks.groups import Decide, play_to, run_group
from thorp.tasks.policies import draw
from thorp.workers.forks import run_forked

ROOT = Path(__file__).parents[2]
ACTS: list[Any] = [
    {"action": "wait"},
    {"action": "fly"},
    None,
    {"action": "mine_nearest", "block": "LOG"},
    1,
]


def played(acts: list[Any], row: str = "try-logs-1") -> Episode:
    episode = table().open(row)
    for action in acts:
        episode.act(action)
    return episode


def at_random(member: int) -> Decide:
    rng = Mulberry32(member)
    return lambda seen: draw(seen["possible"], rng.random)


def test_a_start_is_opened_by_replay_and_by_clone_in_the_same_state() -> None:
    episode = played(ACTS)
    start = start_of(episode)
    starts = Starts(table())
    opened = [starts.open(start) for _ in range(3)]
    for again in opened:
        assert (again.digest(), again.acts, again.turn) == (start.digest, ACTS, len(ACTS))
        assert again.observe() == episode.observe()
    opened[0].act({"action": "wait"})
    assert opened[0].digest() != opened[1].digest() == start.digest
    assert read_start({"task": start.task, "acts": start.acts, "digest": start.digest}) == start
    for each in (*opened[1:], episode):
        each.act({"action": "mine_nearest", "block": "LOG"})
    assert len({each.digest() for each in (*opened[1:], episode)}) == 1


def test_what_is_kept_is_opened_without_a_replay_and_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starts = Starts(table(), kept=2)
    named = [starts.keep(played(ACTS[:count])) for count in range(4)]
    replays: list[str] = []
    act = Episode.act

    def noted(self: Episode, action: Any) -> Any:
        replays.append("act")
        return act(self, action)

    monkeypatch.setattr(Episode, "act", noted)
    assert starts.open(named[3]).digest() == named[3].digest
    assert starts.open(named[2]).digest() == named[2].digest
    assert replays == []
    assert starts.open(named[1]).digest() == named[1].digest
    assert replays == ["act"]


def other(start: Start, **fields: Any) -> Start:
    return Start(**{"task": start.task, "acts": start.acts, "digest": start.digest, **fields})


@pytest.mark.parametrize(
    ("fields", "kind", "code"),
    [
        ({"digest": "0" * 64}, ConflictError, "digest"),
        ({"task": "try-logs-2"}, ConflictError, "digest"),
        ({"task": "try-careful-1"}, ConflictError, "digest"),
        ({"acts": ACTS[:-1]}, ConflictError, "digest"),
        ({"task": "try-logs@2-1"}, UnknownError, "version"),
        ({"task": "try-nothing-1"}, UnknownError, "task"),
        ({"task": "try-logs"}, InvalidError, "row"),
        ({"task": "../logs-1"}, InvalidError, "task"),
        ({"task": "try-logs-99999999999"}, InvalidError, "task"),
        ({"acts": [*ACTS, *[{"action": "wait"}] * 20]}, IllegalError, "start"),
    ],
)
def test_a_start_that_leads_elsewhere_is_refused(
    fields: dict[str, Any], kind: type[ThorpError], code: str
) -> None:
    start = start_of(played(ACTS))
    starts = Starts(table())
    for _ in range(2):
        with pytest.raises(kind) as refusal:
            starts.open(other(start, **fields))
        assert refusal.value.code == code
        assert "\n" not in str(refusal.value)
    assert starts.open(start).digest() == start.digest


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"task": 1},
        {"task": "try-logs-1", "more": 1},
        {"task": "try-logs-1", "digest": "abc"},
        {"task": "try-logs-1", "acts": {}},
        {"task": "x" * 81},
        {"task": "try-logs-1", "acts": [{}] * 2_001},
    ],
)
def test_what_is_no_start_is_refused(value: Any) -> None:
    with pytest.raises(InvalidError, match="no start: ") as refusal:
        read_start(value)
    assert refusal.value.code == "start"


def test_a_refused_act_changes_the_exact_digest_and_not_the_node() -> None:
    refused = played([{"action": "craft", "recipe_id": "wood_pickaxe"}, {"action": "wait"}])
    waited = played([{"action": "wait"}, {"action": "wait"}])
    moved = played([{"action": "mine_nearest", "block": "LOG"}, {"action": "wait"}])
    assert refused.digest() != waited.digest()
    assert refused.node() == waited.node()
    assert moved.node() != waited.node() or moved.score == waited.score


def test_rewards_add_up_to_the_score_and_none_is_below_zero() -> None:
    for row in ("try-logs-1", "try-logs-3", "try-careful-1", "try-careful-2"):
        episode = table().open(row)
        policy = at_random(5)
        rewards = []
        while not episode.is_over:
            episode.act(policy(episode.observe()))
            rewards.append(episode.reward)
        assert min(rewards) >= 0
        assert sum(rewards) == pytest.approx(episode.score)
        if episode.task.never:
            assert not any(rewards[:-1])


def test_every_way_of_copying_gives_the_same_group() -> None:
    episode = table().open("try-logs-1")
    play_to(episode, at_random(9), turn=4)
    before = episode.digest()
    group = run_group(episode, at_random, members=4, way="clone")
    assert run_group(episode, at_random, members=4, way="replay") == group
    assert run_group(episode, at_random, members=4) == group
    assert episode.digest() == before == group.start.digest
    assert len({branch.digest for branch in group.branches}) > 1
    assert sum(group.advantages) == pytest.approx(0)
    first = Starts(table()).open(group.start)
    for action in group.branches[0].acts:
        first.act(action)
    assert first.digest() == group.branches[0].digest
    with pytest.raises(InvalidError, match="a group has 1 to 1024 members, not 0"):
        run_group(episode, at_random, members=0)


def branches_fail() -> list[str]:
    """What is said of branches that fail; in a process without threads."""

    def fail() -> bytes:
        raise ValueError("no luck")

    said = []
    for calls in ([lambda: b"", fail, lambda: b""], [lambda: os._exit(3)]):
        try:
            list(run_forked(calls, alive=3))
        except UnavailableError as failure:
            said.append(str(failure))
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # no branch is left
    return said


def test_forks_give_the_same_group_and_end_with_their_iterator() -> None:
    command = [sys.executable, "-m", "tests.tasks.forking"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "branches": 4,
        "processes": 6,
        "failures": [
            "a branch has failed: ValueError: no luck",
            "a branch has failed: its process has ended",
        ],
    }


def test_a_process_with_threads_is_not_forked() -> None:
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    other.start()
    try:
        with pytest.raises(IllegalError, match="this process has other threads") as refusal:
            list(run_forked([lambda: b""]))
    finally:
        stop.set()
        other.join()
    assert refusal.value.code == "no_fork"
