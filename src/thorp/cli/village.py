"""`thorp village …`: the demo village without a server. Also `run_village`, which `thorp up
--village` uses: each villager has its own connection, all in one event loop, and the council
governs over HTTP."""

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import aiohttp
import msgspec
import typer

from thorp.bridges.voxel_town import new_city_world
from thorp.cli.commands import Commands, option
from thorp.cli.options import SEEDS, AsJson, Quiet, world_directory
from thorp.cli.tick_progress import show_ticks
from thorp.client.connection import Connection, hello
from thorp.client.errors import ClientError
from thorp.client.http import AS_IT_IS, ServerError, read_answer, read_json_answer
from thorp.kernel.errors import InvalidError
from thorp.protocol import Catalog, Obs, Welcome
from thorp.protocol.handshake import LOCKSTEP
from thorp.protocol.session import empty_act
from thorp.store import RealDisk
from thorp.village import Villager, measure
from thorp.village.bounds import broken, read_bounds
from thorp.village.council import CityCouncil
from thorp.village.founding import RULES
from thorp.village.headless_minds import HeadlessMinds, at_random
from thorp.village.minds import MOST_MINDS
from thorp.village.roster import ROSTER, villager
from thorp.village.talk import Talker, talker_from_environment
from thorp.voxel import World, default_catalogs, read_tuning
from thorp.voxel.persistence.recovery import DEFAULT_SEED
from thorp.voxel.persistence.replay import History

app = Commands(help="Let the demo village live, and measure it.")

MAX_DAYS = 10_000  # Hours of one core; more is a mistake.
Say = Callable[[str], None]

PATIENCE_SECONDS = 60.0  # How long a villager tries to reach a server that went away.
COUNCIL_SECONDS = 2.0  # Between two looks at the city; a day lasts twenty minutes.


