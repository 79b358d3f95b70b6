"""The HTTP side: health, metrics, state, snapshots, the page, and requests that are wrong."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import io
import json
import re
from pathlib import Path
from urllib.parse import urljoin

import aiohttp
import msgspec
import pytest

from tests.server.serving import Served, logged, run, serving, table_of_routes, with_server
from thorp.kernel.errors import IllegalError
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens
from thorp.server.host import listening
from thorp.server.http.page import accepts_gzip
from thorp.server.http.server import Server
from thorp.server.live.tick_meter import PHASES, TickMeter, quantile
from thorp.server.sockets.connection_limiter import CONNECTIONS_PER_ADDRESS, ConnectionLimiter
from thorp.store import DiskError


@with_server()
async def test_health_and_readiness(served: Served) -> None:
    assert await served.get("/healthz") == (200, "ok")
    assert await served.get("/readyz") == (200, "ready")
    assert await served.get("/v1/status") == (200, '{"state":"live"}')
    assert (await served.get("/healthz", "HEAD"))[0] == 200


def test_the_server_answers_while_the_world_is_still_being_opened(tmp_path: Path) -> None:
    async def play() -> None:
        server = Server(tmp_path, Principals(Tokens(tmp_path), loopback=Role.ADMIN))
        async with listening(server, "127.0.0.1", 0) as port, aiohttp.ClientSession() as http:
            served = Served(port, server, http, tmp_path)
            assert await served.get("/healthz") == (200, "ok")
            assert (await served.get("/metrics"))[0] == 200
            for path in ("/readyz", "/admin/v1/state", "/admin/v1/observer/bootstrap"):
                status, body = await served.get(path)
                assert status == 503
                opening = {"error": "not_ready", "details": "the world is being opened"}
                assert json.loads(body) == {**opening, "kind": "unavailable"}
            status, body = await served.get("/v1/status")
            assert (status, json.loads(body)) == (
                200,
                {"state": "opening", "details": opening["details"]},
            )
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                async with served.socket():
                    pass
            assert refused.value.status == 503

    run(play())


@with_server()
async def test_metrics_have_the_names_that_dashboards_know(served: Served) -> None:
    async with served.agent() as mole:
        await mole.obs()
        async with served.http.get(served.url("/metrics")) as answer:
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            text = await answer.text()
    values = dict(re.findall(r"^([a-z_]+(?:\{[^}]*\})?) ([0-9.]+)$", text, re.MULTILINE))
    assert float(values['voxelcraft_world_tick{world="world_1"}']) >= 1
    assert values['voxelcraft_world_agents{world="world_1"}'] == "1"
    assert values['voxelcraft_world_clients{world="world_1"}'] == "1"
    assert values['voxelcraft_world_loaded_chunks{world="world_1"}'] != "0"
    assert 'voxelcraft_world_step_ms{world="world_1"}' in values
    for queue in ("inbox", "join", "leave", "attach"):
        assert values[f'voxelcraft_world_queue_depth{{world="world_1",queue="{queue}"}}'] == "0"
    assert 'thorp_late_ticks_total{world="world_1"}' in values
    assert 'thorp_tick_ms{world="world_1",phase="journal",quantile="0.99"}' in values
    assert 'thorp_tick_cpu_ms{world="world_1",phase="all",quantile="0.5"}' in values
    for line in text.splitlines():
        assert re.fullmatch(r"(# (HELP|TYPE) .+)|([a-zA-Z_]+(\{[^}]*\})? -?[0-9.]+)", line), line


@with_server()
async def test_state_and_snapshot(served: Served) -> None:
    async with served.agent() as mole:
        await mole.obs()
        status, body = await served.get("/admin/v1/state")
        state = json.loads(body)
        assert (status, state["world_id"]) == (200, "world_1")
        assert state["metrics"]["agents"] == state["metrics"]["clients"] == 1
        assert set(state["metrics"]["queue_depths"]) == {"inbox", "join", "leave", "attach"}
        assert (await served.get("/admin/v1/snapshot"))[0] == 405
        status, body = await served.get("/admin/v1/snapshot", "POST")
        answer = json.loads(body)
        assert (status, answer["ok"]) == (200, True)
        assert (served.data / "world" / f"snapshot-{answer['tick']:012d}.zst").exists()


@with_server()
async def test_malformed_bodies_are_refused(served: Served) -> None:
    cases = [
        (b"x" * (2**20 + 1), 413, "too_large"),
        (b"[" * 65 + b"]" * 65, 400, "too_deep"),
        (b"{", 400, "not_json"),
        (b'"\xff"', 400, "not_json"),
        (b'{"a":1,"a":2}', 400, "not_json"),
        (b'"\\ud800"', 400, "not_json"),
        (b"[" * 100_000, 400, "too_deep"),
        (b"[" * 64 + b"]" * 64, 200, None),
        (b"", 200, None),
    ]
    for body, status, error in cases:
        got, text = await served.get("/admin/v1/snapshot", "POST", data=io.BytesIO(body))
        assert got == status, body[:10]
        if error:
            assert json.loads(text)["error"] == error


@with_server()
async def test_unknown_paths_and_methods_answer_in_json(served: Served) -> None:
    assert json.loads((await served.get("/nowhere"))[1])["error"] == "not_found"
    async with served.http.delete(served.url("/healthz")) as answer:
        assert answer.status == 405
        assert "GET" in answer.headers["Allow"]
    assert (await served.get("/assets/..%2findex.html"))[0] == 404


@with_server()
async def test_the_page_needs_nothing_from_elsewhere(served: Served) -> None:
    for path in ("/", "/story/day/3", "/matches/cup:r01"):
        async with served.http.get(served.url(path)) as answer:
            html = await answer.text()
            assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        links = re.findall(r'(?:src|href)="([^"]+)"', html)
        assert links
        for link in links:
            assert (await served.get(urljoin(path, link)))[0] == 200
            assert "//" not in link


@with_server()
async def test_files_are_compressed_for_clients_that_accept_it(served: Served) -> None:
    url = served.url("/assets/page.js")
    async with aiohttp.ClientSession(auto_decompress=False) as http:
        async with http.get(url, headers={"Accept-Encoding": "identity"}) as answer:
            plain, plain_tag = await answer.read(), answer.headers["ETag"]
            assert "Content-Encoding" not in answer.headers
        async with http.get(url, headers={"Accept-Encoding": "br, gzip;q=0.5"}) as answer:
            packed, packed_tag = await answer.read(), answer.headers["ETag"]
            assert answer.headers["Content-Encoding"] == "gzip"
            assert answer.headers["Vary"] == "Accept-Encoding"
            assert answer.headers["Cache-Control"] == "no-cache"
            assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
        async with http.head(url, headers={"Accept-Encoding": "gzip"}) as answer:
            assert (answer.status, answer.headers["Content-Length"]) == (200, str(len(packed)))
    assert gzip.decompress(packed) == plain
    assert len(packed) < 0.35 * len(plain)
    assert plain_tag != packed_tag


@with_server()
async def test_an_unchanged_file_is_a_304(served: Served) -> None:
    for path in ("/", "/assets/page.js", "/assets/page.css", "/story"):
        async with served.http.get(served.url(path)) as answer:
            tag = answer.headers["ETag"]
        for known, status in (
            (tag, 304),
            (f'"other", W/{tag}', 304),
            ("*", 304),
            ('"other"', 200),
            ("nonsense", 200),
        ):
            async with served.http.get(
                served.url(path), headers={"If-None-Match": known}
            ) as answer:
                assert answer.status == status, (path, known)
                assert answer.headers["ETag"] == tag
                assert bool(await answer.read()) == (status == 200)
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("", False),
        ("identity", False),
        ("gzip", True),
        ("GZIP", True),
        ("deflate, gzip;q=1.0, *;q=0.5", True),
        ("br;q=1, gzip; q=0.001", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip;q=0.000, *", False),
        ("*;q=0", False),
        ("gzipped", False),
        (",;,;q=", False),
        ("gzip;level=9", True),
    ],
)
def test_what_accept_encoding_says(accepted: str, packed: bool) -> None:
    assert accepts_gzip(accepted) is packed


def test_connections_of_one_address_are_counted(tmp_path: Path) -> None:
    async def play() -> None:
        limiter = ConnectionLimiter(per_address=3, exempt_loopback=False)
        async with serving(tmp_path, limiter=limiter) as served:
            async with served.agent() as one, served.agent(), served.agent():
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    async with served.socket():
                        pass
                assert refused.value.status == 429
                await one.obs()
                await one.socket.close()
                while limiter.open > 2:
                    await asyncio.sleep(0.01)
                async with served.agent() as again:
                    await again.obs()
            while limiter.open:
                await asyncio.sleep(0.01)

    run(play())


@with_server()
async def test_this_machine_is_exempt_from_the_connection_limit(served: Served) -> None:
    connections = [
        await asyncio.open_connection("127.0.0.1", served.port)
        for _ in range(CONNECTIONS_PER_ADDRESS + 10)
    ]
    assert (await served.get("/healthz"))[0] == 200
    for _, writer in connections:
        writer.close()
    for _, writer in connections:
        await writer.wait_closed()


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01 no HTTP\r\n\r\n",
        b"GET / HTTP/1.1\r\nno header\r\n\r\n",
        b"GET /" + b"x" * 20_000,
    ],
)
def test_malformed_http_is_refused_and_not_logged(
    sent: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    @with_server()
    async def play(served: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(sent)
        assert (await reader.read(12)).startswith(b"HTTP/1.0 400")
        writer.close()

    play(tmp_path)
    assert logged(caplog) == []


def test_a_connection_without_a_request_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thorp.server.sockets.limited_protocol.FIRST_REQUEST_SECONDS", 0.1)

    @with_server()
    async def play(served: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()

    play(tmp_path)


async def _is_cut(served: Served, *parts: bytes, every: float = 0.02) -> bytes:
    """What a peer that sends these, and then byte after byte, is told before it is hung up on."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    told = bytearray()

    async def listen() -> None:
        with contextlib.suppress(ConnectionError):
            while some := await reader.read(
                4_096
            ):  # piece by piece: a reset takes what was not read yet
                told.extend(some)

    listening = asyncio.create_task(listen())
    with contextlib.suppress(ConnectionError):
        for part in parts:
            writer.write(part)
        while not listening.done():
            await asyncio.sleep(every)
            writer.write(b"x")
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    await listening
    return bytes(told)


