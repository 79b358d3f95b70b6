"""`thorp town …`: decide, hand off, execute, and let governors run a town for days."""

import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
import typer
from rich import box
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from thorp.cli.commands import (
    Commands,
    argument,
    option,
    print_answer,
    print_json,
    read_input,
    self_check_lines,
)
from thorp.cli.decisions import (
    FindPolicy,
    PolicyOptions,
    answer_lines,
    execute_lines,
    open_policies,
)
from thorp.cli.location import OpenTowns, Where, open_towns
from thorp.cli.options import AsJson, TipOption
from thorp.cli.proofs import ProofOptions, exit_1
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.strict_json import DOCUMENT_BYTES_LIMIT, read_document
from thorp.kernel.text import one_line
from thorp.town import build_handoff, built_in_profile, inspect_decision, propose
from thorp.town.embedded.council import Council
from thorp.town.embedded.projection import project_town
from thorp.town.orders import AdvanceDay, CreateTown
from thorp.town.profile import ROLES
from thorp.town.service import Epoch, Verified

app = Commands(help="Govern towns: propose, inspect, hand off, execute, run.")

MAX_LIVE_ROWS = 20  # A table higher than the screen could not be drawn over.

BatchOption = Annotated[bool, option("Read JSON lines from standard input, answer JSON lines.")]
DocumentArgument = Annotated[Path, argument("A document; - is standard input.", "[FILE]")]
TownIds = Annotated[list[str], option("A town; repeat for more. Made if it is missing.", "ID")]
FIRST_TOWN: Final = ["town-1"]

Decide = Callable[..., dict[str, Json]]

_HEADINGS = (
    "town",
    "threat",
    "scarc.",
    "hope",
    "dread",
    "people",
    "food/timber/iron",
    "mission",
    "event",
)

_BATCH_MEMBERS = ("snapshot", "profile", "memory", "policy")


class DecisionOptions(NamedTuple):
    """What a governor decides on."""

    snapshot: Annotated[Path | None, option("A snapshot.v1; - is standard input.", "FILE")] = None
    profile: Annotated[str, option("mayor, captain, warden, or a profile.v1.", "ROLE|FILE")] = (
        "mayor"
    )
    memory: Annotated[Path | None, option("What the governor did last.", "FILE")] = None
    batch: BatchOption = False


@app.command(name="propose")
def propose_command(given: DecisionOptions, options: PolicyOptions) -> None:
    """What a governor would do: a proposal.v2.

    A batch line is {"snapshot": …, "profile": …, "memory": …, "policy": …}; the last two may be
    left out.
    """
    _decide(propose, given, options)


@app.command(name="inspect")
def inspect_command(given: DecisionOptions, options: PolicyOptions) -> None:
    """The same decision with everything that went into it. Batch lines as for propose."""
    _decide(inspect_decision, given, options)


@app.command()
def handoff(document: DocumentArgument = Path("-"), batch: BatchOption = False) -> None:
    """The execution-handoff.v1 of a proposal. A batch line is a proposal."""
    if batch:
        answer_lines(build_handoff)
    else:
        print_json(build_handoff(_read_file(document)))


@app.command()
def execute(
    where: Where, document: DocumentArgument = Path("-"), batch: BatchOption = False
) -> None:
    """Execute a handoff once, and print its execution-result.v1. A batch line is a handoff.

    Batch answers come in the order of the lines, each when it is durable.
    """
    with open_towns(where) as world:
        if batch:
            execute_lines(world)
        else:
            print_json(world.execute(_read_file(document)))


@app.command()
def verify(
    where: Where, proof: ProofOptions, tip: TipOption = None, as_json: AsJson = False
) -> None:
    """Replay the journal and compare everything with it. Exit code 1 if something differs.

    For records made under older rules only the chain is checked, and the release that can replay
    them named.
    """
    with exit_1(as_json=as_json):
        tip = proof.tip("town", tip)
    with open_towns(where) as world:
        verdict = world.verify(tip)
    print_answer(as_json, verdict, *_verdict(verdict))
    raise typer.Exit(0 if verdict.difference is None else 1)


@app.command()
def run(
    where: Where,
    options: PolicyOptions,
    *,
    days: Annotated[int, option("How many days to govern.", min=1, max=100_000)] = 30,
    town: TownIds = FIRST_TOWN,
    seed: Annotated[int | None, option("The seed of a new world; 42 without it.")] = None,
    as_json: Annotated[bool, option("One JSON line per town and day.", name="--json")] = False,
) -> None:
    """Let a mayor, a captain and a warden govern, day after day. The same seed gives the same
    bytes.

    An existing world continues where it stopped: thirty days at once are the same as ten and then
    twenty.
    """
    if len(set(town)) < len(town):
        raise InvalidError("a town is named twice; name it once", code="usage")
    with open_policies(options) as find:
        policy = find(options.policy)
        with open_towns(where, seed=seed, create=True) as world:
            existing = {each["townId"] for each in world.summaries()}
            for town_id in town:
                if town_id not in existing:
                    world.execute_order(CreateTown(town_id))
            councils = [Council(town_id, policy) for town_id in town]
            for council in councils:
                council.recall(world.proposals(council.town_id))
            _show_days(_govern(world, councils, days), as_json=as_json)
            count, tip = world.tip()
        print(f"{count} records in the journal; tip {tip}", file=sys.stderr)


