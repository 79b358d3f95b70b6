"""JSON schemas for endpoints that take them, and recordings from before they were sent."""

from __future__ import annotations

import asyncio
import json
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.cli.serving import served
from tests.integrations.endpoint import Body, Endpoint, answering, call, calling, saying
from tests.integrations.test_bots_command import bots, known_world
from tests.models.loopback import serving
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.service import play
from thorp.models import ChatClient, ChatMessage, ChatRequest, ModelError, Recording
from thorp.models.tool_chat import ToolClient

GOLDEN = Path(__file__).parents[1] / "golden"
SCHEMA: Body = {"type": "object", "properties": {"guess": {"enum": [7]}}}
ASKED = (ChatMessage("system", "You guess."), ChatMessage("user", "Guess."))
REQUEST = ChatRequest("small", ASKED)
TOOLS = [
    {
        "type": "function",
        "function": {"name": "dig", "description": "Dig.", "parameters": {"type": "object"}},
    }
]
TOOL_REQUEST: Body = {
    "model": "small",
    "messages": [{"role": "system", "content": "Dig."}, {"role": "user", "content": "Well?"}],
    "tools": TOOLS,
}


def complete(script: Any, times: int = 1) -> Endpoint:
    endpoint = Endpoint(script)
    with serving(endpoint) as url:
        client = ChatClient(url)
        for _ in range(times):
            client.complete(REQUEST, seconds=10, schema=SCHEMA)
    return endpoint


def constrained(endpoint: Endpoint) -> list[bool]:
    return ["response_format" in body for body in endpoint.asked]


def test_it_is_sent_and_is_no_part_of_what_is_recorded() -> None:
    before = REQUEST.digest
    endpoint = complete(lambda number, body: saying('{"guess":7}'), times=2)
    assert constrained(endpoint) == [True, True]
    assert endpoint.asked[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA},
    }
    assert REQUEST.digest == before
    with serving(endpoint) as url:
        ChatClient(url).complete(REQUEST, seconds=10)
    assert constrained(endpoint)[-1] is False


@pytest.mark.parametrize(
    "refusal",
    [
        (400, '{"error": {"param": "response_format"}}', {}),
        (422, "response_format: extra fields not permitted", {}),
        (400, "bad request", {}),
        (500, "failed to parse grammar", {}),
    ],
)
def test_refused_once_it_is_not_sent_again(refusal: Any) -> None:
    def script(number: int, body: Body) -> Any:
        return refusal if "response_format" in body else saying("{}")

    assert constrained(complete(script, times=3)) == [True, False, False, False]


def test_other_refusals_are_not_blamed_on_it() -> None:
    def too_long(number: int, body: Body) -> Any:
        return (400, "the prompt is too long for the context", {})

    endpoint = Endpoint(too_long)
    with serving(endpoint) as url, pytest.raises(ModelError):
        ChatClient(url).complete(REQUEST, seconds=5, schema=SCHEMA)
    assert constrained(endpoint) == [True]

    def no_temperature(number: int, body: Body) -> Any:
        return (400, "temperature is fixed", {}) if "temperature" in body else saying("{}")

    endpoint = complete(no_temperature, times=2)
    assert constrained(endpoint) == [True, True, True]


def test_where_there_are_tools_their_own_schemas_bind() -> None:
    endpoint = Endpoint(lambda number, body: calling(call("dig")))
    _ask_tools(endpoint)
    assert constrained(endpoint) == [False, False]


def test_where_tools_are_in_the_prompt_the_call_is_constrained() -> None:
    def script(number: int, body: Body) -> Any:
        if "tools" in body:
            return (400, "this model has no tools", {})
        return saying('{"name": "dig", "arguments": {}}')

    endpoint = Endpoint(script)
    replies = _ask_tools(endpoint)
    assert constrained(endpoint) == [False, False, False, True]
    assert [reply.calls[0].name for reply in replies] == ["dig", "dig"]


