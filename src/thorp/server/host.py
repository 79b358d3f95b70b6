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
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager, closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from aiohttp import WSCloseCode, web
from aiohttp.http import HttpProcessingError

from thorp import __version__, village
from thorp.bridges.chronicle import demand_chronicle
from thorp.bridges.voxel_town import new_city_world
from thorp.children.lifetime import child_command
from thorp.kernel.closing import closed_on_error
from thorp.kernel.errors import IllegalError, InvalidError
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
from thorp.server.live.mind_log import MOST_REPORT_BYTES
from thorp.server.live.tape_keeper import TapeKeeper
from thorp.server.live.tick_loop import TickLoop, Watch
from thorp.server.processes.lockfile import RunningServer, announce_server, url_of
from thorp.server.processes.supervision import MINDS, VILLAGERS, Supervised
from thorp.server.published_log import LogPublisher
from thorp.server.sockets.agents import Agents
from thorp.server.sockets.connection_limiter import ConnectionLimiter
from thorp.server.sockets.limited_protocol import KEEP_ALIVE_SECONDS, limited_protocols
from thorp.server.sockets.listener import connections_allowed, descriptor_limit, listen
from thorp.server.sockets.resume_token import new_token
from thorp.server.sockets.senders import DividedAgents
from thorp.server.sockets.spectators import MAX_VIEWERS, Spectators
from thorp.store import DiskFile, RealDisk, hold, open_database
from thorp.store.url import POSTGRESQL, check_not_relocated, mark_relocated
from thorp.story import StoryConfig
from thorp.story import creation as story
from thorp.story.registry import make_writer
from thorp.town import service as town
from thorp.village.founding import VILLAGE_DAYS, Founding, Progress
from thorp.village.minds import NAMES
from thorp.village.minds import bodies as mind_bodies
from thorp.voxel import AnyInput, Tuning, WorldService, derived_draw_seed
from thorp.voxel.persistence.directory import LOCK, WorldDirectory
from thorp.voxel.persistence.recovery import DEFAULT_SEED, Asked
from thorp.voxel.service import reserve

WORLD: Final = "world"
"""The world's own directory inside the data directory."""
# A stopped server ends within five seconds, as `docs/server.md` promises.
STOP_SECONDS: Final = 4.5
# How often in a row the process of the minds is started again: a model that cannot be served will
# not be on the next day.
MOST_MIND_RESTARTS: Final = 3
# Ticks of a village's first days that may wait for the disk at once.
MAX_TICKS_AHEAD: Final = 100

T = TypeVar("T")
Say = Callable[[str], None]
"""Prints a line for the person who started the server."""

_log = logging.getLogger("thorp.server.http")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of `thorp up`, each of which its help describes."""

    data: Path
    host: str = "127.0.0.1"
    port: int = 8080
    seed: int | None = None
    draw_seed: int | None = None
    tuning: Tuning | None = None
    founding: Tuning | None = None
    """The tuning of a village that is founded here: `tuning`, and the village's own rules over
    it."""
    retune: bool = False
    seasons: bool = False
    bots: int = 0
    village: bool = False
    minds: int = 0
    mind_model: str = ""
    """What chooses for them: the embedded model by default, or one by its name or file."""
    clock: str = "real"
    move_deadline_seconds: float = MOVE_DEADLINE_SECONDS
    retain_days: int | None = None
    accept_loss: bool = False
    fresh: bool = False
    max_viewers: int = MAX_VIEWERS
    senders: int = 0
    loopback: Role = Role.NEIGHBOUR
    """The role of this machine's own processes that show no token."""
    writer: str = "offline"
    chronicle: bool | None = None
    """Whether the story chronicles the world. None: it does if there is a village and its story
    allows it."""
    database: str | None = None
    log: bool = False
    open_book: bool = False
    beside: Path | None = None
    """Another data directory, whose run is shown beside this one."""


async def host(settings: Settings, say: Say) -> None:
    """Serve a world until SIGINT or SIGTERM. What can be refused is refused before anything is
    said."""
    # Made here only to refuse an unknown writer now, and not at the first beat.
    make_writer(settings.writer, StoryConfig())
    if settings.beside is not None:
        check_beside(settings.data, settings.beside)
    _check_database(settings.data, settings.database)
    lock = _reserve(settings)
    with closed_on_error(lock):
        _check_chronicle(settings)
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
            lock = _begin_anew(settings, lock, say)
        if settings.database is not None:
            mark_relocated(settings.data)
        describe_server(settings, port, token, say)
        opening = in_thread(lambda: _open(settings, lock))
        await wait_for_either(opening, stop)
        if not opening.done():
            return  # nothing was shown yet, and the next start can do the thread's work again
        service = await opening
        if publisher is not None:
            await in_thread(lambda: publisher.open_world(service))
        say(_describe_world(settings, service))
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


