"""Runs `thorp up`: listens, opens the world, lets it tick, and ends in good order.

Everything that can be refused quickly is refused before anything is printed: the writer, the
database, the lock of the world's directory, its seeds and its tuning, the port. Then the socket
listens while the world recovers, so that `/healthz` answers meanwhile. Whatever was acknowledged is
durable, so an orderly end is only a courtesy, and has a time-out.
"""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from typing import Final

from aiohttp import WSCloseCode, web
from aiohttp.http import HttpProcessingError

from thorp import __version__
from thorp.kernel.closing import closed_on_error
from thorp.kernel.errors import IllegalError
from thorp.observer.annals import Annals
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens, ensure_admin_token
from thorp.server.chronicles import Chronicle
from thorp.server.http.app import build_app
from thorp.server.http.live_world import LiveWorld
from thorp.server.http.runs import check_beside
from thorp.server.http.server import Server
from thorp.server.http.stories import Stories
from thorp.server.http.surfaces import Surfaces
from thorp.server.http.tape_view import TapeView
from thorp.server.live.clocks import MOVE_DEADLINE_SECONDS, make_clock
from thorp.server.live.followed_agents import FollowedAgents
from thorp.server.live.tape_keeper import TapeKeeper
from thorp.server.live.tick_loop import TickLoop, Watch
from thorp.server.opening import (
    begin_anew,
    check_chronicle,
    check_database,
    describe_world,
    live_through_first_days,
    open_world,
    reserve_world,
)
from thorp.server.processes.lockfile import RunningServer, announce_server, url_of
from thorp.server.processes.supervision import Supervised
from thorp.server.processes.threads import in_thread, wait_for_either
from thorp.server.published_log import LogPublisher
from thorp.server.residents import supervised_residents
from thorp.server.settings import WORLD, Say, Settings
from thorp.server.sockets.agents import Agents
from thorp.server.sockets.connection_limiter import ConnectionLimiter
from thorp.server.sockets.limited_protocol import KEEP_ALIVE_SECONDS, limited_protocols
from thorp.server.sockets.listener import connections_allowed, descriptor_limit, listen
from thorp.server.sockets.senders import DividedAgents
from thorp.server.sockets.spectators import MAX_VIEWERS, Spectators
from thorp.store import DiskFile
from thorp.store.url import mark_relocated
from thorp.story import StoryConfig
from thorp.story.registry import make_writer
from thorp.voxel import WorldService

# A stopped server ends within five seconds, as `docs/server.md` promises.
STOP_SECONDS: Final = 4.5


_log = logging.getLogger("thorp.server.http")


async def host(settings: Settings, say: Say) -> None:
    """Serve a world until SIGINT or SIGTERM. What can be refused is refused before anything is
    said."""
    # Made here only to refuse an unknown writer now, and not at the first beat.
    make_writer(settings.writer, StoryConfig())
    if settings.beside is not None:
        check_beside(settings.data, settings.beside)
    check_database(settings.data, settings.database)
    lock = reserve_world(settings)
    with closed_on_error(lock):
        check_chronicle(settings)
        await _host(settings, lock, say)


