"""Says of one entry why the story has it: who proposed it, what its writer was given, what it
quotes, and who may know it since when.

It is answered for one view. Other entries are named only if that view sees them, other readers only
to the operator, and what was refused, or asked in somebody else's view, to nobody: that is the
keeper's audit.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from thorp.kernel.errors import UnknownError
from thorp.store import Connection
from thorp.story.config import StoryConfig
from thorp.story.ids import IdGenerator
from thorp.story.instants import instant_text
from thorp.story.knowledge import Surface, allows
from thorp.story.ledger import read_calls
from thorp.story.lookup import surface_for
from thorp.story.outcomes import WORDS
from thorp.story.past import BeatRow, GivenEntry, given_entries
from thorp.story.quotation import Hearing
from thorp.story.storage import CallRow, EntryRow
from thorp.story.tables import Tables

GIVEN_SHOWN: Final = 50  # Entries that a writer was given, in one answer.
EXCERPT_CHARS: Final = 200
READERS_SHOWN: Final = 1_000

_BEAT: Final = (
    "SELECT n, request_id, kind, outcome, instant, engine, actor, calls, envelope FROM story_beat "
    "WHERE n = (SELECT beat FROM story_entry WHERE seq = ?)"
)


class Given(msgspec.Struct, kw_only=True):
    """An entry that a writer was given before it wrote."""

    entry_id: str
    created_at_world: str
    by: str
    """`WINDOW`, or the tool that it asked."""
    excerpt: str
    cited: bool
    """Whether the entry in question quotes it."""


class Proposal(msgspec.Struct, kw_only=True):
    """How an entry came to be written."""

    kind: str
    """`writer`, `operator` (its own words), `clock` (a declared time) or `seed`."""
    engine: str
    actor: str
    writer: str | None
    """Which writer proposed it; None if none did."""
    given: list[Given]
    """What the writer was given, as far as this view sees it."""
    given_total: int
    is_known: bool
    """Whether what it was given can still be found out."""
    beat: int | None
    """The number of the beat, for the operator, whose audit says more."""
    invoker: str | None
    outcome: str | None
    refused: list[str] | None
    """By which rules earlier attempts of this beat were refused, for the operator."""


class Known(msgspec.Struct, kw_only=True):
    """Who may read an entry, and since when."""

    scope: str
    """`PUBLIC` or `PRIVATE`."""
    since: str
    """The world's time at which it was written."""
    readers: list[str]
    """To the operator all that it lists; to another view only itself."""
    readers_total: int | None
    """How many it lists, for the operator."""


class EntryOrigin(msgspec.Struct, kw_only=True):
    """One entry, and where it comes from."""

    entry_id: str
    view: str
    created_at_world: str
    author_id: str
    author_class: str
    channel: str
    text: str
    written_with: list[str]
    """The other entries of its bundle that this view sees."""
    known: Known
    proposal: Proposal


def explain_entry(
    connection: Connection, config: StoryConfig, ids: IdGenerator, reader: str | None, row: EntryRow
) -> EntryOrigin:
    """Where an entry comes from, as a reader may know it. The reader must see the entry."""
    tables = Tables(connection, config)
    surface = surface_for(tables, config, reader)
    if not allows(surface, row.scope, row.visible_to):
        raise UnknownError("this view has no such entry", code="no_entry")
    return EntryOrigin(
        entry_id=row.entry_id,
        view=surface.name,
        created_at_world=instant_text(row.instant),
        author_id=row.author_id,
        author_class=row.author_class,
        channel=row.channel,
        text=row.text,
        written_with=[
            other.entry_id
            for other in tables.entries_named([row.bundle_id])
            if other.seq != row.seq and allows(surface, other.scope, other.visible_to)
        ],
        known=_known(config, surface, row),
        proposal=_Beat(connection, config, surface, row).proposal(ids),
    )


def _known(config: StoryConfig, surface: Surface, row: EntryRow) -> Known:
    listed = row.visible_to or []
    is_operator = surface.own == config.identity.operator_id
    return Known(
        scope=row.scope,
        since=instant_text(row.instant),
        readers=listed[:READERS_SHOWN]
        if is_operator
        else [each for each in listed if each == surface.own],
        readers_total=len(listed) if is_operator else None,
    )


class _Beat:
    """The beat that wrote an entry, for one reader of that entry."""

    def __init__(
        self, connection: Connection, config: StoryConfig, surface: Surface, entry: EntryRow
    ) -> None:
        self._connection = connection
        self._config = config
        self._surface = surface
        self._entry = entry
        [self._row] = connection.execute(_BEAT, [entry.seq])
        self._calls = read_calls(self._row[7])

    @property
    def _by_a_writer(self) -> bool:
        return self._row[2] == "BEAT" and self._entry.author_class in ("PERSON", "WORLD")

    def _kind(self) -> str:
        if self._row[2] == "SEED":
            return "seed"
        if self._by_a_writer:
            return "writer"
        return "operator" if self._entry.author_class == "OPERATOR" else "clock"

    def proposal(self, ids: IdGenerator) -> Proposal:
        """How the entry came to be written."""
        number, _, _, outcome, _, engine, actor, _, envelope = self._row
        is_operator = self._surface.own == self._config.identity.operator_id
        invoker = _invoker(envelope) if self._row[2] == "BEAT" else None
        given = self._given(ids, invoker) if self._by_a_writer else []
        visible = [] if given is None else self._visible(given)
        return Proposal(
            kind=self._kind(),
            engine=engine,
            actor=actor,
            writer=self._calls[-1].writer if self._by_a_writer and self._calls else None,
            given=self._shown(visible),
            given_total=len(visible),
            is_known=given is not None,
            beat=number if is_operator else None,
            invoker=invoker if is_operator else None,
            outcome=WORDS.get(outcome.split(" ")[0]) if is_operator and outcome else None,
            refused=_refusals(self._calls) if is_operator else None,
        )

    def _given(self, ids: IdGenerator, invoker: str | None) -> list[GivenEntry] | None:
        number, request_id, _, _, instant = self._row[:5]
        part = self._config.parts.get(invoker or "")
        beat = BeatRow(
            number=number,
            request_id=request_id,
            instant=instant,
            view=None if part is None else part.view,
            writer=self._calls[-1].writer if self._calls else "",
        )
        return given_entries(self._connection, self._config, ids, beat)

    def _visible(self, given: Sequence[GivenEntry]) -> list[GivenEntry]:
        """What this view sees of the entries that a writer was given."""
        return [
            each for each in given if allows(self._surface, each.row.scope, each.row.visible_to)
        ]

    def _shown(self, given: Sequence[GivenEntry]) -> list[Given]:
        """The entries that are quoted first, then the others in ledger order."""
        hearing = Hearing([self._entry.text])
        quoted = {each.row.seq for each in given if hearing.quotes(each.row.text)}
        ranked = sorted(given, key=lambda each: (each.row.seq not in quoted, each.row.seq))
        return [
            Given(
                entry_id=each.row.entry_id,
                created_at_world=instant_text(each.row.instant),
                by=each.by,
                excerpt=each.row.text[:EXCERPT_CHARS],
                cited=each.row.seq in quoted,
            )
            for each in ranked[:GIVEN_SHOWN]
        ]


def _invoker(envelope: str) -> str | None:
    sent: Any = json.loads(envelope)["invoker"].get("invoker_id")
    return sent if isinstance(sent, str) else None


def _refusals(calls: Sequence[CallRow]) -> list[str]:
    """The rules by which proposals of a beat were refused, in order."""
    return [call.verdict.split(" ")[1] for call in calls if call.verdict.startswith("REJECTED ")]
