"""Rebuilds a story from its recorded inputs: envelopes, seeds, wall-clock readings and the words of
writers.

No writer is asked and no model is called. A beat that opened a new window (the first of a view, or
in place of a broken one) opens one in the rebuild too. A branch is founded again where it was. The
rebuilt ledger has the same ids, because they are derived from the ledger's secret seeds, and must
reach the same tip, which covers every row.
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
from thorp.story.ledger import read_calls
from thorp.story.service import Ledger, open_ledger
from thorp.story.storage import CallRow
from thorp.story.writer.moment import Words, WriterFailure
from thorp.story.writer.offline import ScriptedWriter

PAGE: Final = 500  # Beats that are read and replayed at a time.

Reply = Words | WriterFailure  # What came of one call of a writer.


class BeatInputs(NamedTuple):
    """What is needed to play a beat again: its request, its time and the replies of its writer."""

    kind: str
    text: str
    wall_us: int | None
    writer: str
    replies: list[Reply]
    summaries: list[Reply]
    opens_anew: bool = False  # It opened a new window, neither the stored one nor a rebuilt one.


def rebuild(source: Ledger, where: str | Path) -> Ledger:
    """Play a story again into an empty ledger, and return that ledger, open. If nothing was
    tampered with it has the same tip."""
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
        branches = source.read(schema.find_branches)
        founded = {branch.beat: branch for branch in branches}
        ids = IdGenerator(source.config, secret, branches)
        for beat, inputs in _inputs(source, ids):
            if beat in founded:
                _await(waiting)
                target.replay_branch(founded[beat])
                continue
            writer = ScriptedWriter(
                chain(inputs.replies, repeat(_unrecorded)),
                summaries=chain(inputs.summaries, repeat(_unrecorded)),
                name=inputs.writer,
            )
            waiting.append(
                target.replay_beat(
                    inputs.kind,
                    inputs.text,
                    writer,
                    inputs.wall_us,
                    opens_anew=inputs.opens_anew,
                )
            )
            if len(waiting) == PAGE:
                _await(waiting)
        _await(waiting)
    return target


def _await(waiting: list[Future[Answer]]) -> None:
    while waiting:
        waiting.pop(0).result()


def _inputs(source: Ledger, ids: IdGenerator) -> Iterator[tuple[int, BeatInputs]]:
    """The inputs of every beat, in order, read a page at a time. A beat that founds a branch has no
    request."""
    last = 0
    while page := source.read(partial(_read_page, ids=ids, after=last)):
        last = page[-1][0]
        yield from page


def _read_page(
    connection: Connection, ids: IdGenerator, after: int
) -> list[tuple[int, BeatInputs]]:
    beats = connection.execute(
        "SELECT n, kind, envelope, wall, calls FROM story_beat "
        f"WHERE n > ? ORDER BY n LIMIT {PAGE}",
        [after],
    )
    page = {
        n: _with_calls(
            BeatInputs(
                kind=kind, text=text or "", wall_us=wall, writer="", replies=[], summaries=[]
            ),
            read_calls(calls),
        )
        for n, kind, text, wall, calls in beats
    }
    span = [after, max(page, default=after)]
    packs = {
        *connection.execute(
            "SELECT beat, pack_id FROM story_pack WHERE beat > ? AND beat <= ?", span
        )
    }
    for beat in page:
        # An anchor without a rehydration: the beat found no window that it could use.
        if (beat, ids.anchor(beat, 0)) in packs and (beat, ids.rehydration(beat)) not in packs:
            page[beat] = page[beat]._replace(opens_anew=True)
    return list(page.items())


def _with_calls(inputs: BeatInputs, calls: list[CallRow]) -> BeatInputs:
    """The same inputs, with what the writer said."""
    for call in calls:
        value = json.loads(call.said)
        replies = inputs.summaries if call.kind == "summary" else inputs.replies
        if "code" in value:
            replies.append(WriterFailure(value["message"], code=value["code"]))
        else:
            replies.append(msgspec.convert(value, Words))
    return inputs._replace(writer=calls[-1].writer) if calls else inputs


def _unrecorded(_: object) -> WriterFailure:
    """The reply to a call that the original beat did not make."""
    return WriterFailure("there is no more", code="unrecorded")
