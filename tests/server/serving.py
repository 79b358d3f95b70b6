"""A real server on a free port, with a real world on a real disk, and a client that knows nothing
but JSON.

@with_server(tick_rate_hz=50)
async def test_something(served: Served) -> None:
    async with served.agent("mole") as mole:
        obs = await mole.obs()
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import pytest
from aiohttp import ClientWebSocketResponse, WSMsgType

from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens
from thorp.server.host import listening, living
from thorp.server.http.live_world import LiveWorld
from thorp.server.http.openapi import Route
from thorp.server.http.routes import routes
from thorp.server.http.server import Server
from thorp.server.live.clocks import MOVE_DEADLINE_SECONDS
from thorp.server.live.tape_keeper import TapeKeeper
from thorp.server.settings import WORLD
from thorp.server.sockets.connection_limiter import ConnectionLimiter
from thorp.server.sockets.spectators import MAX_VIEWERS
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.persistence.snapshot import WorldMaker
from thorp.voxel.tuning import Tuning

PATIENCE_SECONDS = 60
T = TypeVar("T")
CATALOGS = [
    "block_palette",
    "item_palette",
    "tuning",
    "recipes",
    "blueprints",
    "law_templates",
    "events",
]


def role_of(tokens: Tokens, text: str) -> Role | None:
    """The role that a token gives; None if it is unknown."""
    token = tokens.find(text)
    return None if token is None else Role[token.role.upper()]


class Closed(Exception):
    """The server closed the socket: code and reason."""

    @property
    def code(self) -> int:
        return int(self.args[0])

    @property
    def reason(self) -> str:
        return str(self.args[1])


class RawAgent:
    """One WebSocket to `/v1/ws`, frame by frame."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.welcome: dict[str, Any] = {}
        self.catalogs: dict[str, dict[str, Any]] = {}
        self.last: dict[str, Any] = {}
        self._acted: dict[str, Any] = {}

    async def receive(self) -> dict[str, Any]:
        message = await self.socket.receive(PATIENCE_SECONDS)
        if message.type is WSMsgType.TEXT:
            value: dict[str, Any] = json.loads(message.data)
            return value
        told = message.type is WSMsgType.CLOSE
        raise Closed(message.data if told else self.socket.close_code, message.extra or "")

    async def send(self, value: object) -> None:
        await self.socket.send_str(value if isinstance(value, str) else json.dumps(value))

    async def hello(self, name: str = "mole", token: str | None = None, **changes: Any) -> None:
        message = {
            "type": "HELLO",
            "protocol_version": "0.9",
            "agent_name": name,
            "capabilities": {"delta_voxels": True, "max_queue": 8},
            **({} if token is None else {"auth": {"token": token}}),
            **changes,
        }
        await self.send(message)

    async def greeted(self) -> None:
        """Take WELCOME and the catalogs."""
        self.welcome = await self.receive()
        assert self.welcome["type"] == "WELCOME", self.welcome
        for name in CATALOGS:
            catalog = await self.receive()
            assert (catalog["type"], catalog["name"]) == ("CATALOG", name)
            self.catalogs[name] = catalog

    async def obs(self) -> dict[str, Any]:
        message = await self.receive()
        assert message["type"] == "OBS", message
        self.last = message
        return message

    async def act(self, tick: int | None = None, **parts: Any) -> None:
        self._acted = parts if tick is None else {}
        stamp = self.last.get("tick", 0) if tick is None else tick
        await self.send(
            {"type": "ACT", "protocol_version": "0.9", "tick": stamp, "agent_id": self.id, **parts}
        )

    async def event(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next event of a kind with these fields."""
        while True:
            for event in (await self.obs())["events"]:
                if event["type"] == kind and all(
                    event.get(name) == value for name, value in fields.items()
                ):
                    found: dict[str, Any] = event
                    return found

    async def result(self, ref: str) -> dict[str, Any]:
        """The result of an action. An ACT that a busy machine was late with is sent again."""
        while True:
            found: list[dict[str, Any]] = (await self.obs())["events"]
            results = {
                event["ref"]: event for event in reversed(found) if event["type"] == "ACTION_RESULT"
            }
            if ref in results:
                return results[ref]
            if self._acted and results.get("ACT", {}).get("code") == "E_STALE":
                await self.act(**self._acted)

    async def closed(self) -> Closed:
        """What the server says when it closes, however much it sends before."""
        try:
            while True:
                await self.receive()
        except Closed as end:
            return end

    @property
    def id(self) -> str:
        return str(self.welcome.get("agent_id", ""))

    @property
    def token(self) -> str:
        return str(self.welcome["resume_token"])


def table_of_routes() -> tuple[Route, ...]:
    """The table of routes, of a server that is not started."""
    nowhere = Path("nowhere")
    return routes(Server(nowhere, Principals(Tokens(nowhere))))


class Served:
    """A server under test."""

    def __init__(self, port: int, server: Server, http: aiohttp.ClientSession, data: Path) -> None:
        self.port = port
        self.server = server
        self.http = http
        self.data = data

    @property
    def live(self) -> LiveWorld:
        assert self.server.stage.live is not None
        return self.server.stage.live

    def url(self, path: str, scheme: str = "http") -> str:
        return f"{scheme}://127.0.0.1:{self.port}{path}"

    @asynccontextmanager
    async def socket(self, path: str = "/v1/ws", **options: Any) -> AsyncIterator[RawAgent]:
        """An open socket that has said nothing yet."""
        async with self.http.ws_connect(self.url(path, "ws"), max_msg_size=0, **options) as socket:
            yield RawAgent(socket)

    @asynccontextmanager
    async def narrow_socket(self, path: str = "/v1/ws") -> AsyncIterator[RawAgent]:
        """A socket for whose owner the system keeps next to nothing."""

        def make(address: Any) -> socket.socket:
            narrow = socket.socket(address[0], address[1])
            narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            return narrow

        connector = aiohttp.TCPConnector(socket_factory=make)
        async with (
            aiohttp.ClientSession(connector=connector) as http,
            http.ws_connect(self.url(path, "ws")) as narrow,
        ):
            yield RawAgent(narrow)

    @asynccontextmanager
    async def agent(
        self, name: str = "mole", token: str | None = None, **hello: Any
    ) -> AsyncIterator[RawAgent]:
        """An agent that has been greeted."""
        async with self.socket() as agent:
            await agent.hello(name, token, **hello)
            await agent.greeted()
            yield agent

    async def caught_up(self, *agents: RawAgent) -> None:
        """Let these read until they have the newest OBS."""
        for agent in agents:
            while agent.last.get("tick", 0) < self.live.service.world.tick:
                await agent.obs()

    @asynccontextmanager
    async def beside(self, *, loopback: Role, open_book: bool = False) -> AsyncIterator[Served]:
        """Another server of the same world, which trusts this machine and shows pockets as told."""
        principals = Principals(Tokens(self.data), loopback=loopback)
        stage = self.server.stage
        server = Server(self.data, principals, stage=stage, open_book=open_book)
        async with listening(server, "127.0.0.1", 0) as port:
            yield Served(port, server, self.http, self.data)

    async def get(self, path: str, method: str = "GET", **options: Any) -> tuple[int, str]:
        async with self.http.request(method, self.url(path), **options) as answer:
            return answer.status, await answer.text()


@asynccontextmanager
async def serving(
    data: Path,
    *,
    clock: str = "real",
    loopback: Role = Role.ADMIN,
    limiter: ConnectionLimiter | None = None,
    move_deadline_seconds: float = MOVE_DEADLINE_SECONDS,
    max_viewers: int = MAX_VIEWERS,
    senders: int = 0,
    tape: bool = False,
    open_book: bool = False,
    beside: Path | None = None,
    make_world: WorldMaker | None = None,
    **tuning: Any,
) -> AsyncIterator[Served]:
    """Serve a world; with `make_world`, the one that this function has made and that is kept
    there."""
    world: Any = {"make_world": make_world}
    if make_world is None:
        world = {"draw_seed": 5, "tuning": Tuning(**{"tick_rate_hz": 50, **tuning})}
    principals = Principals(Tokens(data), loopback=loopback)
    server = Server(data, principals, open_book=open_book, beside=beside)
    async with listening(server, "127.0.0.1", 0, limiter) as port:
        service = WorldService.open(RealDisk(), data / WORLD, **world)
        limits: Any = {"move_deadline_seconds": move_deadline_seconds, "max_viewers": max_viewers}
        keeper = TapeKeeper(data, data / WORLD, service.world) if tape else None
        async with (
            living(server, service, clock, tape=keeper, senders=senders, **limits),
            aiohttp.ClientSession() as http,
        ):
            yield Served(port, server, http, data)


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged, except that the disk is slow: on a busy machine it may be, whatever is
    tested."""
    told = [record.getMessage() for record in caplog.records]
    return [text for text in told if not text.startswith("the disk took")]


def run(play: Coroutine[Any, Any, T], patience: float = PATIENCE_SECONDS) -> T:
    """Run a coroutine, but not for ever: a world that has stopped keeps everyone waiting."""

    async def impatiently() -> T:
        async with asyncio.timeout(patience):
            return await play

    return asyncio.run(impatiently())


def with_server(
    patience: float = PATIENCE_SECONDS, **options: Any
) -> Callable[[Callable[[Served], Awaitable[None]]], Callable[[Path], None]]:
    """A test that is a coroutine, given a server of its own."""

    def decorate(play: Callable[[Served], Awaitable[None]]) -> Callable[[Path], None]:
        def test(tmp_path: Path) -> None:
            async def whole() -> None:
                async with serving(tmp_path, **options) as served:
                    await play(served)

            run(whole(), patience)

        test.__name__ = play.__name__
        test.__doc__ = play.__doc__
        return test

    return decorate


class Flooder(threading.Thread):
    """A client in a thread of its own that sends the same bytes for a while, as fast as they are
    taken."""

    def __init__(self, port: int, frame: bytes, seconds: float, first: bytes = b"") -> None:
        super().__init__(daemon=True)
        self._port = port
        self._first = first
        self._frame = frame
        self._seconds = seconds
        self.sent_bytes = 0

    def run(self) -> None:
        flood = self._frame * max(1, 65536 // len(self._frame))
        with open_socket(self._port) as raw, contextlib.suppress(ConnectionError):
            raw.sendall(self._first)
            raw.settimeout(0.1)
            until = time.monotonic() + self._seconds
            while time.monotonic() < until:
                with contextlib.suppress(TimeoutError):  # held back, as it should be
                    self.sent_bytes += raw.send(flood)


def masked_frame(
    payload: bytes, opcode: int = 1, *, final: bool = True, mask: bytes = bytes(4)
) -> bytes:
    """A frame of a client. The usual mask changes nothing."""
    size, first = len(payload), final << 7 | opcode
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 65536:
        head = struct.pack("!BBH", first, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, size)
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def open_socket(port: int, hurried: bytes | None = None) -> socket.socket:
    """A WebSocket by hand that has said HELLO and reads nothing more than the server's answer.

    A hurried one does not wait for that, and sends all it has at once.
    """
    raw = socket.create_connection(("127.0.0.1", port))
    request = (
        "GET /v1/ws HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    head = "\r\n".join(request).encode() + b"\r\n\r\n"
    wish = {"type": "HELLO", "protocol_version": "0.9", "agent_name": "loud", "capabilities": {}}
    hello = masked_frame(json.dumps(wish).encode())
    if hurried is not None:
        raw.sendall(head + hello + hurried)
        return raw
    raw.sendall(head)
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += raw.recv(1)
    raw.sendall(hello)
    return raw
