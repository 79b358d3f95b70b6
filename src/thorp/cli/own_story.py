"""Opens the story that the options of a command name: a served one, or one of this process."""

from __future__ import annotations

import json
import secrets
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias, Union

import msgspec

from thorp.cli.commands import option, read_input
from thorp.cli.location import Where
from thorp.cli.options import data_directory
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.strict_json import StrictJson
from thorp.story import Ledger, StoryConfig, describe_branches, open_ledger, read_config
from thorp.story.audit_trail import describe_beat, list_beats
from thorp.story.export import export_lines, reader_named
from thorp.story.outcomes import BeatReport

if TYPE_CHECKING:  # these take a while to import, and most commands need none
    from thorp.cli.served import ServedStory

DEFAULT_WRITER: Final = "offline"
FILE_BYTES_LIMIT: Final = 16 << 20  # Bytes of a configuration or a file of seeds.
DEPTH_LIMIT: Final = 64  # Levels of either; a configuration has five.
STORY_JSON: Final = StrictJson(bytes_limit=FILE_BYTES_LIMIT, depth_limit=DEPTH_LIMIT)
ConfigOption = Annotated[
    Path | None, option("The configuration of a new story, in JSON or TOML.", "FILE")
]
AsOption = Annotated[
    str | None,
    option("Whose view: a person, or PUBLIC; the operator's by default.", "ID", name="--as"),
]


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


def new_request_id() -> str:
    """An id for a request whose caller gave none."""
    return f"cli-{secrets.token_hex(8)}"


def read_story_config(file: Path | None) -> StoryConfig | None:
    """Read the configuration of a new story, if there is one to read."""
    if file is None:
        return None
    data = read_input(file, FILE_BYTES_LIMIT)
    try:
        value = (
            tomllib.loads(data.decode("utf-8")) if file.suffix == ".toml" else STORY_JSON.read(data)
        )
    except (ValueError, RecursionError, InvalidError, LimitError) as error:
        raise InvalidError(f"{file}: {error}", code="config") from None
    return read_config(value)
