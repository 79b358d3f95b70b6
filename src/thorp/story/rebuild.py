"""Rebuilds a story from its recorded inputs: envelopes, seeds, wall-clock readings and what writers
said.

No writer is asked and no model is called. Where a beat opened a new window (the first of a view, or
in place of a broken one), its replay does too. The rebuilt ledger has the same ids, because they
are derived from the ledger's secret seed, and must reach the same tip, which covers every row.
"""

import json
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.closing import closed_on_error
from thorp.kernel.errors import StaleError
from thorp.store import Connection
from thorp.story import schema
from thorp.story.answer import Answer
from thorp.story.ids import IdGenerator
from thorp.story.service import Ledger, open_ledger
from thorp.story.writer.moment import Words, WriterFailure
from thorp.story.writer.offline import ScriptedWriter

PAGE: Final = 500  # Beats that are read and replayed at a time.

Said = Words | WriterFailure  # What a writer said in a call, failures included.


class BeatInputs(NamedTuple):
    """The inputs of one beat."""

    kind: str
    text: str
    wall_us: int | None
    writer: str
    said: list[Said]
    summaries: list[Said]
    opens_anew: bool = False


def rebuild(source: Ledger, where: str | Path) -> Ledger:
    """Play a story again into an empty ledger, which is returned open. The same story has the same
    tip."""
    world = source.read(schema.find_world)
    if world.rules != schema.RULES_VERSION:
        raise StaleError(
            f"this story was begun under rules {world.rules}, and this release plays rules "
            f"{schema.RULES_VERSION}; use the release that began it, or verify without a rebuild",
            code="version",
        )
    secret = world.secret
    unasked = {part.writer: ScriptedWriter() for part in source.config.parts.values()}
    target = open_ledger(where, source.config, "scripted", writers=unasked, secret=secret)
    with closed_on_error(target):
        waiting: list[Future[Answer]] = []
        for inputs in _inputs(source, IdGenerator(source.config, secret)):
            writer = ScriptedWriter(
                chain(inputs.said, repeat(_unrecorded)),
                summaries=chain(inputs.summaries, repeat(_unrecorded)),
                name=inputs.writer,
            )
            kind = inputs.kind
            text = inputs.text
            wall_us = inputs.wall_us
            opens_anew = inputs.opens_anew
            waiting.append(target.replay_beat(kind, text, writer, wall_us, opens_anew=opens_anew))
            if len(waiting) == PAGE:
                _await(waiting)
        _await(waiting)
    return target


def _await(waiting: list[Future[Answer]]) -> None:
    while waiting:
        waiting.pop(0).result()


def _inputs(source: Ledger, ids: IdGenerator) -> Iterator[BeatInputs]:
    last = 0
    while page := source.read(partial(_read_page, ids=ids, after=last)):
        last = page[-1][0]
        yield from (inputs for _, inputs in page)


def _read_page(
    connection: Connection, ids: IdGenerator, after: int
) -> list[tuple[int, BeatInputs]]:
    beats = connection.execute(
        "SELECT b.n, b.kind, r.envelope, b.wall FROM story_beat b JOIN story_request r "
        f"ON r.request_id = b.request_id WHERE b.n > ? ORDER BY b.n LIMIT {PAGE}",
        [after],
    )
    page = {
        n: BeatInputs(kind=kind, text=text, wall_us=wall, writer="", said=[], summaries=[])
        for n, kind, text, wall in beats
    }
    span = [after, max(page, default=after)]
    packs = {
        *connection.execute(
            "SELECT beat, pack_id FROM story_pack WHERE beat > ? AND beat <= ?", span
        )
    }
    for beat in page:
        if (beat, ids.anchor(beat, 0)) in packs and (beat, ids.rehydration(beat)) not in packs:
            page[beat] = page[beat]._replace(opens_anew=True)
    sql = (
        "SELECT beat, writer, kind, said FROM story_call WHERE beat > ? AND beat <= ? ORDER BY "
        "beat, number"
    )
    for beat, writer, kind, text in connection.execute(sql, span):
        page[beat] = page[beat]._replace(writer=writer)
        value = json.loads(text)
        has_failed = "code" in value
        said = page[beat].summaries if kind == "summary" else page[beat].said
        failure = WriterFailure(value["message"], code=value["code"]) if has_failed else None
        said.append(failure or msgspec.convert(value, Words))
    return list(page.items())


def _unrecorded(_: object) -> WriterFailure:
    return WriterFailure("there is no more", code="unrecorded")
