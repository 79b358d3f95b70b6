"""`/mcp`: assistants live in the world by the Model Context Protocol, in both of its eras."""

import asyncio
import io
import json
import re
import socket
import struct
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from tests.server.serving import Served, run, serving, with_server
from tests.server.test_stories import envelope
from thorp.integrations import mcp_toolbox, mcp_tools
from thorp.integrations.mcp import HANDSHAKE, MODERN
from thorp.integrations.mcp_player import Player
from thorp.integrations.mcp_result import ToolResult
from thorp.integrations.mcp_toolbox import Caller, Gate, Toolbox
from thorp.integrations.mcp_tools import TABLE
from thorp.language.tools import TOOLS
from thorp.server.access.tokens import Role, Tokens
from thorp.server.sockets import delivery, join_limiter

MODES = ("auto", "legacy", MODERN)
META = "io.modelcontextprotocol/"
BOTH = {"Accept": "application/json, text/event-stream"}


async def call(client: Client, tool: str, /, **arguments: Any) -> Any:
    """The data that a tool tells; its words if it refuses."""
    result = await client.call_tool(tool, arguments)
    text = "".join(part.text for part in result.content if part.type == "text")
    assert text
    assert len(result.model_dump_json()) < 8_192
    return text if result.is_error else result.structured_content


async def post(served: Served, body: Any, **headers: str) -> tuple[int, Any, Any]:
    """Status, answer and headers. A body that is not bytes is written as JSON."""
    data = io.BytesIO(body if isinstance(body, bytes) else json.dumps(body).encode())
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = {"Content-Type": "application/json"} | BOTH | named
    async with served.http.post(served.url("/mcp"), data=data, headers=sent) as answer:
        text = await answer.text()
        return answer.status, json.loads(text) if text else None, answer.headers


