"""The writer of the chronicle: proposes the paragraphs handed to it for a beat, and is silent in all others.

It is named in the story's configuration (`parts`) for the invoker `WORLD_CHRONICLE`, and goes through
acceptance like any other. A process that has no chronicle opens such a story without it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from thorp.bridges.chronicle.digest import Paragraph
from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError
from thorp.story import Ledger, Part, StoryConfig, open_ledger
from thorp.story.config import Writing
from thorp.story.writer.moment import Moment, Words, WriterFailure

INVOKER: Final = "WORLD_CHRONICLE"
WRITER: Final = "chronicle"

MAX_PARAGRAPHS: Final = 64
"""Entries of one beat: what is public, what the operator reads, and what those saw who saw a part."""


def chronicle_config() -> StoryConfig:
    """The configuration of a new story with a chronicle: agents become its people when they are named."""
    return StoryConfig(
        people_open=True, parts={INVOKER: Part(WRITER)}, writing=Writing(max_entries=MAX_PARAGRAPHS)
    )


def why_no_chronicle(config: StoryConfig) -> str | None:
    """Why a story can have no chronicle; None if it can."""
    part, allowed = config.parts.get(INVOKER), config.identity.invoker_allowlist
    if part is None or part.writer != WRITER or part.view is not None:
        return f"its configuration has no part {INVOKER} with the writer {WRITER!r}"
    if not config.people_open:
        return "its people are closed, so that no agent can be one of them"
    if allowed and INVOKER not in allowed:
        return f"its invoker_allowlist does not name {INVOKER}"
    return None


def open_chronicle(where: str | Path, writer: ChronicleWriter) -> Ledger:
    """The story at a place; where there is none, one that has a chronicle is founded."""
    writers = {WRITER: writer}
    try:
        return open_ledger(where, writers=writers, create=False)
    except IllegalError as problem:
        if problem.code != "no_story":
            raise
    return open_ledger(where, chronicle_config(), writers=writers)


class ChronicleWriter:
    name = WRITER
    calls_out = False
    needs_setting = False

    def __init__(self, config: StoryConfig | None = None) -> None:
        """The configuration does not matter: it is what any writer is made with."""
        self._handed: tuple[str, Sequence[Paragraph]] = ("", ())

    def hand(self, request_id: str, paragraphs: Sequence[Paragraph]) -> None:
        """What to propose in the beat of that request."""
        self._handed = (request_id, paragraphs)

    def begin(self) -> None:
        """Nothing is limited."""

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
                        "scope": "PRIVATE" if one.visible_to else "PUBLIC",
                        "visible_to": list(one.visible_to),
                    },
                    "channel": "VOICE",
                    "text": one.text,
                }
                for one in paragraphs
            ],
        }
        return Words(json.dumps({"proposed_write_bundle": proposal}, ensure_ascii=False))

    def summarise(self, pieces: list[str]) -> Words:
        raise WriterFailure("it has no words of its own", code="no_summary")
