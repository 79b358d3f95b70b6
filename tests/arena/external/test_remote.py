"""HTTP servers as agents: a real server that plays, stalls, drips, errs, cuts off and lies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web

from tests.arena.external.matches import outcomes, play_match
from tests.models import misbehaviour
from tests.models.loopback import Handler, saying, serving, unused_address
from thorp.arena import AgentConfig
from thorp.arena.contract import Limits, MatchTask, Seat
from thorp.arena.external import open_agent, protocol
from thorp.arena.external.agents import RemoteAgent

ONE = {"guess": 1}
HASTY = Limits(turn_seconds=0.3, match_seconds=60)


@pytest.fixture(autouse=True)
def _never_hangs() -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < 30


class Server:
    """Answers init, and then every turn as it is told."""

    def __init__(self, act: Handler) -> None:
        self.act = act
        self.asked: list[Any] = []

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        message = await request.json()
        self.asked.append(message)
        return (
            web.json_response({"protocol": 1})
            if message["type"] == "init"
            else await self.act(request)
        )


def replying(**members: Any) -> Handler:
    """A handler that echoes the turn, and says this."""

    async def handler(request: web.Request) -> web.StreamResponse:
        reply = {"turn": (await request.json())["turn"], **members}
        return web.json_response({key: value for key, value in reply.items() if value != "absent"})

    return handler


def twice(handler: Handler, **options: Any) -> list[object]:
    with serving(handler) as url:
        first = play_match(f"{url}/agent", **options)
        assert play_match(f"{url}/agent", **options).jsonl == first.jsonl
    assert url.encode() not in first.jsonl
    return outcomes(first)


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (replying(action=ONE), ONE),
        (replying(type="action", action=None), None),
        (replying(type="error", message="no idea"), "no idea"),
        (replying(), "the reply holds no action"),
        (replying(turn="absent", action=1), "the reply does not answer turn 1"),
        (replying(turn=0, action=1), "the reply does not answer turn 1"),
        (replying(turn=True, action=1), "the reply does not answer turn 1"),
        (replying(type="ready", action=1), "the reply is neither an action nor an error"),
        (misbehaviour.server_error, "HTTP 500"),
        (misbehaviour.redirect, "HTTP 307"),
        (misbehaviour.not_json, "the reply is not JSON"),
        (misbehaviour.not_utf8, "the reply is not JSON"),
        (misbehaviour.compressed, "the reply is not JSON"),
        (misbehaviour.cut_off, "the reply was cut off"),
        (misbehaviour.cut_off_chunked, "the reply was cut off"),
        (misbehaviour.huge, "the reply is larger than 1048576 bytes"),
        (misbehaviour.endless, "the reply is larger than 1048576 bytes"),
        (misbehaviour.close, "connection failed"),
    ],
)
def test_what_comes_of_a_turn(handler: Handler, expected: object) -> None:
    assert twice(Server(handler), max_turns=1) == [expected]


@pytest.mark.parametrize(
    "handler", [misbehaviour.stall, misbehaviour.drip, misbehaviour.stall_in_error]
)
def test_a_turn_that_takes_too_long(handler: Handler) -> None:
    assert twice(Server(handler), max_turns=2, limits=HASTY) == ["no reply within 0.3 s"] * 2


def test_the_match_limit() -> None:
    tight = Limits(turn_seconds=0.3, match_seconds=0.8)
    expected = ["no reply within 0.3 s"] * 2 + ["the match limit of 0.8 s is used up"] * 98
    assert twice(Server(misbehaviour.stall), max_turns=100, limits=tight) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ({"protocol": 2}, "the agent does not speak protocol 1"),
        ({}, "the agent does not speak protocol 1"),
        ({"type": "error", "message": "no licence"}, "no licence"),
        ({"type": "action", "protocol": 1}, "the agent did not answer init with ready"),
        ([], "the reply is not a JSON object"),
    ],
)
def test_init_that_is_answered_otherwise(reply: Any, expected: str) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        return web.json_response(reply)

    assert twice(handler) == [expected]


@pytest.mark.parametrize(
    ("handler", "expected"),
    [(misbehaviour.server_error, "HTTP 500"), (misbehaviour.close, "connection failed")],
)
def test_init_that_fails(handler: Handler, expected: str) -> None:
    assert twice(handler) == [expected]


def test_never_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "START_SECONDS", 0.3)
    assert twice(misbehaviour.stall) == ["not ready within 0.3 s"]


def test_nobody_listens() -> None:
    assert outcomes(play_match(unused_address())) == ["connection failed"]


def test_what_is_not_http() -> None:
    with saying(b"220 mail.example ESMTP\r\n") as url:
        assert outcomes(play_match(url)) == ["the reply is not HTTP"]


def test_a_server_that_goes_away_fails_every_further_turn() -> None:
    async def act(request: web.Request) -> web.StreamResponse:
        turn = (await request.json())["turn"]
        if turn > 1:
            return await misbehaviour.close(request)
        return web.json_response({"turn": turn, "action": 1})

    assert twice(Server(act)) == [1, "connection failed", "connection failed"]


def test_every_request_says_all_there_is_to_know() -> None:
    server = Server(replying(action=ONE))
    with serving(server) as url:
        result = play_match(url, max_turns=2)
    init, *acts = server.asked
    assert list(init) == [
        "type",
        "protocol",
        "agentId",
        "seed",
        "scenario",
        "parameters",
        "maxTurns",
        "limits",
    ]
    observations = [
        event["observation"] for event in result.events if event["type"] == "ObservationEmitted"
    ]
    verdicts = [{}, {"feedback": {"turn": 1, "valid": True, "feedback": {"feedback": "higher"}}}]
    assert acts == [
        {
            "type": "act",
            "protocol": 1,
            "agentId": "seat-1",
            "seed": init["seed"],
            "turn": turn,
            "scenario": "number-guess",
            "parameters": {"minimum": 1, "maximum": 10**6},
            "observation": observation,
            **verdicts[turn - 1],
        }
        for turn, observation in enumerate(observations, start=1)
    ]


def test_what_an_error_page_says_is_for_people_only() -> None:
    task = MatchTask("number-guess", (), seed=1, max_turns=1)
    with serving(misbehaviour.server_error) as url, open_agent(Seat("a", url), task, None) as agent:
        assert isinstance(agent, RemoteAgent)
        with pytest.raises(Exception, match=r"^HTTP 500$"):
            agent.init(AgentConfig("a", 1))
    assert agent.diagnostics == "the disk is on fire"


def test_slow_but_in_time() -> None:
    async def act(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(0.2)
        return await replying(action=ONE)(request)

    assert twice(Server(act), max_turns=2) == [ONE, ONE]
