"""A server that runs out of file descriptors serves who is connected, says so once, and
recovers."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import socket
import subprocess
import time
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import Served, run, with_server
from tests.server.test_mcp import post_modern
from tests.server.test_up import THORP, up
from thorp.kernel.errors import IllegalError
from thorp.server.http import mcp
from thorp.server.sockets import listener
from thorp.server.sockets.connection_limiter import MAX_CONNECTIONS
from thorp.server.sockets.listener import Listener, connections_allowed, is_in_reserve, listen

LOW_LIMIT = ["bash", "-c", 'ulimit -n 128; exec "$@"', "thorp", *THORP]


def get(connection: HTTPConnection, path: str) -> tuple[int, bytes]:
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_a_server_out_of_descriptors_serves_who_is_connected_and_recovers(tmp_path: Path) -> None:
    with up(tmp_path / "data", thorp=LOW_LIMIT) as running:
        assert running.line(r"room for (\d+) connections, with `ulimit -n` (\d+)").groups() == (
            "64",
            "128",
        )
        running.until_ready()
        with (
            closing(HTTPConnection("127.0.0.1", running.port, timeout=20)) as early,
            ExitStack() as stack,
        ):
            assert get(early, "/healthz") == (200, b"ok")
            idle = [
                stack.enter_context(
                    socket.create_connection(("127.0.0.1", running.port), timeout=20)
                )
                for _ in range(140)
            ]
            late = stack.enter_context(
                closing(HTTPConnection("127.0.0.1", running.port, timeout=60))
            )
            late.request("GET", "/healthz")
            worked = running.worked()
            for _ in range(10):
                assert get(early, "/readyz")[0] == 200
                time.sleep(0.1)
            assert running.worked() - worked < 5.0  # seconds: it does not run in circles
            in_use = len(os.listdir(f"/proc/{running.process.pid}/fd"))
            assert in_use <= 128 - 16
            for each in idle:
                each.close()
            assert late.getresponse().read() == b"ok"
            assert running.get("/healthz") == "ok"
        running.process.terminate()
        assert running.process.wait(20) == 0
        assert running.process.stderr is not None
        said = running.process.stderr.read()
    assert "Traceback" not in said
    assert said.count("no more connections are accepted") == 1
    assert said.count("\n") <= 2


def test_a_limit_that_is_far_too_low_is_one_line(tmp_path: Path) -> None:
    command = ["bash", "-c", 'ulimit -n 48; exec "$@"', "thorp", *THORP]
    done = subprocess.run(
        [*command, "up", "--data", str(tmp_path / "data"), "--port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "thorp: this process may have 48 open files, and a server needs 64; raise `ulimit -n`\n"
    )


def test_doctor_says_how_many_connections_the_limit_allows(tmp_path: Path) -> None:
    done = subprocess.run(
        [*LOW_LIMIT, "doctor", "--data", str(tmp_path), "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    finding = next(each for each in json.loads(done.stdout) if each["check"] == "open files")
    assert finding["verdict"] == "warn"
    assert finding["found"] == "at most 128: room for 64 connections"


def test_more_descriptors_allow_more_connections_up_to_the_servers_own_limit() -> None:
    assert [connections_allowed(limit) for limit in (0, 64, 128, 1_024)] == [0, 32, 64, 768]
    assert connections_allowed(MAX_CONNECTIONS + 256) == MAX_CONNECTIONS
    assert connections_allowed(listener.finite_limit(resource.RLIM_INFINITY)) == MAX_CONNECTIONS
    assert [is_in_reserve(number, 128) for number in (95, 96)] == [False, True]


def descriptors_in_use() -> set[int]:
    """The numbers of the open descriptors of this process."""
    return {int(name) for name in os.listdir("/proc/self/fd")}


def test_nobody_is_accepted_while_descriptors_are_out_and_the_log_says_so_once_a_minute(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(listener, "LOOK_SECONDS", 0.01)
    accepted: list[asyncio.Transport] = []

    class Counted(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            accepted.append(transport)

    async def until(count: int) -> None:
        while len(accepted) < count:
            await asyncio.sleep(0.01)

    async def whole() -> None:
        listening = socket.create_server(("127.0.0.1", 0))
        listening.setblocking(False)
        with ExitStack() as stack:
            # What garbage holds open is closed now, so that it leaves no free number later.
            gc.collect()
            # Free numbers between those in use would be taken first: they are filled, up to the
            # first run of free ones that is long enough for all that follows.
            in_use = descriptors_in_use()
            first = next(each for each in count() if in_use.isdisjoint(range(each, each + 32)))
            while (lowest := os.dup(listening.fileno())) < first:
                stack.callback(os.close, lowest)
            os.close(lowest)
            # The callers themselves take six numbers; two of their peers' fit below the reserve.
            last = lowest + 7
            limit = next(each for each in count(lowest) if not is_in_reserve(last, each))
            served = stack.enter_context(closing(Listener([listening], Counted, limit)))
            callers = [
                stack.enter_context(socket.create_connection(("127.0.0.1", served.port)))
                for _ in range(6)
            ]
            await until(3)
            await asyncio.sleep(0.2)
            assert len(accepted) == 3  # the third was the first in the reserve
            for caller in callers:
                caller.close()
            await until(6)
            for transport in accepted:
                transport.abort()

    run(whole(), 30)
    told = [each.getMessage() for each in caplog.records]
    assert len(told) == 1
    assert "no more connections are accepted" in told[0]


def test_who_is_accepted_while_the_server_stops_is_disconnected() -> None:
    async def whole() -> None:
        served = await listen(asyncio.Protocol, "127.0.0.1", 0)
        with socket.create_connection(("127.0.0.1", served.port), timeout=10) as caller:
            served._accept(served._sockets[0])
            served.close()
            await asyncio.sleep(0)
            assert await asyncio.to_thread(caller.recv, 1) == b""

    run(whole())


def test_a_name_with_several_addresses_is_listened_on_at_one_port() -> None:
    async def whole() -> None:
        with closing(await listen(asyncio.Protocol, "localhost", 0)) as served:
            ports = {each.getsockname()[1] for each in served._sockets}
            assert ports == {served.port}
            with pytest.raises(IllegalError, match="is in use"):
                await listen(asyncio.Protocol, "localhost", served.port)
        with pytest.raises(IllegalError, match=r"cannot listen on no\.such\.host\.invalid:0: "):
            await listen(asyncio.Protocol, "no.such.host.invalid", 0)

    run(whole())


@with_server()
async def test_an_assistant_is_told_when_there_is_no_descriptor_for_it(served: Served) -> None:
    def everything(_: int) -> bool:
        return True

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(mcp, "is_in_reserve", everything)
        status, answer = await post_modern(
            served, "tools/call", name="join", arguments={"name": "Ada"}
        )
    result: dict[str, Any] = answer["result"]
    assert (status, result["isError"]) == (200, True)
    assert "no connection left" in result["content"][0]["text"]
    _, answer = await post_modern(served, "tools/call", name="join", arguments={"name": "Ada"})
    assert not answer["result"]["isError"]
