"""`thorp up`: serve a world."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from pathlib import Path
from typing import Annotated, Literal

import typer

from thorp.cli.options import SEED_LIMIT
from thorp.kernel.errors import InvalidError

DEFAULT_DATA = "thorp-data"
MAX_BOTS = 1_000

DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="Where the world is kept; else $THORP_DATA, else ./thorp-data."
    ),
]


def data_directory(data: Path | None) -> Path:
    return data or Path(os.environ.get("THORP_DATA") or DEFAULT_DATA)


def up(
    data: DataOption = None,
    host_name: Annotated[
        str, typer.Option("--host", metavar="HOST", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8080,
    seed: Annotated[
        int | None, typer.Option(min=-SEED_LIMIT, max=SEED_LIMIT, help="The ground of a new world.")
    ] = None,
    draw_seed: Annotated[
        int | None,
        typer.Option(min=-SEED_LIMIT, max=SEED_LIMIT, help="The chance of a new world; else a secret one."),
    ] = None,
    tuning: Annotated[
        Path | None,
        typer.Option("--tuning", metavar="FILE", help="A file as `thorp config tuning` prints it."),
    ] = None,
    retune: Annotated[
        bool, typer.Option("--retune", help="Let the world go on under another tuning; begins an epoch.")
    ] = False,
    seasons: Annotated[
        bool, typer.Option("--seasons", help="Let a new world begin anew after each season.")
    ] = False,
    bots: Annotated[int, typer.Option(min=0, max=MAX_BOTS, help="How many bots shall live in it.")] = 0,
    village: Annotated[
        bool, typer.Option("--village", help="Let the demo village live in it; a new one is two days old.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin a new world; the one that is there is moved aside.")
    ] = False,
    clock: Annotated[
        Literal["real", "lockstep", "max"],
        typer.Option(help="Tick by the clock, when every agent has moved, or as fast as possible."),
    ] = "real",
    move_deadline: Annotated[
        float,
        typer.Option(
            min=0.1, metavar="SECONDS", help="In lockstep: an agent that is silent for so long passes."
        ),
    ] = 60.0,
    retain_days: Annotated[
        int | None,
        typer.Option(
            min=1, help="Drop history older than N days of world time; all of it is kept without this."
        ),
    ] = None,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help="Go on though files or ticks of the world are missing.")
    ] = False,
    writer: Annotated[
        str, typer.Option(metavar="NAME", help="Who writes the story that is served: offline, model, …")
    ] = "offline",
    chronicle: Annotated[
        bool | None,
        typer.Option(
            "--chronicle/--no-chronicle",
            help="Tell the world to the story, or not; with --village it is told.",
            show_default=False,
        ),
    ] = None,
    max_viewers: Annotated[int, typer.Option(min=0, help="How many may watch at once.")] = 256,
    require_token: Annotated[
        bool, typer.Option("--require-token", help="Ask for a token on this machine too, even to watch.")
    ] = False,
    trust_loopback: Annotated[
        bool, typer.Option("--trust-loopback", help="Ask for no token on this machine: all on it are admin.")
    ] = False,
    end_with: Annotated[
        int | None,
        typer.Option("--end-with", metavar="PID", help="The process that starts this one: end when it ends."),
    ] = None,
) -> None:
    """Serve a world until Ctrl-C: agents on /v1/ws, the page on /."""
    from thorp.server.archive import set_aside  # here, so that other commands need not load the server
    from thorp.server.host import Settings, host
    from thorp.server.parent_watch import end_with_parent
    from thorp.server.tokens import Role
    from thorp.voxel.load import load_tuning

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & leaves it ignored
    if end_with is not None:
        end_with_parent(end_with)
    if require_token and trust_loopback:
        raise InvalidError("give --require-token or --trust-loopback, not both", code="usage")
    directory = data_directory(data)
    settings = Settings(
        data=directory,
        host=host_name,
        port=port,
        seed=seed,
        draw_seed=draw_seed,
        tuning=None if tuning is None else load_tuning(tuning),
        retune=retune,
        seasons=seasons,
        bots=bots,
        village=village,
        clock=clock,
        move_deadline_seconds=move_deadline,
        retain_days=retain_days,
        max_viewers=max_viewers,
        loopback=Role.ANYONE if require_token else Role.ADMIN if trust_loopback else Role.NEIGHBOUR,
        accept_loss=accept_loss,
        writer=writer,
        chronicle=chronicle,
    )
    if fresh and (moved := set_aside(directory)) is not None:
        _say(f"the world that was there is now {moved}")
    _raise_open_files()
    asyncio.run(host(settings, _say))


def _say(text: str) -> None:
    print(f"thorp: {text}", flush=True)


def _raise_open_files() -> None:
    """A connection is an open file; take as many as the system lets us have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
