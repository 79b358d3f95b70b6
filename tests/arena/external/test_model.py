"""Language models as agents, against a real endpoint; and again without it, to the byte."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from tests.arena.external.matches import PATIENT, outcomes, play_match, task_of
from tests.models import misbehaviour
from tests.models.loopback import Handler, serving, unused_address
from thorp.arena import AgentConfig, AgentContext
from thorp.arena.contract import Limits, MatchTask, Seat
from thorp.arena.external import AgentFailure, Replies, open_agent
from thorp.arena.external.model_agents import (
    EXCHANGES_LIMIT,
    MEMORY_CHARACTERS_LIMIT,
    VERDICT_CHARACTERS_LIMIT,
    ModelAgent,
    Prompt,
    _short_verdict,
    read_action,
)
from thorp.arena.scenarios import NumberGuess
from thorp.arena.service import play, save_match, verify_file
from thorp.kernel.errors import InvalidError
from thorp.store import RealDisk

KEY = "sk-invented-for-this-test"
ONE = {"guess": 1}


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("THORP_MODEL_URL", "THORP_MODEL_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    started = time.monotonic()
    yield
    assert time.monotonic() - started < 30


def saying(*texts: str, usage: Any = None) -> Handler:
    """An endpoint that says these one after the other, and the last one for ever."""
    left = list(texts)

    async def handler(request: web.Request) -> web.StreamResponse:
        text = left.pop(0) if len(left) > 1 else left[0]
        return web.json_response({"choices": [{"message": {"content": text}}], "usage": usage})

    return handler


def play_and_replay(
    monkeypatch: pytest.MonkeyPatch, handler: Handler, max_turns: int = 3, limits: Limits = PATIENT
) -> list[object]:
    """The seat's outcomes, after seeing that the match gives the same bytes without endpoint and
    budget."""
    live = Replies()
    with serving(handler) as url:
        monkeypatch.setenv("THORP_MODEL_URL", f"{url}/v1")
        monkeypatch.setenv("THORP_MODEL_KEY", KEY)
        result = play_match("model:small", max_turns=max_turns, limits=limits, replies=live)
    monkeypatch.delenv("THORP_MODEL_URL")
    monkeypatch.delenv("THORP_MODEL_KEY")
    recorded = live.to_jsonl()
    for secret in (KEY, url):
        assert secret.encode() not in recorded + result.jsonl
    again = Replies.from_jsonl(recorded)
    assert play_match("model:small", max_turns=max_turns, replies=again).jsonl == result.jsonl
    assert again.to_jsonl() == recorded
    return outcomes(result)


def test_a_match_and_its_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = saying(
        '{"guess":7}', 'I say:\n```json\n{"guess": 8}\n```', '{"why":"so","action":{"guess":9}}'
    )
    assert play_and_replay(monkeypatch, handler) == [{"guess": 7}, {"guess": 8}, {"guess": 9}]


def test_recorded_replies_are_held_against_the_actions_they_led_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    task, recorded, log = task_of("model:small"), Replies(), tmp_path / "a.jsonl"
    with serving(saying('{"guess":7}', "Well...", '{"guess":9}')) as url:
        monkeypatch.setenv("THORP_MODEL_URL", f"{url}/v1")
        result = play(task, recorded)
    monkeypatch.delenv("THORP_MODEL_URL")
    save_match(RealDisk(), log, task, result, recorded.to_jsonl(), replace=False)
    found = verify_file(log)
    assert (found.difference, found.replayed_bots) == (None, ("seat-1",))
    # A forger changes a reply, or the model, and digests everything anew: the log no longer
    # follows.
    replies = recorded.to_jsonl()
    other_model = msgspec.structs.replace(task, seats=(Seat("seat-1", "model:large"),))
    for forged_task, forged, code, line in (
        (task, replies.replace(b"9}", b"8}"), "changed", 13),
        (task, b"".join(replies.splitlines(keepends=True)[:2]), "replies", 9),
        (other_model, replies, "replies", 4),
    ):
        save_match(RealDisk(), log, forged_task, result, forged, replace=True)
        difference = verify_file(log).difference
        assert difference is not None
        assert (difference.code, difference.line) == (code, line)


def test_a_model_plays_in_the_voxel_world_by_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        asked.append(await request.json())
        told = '{"action": "mine_nearest", "block": "LOG"}'
        return web.json_response({"choices": [{"message": {"content": told}}]})

    with serving(handler) as url:
        monkeypatch.setenv("THORP_MODEL_URL", url)
        task = MatchTask(
            "voxel-survival", (Seat("a", "model:small"),), 3, 3, {"ticks": 60}, limits=PATIENT
        )
        result = play(task, Replies())
    assert result.scores == {"a": 1}, "it felled a tree"
    system, *_, last = asked[-1]["messages"]
    assert "mine_nearest(block); place(x, y, z, item_id)" in system["content"]
    assert json.loads(last["content"])["observation"].startswith("NEWS")
    assert "voxels" not in last["content"]


def test_a_model_that_does_not_answer_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = ["the reply holds no JSON action", ONE, "the reply holds no JSON action"]
    assert play_and_replay(monkeypatch, saying("Well...", '{"guess":1}', "[5]")) == expected


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (misbehaviour.redirect, "HTTP 307"),
        (misbehaviour.not_json, "the reply is not JSON"),
        (misbehaviour.cut_off, "the reply was cut off"),
        (misbehaviour.huge, "the reply is larger than 1048576 bytes"),
    ],
)
def test_an_endpoint_that_fails(
    handler: Handler, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert play_and_replay(monkeypatch, handler, max_turns=2) == [expected] * 2


@pytest.mark.parametrize(
    ("handler", "expected"),
    [(misbehaviour.server_error, "HTTP 500"), (misbehaviour.close, "connection failed")],
)
def test_what_is_tried_again_ends_with_the_turn(
    handler: Handler, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = Limits(turn_seconds=0.45)
    assert play_and_replay(monkeypatch, handler, max_turns=2, limits=hasty) == [expected] * 2


@pytest.mark.parametrize("handler", [misbehaviour.stall, misbehaviour.drip])
def test_time_outs_replay_too(handler: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    tight = Limits(turn_seconds=0.3, match_seconds=0.8)
    expected = ["no reply within 0.3 s"] * 2 + ["the match limit of 0.8 s is used up"] * 3
    assert play_and_replay(monkeypatch, handler, max_turns=5, limits=tight) == expected


def test_the_budget_of_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    used_up = "the budget of 2 model calls is used up"
    limits = Limits(model_calls=2)
    expected = [ONE, ONE, used_up, used_up]
    assert (
        play_and_replay(monkeypatch, saying('{"guess":1}'), max_turns=4, limits=limits) == expected
    )


def test_the_budget_of_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = saying('{"guess":1}', usage={"prompt_tokens": 900, "completion_tokens": 100})
    limits = Limits(model_tokens=4500)
    expected = [ONE] * 3 + ["the budget of 4500 tokens does not cover another call"] * 2
    assert play_and_replay(monkeypatch, handler, max_turns=5, limits=limits) == expected


def test_a_replay_that_asks_something_else_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    live = Replies()
    with serving(saying('{"guess":1}')) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        play_match("model:small", replies=live)
    other = play_match("model:large", replies=Replies.from_jsonl(live.to_jsonl()))
    assert all(
        str(text).startswith("no reply is recorded for request req_") for text in outcomes(other)
    )


def test_no_endpoint_is_refused_before_the_match() -> None:
    with pytest.raises(InvalidError, match="no model endpoint; set THORP_MODEL_URL"):
        play_match("model:small")


def test_nothing_is_kept_when_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(saying('{"guess":1}')) as url:
        monkeypatch.setenv("THORP_MODEL_URL", url)
        assert outcomes(play_match("model:small", max_turns=1)) == [ONE]


def test_two_models_in_one_match(monkeypatch: pytest.MonkeyPatch) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        guess = len(asked["model"]) * 100 + len(asked["messages"])
        return web.json_response(
            {"choices": [{"message": {"content": json.dumps({"guess": guess})}}]}
        )

    live = Replies()
    with serving(handler) as url:
        monkeypatch.setenv("THORP_MODEL_URL", url)
        result = play_match("model:small", "model:larger", replies=live)
    monkeypatch.delenv("THORP_MODEL_URL")
    again = play_match("model:small", "model:larger", replies=Replies.from_jsonl(live.to_jsonl()))
    assert again.jsonl == result.jsonl
    assert outcomes(result, "seat-2") == [{"guess": 602}, {"guess": 604}, {"guess": 606}]


def test_what_the_model_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        asked.append(await request.json())
        return web.json_response({"choices": [{"message": {"content": '{"guess": 1}'}}]})

    monkeypatch.setattr(NumberGuess, "briefing", "Find the secret number.", raising=False)
    with serving(handler) as url:
        monkeypatch.setenv("THORP_MODEL_URL", url)
        play_match("model:small", max_turns=2)
    [system, question] = asked[0]["messages"]
    assert system["role"] == "system"
    assert "Find the secret number." in system["content"]
    assert '"scenario":"number-guess"' in system["content"]
    assert '"agentId":"seat-1"' in system["content"]
    assert '"parameters":{"maximum":1000000,"minimum":1}' in system["content"]
    assert json.loads(question["content"])["turn"] == 1
    roles = [message["role"] for message in asked[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert asked[1]["messages"][2]["content"] == '{"guess":1}'


def test_a_model_hears_why_it_was_refused_once_and_does_not_remember_it_as_an_example(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[list[dict[str, str]]] = []
    answers = iter(['{"guess": 5}', '{"guess": 0}', "Hm.", '{"guess": 6}', '{"guess": 7}'])

    async def handler(request: web.Request) -> web.StreamResponse:
        asked.append((await request.json())["messages"])
        return web.json_response({"choices": [{"message": {"content": next(answers)}}]})

    live = Replies()
    with serving(handler) as url:
        monkeypatch.setenv("THORP_MODEL_URL", url)
        result = play_match("model:small", max_turns=5, replies=live)
    monkeypatch.delenv("THORP_MODEL_URL")
    again = play_match("model:small", max_turns=5, replies=Replies.from_jsonl(live.to_jsonl()))
    assert again.jsonl == result.jsonl

    told = [json.loads(messages[-1]["content"]).get("lastAction") for messages in asked]
    error = {"error": "Invalid guess: out of range or non-integer", "guess": 0}
    assert told == [
        None,
        {"turn": 1, "valid": True, "feedback": {"feedback": "higher"}},
        {"turn": 2, "valid": False, "feedback": error, "action": {"guess": 0}},
        {"turn": 3, "valid": False, "feedback": {"error": "the reply holds no JSON action"}},
        {"turn": 4, "valid": True, "feedback": {"feedback": "higher"}},
    ]
    assert "lastAction" in asked[0][0]["content"], "the rules say what it is"
    last = [message["content"] for message in asked[-1]]
    assert [text for text in last if text.startswith('{"guess"')] == ['{"guess":5}', '{"guess":6}']
    assert not any("Invalid guess" in text for text in last)


def test_a_long_verdict_is_cut() -> None:
    verdict = {"turn": 1, "valid": False, "feedback": {"error": "no", "guess": "x" * 10_000}}
    short = _short_verdict(verdict, {"guess": "x" * 10_000})
    assert isinstance(short, str)
    assert len(short) < VERDICT_CHARACTERS_LIMIT + 20
    assert short.endswith("… (cut)")


OLD_REPLIES = Path(__file__).parents[2] / "golden" / "replies-1.jsonl"
"""Recorded by version 0.1, whose prompts did not tell verdicts."""


def test_a_recording_from_before_verdicts_were_told_still_plays_its_match() -> None:
    task = MatchTask("number-guess", (Seat("old", "model:small"),), seed=5, max_turns=4)
    result = play(task, Replies.from_jsonl(OLD_REPLIES.read_bytes()))
    answers = [{"guess": 7}, "the reply holds no JSON action", {"guess": 900}, {"guess": 50}]
    assert outcomes(result, "old") == answers


def test_memory_is_bounded_in_number_and_length() -> None:
    task = MatchTask("number-guess", (), seed=1, max_turns=100)
    prompt = Prompt("small", "a", task, "")
    for turn in range(1, 50):
        prompt.remember(turn, {"seen": turn}, {"guess": turn})
    messages = prompt.request(50, {"seen": 50}).messages
    assert len(messages) == 2 + 2 * EXCHANGES_LIMIT
    assert json.loads(messages[1].content)["turn"] == 50 - EXCHANGES_LIMIT
    prompt.remember(50, "x" * (MEMORY_CHARACTERS_LIMIT // 2), {})
    prompt.remember(51, "x" * (MEMORY_CHARACTERS_LIMIT // 2), {})
    assert len(prompt.request(52, None).messages) == 4
    prompt.remember(52, "x" * MEMORY_CHARACTERS_LIMIT, {})
    assert len(prompt.request(53, None).messages) == 2


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('{"guess": 5}', {"guess": 5}),
        ('{"action": {"guess": 5}}', {"guess": 5}),
        ('{"action": "hold"}', {"action": "hold"}),
        ('{"thought": "hm", "action": {"guess": 5}}', {"guess": 5}),
        ('{"guess": 1e999}', {"guess": None}),
    ],
)
def test_the_action_in_a_text(text: str, action: object) -> None:
    assert read_action(text) == action


@pytest.mark.parametrize("text", ["", "no", "5", '["guess", 5]', "{guess: 5}"])
def test_no_action_in_a_text(text: str) -> None:
    with pytest.raises(AgentFailure, match=r"^the reply holds no JSON action$"):
        read_action(text)


def test_a_dead_endpoint_is_named_to_people_and_not_in_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = unused_address()
    monkeypatch.setenv("THORP_MODEL_URL", url)
    recorded = Replies()
    result = play_match("model:small", max_turns=1, replies=recorded)
    assert outcomes(result) == ["connection failed"]
    assert result.diagnostics == {"seat-1": f"connection failed: {url}"}
    assert url.encode() not in result.jsonl + recorded.to_jsonl()


def test_what_the_endpoint_says_of_an_error_is_for_people_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response(status=404, text=f"no model for {KEY}")

    task = MatchTask("number-guess", (), seed=1, max_turns=1)
    with serving(handler) as url:
        monkeypatch.setenv("THORP_MODEL_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        with open_agent(Seat("a", "model:small"), task, None) as agent:
            assert isinstance(agent, ModelAgent)
            agent.init(AgentConfig("a", 1))
            with pytest.raises(Exception, match=r"^HTTP 404$"):
                agent.act({}, AgentContext(lambda: 0.5, 1, "a"))
    assert agent.diagnostics == "no model for [key]"
