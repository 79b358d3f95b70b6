"""`thorp village …`: the demo village without a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from thorp.cli.options import SEED_LIMIT, AsJson, Commands, Quiet, world_directory
from thorp.cli.world import progress_bar
from thorp.kernel.errors import InvalidError
from thorp.store import RealDisk

if TYPE_CHECKING:
    from thorp.voxel.state.world import World

app = Commands(help="Let the demo village live, and measure it.")

MAX_DAYS = 10_000
"""Hours of one core; more is a mistake."""


@app.callback()
def _group() -> None: ...


@app.command()
def live(
    seed: Annotated[
        int | None,
        typer.Option(min=-SEED_LIMIT, max=SEED_LIMIT, help="The ground of the village; 1337 if not given."),
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=MAX_DAYS, help="How many days it lives.")] = 2,
    begin: Annotated[
        Path | None,
        typer.Option("--from", metavar="DIR", help="Go on where a data directory ends; it stays as it is."),
    ] = None,
    require: Annotated[
        Path | None, typer.Option("--require", metavar="FILE", help="Bounds for the figures, as JSON.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Let the village live in this process, without a server, and print a line for each day.

    Exit code 1: bounds of --require are broken; standard error names them.

    Example: thorp village live --seed 7 --days 10 --json
    """
    from thorp.bridges.village import measure
    from thorp.voxel.load import default_catalogs

    bounds = {} if require is None else measure.read_bounds(require.read_bytes(), default_catalogs().items)
    world = _world(seed, begin)
    lines: list[dict[str, Any]] = []

    def show(line: dict[str, Any]) -> None:
        lines.append(line)
        print(msgspec.json.encode(line).decode() if as_json else _plain(line), flush=True)

    with progress_bar(world.tick + days * world.tuning.day_ticks, quiet=quiet) as watch:
        costs = measure.live(world, days, show=show, watch=watch)
    print(
        f"{costs.tick_ms:.3f} ms of CPU a tick for world and villagers, "
        f"of which {costs.villager_ms:.4f} ms a villager for looking and thinking",
        file=sys.stderr,
    )
    wrong = measure.broken(bounds, lines)
    for problem in wrong:
        print(f"broken: {problem}", file=sys.stderr)
    if wrong:
        raise typer.Exit(1)


def _world(seed: int | None, begin: Path | None) -> World:
    """A new world, or a copy in memory of one that is kept. A server may be writing to that."""
    from thorp.bridges.village.founding import RULES
    from thorp.bridges.voxel_town import found
    from thorp.voxel.persistence.recovery import DEFAULT_SEED
    from thorp.voxel.persistence.replay import History
    from thorp.voxel.tuning import read_tuning

    if begin is None:
        return found(DEFAULT_SEED if seed is None else seed, tuning=read_tuning(RULES))
    world = History.begin(RealDisk(), world_directory(begin), found).go()
    if seed is not None and seed != world.seed:
        raise InvalidError(f"the world in {begin} has the seed {world.seed}; leave --seed out", code="seed")
    return world


def _plain(line: dict[str, Any]) -> str:
    buildings, contracts, upkeep = line["buildings"], line["contracts"], line["upkeep"]
    told = [
        f"day {line['day']}",
        "/".join(line["weather"]).lower(),
        f"idle {line['idle_day']:.0%} by day, {line['idle_night']:.0%} by night",
        f"{line['quiet_minutes']} quiet minutes",
        f"{buildings['standing']} buildings ({buildings['today']} today)",
        f"{line['trades']} trades",
        f"contracts {contracts['completed']} of {contracts['posted']} kept",
        f"{sum(line['downed'].values())} down",
        f"upkeep {upkeep['paid']} paid, {upkeep['missed']} missed",
        f"formula {line['formula']:.0%}",
    ]
    return "  ".join([*told, *([line["event"]] if line["event"] else [])])