@app.command()
def live(
    *,
    seed: Annotated[
        int | None, option("The ground of the village; 1337 if not given.", **SEEDS)
    ] = None,
    days: Annotated[int, option("How many days it lives.", min=1, max=MAX_DAYS)] = 2,
    begin: Annotated[
        Path | None,
        option("Go on where a data directory ends; it stays as it is.", "DIR", name="--from"),
    ] = None,
    minds: Annotated[
        int,
        option("How many minds live there too, from the third morning on.", min=0, max=MOST_MINDS),
    ] = 0,
    decides: Annotated[
        str,
        option("What decides for them: local, local:PATH, or random among the same options."),
    ] = "local",
    require: Annotated[Path | None, option("Bounds for the figures, as JSON.", "FILE")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Let the village live in this process, without a server, and print a line for each day.

    Exit code 1: bounds of --require are broken; standard error names them.

    Example: thorp village live --seed 7 --days 10 --json
    """
    bounds = {} if require is None else read_bounds(require.read_bytes(), default_catalogs().items)
    world = _world(seed, begin)
    lines: list[dict[str, Any]] = []

    def show(line: dict[str, Any]) -> None:
        lines.append(line)
        print(msgspec.json.encode(line).decode() if as_json else _plain(line), flush=True)

    with (
        _minds(world, minds, decides) as people,
        show_ticks(world.tick + days * world.tuning.day_ticks, quiet=quiet) as watch,
    ):
        costs = measure.live(world, days, show=show, watch=watch, minds=people)
    print(
        f"{costs.tick_ms:.3f} ms of CPU a tick for world and villagers, "
        f"of which {costs.villager_ms:.4f} ms a villager for looking and thinking",
        file=sys.stderr,
    )
    wrong = broken(bounds, lines)
    for problem in wrong:
        print(f"broken: {problem}", file=sys.stderr)
    if wrong:
        raise typer.Exit(1)


@contextmanager
def _minds(world: World, count: int, decides: str) -> Iterator[HeadlessMinds | None]:
    """The minds of a village that lives in this process, and what decides for them."""
    if not count:
        yield None
        return
    kind, _, name = decides.partition(":")
    if decides == "random":
        yield HeadlessMinds(world, count, at_random(world.seed))
    elif kind == "local":
        from thorp.village.mind_model import serve_mind_model

        with serve_mind_model(name) as model:
            yield HeadlessMinds(world, count, model.choose)
    else:
        raise InvalidError(
            f"--decides takes local, local:PATH or random, not {decides!r:.40}", code="usage"
        )


def _world(seed: int | None, begin: Path | None) -> World:
    """A new world, or a copy in memory of a kept one, which a server may go on writing."""
    if begin is None:
        return new_city_world(DEFAULT_SEED if seed is None else seed, tuning=read_tuning(RULES))
    world = History.begin(RealDisk(), world_directory(begin), new_city_world).go()
    if seed is not None and seed != world.seed:
        raise InvalidError(
            f"the world in {begin} has the seed {world.seed}; leave --seed out", code="seed"
        )
    return world


def _plain(line: dict[str, Any]) -> str:
    buildings = line["buildings"]
    contracts = line["contracts"]
    upkeep = line["upkeep"]
    parts = [
        f"day {line['day']}",
        "/".join(line["weather"]).lower(),
        f"idle {line['idle_day']:.0%} by day, {line['idle_night']:.0%} by night",
        f"{line['quiet_minutes']} quiet minutes",
        f"{line['worth_pointing_at']} highlights, longest lull {line['longest_lull']}",
        f"{line['distinct_thoughts']} thoughts, {line['same_thought']} alike",
        f"{buildings['standing']} buildings ({buildings['today']} today)",
        f"{line['trades']} trades",
        f"contracts {contracts['completed']} of {contracts['posted']} kept",
        f"{sum(line['downed'].values())} down",
        f"upkeep {upkeep['paid']} paid, {upkeep['missed']} missed",
        f"formula {line['formula']:.0%}",
        *(
            f"{mind.name}: idle {mind.idle_day:.0%}, {mind.decisions} decisions, "
            f"{mind.unlocked} unlocked, hunger {mind.least_hunger} at least"
            for mind in line.get("minds", ())
        ),
    ]
    return "  ".join([*parts, *([line["event"]] if line["event"] else [])])


async def run_village(
    url: str, tokens: Mapping[str, str], *, access_token: str | None, say: Say
) -> None:
    """Let the villagers with these resume tokens live, until their connections are over."""
    council = CityCouncil()
    talker = talker_from_environment()
    async with aiohttp.ClientSession(headers=AS_IT_IS, auto_decompress=False) as http:
        helping = [asyncio.create_task(_govern(http, url, access_token, council, say))]
        if talker is not None:
            helping.append(asyncio.create_task(talker.run()))
        try:
            async with asyncio.TaskGroup() as group:
                for name, token in tokens.items():
                    greeting = hello(
                        name, token, delta_voxels=False, max_queue=0, title=ROSTER[name]
                    )
                    line = Connection(
                        http,
                        url,
                        greeting,
                        access_token=access_token,
                        patience_seconds=PATIENCE_SECONDS,
                    )
                    group.create_task(_run_villager(name, line, council, talker, say))
        finally:
            for task in helping:
                task.cancel()
            await asyncio.wait(helping)


async def _govern(
    http: aiohttp.ClientSession, url: str, access_token: str | None, council: CityCouncil, say: Say
) -> None:
    """Let the council sit when the mayor calls it, each governor on a fresh snapshot."""
    server = url.removesuffix("/v1/ws").replace("ws", "http", 1)
    headers = {} if access_token is None else {"Authorization": f"Bearer {access_token}"}
    while True:
        await asyncio.sleep(COUNCIL_SECONDS)
        if not council.has_turn():
            continue
        try:
            async with http.get(
                f"{server}/v1/towns/{council.city}/snapshot", headers=headers
            ) as answer:
                snapshot = await read_json_answer(answer) if answer.status == 200 else None
            handoff = None if snapshot is None else council.handoff(snapshot)
            if handoff is not None:
                async with http.post(
                    f"{server}/v1/handoffs", json=handoff, headers=headers
                ) as answer:
                    await read_answer(answer)
        except (aiohttp.ClientError, ServerError, TimeoutError):
            pass  # the next look will do
        except Exception as problem:  # nor does anything else end the council
            say(f"the council: {problem!r}")


async def _run_villager(
    name: str, line: Connection, council: CityCouncil, talker: Talker | None, say: Say
) -> None:
    catalogs: dict[str, Any] = {}
    me: Villager | None = None
    lockstep = False
    try:
        async for message in line.messages():
            match message:
                case Catalog(part=1):
                    catalogs[message.name] = message.data
                case Catalog():
                    catalogs[message.name] += message.data
                case Welcome():
                    lockstep = message.world_params.clock == LOCKSTEP
                case Obs():
                    if me is None:
                        me = villager(name, catalogs)
                        council.reeve = me if me.trade == "reeve" else council.reeve
                        if talker is not None:
                            talker.listen_to(me)
                    act = me.take(message)
                    if act is None and lockstep:
                        act = empty_act(message.agent_id, message.tick)
                    if act is not None:
                        await line.send(msgspec.json.encode(act))
    except ClientError as problem:
        say(f"{name}: {problem}")
    except Exception as problem:  # the others live on
        say(f"{name} has gone: {problem!r}")
    finally:
        await line.close()
