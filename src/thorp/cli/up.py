"""`thorp up`: serve a world. `thorp follow`: copy, execute and show the world of another server."""

from __future__ import annotations

import asyncio
import resource
import signal
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from thorp.cli.address_space import check_address_space
from thorp.cli.commands import argument, option
from thorp.cli.location import find_token
from thorp.cli.options import SEEDS, DataOption, data_directory, database_option
from thorp.kernel.errors import InvalidError

if TYPE_CHECKING:
    from thorp.server.access.tokens import Role
    from thorp.server.settings import Settings

MAX_BOTS = 1_000
MOST_MINDS = 2

TokenFile = Annotated[
    Path | None, option("Has the leader's admin token; else $THORP_TOKEN is it.", "FILE")
]
Token = Annotated[str | None, typer.Option(envvar="THORP_TOKEN", hidden=True)]


class WorldOptions(NamedTuple):
    """Which world is served."""

    data: DataOption = None
    seed: Annotated[int | None, option("The terrain seed of a new world.", **SEEDS)] = None
    draw_seed: Annotated[
        int | None, option("Seed of its other randomness; else a secret one.", **SEEDS)
    ] = None
    fresh: Annotated[bool, option("Begin a new world; an existing one is moved aside.")] = False
    tuning: Annotated[Path | None, option("A file as `thorp config tuning` prints it.", "FILE")] = (
        None
    )
    retune: Annotated[bool, option("Continue the world under another tuning; begins an epoch.")] = (
        False
    )
    seasons: Annotated[bool, option("Begin a new world anew after each season.")] = False
    retain_days: Annotated[
        int | None,
        option("Drop history older than N days of world time; by default all is kept.", min=1),
    ] = None
    database: Annotated[
        str | None, database_option("Keep towns and story in PostgreSQL instead.")
    ] = None
    accept_loss: Annotated[
        bool, option("Continue although files or ticks of the world are missing.")
    ] = False


class ClockOptions(NamedTuple):
    """When it ticks, and how many processes carry it."""

    clock: Annotated[
        Literal["real", "lockstep", "max"],
        option("Tick by the clock, when every agent has moved, or as fast as possible."),
    ] = "real"
    move_deadline: Annotated[
        float, option("In lockstep: an agent silent for this long passes.", "SECONDS", min=0.1)
    ] = 60.0
    senders: Annotated[
        int, option("Processes for agents' sockets, in a crowded world.", min=0, max=16)
    ] = 0


class LifeOptions(NamedTuple):
    """Who lives in it, and who writes about it."""

    bots: Annotated[int, option("How many bots live in it.", min=0, max=MAX_BOTS)] = 0
    village: Annotated[bool, option("Run the demo village in it; a new one is two days old.")] = (
        False
    )
    minds: Annotated[
        int,
        option(
            "How many people a language model decides for live in the village, too.",
            min=0,
            max=MOST_MINDS,
        ),
    ] = 0
    mind_model: Annotated[
        str, option("What decides for them instead of the tuned model.", "NAME|PATH")
    ] = ""
    writer: Annotated[str, option("Who writes the served story: offline, model, …", "NAME")] = (
        "offline"
    )
    chronicle: Annotated[
        bool | None,
        option(
            "Publish the world's events in the story, or not; the default with --village.",
            name="--chronicle/--no-chronicle",
            show_default=False,
        ),
    ] = None
    beside: Annotated[
        Path | None, option("Show the run of another data directory beside this one.", "DIR")
    ] = None
    log: Annotated[
        bool, option("Publish it in the directory's log, which `thorp log init` makes.")
    ] = False


class ServerOptions(NamedTuple):
    """Where it listens, whom it lets in, and when it ends."""

    host: Annotated[str, option("The address to listen on.", "HOST")] = "127.0.0.1"
    port: Annotated[int, option("The port; 0 takes a free one.", min=0, max=65535)] = 8080
    max_viewers: Annotated[int, option("How many may watch at once.", min=0)] = 256
    open_book: Annotated[
        bool | None,
        option(
            "Show pockets, chests and refusals to all who watch, or not; the default with "
            "--village on this machine.",
            name="--open-book/--no-open-book",
            show_default=False,
        ),
    ] = None
    require_token: Annotated[
        bool, option("Ask for a token on this machine too, even to watch.")
    ] = False
    trust_loopback: Annotated[
        bool, option("Ask for no token on this machine: all on it are admin.")
    ] = False
    end_with: Annotated[
        int | None, option("The process that started this: end when it ends.", "PID")
    ] = None


