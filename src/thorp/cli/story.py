"""`thorp story …`: open beats; show, audit, verify and export them; fill the pocket; publish a
world."""

from __future__ import annotations

import json
import secrets
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TypeAlias, Union

import msgspec
import typer

from thorp.cli.commands import (
    Commands,
    argument,
    option,
    print_answer,
    print_json,
    read_input,
    self_check_lines,
)
from thorp.cli.location import Where
from thorp.cli.options import (
    AsJson,
    DataOption,
    Quiet,
    TipOption,
    data_directory,
    database_option,
    world_directory,
)
from thorp.cli.proofs import ProofOptions, TrustOptions, exit_1
from thorp.kernel.canonical import Json
from thorp.kernel.errors import DamagedError, IllegalError, InvalidError, LimitError
from thorp.kernel.strict_json import StrictJson
from thorp.kernel.text import printable
from thorp.story import Ledger, StoryConfig, describe_branches, open_ledger, read_config
from thorp.story.audit_trail import BEATS_LIMIT, DEFAULT_BEATS, describe_beat, list_beats
from thorp.story.config import Identities
from thorp.story.contracts.invocation_envelope import local_text
from thorp.story.export import export_lines, reader_named
from thorp.story.outcomes import BeatReport
from thorp.story.request import BODY_BYTES_LIMIT
from thorp.story.time_zones import MachineZones

if TYPE_CHECKING:  # these take a while to import, and most commands need none
    from thorp.bridges.chronicle import PublishedPage
    from thorp.cli.served import ServedStory

app = Commands(help="Tell a story: an append-only reality that a writer may only propose to.")
pocket_app = Commands(help="The calendar and the messages of the pocket.")
app.add_typer(pocket_app, name="pocket")

DEFAULT_WRITER: Final = "offline"
FILE_BYTES_LIMIT: Final = 16 << 20  # Bytes of a configuration or a file of seeds.
DEPTH_LIMIT: Final = 64  # Levels of either; a configuration has five.
_JSON: Final = StrictJson(bytes_limit=FILE_BYTES_LIMIT, depth_limit=DEPTH_LIMIT)

ConfigOption = Annotated[
    Path | None, option("The configuration of a new story, in JSON or TOML.", "FILE")
]
WriterOption = Annotated[str, option("Who may propose: offline, model, or an installed one.")]
AsOption = Annotated[
    str | None,
    option("Whose view: a person, or PUBLIC; the operator's by default.", "ID", name="--as"),
]

QUARTERS_OF_A_DAY: Final = 4
MINUTES_OF_A_DAY: Final = 1_440

_COMPLAINTS: Final = {
    "rejected": "what its writer proposed was rejected",
    "failed": "its writer failed",
    "looped": "its writer looped",
}


class OwnStory:
    """A story that this process keeps, with the methods of `ServedStory`."""

    def __init__(self, ledger: Ledger, directory: Path | None = None) -> None:
        """`directory` is the data directory whose log proves what is in the story."""
        self._ledger = ledger
        self._directory = directory
        self.config = ledger.config

    def invoke(
        self, envelope: bytes | Mapping[str, Json]
    ) -> tuple[int, dict[str, Json], BeatReport | None]:
        """The status and the body of the answer, and what became of the writer."""
        answer = self._ledger.respond(envelope)
        return answer.status, json.loads(answer.body), answer.report

    def page(self, reader: str | None, cursor: str | None, limit: int | None) -> dict[str, Json]:
        """A page as a reader sees it: a person, PUBLIC, or without one the operator."""
        return self._ledger.page(reader_named(reader, self.config), cursor, limit)

    def ticks(self, page: dict[str, Json]) -> dict[str, Json]:
        """The ticks of a world that each entry of a page covers, by the id of the entry."""
        from thorp.bridges.chronicle import ticks_of

        entry_ids = [entry["entry_id"] for entry in page["stream"]["entries"]]
        spans = {
            entry_id: ticks_of(origin)
            for entry_id, origin in self._ledger.origins(entry_ids).items()
        }
        return {entry_id: span for entry_id, span in spans.items() if span is not None}

    def commit_seed(self, seed: Mapping[str, Json]) -> dict[str, Json]:
        """Commit an entry for the pocket."""
        return self._ledger.seed(seed)[1]

    def verify(self, *, again: bool, tip: str | None = None) -> dict[str, Json]:
        """Verify it, `again` by playing it from its inputs too; the verdict as a document."""
        from thorp.server.http.verification import verify_story

        return verify_story(self._ledger, again=again, tip=tip)

    def why(
        self, reader: str | None, wanted: str, sentence: int | None, *, proof: bool
    ) -> dict[str, Json]:
        """Why the story has an entry, as a reader may know it."""
        from thorp.server.http.why import answer_why

        reader = reader_named(reader, self.config)
        log_of = (self._directory or data_directory(None)) if proof else None
        why = answer_why(self._ledger, reader, wanted, sentence, log_of=log_of)
        return dict(msgspec.to_builtins(why))

    def list_beats(self, last: int, *, troubled: bool) -> list[dict[str, Json]]:
        """The last beats, and what became of their writers."""
        return list_beats(self._ledger, last, troubled=troubled)

    def describe_beat(self, number: int) -> dict[str, Json]:
        """What the writer of a beat said and asked, and what came of it."""
        return describe_beat(self._ledger, number)

    def list_branches(self) -> list[dict[str, Json]]:
        """Where this story left others, the oldest first."""
        return describe_branches(self._ledger)

    def export(self, reader: str | None, *, everything: bool) -> Iterator[dict[str, Json]]:
        """The lines of an export."""
        return export_lines(self._ledger, reader, everything=everything)