def _govern(
    world: OpenTowns, councils: list[Council], days: int
) -> Iterator[list[dict[str, Json]]]:
    """Let the councils govern; yield after each day a row for every town."""
    for _ in range(days):
        decisions = {council.town_id: list(council.sit(world)) for council in councils}
        world.execute_order(AdvanceDay())
        rows = []
        for council in councils:
            state = world.town(council.town_id)
            outcomes = {
                role: f"{result['command']}: {result['status']}"
                for role, result in decisions[council.town_id]
            }
            rows.append(
                {
                    "snapshot": project_town(state),
                    "population": state.population,
                    "stocks": msgspec.to_builtins(state.stocks),
                    "done": outcomes,
                }
            )
        yield rows


def _show_days(days: Iterator[list[dict[str, Json]]], *, as_json: bool) -> None:
    console = Console()
    if console.is_terminal and not as_json:
        with Live(console=console, refresh_per_second=8) as live:
            for rows in days:
                live.update(_day_table(rows))
        return
    for row in chain.from_iterable(days):
        if as_json:
            print_json(row)
        else:
            print(_day_line(row), flush=True)


def _cells(row: dict[str, Json]) -> list[str]:
    seen = row["snapshot"]
    mission = seen["mission"]
    return [
        one_line(seen["townId"]),
        *(f"{seen['pressure'][name]:.3f}" for name in ("threat", "scarcity", "hope", "dread")),
        str(row["population"]),
        "/".join(str(amount) for amount in row["stocks"].values()),
        one_line(mission["title"]) if mission else "-",
        seen["latestNetherEvent"] or "-",
    ]


def _day_line(row: dict[str, Json]) -> str:
    town_id, threat, scarcity, hope, dread, people, stocks, mission, event = _cells(row)
    meters = f"threat {threat}  scarcity {scarcity}  hope {hope}  dread {dread}"
    day = row["snapshot"]["day"]
    return (
        f"day {day:>4}  {town_id}  {meters}  people {people}  stocks {stocks}  {mission}  {event}"
    )


def _day_table(rows: list[dict[str, Json]]) -> Table:
    """The day in as many towns as fit on a screen; texts as they are, never read as markup."""
    table = Table(title=f"day {rows[0]['snapshot']['day']}", box=box.SIMPLE)
    for heading in _HEADINGS:
        table.add_column(heading, no_wrap=True, overflow="ellipsis")
    for row in rows[:MAX_LIVE_ROWS]:
        table.add_row(*(Text(cell) for cell in _cells(row)))
    if len(rows) > MAX_LIVE_ROWS:
        table.caption = f"and {len(rows) - MAX_LIVE_ROWS} more"
    return table


def _verdict(verified: Verified) -> list[str]:
    if verified.difference is not None:
        return [f"damaged: {verified.difference}"]
    older = [epoch for epoch in verified.epochs if not epoch.replayed]
    replayed = len(older) < len(verified.epochs)
    proved = (
        "all follows from the journal"
        if replayed
        else "the chain is whole, and the receipts fit it"
    )
    summary = (
        f"{verified.records} records, {verified.towns} towns, day {verified.day}: {proved}; "
        f"tip {verified.tip}"
    )
    return [summary, *map(_older_epoch, older), *self_check_lines(verified.self_check)]


def _older_epoch(epoch: Epoch) -> str:
    who = f"thorp {epoch.release}" if epoch.release else "the release that had them"
    last = epoch.first + epoch.records - 1
    return (
        f"records {epoch.first} to {last} have rules {epoch.rules}: chain checked; {who} can "
        "replay them"
    )


def _decide(decide: Decide, given: DecisionOptions, options: PolicyOptions) -> None:
    with open_policies(options) as find:
        if given.batch:
            answer_lines(lambda line: _decide_line(decide, find, line, options.policy))
            return
        if given.snapshot is None:
            raise InvalidError("--snapshot FILE is missing; or give --batch", code="usage")
        seen = _read_file(given.snapshot)
        remembered = None if given.memory is None else _read_file(given.memory)
        print_json(
            decide(seen, _profile(given.profile, seen), remembered, policy=find(options.policy))
        )


def _profile(name: str, snapshot: Json) -> Json:
    """A built-in profile for the snapshot's town, or what a file holds."""
    if name not in ROLES:
        return _read_file(Path(name))
    town_id = snapshot.get("townId") if isinstance(snapshot, dict) else None
    return built_in_profile(name, town_id if isinstance(town_id, str) and town_id else "town-1")


def _decide_line(decide: Decide, find: FindPolicy, line: Json, policy: str) -> dict[str, Json]:
    if not isinstance(line, dict):
        raise InvalidError("expected an object with snapshot and profile", code="type")
    for name in line:
        if name not in _BATCH_MEMBERS:
            members = ", ".join(_BATCH_MEMBERS)
            raise InvalidError(f"a line has {members} only", code="unknown_key", path=f"$.{name}")
    for name in ("snapshot", "profile"):
        if name not in line:
            raise InvalidError(f"{name} is required", code="missing", path=f"$.{name}")
    chosen = line.get("policy", policy)
    if not isinstance(chosen, str):
        raise InvalidError("expected the name of a policy", code="type", path="$.policy")
    return decide(line["snapshot"], line["profile"], line.get("memory"), policy=find(chosen))


def _read_file(path: Path) -> Json:
    return read_document(read_input(path, DOCUMENT_BYTES_LIMIT))