async def _host(settings: Settings, lock: DiskFile, say: Say) -> None:
    """Serve the world of a directory that was checked, and is held by `lock`."""
    stop = stop_on_signals()
    publisher = LogPublisher(settings.data) if settings.log else None
    token = ensure_admin_token(settings.data)
    access = Tokens(settings.data)
    chronicle = _configured_chronicle(settings)
    server = _make_server(settings, access, chronicle)
    async with (
        listening(server, settings.host, settings.port) as port,
        announced(settings, port),
        AsyncExitStack() as at_the_end,
    ):
        if chronicle is not None:
            # `listening` closes the story after this stack, so the chronicle can still write.
            at_the_end.push_async_callback(in_thread, chronicle.close)
        if settings.fresh:
            lock = begin_anew(settings, lock, say)
        if settings.database is not None:
            mark_relocated(settings.data)
        describe_server(settings, port, token, say)
        opening = in_thread(lambda: open_world(settings, lock))
        await wait_for_either(opening, stop)
        if not opening.done():
            return  # nothing was shown yet, and the next start can do the thread's work again
        service = await opening
        if publisher is not None:
            await in_thread(lambda: publisher.open_world(service))
        say(describe_world(settings, service))
        annals = Annals(service.world, settings.data / WORLD)
        watches: list[Watch] = []
        if chronicle is not None:
            watches = await _begin_chronicle(settings, chronicle, server, service, say)
        tape = await in_thread(
            lambda: TapeKeeper(settings.data, settings.data / WORLD, service.world)
        )
        if settings.village:
            watching = (annals.look, *watches, tape.look)
            await _found_village(server, service, stop, watching, say)
        async with living(
            server,
            service,
            settings.clock,
            watches,
            tape,
            annals=annals,
            move_deadline_seconds=settings.move_deadline_seconds,
            max_viewers=settings.max_viewers,
            senders=settings.senders,
        ) as live:
            publishing = nullcontext() if publisher is None else publisher.publishing(server, live)
            async with publishing:
                access_token = access.issue_unsaved(Role.OPERATOR)
                await _serve_until_stopped(
                    settings, live, port, stop=stop, say=say, access=access_token
                )
        if publisher is not None and live.loop.failure is None:
            await in_thread(lambda: publisher.close_world(service))
    say(f"stopped after tick {service.world.tick}")


def _configured_chronicle(settings: Settings) -> Chronicle | None:
    """The chronicle that the settings ask for; a village has one unless they say otherwise."""
    wanted = settings.village if settings.chronicle is None else settings.chronicle
    if not wanted:
        return None
    return Chronicle(settings.data, WORLD, settings.database, open_book=settings.open_book)


def _make_server(settings: Settings, access: Tokens, chronicle: Chronicle | None) -> Server:
    """The handlers of every route, before there is a world."""
    make_stories = Stories if chronicle is None else chronicle.stories
    return Server(
        settings.data,
        Principals(access, loopback=settings.loopback),
        stories=make_stories(settings.database or settings.data, settings.writer),
        database=settings.database,
        open_book=settings.open_book,
        beside=settings.beside,
    )


async def _found_village(
    server: Server,
    service: WorldService,
    stop: asyncio.Event,
    watches: Sequence[Watch],
    say: Say,
) -> None:
    """Let a new village live through its first days, which the page shows meanwhile."""

    def announce(text: str) -> None:
        server.stage.wait_for(text)  # which the page and /readyz show
        say(text)

    show = server.stage.show_founding
    await in_thread(lambda: live_through_first_days(service, stop.is_set, watches, announce, show))
    say(f"the village goes on after tick {service.world.tick}")


def stop_on_signals(code: Callable[[], int] = lambda: 0) -> asyncio.Event:
    """An event that SIGINT and SIGTERM set. If stopping then takes too long, the process exits with
    this code."""
    stop = asyncio.Event()

    def end() -> None:
        # Nothing that was acknowledged is lost by that, since it is durable; only a snapshot is.
        timer = threading.Timer(STOP_SECONDS, lambda: os._exit(code()))
        timer.daemon = True
        timer.start()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, end)
    return stop


def describe_server(settings: Settings, port: int, token: str, say: Say) -> None:
    """Say where the server listens, how to speak to it as an operator, and how many connections it
    has room for."""
    say(f"listening on http://{settings.host}:{port}/")
    say(f"to speak as its operator, open {url_of(settings.host, port)}/?token={token}")
    if settings.loopback is Role.ADMIN:
        say("every process of this machine is admin, and so is all that a proxy on it lets through")
    limit = descriptor_limit()
    say(f"room for {connections_allowed(limit)} connections, with `ulimit -n` {limit}")


async def _begin_chronicle(
    settings: Settings, chronicle: Chronicle, server: Server, service: WorldService, say: Say
) -> list[Watch]:
    """Begin to chronicle the world. If the story allows no chronicle, that is an error only if one
    was asked for."""
    try:
        chronicler = await chronicle.begin(server.stories, service)
        return [lambda world, _, durable: chronicler.look(world, durable)]
    except IllegalError as problem:
        if problem.code != "no_chronicle" or settings.chronicle:
            raise
        say(f"there is no chronicle: {problem.message}")
        return []


@asynccontextmanager
async def announced(settings: Settings, port: int) -> AsyncIterator[None]:
    """Hold the lockfile of the data directory, so that commands find this server."""
    with announce_server(
        settings.data, RunningServer(url_of(settings.host, port), os.getpid(), __version__)
    ):
        yield


