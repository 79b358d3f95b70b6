"""`thorp town …`: decide, hand off, execute, and let governors run a town for days."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec
import typer
from rich import box
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from thorp.cli.god import DataOption, UrlOption, open_world, plain, print_json
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError, InvalidError, LimitError, ThorpError
from thorp.town import build_handoff, built_in_profile, inspect_decision, propose
from thorp.town.embedded.council import Council
from thorp.town.embedded.lines import LINE_BYTES_LIMIT, error_document, read_document
from thorp.town.embedded.projection import project_town
from thorp.town.profile import ROLES
from thorp.town.registry import find_policy
from thorp.town.service import EmbeddedTown, Verified

app = typer.Typer(
    help="Govern towns: propose, inspect, hand off, execute, run.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

UNDER_WAY = 1000
"""Answers that a batch may be behind its input: one full group, so that the next one can gather."""

MAX_LIVE_ROWS = 20
"""The table must not be higher than a screen, or it could not be drawn over."""

BatchOption = Annotated[
    bool, typer.Option("--batch", help="Read JSON lines from standard input, answer JSON lines.")
]
SnapshotOption = Annotated[
    Path | None, typer.Option("--snapshot", metavar="FILE", help="A snapshot.v1; - is standard input.")
]
ProfileOption = Annotated[
    str, typer.Option("--profile", metavar="ROLE|FILE", help="mayor, captain, warden, or a profile.v1.")
]
MemoryOption = Annotated[
    Path | None, typer.Option("--memory", metavar="FILE", help="What the governor did last.")
]
PolicyOption = Annotated[
    str, typer.Option("--policy", help="How to decide: ranked, simple, or an installed one.")
]
DocumentArgument = Annotated[Path, typer.Argument(metavar="[FILE]", help="A document; - is standard input.")]

Decide = Callable[..., dict[str, Json]]


@app.command(name="propose")
def propose_command(
    snapshot: SnapshotOption = None,
    profile: ProfileOption = "mayor",
    memory: MemoryOption = None,
    policy: PolicyOption = "ranked",
    batch: BatchOption = False,
) -> None:
    """What a governor would do: a proposal.v2.

    A batch line is {"snapshot": …, "profile": …, "memory": …, "policy": …}; the last two may be left out.
    """
    _decide(propose, snapshot, profile, memory, policy, batch=batch)


@app.command(name="inspect")
def inspect_command(
    snapshot: SnapshotOption = None,
    profile: ProfileOption = "mayor",
    memory: MemoryOption = None,
    policy: PolicyOption = "ranked",
    batch: BatchOption = False,
) -> None:
    """The same decision with everything that went into it. Batch lines as for propose."""
    _decide(inspect_decision, snapshot, profile, memory, policy, batch=batch)


@app.command()
def handoff(document: DocumentArgument = Path("-"), batch: BatchOption = False) -> None:
    """The execution-handoff.v1 of a proposal. A batch line is a proposal."""
    if batch:
        _answer_lines(build_handoff)
    else:
        print_json(build_handoff(_read_file(document)))


@app.command()
def execute(
    document: DocumentArgument = Path("-"),
    batch: BatchOption = False,
    data: DataOption = None,
    url: UrlOption = None,
) -> None:
    """Execute a handoff once, and print its execution-result.v1. A batch line is a handoff.

    Batch answers come in the order of the lines, each when it is durable.
    """
    with open_world(data, url) as world:
        if batch:
            _execute_lines(world)
        else:
            print_json(world.execute(_read_file(document)))


@app.command()
def verify(
    data: DataOption = None,
    url: UrlOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
) -> None:
    """Replay the journal from the seed and compare everything with it. Exit code 1 if something differs."""
    with open_world(data, url) as world:
        found = world.verify()
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        print(_verdict(found))
    raise typer.Exit(0 if found.difference is None else 1)


@app.command()
def run(
    days: Annotated[int, typer.Option(min=1, max=100_000, help="How many days to govern.")] = 30,
    town: Annotated[
        list[str],
        typer.Option("--town", metavar="ID", help="A town; repeat for more. Made if it is missing."),
    ] = ["town-1"],  # noqa: B006
    seed: Annotated[int | None, typer.Option(help="The seed of a new world; 42 without it.")] = None,
    policy: PolicyOption = "ranked",
    data: DataOption = None,
    url: UrlOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line per town and day.")] = False,
) -> None:
    """Let mayor, captain and warden govern, day after day. The same seed gives the same bytes.

    A world that exists goes on where it stopped: thirty days at once are the same as ten and twenty.
    """
    if len(set(town)) < len(town):
        raise InvalidError("a town is named twice; name it once", code="usage")
    find_policy(policy)
    with open_world(data, url, seed=seed, create=True) as world:
        known = {each.town_id for each in world.towns()}
        for town_id in town:
            if town_id not in known:
                world.create_town(town_id)
        councils = [Council(town_id, find_policy(policy)) for town_id in town]
        for council in councils:
            council.recall(world.proposals(council.town_id))
        _show_days(_govern(world, councils, days), as_json=as_json)
        count, tip = world.tip()
    print(f"{count} records in the journal; tip {tip}", file=sys.stderr)


def _govern(world: EmbeddedTown, councils: list[Council], days: int) -> Iterator[list[dict[str, Json]]]:
    """Govern for some days; after each, a row for every town."""
    for _ in range(days):
        done = {council.town_id: list(council.sit(world)) for council in councils}
        world.advance_day()
        rows = []
        for council in councils:
            state = world.town(council.town_id)
            told = {
                role: f"{result['command']}: {result['status']}" for role, result in done[council.town_id]
            }
            people = {"population": state.population, "stocks": msgspec.to_builtins(state.stocks)}
            rows.append({"snapshot": project_town(state), **people, "done": told})
        yield rows


def _show_days(days: Iterator[list[dict[str, Json]]], *, as_json: bool) -> None:
    console = Console()
    if as_json:
        for rows in days:
            for row in rows:
                print_json(row)
    elif console.is_terminal:
        with Live(console=console, refresh_per_second=8) as live:
            for rows in days:
                live.update(_day_table(rows))
    else:
        for rows in days:
            for row in rows:
                print(_day_line(row), flush=True)


_HEADINGS = ("town", "threat", "scarc.", "hope", "dread", "people", "food/timber/iron", "mission", "event")


def _cells(row: dict[str, Json]) -> list[str]:
    seen = row["snapshot"]
    mission = seen["mission"]
    return [
        plain(seen["townId"]),
        *(f"{seen['pressure'][name]:.3f}" for name in ("threat", "scarcity", "hope", "dread")),
        str(row["population"]),
        "/".join(str(amount) for amount in row["stocks"].values()),
        plain(mission["title"]) if mission else "-",
        seen["latestNetherEvent"] or "-",
    ]


def _day_line(row: dict[str, Json]) -> str:
    town_id, threat, scarcity, hope, dread, people, stocks, mission, event = _cells(row)
    meters = f"threat {threat}  scarcity {scarcity}  hope {hope}  dread {dread}"
    day = row["snapshot"]["day"]
    return f"day {day:>4}  {town_id}  {meters}  people {people}  stocks {stocks}  {mission}  {event}"


def _day_table(rows: list[dict[str, Json]]) -> Table:
    """The day in all towns, as far as a screen is high; texts as they are, never as markup."""
    table = Table(title=f"day {rows[0]['snapshot']['day']}", box=box.SIMPLE)
    for heading in _HEADINGS:
        table.add_column(heading, no_wrap=True, overflow="ellipsis")
    for row in rows[:MAX_LIVE_ROWS]:
        table.add_row(*(Text(cell) for cell in _cells(row)))
    if len(rows) > MAX_LIVE_ROWS:
        table.caption = f"and {len(rows) - MAX_LIVE_ROWS} more"
    return table


def _verdict(found: Verified) -> str:
    if found.difference is not None:
        return f"damaged: {found.difference}"
    summary = f"{found.records} records, {found.towns} towns, day {found.day}: all follows from the journal"
    return f"{summary}; tip {found.tip}"


def _decide(
    decide: Decide, snapshot: Path | None, profile: str, memory: Path | None, policy: str, *, batch: bool
) -> None:
    if batch:
        _answer_lines(lambda line: _decide_line(decide, line, policy))
        return
    if snapshot is None:
        raise InvalidError("--snapshot FILE is missing; or give --batch", code="usage")
    seen = _read_file(snapshot)
    remembered = None if memory is None else _read_file(memory)
    print_json(decide(seen, _profile(profile, seen), remembered, policy=find_policy(policy)))


def _profile(name: str, snapshot: Json) -> Json:
    """A built-in profile for the snapshot's town, or what a file holds."""
    if name not in ROLES:
        return _read_file(Path(name))
    town_id = snapshot.get("townId") if isinstance(snapshot, dict) else None
    return built_in_profile(name, town_id if isinstance(town_id, str) and town_id else "town-1")


