"""Conversations with tools, against a real server that is as strict, slow and odd as people's
are."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from time import monotonic
from typing import Any

import pytest
from aiohttp import web

from tests.integrations.endpoint import Body, Endpoint, Script, call, calling, saying
from tests.models import misbehaviour
from tests.models.loopback import serving
from thorp.kernel.canonical import canonical_bytes
from thorp.models import ModelError, ModelTimeout
from thorp.models.tool_chat import (
    MAX_CALLS,
    EndpointRefused,
    ToolCall,
    ToolClient,
    ToolReply,
    read_reply,
)

KEY = "sk-invented-for-this-test"
TOOLS = [
    {
        "type": "function",
        "function": {"name": "dig", "description": "Dig.", "parameters": {"type": "object"}},
    }
]
ASKED: list[Body] = [
    {"role": "system", "content": "You dig."},
    {"role": "user", "content": "Well?"},
]
REQUEST: Body = {"model": "small", "messages": ASKED, "tools": TOOLS}


def ask(
    script: Script, *, times: int = 1, suffix: str = "", seconds: float = 10, environ: Any = None
) -> Any:
    """What the endpoint was asked, and its last reply."""
    endpoint = Endpoint(script)

    async def talk(url: str) -> ToolReply:
        client = ToolClient.from_environment({"THORP_MODEL_URL": url + suffix, **(environ or {})})
        for _ in range(times):
            reply = await client.ask(REQUEST, seconds=seconds)
        return reply

    with serving(endpoint) as url:
        return endpoint, asyncio.run(talk(url))


def digs(number: int, body: Body) -> Body:
    return calling(call("dig"))


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/"])
def test_an_address_with_and_without_its_version(suffix: str) -> None:
    endpoint, reply = ask(digs, suffix=suffix)
    assert reply.calls == (ToolCall("call_1", "dig"),)
    assert endpoint.refused == []


def test_a_request_has_no_temperature_unless_asked_for_and_the_newer_limit() -> None:
    endpoint, _ = ask(digs)
    assert endpoint.asked[0].keys() == {
        "model",
        "messages",
        "tools",
        "max_completion_tokens",
        "stream",
    }
    endpoint, _ = ask(
        digs, environ={"THORP_MODEL_TEMPERATURE": "0.5", "THORP_MODEL_MAX_TOKENS": "300"}
    )
    assert (endpoint.asked[0]["temperature"], endpoint.asked[0]["max_completion_tokens"]) == (
        0.5,
        300,
    )
    endpoint, _ = ask(digs, environ={"THORP_MODEL_MAX_TOKENS": "none"})
    assert "max_completion_tokens" not in endpoint.asked[0]


def refusing(*names: str) -> Script:
    """Refuses requests with one of these parameters, and names it."""

    def script(number: int, body: Body) -> Any:
        wrong = next((name for name in names if name in body), None)
        error = {"error": {"message": f"Unsupported parameter: '{wrong}'", "param": wrong}}
        return digs(number, body) if wrong is None else (400, json.dumps(error), {})

    return script


@pytest.mark.parametrize(
    ("refused", "sent"),
    [
        (["max_completion_tokens"], {"max_tokens"}),
        (["max_completion_tokens", "max_tokens"], set[str]()),
    ],
)
def test_a_refused_parameter_is_renamed_or_left_out_and_that_is_remembered(
    refused: list[str], sent: set[str]
) -> None:
    endpoint, reply = ask(refusing(*refused), times=2)
    assert reply.attempts == 1
    assert len(endpoint.asked) == len(refused) + 2, "the second request was right at once"
    assert endpoint.asked[-1].keys() - {"model", "messages", "tools", "stream"} == sent


def test_an_endpoint_without_automatic_choice_is_asked_to_require_a_tool() -> None:
    def script(number: int, body: Body) -> Any:
        wrong = (
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
        )
        return digs(number, body) if body.get("tool_choice") == "required" else (400, wrong, {})

    endpoint, reply = ask(script, times=2)
    assert reply.calls[0].name == "dig"
    assert [body.get("tool_choice") for body in endpoint.asked] == [None, "required", "required"]


def test_an_endpoint_that_knows_no_tools_gets_them_as_text() -> None:
    def script(number: int, body: Body) -> Any:
        if "tools" in body:
            return 400, '{"error":{"message":"small does not support tools"}}', {}
        return saying('I will. ```json\n{"name": "dig", "arguments": {"depth": 2}}\n```')

    endpoint = Endpoint(script)
    history = [
        *ASKED,
        calling(call("dig"), call("dig", id="call_2")),
        {"role": "tool", "tool_call_id": "call_1", "content": "done"},
        {"role": "tool", "tool_call_id": "call_2", "content": "refused"},
        {"role": "user", "content": "And now?"},
    ]
    with serving(endpoint) as url:
        reply = asyncio.run(ToolClient(url).ask({**REQUEST, "messages": history}, seconds=10))
    assert [(each.name, each.arguments) for each in reply.calls] == [("dig", {"depth": 2})]
    system, first, said, answered = endpoint.asked[-1]["messages"]
    assert system["content"].startswith("You dig.")
    assert "\n\nAnswer with one JSON object: " in system["content"]
    assert '"description":"Dig."' in system["content"]
    assert (first["role"], said["role"], answered["role"]) == ("user", "assistant", "user")
    assert answered["content"].split("\n") == ["done", "refused", "And now?"]
    assert "tool_choice" not in endpoint.asked[-1]


def in_a_moment() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    "headers", [{}, {"retry-after-ms": "200"}, {"Retry-After": "1"}, {"Retry-After": "date"}]
)
def test_nobody_asks_while_the_endpoint_wants_a_pause(status: int, headers: dict[str, str]) -> None:
    """Ten agents, of which the first is refused: none of them knocks until the pause is over."""
    closed_until = 0.0
    hammered = 0

    def script(number: int, body: Body) -> Any:
        nonlocal closed_until, hammered
        hammered += monotonic() < closed_until
        if number > 1:
            return digs(number, body)
        closed_until = monotonic() + 0.19
        told = {name: in_a_moment() if text == "date" else text for name, text in headers.items()}
        return status, "slow down", told

    async def talk(url: str) -> list[ToolReply]:
        client = ToolClient(url)
        first = asyncio.create_task(client.ask(REQUEST, seconds=10))
        while not endpoint.asked:
            await asyncio.sleep(0.001)
        while not client._open_at:  # its answer has not come yet
            await asyncio.sleep(0.001)
        others = [client.ask(REQUEST, seconds=10) for _ in range(9)]
        return await asyncio.gather(first, *others)

    endpoint = Endpoint(script)
    with serving(endpoint) as url:
        replies = asyncio.run(talk(url))
    assert hammered == 0
    assert [reply.attempts for reply in replies] == [2, *[1] * 9]
    assert len(endpoint.asked) == 11


def test_a_pause_that_outlasts_the_deadline_is_not_waited_for() -> None:
    with pytest.raises(ModelError, match=r"^HTTP 429$"):
        ask(lambda number, body: (429, "", {"Retry-After": "20"}), seconds=5)


def test_trouble_is_tried_again_a_few_times() -> None:
    _, reply = ask(lambda number, body: (500, "", {}) if number < 3 else digs(number, body))
    assert reply.attempts == 3


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "THORP_MODEL_KEY"), (403, "KEY"), (404, "model's name")]
)
def test_what_will_never_be_answered_is_said_in_words(status: int, advice: str) -> None:
    endpoint = Endpoint(lambda number, body: (status, f"no, {KEY}", {}))
    with serving(endpoint) as url, pytest.raises(EndpointRefused, match=advice) as refused:
        asyncio.run(ToolClient(url, KEY).ask(REQUEST, seconds=5))
    assert len(endpoint.asked) == 1
    assert KEY not in f"{refused.value!r}{refused.value.detail}"
    assert endpoint.keys == {f"Bearer {KEY}"}


@pytest.mark.parametrize("handler", [misbehaviour.stall, misbehaviour.drip])
def test_a_stall_ends_at_the_deadline_and_at_once_when_cancelled(handler: Any) -> None:
    async def cancelled(url: str) -> None:
        asking = asyncio.create_task(ToolClient(url).ask(REQUEST, seconds=60))
        await asyncio.sleep(0.1)
        asking.cancel()
        await asyncio.wait_for(asyncio.gather(asking, return_exceptions=True), 5)

    with serving(handler) as url:
        with pytest.raises(ModelTimeout):
            asyncio.run(ToolClient(url).ask(REQUEST, seconds=0.3))
        asyncio.run(cancelled(url))


def read(message: Any, finish: str = "stop", usage: Any = None) -> ToolReply:
    answer = {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}
    return read_reply(canonical_bytes(answer), REQUEST)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("Hm.", "Hm."),
        (
            [{"type": "text", "text": "one "}, {"type": "image"}, {"type": "text", "text": "two"}],
            "one two",
        ),
        ("<think>long thoughts</think>Hm.", "Hm."),
        ("thoughts that only end</think> Hm.", "Hm."),
        ("<think>thoughts that never end", ""),
        ("Hm. <think>thoughts that never end", "Hm."),
        (7, ""),
        ("\ud800", "?"),
    ],
)
def test_what_was_said(content: Any, text: str) -> None:
    message = {"role": "assistant", "content": content}
    answer = json.dumps({"choices": [{"message": message}]}).encode()
    assert read_reply(answer, REQUEST).text == text


@pytest.mark.parametrize(
    ("arguments", "read_as"),
    [
        ('{"depth": 2}', {"depth": 2}),
        ({"depth": 2}, {"depth": 2}),
        ("", {}),
        ("  ", {}),
        (None, {}),
    ],
)
def test_arguments_as_text_and_as_an_object(arguments: Any, read_as: Any) -> None:
    (asked,) = read(calling({"id": "a", "function": {"name": "dig", "arguments": arguments}})).calls
    assert (asked.arguments, asked.wrong) == (read_as, "")


@pytest.mark.parametrize(
    "arguments", ['{"depth": 2', "[1]", '"{}"', "{'depth': 2}", "{}{}", [1], 7, "{" * 70_000]
)
def test_arguments_that_are_cut_or_no_object_are_refused_in_words(arguments: Any) -> None:
    (asked,) = read(calling({"id": "a", "function": {"name": "dig", "arguments": arguments}})).calls
    assert asked.arguments == {}
    assert re.fullmatch(r"the arguments are .*; send .*", asked.wrong)


def test_missing_and_repeated_ids_are_made_up() -> None:
    bare = {"function": {"name": "dig", "arguments": "{}"}}
    reply = read(
        calling(bare, {**bare, "id": "a"}, {**bare, "id": "a"}, {**bare, "id": 7}, "no call at all")
    )
    assert [each.id for each in reply.calls] == ["call-1", "a", "call-3", "call-4", "call-5"]
    assert [each.name for each in reply.calls] == ["dig"] * 4 + [""]


def test_no_more_calls_are_read_than_anybody_needs() -> None:
    assert len(read(calling(*[call("dig")] * 100)).calls) == MAX_CALLS


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "dig", "arguments": {"depth": 2}}',
        '<tool_call>\n{"name": "dig", "arguments": {"depth": 2}}\n</tool_call>',
        'Sure!\n```json\n{"name": "dig", "parameters": {"depth": 2}}\n```',
        '{"type": "function", "function": {"name": "dig", "arguments": "{\\"depth\\": 2}"}}',
        '<think>{"name": "fly"}</think>{"action": "dig", "depth": 2}',
    ],
)
def test_a_call_that_is_written_as_text_is_found(text: str) -> None:
    reply = read(saying(text))
    assert [(each.name, each.arguments) for each in reply.calls] == [("dig", {"depth": 2})]
    assert reply.text == ""


@pytest.mark.parametrize(
    "text", ["I dig.", '{"name": "fly"}', '{"depth": 2}', '{"name": 7}', "{", '[{"name": "dig"}]x']
)
def test_text_that_calls_no_tool_stays_text(text: str) -> None:
    reply = read(saying(text))
    assert (reply.text, [each.name for each in reply.calls]) in [(text, []), ("", ["dig"])]
    assert reply.calls == () or text.startswith("[")


@pytest.mark.parametrize(
    "usage",
    [
        None,
        "much",
        {},
        {"prompt_tokens": 1, "completion_tokens": 1},
        {"prompt_tokens": 10**12, "completion_tokens": 3},
    ],
)
def test_a_missing_or_lying_usage_is_estimated_and_marked(usage: Any) -> None:
    reply = read(saying("word " * 200), usage=usage)
    assert reply.estimated
    assert 50 < reply.tokens_in < 500
    assert 200 < reply.tokens_out < 500
    assert not read(
        saying("word"), usage={"prompt_tokens": 100, "completion_tokens": 900}
    ).estimated


@pytest.mark.parametrize(
    "answer", [b"hi", b"[]", b"{}", b'{"choices":[]}', b'{"choices":[{"message":7}]}', b"\xff"]
)
def test_what_is_no_reply_is_an_error_in_words(answer: bytes) -> None:
    with pytest.raises(ModelError, match="the reply"):
        read_reply(answer, REQUEST)


def test_a_call_without_arguments_in_a_reply_that_was_cut_off_is_not_trusted() -> None:
    (asked,) = read(calling(call("dig", "")), finish="length").calls
    assert "cut off" in asked.wrong


MANY_TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"{name.title()} something that is near by, which takes as long as it "
            "takes.",
            "parameters": {"type": "object", "properties": {"what": {"type": "string"}}},
        },
    }
    for name in ("dig", "fell", "carry", "build", "mend", "paint", "cook", "sow")
]


class Toolless:
    """An endpoint whose template knows no tools: it drops them without a word, and counts what is
    left."""

    def __init__(self, *, counts: bool) -> None:
        self.asked: list[Body] = []
        self._counts = counts

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(body)
        prompt = json.dumps(body["messages"])
        message = saying(
            '{"name": "dig", "arguments": {}}' if "paint" in prompt else "What a fine day."
        )
        answer: Body = {"choices": [{"message": message}]}
        if self._counts:
            answer["usage"] = {"prompt_tokens": len(prompt) // 4, "completion_tokens": 5}
        return web.json_response(answer)


def ask_toolless(endpoint: Toolless, times: int) -> list[ToolReply]:
    async def talk(url: str) -> list[ToolReply]:
        client = ToolClient(url)
        request = {**REQUEST, "tools": MANY_TOOLS}
        return [await client.ask(request, seconds=10) for _ in range(times)]

    with serving(endpoint) as url:
        return asyncio.run(talk(url))


def test_tools_that_are_dropped_without_a_word_are_put_into_the_prompt_at_once() -> None:
    endpoint = Toolless(counts=True)
    first, second = ask_toolless(endpoint, times=2)
    assert [call.name for call in (*first.calls, *second.calls)] == ["dig", "dig"]
    assert ["tools" in body for body in endpoint.asked] == [True, False, False]
    assert "The tools, as JSON" in endpoint.asked[1]["messages"][0]["content"]
    prompts = [len(json.dumps(body["messages"])) // 4 for body in endpoint.asked]
    assert first.tokens_out == 10, "what the first attempt took is paid, too"
    assert first.attempts == 2
    assert second.tokens_in == prompts[2]


def test_tools_that_are_dropped_where_nobody_counts_are_noticed_after_some_replies() -> None:
    endpoint = Toolless(counts=False)
    replies = ask_toolless(endpoint, times=4)
    assert [bool(reply.calls) for reply in replies] == [False, False, True, True]
    assert ["tools" in body for body in endpoint.asked] == [True, True, True, False, False]


def test_a_model_that_talks_though_it_knows_its_tools_keeps_them() -> None:
    endpoint = Endpoint(lambda number, body: saying("What a fine day."))

    async def talk(url: str) -> None:
        client = ToolClient(url)
        for _ in range(5):
            await client.ask({**REQUEST, "tools": MANY_TOOLS}, seconds=10)

    with serving(endpoint) as url:
        asyncio.run(talk(url))
    assert all("tools" in body for body in endpoint.asked)
    assert len(endpoint.asked) == 5


def test_a_model_that_has_called_once_has_seen_its_tools() -> None:
    endpoint = Endpoint(
        lambda number, body: calling(call("dig")) if number == 1 else saying("Hm."), usage=None
    )

    async def talk(url: str) -> None:
        client = ToolClient(url)
        for _ in range(6):
            await client.ask({**REQUEST, "tools": MANY_TOOLS}, seconds=10)

    with serving(endpoint) as url:
        asyncio.run(talk(url))
    assert all("tools" in body for body in endpoint.asked)


def test_a_server_that_loads_is_waited_for() -> None:
    def script(number: int, body: Body) -> Any:
        return (
            (503, '{"error":{"message":"Loading model"}}', {"retry-after-ms": "1"})
            if number < 7
            else digs(number, body)
        )

    endpoint, reply = ask(script, seconds=60)
    assert reply.attempts == len(endpoint.asked) == 7


def test_the_longest_reply_is_the_one_that_the_environment_sets() -> None:
    named = ToolClient.from_environment(
        {"THORP_MODEL_URL": "http://x", "THORP_MODEL_MAX_TOKENS": "50000"}
    )
    unnamed = ToolClient.from_environment(
        {"THORP_MODEL_URL": "http://x", "THORP_MODEL_MAX_TOKENS": "none"}
    )
    assert (named.reply_tokens(2048), unnamed.reply_tokens(2048)) == (50_000, 2048)
    body = canonical_bytes(
        {"choices": [{"message": saying("x")}], "usage": {"completion_tokens": 40_000}}
    )
    assert read_reply(body, REQUEST, longest=50_000).tokens_out == 40_000
    assert read_reply(body, REQUEST).tokens_out != 40_000, "more than ten times what was allowed"