def _check_database(data: Path, url: str | None) -> None:
    """Try the database of towns and story. Refused if the directory has towns or a story too."""
    if url is None:
        check_not_relocated(data)
        return
    if files := [
        name for name in (town.DATABASE_FILE, story.DATABASE_FILE) if (data / name).exists()
    ]:
        raise IllegalError(
            f"{data} has {' and '.join(files)} of its own; to copy them into that database and "
            "set them aside, put its URL into $THORP_DATABASE and run: thorp config "
            f"copy-database --data {data}",
            code="not_relocated",
        )
    if not url.startswith(POSTGRESQL):
        raise InvalidError("--database takes postgresql://user@host/database", code="bad_url")
    open_database(url).close()


def _check_chronicle(settings: Settings) -> None:
    """Refuse a chronicle that was asked for, if there is a story that allows none."""
    if settings.chronicle:
        config = story.recorded_config(settings.database or settings.data)
        if config is not None:
            demand_chronicle(config)


def _reserve(settings: Settings) -> DiskFile:
    """Hold the directory of the world, if that fits the settings. A fresh start does not look into
    it: even a damaged world can be moved aside."""
    path = settings.data / WORLD
    return reserve(RealDisk(), path, None if settings.fresh else _asked(settings))


def _begin_anew(settings: Settings, lock: DiskFile, say: Say) -> DiskFile:
    """Move the world aside, if there is one, and hold the directory of the next."""
    lock.close()  # since `set_aside` takes it itself, and refuses if another process was quicker
    moved = set_aside(settings.data)
    if moved is not None:
        say(f"the world that was there is now {moved}")
    return reserve(RealDisk(), settings.data / WORLD, _asked(settings))


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
    start = partial(_start_bots, settings, port, access)
    helpers = []
    if settings.bots:
        helpers.append(Supervised("bots", partial(start, "--count", str(settings.bots))))
    if settings.village:
        helpers.append(
            Supervised(
                VILLAGERS, lambda: start("--village", first_line=_issue_villager_tokens(live))
            )
        )
    if settings.minds:
        helpers.append(_supervised_minds(settings, live, start))
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


def _supervised_minds(
    settings: Settings, live: LiveWorld, start: Callable[..., Awaitable[asyncio.subprocess.Process]]
) -> Supervised:
    """The process of the minds, which the village can do without."""

    async def begin() -> asyncio.subprocess.Process:
        numbers = mind_bodies(live.service.world)
        names = NAMES[: settings.minds]
        tokens = {name: live.agents.issue_body_token(numbers.get(name, 0)) for name in names}
        options = ["--minds", "--mind-model", settings.mind_model]
        process = await start(*options, first_line=msgspec.json.encode(tokens), answers=True)
        assert process.stdout is not None, "it was asked for"
        reading = asyncio.create_task(live.minds.follow(process.stdout))
        live.minds.reading = reading
        return process

    return Supervised(MINDS, begin, optional=True, most_restarts=MOST_MIND_RESTARTS)


def _issue_villager_tokens(live: LiveWorld) -> bytes:
    """New resume tokens for the villagers' bodies, by name: the old ones ended with the process
    that had them."""
    numbers = village.bodies(live.service.world)
    tokens = {name: live.agents.issue_body_token(numbers.get(name, 0)) for name in village.ROSTER}
    return msgspec.json.encode(tokens)


def _asked(settings: Settings) -> Asked:
    """What the settings ask of the existing world, or of a new one."""
    draw_seed = settings.draw_seed
    tuning = settings.tuning
    kept = WorldDirectory(RealDisk(), settings.data / WORLD)
    if settings.village and not kept.journals():
        tuning = settings.founding or tuning
        if draw_seed is None:
            draw_seed = derived_draw_seed(DEFAULT_SEED if settings.seed is None else settings.seed)
    elif (
        settings.founding
        and tuning
        and settings.founding == kept.segments()[-1].header.epoch.tuning
    ):
        # The same file as at the founding was given again, which changes nothing.
        tuning = settings.founding
    return Asked(
        seed=settings.seed,
        draw_seed=draw_seed,
        tuning=tuning,
        retune=settings.retune,
        seasons=settings.seasons,
        accept_loss=settings.accept_loss,
    )


