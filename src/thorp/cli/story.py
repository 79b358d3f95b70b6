"""`thorp story …`: speak, look, verify, export, and put things into the pocket."""

from __future__ import annotations

import json
import os
import secrets
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from thorp.arena.recap import printable
from thorp.cli.god import DEFAULT_DATA, DataOption, UrlOption, print_json
from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.story import Ledger, StoryConfig, open_ledger, read_config, rebuild
from thorp.story.export import export_everything, export_view
from thorp.story.invocation import BODY_BYTES_LIMIT

app = typer.Typer(
    help="Tell a story: an append-only reality that a writer may only propose to.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
pocket_app = typer.Typer(
    help="The calendar and the messages of the pocket.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(pocket_app, name="pocket")

FILE_BYTES_LIMIT: Final = 16 << 20
"""Bytes of a configuration or a file of seeds."""

EVERYBODY: Final = "PUBLIC"

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="JSON or TOML; what a new ledger is founded with."),
]
WriterOption = Annotated[
    str, typer.Option("--writer", help="Who may propose: offline, model, or an installed one.")
]
AsOption = Annotated[
    str | None,
    typer.Option("--as", metavar="ID", help="Whose eyes: a person, PUBLIC, or without it the operator."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]


@contextmanager
def _opened(
    data: Path | None,
    url: str | None,
    *,
    config: Path | None = None,
    writer: str = "offline",
    create: bool = False,
) -> Iterator[Ledger]:
    if data is not None and url is not None:
        raise InvalidError("give --data or --url, not both", code="usage")
    if url is not None and "://" not in url:
        raise InvalidError("--url takes a URL, like postgresql://user@host/database", code="bad_url")
    where = url if url is not None else data or Path(os.environ.get("THORP_DATA") or DEFAULT_DATA)
    chosen = None if config is None else _read_config(config)
    with open_ledger(where, chosen, writer, create=create) as ledger:
        yield ledger


@app.command()
def beat(
    text: Annotated[str, typer.Argument(help="What the operator says; nothing is a silent beat.")] = "",
    request_id: Annotated[str | None, typer.Option(help="The same id again gives the same answer.")] = None,
    envelope: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Send this envelope instead; - is standard input.")
    ] = None,
    declare: Annotated[str | None, typer.Option(metavar="TIME", help="Declare the world's time.")] = None,
    zone: Annotated[str | None, typer.Option(help="The time zone of this beat.")] = None,
    pause: Annotated[
        bool | None, typer.Option("--pause/--resume", help="Stop the clock, or let it go.")
    ] = None,
    cursor: Annotated[str | None, typer.Option(help="Show everything behind this cursor.")] = None,
    writer: WriterOption = "offline",
    config: ConfigOption = None,
    data: DataOption = None,
    url: UrlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Open one beat, and print what came of it. The first one founds the story."""
    with _opened(data, url, config=config, writer=writer, create=True) as ledger:
        sent: bytes | dict[str, Json]
        if envelope is not None:
            sent = _read_bytes(envelope, BODY_BYTES_LIMIT + 1)
        else:
            sent = {
                "request_id": request_id or f"cli-{secrets.token_hex(8)}",
                "invoker": {
                    "invoker_id": ledger.config.identity.system_actor,
                    "invoker_role": ledger.config.identity.invoker_role,
                },
                "operator": {"operator_id": ledger.config.identity.operator_id, "input_text": text},
                "mode": {"kind": "BEAT"},
                "declared_overrides": {
                    "time": {"declared_world_time": declare, "timezone": zone},
                    "pause_time": pause,
                },
                "ui": {"stream_cursor": cursor},
            }
        status, body = ledger.invoke(sent)
    if status != 200:
        where = f" at {body['details'][0]['path']}" if body.get("details") else ""
        raise IllegalError(f"{status} {body['error']}{where}", code="refused")
    if as_json:
        print_json(body)
    else:
        _print_entries(body["stream"]["entries"])
        _print_clock(body["pocket"])


@app.command()
def show(
    reader: AsOption = None,
    cursor: Annotated[str | None, typer.Option(help="Only what is behind this cursor.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many entries.")] = None,
    data: DataOption = None,
    url: UrlOption = None,
    as_json: JsonOption = False,
) -> None:
    """The stream and the pocket, as a reader sees them. Changes nothing."""
    with _opened(data, url) as ledger:
        eyes = _eyes(ledger, reader)
        left, page = limit, ledger.page(eyes, cursor, limit)
        if as_json:
            print_json(page)
            return
        while True:
            entries = page["stream"]["entries"]
            _print_entries(entries)
            left = None if left is None else left - len(entries)
            if not entries or left == 0:
                break
            page = ledger.page(eyes, page["stream"]["cursor_after"], left)
        _print_pocket(page["pocket"])


@app.command()
def verify(
    again: Annotated[
        bool, typer.Option("--rebuild", help="Also play the story again from its inputs.")
    ] = False,
    data: DataOption = None,
    url: UrlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check every row against the chain, and name the first that differs. Exit code 1 if one does."""
    with _opened(data, url) as ledger:
        found = ledger.verify()
        difference = found.difference
        if again and difference is None:
            with tempfile.TemporaryDirectory() as name, rebuild(ledger, Path(name)) as played:
                if played.tip() != ledger.tip():
                    difference = "the story, played again from its inputs, comes to another end"
    if as_json:
        print_json({**msgspec.to_builtins(found), "difference": difference})
    elif difference is None:
        print(f"{found.beats} beats, {found.entries} entries: all as the chain says; tip {found.tip}")
    else:
        print(f"damaged: {difference}")
    raise typer.Exit(0 if difference is None else 1)


@app.command()
def export(
    reader: AsOption = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Everything, private entries too: for the keeper only.")
    ] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write here instead.")] = None,
    data: DataOption = None,
    url: UrlOption = None,
) -> None:
    """The story as JSON lines: a header, then one bundle a line."""
    if everything and reader is not None:
        raise InvalidError("give --as or --all, not both", code="usage")
    with _opened(data, url) as ledger:
        lines = export_everything(ledger) if everything else export_view(ledger, _eyes(ledger, reader))
        if out is None:
            for line in lines:
                print_json(line)
        else:
            with out.open("x", encoding="utf-8") as file:
                file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


