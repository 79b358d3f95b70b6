"""`thorp openenv`: the wire of OpenEnv 0.10, and its own client and validator against it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import ClientWebSocketResponse, WSMsgType, web

from tests.server.serving import masked_frame, run
from thorp.integrations import openenv
from thorp.integrations.openenv import OpenEnv

ROOT = Path(__file__).parents[2]
PACKAGE = Path(sys.prefix) / "openenv"


@contextmanager
def served_by_the_command(*options: str) -> Iterator[str]:
    command = [sys.executable, "-m", "thorp", "openenv", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1]
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0


@pytest.mark.real("openenv")
def test_its_own_client_and_validator_are_content() -> None:
    with served_by_the_command("--steps", "5") as url:
        client = subprocess.run(
            [sys.executable, str(ROOT / "tests/integrations/openenv_client.py"), url],
            env={**os.environ, "PYTHONPATH": str(PACKAGE)},
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert client.returncode == 0, client.stderr
    report, first, again, other, states = map(json.loads, client.stdout.splitlines())
    assert report["passed"]
    assert report["summary"]["passed_count"] == 6
    assert first == again != other  # the seed decides
    assert first[0]["reward"] is None
    assert [each["done"] for each in first] == [False] * 5 + [True]
    assert [each["observation"]["ok"] for each in first] == [True, True, True, True, False, False]
    assert "there is no tool" in first[4]["observation"]["error"]["say"]
    assert first[5]["observation"]["error"]["code"].startswith("E_")
    assert "STICK" in first[2]["observation"]["text"]
    assert states[0] == {"episode_id": "one", "step_count": 1, "seed": 1}
    assert states[1]["step_count"] == 0


@asynccontextmanager
async def listening(steps: int = 50) -> AsyncIterator[tuple[str, aiohttp.ClientSession]]:
    runner = web.AppRunner(OpenEnv(steps).app(), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        async with aiohttp.ClientSession() as http:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}", http
    finally:
        await runner.cleanup()


async def ask(socket: ClientWebSocketResponse, message: Any) -> Any:
    await socket.send_str(message if isinstance(message, str) else json.dumps(message))
    return await socket.receive_json(timeout=30)


def step(**action: Any) -> dict[str, Any]:
    return {"type": "step", "data": action}


def test_what_is_malformed_is_an_error_frame_and_the_session_lives() -> None:
    async def play() -> None:
        async with listening() as (url, http), http.ws_connect(f"{url}/ws") as socket:
            codes = {
                "{": "INVALID_JSON",
                '{"type":"state","type":"state"}': "INVALID_JSON",
                "[" * 100: "INVALID_JSON",
                '{"type":"fly"}': "UNKNOWN_TYPE",
                "{}": "UNKNOWN_TYPE",
                '{"type":"state","x":1}': "VALIDATION_ERROR",
                '{"type":"step"}': "VALIDATION_ERROR",
                '{"type":"step","data":[1]}': "VALIDATION_ERROR",
                '{"type":"reset","data":{"seed":-1}}': "VALIDATION_ERROR",
                '{"type":"reset","data":{"seed":"7"}}': "VALIDATION_ERROR",
                '{"type":"reset","data":7}': "VALIDATION_ERROR",
                '{"type":"reset","data":{"seed":3,"size":9}}': "VALIDATION_ERROR",
                json.dumps(
                    {"type": "reset", "data": {"episode_id": "x" * 256}}
                ): "VALIDATION_ERROR",
            }
            for message, code in codes.items():
                answer = await ask(socket, message)
                assert (answer["type"], answer["data"]["code"]) == ("error", code), (
                    message,
                    answer,
                )
                if code == "VALIDATION_ERROR":
                    (error,) = answer["data"]["errors"]
                    assert error["loc"][0] in answer["data"]["message"]
            state = await ask(socket, {"type": "state"})
            assert state == {"type": "state", "data": {"episode_id": None, "step_count": 0}}
            assert (await ask(socket, "[1]"))["data"]["code"] == "SESSION_ERROR"
            assert (await socket.receive()).type is WSMsgType.CLOSE
            assert socket.close_code == 1000

    run(play())


def test_what_a_model_gets_wrong_is_an_observation() -> None:
    async def play() -> None:
        async with listening(steps=3) as (url, http), http.ws_connect(f"{url}/ws") as socket:
            early = (await ask(socket, step(action="wait")))["data"]
            assert (early["reward"], early["done"]) == (0.0, False)
            assert early["observation"]["error"]["say"] == "there is no world yet; send reset first"
            begun = (await ask(socket, {"type": "reset", "data": {"seed": 3}}))["data"]
            assert begun["reward"] is None
            assert len(json.dumps(begun)) < 8_192
            bad = [
                step(),
                step(action=7),
                step(action="mine", x="far", y=1, z=1),
                step(action="wait"),
            ]
            told = [(await ask(socket, each))["data"] for each in bad]
            assert [each["observation"]["ok"] for each in told] == [False] * 4
            assert [each["done"] for each in told] == [False, False, True, True]
            assert told[2]["observation"]["error"]["field"] == "x"
            assert told[3]["observation"]["error"]["code"] == "ended"
            assert {each["observation"]["tick"] for each in told} == {
                1
            }  # nothing of it reached the world
            again = (await ask(socket, {"type": "reset", "data": {"seed": 3}}))["data"]
            assert again == begun
            assert (await ask(socket, step(action="wait", ticks=9)))["data"]["observation"][
                "tick"
            ] == 10
            await socket.send_json({"type": "close"})
            assert (await socket.receive()).type is WSMsgType.CLOSE

    run(play())


def test_a_refusal_of_the_world_comes_with_its_hint() -> None:
    async def play() -> None:
        async with listening() as (url, http), http.ws_connect(f"{url}/ws") as socket:
            await ask(socket, {"type": "reset", "data": {"seed": 3}})
            reply = await ask(socket, step(action="craft", recipe_id="planks"))
            error = reply["data"]["observation"]["error"]
            assert error["code"] == "E_INVALID_TARGET"
            hint = 'No recipe "planks"; did you mean plank_from_log? The catalog recipes lists all'
            assert error["say"] == f"refused, E_INVALID_TARGET: unknown recipe. Hint: {hint}."
            assert hint in reply["data"]["observation"]["text"]
            reply = await ask(socket, step(action="minee"))
            say = reply["data"]["observation"]["error"]["say"]
            assert say.startswith('there is no tool "minee"; did you mean mine? The tools are ')

    run(play())


def test_a_first_achievement_is_rewarded() -> None:
    async def play() -> None:
        async with listening() as (url, http), http.ws_connect(f"{url}/ws") as socket:
            await ask(socket, {"type": "reset", "data": {"seed": 5}})
            told = (await ask(socket, step(action="mine", x=-1, y=31, z=-1)))[
                "data"
            ]  # the log beside the agent
            assert told["observation"]["ok"], told
            assert told["reward"] > 0
            assert told["observation"]["achievements"]

    run(play())


def test_http_shares_nothing() -> None:
    async def play() -> None:
        async with listening() as (url, http):
            for path, needed in (
                ("/health", "status"),
                ("/metadata", "description"),
                ("/state", "step_count"),
            ):
                async with http.get(url + path) as answer:
                    assert needed in await answer.json()
            async with http.get(f"{url}/schema") as answer:
                schemas = await answer.json()
            assert schemas["action"]["required"] == ["action"]
            assert schemas["action"]["title"] not in ("Action", "CallToolAction", "ListToolsAction")
            async with http.post(f"{url}/reset", json={"seed": 3}) as answer:
                assert (await answer.json())["reward"] is None
            async with http.post(f"{url}/step", json={"action": {"action": "wait"}}) as answer:
                assert (await answer.json())["observation"]["tick"] == 2
            for path, body in (("/step", {}), ("/reset", {"seed": -1}), ("/reset", "x")):
                async with http.post(url + path, json=body) as answer:
                    assert answer.status == 422
                    assert (await answer.json())["detail"][0]["loc"]
            async with http.get(f"{url}/state") as answer:
                assert await answer.json() == {"episode_id": None, "step_count": 0}

    run(play())


def test_sessions_are_bounded_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openenv, "MAX_SESSIONS", 2)

    async def rpc(http: aiohttp.ClientSession, url: str, **call: Any) -> Any:
        async with http.post(f"{url}/mcp", json={"jsonrpc": "2.0", "id": 1, **call}) as answer:
            assert answer.status == 200
            return await answer.json()

    async def play() -> None:
        async with listening() as (url, http):
            created = await rpc(http, url, method="openenv/session/create")
            session = created["result"]["session_id"]
            async with (
                http.ws_connect(f"{url}/ws?session_id={session}") as mine,
                http.ws_connect(f"{url}/ws"),
            ):
                assert (await ask(mine, {"type": "state"}))["data"]["step_count"] == 0
                async with http.ws_connect(f"{url}/ws") as third:
                    refused = await third.receive_json()
                    assert refused["data"]["code"] == "CAPACITY_REACHED"
                    assert (
                        refused["data"]["active_sessions"],
                        refused["data"]["max_sessions"],
                    ) == (2, 2)
                async with http.ws_connect(f"{url}/ws?session_id={session}") as other:
                    assert (await other.receive_json())["data"]["code"] == "SESSION_ERROR"
                assert (await rpc(http, url, method="openenv/session/create"))["error"][
                    "code"
                ] == -32000
            # Both are gone, and their slots are free. One that is forgotten is free after a while,
            # too.
            for _ in range(2):
                forgotten = (await rpc(http, url, method="openenv/session/create"))["result"][
                    "session_id"
                ]
            monkeypatch.setattr(openenv, "CONNECT_SECONDS", 0.2)
            monkeypatch.setattr(openenv, "IDLE_SECONDS", 1.0)
            await asyncio.sleep(0.3)
            gone = await rpc(http, url, method="openenv/session/create")
            assert "result" in gone
            closed = await rpc(
                http,
                url,
                method="openenv/session/close",
                params={"session_id": gone["result"]["session_id"]},
            )
            assert closed["result"]["closed"]
            assert "error" in await rpc(
                http, url, method="openenv/session/close", params={"session_id": forgotten}
            )
            # So is one that was made and never connected, while connected ones stay.
            async with http.ws_connect(f"{url}/ws") as connected:
                late = (await rpc(http, url, method="openenv/session/create"))["result"][
                    "session_id"
                ]
                await asyncio.sleep(0.3)
                async with http.ws_connect(f"{url}/ws?session_id={late}") as socket:
                    assert (await socket.receive_json())["data"]["code"] == "SESSION_ERROR"
                assert (await ask(connected, {"type": "state"}))["data"]["step_count"] == 0
            # A silent session ends.
            async with http.ws_connect(f"{url}/ws") as silent:
                assert (await silent.receive(timeout=20)).type is WSMsgType.CLOSE
            for method, code in (("tools/list", -32603), ("initialize", -32601), (7, -32600)):
                assert (await rpc(http, url, method=method))["error"]["code"] == code
            async with http.ws_connect(f"{url}/mcp") as socket:
                assert (await ask(socket, {"id": 4, "method": "nope"}))["error"]["code"] == -32601
                assert (await ask(socket, "{"))["error"]["code"] == -32700

    run(play())


def test_a_half_open_socket_leaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openenv, "HEARTBEAT_SECONDS", 0.2)
    monkeypatch.setattr(openenv, "MAX_SESSIONS", 1)

    async def play() -> None:
        async with listening() as (url, http):
            port = int(url.rpartition(":")[2])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = (
                "GET /ws HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            )  # fmt: skip
            with closing(writer):
                writer.write(
                    "\r\n".join(head).encode() + b"\r\n\r\n" + masked_frame(b'{"type":"reset"}')
                )
                await reader.readuntil(b"\r\n\r\n")  # it has the slot, and answers no ping
                refusals = 0
                while await first_word(http, url) == "error":
                    refusals += 1
                    await asyncio.sleep(0.05)
                assert refusals
            await writer.wait_closed()

    run(play())


async def first_word(http: aiohttp.ClientSession, url: str) -> str:
    """What the server says to a newcomer who asks for its state."""
    async with http.ws_connect(f"{url}/ws") as socket:
        await socket.send_json({"type": "state"})
        return str((await socket.receive_json(timeout=30))["type"])


CREATE = {"jsonrpc": "2.0", "id": 1, "method": "openenv/session/create"}


def test_a_page_of_another_site_opens_no_session() -> None:
    async def play(url: str) -> None:
        here = url.rpartition("/")[2]
        foreign: list[tuple[dict[str, str], int]] = [
            ({"Origin": "http://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            ({"Host": "evil.example", "Origin": "http://evil.example"}, 421),
            ({"Host": "evil.example"}, 421),
            ({"Host": f"{here}.evil.example"}, 421),
        ]
        async with aiohttp.ClientSession() as http:
            for headers, status in foreign:
                async with http.post(f"{url}/mcp", json=CREATE, headers=headers) as answer:
                    assert answer.status == status
                    assert set(await answer.json()) == {"error", "details"}
                for path in ("/ws", "/mcp"):
                    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                        await http.ws_connect(url + path, headers=headers)
                    assert refused.value.status == status
                async with http.post(f"{url}/reset", json={"seed": 1}, headers=headers) as answer:
                    assert answer.status == status
            for _ in range(openenv.MAX_SESSIONS):
                headers = {"Origin": "http://evil.example", "Content-Type": "text/plain"}
                async with http.post(
                    f"{url}/mcp", data=json.dumps(CREATE), headers=headers
                ) as answer:
                    assert answer.status == 403
            for headers in (
                {},
                {"Origin": url},
                {"Origin": "http://localhost:3000"},
                {"Host": "localhost"},
                {"Host": "Trainer-3.example:8000"},
                {"Host": "trainer-3.example", "Origin": "http://trainer-3.example"},
            ):
                async with http.ws_connect(f"{url}/ws", headers=headers) as socket:
                    assert (await ask(socket, {"type": "state"}))["data"]["step_count"] == 0

    with served_by_the_command("--allow-host", "trainer-3.example") as url:
        run(play(url))


def test_a_port_in_use_is_one_line() -> None:
    with served_by_the_command() as url:
        port = url.rpartition(":")[2]
        command = [sys.executable, "-m", "thorp", "openenv", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        f"thorp: 127.0.0.1:{port} is in use; stop what listens there, or give another --port\n"
    )


def test_actions_are_taken_in_capitals_as_the_protocol_writes_them() -> None:
    async def play() -> None:
        async with listening() as (url, http), http.ws_connect(f"{url}/ws") as socket:
            await ask(socket, {"type": "reset", "data": {"seed": 1}})
            small = await ask(socket, step(action="say", text="One."))
            capital = await ask(socket, step(action="SAY", text="Two."))
            waited = await ask(socket, step(action="WAIT", ticks=3))
            mixed = await ask(socket, step(action="Say", text="Three."))
        told = [each["data"]["observation"] for each in (small, capital, waited, mixed)]
        assert [each["ok"] for each in told] == [True, True, True, False]
        assert told[2]["tick"] - told[1]["tick"] == 3

    run(play())
