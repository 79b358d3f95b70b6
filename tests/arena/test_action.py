"""Actions as JavaScript's writer would write them; what is logged is what is judged."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from tests.arena.stubs import Answering, Echo, always
from thorp.arena import AgentContext, MatchConfig, run_match
from thorp.arena.action import ACTION_BYTES_LIMIT, ACTION_DEPTH_LIMIT
from thorp.arena.scenarios import NumberGuess


def submitted(action: Any) -> tuple[Any, Any, bytes]:
    """The logged action, the one the scenario got, and the log."""
    result = run_match(Echo(), [always("a", action)], MatchConfig(seed=1, max_turns=1))
    (event,) = [event for event in result.events if event["type"] == "ActionSubmitted"]
    (summary,) = [event["summary"] for event in result.events if event["type"] == "StateUpdated"]
    return event["action"], summary["seen"][0], result.jsonl


def error_message(action: Any) -> str:
    result = run_match(Echo(), [always("a", action)], MatchConfig(seed=1, max_turns=1))
    (event,) = [event for event in result.events if event["type"] == "AgentError"]
    assert all(event["type"] != "ActionSubmitted" for event in result.events)
    return str(event["message"])


NORMALISED = [
    (None, None),
    ("text", "text"),
    (True, True),
    (50.0, 50),
    (math.nan, None),
    ([math.inf, -0.0], [None, 0]),
    ((1, 2), [1, 2]),
    ({"b": 1, "7": 2}, {"7": 2, "b": 1}),
    ({"keep": 1, "drop": len, "list": [print, 1]}, {"keep": 1, "list": [None, 1]}),
    (len, None),
    (2**53 + 1, 2**53),
]


@pytest.mark.parametrize(("returned", "logged"), NORMALISED, ids=repr)
def test_normalised_actions(returned: Any, logged: Any) -> None:
    event, judged, _ = submitted(returned)
    assert event == judged == logged
    if isinstance(logged, dict):
        assert list(event) == list(judged) == list(logged)


def cycle() -> Any:
    loop: list[Any] = []
    loop.append(loop)
    return loop


@pytest.mark.parametrize(
    "action",
    [cycle(), {1, 2}, b"raw", object(), {"a": {3: 4}}, {"f": len, "s": {1}}],
    ids=lambda a: type(a).__name__,
)
def test_what_cannot_be_written_is_an_agent_error(action: Any) -> None:
    assert error_message(action)


def test_a_coroutine_is_an_agent_error_and_leaves_no_warning() -> None:
    async def late(_observation: Any, _ctx: AgentContext) -> Any:
        return {"guess": 1}

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = run_match(Echo(), [Answering("a", late)], MatchConfig(seed=1, max_turns=1))
    (error,) = [event for event in result.events if event["type"] == "AgentError"]
    assert "coroutine" in error["message"]


def test_the_size_limit_is_counted_in_bytes() -> None:
    fits = "é" * (ACTION_BYTES_LIMIT // 2 - 1)
    assert submitted(fits)[0] == fits
    assert str(ACTION_BYTES_LIMIT) in error_message(fits + "x")


def nested(levels: int, leaf: Any) -> Any:
    for _ in range(levels):
        leaf = [leaf]
    return leaf


@pytest.mark.parametrize(
    "leaf", [1, 1.5, "[[[[\\"], ids=["whole", "fraction", "brackets in a string"]
)
def test_a_deep_action_is_refused_before_it_can_hurt_the_scenario(leaf: Any) -> None:
    """What an agent may nest always fits into a summary that shows it; no agent can end a match by
    depth."""
    guess = {"guess": nested(ACTION_DEPTH_LIMIT - 1, leaf)}
    seats = [always("deep", guess), always("deeper", {"guess": nested(ACTION_DEPTH_LIMIT, leaf)})]
    result = run_match(NumberGuess(), seats, MatchConfig(seed=1, max_turns=2))
    assert (result.error, result.reason) == (None, "maxTurnsReached")
    errors = [event["agentId"] for event in result.events if event["type"] == "AgentError"]
    assert errors == ["deeper", "deeper"]


def test_many_brackets_in_a_string_are_not_depth() -> None:
    action = {"say": "[" * 1000 + '"', "also": [[]] * 500}
    assert submitted(action)[0] == action


def test_null_is_an_invalid_action_of_number_guess() -> None:
    result = run_match(NumberGuess(), [always("a", None)], MatchConfig(seed=1, max_turns=1))
    (verdict,) = [event for event in result.events if event["type"] == "ActionAdjudicated"]
    assert verdict["valid"] is False
    assert verdict["feedback"] == {"error": "Invalid guess: out of range or non-integer"}
    assert result.reason == "maxTurnsReached"


NUMPY_SCALARS = [
    (np.int64(50), 50),
    (np.uint8(7), 7),
    (np.float64(50.0), 50),
    (np.float32(0.5), 0.5),
    (np.bool_(True), True),
    (np.float32("nan"), None),
    (
        {"guess": np.int32(3), "why": [np.float16(1.5), np.str_("near")]},
        {"guess": 3, "why": [1.5, "near"]},
    ),
]


@pytest.mark.parametrize(("action", "number"), NUMPY_SCALARS)
def test_a_numpy_scalar_is_the_number_it_holds(action: Any, number: Any) -> None:
    logged, judged, _ = submitted(action)
    assert (logged, judged) == (number, number)


@pytest.mark.parametrize(
    "action", [np.array([1, 2]), np.datetime64("2026-01-01"), np.complex64(1j)]
)
def test_what_numpy_holds_beside_numbers_is_refused(action: Any) -> None:
    assert "is not a JSON value" in error_message({"guess": action})