Story: TypeAlias = Union[OwnStory, "ServedStory"]


@contextmanager
def open_story(
    where: Where,
    config: StoryConfig | None = None,
    writer: str = DEFAULT_WRITER,
    *,
    create: bool = False,
) -> Iterator[Story]:
    """Open the story that the options name."""
    kept = where.find()
    if isinstance(kept, (str, Path)):
        with open_ledger(kept, config, writer, create=create) as ledger:
            yield OwnStory(ledger, kept if isinstance(kept, Path) else None)
        return
    if writer != DEFAULT_WRITER:
        advice = "leave --writer out, or stop the server for this beat"
        raise InvalidError(f"{kept.name} has its own writer; {advice}", code="writer")
    from thorp.cli.served import ServedStory

    with kept:
        yield ServedStory(kept, config, create=create)


class OperatorOptions(NamedTuple):
    """What the operator says in a beat, and declares about the world's time."""

    text: Annotated[str, argument("What the operator says; empty for a silent beat.")] = ""
    request_id: Annotated[str | None, option("The same id again gives the same answer.")] = None
    envelope: Annotated[Path | None, option("Send this envelope; - is standard input.", "FILE")] = (
        None
    )
    declare: Annotated[str | None, option("Declare the world's time.", "TIME")] = None
    zone: Annotated[str | None, option("The time zone of this beat.")] = None
    pause: Annotated[
        bool | None, option("Stop the clock, or let it run.", name="--pause/--resume")
    ] = None
    cursor: Annotated[str | None, option("Show everything after this cursor.")] = None

    def to_envelope(self, identity: Identities) -> bytes | dict[str, Json]:
        """The envelope that is sent: the file that was named, or one made of the other options."""
        if self.envelope is not None:
            return read_input(self.envelope, BODY_BYTES_LIMIT)
        return {
            "request_id": self.request_id or _new_request_id(),
            "invoker": {
                "invoker_id": identity.system_actor,
                "invoker_role": identity.invoker_role,
            },
            "operator": {"operator_id": identity.operator_id, "input_text": self.text},
            "mode": {"kind": "BEAT"},
            "declared_overrides": {
                "time": {"declared_world_time": self.declare, "timezone": self.zone},
                "pause_time": self.pause,
            },
            "ui": {"stream_cursor": self.cursor},
        }


class BeatOptions(NamedTuple):
    """Who writes a beat, into which story, and how the answer is printed."""

    writer: WriterOption = DEFAULT_WRITER
    config: ConfigOption = None
    as_json: AsJson = False


@app.command()
def beat(operator: OperatorOptions, options: BeatOptions, where: Where) -> None:
    """Open one beat, and print what came of it. The first one creates the story.

    What became of the writer is printed: written, silent, rejected, failed or looped. Exit code 1
    if the beat is kept but the writer's part of it was rejected, failed or looped; the reason is
    printed.
    """
    config = _read_config(options.config)
    with open_story(where, config, options.writer, create=True) as story:
        sent = operator.to_envelope(story.config.identity)
        status, body, report = story.invoke(sent)
    if status != 200:
        place = f" at {body['details'][0]['path']}" if body.get("details") else ""
        why = f": {_trouble(body['writer'])}" if body.get("writer") else ""
        raise IllegalError(f"{status} {body['error']}{place}{why}", code="refused")
    if options.as_json:
        print_json(body)
    else:
        _print_entries(body)
        _print_clock(body["pocket"], "" if report is None else report.outcome)
    if report is not None and report.is_trouble:
        print(f"thorp: the beat is kept, but {_complaint(report)}", file=sys.stderr)
        if report.beat is not None:
            print(f"thorp: see `thorp story audit --beat {report.beat}`", file=sys.stderr)
        raise typer.Exit(1)


