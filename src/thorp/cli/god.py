"""`god …`: what a town keeper sees and does, in a directory or through the server that holds it.

Reading never writes; a refused command changes nothing.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer

from thorp.arena.recap import printable
from thorp.cli.keepers import open_towns
from thorp.cli.location import Where, at
from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import InvalidError
from thorp.town.embedded.meters import METERS
from thorp.town.embedded.projection import summary
from thorp.town.embedded.projects import blocked_by, progress_of, status_of
from thorp.town.embedded.town import FULL, Town
from thorp.town.orders import (
    AddProject,
    AddQuest,
    AdvanceDay,
    CompleteMission,
    CreateTown,
    DrawEvent,
    FailMission,
    RetainReceipts,
    SetPressure,
    TownOrder,
)
from thorp.town.service import Entry

app = typer.Typer(
    name="god",
    help="Keep towns: look at them, and change them.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
TownArgument = Annotated[str, typer.Argument(metavar="TOWN", help="The id of a town, or the name of a city.")]


def _group(name: str, text: str) -> typer.Typer:
    group = typer.Typer(help=text, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(group, name=name)
    return group


town_app = _group("town", "List towns, found one, show its board.")
day_app = _group("day", "The clock of the world.")
pressure_app = _group("pressure", "Threat, scarcity, hope and dread.")
quest_app = _group("quest", "What townsfolk ask for.")
project_app = _group("project", "What the town builds.")
mission_app = _group("mission", "The mission that is under way.")
event_app = _group("event", "What the nether sends.")
receipt_app = _group("receipt", "What accepted handoffs left behind.")


@app.command()
@at
def snapshot(town: TownArgument, where: Where, as_json: JsonOption = False) -> None:
    """The town as governors see it: snapshot.v1. Changes nothing."""
    with open_towns(where) as world:
        seen = world.snapshot(town)
    if as_json:
        print_json(seen)
        return
    print(f"{plain(seen['townId'])}, day {seen['day']}")
    print("  " + "  ".join(f"{name} {level:.3f}" for name, level in seen["pressure"].items()))
    print(f"  mission   {plain(seen['mission']['title']) if seen['mission'] else '-'}")
    print(f"  event     {plain(seen['latestNetherEvent'] or '-')}")
    for quest in seen["sideQuests"]:
        print(f"  quest     {plain(quest['id'])}: {plain(quest['title'])} ({quest['complexity']})")
    for project in seen["projects"]:
        share = f"{project['progress']:.0%}"
        print(f"  project   {plain(project['id'])}: {plain(project['name'])}, {project['status']}, {share}")


@town_app.command(name="list")
@at
def town_list(where: Where, as_json: JsonOption = False) -> None:
    """Every town with its meters."""
    with open_towns(where) as world:
        towns = world.summaries()
    if as_json:
        print_json(towns)
        return
    for town in towns:
        meters = "  ".join(f"{name} {level:.3f}" for name, level in town["pressure"].items())
        called = f" ({plain(town['name'])})" if "name" in town else ""  # only a city of the voxel world
        print(f"{plain(town['townId'])}{called}  day {town['day']}  people {town['population']}  {meters}")


@town_app.command(name="create")
@at
def town_create(
    town: TownArgument,
    where: Where,
    seed: Annotated[
        int | None, typer.Option(help="The seed, if this makes a new world; 42 without it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Found a town; the first one founds the world too."""
    with open_towns(where, seed=seed, create=True) as world:
        founded = world.execute_order(CreateTown(town))
    if as_json:
        print_json(summary(founded))
    else:
        print(f"{plain(town)}: founded on day {founded.day} with {founded.population} people")


@town_app.command(name="board")
@at
def town_board(town: TownArgument, where: Where, as_json: JsonOption = False) -> None:
    """Everything that hangs on the board in the square: more than governors see."""
    with open_towns(where) as world:
        state, news = world.town(town), world.chronicle(town, limit=8)
    if as_json:
        print_json({**msgspec.to_builtins(state), "news": [msgspec.to_builtins(each) for each in news]})
        return
    stocks = state.stocks
    print(f"{plain(state.town_id)}, day {state.day}, {state.population} people")
    print("  " + "  ".join(f"{name} {getattr(state.meters, name) / FULL:.3f}" for name in METERS))
    print(f"  stores    food {stocks.food}, timber {stocks.timber}, iron {stocks.iron}")
    print(f"  works     {', '.join(f'{kind} {count}' for kind, count in state.works.items()) or '-'}")
    _print_mission(state)
    print(f"  event     {state.event or '-'}")
    _print_quests(state)
    _print_projects(state)
    print("  folk      " + ", ".join(f"{each.name} the {each.trade}" for each in state.folk))
    _print_news(news)


