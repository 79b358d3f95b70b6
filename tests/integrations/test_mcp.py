"""`thorp mcp`: the same tools on standard input and output, in a process that the assistant
starts."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.server.serving import Served, run, serving, with_server
from thorp.integrations.mcp import HANDSHAKE, MAX_MESSAGE_BYTES, MODERN, Endpoint, Line
from thorp.integrations.mcp_result import (
    MAX_DATA_BYTES,
    MAX_TEXT_BYTES,
    ToolResult,
    fit_data,
    list_result,
)
from thorp.integrations.mcp_toolbox import Caller, Gate, Toolbox
from thorp.server.access.tokens import Role, Tokens

COMMAND = [sys.executable, "-m", "thorp", "mcp", "--url"]
NOWHERE = "ws://127.0.0.1:9/v1/ws"


def speak(*messages: Any, url: str = NOWHERE) -> list[Any]:
    """What is answered to lines on standard input, until it ends."""
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in messages]
    done = subprocess.run(
        [*COMMAND, url], input=b"\n".join(lines) + b"\n", capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b""), done
    return [json.loads(line) for line in done.stdout.splitlines()]


def request(method: str, request_id: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


@pytest.mark.parametrize("mode", ["auto", "legacy", MODERN])
def test_an_assistant_lives_in_the_world(mode: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path, loopback=Role.ANYONE) as served:
            _, token = Tokens(served.data).create(Role.AGENT, created="2030-01-01T00:00:00Z")
            url = served.url("/v1/ws", "ws")
            process = StdioServerParameters(
                command=COMMAND[0], args=[*COMMAND[1:], url, "--token", token]
            )
            async with Client(stdio_client(process), mode=mode) as client:
                joined = (await client.call_tool("join", {"name": "Ada"})).structured_content
                body = served.live.service.world.agent_by_id(joined["agent_id"])
                assert body is not None
                assert body.name == "Ada"
                said = await client.call_tool(
                    "say",
                    {
                        "handle": joined["handle"],
                        "text": "Good morning.",
                        "data": {"contract": "C000007"},
                    },
                )
                assert said.structured_content == {"ok": True}
                heard = [json.loads(event.text) for event in body.event_log.events]
                assert {"contract": "C000007"} in [event.get("data") for event in heard]
                wrong = await client.call_tool(
                    "say", {"handle": joined["handle"], "text": "psst", "data": "C000007"}
                )
                assert "data: got" in wrong.content[0].text  # type: ignore[union-attr]
                unknown = await client.call_tool(
                    "act",
                    {"handle": joined["handle"], "action": "craft", "recipe_id": "planks"},
                )
                assert "did you mean plank_from_log?" in unknown.content[0].text  # type: ignore[union-attr]
                # A long wait holds nobody up who has another handle, or needs none.
                waiting = asyncio.create_task(
                    client.call_tool(
                        "wait", {"handle": joined["handle"], "task_id": "none", "ticks": 100}
                    )
                )
                story = await client.call_tool("story", {})
                assert story.content[0].text == "nothing was told yet"  # type: ignore[union-attr]
                await waiting
            while served.live.agents:  # the process has ended, and its agent has left
                await asyncio.sleep(0.02)

    run(play())


def test_it_ends_with_its_input_and_writes_nothing_but_answers() -> None:
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answers = speak(
        request("tools/list", 0),
        request("initialize", 1, protocolVersion="2025-06-18"),
        ready,
        request("ping", "two"),
        request("tools/list", 3),
        request("call_tool", 4),
        b"nonsense",
        b"[1]",
        b"",
        b'{"jsonrpc":"2.0","id":true,"method":"ping"}',
        b"x" * (MAX_MESSAGE_BYTES + 5),
        request("tools/call", 9, name="join", arguments={"name": "Ada"}),
    )
    told = {str(each["id"]): each for each in answers}
    assert "call initialize first" in told["0"]["error"]["message"]
    assert told["1"]["result"]["protocolVersion"] == "2025-06-18"
    assert told["two"]["result"] == {}
    assert len(told["3"]["result"]["tools"]) == 14
    assert "tools/list and tools/call" in told["4"]["error"]["message"]
    assert [each["error"]["code"] for each in answers if each["id"] is None] == [
        -32700,
        -32600,
        -32600,
        -32600,
    ]
    refusal = told["9"]["result"]
    assert refusal["isError"]
    assert "no server there" in refusal["content"][0]["text"]
    assert NOWHERE not in refusal["content"][0]["text"]


def test_revisions_on_one_line() -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    lacking = {"io.modelcontextprotocol/protocolVersion": MODERN}
    answers = speak(
        request("server/discover", 1, _meta=meta),
        request("ping", 2, _meta=meta),
        request("tools/list", 3, _meta=lacking),
        request(
            "tools/list", 4, _meta={**meta, "io.modelcontextprotocol/protocolVersion": "2030-01-01"}
        ),
        request("initialize", 5, protocolVersion="2025-03-26"),
        [request("ping", 6), request("nope", 7)],
        request("initialize", 8, protocolVersion="1999-01-01"),
        [request("ping", 9)],
    )
    assert answers[0]["result"]["supportedVersions"] == [MODERN, *reversed(HANDSHAKE)]
    assert [each["error"]["code"] for each in answers[1:4]] == [-32601, -32602, -32022]
    assert [each["id"] for each in answers[5]] == [6, 7]
    assert answers[6]["result"]["protocolVersion"] == HANDSHAKE[-1]
    assert answers[7]["error"]["code"] == -32600


def test_a_request_on_a_line_is_cancelled_without_an_answer() -> None:
    class Slow(Toolbox):
        async def call(self, name: str, arguments: Any, caller: Caller) -> ToolResult:
            await asyncio.sleep(3600)
            raise AssertionError

    async def play() -> None:
        line = Line(Endpoint(Slow(Gate(NOWHERE, None))), Caller())
        await line.answer(json.dumps(request("initialize")).encode())
        slow = asyncio.create_task(
            line.answer(json.dumps(request("tools/call", 7, name="wait")).encode())
        )
        await asyncio.sleep(0)
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
        assert await line.answer(json.dumps(cancel).encode()) is None
        assert await slow is None
        ended = asyncio.create_task(
            line.answer(json.dumps(request("tools/call", 8, name="wait")).encode())
        )
        await asyncio.sleep(0)
        ended.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ended

    run(play())


@with_server()
async def test_a_terminated_process_leaves_the_world(served: Served) -> None:
    url = served.url("/v1/ws", "ws")
    process = await asyncio.create_subprocess_exec(
        *COMMAND, url, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    for message in (
        request("initialize"),
        request("tools/call", 2, name="join", arguments={"name": "Ada"}),
    ):
        process.stdin.write(json.dumps(message).encode() + b"\n")
        assert json.loads(await process.stdout.readline())["id"] == message["id"]
    assert len(served.live.agents) == 1
    process.terminate()  # while it still reads
    process.stdin.close()
    assert await process.stderr.read() == b""
    await process.wait()
    while served.live.agents:
        await asyncio.sleep(0.02)


def test_data_is_cut_to_its_limit() -> None:
    long = {
        "tick": 1,
        "entities": [{"id": f"A{each}", "tags": ["x"]} for each in range(500)],
        "events": ["e"] * 9,
    }
    cut = fit_data(long)
    assert len(json.dumps(cut, separators=(",", ":"))) <= MAX_DATA_BYTES
    assert cut["entities"][0]["id"] == "A0"
    assert cut["left_off"] == 500 - len(cut["entities"]) + 9 - len(cut["events"])
    assert fit_data({"a": {"b": "c" * 5_000}}) == {"left_off": 1}


def test_what_does_not_fit_is_left_off_whole_and_says_how_to_read_on() -> None:
    posts = [{"post_id": f"P{number}", "body": "word " * 200} for number in range(9)]
    told = list_result({"posts": posts}, "search this board by text")
    assert told.text.endswith("7 more were left off; search this board by text")
    shown = json.loads(told.text.rpartition("\n")[0])
    assert shown["posts"] == posts[:2], "a notice is shown whole or not at all"
    lines = [f"recipe {number}: " + "x" * 90 for number in range(90)]
    told = list_result({"recipes": lines}, "name an item", lines)
    *kept, last = told.text.split("\n")
    assert kept == lines[: len(kept)]
    assert last == f"{90 - len(kept)} more were left off; name an item"
    assert len(told.text.encode()) <= MAX_TEXT_BYTES
    assert list_result({"recipes": lines[:3]}, "name an item", lines[:3]).text == "\n".join(
        lines[:3]
    )