def request(method: str, request_id: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def modern(method: str, version: str = MODERN, **params: Any) -> dict[str, Any]:
    meta = {f"{META}protocolVersion": version, f"{META}clientCapabilities": {}}
    return request(method, _meta=meta, **params)


async def post_modern(served: Served, method: str, **params: Any) -> tuple[int, Any]:
    name = {"Mcp_Name": params["name"]} if "name" in params else {}
    status, answer, _ = await post(
        served, modern(method, **params), MCP_Protocol_Version=MODERN, Mcp_Method=method, **name
    )
    return status, answer


@with_server()
async def test_an_assistant_lives_in_the_world_in_either_era(served: Served) -> None:
    for mode in MODES:
        async with Client(served.url("/mcp"), mode=mode) as client:
            ada = await call(client, "join", name="Ada")
            handle, agent_id = ada["handle"], ada["agent_id"]
            x, y, z = ada["pos"]
            body = served.live.service.world.agent_by_id(agent_id)
            assert body is not None
            assert body.name == "Ada"
            begun = await call(client, "act", handle=handle, action="move_to", x=x + 2, y=y, z=z)
            walked = await call(client, "wait", handle=handle, task_id=begun["task_id"], ticks=100)
            assert [each["type"] for each in walked["events"]][-1] in ("TASK_DONE", "TASK_FAIL")
            assert (await call(client, "act", handle=handle, action="say", text="Good morning."))[
                "ok"
            ]
            assert (await call(client, "say", handle=handle, text="Hello."))["ok"]
            heard = await call(client, "wait", handle=handle)
            assert "Hello." in [each.get("text") for each in heard["events"]]
            below = await call(client, "look_at", handle=handle, x=x, y=y - 1, z=z)
            nearest = await call(client, "look_at", handle=handle, block=below["block"].lower())
            assert nearest["found"]
            assert len((await call(client, "map", handle=handle))["rows"]) == 15
            assert any(
                "PLANK" in line
                for line in (await call(client, "recipes", handle=handle))["recipes"]
            )
            assert (await call(client, "memory", handle=handle, key="home", value="here"))["ok"]
            notes = (await call(client, "memory", handle=handle))["notes"]
            assert notes == [{"key": "home", "value": "here"}]
            posted = await call(
                client,
                "act",
                handle=handle,
                action="post_board",
                board_id="market",
                title="Coal",
                body="Two.",
            )
            assert posted["ok"]
            found = await call(client, "boards", handle=handle, board_id="market", text="coal")
            assert found["found"][0]["title"] == "Coal"
            boards = (await call(client, "boards", handle=handle))["boards"]
            assert [each["board_id"] for each in boards] == ["market"]
            assert (await call(client, "contracts", handle=handle))["contracts"] == []
            assert (await call(client, "laws", handle=handle))["here"]["role"] == "WILD"
            assert (await call(client, "observe", handle=handle))["agent_id"] == agent_id
            assert await call(client, "leave", handle=handle, retire=True) == {"retired": True}
            assert served.live.service.world.agent_by_id(agent_id) is None


@with_server()
async def test_tools_have_flat_arguments_hints_and_a_fixed_order(served: Served) -> None:
    async with Client(served.url("/mcp"), mode="legacy") as old, Client(served.url("/mcp")) as new:
        listed, again = (await old.list_tools()).tools, (await new.list_tools()).tools
        assert listed == again
        assert [tool.name for tool in listed] == [tool.name for tool in TABLE]
        assert len(listed) < 20
        for tool in listed:
            assert len(tool.description or "") <= 1_024
            assert tool.annotations is not None
            assert tool.annotations.open_world_hint is False
            assert tool.input_schema["additionalProperties"] is False
            for name, field in tool.input_schema["properties"].items():
                flat = ("string", "integer", "number", "boolean")
                assert field["type"] in flat or (name, field["type"]) == ("data", "object")
                assert field["description"]
        reading = {
            tool.name for tool in listed if tool.annotations and tool.annotations.read_only_hint
        }
        assert {"observe", "map"} <= reading
        assert not reading & {"join", "act", "say", "memory", "leave"}
        actions = next(tool for tool in listed if tool.name == "act").input_schema["properties"][
            "action"
        ]["enum"]
        assert {tool.name for tool in TOOLS} <= set(actions)
        rules = (await new.list_resources()).resources
        texts = [(await new.read_resource(rule.uri)).contents[0] for rule in rules]
        assert [rule.uri for rule in rules] == ["thorp://rules", "thorp://actions"]
        assert all(getattr(text, "text", "").strip() for text in texts)
        with pytest.raises(MCPError, match="thorp://rules"):
            await new.read_resource("thorp://nope")


@with_server()
async def test_refusals_are_sentences_that_name_the_field(served: Served) -> None:
    async with Client(served.url("/mcp")) as client:
        handle = (await call(client, "join", name="Ada"))["handle"]
        x, y, z = (await call(client, "observe", handle=handle))["pos"]
        refusals = {
            "there is no tool 'fly'; there are join,": await call(client, "fly"),
            "colour: observe takes no such field; it takes handle": await call(
                client, "observe", handle=handle, colour="red"
            ),
            "observe needs handle: the handle that join gave": await call(client, "observe"),
            "handle: nobody has this one": await call(client, "observe", handle="h" * 32),
            "handle: got 7. Send handle: string, the handle": await call(
                client, "observe", handle=7
            ),
            'name: got "". Send name: string': await call(client, "join", name=""),
            "string, the name that others see": await call(client, "join", name="x" * 65),
            "ticks: got 1000000000. Send ticks: integer, how long": await call(
                client, "wait", handle=handle, ticks=10**9
            ),
            "who hears it: LOCAL, MARKET or CITY": await call(
                client, "say", handle=handle, text="x", channel="ALL"
            ),
            "colour": await call(client, "act", handle=handle, action="stop", colour="red"),
            "move_to: y is missing": await call(
                client, "act", handle=handle, action="move_to", x=1, z=2
            ),
            "there is no tool": await call(client, "act", handle=handle, action="fly"),
            "there is no tool 'mine'; call act with action=\"mine\"; there are join,": await call(
                client, "mine", handle=handle, x=x, y=y, z=z
            ),
            "there is no tool 'observ'; did you mean observe? There are join,": await call(
                client, "observ", handle=handle
            ),
            "block: mine takes no such field; it takes handle, action, x, y, z": await call(
                client, "act", handle=handle, action="MINE", block=[x, y, z]
            ),
            'there is no tool "MOVE"; did you mean move_to?': await call(
                client, "act", handle=handle, action="MOVE", target=[x, y, z]
            ),
            "action": await call(client, "act", handle=handle),
            "in sight": await call(client, "look_at", handle=handle, id="A99"),
            "give x, y and z": await call(client, "look_at", handle=handle, x=1),
            "no recipe makes or needs GOLD": await call(
                client, "recipes", handle=handle, item="gold"
            ),
            "E_NO_RESOURCE": await call(
                client, "act", handle=handle, action="claim_land", x=x, y=y, z=z, radius=16
            ),
            "E_INVALID_TARGET": await call(
                client, "contracts", handle=handle, terminal_id="CHEST@0,0,0"
            ),
        }
        for words, told in refusals.items():
            assert isinstance(told, str), (words, told)
            assert words in told, told
            assert not any(
                leak in told for leak in ("http", "ws:", "Traceback", "msgspec", ".py", "Annotated")
            )
        # Null counts as absent, and the world goes on as if nothing had been asked.
        seen = await call(client, "observe", handle=handle)
        assert (await call(client, "look_at", handle=handle, block=None, x=x, y=y, z=z))["block"]
        assert seen["pos"] == [x, y, z]


@with_server()
async def test_two_clients_are_two_agents_and_a_handle_outlives_its_connection(
    served: Served,
) -> None:
    async with (
        Client(served.url("/mcp")) as one,
        Client(served.url("/mcp"), mode="legacy") as other,
    ):
        ada, bob = await asyncio.gather(
            call(one, "join", name="Ada"), call(other, "join", name="Bob")
        )
        assert ada["agent_id"] != bob["agent_id"]
        assert len(ada["handle"]) >= 32
        assert ada["handle"] not in str(bob)
    assert len(served.live.agents) == 2
    async with Client(served.url("/mcp"), mode="legacy") as later:
        assert (await call(later, "observe", handle=ada["handle"]))["agent_id"] == ada["agent_id"]
        left = await later.call_tool("leave", {"handle": ada["handle"]})
        assert "body stays" in str(left.content[0])
        assert "call join" in await call(later, "observe", handle=ada["handle"])
        back = await call(later, "join", name="Ada", token=ada["token"])
        assert back["agent_id"] == ada["agent_id"]
        assert back["handle"] != ada["handle"]


@with_server()
async def test_agents_live_by_the_rules_of_all_agents(served: Served) -> None:
    """The same limits, the same refusals, and the same journal."""
    async with Client(served.url("/mcp")) as client, served.agent("mole") as mole:
        handle = (await call(client, "join", name="Ada"))["handle"]
        said = [await call(client, "say", handle=handle, text=f"word {each}") for each in range(6)]
        assert said[0] == {"ok": True}
        assert "E_RATE_LIMIT" in str(said[-1])
        await mole.obs()
        for each in range(6):
            await mole.act(instants=[{"id": f"i{each}", "type": "SAY", "text": "word"}])
            result = await mole.result(f"i{each}")
        assert result["code"] == "E_RATE_LIMIT"
    await asyncio.sleep(0)
    world = served.live.service.world
    journal = b"".join(
        path.read_bytes() for path in sorted((served.data / "world").rglob("*")) if path.is_file()
    )
    assert b"word 3" in journal
    assert world.agent_by_id("A1") is not None


@with_server(clock="lockstep")
async def test_in_lockstep_time_waits_for_the_assistant(served: Served) -> None:
    async with Client(served.url("/mcp")) as client:
        handle = (await call(client, "join", name="Ada"))["handle"]
        seen = [await call(client, "observe", handle=handle) for _ in range(3)]
        assert len({each["tick"] for each in seen}) == 1  # looking is no move
        assert (await call(client, "say", handle=handle, text="Hello."))["ok"]
        begun = await call(client, "observe", handle=handle)
        waited = await call(client, "wait", handle=handle, ticks=7, task_id=None)
        assert seen[0]["tick"] < begun["tick"] < waited["tick"] <= begun["tick"] + 8


@with_server()
async def test_players_that_nobody_plays_leave(served: Served) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mcp_toolbox, "IDLE_TICKS", 20)
        patch.setattr(mcp_toolbox, "SWEEP_SECONDS", 0.05)
        patch.setattr(mcp_toolbox, "MAX_PLAYERS", 2)
        async with Client(served.url("/mcp")) as client:
            handles = [(await call(client, "join", name=name))["handle"] for name in ("Ada", "Bob")]
            assert len(served.live.agents) == 2
            assert "2 agents live here" in await call(client, "join", name="Cid")
        while served.live.agents:
            await asyncio.sleep(0.02)
        async with Client(served.url("/mcp")) as client:
            assert "not used for too long" in await call(client, "observe", handle=handles[0])
            again = await call(client, "join", name="Cid")
            # Whoever's seat is taken over is told so, and forgotten.
            async with served.agent("Cid", again["token"]) as successor:
                assert successor.id == again["agent_id"]
                told = await call(client, "act", handle=again["handle"], action="stop")
                assert "join" in str(told)


