"""`god …`: lets a keeper look at towns and change them, in a directory or through the server that
holds it.

Reading never writes; a refused command changes nothing.
"""

import math
from collections.abc import Iterator
from typing import Annotated, NamedTuple

import msgspec

from thorp.cli.commands import Commands, argument, option, print_answer
from thorp.cli.location import Where, open_towns
from thorp.cli.options import AsJson
from thorp.kernel.errors import InvalidError
from thorp.kernel.text import one_line
from thorp.town import orders
from thorp.town.embedded.projection import summary
from thorp.town.embedded.projects import blocked_by, progress_of, status_of
from thorp.town.embedded.town import FULL, METERS, Town

app = Commands(name="god", help="Keep towns: look at them and change them.")

TownArgument = Annotated[str, argument("The id of a town, or the name of a city.", "TOWN")]


def _group(name: str, text: str) -> Commands:
    group = Commands(help=text)
    app.add_typer(group, name=name)
    return group


town_app = _group("town", "List towns, create one, show its notice board.")
day_app = _group("day", "The day: show it, or begin the next.")
pressure_app = _group("pressure", "The four meters: threat, scarcity, hope and dread.")
quest_app = _group("quest", "Quests: what townsfolk ask for.")
project_app = _group("project", "Projects: what the town builds.")
mission_app = _group("mission", "The current mission.")
event_app = _group("event", "Events of the nether: draw one, or list the latest.")
receipt_app = _group("receipt", "Receipts of accepted handoffs.")


@app.command()
def snapshot(town: TownArgument, where: Where, as_json: AsJson = False) -> None:
    """Show the town as governors see it: snapshot.v1. Changes nothing."""
    with open_towns(where) as world:
        document = world.snapshot(town)
    mission = document["mission"]
    lines = [
        f"{document['townId']}, day {document['day']}",
        "  " + "  ".join(f"{name} {level:.3f}" for name, level in document["pressure"].items()),
        f"  mission   {mission['title'] if mission else '-'}",
        f"  event     {document['latestNetherEvent'] or '-'}",
        *(
            f"  quest     {each['id']}: {each['title']} ({each['complexity']})"
            for each in document["sideQuests"]
        ),
        *(
            f"  project   {each['id']}: {each['name']}, {each['status']}, {each['progress']:.0%}"
            for each in document["projects"]
        ),
    ]
    print_answer(as_json, document, *map(one_line, lines))


@town_app.command(name="list")
def town_list(where: Where, as_json: AsJson = False) -> None:
    """List every town with its meters."""
    with open_towns(where) as world:
        towns = world.summaries()
    lines = []
    for town in towns:
        meters = "  ".join(f"{name} {level:.3f}" for name, level in town["pressure"].items())
        called = f" ({town['name']})" if "name" in town else ""  # only a city of the voxel world
        lines.append(
            f"{town['townId']}{called}  day {town['day']}  people {town['population']}  {meters}"
        )
    print_answer(as_json, towns, *map(one_line, lines))


