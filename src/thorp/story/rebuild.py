"""A story played again from its inputs: envelopes, seeds, readings of the wall's clock, and what writers
said.

No writer is asked and no model is called. Where a beat opened a window anew (the first of a view, or one
whose kept window was broken), so does its replay. The rebuilt ledger has the same ids, because they follow
from the ledger's secret seed, and it must come to the same tip; the tip stands for every row.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thorp.store import Connection
from thorp.story import schema
from thorp.story.beat import Answer
from thorp.story.ids import Naming
from thorp.story.service import Ledger, open_ledger
from thorp.story.writer.moment import Moment, Words, WriterFailure
from thorp.story.writer.scripted import ScriptedWriter
from thorp.story.writer.session import Failure

PAGE: Final = 500
"""Beats that are read, and played, at a time."""

Said = Words | Failure


class Played(NamedTuple):
    """The inputs of one beat."""

    kind: str
    text: str
    wall_us: int | None
    writer: str
    said: list[Said]
    summaries: list[Said]
    opens_anew: bool = False


class RecordedWriter:
    """Says what a writer said in one beat, failures included."""

    calls_out = False
    needs_setting = False

    def __init__(self, played: Played) -> None:
        self.name = played.writer
        self._said = iter(played.said)
        self._summaries = iter(played.summaries)

    def begin(self) -> None:
        """Nothing is limited: what was said was said."""

    def write(self, moment: Moment) -> Words:
        return _again(next(self._said, Failure("unrecorded", "there is no more")))

    def summarise(self, pieces: list[str]) -> Words:
        return _again(next(self._summaries, Failure("unrecorded", "there is no more")))


def rebuild(source: Ledger, where: str | Path) -> Ledger:
    """Play a story again into an empty ledger, which is returned open. Its tip tells whether it is the
    same."""
    secret = source.read(lambda connection: schema.find_world(connection).secret)
    unasked = {part.writer: ScriptedWriter() for part in source.config.parts.values()}
    target = open_ledger(where, source.config, "scripted", writers=unasked, secret=secret)
    try:
        waiting: list[Future[Answer]] = []
        for played in _inputs(source, Naming(source.config, secret)):
            writer = RecordedWriter(played)
            waiting.append(
                target.play(played.kind, played.text, writer, played.wall_us, opens_anew=played.opens_anew)
            )
            if len(waiting) == PAGE:
                _await(waiting)
        _await(waiting)
    except BaseException:
        target.close()
        raise
    return target


def _await(waiting: list[Future[Answer]]) -> None:
    while waiting:
        waiting.pop(0).result()


def _inputs(source: Ledger, naming: Naming) -> Iterator[Played]:
    last = 0
    while page := source.read(partial(_read_page, naming=naming, after=last)):
        last = page[-1][0]
        yield from (played for _, played in page)


def _read_page(connection: Connection, naming: Naming, after: int) -> list[tuple[int, Played]]:
    beats = connection.execute(
        "SELECT b.n, b.kind, r.envelope, b.wall FROM story_beat b JOIN story_request r "
        f"ON r.request_id = b.request_id WHERE b.n > ? ORDER BY b.n LIMIT {PAGE}",
        [after],
    )
    page = {n: Played(kind, text, wall, "", [], []) for n, kind, text, wall in beats}
    span = [after, max(page, default=after)]
    packs = {*connection.execute("SELECT beat, pack_id FROM story_pack WHERE beat > ? AND beat <= ?", span)}
    for beat in page:
        if (beat, naming.anchor(beat, 0)) in packs and (beat, naming.rehydration(beat)) not in packs:
            page[beat] = page[beat]._replace(opens_anew=True)
    calls = connection.execute(
        "SELECT beat, writer, kind, said FROM story_call WHERE beat > ? AND beat <= ? ORDER BY beat, number",
        span,
    )
    for beat, writer, kind, text in calls:
        page[beat] = page[beat]._replace(writer=writer)
        (page[beat].summaries if kind == "summary" else page[beat].said).append(_read_said(text))
    return list(page.items())


def _read_said(text: str) -> Said:
    value = json.loads(text)
    return msgspec.convert(value, Failure) if "code" in value else msgspec.convert(value, Words)


def _again(said: Said) -> Words:
    if isinstance(said, Failure):
        raise WriterFailure(said.message, code=said.code)
    return said