@with_server()
async def test_what_stalls_or_fails_is_told_without_internals(served: Served) -> None:
    async def fail(*_: Any) -> ToolResult:
        raise KeyError("secret")

    async with Client(served.url("/mcp")) as client:
        handle = (await call(client, "join", name="Ada"))["handle"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mcp_toolbox, "CALL_SECONDS", 0.2)
            told = await call(client, "wait", handle=handle, ticks=500)
            assert "try the same again" in str(told) or told["events"]
            patch.setitem(mcp_tools._TOOLS, "map", mcp_tools._TOOLS["map"]._replace(work=fail))
            with pytest.raises(MCPError, match="through no fault of yours") as failed:
                await client.call_tool("map", {"handle": handle})
            assert "secret" not in str(failed.value)
        assert (await call(client, "observe", handle=handle))["hp"] == 20


@with_server()
async def test_new_bodies_are_limited_by_address(served: Served) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(join_limiter, "NEW_BODIES_AT_ONCE", 2)
        patch.setattr(join_limiter, "NEW_BODIES_PER_SECOND", 0.001)
        _, token = Tokens(served.data).create(Role.AGENT, created="2030-01-01T00:00:00Z")
        params: dict[str, Any] = {"name": "join", "arguments": {"name": "Ada"}}
        answers = []
        for _ in range(3):
            _, answer, _ = await post(
                served, modern("tools/call", **params), MCP_Protocol_Version=MODERN, Mcp_Method="tools/call",
                Mcp_Name="join", Authorization=f"Bearer {token}",
            )  # fmt: skip
            answers.append(answer["result"])
        assert [answer["isError"] for answer in answers] == [False, False, True]
        assert "too many new agents" in answers[2]["content"][0]["text"]


