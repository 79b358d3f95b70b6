"""The recap tells any match, and refuses what is none."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arena.stubs import Answering, Echo, always
from thorp.arena import Agent, MatchConfig, run_match
from thorp.arena.agents import BaselineAgent, RandomAgent
from thorp.arena.events import EVENT_TYPES, LogReader
from thorp.arena.recap import VALUE_LIMIT, recap
from thorp.arena.scenarios import NumberGuess
from thorp.kernel.errors import InvalidError


def told(log: bytes, only_agent: str | None = None) -> list[str]:
    return list(recap(LogReader(io.BytesIO(log)), only_agent=only_agent))


def test_a_match_line_by_line() -> None:
    seats: list[Agent] = [RandomAgent("random-1"), BaselineAgent("baseline-1")]
    lines = told(run_match(NumberGuess(), seats, MatchConfig(seed=42, max_turns=20)).jsonl)
    assert lines[0] == "NumberGuess m_vq4ygsjw5ri5: random-1, baseline-1; seed 42, at most 20 turns"
    assert lines[1:4] == [
        "turn 1",
        "  random-1    guess 63  →  feedback lower",
        "  baseline-1  guess 50  →  feedback lower",
    ]
    assert lines[-3:] == ["completed after 5 turns", "  baseline-1  100", "  random-1    0"]


def test_failures_and_invalid_actions_stand_out() -> None:
    seats: list[Agent] = [Answering("a", lambda *_: 1 / 0), always("b", "nonsense")]
    text = "\n".join(told(run_match(NumberGuess(), seats, MatchConfig(seed=1, max_turns=1)).jsonl))
    assert "FAILED: division by zero" in text
    assert "INVALID" in text


def test_one_agent_alone() -> None:
    seats: list[Agent] = [RandomAgent("a"), RandomAgent("b")]
    lines = told(run_match(NumberGuess(), seats, MatchConfig(seed=1, max_turns=2)).jsonl, "b")
    assert not any(line.startswith("  a  guess") for line in lines)
    assert any(line.startswith("  b  guess") for line in lines)


def test_summaries_on_demand() -> None:
    log = run_match(
        NumberGuess(1, 1), [always("a", {"guess": 1})], MatchConfig(seed=1, max_turns=2)
    ).jsonl
    assert not any("secretNumber" in line for line in told(log))
    lines = list(recap(LogReader(io.BytesIO(log)), summaries=True))
    assert any(line.startswith('  = {"winner":"a","secretNumber":1') for line in lines)


def test_long_values_and_line_feeds_stay_on_their_line() -> None:
    lines = told(
        run_match(Echo(), [always("a", "x\n" * 500)], MatchConfig(seed=1, max_turns=1)).jsonl
    )
    assert all("\n" not in line and len(line) < 3 * VALUE_LIMIT for line in lines)


@pytest.mark.parametrize("tail", [b"nonsense\n", b'{"type":"Other"}\n', b"\xff\n", b"[1]\n"])
def test_a_line_that_is_no_event_is_named(tail: bytes) -> None:
    log = run_match(Echo(), [], MatchConfig(seed=1, max_turns=0)).jsonl
    with pytest.raises(InvalidError, match="line 3"):
        told(log + tail)


ODD = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.lists(st.integers())
    | st.dictionaries(st.text(), st.text())
)
EVENTS = st.fixed_dictionaries(
    {"type": st.sampled_from(EVENT_TYPES)},
    optional=dict.fromkeys(
        ("agentId", "turn", "action", "valid", "feedback", "scores", "reason"), ODD
    ),
)


@given(st.lists(EVENTS, max_size=5))
def test_no_event_however_odd_breaks_it_or_the_terminal(events: list[dict[str, Any]]) -> None:
    log = run_match(
        Echo(), [always("\x1b[2J\udc00", "\x1b[31m")], MatchConfig(seed=1, max_turns=1)
    ).jsonl
    log += b"".join(json.dumps(event).encode() + b"\n" for event in events)
    for line in told(log):
        assert line.isprintable()
        line.encode("utf-8")
