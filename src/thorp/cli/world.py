"""`thorp world …`: prove a world that is kept, go back in it, copy it. Reading never writes."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from thorp.cli.options import AsJson
from thorp.cli.up import DataOption, data_directory
from thorp.store import RealDisk

if TYPE_CHECKING:  # the voxel world takes a while to import, and other commands need not wait for it
    from thorp.voxel.keeping.history import Watch
    from thorp.voxel.keeping.summary import Summary
    from thorp.voxel.service import Verdict
    from thorp.voxel.world import World

app = typer.Typer(
    help="Prove a world, go back in it, fork it, back it up.", no_args_is_help=True, rich_markup_mode=None
)

WORLD = "world"
"""The directory of the voxel world, in the data directory."""

Into = Annotated[
    Path, typer.Option("--into", metavar="DIR", help="A new data directory; it must be empty or missing.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]


@app.command()
def show(data: DataOption = None, as_json: AsJson = False) -> None:
    """What is kept in a data directory: the last tick, seed, epochs, files.

    Example: thorp world show --data thorp-data
    """
    from thorp.voxel.keeping.summary import summarize

    summary = summarize(RealDisk(), _world(data))
    if as_json:
        _print_json(summary)
        return
    _print_summary(summary)


@app.command(name="verify")
def verify_command(data: DataOption = None, as_json: AsJson = False, quiet: Quiet = False) -> None:
    """Execute the whole journal again and compare every digest. Exit code 1 if anything is wrong.

    Example: thorp world verify --data thorp-data
    """
    from thorp.voxel.service import verify

    path = _world(data)
    with _progress(path, quiet) as watch:
        verdict = verify(RealDisk(), path, watch=watch)
    if as_json:
        _print_json(verdict)
    else:
        _print_verdict(verdict)
    if not verdict.ok:
        raise typer.Exit(1)


@app.command(name="replay")
def replay_command(
    to: Annotated[int, typer.Option("--to", min=0, metavar="TICK", help="The tick to go back to.")],
    data: DataOption = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show the world as it was after a tick: its digest, and who was where. Changes nothing.

    Example: thorp world replay --to 3000
    """
    from thorp.voxel.service import replay

    path = _world(data)
    with _progress(path, quiet, to) as watch:
        world = replay(RealDisk(), path, to, watch=watch)
    if as_json:
        _print_json(_state(world))
        return
    print(f"tick {world.tick}, {world.weather.lower()}, {len(world.agents)} agents")
    print(f"digest {world.digest()}")
    for agent in world.agents:
        position = ", ".join(map(str, agent.position))
        print(f"  {agent.id:<6} at {position:<18} hp {agent.hp:<3} {_plain(agent.name)}")


@app.command(name="fork")
def fork_command(
    at: Annotated[
        int, typer.Option("--at", min=0, metavar="TICK", help="The tick the new world goes on from.")
    ],
    into: Into,
    data: DataOption = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Make a world of its own that goes on from an earlier tick, with the same seeds.

    Example: thorp world fork --at 3000 --into what-if && thorp up --data what-if
    """
    from thorp.voxel.service import fork

    path = _world(data)
    with _progress(path, quiet, at) as watch:
        forked = fork(RealDisk(), path, at, into / WORLD, watch=watch, now_s=round(time.time()))
    if as_json:
        _print_json(forked)
    else:
        print(f"{into}: a world that goes on from tick {forked.tick}, digest {forked.digest}")


@app.command(name="backup")
def backup_command(into: Into, data: DataOption = None, as_json: AsJson = False) -> None:
    """Copy a world, also while a server is running. To restore it, use DIR as the data directory.

    Example: thorp world backup --into backups/monday
    """
    from thorp.voxel.service import backup

    done = backup(RealDisk(), _world(data), into / WORLD)
    if as_json:
        _print_json(done)
    else:
        size = sum(done.files.values())
        print(f"{into}: {len(done.files)} files, {size:,} bytes, up to tick {done.tick}; tip {done.tip}")


def _world(data: Path | None) -> Path:
    return data_directory(data) / WORLD


def _plain(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)


def _print_json(value: object) -> None:
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def _state(world: World) -> dict[str, object]:
    agents = [
        {
            "id": agent.id,
            "name": agent.name,
            "pos": agent.position,
            "hp": agent.hp,
            "inventory": agent.inventory,
        }
        for agent in world.agents
    ]
    return {"tick": world.tick, "digest": world.digest(), "weather": world.weather, "agents": agents}


def _print_summary(summary: Summary) -> None:
    print(f"tick {summary.last_tick}, seed {summary.seed}, rules {summary.rules}")
    for epoch in summary.epochs:
        reason = _plain(epoch.reason)
        print(f"  epoch {epoch.epoch} from tick {epoch.first_tick}: {reason} (rules {epoch.rules})")
    size = f"{summary.journal_bytes:,} bytes"
    print(f"  journal   {summary.segments} segments from tick {summary.first_tick}, {size}")
    ticks = ", ".join(map(str, summary.snapshots)) or "none"
    print(f"  snapshots {ticks} ({summary.snapshot_bytes:,} bytes)")


def _print_verdict(verdict: Verdict) -> None:
    for problem in verdict.problems:
        print(f"wrong: {_plain(problem)}")
    if verdict.torn is not None:
        print(f"torn, never acknowledged: {_plain(verdict.torn)}")
    for epoch in verdict.epochs:
        how = (
            "replayed" if epoch.replayed else f"chain checked; thorp {epoch.release or '(later)'} replays it"
        )
        ticks = f"ticks {epoch.first_tick} to {epoch.last_tick}"
        print(f"epoch {epoch.epoch}, {ticks}: {_plain(epoch.reason)}; {how}")
    if verdict.first_tick > 1:
        print(f"history is kept from tick {verdict.first_tick} on")
    print(f"{'sound' if verdict.ok else 'last good tick'}: {verdict.last_good_tick}")
    print(f"digest {verdict.digest or '-'}")
    print(f"tip    {verdict.tip or '-'}")


@contextmanager
def _progress(path: Path, quiet: bool, to: int | None = None) -> Iterator[Watch]:
    """A bar on standard error while ticks are executed, if someone looks at it."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda _: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    if to is None:
        from thorp.voxel.keeping.summary import summarize

        to = summarize(RealDisk(), path).last_tick
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("executing", total=to)
        yield lambda tick: progress.update(bar, completed=tick) if tick % 20 == 0 else None