@with_server(loopback=Role.NEIGHBOUR)
async def test_joining_needs_the_permission_of_an_agent(served: Served) -> None:
    tokens = Tokens(served.data)
    roles = {
        role: tokens.create(role, created="2030-01-01T00:00:00Z")[1]
        for role in (Role.AGENT, Role.VIEWER)
    }
    hello = request("initialize", protocolVersion=HANDSHAKE[0])
    assert (await post(served, hello))[0] == 200  # a process of this machine
    assert (await post(served, hello, X_Forwarded_For="192.0.2.7"))[0] == 401
    assert (await post(served, hello, Authorization="Bearer nobody"))[0] == 401
    assert (await post(served, hello, Authorization=f"Bearer {roles[Role.VIEWER]}"))[0] == 403
    assert (await post(served, hello, Authorization=f"Bearer {roles[Role.AGENT]}"))[0] == 200


@with_server()
async def test_the_story_is_read_as_the_caller(served: Served) -> None:
    tokens = Tokens(served.data)
    _, stranger = tokens.create(Role.AGENT, created="2030-01-01T00:00:00Z", person="NOBODY")
    _, operator = tokens.create(Role.OPERATOR, created="2030-01-01T00:00:00Z")

    async def told(token: str) -> str:
        _, answer, _ = await post(
            served, modern("tools/call", name="story", arguments={"last": 3}), MCP_Protocol_Version=MODERN,
            Mcp_Method="tools/call", Mcp_Name="story", Authorization=f"Bearer {token}",
        )  # fmt: skip
        return str(answer["result"]["content"][0]["text"])

    assert await told(operator) == "nothing was told yet"
    async with served.http.post(
        served.url("/invocations"), json=envelope("r1", "A quiet word.")
    ) as answer:
        assert answer.status == 200
    assert "A quiet word." in await told(operator)
    assert await told(stranger) == "the story cannot be read with the token that you came with"


