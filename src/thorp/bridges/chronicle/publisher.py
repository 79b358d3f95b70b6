"""Publishes pages to a story: one beat for each range of ticks, and never the same range twice.

The request id names the world and the range, and is sealed by the ledger. The writer of the
chronicle, which the story's configuration names (`parts`) for the invoker `WORLD_CHRONICLE`,
proposes the paragraphs handed to it for a beat, and is silent in all other beats. A process that
does not chronicle opens such a story without this writer.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thorp.bridges.chronicle.digest import Paragraph, digest
from thorp.bridges.chronicle.sentences import Notice
from thorp.bridges.chronicle.wording import TickRange
from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError, ThorpError
from thorp.kernel.strict_json import is_storable
from thorp.story import Ledger, Part, StoryConfig, describe_branches, open_ledger
from thorp.story.config import Writing
from thorp.story.contracts.validation import why_not_prose
from thorp.story.storage import Origin
from thorp.story.text import find_phrase
from thorp.story.writer.moment import Moment, Words, WriterFailure

INVOKER: Final = "WORLD_CHRONICLE"
WRITER: Final = "chronicle"
MAX_PARAGRAPHS: Final = 64
"""Most entries of one beat: public paragraphs, the operator's, and those for witnesses of a
part."""

PREFIX: Final = "chronicle:"  # Of the request ids of pages.
SHOWN_MEMBERS: Final = 4
"""How many fields of a sentence every reader of the story gets: all but its events."""

_RANGE: Final = re.compile(r"([0-9]{12})-([0-9]{12})\Z")


def chronicle_config() -> StoryConfig:
    """The configuration of a new story with a chronicle: agents become its people when they are
    named."""
    return StoryConfig(
        people_open=True, parts={INVOKER: Part(WRITER)}, writing=Writing(max_entries=MAX_PARAGRAPHS)
    )


def why_no_chronicle(config: StoryConfig) -> str | None:
    """Why a story cannot have a chronicle; None if it can."""
    part = config.parts.get(INVOKER)
    allowed = config.identity.invoker_allowlist
    if part is None or part.writer != WRITER or part.view is not None:
        return f"its configuration has no part {INVOKER} with the writer {WRITER!r}"
    if not config.people_open:
        return "its people are closed, so that no agent can be one of them"
    if allowed and INVOKER not in allowed:
        return f"its invoker_allowlist does not name {INVOKER}"
    return None


def demand_chronicle(config: StoryConfig) -> None:
    """Refuse as `no_chronicle` a story whose configuration has none."""
    reason = why_no_chronicle(config)
    if reason is not None:
        raise IllegalError(
            f"this story was founded without a chronicle: {reason}; begin another story, or let it "
            "be",
            code="no_chronicle",
        )


def open_chronicle(where: str | Path, writer: ChronicleWriter) -> Ledger:
    """The story at a place. If there is none, a new one with a chronicle is created."""
    writers = {WRITER: writer}
    try:
        return open_ledger(where, writers=writers, create=False)
    except IllegalError as problem:
        if problem.code != "no_story":
            raise
    return open_ledger(where, chronicle_config(), writers=writers)


class ChronicleWriter:
    """A writer of stories that proposes exactly the paragraphs it was handed."""

    name = WRITER
    calls_out = False
    needs_setting = False

    def __init__(self, config: StoryConfig | None = None) -> None:
        """The configuration is not used; every writer is made with one."""
        self._handed: tuple[str, Sequence[Paragraph]] = ("", ())

    def hand(self, request_id: str, paragraphs: Sequence[Paragraph]) -> None:
        """Set what to propose in the beat of that request."""
        self._handed = (request_id, paragraphs)

    def begin(self) -> None:
        """Nothing to prepare: this writer has no budget."""

    def write(self, moment: Moment) -> Words:
        request_id, paragraphs = self._handed
        if moment.request_id != request_id or not paragraphs:
            return Words('{"no_write":{}}')
        identity = moment.config.identity
        world: Json = {"author_id": identity.world_actor, "author_class": "WORLD"}
        proposal: Json = {
            "proposed_by": {"engine": identity.writer_engine, "actor": identity.world_actor},
            "wrote": True,
            "entries": [
                {
                    "author": world,
                    "visibility": {
                        "scope": "PRIVATE" if paragraph.visible_to else "PUBLIC",
                        "visible_to": list(paragraph.visible_to),
                    },
                    "channel": "VOICE",
                    "text": paragraph.text,
                }
                for paragraph in paragraphs
            ],
        }
        return Words(json.dumps({"proposed_write_bundle": proposal}, ensure_ascii=False))

    def summarise(self, pieces: list[str]) -> Words:
        raise WriterFailure("it has no words of its own", code="no_summary")


_log = logging.getLogger(__name__)


class NotPublished(ThorpError):
    """The story refused a page. It can be published again."""

    code = "not_told"


class Page(NamedTuple):
    """Everything that mattered in a range of ticks."""

    ticks: TickRange
    day_ticks: int
    notices: Sequence[Notice]


class PublishedPage(NamedTuple):
    """The result of publishing a page: its ticks, and how many paragraphs were written."""

    ticks: TickRange
    paragraphs: int
    again: bool  # The same range was published before, and this is the stored answer.


class Publisher:
    """Publishes one world to one story. Not for several threads at once."""

    def __init__(
        self,
        ledger: Ledger,
        writer: ChronicleWriter,
        world_name: str,
        *,
        open_book: bool = False,
    ) -> None:
        """Refuses as `no_chronicle` a story whose configuration has none.

        With an `open_book` everybody may read what is published from now on.
        """
        demand_chronicle(ledger.config)
        self._ledger = ledger
        self._writer = writer
        self._world_name = world_name
        self._prefix = f"{PREFIX}{world_name}:"
        self._open_book = open_book

    def last_tick(self) -> int:
        """The last published tick; 0 if there is none."""
        return last_tick_of(self._ledger, self._world_name)

    def tell(self, page: Page) -> PublishedPage:
        """Publish a page, once. Raises NotPublished if the story refuses it."""
        paragraphs = self._paragraphs(page)
        name = f"{self._prefix}{page.ticks.first:012d}-{page.ticks.last:012d}"
        request_id = self._ledger.sealed_request(name)
        self._writer.hand(request_id, paragraphs)
        answer = self._ledger.respond(_envelope(request_id, paragraphs, self._ledger.config))
        if answer.status != 200:
            ticks = f"ticks {page.ticks.first} to {page.ticks.last}"
            raise NotPublished(f"{ticks}: {answer.status} {answer.body}")
        wrote = bool(msgspec.json.decode(answer.body)["debug"]["wrote"])
        if paragraphs and not wrote:  # it sleeps, or its phrases are stricter than those we know
            _log.warning("ticks %d to %d: the story did not take them", *page.ticks)
        return PublishedPage(page.ticks, len(paragraphs) if wrote else 0, answer.replayed)

    def _paragraphs(self, page: Page) -> list[Paragraph]:
        config = self._ledger.config
        operator = config.identity.operator_id
        most = config.writing.max_entries
        may_stand = partial(stands, config=config)
        paragraphs = digest(
            page.ticks,
            page.notices,
            page.day_ticks,
            operator,
            stands=may_stand,
            most=most,
            open_book=self._open_book,
        )
        admitted = self._ledger.admitted(
            [reader for each in paragraphs for reader in each.visible_to]
        )
        kept: list[Paragraph] = []
        for each in paragraphs:
            readers = tuple(reader for reader in each.visible_to if reader in admitted)
            if readers or not each.visible_to:
                kept.append(each._replace(visible_to=readers))
        return kept


def pages_backwards(ledger: Ledger, world_name: str) -> Iterator[tuple[int, TickRange]]:
    """The beats that published pages of a world, from the last one back, each with its ticks."""
    prefix = f"{PREFIX}{world_name}:"
    for beat, name in ledger.sealed_backwards(prefix):
        match = _RANGE.fullmatch(name, len(prefix))
        if match is not None:
            yield beat, TickRange(int(match[1]), int(match[2]))


def last_tick_of(ledger: Ledger, world_name: str) -> int:
    """The last tick of a world that its story has published; 0 if there is none. What lies before a
    fork was published as far as it could be when the story branched."""
    published = next((ticks.last for _, ticks in pages_backwards(ledger, world_name)), 0)
    return max(published, forked_at(ledger, world_name))


def forked_at(ledger: Ledger, world_name: str) -> int:
    """The tick with which a world begins that was forked when its story branched; else 0."""
    points = [split["at"] for split in describe_branches(ledger)]
    ticks = [at["tick"] for at in points if at is not None and at["fork"] == world_name]
    return ticks[-1] if ticks else 0


def stands(text: str, config: StoryConfig) -> bool:
    """Whether acceptance will let the world say a text, and later readers will not mistake it for
    anything else."""
    phrases = config.phrases
    return (
        len(text) <= config.writing.max_text_chars
        and is_storable(text)
        and find_phrase(text, phrases.time_shortcut) is None
        and why_not_prose(text, phrases) is None
    )


def ticks_of(origin: Origin) -> dict[str, Json] | None:
    """The range of ticks that an entry of a chronicle is about, and its sentences; None for any
    other entry."""
    noted = notes_of(origin)
    if noted is None:
        return None
    sentences = [sentence[:SHOWN_MEMBERS] for sentence in noted.sentences]
    return {"first": noted.ticks.first, "last": noted.ticks.last, "sentences": sentences}


class PageNotes(NamedTuple):
    """What a page of a chronicle notes about one of its entries: the world and the ticks that it is
    about, and its sentences."""

    world: str
    ticks: TickRange
    sentences: list[list[Json]]
    """The members of each `Sentence`; those of older pages have fewer."""


def notes_of(origin: Origin) -> PageNotes | None:
    """What a page of a chronicle notes about an entry; None for any other entry."""
    name = origin.request_id.rpartition(":")[0]
    match = _RANGE.search(name) if origin.sealed and name.startswith(PREFIX) else None
    if match is None:
        return None
    notes = json.loads(origin.envelope)["invoker"].get("notes")
    sentences = json.loads(notes)[origin.place] if notes else []
    world = name[len(PREFIX) : match.start() - 1]
    return PageNotes(world, TickRange(int(match[1]), int(match[2])), sentences)


def _envelope(
    request_id: str, paragraphs: Sequence[Paragraph], config: StoryConfig
) -> dict[str, Json]:
    """An empty beat. Its notes, which are for auditors, say when each sentence began to be true and
    which events it was made from."""
    identity = config.identity
    notes = json.dumps([paragraph.sentences for paragraph in paragraphs], separators=(",", ":"))
    return {
        "request_id": request_id,
        "invoker": {"invoker_id": INVOKER, "invoker_role": identity.invoker_role, "notes": notes},
        "operator": {"operator_id": identity.operator_id, "input_text": ""},
        "mode": {"kind": "BEAT"},
    }