@pocket_app.command(name="add")
def pocket_add(
    title: Annotated[str | None, typer.Option(help="A note in the calendar.")] = None,
    message: Annotated[str | None, typer.Option(help="A message, from its author.")] = None,
    time: Annotated[str | None, typer.Option(help="When, like 2026-01-02T19:00:00+00:00.")] = None,
    location: Annotated[str | None, typer.Option(help="Where.")] = None,
    notes: Annotated[str | None, typer.Option(help="What else.")] = None,
    text: Annotated[
        str | None, typer.Option(help="The entry that says all this; without it, one is made of the pieces.")
    ] = None,
    author: Annotated[str | None, typer.Option(help="Who writes it: the operator, a person, WORLD.")] = None,
    to: Annotated[list[str], typer.Option("--to", metavar="ID", help="Private to these.")] = [],  # noqa: B006
    request_id: Annotated[str | None, typer.Option(help="The same id again adds nothing.")] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    url: UrlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Commit an entry, and what the pocket shows of it, together."""
    if (title is None) == (message is None):
        raise InvalidError("give --title for the calendar or --message for a message", code="usage")
    pieces = [piece for piece in (title, location, notes, message) if piece]
    with _opened(data, url, config=config, create=True) as ledger:
        seed: dict[str, Json] = {
            "request_id": request_id or f"cli-{secrets.token_hex(8)}",
            "author_id": author or ledger.config.identity.operator_id,
            "text": text if text is not None else ". ".join(pieces),
            "visible_to": to,
        }
        if title is not None:
            seed["calendar"] = {"title": title, "time": time, "location": location, "notes": notes}
        else:
            seed["message"] = {"text": message, "time": time}
        _sow(ledger, seed, as_json=as_json)


@pocket_app.command(name="load")
def pocket_load(
    file: Annotated[Path, typer.Argument(help="JSON lines, one seed each; - is standard input.")],
    config: ConfigOption = None,
    data: DataOption = None,
    url: UrlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Commit every seed of a file: {"request_id", "author_id", "text", "visible_to", "calendar", "message"}.

    Those that are there already are passed over; a wrong one stops the rest.
    """
    lines = _read_bytes(file, FILE_BYTES_LIMIT).decode("utf-8", "replace").splitlines()
    with _opened(data, url, config=config, create=True) as ledger:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                _sow(ledger, _read_line(line, number), as_json=as_json)


@pocket_app.command(name="show")
def pocket_show(
    reader: AsOption = None, data: DataOption = None, url: UrlOption = None, as_json: JsonOption = False
) -> None:
    """The pocket, as a reader sees it."""
    with _opened(data, url) as ledger:
        pocket = ledger.page(_eyes(ledger, reader), None, 1)["pocket"]
    if as_json:
        print_json(pocket)
    else:
        _print_pocket(pocket)


def _sow(ledger: Ledger, seed: dict[str, Json], *, as_json: bool) -> None:
    _, body = ledger.sow(seed)
    if as_json:
        print_json(body)
    else:
        print(f"kept as {body['debug']['bundle_id']}")


def _eyes(ledger: Ledger, reader: str | None) -> str | None:
    """Whose eyes an option names: the operator's without one."""
    if reader is None:
        return ledger.config.identity.operator_id
    return None if reader == EVERYBODY else reader


def _read_config(file: Path) -> StoryConfig:
    data = _read_bytes(file, FILE_BYTES_LIMIT)
    try:
        text = data.decode("utf-8")
        value = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidError(f"{file}: {error}", code="config") from None
    return read_config(value)


def _read_line(line: str, number: int) -> dict[str, Json]:
    try:
        value: dict[str, Json] = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidError(f"line {number}: {error}", code="not_json") from None
    return value


def _read_bytes(file: Path, limit: int) -> bytes:
    if str(file) == "-":
        return sys.stdin.buffer.read(limit)
    with file.open("rb") as source:
        return source.read(limit)


def _print_entries(entries: list[dict[str, Json]]) -> None:
    for entry in entries:
        label = f"{printable(entry['author_label'])}: " if entry["author_label"] else ""
        print(f"{entry['created_at_world'][:16].replace('T', ' ')}  {label}{printable(entry['text'])}")


def _print_clock(pocket: dict[str, Json]) -> None:
    clock = pocket["clock"]
    print(f"-- {clock['world_time']} {clock['timezone']}", file=sys.stderr)


def _print_pocket(pocket: dict[str, Json]) -> None:
    _print_clock(pocket)
    for item in pocket["calendar"]["items"]:
        rest = [item[name] for name in ("location", "notes") if item[name]]
        print(f"  {item['time'] or 'some time'}  {printable(', '.join([item['title'], *rest]))}")
    for item in pocket["messages"]["items"]:
        print(f"  {item['time'] or 'some time'}  {printable(item['from'])}: {printable(item['text'])}")