@with_server()
async def test_a_request_is_cancelled_by_its_own_session_only(served: Served) -> None:
    sessions = [
        {
            "MCP_Protocol_Version": HANDSHAKE[-1],
            "Mcp_Session_Id": (await post(served, hello))[2]["Mcp-Session-Id"],
        }
        for hello in [request("initialize", protocolVersion=HANDSHAKE[-1])] * 2
    ]
    _, joined, _ = await post(
        served, request("tools/call", name="join", arguments={"name": "Ada"}), **sessions[0]
    )
    handle = joined["result"]["structuredContent"]["handle"]
    long = request("tools/call", 7, name="wait", arguments={"handle": handle, "ticks": 100})
    waiting = asyncio.create_task(post(served, long, **sessions[0]))
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    for other in ({"requestId": 8}, {"requestId": [7]}, {}):
        assert (await post(served, {**cancel, "params": other}, **sessions[0]))[0] == 202
    assert (await post(served, cancel, **sessions[1]))[0] == 202
    await asyncio.sleep(0.3)
    assert not waiting.done()
    assert (await post(served, cancel, **sessions[0]))[0] == 202
    status, answer, _ = await waiting
    assert (status, answer) == (202, None), "what was cancelled is not answered"
    again = request("tools/call", name="observe", arguments={"handle": handle})
    assert "result" in (await post(served, again, **sessions[0]))[1]


@with_server()
async def test_the_handshake_agrees_on_each_revision(served: Served) -> None:
    for version, agreed in [*((each, each) for each in HANDSHAKE), ("1999-01-01", HANDSHAKE[-1])]:
        status, answer, headers = await post(served, request("initialize", protocolVersion=version))
        result = answer["result"]
        assert (status, result["protocolVersion"], result["serverInfo"]["name"]) == (
            200,
            agreed,
            "thorp",
        )
        assert "resultType" not in result
        session = {"Mcp_Session_Id": headers["Mcp-Session-Id"], "MCP_Protocol_Version": agreed}
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert (await post(served, ready, **session))[:2] == (202, None)
        assert (await post(served, request("ping"), **session))[1]["result"] == {}
        status, answer, _ = await post(served, request("server/discover"), **session)
        assert (status, answer["error"]["code"]) == (200, -32601)
        batch = [request("ping", 1), ready, request("ping", "b")]
        status, answer, _ = await post(served, batch, **session)
        if version == "2025-03-26":
            assert [each["id"] for each in answer] == [1, "b"]
        else:
            assert (status, answer["error"]["code"]) == (400, -32600)


@with_server()
async def test_what_a_transport_must_refuse(served: Served) -> None:
    ping, discover = request("ping"), modern("server/discover")
    new = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "server/discover"}
    cases: list[tuple[Any, dict[str, str], int, int | None]] = [
        (discover, new, 200, None),
        (discover, {**new, "Accept": "*/*"}, 200, None),
        (discover, {**new, "Accept": "application/json"}, 406, -32600),
        (discover, {**new, "Content_Type": "text/plain"}, 400, -32600),
        (discover, {**new, "Mcp_Method": "tools/list"}, 400, -32020),
        (modern("tools/call", name="join"), {**new, "Mcp_Method": "tools/call", "Mcp_Name": "act"}, 400,
         -32020),
        (modern("server/discover", "2030-01-01"), {**new, "MCP_Protocol_Version": "2030-01-01"}, 400, -32022),
        (modern("server/discover", "2030-01-01"), new, 400, -32020),
        (request("server/discover"), new, 400, -32602),
        (modern("ping"), {**new, "Mcp_Method": "ping"}, 404, -32601),
        (modern("prompts/get"), {**new, "Mcp_Method": "prompts/get"}, 404, -32601),
        (modern("tools/call", name=7), {**new, "Mcp_Method": "tools/call"}, 400, -32602),
        ([discover], new, 400, -32600),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, new, 400, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, new, 400, -32600),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, new, 400, -32600),
        (b"{", new, 400, -32700),
        (b'{"id":1,"id":2}', new, 400, -32700),
        (b"\xff", new, 400, -32700),
        (b"[" * 1000, new, 400, -32600),
        (b"", new, 400, -32700),
        (ping, {}, 400, -32600),
        (ping, {"Mcp_Session_Id": "2025-11-25.x.y"}, 404, -32600),
        (ping, {"Mcp_Session_Id": "x"}, 404, -32600),
        ({"jsonrpc": "2.0", "method": "notifications/x"}, {**new, "MCP_Protocol_Version": "x"}, 400, -32022),
    ]  # fmt: skip
    for body, headers, status, code in cases:
        answered, answer, _ = await post(served, body, **headers)
        assert (answered, answer.get("error", {}).get("code")) == (status, code), (
            body,
            headers,
            answer,
        )
        if code == -32022:
            assert answer["error"]["data"]["supported"] == [MODERN]
    assert (await post(served, {"jsonrpc": "2.0", "method": "x"}, **new))[:2] == (202, None)
    assert (await post(served, b" " * (2**20 + 1), **new))[0] == 413
    assert (await served.get("/mcp"))[0] == 405
    assert (await served.get("/mcp", "DELETE"))[0] == 405
    status, answer = await post_modern(served, "server/discover")
    assert answer["result"]["resultType"] == "complete"
    assert answer["result"]["supportedVersions"][0] == MODERN
    assert answer["result"]["_meta"][f"{META}serverInfo"]["name"] == "thorp"
    _, listed = await post_modern(served, "tools/list")
    assert listed["result"]["cacheScope"] == "public"


