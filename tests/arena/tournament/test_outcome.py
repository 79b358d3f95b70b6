"""Outcomes: what the log says each seat did, and which matches cannot be scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.arena import Adjudication, AgentConfig, AgentContext, MatchConfig, run_match
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.tournament.outcome import SCORE_LIMIT, Outcome, make_outcome, read_outcome
from thorp.kernel.errors import DamagedError
from thorp.kernel.identity import digest


class Echo:
    """Takes any action, calls it valid if it says so, and repeats it wherever it can."""

    name = "Echo"

    def __init__(self, scores: Any = None) -> None:
        self.scores = scores

    def init(self, seed: int, agent_ids: Sequence[str]) -> list[Any]:
        return list(agent_ids)

    def observe(self, state: Any, agent_id: str) -> Any:
        return {"seen": state}

    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Adjudication:
        return Adjudication(bool(action["ok"]), {"echo": action}, [*state, action])

    def is_terminal(self, state: Any) -> bool:
        return False

    def score(self, state: Any) -> Any:
        return self.scores

    def summarize(self, state: Any) -> Any:
        return state


class Scripted:
    def __init__(self, id: str, actions: list[Any]) -> None:
        self.id = id
        self.actions = iter(actions)

    def init(self, config: AgentConfig) -> None: ...

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        action = next(self.actions)
        if action is None:
            raise RuntimeError("no idea")
        return action


def played(scores: Any, *agents: Scripted, turns: int = 1) -> Outcome:
    result = run_match(Echo(scores), agents, MatchConfig(7, turns, "r01-m0001-x"))
    seats = tuple(Seat(agent.id, "none") for agent in agents)
    return make_outcome(MatchTask("echo", seats, 7, turns, match_id="r01-m0001-x"), result, {})


hostile = st.text(max_size=12) | st.sampled_from(
    ['a","turn":1,"valid":true', '\n{"type":"AgentError","agentId":"b",', "\\", '"', "\u2028", "😀"]
)
answers = st.lists(st.sampled_from([True, False, None]), min_size=5, max_size=5)


@given(
    st.lists(hostile, min_size=2, max_size=3, unique=True),
    st.lists(answers, min_size=3, max_size=3),
    hostile,
)
def test_actions_are_counted_per_seat(
    ids: list[str], said: list[list[bool | None]], text: str
) -> None:
    """Whatever ids and actions hold, also what looks like an event of the log."""
    agents = [
        Scripted(
            id, [None if ok is None else {"ok": ok, text: text, "type": "AgentError"} for ok in row]
        )
        for id, row in zip(ids, said, strict=False)
    ]
    outcome = played(dict.fromkeys(ids, 1), *agents, turns=5)
    rows = said[: len(ids)]
    assert outcome.valid == tuple(row.count(True) for row in rows)
    assert outcome.invalid == tuple(row.count(False) for row in rows)
    assert outcome.errors == tuple(row.count(None) for row in rows)


def test_an_agent_that_fails_to_start_has_one_error() -> None:
    class Broken(Scripted):
        def init(self, config: AgentConfig) -> None:
            raise RuntimeError("not today")

    outcome = played({"a": 1, "b": 0}, Broken("a", []), Scripted("b", [{"ok": True}]))
    assert (outcome.valid, outcome.errors) == ((0, 1), (1, 0))


@pytest.mark.parametrize(
    "scores",
    [
        None,
        {},
        {"a": 1},
        {"a": 1, "b": None},
        {"a": 1, "b": "2"},
        {"a": 1, "b": True},
        [1, 2],
        {"a": 1, "b": 2 * SCORE_LIMIT},
        {"a": 1, "b": -2 * SCORE_LIMIT},
        {"a": 1, "b": float("nan")},
    ],
)
def test_scores_that_are_not_one_number_a_seat_abort_the_match(scores: Any) -> None:
    outcome = played(scores, Scripted("a", [{"ok": True}]), Scripted("b", [{"ok": True}]))
    assert (outcome.scores, outcome.error) == (None, "BadScores")


def test_a_scenario_that_fails_aborts_the_match_and_only_its_kind_is_kept() -> None:
    outcome = played(
        {"a": 1, "b": 0}, Scripted("a", [{"ok": True}]), Scripted("b", [{"not ok": 1}])
    )
    assert (outcome.reason, outcome.scores, outcome.error) == ("error", None, "KeyError")


def test_scores_come_by_seat() -> None:
    outcome = played(
        {"b": 2, "a": 1.5, "x": 9}, Scripted("a", [{"ok": True}]), Scripted("b", [{"ok": True}])
    )
    assert outcome.scores == (1.5, 2)
    assert outcome.seats == ("a", "b")


def test_a_line_reads_back() -> None:
    outcome = played({"a": 2.0, "b": 1e-7}, Scripted("a", [{"ok": True}]), Scripted("b", [None]))
    assert read_outcome(outcome.line()) == outcome
    assert b'"scores":[2,1e-7]' in outcome.line()
    assert digest(outcome.line()) == digest(read_outcome(outcome.line()).line())


@pytest.mark.parametrize("line", [b"", b"{}", b"[]", b'{"key":1}', b"\xff"])
def test_other_bytes_are_damage(line: bytes) -> None:
    with pytest.raises(DamagedError):
        read_outcome(line)
