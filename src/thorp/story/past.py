"""The ledger as it was before a beat, and what the beat's writer was given there.

What tools returned is not stored; but a question asks the same of the same entries whenever it is
asked. So the questions of a beat are put again to the entries that were there before it. If one now
gets another verdict than the one that was recorded, the rules have changed since, and nothing is
claimed about the beat.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from thorp.kernel.canonical import Json
from thorp.store import Connection
from thorp.story.capsules import Capsules
from thorp.story.clock import Clock
from thorp.story.config import StoryConfig
from thorp.story.ids import IdGenerator
from thorp.story.instants import instant_text
from thorp.story.inverted_index import BLOCK_ENTRIES
from thorp.story.retrieval import Retrieval
from thorp.story.scene import Scenes, entry_ids_of
from thorp.story.storage import Block, EntryRow, Head
from thorp.story.tables import Tables
from thorp.story.tools import ToolGate
from thorp.story.writer.calls import WriterCalls
from thorp.story.writer.offline import ScriptedWriter

WINDOW_ENTRIES: Final = 200  # Of a writer's window, the latest.
WITHOUT_WINDOW: Final = ("chronicle", "offline", "scripted")
"""Writers that come with Thorp and do not read the window."""

_HEAD: Final = "SELECT n, seq, public, instant, paused, wall, link FROM story_beat WHERE n = ?"
_AFTER: Final = (
    "SELECT seq, entry_id, bundle_id, instant, author_id, author_class, scope, visible_to, "
    "channel, text FROM story_entry WHERE seq > ? AND seq <= ? ORDER BY seq"
)
_PACKS: Final = (
    "SELECT beat, pack_id, body FROM story_pack WHERE beat <= ? AND COALESCE(view, '') = ? "
    "ORDER BY beat DESC LIMIT ?"
)


class PastTables(Tables):
    """The entries of a ledger as they were after one of its beats; the rest of it is as it is
    now."""

    def __init__(self, connection: Connection, config: StoryConfig, beat: int) -> None:
        super().__init__(connection, config)
        [(n, seq, public, instant, paused, wall, link)] = connection.execute(_HEAD, [beat])
        clock = Clock(instant, bool(paused), wall)
        self._end = Head(beat=n, seq=seq, public=public, clock=clock, link=bytes(link))

    def head(self) -> Head:
        return self._end

    def is_person(self, identity: str) -> bool:
        if any(person.person_id == identity for person in self._config.people):
            return True
        came = self._execute("SELECT beat FROM story_person WHERE person_id = ?", [identity])
        return bool(came) and came[0][0] <= self._end.beat

    def private_count(self, own: str) -> int:
        if own not in self._private:
            rows = self._execute(
                "SELECT n FROM story_audience WHERE identity = ? AND seq <= ? ORDER BY place DESC "
                "LIMIT 1",
                [own, self._end.seq],
            )
            self._private[own] = rows[0][0] if rows else 0
        return self._private[own]

    def visible(self, own: str | None, place: int, limit: int) -> list[EntryRow]:
        return self._known(super().visible(own, place, limit))

    def entries(self, seqs: Sequence[int]) -> list[EntryRow]:
        return self._known(super().entries(seqs))

    def entries_after(self, seq: int) -> list[EntryRow]:
        return [EntryRow(*row) for row in self._execute(_AFTER, [seq, self._end.seq])]

    def entries_named(self, ids: Sequence[str]) -> list[EntryRow]:
        return self._known(super().entries_named(ids))

    def blocks(self) -> list[Block]:
        full = self._end.seq // BLOCK_ENTRIES
        return [block for block in super().blocks() if block.number < full]

    def visible_count(self, own: str | None) -> int:
        """How many entries an identity saw; None is everybody."""
        return self._end.public + (0 if own is None else self.private_count(own))

    def _known(self, rows: list[EntryRow]) -> list[EntryRow]:
        return [row for row in rows if row.seq <= self._end.seq]


class GivenEntry(NamedTuple):
    """An entry that a writer was given, and how it came to it: a tool's name, or its window."""

    row: EntryRow
    by: str


class BeatRow(NamedTuple):
    """What is stored of a beat about its writer."""

    number: int
    request_id: str
    instant: int
    view: str | None
    writer: str