@town_app.command(name="create")
def town_create(
    town: TownArgument,
    where: Where,
    seed: Annotated[int | None, option("The seed of a new world; 42 by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Create a town; the first one creates the world too."""
    with open_towns(where, seed=seed, create=True) as world:
        state = world.execute_order(orders.CreateTown(town))
    line = f"{one_line(town)}: founded on day {state.day} with {state.population} people"
    print_answer(as_json, summary(state), line)


@town_app.command(name="board")
def town_board(town: TownArgument, where: Where, as_json: AsJson = False) -> None:
    """Everything on the town's notice board: more than governors see."""
    with open_towns(where) as world:
        state = world.town(town)
        news = world.chronicle(town, limit=8)
    stocks = state.stocks
    lines = [
        f"{state.town_id}, day {state.day}, {state.population} people",
        "  " + "  ".join(f"{name} {getattr(state.meters, name) / FULL:.3f}" for name in METERS),
        f"  stores    food {stocks.food}, timber {stocks.timber}, iron {stocks.iron}",
        f"  works     {', '.join(f'{kind} {count}' for kind, count in state.works.items()) or '-'}",
        *_mission_line(state),
        f"  event     {state.event or '-'}",
        *_quest_lines(state),
        *_project_lines(state),
        "  folk      " + ", ".join(f"{each.name} the {each.trade}" for each in state.folk),
        *(f"  day {each.day:>4}  {each.text}" for each in news),
    ]
    print_answer(as_json, {**msgspec.to_builtins(state), "news": news}, *map(one_line, lines))


@day_app.command(name="show")
def day_show(where: Where, as_json: AsJson = False) -> None:
    """Show which day it is."""
    with open_towns(where) as world:
        row = world.world()
    print_answer(as_json, {"day": row.day, "seed": row.seed}, f"day {row.day}")


@day_app.command(name="advance")
def day_advance(
    where: Where,
    days: Annotated[int, option("How many.", min=1, max=1000)] = 1,
    as_json: AsJson = False,
) -> None:
    """Begin the next day in every town. Each day is durable by itself."""
    with open_towns(where) as world:
        for _ in range(days):
            day = world.execute_order(orders.AdvanceDay())
    print_answer(as_json, {"day": day}, f"day {day}")


@pressure_app.command(name="show")
def pressure_show(town: TownArgument, where: Where, as_json: AsJson = False) -> None:
    """Show the four meters of a town, from 0 to 1."""
    with open_towns(where) as world:
        pressure = world.snapshot(town)["pressure"]
    print_answer(as_json, pressure, *(f"{name:<9}{level:.3f}" for name, level in pressure.items()))


@pressure_app.command(name="set")
def pressure_set(
    town: TownArgument,
    meter: Annotated[str, argument("threat, scarcity, hope or dread.")],
    level: Annotated[float, argument("From 0 to 1, to three places.", min=0, max=1)],
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Set one meter."""
    _change_town(where, orders.SetPressure(town, meter, _per_mille(level)), as_json=as_json)


@quest_app.command(name="list")
def quest_list(town: TownArgument, where: Where, as_json: AsJson = False) -> None:
    """List the open quests."""
    state = _town(where, town)
    print_answer(as_json, state.quests, *_quest_lines(state))


class QuestOptions(NamedTuple):
    """What a quest is about, and how the answer is printed."""

    quest_id: Annotated[str | None, option("Its id; by default a free one.", name="--id")] = None
    need: Annotated[str, option("threat, scarcity, hope or dread: what a success relieves.")] = (
        "hope"
    )
    complexity: Annotated[int, option("From 0 to 10.")] = 3
    reward: Annotated[int | None, option("What it pays; by default by complexity.")] = None
    as_json: AsJson = False


@quest_app.command(name="add")
def quest_add(
    town: TownArgument,
    title: Annotated[str, argument("What is asked for.")],
    quest: QuestOptions,
    where: Where,
) -> None:
    """Post a quest."""
    order = orders.AddQuest(
        town_id=town,
        title=title,
        id=quest.quest_id,
        need=quest.need,
        complexity=quest.complexity,
        reward=quest.reward,
    )
    _change_town(where, order, as_json=quest.as_json)


@project_app.command(name="list")
def project_list(town: TownArgument, where: Where, as_json: AsJson = False) -> None:
    """List the projects of a town, and what blocks them."""
    state = _town(where, town)
    listed = [
        {**msgspec.to_builtins(each), "status": status_of(each, state)} for each in state.projects
    ]
    print_answer(as_json, listed, *_project_lines(state))


@project_app.command(name="add")
def project_add(
    town: TownArgument,
    name: Annotated[str, argument("What it is called.")],
    where: Where,
    *,
    project_id: Annotated[str | None, option("Its id; by default a free one.", name="--id")] = None,
    kind: Annotated[str, option("wall, granary, chapel or hall.")] = "wall",
    as_json: AsJson = False,
) -> None:
    """Plan a project."""
    _change_town(where, orders.AddProject(town, name, project_id, kind), as_json=as_json)


@mission_app.command(name="show")
def mission_show(town: TownArgument, where: Where, as_json: AsJson = False) -> None:
    """Show the current mission and its progress."""
    state = _town(where, town)
    print_answer(as_json, state.mission, *_mission_line(state))


@mission_app.command(name="complete")
def mission_complete(town: TownArgument, where: Where, as_json: AsJson = False) -> None:
    """End the mission with success."""
    _change_town(where, orders.CompleteMission(town), as_json=as_json)


@mission_app.command(name="fail")
def mission_fail(town: TownArgument, where: Where, as_json: AsJson = False) -> None:
    """End the mission without success."""
    _change_town(where, orders.FailMission(town), as_json=as_json)


@event_app.command(name="draw")
def event_draw(town: TownArgument, where: Where, as_json: AsJson = False) -> None:
    """Draw the next card of the town's deck."""
    _change_town(where, orders.DrawEvent(town), as_json=as_json)


@event_app.command(name="list")
def event_list(
    town: TownArgument,
    where: Where,
    limit: Annotated[int, option("Show at most N.", min=1, max=1000)] = 20,
    as_json: AsJson = False,
) -> None:
    """List the latest events of the nether, oldest first."""
    _print_news(where, town, limit, as_json, kind="nether_event")


@receipt_app.command(name="retain")
def receipt_retain(
    days: Annotated[str, argument("A number of days, or forever.")], where: Where
) -> None:
    """Set for how many days receipts are kept."""
    if days != "forever" and not (days.isascii() and days.isdigit()):
        raise InvalidError(f"give a number of days, or forever, not {days!r}", code="usage")
    with open_towns(where) as world:
        world.execute_order(orders.RetainReceipts(None if days == "forever" else int(days)))
    print(f"receipts are kept {'forever' if days == 'forever' else f'for {days} days'}")


@app.command()
def chronicle(
    where: Where,
    town: Annotated[str | None, argument("One town only.", "[TOWN]")] = None,
    limit: Annotated[int, option("Show at most N.", min=1, max=10_000)] = 20,
    as_json: AsJson = False,
) -> None:
    """List what happened lately, oldest first."""
    _print_news(where, town, limit, as_json)


def _per_mille(level: float) -> int:
    """A level from 0 to 1 as towns keep it; refuses one that is not a whole number of
    thousandths."""
    per_mille = round(level * FULL) if math.isfinite(level) else -1
    if per_mille / FULL != level:
        raise InvalidError(
            f"a level goes from 0 to 1 in at most three places, not {level}", code="precision"
        )
    return per_mille


def _town(where: Where, town_id: str) -> Town:
    with open_towns(where) as world:
        return world.town(town_id)


def _change_town(where: Where, order: orders.TownOrder, *, as_json: bool) -> None:
    """Execute an order, and print what happened."""
    with open_towns(where) as world:
        happenings = world.execute_order(order)
    print_answer(as_json, happenings, *(one_line(each.text) for each in happenings))


def _print_news(
    where: Where, town: str | None, limit: int, as_json: bool, kind: str | None = None
) -> None:
    with open_towns(where) as world:
        entries = world.chronicle(town, limit=limit, kind=kind)
    lines = (one_line(f"day {each.day:>4}  {each.town}  {each.text}") for each in entries)
    print_answer(as_json, entries, *lines)


def _mission_line(town: Town) -> Iterator[str]:
    mission = town.mission
    line = "-"
    if mission is not None:
        share = f"{mission.progress / FULL:.0%}"
        line = f"{mission.id}: {mission.title}, {share}, until day {mission.due}"
    yield one_line(f"  mission   {line}")


def _quest_lines(town: Town) -> Iterator[str]:
    for quest in town.quests:
        terms = f"complexity {quest.complexity}, reward {quest.reward}; {quest.giver}"
        yield one_line(f"  quest     {quest.id}: {quest.title} ({terms})")


def _project_lines(town: Town) -> Iterator[str]:
    for project in town.projects:
        status = status_of(project, town)
        reason = f" ({blocked_by(project, town)})" if status == "blocked" else ""
        share = f"{progress_of(project) / FULL:.0%}"
        yield one_line(f"  project   {project.id}: {project.name}, {status}{reason}, {share}")