ASKED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize("begun", [b"", b"\r\n\r\n", b"GET", ASKED])
def test_whoever_never_ends_its_first_request_is_cut(
    begun: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thorp.server.sockets.limited_protocol.FIRST_REQUEST_SECONDS", 0.2)

    @with_server()
    async def play(served: Served) -> None:
        await _is_cut(served, begun)

    play(tmp_path)


def test_between_requests_nobody_waits_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thorp.server.host.KEEP_ALIVE_SECONDS", 1.5)

    @with_server()
    async def play(served: Served) -> None:
        told = await _is_cut(served, ASKED + b"\r\n", ASKED)
        assert told.count(b"200 OK") == 1

    play(tmp_path)


def test_a_request_that_is_there_may_take_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thorp.server.sockets.limited_protocol.FIRST_REQUEST_SECONDS", 0.1)

    @with_server()
    async def play(served: Served) -> None:
        async with served.agent() as mole:
            await asyncio.sleep(0.3)
            await served.caught_up(mole)

    play(tmp_path)


def test_a_body_that_does_not_come_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thorp.server.access.requests.BODY_SECONDS", 0.2)

    @with_server()
    async def play(served: Served) -> None:
        for path in ("/admin/v1/snapshot", "/v1/handoffs", "/invocations"):
            reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
            writer.write(
                f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{{".encode()
            )
            assert (await reader.readline()).startswith(b"HTTP/1.1 408")
            writer.close()
            await writer.wait_closed()

    play(tmp_path)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "x", "gzip, gzip"])
def test_an_encoded_body_is_refused_and_nothing_breaks(
    encoding: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    @with_server()
    async def play(served: Served) -> None:
        headers = {"Content-Encoding": encoding}
        for path in ("/admin/v1/snapshot", "/v1/handoffs", "/invocations"):
            for body in (b"garbage", gzip.compress(b"{}"), gzip.compress(b"{}")[:-9]):
                status, text = await served.get(
                    path, "POST", data=body, headers=headers, compress=None
                )
                assert status == 400
                assert json.loads(text)["error"] == "encoded"
        assert (await served.get("/healthz", data=b"garbage", headers=headers))[0] == 200

    play(tmp_path)
    assert logged(caplog) == []


def test_a_connection_limiter_counts_by_address() -> None:
    limiter = ConnectionLimiter(per_address=2)
    assert [limiter.enter("192.0.2.1") for _ in range(2)] == [None, None]
    refusal = limiter.enter("192.0.2.1")
    assert refusal is not None
    assert b"429" in refusal
    assert limiter.enter("192.0.2.2") is None
    for _ in range(3):
        limiter.leave("192.0.2.1")
    assert limiter.enter("192.0.2.1") is None
    assert all(limiter.enter("127.0.0.1") is None for _ in range(100))


@with_server()
async def test_a_disk_that_fails_stops_the_world_and_acknowledges_nothing(served: Served) -> None:
    async with served.agent() as mole:
        await mole.obs()
        broken = DiskError("the disk is full")

        def fail(records: object) -> None:
            raise broken

        served.live.service._append = fail  # type: ignore[method-assign]
        await mole.act(tasks=[{"id": "lost", "type": "STOP"}])
        end = None
        try:
            assert not await mole.result("lost")
        except Exception as closed:
            end = closed
        assert end is not None
        assert end.args == (1011, "the world has stopped")
        status, body = await served.get("/readyz")
        assert status == 503
        assert "the disk is full" in json.loads(body)["details"]
        status, body = await served.get("/v1/status")
        assert (status, json.loads(body)["state"]) == (200, "stopped")
        assert "the disk is full" in json.loads(body)["details"]
        assert await served.get("/healthz") == (200, "ok")
        tick = served.live.service.world.tick
        await asyncio.sleep(0.1)
        assert served.live.service.world.tick == tick


def test_a_port_that_is_taken_is_refused_with_advice(tmp_path: Path) -> None:
    async def play() -> None:
        server = Server(tmp_path, Principals(Tokens(tmp_path), loopback=Role.ADMIN))
        async with listening(server, "127.0.0.1", 0) as port:
            with pytest.raises(IllegalError, match="in use; stop what listens there"):
                async with listening(server, "127.0.0.1", port):
                    pass
        with pytest.raises(IllegalError, match="check --host"):
            async with listening(server, "no such host", 0):
                pass

    run(play())


def test_quantiles_are_true_samples() -> None:
    samples = [float(n) for n in range(1, 101)]
    assert [quantile(samples, q) for q in (0.5, 0.99, 1.0)] == [50.0, 99.0, 100.0]
    assert quantile([], 0.5) == 0.0
    assert quantile([7.0], 0.01) == 7.0


def test_a_meter_adds_up_and_forgets() -> None:
    meter = TickMeter()
    meter.begin()
    for phase in PHASES:
        meter.phase(phase)
    meter.end()
    for spans in (meter.wall, meter.cpu):
        assert spans["all"][0] == pytest.approx(sum(spans[phase][0] for phase in PHASES))
    assert meter.cpu["journal"][0] == 0
    assert meter.last_ms > 0
    meter.forget()
    assert meter.last_ms == 0


HUGE_NUMBERS = (
    "9" * 20,
    "-" + "9" * 20,
    str(2**63),
    "1" * 39,
    "9" * 4_000,
    "1e3",
    "0x10",
    "%D9%A3",
)
PATH_VALUES = {
    "{place}": "0,30,0",
    "{law}": "L1",
    "{town}": "nowhere",
    "{match}": "none",
    "{name}": "x",
}


def integer_queries() -> list[tuple[str, str]]:
    """Every number that a GET of ours takes in its query: path and name."""
    found = []
    for route in table_of_routes():
        path = route.path
        for part, value in PATH_VALUES.items():
            path = path.replace(part, value)
        for parameter in route.operation.query:
            schema = msgspec.json.schema(parameter.type)
            if route.method == "GET" and schema.get("type") == "integer":
                found.append((path, parameter.name))
    return found


def test_there_are_numbers_in_queries() -> None:
    named = {(path.rpartition("/")[2], name) for path, name in integer_queries()}
    assert {
        ("activity", "from"),
        ("activity", "to"),
        ("surfaces", "x0"),
        ("stream", "limit"),
    } <= named


@with_server(tape=True)
async def test_no_number_in_a_query_is_too_large_for_a_refusal(served: Served) -> None:
    for path, name in integer_queries():
        for number in HUGE_NUMBERS:
            status, text = await served.get(f"{path}?{name}={number}")
            # Of what does not exist one may be told that first.
            is_absent = status == 404 or json.loads(text)["error"] == "no_story"
            assert status == 400 or is_absent, (path, name, number, status, text)
    for path, name in (
        ("/admin/v1/observer/activity", "from"),
        ("/admin/v1/observer/activity", "to"),
        ("/admin/v1/observer/places/0,30,0/changes", "tick"),
        ("/admin/v1/observer/marks", "bins"),
    ):
        for number in HUGE_NUMBERS:
            status, text = await served.get(f"{path}?{name}={number}")
            assert (status, json.loads(text)["error"]) == (400, f"invalid_{name}")
        for number in ("0", "-1", str(2**53 - 1), str(1 - 2**53)):
            status, text = await served.get(f"{path}?{name}={number}")
            assert status in (200, 400)