def given_entries(
    connection: Connection, config: StoryConfig, ids: IdGenerator, beat: BeatRow
) -> list[GivenEntry] | None:
    """The entries that the writer of a beat was given, in its window and by its questions; None if
    that cannot be found out any more."""
    before = PastTables(connection, config, beat.number - 1)
    given: dict[str, GivenEntry] = {}
    if beat.writer not in WITHOUT_WINDOW:
        window = _window_entries(connection, config, ids, beat, before)
        given = {row.entry_id: GivenEntry(row, "WINDOW") for row in window}
    answers = _answers_again(connection, config, ids, beat, before)
    if answers is None:
        return None
    for tool, answer in answers:
        for row in before.entries_named(entry_ids_of(answer)):
            given.setdefault(row.entry_id, GivenEntry(row, tool))
    return list(given.values())


def _window_entries(
    connection: Connection,
    config: StoryConfig,
    ids: IdGenerator,
    beat: BeatRow,
    before: PastTables,
) -> list[EntryRow]:
    """The entries in the window that a beat's writer read: those that its head was made from, and
    the latest of those since then."""
    head = _head_pack(connection, config, ids, beat)
    if head is None:
        return []
    pack, opened_after = head
    place = PastTables(connection, config, opened_after).visible_count(beat.view)
    place = max(place, before.visible_count(beat.view) - WINDOW_ENTRIES)
    used = before.entries_named(pack["provenance"]["used_entry_ids"])
    return [*used, *before.visible(beat.view, place, WINDOW_ENTRIES)]


def _head_pack(
    connection: Connection, config: StoryConfig, ids: IdGenerator, beat: BeatRow
) -> tuple[dict[str, Json], int] | None:
    """The pack that a beat's window began with, and the beat after whose entries it opened; None if
    there is none.

    A window opens with the beat that made its pack, except for the anchor of a changed scene, which
    opens one with the next beat.
    """
    most = 2 + config.tools.max_per_beat  # packs that one beat makes for a view
    rows = connection.execute(_PACKS, [beat.number, beat.view or "", 2 * most])
    bodies = {pack_id: body for _, pack_id, body in rows}
    for number in dict.fromkeys(row[0] for row in rows):
        changed = range(config.tools.max_per_beat, 0, -1) if number < beat.number else ()
        later = [(ids.anchor(number, count), number) for count in changed]
        own = [
            (pack_id, number - 1) for pack_id in (ids.rehydration(number), ids.anchor(number, 0))
        ]
        for pack_id, opened_after in (*later, *own):
            if pack_id in bodies:
                return json.loads(bodies[pack_id]), opened_after
    return None


def _answers_again(
    connection: Connection,
    config: StoryConfig,
    ids: IdGenerator,
    beat: BeatRow,
    before: PastTables,
) -> list[tuple[str, dict[str, Json]]] | None:
    """The answers to the questions of a beat, each with its tool; None if one gets another verdict
    today."""
    asked = connection.execute(
        "SELECT verdict, request FROM story_tool WHERE beat = ? ORDER BY number", [beat.number]
    )
    retrieval = Retrieval(before, config)
    capsules = Capsules(retrieval, config)
    scenes = Scenes(
        _config=config,
        _request_id=beat.request_id,
        _created_at=instant_text(beat.instant),
        _beat=beat.number,
        _ids=ids,
        _retrieval=retrieval,
        _capsules=capsules,
        _calls=WriterCalls(ScriptedWriter()),
    )
    gate = ToolGate(
        config=config,
        request_id=beat.request_id,
        retrieval=retrieval,
        capsules=capsules,
        scenes=scenes,
        view=beat.view,
    )
    return _put_again(gate, [(verdict, json.loads(request)) for verdict, request in asked])


def _put_again(
    gate: ToolGate, asked: Sequence[tuple[str, Json]]
) -> list[tuple[str, dict[str, Json]]] | None:
    def answers() -> Iterator[tuple[str, dict[str, Json]] | None]:
        for verdict, request in asked:
            answer = gate.ask(request)
            if answer.verdict != verdict:
                yield None
            elif answer.served:
                yield request["tool"]["name"], answer.answer

    results = list(answers())
    return None if None in results else [each for each in results if each is not None]