def _is_not_malformed_http(record: logging.LogRecord) -> bool:
    """Malformed requests get 400 and are not logged."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


_log.addFilter(_is_not_malformed_http)


@asynccontextmanager
async def listening(
    server: Server, host: str, port: int, limiter: ConnectionLimiter | None = None
) -> AsyncIterator[int]:
    """Answer requests on a port, which is yielded; 0 takes a free one."""
    runner = web.AppRunner(
        build_app(server),
        access_log=None,
        logger=_log,
        auto_decompress=False,
        handle_signals=False,
        keepalive_timeout=KEEP_ALIVE_SECONDS,
        shutdown_timeout=1.0,
    )
    await runner.setup()
    assert runner.server is not None
    server.mcp.open(runner.server)
    try:
        factory = limited_protocols(limiter or ConnectionLimiter(), runner.server)
        listener = await listen(factory, host, port)
        try:
            yield listener.port
        finally:
            listener.close()
    finally:
        await runner.cleanup()
        await server.close()


@asynccontextmanager
async def living(
    server: Server,
    service: WorldService,
    clock_name: str,
    watches: Sequence[Watch] = (),
    tape: TapeKeeper | None = None,
    *,
    annals: Annals | None = None,
    move_deadline_seconds: float = MOVE_DEADLINE_SECONDS,
    max_viewers: int = MAX_VIEWERS,
    followed: FollowedAgents | None = None,
    senders: int = 0,
) -> AsyncIterator[LiveWorld]:
    """Let an opened world tick and be played. At the end close all connections, and the world.

    `watches` see each tick after the annals and before the tape. `followed` stands in for agents
    and clock where another server plays this world. With `senders`, that many processes hold the
    agents' sockets.
    """
    agents = Agents(service.world, clock_name) if followed is None else followed
    if senders:
        agents = DividedAgents(service, clock_name, senders)
    spectators = Spectators(service.world, max_viewers)
    clock = make_clock(clock_name, service.world.tuning.tick_rate_hz, agents, move_deadline_seconds)
    clock = clock if followed is None else followed
    annals = annals or Annals()
    recording = [] if tape is None else [tape.look]
    loop = TickLoop(service, agents, spectators, clock, (annals.look, *watches, *recording))
    live = LiveWorld(
        service=service,
        agents=agents,
        spectators=spectators,
        loop=loop,
        surfaces=Surfaces(loop),
        annals=annals,
        tape=None if tape is None else TapeView(tape, loop.durable),
    )
    server.stage.begin(live)
    if isinstance(agents, DividedAgents):
        live.helpers += agents.supervised()
    helping = [
        asyncio.create_task(helper.run())
        for helper in live.helpers
        if isinstance(helper, Supervised)
    ]
    ticking = asyncio.create_task(loop.run())
    try:
        yield live
    finally:
        # The order matters: after the last tick nobody can act any more, so connections are closed
        # next, then the processes that held them; only then is the world closed, whose last
        # snapshot may take a while, and last the tape, which waits for durable ticks.
        loop.stop()
        await ticking
        await agents.stop(WSCloseCode.GOING_AWAY, "the server is stopping")
        await _cancelled(helping)
        await spectators.stop(WSCloseCode.GOING_AWAY, "the server is stopping")
        await in_thread(service.close)
        if tape is not None:
            await in_thread(tape.close)


async def _cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel tasks, and wait until each has ended, however it does."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _serve_until_stopped(
    settings: Settings,
    live: LiveWorld,
    port: int,
    *,
    stop: asyncio.Event,
    say: Say,
    access: str,
) -> None:
    """Wait until the server is to stop, and keep bots and villagers running if they are wanted.
    They connect with the token `access`."""
    helpers = supervised_residents(settings, live, port, access)
    live.helpers += helpers
    helping = [asyncio.create_task(helper.run()) for helper in helpers if not stop.is_set()]
    try:
        stopped = asyncio.create_task(live.loop.stopped.wait())
        await wait_for_either(stopped, stop)
        stopped.cancel()
        if live.loop.failure is not None:
            say(f"the world has stopped: {live.loop.failure}")
            await stop.wait()
    finally:
        await _cancelled(helping)