def _complaint(report: BeatReport) -> str:
    """Why the writer's part of a beat is missing, in one line."""
    parts = [each for each in (report.code, report.reason) if each is not None]
    return printable(": ".join([_COMPLAINTS[report.outcome], *parts]))


@app.command()
def audit(
    where: Where,
    number: Annotated[
        int | None, option("Everything about this beat.", "N", name="--beat", min=1)
    ] = None,
    last: Annotated[
        int, option("How many of the last beats.", min=1, max=BEATS_LIMIT)
    ] = DEFAULT_BEATS,
    troubled: Annotated[bool, option("Only writers that were rejected, failed or looped.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what writers proposed, and why it was refused. Changes nothing.

    It shows private text too: it is the keeper's.

    Example: thorp story audit --beat 12
    """
    with open_story(where) as story:
        if number is None:
            beats = story.list_beats(last, troubled=troubled)
            print_answer(as_json, {"beats": beats}, *map(_beat_line, beats))
            if not beats and not as_json:
                print("there is no such beat" if troubled else "there was no beat yet")
        else:
            beat = story.describe_beat(number)
            print_answer(as_json, beat, *_audit_lines(beat))


@app.command(name="branch")
def branch_command(where: Where, as_json: AsJson = False) -> None:
    """Say where this story left others, and from what: `thorp world fork` branches it.

    The story's own rows say so, wherever the original is now. The tip lies on both chains, so
    `thorp story verify --tip TIP` holds for both.

    Example: thorp story branch --data what-if
    """
    with open_story(where) as story:
        branches = story.list_branches()
    print_answer(as_json, {"branches": branches}, *_branch_lines(branches))


def _branch_lines(branches: list[dict[str, Json]]) -> Iterator[str]:
    """Every split for people, the oldest first."""
    if not branches:
        yield "this story is no branch: it begins with itself"
    for number, split in enumerate(branches, start=1):
        shared = f"{split['beats']} beats and {split['entries']} entries"
        yield f"split {number}: shares {shared} with the story that it left"
        yield f"  tip {split['tip']}"
        at = split["at"]
        if isinstance(at, dict):
            line = f"  world {at['world']}, forked after tick {at['tick']:,} as {at['fork']}"
            yield printable(line)
            yield printable(f"  digest of the world there {at['digest']}")
        else:
            yield "  no world was forked with it"


def _beat_line(beat: dict[str, Json]) -> str:
    report = BeatReport(beat["outcome"], beat["code"], beat["reason"]).text
    return printable(
        f"{beat['beat']:>6}  {beat['created_at_world'][:16].replace('T', ' ')}  {report}"
    )


def _audit_lines(beat: dict[str, Json]) -> list[str]:
    """A beat for people: what became of it, each call with its words, each question, each entry."""
    lines = [_beat_line(beat), f"        request {printable(beat['request_id'])}"]
    if beat["writer"] is not None:
        lines.append(f"        writer {printable(beat['writer'])}")
    for count, call in enumerate(beat["calls"], start=1):
        place = f" at {call['path']}" if call["path"] else ""
        named = " ".join(each for each in (call["kind"], call["verdict"], call["code"]) if each)
        why = f": {call['reason']}" if call["reason"] else ""
        lines.append(printable(f"  call {count}: {named}{place}{why}"))
        if call["said"] is not None:
            lines.append(f"    {printable(call['said'])}")
    for count, asked in enumerate(beat["questions"], start=1):
        view = f" in the view of {asked['view']}" if asked["view"] else ""
        lines.append(printable(f"  question {count}: {asked['verdict']}{view}"))
        lines.append(f"    {printable(json.dumps(asked['request'], ensure_ascii=False))}")
    for entry in beat["entries"]:
        readers = f" to {', '.join(entry['visible_to'])}" if entry["visible_to"] else ""
        by = f"{entry['author_id']}, {entry['scope']}{readers}, by the {entry['proposed_by']}"
        lines.append(printable(f"  entry {entry['entry_id']} of {by}:"))
        lines.append(f"    {printable(entry['text'])}")
    return lines


class WhyOptions(NamedTuple):
    """What is asked about an entry, and how the answer is printed."""

    reader: AsOption = None
    sentence: Annotated[int | None, option("Only this sentence of the entry.", "N", min=1)] = None
    proof: Annotated[bool, option("Also prove it, down to the log's signed checkpoint.")] = False
    as_json: AsJson = False


@app.command()
def why(
    wanted: Annotated[
        str, argument("An entry's id, or a sentence of it word for word.", 'ENTRY|"SENTENCE"')
    ],
    options: WhyOptions,
    where: Where,
    trust: TrustOptions,
) -> None:
    """Say why the story says something: the events it was made from, who may know it since when,
    and what its writer was given.

    It is answered for one view; what that view may not see is not there. With --proof, exit code 1
    if the proof does not hold. Changes nothing.

    Example: thorp story why "Odile founded the city of Thorp in the plains." --as A3
    """
    from thorp.cli.why import check_with_keys, why_lines

    has_keys = any(trust)
    if has_keys and not options.proof:
        raise InvalidError("keys are for --proof; give it too", code="usage")
    with open_story(where) as story, exit_1(DamagedError, as_json=options.as_json):
        answer = story.why(options.reader, wanted, options.sentence, proof=options.proof)
    if has_keys:
        with exit_1(as_json=options.as_json):
            check_with_keys(answer, trust)
    print_answer(options.as_json, answer, *([] if options.as_json else why_lines(answer)))


@app.command()
def check(
    data: DataOption = None,
    url: Annotated[
        str | None, database_option("The story's database or server; else it is in the directory.")
    ] = None,
    reader: AsOption = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Look for what a chronicle says against its world, whose journal is executed again. Changes
    nothing.

    Each finding has the sentence, its tick, the rule that it breaks, what the world says instead,
    and the command that says why the story has it. Exit code 1 if there is one.

    Example: thorp story check --data thorp-data --json
    """
    from thorp.cli.check import check_lines, check_story

    checked = check_story(data, url, reader, quiet=quiet)
    print_answer(as_json, msgspec.to_builtins(checked), *check_lines(checked))
    if checked.findings_total:
        raise typer.Exit(1)


@app.command()
def show(
    where: Where,
    reader: AsOption = None,
    cursor: Annotated[str | None, option("Only what comes after this cursor.")] = None,
    limit: Annotated[int | None, option("The most entries to show.", min=1)] = None,
    as_json: AsJson = False,
) -> None:
    """Show the stream and the pocket as a reader sees them. Changes nothing."""
    with open_story(where) as story:
        left = limit
        page = story.page(reader, cursor, limit)
        if as_json:
            print_json(page)
            return
        while True:
            entries = page["stream"]["entries"]
            _print_entries(page, story.ticks(page))
            left = None if left is None else left - len(entries)
            if not entries or left == 0:
                break
            page = story.page(reader, page["stream"]["cursor_after"], left)
        _print_pocket(page["pocket"])


@app.command()
def verify(
    where: Where,
    proof: ProofOptions,
    again: Annotated[
        bool, option("Also play the story again from its inputs.", name="--rebuild")
    ] = False,
    tip: TipOption = None,
    as_json: AsJson = False,
) -> None:
    """Check every row against the chain, and name the first that differs. Exit code 1 if one
    does."""
    with exit_1(as_json=as_json):
        tip = proof.tip("story", tip)
    with open_story(where) as story:
        verdict = story.verify(again=again, tip=tip)
    lines = [f"damaged: {verdict['difference']}"]
    if is_sound := verdict["difference"] is None:
        counts = f"{verdict['beats']} beats, {verdict['entries']} entries"
        lines = [
            f"{counts}: all as the chain says; tip {verdict['tip']}",
            *self_check_lines(verdict["self_check"]),
        ]
    print_answer(as_json, verdict, *lines)
    raise typer.Exit(0 if is_sound else 1)


@app.command()
def export(
    where: Where,
    reader: AsOption = None,
    everything: Annotated[bool, option("Everything, private entries too.", name="--all")] = False,
    out: Annotated[Path | None, option("Write here instead.", "FILE")] = None,
) -> None:
    """Export the story as JSON lines: a header, then one bundle a line."""
    if everything and reader is not None:
        raise InvalidError("give --as or --all, not both", code="usage")
    with open_story(where) as story:
        lines = story.export(reader, everything=everything)
        if out is None:
            for line in lines:
                print_json(line)
        else:
            with out.open("x", encoding="utf-8") as file:
                file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


@app.command()
def chronicle(
    data: DataOption = None,
    url: Annotated[
        str | None, database_option("The story's database; else it is in the directory.")
    ] = None,
    until: Annotated[int | None, option("Publish no later tick than this.", "TICK", min=1)] = None,
    open_book: Annotated[bool, option("Let everybody read what is published now.")] = False,
    as_json: AsJson = False,
) -> None:
    """Publish every finished quarter of a day of a kept world that is missing in its story, from
    its journal.

    A server that keeps the world may go on.

    Example: thorp story chronicle --data thorp-data
    """
    from thorp.bridges.chronicle import (
        ChronicleWriter,
        Publisher,
        catch_up,
        open_chronicle,
        world_name,
    )
    from thorp.bridges.voxel_town import new_city_world
    from thorp.store import RealDisk

    world = world_directory(data)
    disk = RealDisk()
    writer = ChronicleWriter()
    name = world_name(disk, world)
    published: list[PublishedPage] = []

    def show(page: PublishedPage) -> None:
        published.append(page)
        first, last = page.ticks
        document = {
            "first": first,
            "last": last,
            "paragraphs": page.paragraphs,
            "again": page.again,
        }
        print_answer(
            as_json, document, f"ticks {first} to {last}: {_count(page.paragraphs, 'paragraph')}"
        )

    with open_chronicle(url or data_directory(data), writer) as ledger:
        catch_up(
            Publisher(ledger, writer, name, open_book=open_book),
            disk,
            world,
            new_city_world,
            until=until,
            show=show,
            gap=_say_gap,
        )
    if not as_json:
        written = _count(sum(page.paragraphs for page in published), "paragraph")
        parts = _count(len(published), "part")
        print(f"told {parts} of days, {written}" if published else "everything was told already")


def _say_gap(first: int, last: int) -> None:
    print(f"ticks {first} to {last} cannot be executed again, and are not told", file=sys.stderr)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


class SeedOptions(NamedTuple):
    """What is put into the pocket, who may read it, and how the answer is printed."""

    title: Annotated[str | None, option("A note in the calendar.")] = None
    message: Annotated[str | None, option("A message, from its author.")] = None
    time: Annotated[str | None, option("When, like 2026-01-02T19:00:00+00:00.")] = None
    location: Annotated[str | None, option("Where.")] = None
    notes: Annotated[str | None, option("Anything else.")] = None
    text: Annotated[
        str | None, option("The text of the entry; by default made of the other parts.")
    ] = None
    author: Annotated[str | None, option("Who writes it: a person; the world by default.")] = None
    to: Annotated[list[str], option("Private to these.", "ID")] = []  # noqa: RUF012
    request_id: Annotated[str | None, option("The same id again adds nothing.")] = None
    config: ConfigOption = None
    as_json: AsJson = False

    def to_seed(self, world_actor: str) -> dict[str, Json]:
        """The seed that is committed; the world writes it if no author was named."""
        pieces = [self.title, self.location, self.notes, self.message]
        seed: dict[str, Json] = {
            "request_id": self.request_id or _new_request_id(),
            "author_id": self.author or world_actor,
            "text": self.text if self.text is not None else ". ".join(filter(None, pieces)),
            "visible_to": self.to,
        }
        if self.title is None:
            seed["message"] = {"text": self.message, "time": self.time}
        else:
            seed["calendar"] = {
                "title": self.title,
                "time": self.time,
                "location": self.location,
                "notes": self.notes,
            }
        return seed


@pocket_app.command(name="add")
def pocket_add(options: SeedOptions, where: Where) -> None:
    """Commit an entry and its calendar item or message together."""
    if (options.title is None) == (options.message is None):
        raise InvalidError("give --title for the calendar or --message for a message", code="usage")
    with open_story(where, _read_config(options.config), create=True) as story:
        seed = options.to_seed(story.config.identity.world_actor)
        _commit(story, seed, as_json=options.as_json)


@pocket_app.command(name="load")
def pocket_load(
    file: Annotated[Path, argument("JSON lines, one seed each; - is standard input.")],
    where: Where,
    config: ConfigOption = None,
    as_json: AsJson = False,
) -> None:
    """Commit every seed of a file: {"request_id", "author_id", "text", "visible_to", "calendar",
    "message"}.

    Seeds that are there already are skipped; an invalid one stops the rest.
    """
    data = read_input(file, FILE_BYTES_LIMIT)
    if len(data) > FILE_BYTES_LIMIT:
        raise LimitError(
            f"{file}: larger than {FILE_BYTES_LIMIT} bytes; cut it in pieces", code="too_long"
        )
    lines = data.splitlines()
    with open_story(where, _read_config(config), create=True) as story:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                _commit(story, _read_line(line, number), as_json=as_json)


@pocket_app.command(name="show")
def pocket_show(where: Where, reader: AsOption = None, as_json: AsJson = False) -> None:
    """Show the pocket as a reader sees it."""
    with open_story(where) as story:
        pocket = story.page(reader, None, 1)["pocket"]
    if as_json:
        print_json(pocket)
    else:
        _print_pocket(pocket)


def _new_request_id() -> str:
    return f"cli-{secrets.token_hex(8)}"


def _commit(story: Story, seed: dict[str, Json], *, as_json: bool) -> None:
    body = story.commit_seed(seed)
    print_answer(as_json, body, f"kept as {body['debug']['bundle_id']}")


def _read_config(file: Path | None) -> StoryConfig | None:
    if file is None:
        return None
    data = read_input(file, FILE_BYTES_LIMIT)
    try:
        value = tomllib.loads(data.decode("utf-8")) if file.suffix == ".toml" else _JSON.read(data)
    except (ValueError, RecursionError, InvalidError, LimitError) as error:
        raise InvalidError(f"{file}: {error}", code="config") from None
    return read_config(value)


def _read_line(line: bytes, number: int) -> Json:
    try:
        return _JSON.read(line)
    except (InvalidError, LimitError) as error:
        raise InvalidError(f"line {number}: {error}", code="not_json") from None


def _print_entries(page: dict[str, Json], ticks: Mapping[str, Json] | None = None) -> None:
    """Print the entries of a page, each with its time in the zone of the pocket's clock; entries of
    a chronicle, with the day and hour of their world."""
    zones = MachineZones()
    zone = page["pocket"]["clock"]["timezone"]
    spans = ticks or {}
    # An entry of a chronicle covers a quarter of a day; only the first one of a world may begin
    # late, as the ticks do, and one before a fork may end early.
    begins = [span["first"] if span["first"] > 1 else 0 for span in spans.values()]
    lengths = [span["last"] + 1 - begin for span, begin in zip(spans.values(), begins, strict=True)]
    quarter = max(lengths, default=0)
    for entry in page["stream"]["entries"]:
        label = f"{printable(entry['author_label'])}: " if entry["author_label"] else ""
        span = spans.get(entry["entry_id"])
        if span is not None:
            stamp = _world_stamp(span, QUARTERS_OF_A_DAY * quarter)
        else:
            time = entry["created_at_world"]
            if zone is not None and zones.is_known(zone):
                time = local_text(time, zone, zones)
            stamp = time[:16].replace("T", " ")
        print(f"{stamp}  {label}{printable(entry['text'])}")


def _world_stamp(span: dict[str, Json], day_ticks: int) -> str:
    """When the first sentence of an entry began to be true, in days and hours of its world."""
    sentences = span["sentences"]
    tick = sentences[0][1] if sentences else span["first"]
    day, into_day = divmod(tick, day_ticks)
    hour, minute = divmod(into_day * MINUTES_OF_A_DAY // day_ticks, 60)
    return f"day {day + 1}, {hour:02}:{minute:02}"


def _trouble(writer: dict[str, Json]) -> str:
    return printable(f"{writer['code']}: {writer['message']}")


def _print_clock(pocket: dict[str, Json], outcome: str = "") -> None:
    clock = pocket["clock"]
    suffix = f", {outcome}" if outcome else ""
    print(f"-- {clock['world_time']} {clock['timezone']}{suffix}", file=sys.stderr)


def _print_pocket(pocket: dict[str, Json]) -> None:
    _print_clock(pocket)
    for item in pocket["calendar"]["items"]:
        rest = [item[name] for name in ("location", "notes") if item[name]]
        print(f"  {item['time'] or 'some time'}  {printable(', '.join([item['title'], *rest]))}")
    for item in pocket["messages"]["items"]:
        print(
            f"  {item['time'] or 'some time'}  {printable(item['from'])}: {printable(item['text'])}"
        )