def _open(settings: Settings, lock: DiskFile) -> WorldService:
    """Open the world as the settings ask, or make it. Recovery may take minutes."""
    asked = _asked(settings)
    return WorldService.open(
        RealDisk(),
        settings.data / WORLD,
        seed=asked.seed,
        draw_seed=asked.draw_seed,
        tuning=asked.tuning,
        retune=asked.retune,
        seasons=asked.seasons,
        retain_days=settings.retain_days,
        accept_loss=asked.accept_loss,
        lock=lock,
        make_world=new_city_world,
    )


def _describe_world(settings: Settings, service: WorldService) -> str:
    """The line that says which world is served, and what its recovery has found."""
    world = service.world
    recovery = service.recovery
    if recovery.new:
        text = f"a new world in {settings.data}, seed {world.seed}"
    else:
        text = f"the world in {settings.data}, seed {world.seed}, goes on after tick {world.tick}"
    if recovery.torn is not None:
        text += f"; {recovery.torn}"
    if recovery.loss:
        text += f"; without what is lost: {'; '.join(recovery.loss)}"
    return text


def in_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """Do something slow in a daemon thread, which does not keep the process from ending."""
    loop = asyncio.get_running_loop()
    done = Future[T]()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            finish = partial(done.set_result, work())
        except BaseException as error:
            finish = partial(done.set_exception, error)
        if not loop.is_closed():
            finish()

    threading.Thread(target=run, name="thorp world", daemon=True).start()
    return asyncio.wrap_future(done)


async def wait_for_either(work: asyncio.Future[T], stop: asyncio.Event) -> None:
    """Wait until the work is done or the server is to stop."""
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait((work, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()


def live_through_first_days(
    service: WorldService,
    stopped: Callable[[], bool],
    watches: Sequence[Watch] = (),
    say: Say = lambda _: None,
    show: Callable[[Founding], None] = lambda _: None,
) -> None:
    """Let the village come in, and live through its first days before anyone may join; one that has
    lived through them already only comes in. Ticks run ahead of the disk, which would otherwise set
    the pace."""
    days = round(VILLAGE_DAYS * service.world.tuning.day_ticks)
    progress = Progress(days, say, show) if service.world.tick < days else None
    tokens = {name: new_token() for name in village.ROSTER}
    waiting: deque[Future[None]] = deque()

    def tick(inputs: Sequence[AnyInput]) -> None:
        waiting.append(service.tick(inputs))
        for watch in watches:
            watch(service.world, inputs, waiting[-1])
        if len(waiting) > MAX_TICKS_AHEAD:
            waiting.popleft().result()
        if progress is not None:
            progress.look(service.world)

    village.run(service.world, tick, tokens, to_tick=days, stopped=stopped)
    waiting[-1].result()


async def _start_bots(
    settings: Settings,
    port: int,
    access: str,
    *options: str,
    first_line: bytes = b"",
    answers: bool = False,
) -> asyncio.subprocess.Process:
    """Start bots in a process of their own, which ends with this one. It is given `options`, and
    `first_line` on its standard input; with `answers` its standard output can be read."""
    url = url_of(settings.host, port).replace("http", "ws", 1) + "/v1/ws"
    pipe = asyncio.subprocess.PIPE
    nowhere = asyncio.subprocess.DEVNULL
    command = child_command("thorp", "bots", *options, "--attached", "--url", url)
    # Other users of this machine can read the command line of a process, but not its environment.
    environment = {**os.environ, "THORP_TOKEN": access}
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=pipe,
        stdout=pipe if answers else nowhere,
        limit=MOST_REPORT_BYTES,
        env=environment,
    )
    assert process.stdin is not None
    process.stdin.write(first_line + b"\n")  # no other process can read it there
    return process


def set_aside(data: Path) -> Path | None:
    """Rename the world of a data directory to make room for a new one. Nothing is removed. Returns
    its new name, or None if there is no world; raises `locked` if a process has it open."""
    disk = RealDisk()
    world = data / WORLD
    if not disk.exists(world) or disk.list(world) in ([], [LOCK]):
        return None
    with closing(hold(disk, world / LOCK)):
        number = 1
        while disk.exists(aside := data / f"{WORLD}.before-{number}"):
            number += 1
        disk.replace(world, aside)
        disk.sync_directory(data)
    return aside