@day_app.command(name="show")
@at
def day_show(where: Where, as_json: JsonOption = False) -> None:
    """The day it is."""
    with open_towns(where) as world:
        found = world.world()
    if as_json:
        print_json({"day": found.day, "seed": found.seed})
    else:
        print(f"day {found.day}")


@day_app.command(name="advance")
@at
def day_advance(
    where: Where,
    days: Annotated[int, typer.Option("--days", min=1, max=1000, help="How many.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Let the next day begin in every town. Each day is durable by itself."""
    with open_towns(where) as world:
        for _ in range(days):
            day = world.execute_order(AdvanceDay())
    if as_json:
        print_json({"day": day})
    else:
        print(f"day {day}")


@pressure_app.command(name="show")
@at
def pressure_show(town: TownArgument, where: Where, as_json: JsonOption = False) -> None:
    """The four meters of a town, from 0 to 1."""
    with open_towns(where) as world:
        pressure = world.snapshot(town)["pressure"]
    if as_json:
        print_json(pressure)
        return
    for name, level in pressure.items():
        print(f"{name:<9}{level:.3f}")


@pressure_app.command(name="set")
@at
def pressure_set(
    town: TownArgument,
    meter: Annotated[str, typer.Argument(help="threat, scarcity, hope or dread.")],
    level: Annotated[float, typer.Argument(min=0, max=1, help="From 0 to 1, to three places.")],
    where: Where,
    as_json: JsonOption = False,
) -> None:
    """Set one meter by decree."""
    _change_town(where, SetPressure(town, meter, _per_mille(level)), as_json=as_json)


@quest_app.command(name="list")
@at
def quest_list(town: TownArgument, where: Where, as_json: JsonOption = False) -> None:
    """The quests that are open."""
    with open_towns(where) as world:
        state = world.town(town)
    if as_json:
        print_json([msgspec.to_builtins(quest) for quest in state.quests])
    else:
        _print_quests(state)


@quest_app.command(name="add")
@at
def quest_add(
    town: TownArgument,
    title: Annotated[str, typer.Argument(help="What is asked for.")],
    where: Where,
    quest_id: Annotated[str | None, typer.Option("--id", help="Its id; a free one without it.")] = None,
    need: Annotated[
        str, typer.Option(help="threat, scarcity, hope or dread: what a success relieves.")
    ] = "hope",
    complexity: Annotated[int, typer.Option(help="From 0 to 10.")] = 3,
    reward: Annotated[int | None, typer.Option(help="What it pays; by complexity without it.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Post a quest."""
    _change_town(where, AddQuest(town, title, quest_id, need, complexity, reward), as_json=as_json)


@project_app.command(name="list")
@at
def project_list(town: TownArgument, where: Where, as_json: JsonOption = False) -> None:
    """The projects of a town, and what blocks them."""
    with open_towns(where) as world:
        state = world.town(town)
    if as_json:
        listed = [
            {**msgspec.to_builtins(project), "status": status_of(project, state)}
            for project in state.projects
        ]
        print_json(listed)
    else:
        _print_projects(state)


@project_app.command(name="add")
@at
def project_add(
    town: TownArgument,
    name: Annotated[str, typer.Argument(help="What it is called.")],
    where: Where,
    project_id: Annotated[str | None, typer.Option("--id", help="Its id; a free one without it.")] = None,
    kind: Annotated[str, typer.Option(help="wall, granary, chapel or hall.")] = "wall",
    as_json: JsonOption = False,
) -> None:
    """Plan a project."""
    _change_town(where, AddProject(town, name, project_id, kind), as_json=as_json)


@mission_app.command(name="show")
@at
def mission_show(town: TownArgument, where: Where, as_json: JsonOption = False) -> None:
    """The mission, and how far it is."""
    with open_towns(where) as world:
        state = world.town(town)
    if as_json:
        print_json(msgspec.to_builtins(state.mission))
    else:
        _print_mission(state)


@mission_app.command(name="complete")
@at
def mission_complete(town: TownArgument, where: Where, as_json: JsonOption = False) -> None:
    """End the mission with success."""
    _change_town(where, CompleteMission(town), as_json=as_json)


@mission_app.command(name="fail")
@at
def mission_fail(town: TownArgument, where: Where, as_json: JsonOption = False) -> None:
    """End the mission without success."""
    _change_town(where, FailMission(town), as_json=as_json)


@event_app.command(name="draw")
@at
def event_draw(town: TownArgument, where: Where, as_json: JsonOption = False) -> None:
    """Draw the next card of the town's deck."""
    _change_town(where, DrawEvent(town), as_json=as_json)


@event_app.command(name="list")
@at
def event_list(
    town: TownArgument,
    where: Where,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most so many.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """The latest events of the nether, oldest first."""
    with open_towns(where) as world:
        events = world.chronicle(town, limit=limit, kind="nether_event")
    _print_entries(events, as_json=as_json)


@receipt_app.command(name="retain")
@at
def receipt_retain(
    days: Annotated[str, typer.Argument(help="A number of days, or forever.")], where: Where
) -> None:
    """Keep receipts for so many days after the one they were made on."""
    if days != "forever" and not (days.isascii() and days.isdigit()):
        raise InvalidError(f"give a number of days, or forever, not {days!r}", code="usage")
    with open_towns(where) as world:
        world.execute_order(RetainReceipts(None if days == "forever" else int(days)))
    print(f"receipts are kept {'forever' if days == 'forever' else f'for {days} days'}")


@app.command()
@at
def chronicle(
    where: Where,
    town: Annotated[str | None, typer.Argument(metavar="[TOWN]", help="One town only.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """What happened lately, oldest first."""
    with open_towns(where) as world:
        entries = world.chronicle(town, limit=limit)
    _print_entries(entries, as_json=as_json)


# How things are told.


def plain(text: str) -> str:
    """A text on one line, without what could command a terminal."""
    return printable(text).replace("\n", " ")


def print_json(value: Json) -> None:
    """One line of JSON in UTF-8, whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(insertion_bytes(value) + b"\n")
    sys.stdout.buffer.flush()


def _per_mille(level: float) -> int:
    per_mille = round(level * FULL) if math.isfinite(level) else -1
    if per_mille / FULL != level:
        raise InvalidError(f"a level goes from 0 to 1 in at most three places, not {level}", code="precision")
    return per_mille


def _change_town(where: Where, order: TownOrder, *, as_json: bool) -> None:
    """Have an order executed, and tell what happened."""
    with open_towns(where) as world:
        happenings = world.execute_order(order)
    if as_json:
        print_json([msgspec.to_builtins(each) for each in happenings])
        return
    for each in happenings:
        print(plain(each.text))


def _print_entries(entries: Sequence[Entry], *, as_json: bool) -> None:
    if as_json:
        print_json([msgspec.to_builtins(each) for each in entries])
        return
    for each in entries:
        print(f"day {each.day:>4}  {plain(each.town)}  {plain(each.text)}")


def _print_news(entries: Sequence[Entry]) -> None:
    for each in entries:
        print(f"  day {each.day:>4}  {plain(each.text)}")


def _print_mission(town: Town) -> None:
    mission = town.mission
    if mission is None:
        print("  mission   -")
        return
    share = f"{mission.progress / FULL:.0%}"
    print(f"  mission   {plain(mission.id)}: {plain(mission.title)}, {share}, until day {mission.due}")


def _print_quests(town: Town) -> None:
    for quest in town.quests:
        asked = f"{plain(quest.id)}: {plain(quest.title)}"
        terms = f"complexity {quest.complexity}, reward {quest.reward}; {plain(quest.giver)}"
        print(f"  quest     {asked} ({terms})")


def _print_projects(town: Town) -> None:
    for project in town.projects:
        status = status_of(project, town)
        reason = f" ({blocked_by(project, town)})" if status == "blocked" else ""
        share = f"{progress_of(project) / FULL:.0%}"
        print(f"  project   {plain(project.id)}: {plain(project.name)}, {status}{reason}, {share}")
