"""A model endpoint like those that people run: it speaks chat completions over HTTP, and is as
strict or as odd as a test says. Its answers are scripted; whether real endpoints take a request, it
checks itself."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web

from tests.models.loopback import serving

Body = dict[str, Any]
Script = Callable[[int, Body], Any]
"""What the nth request gets: a message, an (HTTP status, text, headers), or a handler that answers
itself."""


def call(name: str, arguments: Any = None, **fields: Any) -> Body:
    """A call of a tool as endpoints write it."""
    text = json.dumps(arguments or {}) if not isinstance(arguments, str) else arguments
    return {
        "id": "call_1",
        "type": "function",
        "function": {"name": name, "arguments": text},
        **fields,
    }


def calling(*calls: Any, **fields: Any) -> Body:
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **fields}


def saying(text: Any) -> Body:
    return {"role": "assistant", "content": text}


class Endpoint:
    """Answers by its script, and keeps what it was asked. Requests that a strict server refuses are
    a 400."""

    def __init__(self, script: Script, usage: Any = "counted") -> None:
        self.script = script
        self.usage = usage
        self.asked: list[Body] = []
        self.keys: set[str | None] = set()
        self.refused: list[str] = []

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(body)
        self.keys.add(request.headers.get("Authorization"))
        wrong = wrong_messages(body["messages"])
        if request.path != "/v1/chat/completions":
            wrong = f"no such path {request.path}"
        if wrong:
            self.refused.append(wrong)
            return web.json_response({"error": {"message": wrong}}, status=400)
        given = self.script(len(self.asked), body)
        if isinstance(given, Awaitable):
            given = await given
        if isinstance(given, web.StreamResponse):
            return given
        if isinstance(given, tuple):
            status, text, headers = given
            return web.Response(status=status, text=text, headers=headers)
        finish = given.pop("finish_reason", "stop")
        answer: Body = {"choices": [{"index": 0, "message": given, "finish_reason": finish}]}
        if self.usage == "counted":
            answer["usage"] = {"prompt_tokens": len(json.dumps(body)) // 4, "completion_tokens": 20}
        elif self.usage is not None:
            answer["usage"] = self.usage
        return web.json_response(answer)


@contextmanager
def answering(script: Script, **settings: Any) -> Iterator[tuple[Endpoint, str]]:
    """An endpoint that answers by a script, and its address."""
    endpoint = Endpoint(script, **settings)
    with serving(endpoint) as url:
        yield endpoint, url


def wrong_messages(messages: list[Body]) -> str:
    """Why a strict endpoint refuses these messages; empty if it takes them."""
    open_calls: list[str] = []
    for number, message in enumerate(messages):
        role = message["role"]
        if (role == "system") != (number == 0):
            return "the system prompt comes first, and once"
        if role == "tool":
            if message["tool_call_id"] not in open_calls:
                return "a tool message must answer a call"
            open_calls.remove(message["tool_call_id"])
            continue
        if open_calls:
            return "an assistant message with 'tool_calls' must be followed by tool messages"
        calls = message.get("tool_calls", [])
        if not message.get("content") and not calls:
            return "a message must have content"
        open_calls = [each["id"] for each in calls]
        if len(set(open_calls)) < len(open_calls):
            return "duplicate tool call ids"
        for each in calls:
            if not isinstance(json.loads(each["function"]["arguments"]), dict):
                return "arguments must be an object"
    return "tool calls without an answer" if open_calls else ""
