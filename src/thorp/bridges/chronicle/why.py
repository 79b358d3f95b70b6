"""Explains a sentence of a story: the origin of its entry in the ledger, and the events of a world
that a page of the chronicle notes for it.

Pages of earlier releases noted no events. Their sentences are answered by tick and people, and
`basis` says so. An entry that is no page of a chronicle has sentences without either.
"""

from typing import Final

import msgspec

from thorp.bridges.chronicle.publisher import PageNotes, notes_of
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.story import Ledger
from thorp.story.lookup import sentences_of
from thorp.story.why import EntryOrigin
from thorp.voxel import Position

EVENTS: Final = "events"
TICK_AND_PEOPLE: Final = "tick and people"
NOTHING: Final = "nothing"


class WorldEvent(msgspec.Struct, kw_only=True):
    """An event of the world that a sentence was made from."""

    id: str
    tick: int
    kind: str
    place: Position | None
    people: list[str]
    digest: str
    """The SHA-256 of the event; a replay of its tick gives the same."""
    moment: str
    """Where the page shows it, as a path."""


class WhySentence(msgspec.Struct, kw_only=True):
    """One sentence of an entry, and what it was made from."""

    number: int
    text: str
    asked: bool
    """Whether the question was about this sentence."""
    basis: str
    """`events`; `tick and people` for a page of an earlier release; `nothing` if nothing of a world
    is noted for it."""
    tick: int | None
    moment: str | None
    people: list[str]
    events: list[WorldEvent]
    events_total: int
    """How many events it was made from; the first of them are listed."""
    witnesses: list[str]
    """Who knew it from its tick on, as far as this view may know: those who saw it if it is
    private, those it is about if it is public."""


class Why(EntryOrigin, kw_only=True):
    """Why a story has an entry, as one view may know it."""

    world: str | None
    """The world that it is about, by its name in the chronicle; None if it is about none."""
    first: int | None
    last: int | None
    """The ticks that its page covers. In the story it can be read from the last of them on."""
    handed: list[str]
    """The events that the chronicle was handed for the paragraphs of this page which this view
    sees."""
    sentences: list[WhySentence]


def explain(ledger: Ledger, reader: str | None, wanted: str, number: int | None = None) -> Why:
    """Why a story has an entry, named by its id or by a sentence of it, as a reader may know it.
    `number` asks for one sentence of the entry."""
    entry, origin = ledger.explain(reader, wanted)
    origins = ledger.origins([origin.entry_id, *origin.written_with])
    notes = {entry_id: notes_of(each) for entry_id, each in origins.items()}
    own = notes.get(origin.entry_id)
    sentences = _sentences(ledger, origin, own)
    if number is not None and not 1 <= number <= len(sentences):
        raise InvalidError(
            f"this entry has {len(sentences)} sentences, so there is none with number {number}",
            code="sentence",
        )
    for sentence in sentences:
        is_found = entry.matches(sentence.text)
        sentence.asked = is_found if number is None else sentence.number == number
    if not any(sentence.asked for sentence in sentences):  # it lies across two of them
        for sentence in sentences:
            sentence.asked = True
    handed = dict.fromkeys(
        str(event[0]) for each in notes.values() if each for event in _noted_events(each)
    )
    return Why(
        **{name: getattr(origin, name) for name in EntryOrigin.__struct_fields__},
        world=None if own is None else own.world,
        first=None if own is None else own.ticks.first,
        last=None if own is None else own.ticks.last,
        handed=list(handed),
        sentences=sentences,
    )


def _noted_events(notes: PageNotes) -> list[list[Json]]:
    return [event for sentence in notes.sentences for event in _events_in(sentence)]


def _events_in(sentence: list[Json]) -> list[list[Json]]:
    """The events that a page noted for a sentence; none on pages of earlier releases."""
    return list(sentence[4]) if len(sentence) > 4 else []


def _sentences(ledger: Ledger, origin: EntryOrigin, notes: PageNotes | None) -> list[WhySentence]:
    if notes is None or not notes.sentences:
        texts = sentences_of(origin.text)
        return [_unfounded(number, text) for number, text in enumerate(texts, 1)]
    saw = [each for each in origin.known.readers if each != ledger.config.identity.operator_id]
    sentences = []
    begin = 0
    for number, noted in enumerate(notes.sentences, 1):
        text = origin.text[begin : noted[0]].strip()
        begin = noted[0]
        sentences.append(_founded(number, text, noted, saw))
    return sentences


def _unfounded(number: int, text: str) -> WhySentence:
    """A sentence for which the page notes nothing of a world."""
    return WhySentence(
        number=number,
        text=text,
        asked=False,
        basis=NOTHING,
        tick=None,
        moment=None,
        people=[],
        events=[],
        events_total=0,
        witnesses=[],
    )


def _founded(number: int, text: str, noted: list[Json], saw: list[str]) -> WhySentence:
    """A sentence as a page noted it; `saw` are the readers of a private entry."""
    tick = int(noted[1])
    people = [str(each) for each in noted[2]]
    events = [_event(each) for each in _events_in(noted)]
    return WhySentence(
        number=number,
        text=text,
        asked=False,
        basis=EVENTS if events else TICK_AND_PEOPLE,
        tick=tick,
        moment=moment_path(tick, f"E{tick}"),
        people=people,
        events=events,
        events_total=int(noted[5]) if len(noted) > 5 else len(events),
        witnesses=saw or people,
    )


def _event(noted: list[Json]) -> WorldEvent:
    event_id, kind, place, people, digest = noted
    tick = int(event_id[1:].partition(".")[0])
    return WorldEvent(
        id=event_id,
        tick=tick,
        kind=kind,
        place=None if place is None else (place[0], place[1], place[2]),
        people=list(people),
        digest=digest,
        moment=moment_path(tick, event_id),
    )


def moment_path(tick: int, see: str) -> str:
    """The path under which the page shows an event at its moment."""
    return f"/?at={tick}&see={see}"