_LINE_MEMBERS = ("snapshot", "profile", "memory", "policy")


def _decide_line(decide: Decide, line: Json, policy: str) -> dict[str, Json]:
    if not isinstance(line, dict):
        raise InvalidError("expected an object with snapshot and profile", code="type")
    for name in line:
        if name not in _LINE_MEMBERS:
            raise InvalidError(
                f"a line has {', '.join(_LINE_MEMBERS)} only", code="unknown_key", path=f"$.{name}"
            )
    for name in ("snapshot", "profile"):
        if name not in line:
            raise InvalidError(f"{name} is required", code="missing", path=f"$.{name}")
    chosen = line.get("policy", policy)
    if not isinstance(chosen, str):
        raise InvalidError("expected the name of a policy", code="type", path="$.policy")
    return decide(line["snapshot"], line["profile"], line.get("memory"), policy=find_policy(chosen))


def _read_file(path: Path) -> Json:
    if str(path) == "-":
        return read_document(sys.stdin.buffer.read(LINE_BYTES_LIMIT + 1))
    with path.open("rb") as file:
        return read_document(file.read(LINE_BYTES_LIMIT + 1))


# Batches.


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Every line that is not blank. Of one that is too long only so much is kept that it can be refused."""
    while line := stream.readline(LINE_BYTES_LIMIT + 2):
        piece = line
        while not piece.endswith(b"\n") and piece:
            piece = stream.readline(LINE_BYTES_LIMIT)
        line = line.rstrip(b"\r\n")
        if line.strip():
            yield line


def _answer_lines(answer: Callable[[Json], dict[str, Json]]) -> None:
    for line in _lines(sys.stdin.buffer):
        try:
            document = answer(read_document(line))
        except ThorpError as error:
            document = error_document(error)
        print_json(document)


def _execute_lines(world: EmbeddedTown) -> None:
    """Execute line after line, many to a sync, and print each answer as soon as it is durable."""
    answers: queue.Queue[Future[dict[str, Json]] | None] = queue.Queue(UNDER_WAY)
    printer = _Printer(answers)
    printer.start()
    try:
        for line in _lines(sys.stdin.buffer):
            if printer.problem is not None:
                break
            answers.put(_submit_line(world, line))
    finally:
        answers.put(None)
        printer.join()
    if printer.problem is not None:
        raise printer.problem


def _submit_line(world: EmbeddedTown, line: bytes) -> Future[dict[str, Json]]:
    try:
        return world.submit(read_document(line))
    except ThorpError as error:
        refused: Future[dict[str, Json]] = Future()
        refused.set_exception(error)
        return refused


class _Printer(threading.Thread):
    """Prints answers in order. After a problem it only empties the queue, so that nobody waits for it."""

    def __init__(self, answers: queue.Queue[Future[dict[str, Json]] | None]) -> None:
        super().__init__(name="thorp town answers", daemon=True)
        self._answers = answers
        self.problem: BaseException | None = None

    def run(self) -> None:
        while (future := self._answers.get()) is not None:
            if self.problem is None:
                try:
                    print_json(_answer_of(future))
                except BaseException as problem:
                    self.problem = problem


def _answer_of(future: Future[dict[str, Json]]) -> dict[str, Json]:
    """The answer to a line, or what is wrong with the line. What is wrong with the world ends the batch."""
    try:
        return future.result()
    except (ContractError, InvalidError, LimitError) as error:
        return error_document(error)
