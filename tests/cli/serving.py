"""Real servers in a thread of their own, on a free port: a whole one, in whose world time stands
still until somebody joins; and one that answers as a test says."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from pathlib import Path

from aiohttp import web

from thorp import __version__
from thorp.bridges.voxel_town import new_city_world
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens, ensure_admin_token
from thorp.server.host import listening, living
from thorp.server.http.server import Server
from thorp.server.processes.lockfile import RunningServer, announce_server, url_of
from thorp.server.settings import WORLD
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.inputs import AnyInput
from thorp.voxel.persistence.snapshot import WorldMaker
from thorp.voxel.tuning import Tuning

PATIENCE_SECONDS = 20


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@contextmanager
def served(
    data: Path,
    *,
    loopback: Role = Role.NEIGHBOUR,
    leaves_word: bool = True,
    make_world: WorldMaker = new_city_world,
    clock: str = "lockstep",
    tuning: Tuning | None = None,
    inputs: Sequence[AnyInput] = (),
) -> Iterator[str]:
    """The URL of a server that holds a directory, and says so there. `inputs` are those of its
    first tick."""

    @asynccontextmanager
    async def serve() -> AsyncIterator[int]:
        ensure_admin_token(data)
        server = Server(data, Principals(Tokens(data), loopback=loopback))
        async with listening(server, "127.0.0.1", 0) as port:
            word = RunningServer(url_of("127.0.0.1", port), os.getpid(), __version__)
            service = WorldService.open(
                RealDisk(), data / WORLD, make_world=make_world, tuning=tuning
            )
            if inputs:
                service.tick(inputs).result()
            with announce_server(data, word) if leaves_word else nullcontext():
                async with living(server, service, clock):
                    yield port

    with _in_a_thread(serve) as url:
        yield url


@contextmanager
def answered_by(handler: Handler) -> Iterator[str]:
    """The URL of a server that answers whatever it is asked with this."""

    @asynccontextmanager
    async def serve() -> AsyncIterator[int]:
        async def handle(request: web.Request) -> web.StreamResponse:
            return await handler(request)

        app = web.Application()
        app.router.add_route("*", "/{path:.*}", handle)
        runner = web.AppRunner(app, shutdown_timeout=0.05)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield runner.addresses[0][1]
        finally:
            await runner.cleanup()
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    with _in_a_thread(serve) as url:
        yield url


@contextmanager
def _in_a_thread(serve: Callable[[], AbstractAsyncContextManager[int]]) -> Iterator[str]:
    ready, urls, loop = threading.Event(), list[str](), asyncio.new_event_loop()
    stop = asyncio.Event()

    async def until_stopped() -> None:
        async with serve() as port:
            urls.append(f"http://127.0.0.1:{port}")
            ready.set()
            await stop.wait()

    def run() -> None:
        try:
            loop.run_until_complete(until_stopped())
        finally:
            ready.set()
            loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(PATIENCE_SECONDS)
    assert urls, "the server did not start"
    try:
        yield urls[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()
