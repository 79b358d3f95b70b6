"""A run of a task is a match: its log proves the score."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from tests.tasks.sources import proofs
from thorp.arena import AgentContext, MatchConfig, MatchResult, run_match
from thorp.arena.contract import SimpleAgent
from thorp.arena.events import LogReader
from thorp.arena.testing import check_scenario
from thorp.arena.verify import find_difference
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError, UnknownError
from thorp.tasks.bots import IdleAgent, RandomAgent
from thorp.tasks.scenario import TaskMatch

SEED = 3000
TURNS = 400


class Solver(SimpleAgent):
    """Plays a solution."""

    def __init__(self, id: str, acts: list[Any]) -> None:
        super().__init__(id)
        self._acts = list(acts)

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return self._acts.pop(0)


def solved(task: str) -> MatchResult:
    solver = Solver("wren", proofs()[f"{task}-{SEED}"].solution.acts)
    return run_match(TaskMatch(f"{task}-{SEED}"), [solver], MatchConfig(seed=1, max_turns=TURNS))


def difference(task: str, log: bytes) -> object:
    reader = LogReader(BytesIO(log))
    config = MatchConfig(seed=1, max_turns=TURNS)
    return find_difference(reader, TaskMatch(f"{task}-{SEED}"), ["wren"], config)


@pytest.mark.parametrize(
    "task",
    ["remember-ferry", "govern-wall", pytest.param("live-bench", marks=pytest.mark.long)],
)
def test_a_task_keeps_the_contract_of_scenarios(task: str) -> None:
    def make() -> TaskMatch:
        return TaskMatch(task)

    check_scenario(make, agents=[RandomAgent], ends_within=make().task.max_turns + 1, matches=2)


def test_the_briefing_says_which_actions_there_are() -> None:
    for task, action in {
        "live-logs": "mine_nearest(block)",
        "remember-feast": "answer(text, cites)",
        "govern-calm": "propose(type, target)",
    }.items():
        assert action in TaskMatch(task).briefing


def test_the_log_of_a_run_proves_its_score() -> None:
    result = solved("live-bench")
    assert result.scores == {"wren": 1.0}
    assert difference("live-bench", result.jsonl) is None


def test_a_forged_score_is_found() -> None:
    idle = run_match(
        TaskMatch(f"live-bench-{SEED}"), [IdleAgent("wren")], MatchConfig(seed=1, max_turns=TURNS)
    )
    assert idle.scores == {"wren": 0.0}
    assert difference("live-bench", idle.jsonl) is None
    lines = [json.loads(line) for line in idle.jsonl.splitlines()]
    forged = [line for line in lines if _raise_score(line)]
    assert forged, "the log has a score"
    log = b"".join(canonical_bytes(line) + b"\n" for line in lines)
    assert log != idle.jsonl
    assert difference("live-bench", log) is not None


def _raise_score(line: dict[str, Any]) -> bool:
    scores = line.get("scores")
    if isinstance(scores, dict):
        scores["wren"] = 1
    return isinstance(scores, dict)


def test_a_task_of_nobody_is_refused() -> None:
    with pytest.raises(UnknownError):
        TaskMatch("live-gold")
    with pytest.raises(UnknownError):
        TaskMatch("live-logs@9")
    with pytest.raises(InvalidError):
        TaskMatch("live-logs-4294967296")


def test_the_match_draws_a_row_of_a_task_that_names_none() -> None:
    config = MatchConfig(seed=1, max_turns=1)
    seen: list[Any] = []

    class Looker(IdleAgent):
        def act(self, observation: Json, ctx: AgentContext) -> Json:
            seen.append(observation["task"]["id"])
            return super().act(observation, ctx)

    run_match(TaskMatch("live-bench"), [Looker("wren")], config)
    run_match(TaskMatch("live-bench"), [Looker("wren")], config)
    run_match(TaskMatch("live-bench"), [Looker("wren")], MatchConfig(seed=2, max_turns=1))
    assert seen[0] == seen[1] != seen[2]
