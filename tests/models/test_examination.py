"""What an endpoint is found to be able to do: a real one, and the ways in which others differ."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.models.loopback import serving
from thorp.cli.model import advise
from thorp.kernel.errors import UnavailableError
from thorp.models.examination import Examined, Examiner

Body = dict[str, Any]

LISTED = {"data": [{"id": "big", "max_model_len": 32_768}, {"id": "small"}]}


class Scripted:
    """An endpoint that refuses or obeys as a test says."""

    def __init__(self, able: frozenset[str] = frozenset(), refuses: str = "") -> None:
        self.able = able
        self.refuses = refuses
        self.asked: list[Body] = []

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        if request.path == "/v1/models":
            return web.json_response(LISTED)
        body = await request.json()
        self.asked.append(body)
        if self.refuses and self.refuses in body:
            return web.json_response({"error": {"message": "unknown"}}, status=400)
        words = len(json.dumps(body["messages"])) // 4
        message: Body = {"role": "assistant", "content": "Yes, of course."}
        choice: Body = {"index": 0, "message": message, "finish_reason": "stop"}
        if "tools" in body and "tools" in self.able:
            words += 100
            function = {"name": "look_up_weather", "arguments": '{"place": "Thorp"}'}
            message["tool_calls"] = [{"id": "1", "type": "function", "function": function}]
        if "tools" in body and "counts" in self.able:
            words += 100
        if "response_format" in body and "schema" in self.able:
            schema = body["response_format"]["json_schema"]["schema"]
            message["content"] = json.dumps({"word": schema["properties"]["word"]["enum"][0]})
        if "grammar" in body and "grammar" in self.able:
            message["content"] = body["grammar"].split('"')[1]
        if "logprobs" in body and "logprobs" in self.able:
            choice["logprobs"] = {"content": [{"top_logprobs": [{"token": "A", "logprob": -1}]}]}
        usage = {"prompt_tokens": words, "completion_tokens": 12}
        return web.json_response({"choices": [choice], "usage": usage})


def examine(endpoint: Callable[..., Any], model: str | None = None) -> Examined:
    with serving(endpoint) as url:
        return Examiner(f"{url}/v1", "key", seconds=20).examine(model)


def test_an_endpoint_that_can_do_everything() -> None:
    endpoint = Scripted(frozenset({"tools", "schema", "grammar", "logprobs"}))
    found = examine(endpoint)
    abilities = (found.tools, found.json_schema, found.probabilities, found.grammar)
    assert abilities == ("yes", "yes", "yes", "yes")
    assert (found.model, found.context_tokens) == ("big", 32_768)
    assert found.prompt_tokens_second is not None
    assert found.reply_tokens_second is not None
    assert {body["model"] for body in endpoint.asked} == {"big"}
    assert advise(found)[0] == "thorp bots --agent model:big --level choices"


def test_an_endpoint_that_ignores_what_it_does_not_know() -> None:
    found = examine(Scripted(), "small")
    abilities = (found.tools, found.json_schema, found.probabilities, found.grammar)
    assert abilities == ("ignored", "ignored", "ignored", "ignored")
    assert (found.model, found.context_tokens) == ("small", None)
    assert advise(found) == [
        "thorp bots --agent model:small --level simple --max-calls 20, and see whether its replies "
        "are used"
    ]


@pytest.mark.parametrize(
    ("parameter", "ability"),
    [
        ("tools", "tools"),
        ("response_format", "json_schema"),
        ("grammar", "grammar"),
        ("logprobs", "probabilities"),
    ],
)
def test_an_endpoint_that_refuses_one(parameter: str, ability: str) -> None:
    able = frozenset({"tools", "schema", "grammar", "logprobs"})
    found = examine(Scripted(able, refuses=parameter))
    abilities = {
        name: getattr(found, name) for name in ("tools", "json_schema", "grammar", "probabilities")
    }
    assert abilities.pop(ability) == "refused"
    assert set(abilities.values()) == {"yes"}


def test_tools_that_reach_the_prompt_and_are_not_called() -> None:
    assert examine(Scripted(frozenset({"counts"}))).tools == "unused"


def test_an_endpoint_that_answers_nothing_or_not_at_all() -> None:
    async def refuse(request: web.Request) -> web.StreamResponse:
        return web.json_response({"error": "no"}, status=401)

    with pytest.raises(UnavailableError, match="THORP_MODEL_KEY"):
        examine(refuse)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(UnavailableError, match="connection failed") as refused:
        Examiner(f"http://me:secret@127.0.0.1:{port}/v1", None, seconds=5).examine()
    assert "secret" not in str(refused.value)

    async def empty(request: web.Request) -> web.StreamResponse:
        return web.json_response({"data": []})

    with pytest.raises(UnavailableError, match="--model NAME"):
        examine(empty)


@pytest.mark.real("mind")
def test_the_embedded_runtime(tmp_path: Path) -> None:
    from tests.models.embedded.tiny import write_model
    from thorp.models.embedded import EmbeddedModel, Settings, Weights

    weights = Weights("tiny", write_model(tmp_path / "tiny.gguf"))
    with EmbeddedModel.open(weights, Settings(context_tokens=2048)) as endpoint:
        found = Examiner(endpoint.url, endpoint.key).examine()
    assert (found.model, found.context_tokens) == ("tiny", 2048)
    assert (found.tools, found.grammar, found.probabilities) == ("ignored", "yes", "yes")
    assert found.json_schema == "yes"
