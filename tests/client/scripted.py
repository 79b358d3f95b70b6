"""A server that plays a script, one for each connection, so that everything that can go wrong does.

A script is a coroutine that gets the peer. When it returns, the socket closes in good order; when
it calls `peer.cut()`, the network does it.
"""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from aiohttp import WSMsgType, web

from tests.protocol import samples
from thorp.client import Agent, connect

PATIENCE_SECONDS = 60


class Gone(Exception):
    """The client went away."""


class Peer:
    """The server's end of one connection."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self._socket = socket
        self.request = request
        self.tick = 0

    async def send(self, message: object) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        try:
            await self._socket.send_str(text)
        except ConnectionError:
            raise Gone from None

    async def receive(self) -> dict[str, Any]:
        frame = await self._socket.receive(PATIENCE_SECONDS)
        if frame.type is not WSMsgType.TEXT:
            raise Gone
        message: dict[str, Any] = json.loads(frame.data)
        return message

    async def greet(self, agent_id: str = "A1", token: str = "resume_1") -> dict[str, Any]:
        """Take the HELLO, answer with WELCOME and catalogs."""
        greeting = await self.receive()
        assert greeting["type"] == "HELLO"
        await self.send(samples.welcome(agent_id=agent_id, resume_token=token))
        await self.send(samples.catalog("block_palette", samples.PALETTE))
        await self.send(samples.catalog("recipes", [{"recipe_id": "torch"}]))
        return greeting

    async def obs(self, tick: int | None = None, /, **changes: Any) -> None:
        self.tick = self.tick + 1 if tick is None else tick
        await self.send(samples.obs(self.tick, **changes))

    async def act(self) -> dict[str, Any]:
        """The next ACT that asks for something."""
        while True:
            message = await self.receive()
            assert message["type"] == "ACT"
            if message["instants"] or message["tasks"] or message["cancel"]:
                return message

    async def close(self, code: int, reason: str = "") -> None:
        await self._socket.close(code=code, message=reason.encode())

    def cut(self, *, within_a_frame: bool = False) -> None:
        """Break the connection, as a pulled cable does."""
        transport = self.request.transport
        assert transport is not None
        if within_a_frame:
            transport.write(struct.pack("!BBH", 0x81, 126, 5000) + b'{"type":"OBS","tick":')
            transport.close()
        else:
            transport.abort()


Script = Callable[[Peer], Awaitable[None]]


async def serve(
    scripts: Sequence[Script],
    scenario: Callable[[str], Awaitable[None]],
    refusals: list[int] | None = None,
) -> None:
    """Run a scenario against the scripts; errors in either come out. `refusals` are statuses given
    first."""
    waiting = list(scripts)
    failures: list[BaseException] = []

    async def handle(request: web.Request) -> web.StreamResponse:
        if refusals:
            return web.Response(status=refusals.pop(0))
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        script = waiting.pop(0)
        try:
            with suppress(Gone):
                await script(Peer(socket, request))
        except Exception as problem:
            failures.append(problem)
        return socket

    app = web.Application()
    app.router.add_get("/v1/ws", handle)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await scenario(f"ws://{host}:{port}/v1/ws")
    finally:
        await runner.cleanup()
    if failures:
        raise failures[0]
    assert not waiting, "fewer connections came than there were scripts"


def play(
    *scripts: Script,
    scenario: Callable[[Agent], Awaitable[None]],
    refusals: list[int] | None = None,
    **options: Any,
) -> None:
    """Connect an agent to the scripts and run its side."""

    async def connected(url: str) -> None:
        async with connect(url, "mole", **{"fresh": True, **options}) as agent:
            await scenario(agent)

    asyncio.run(serve(scripts, connected, refusals))


async def endless(peer: Peer, /, **changes: Any) -> None:
    """Observations until the client leaves."""
    while True:
        await peer.obs(**changes)
        await asyncio.sleep(0.005)


def result(ref: str, **fields: Any) -> dict[str, Any]:
    return {"t": 1, "type": "ACTION_RESULT", "ref": ref, **fields}