def up(world: WorldOptions, clock: ClockOptions, life: LifeOptions, server: ServerOptions) -> None:
    """Serve a world until Ctrl-C: agents on /v1/ws, the page on /."""
    check_address_space()
    # Imported here, so that other commands need not load the server.
    from thorp.server.host import host

    prepare_process(server)
    settings = _settings(world, clock, life, server)
    asyncio.run(host(settings, say))


def _settings(
    world: WorldOptions, clock: ClockOptions, life: LifeOptions, server: ServerOptions
) -> Settings:
    """The server's settings: options of the same names, and what follows from the others."""
    from thorp.server.access.networks import is_loopback
    from thorp.server.settings import Settings
    from thorp.village.founding import RULES
    from thorp.village.talk import talker_from_environment
    from thorp.voxel import load_tuning

    _check_minds(life)
    if life.village:
        talker_from_environment()  # refuses a model without an endpoint before anything begins
    given = {**world._asdict(), **clock._asdict(), **life._asdict(), **server._asdict()}
    same = {each.name: given[each.name] for each in fields(Settings) if each.name in given}
    own = {
        "data": data_directory(world.data),
        "tuning": None if world.tuning is None else load_tuning(world.tuning),
        "founding": load_tuning(world.tuning, RULES) if life.village else None,
        "move_deadline_seconds": clock.move_deadline,
        "loopback": loopback_role(server),
        "database": world.database or None,
    }
    if server.open_book is None:
        own["open_book"] = life.village and is_loopback(server.host)
    return Settings(**same | own)


def _check_minds(life: LifeOptions) -> None:
    """Refuse minds without a village to live in, or without the model that decides for them."""
    if life.mind_model and not life.minds:
        raise InvalidError("--mind-model is for --minds", code="usage")
    if not life.minds:
        return
    if not life.village:
        raise InvalidError("--minds live in a village; give --village, too", code="usage")
    from thorp.village.mind_model import check_mind_model

    check_mind_model(life.mind_model)


def loopback_role(server: ServerOptions) -> Role:
    """The role that processes of this machine have without a token."""
    from thorp.server.access.tokens import Role

    if server.require_token and server.trust_loopback:
        raise InvalidError("give --require-token or --trust-loopback, not both", code="usage")
    trusted = Role.ADMIN if server.trust_loopback else Role.NEIGHBOUR
    return Role.ANYONE if server.require_token else trusted


def say(text: str) -> None:
    """Print a line for the operator at once."""
    print(f"thorp: {text}", flush=True)


def prepare_process(server: ServerOptions) -> None:
    """Let Ctrl-C end this process, and raise its limit on open files as far as the system allows:
    each connection is one."""
    from thorp.server.processes.supervision import end_with_parent
    from thorp.server.sockets.listener import check_descriptors

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & leaves it ignored
    if server.end_with is not None:
        end_with_parent(server.end_with)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    check_descriptors()


def follow(
    url: Annotated[str, argument("The server whose world is followed.", "URL")],
    server: ServerOptions,
    data: DataOption = None,
    token_file: TokenFile = None,
    token: Token = None,
) -> None:
    """Copy the world of a running server, execute it, and show it until Ctrl-C. Nobody can play
    here."""
    check_address_space()
    from yarl import URL

    from thorp.cli.served import ServedJournal
    from thorp.server.access.networks import is_loopback
    from thorp.server.access.tokens import read_token
    from thorp.server.follower import follow
    from thorp.server.settings import Settings

    token_text = find_token(url, token) if token_file is None else read_token(token_file)
    connect = partial(ServedJournal, url, token_text)
    connect().close()  # refuses a malformed address before anything is copied
    if (
        not url.startswith("https://")
        and not is_loopback(URL(url).host)
        and URL(url).host != "localhost"
    ):
        raise InvalidError(
            f"{url}: a journal holds secrets, so a leader elsewhere is followed over https://",
            code="insecure",
        )
    settings = Settings(
        data=data_directory(data),
        host=server.host,
        port=server.port,
        max_viewers=server.max_viewers,
        loopback=loopback_role(server),
        open_book=bool(server.open_book),
    )
    prepare_process(server)
    if asyncio.run(follow(settings, url, connect, say)) is not None:
        raise typer.Exit(1)