def _ask_tools(endpoint: Endpoint) -> list[Any]:
    async def talk(url: str) -> list[Any]:
        client = ToolClient(url)
        return [await client.ask(TOOL_REQUEST, seconds=10, schema=lambda: SCHEMA) for _ in range(2)]

    with serving(endpoint) as url:
        return asyncio.run(talk(url))


# In a match

ANSWERS = [
    '{"action":"mine_nearest","block":"UNICORN"}',
    '{"action":"fly"}',
    '{"action":"wait"}',
]


def test_a_match_sends_the_schema_of_this_turn_and_a_refusal_names_what_is_possible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with answering(lambda number, body: saying(ANSWERS[(number - 1) % 3])) as (endpoint, url):
        monkeypatch.setenv("THORP_MODEL_URL", url)
        task = MatchTask("voxel-survival", (Seat("m", "model:small"),), seed=3, max_turns=3)
        replies = Recording()
        result = play(task, replies)
    assert constrained(endpoint) == [True, True, True]
    told = [json.loads(body["messages"][-1]["content"]) for body in endpoint.asked]
    assert "lastAction" not in told[0]
    mined = told[1]["lastAction"]["instead"]
    assert mined.startswith("Possible now: mine_nearest with block ")
    blocks = mined.rpartition("block ")[2].removesuffix(".").split(", ")
    first = endpoint.asked[0]["response_format"]["json_schema"]["schema"]["anyOf"]
    mine = next(each for each in first if each["properties"]["action"]["const"] == "mine_nearest")
    assert mine["properties"]["block"]["enum"] == blocks
    assert told[2]["lastAction"]["instead"].startswith("Possible now: go_to; mine_nearest (")
    again = play(task, Recording.from_jsonl(replies.to_jsonl()))
    assert again.jsonl == result.jsonl


def test_a_match_recorded_before_plays_to_the_same_bytes() -> None:
    """The log of this recording had this digest when it was made, by version 0.1."""
    replies = Recording.from_jsonl((GOLDEN / "replies-2.jsonl").read_bytes())
    task = MatchTask(
        "voxel-survival",
        (Seat("m", "model:small"),),
        seed=3,
        max_turns=10,
        parameters={"ticks": 600},
    )
    digest = sha256(play(task, replies).jsonl).hexdigest()
    assert digest == "1d3be8b5f630649e1f96b6577bf48248dfa73120d1e613d0b56941e98a1ebcf6"


# In a world


def test_a_talk_recorded_before_is_played_without_a_difference(tmp_path: Path) -> None:
    talk = tmp_path / "talk"
    shutil.copytree(GOLDEN / "conversation-1", talk)
    with served(tmp_path / "data", make_world=known_world) as world:
        done = bots(
            world,
            *("--agent", "model:small", "--count", "1", "--level", "simple"),
            *("--replay", str(talk)),
        )
    assert (done.returncode, "not the recorded one" in done.stderr) == (0, False), done.stderr
    assert "model-1: 1 done, 7 refused" in done.stdout


def test_a_model_without_tools_is_constrained_and_told_what_is_possible(tmp_path: Path) -> None:
    def script(number: int, body: Body) -> Any:
        if "tools" in body:
            return (400, "this model has no tools", {})
        return saying('{"name": "mine_nearest", "arguments": {"block": "UNICORN"}}')

    with (
        answering(script) as (endpoint, model),
        served(tmp_path / "data", make_world=known_world) as world,
    ):
        done = bots(
            world,
            *("--agent", "model:small", "--count", "1", "--level", "simple"),
            *("--agent-calls", "3", "--record", str(tmp_path / "talk")),
            model=model,
        )
    assert done.returncode == 0, done.stderr
    schemas = [body["response_format"] for body in endpoint.asked if "response_format" in body]
    assert len(schemas) == 2
    head, *lines = map(json.loads, (tmp_path / "talk" / "model-1.jsonl").read_text().splitlines())
    assert head["version"] == 2
    said = [line["said"] for line in lines if line["at"] == "act"]
    assert all("Possible now: mine_nearest with block " in each for each in said)
