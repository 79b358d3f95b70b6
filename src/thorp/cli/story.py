"""`thorp story …`: open beats; show, audit, verify and export them; fill the pocket; publish a
world."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

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
from thorp.cli.own_story import (
    DEFAULT_WRITER,
    AsOption,
    ConfigOption,
    new_request_id,
    open_story,
    read_story_config,
)
from thorp.cli.pocket import pocket_app
from thorp.cli.proofs import ProofOptions, TrustOptions, exit_1
from thorp.cli.story_lines import (
    audit_lines,
    beat_line,
    branch_lines,
    complaint,
    print_clock,
    print_entries,
    print_pocket,
    trouble,
)
from thorp.kernel.canonical import Json
from thorp.kernel.errors import DamagedError, IllegalError, InvalidError
from thorp.story.audit_trail import BEATS_LIMIT, DEFAULT_BEATS
from thorp.story.config import Identities
from thorp.story.request import BODY_BYTES_LIMIT

if TYPE_CHECKING:  # these take a while to import, and most commands need none
    from thorp.bridges.chronicle import PublishedPage

app = Commands(help="Tell a story: an append-only reality that a writer may only propose to.")
app.add_typer(pocket_app, name="pocket")


WriterOption = Annotated[str, option("Who may propose: offline, model, or an installed one.")]


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
            "request_id": self.request_id or new_request_id(),
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
    config = read_story_config(options.config)
    with open_story(where, config, options.writer, create=True) as story:
        sent = operator.to_envelope(story.config.identity)
        status, body, report = story.invoke(sent)
    if status != 200:
        place = f" at {body['details'][0]['path']}" if body.get("details") else ""
        why = f": {trouble(body['writer'])}" if body.get("writer") else ""
        raise IllegalError(f"{status} {body['error']}{place}{why}", code="refused")
    if options.as_json:
        print_json(body)
    else:
        print_entries(body)
        print_clock(body["pocket"], "" if report is None else report.outcome)
    if report is not None and report.is_trouble:
        print(f"thorp: the beat is kept, but {complaint(report)}", file=sys.stderr)
        if report.beat is not None:
            print(f"thorp: see `thorp story audit --beat {report.beat}`", file=sys.stderr)
        raise typer.Exit(1)


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
            print_answer(as_json, {"beats": beats}, *map(beat_line, beats))
            if not beats and not as_json:
                print("there is no such beat" if troubled else "there was no beat yet")
        else:
            beat = story.describe_beat(number)
            print_answer(as_json, beat, *audit_lines(beat))


@app.command(name="branch")
def branch_command(where: Where, as_json: AsJson = False) -> None:
    """Say where this story left others, and from what: `thorp world fork` branches it.

    The story's own rows say so, wherever the original is now. The tip lies on both chains, so
    `thorp story verify --tip TIP` holds for both.

    Example: thorp story branch --data what-if
    """
    with open_story(where) as story:
        branches = story.list_branches()
    print_answer(as_json, {"branches": branches}, *branch_lines(branches))


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
            print_entries(page, story.ticks(page))
            left = None if left is None else left - len(entries)
            if not entries or left == 0:
                break
            page = story.page(reader, page["stream"]["cursor_after"], left)
        print_pocket(page["pocket"])


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