@with_server()
async def test_pages_of_strangers_are_kept_out(served: Served) -> None:
    hello = request("initialize", protocolVersion=HANDSHAKE[0])
    own = f"http://127.0.0.1:{served.port}"
    assert (await post(served, hello, Host="village.example:80"))[0] == 421
    assert (await post(served, hello, Origin="http://village.example"))[0] == 403
    assert (await post(served, hello, Host="village.example", Origin="http://other.example"))[
        0
    ] == 403
    assert (await post(served, hello, Origin="null"))[0] == 403
    assert (await post(served, hello, Origin=own))[0] == 200
    assert (await post(served, hello, Origin="http://localhost:6274"))[0] == 200
    _, token = Tokens(served.data).create(Role.AGENT, created="2030-01-01T00:00:00Z")
    known = {"Authorization": f"Bearer {token}"}
    assert (await post(served, hello, Host="village.example", **known))[0] == 200
    assert (
        await post(served, hello, Host="village.example", Origin="http://other.example", **known)
    )[0] == 403


@with_server()
async def test_the_first_sidecars_dialect_is_told_what_to_speak(served: Served) -> None:
    for method in ("list_tools", "call_tool"):
        body = json.dumps(
            {"jsonrpc": "2.0", "id": 5, "method": method, "params": {"name": "voxelcraft.act"}}
        )
        headers = {"Content-Type": "application/json", "x-agent-id": "default"}
        async with served.http.post(
            served.url("/mcp"), data=io.BytesIO(body.encode()), headers=headers
        ) as answer:
            told = await answer.json()
        assert (answer.status, told["id"], told["error"]["code"]) == (404, 5, -32601)
        assert "tools/list and tools/call" in told["error"]["message"]


def test_a_server_with_players_ends_in_time(tmp_path: Any) -> None:
    from tests.server.serving import run, serving

    async def play() -> float:
        loop = asyncio.get_running_loop()
        async with AsyncExitStack() as stack:
            served = await stack.enter_async_context(serving(tmp_path))
            async with Client(served.url("/mcp")) as client:
                for name in ("Ada", "Bob"):
                    await call(client, "join", name=name)
            began = loop.time()
        return loop.time() - began

    assert run(play()) < 4


@with_server()
async def test_there_are_no_prompts_and_who_asks_is_told_so(served: Served) -> None:
    for mode in MODES:
        async with Client(served.url("/mcp"), mode=mode) as client:
            assert (await client.list_prompts()).prompts == []


@with_server()
async def test_tools_and_actions_are_taken_in_capitals(served: Served) -> None:
    async with Client(served.url("/mcp")) as client:
        handle = (await call(client, "JOIN", name="Ada"))["handle"]
        assert (await call(client, "act", handle=handle, action="SAY", text="Good morning."))["ok"]
        assert (await call(client, "ACT", handle=handle, action="say", text="Good evening."))["ok"]
        assert "there is no tool" in await call(
            client, "Act", handle=handle, action="say", text="No."
        )


def join_request(served: Served, name: str) -> bytes:
    """The bytes of a request to join, by a client of its own."""
    body = json.dumps(modern("tools/call", name="join", arguments={"name": name})).encode()
    head = (
        "POST /mcp HTTP/1.1",
        f"Host: 127.0.0.1:{served.port}",
        "Content-Type: application/json",
        f"Accept: {BOTH['Accept']}",
        f"MCP-Protocol-Version: {MODERN}",
        "Mcp-Method: tools/call",
        "Mcp-Name: join",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def raw_client(served: Served, receive_bytes: int | None = None) -> socket.socket:
    raw = socket.socket()
    if receive_bytes is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    raw.connect(("127.0.0.1", served.port))
    return raw


def bodies(served: Served) -> set[str]:
    return {agent.name for agent in served.live.service.world.agents}


async def until_gone(served: Served, name: str) -> None:
    while served.live.agents or name in bodies(served):
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("way", ["closes at once", "closes", "resets", "does not read"])
def test_a_join_whose_answer_reaches_nobody_is_undone(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def whole() -> None:
        async with serving(tmp_path) as served, served.agent("witness") as witness:
            monkeypatch.setattr(delivery, "DELIVERY_SECONDS", 2.0)
            raw = raw_client(served, 1 if way == "does not read" else None)
            describe = Player.describe
            joined = asyncio.Event()

            async def describe_and_hang_up(player: Any, *notes: str, **more: Any) -> Any:
                told = await describe(player, *notes, **more)
                assert "Ada" in bodies(served)
                joined.set()
                if way in ("closes", "resets"):
                    raw.close()  # which the server has not noticed yet when it writes
                return told

            monkeypatch.setattr(Player, "describe", describe_and_hang_up)
            if way == "resets":
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raw.sendall(join_request(served, "Ada"))
            if way == "closes at once":
                raw.close()
            await joined.wait()
            while len(served.live.agents) > 1 or "Ada" in bodies(served):
                await witness.obs()
            raw.close()

    run(whole())


@with_server()
async def test_a_client_that_hangs_up_when_it_has_its_answer_has_joined(served: Served) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(join_request(served, "Ada"))
    head = await reader.readuntil(b"\r\n\r\n")
    size = next(
        int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length:")
    )
    answer = json.loads(await reader.readexactly(size))
    writer.close()
    handle = answer["result"]["structuredContent"]["handle"]
    await asyncio.sleep(10 * delivery.LOOK_SECONDS)
    _, observed = await post_modern(
        served, "tools/call", name="observe", arguments={"handle": handle}
    )
    assert observed["result"]["structuredContent"]["agent_id"] in {
        agent.id for agent in served.live.service.world.agents
    }


@with_server()
async def test_a_body_that_came_back_stays_when_nobody_hears_of_it(served: Served) -> None:
    async with Client(served.url("/mcp")) as client:
        ada = await call(client, "join", name="Ada")
        await call(client, "leave", handle=ada["handle"])
    arguments = {"name": "Ada", "token": ada["token"]}
    body = join_request(served, "Ada").replace(b'{"name": "Ada"}', json.dumps(arguments).encode())
    head, _, content = body.partition(b"\r\n\r\n")
    length = f"Content-Length: {len(content)}".encode()
    with raw_client(served) as raw:
        raw.sendall(re.sub(rb"Content-Length: \d+", length, head) + b"\r\n\r\n" + content)
    while not served.live.agents:
        await asyncio.sleep(0)  # it may be there for a moment only
    while served.live.agents:
        await asyncio.sleep(0.02)
    assert "Ada" in bodies(served)


@with_server(tick_rate_hz=5)
async def test_a_join_that_is_cancelled_is_undone(served: Served) -> None:
    tools = Toolbox(Gate(served.url("/v1/ws", "ws"), None))
    for pause in (0.0, 0.005, 0.02):
        joining = asyncio.create_task(tools.call("join", {"name": "Ada"}, Caller()))
        await asyncio.sleep(pause)
        assert joining.cancel()  # it waits for a tick
        await asyncio.gather(joining, return_exceptions=True)
        while "Ada" not in bodies(served):
            await asyncio.sleep(0.01)
        await until_gone(served, "Ada")
    assert not tools._players
    await tools.close()
