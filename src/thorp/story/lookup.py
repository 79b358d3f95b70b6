"""Finds an entry for a reader: by its id, or by a sentence that stands in it.

An entry that the reader may not see is not found, and the refusal is that of an entry that does not
exist: same code, same words. A sentence that several entries have is refused with the ids of those
that this reader sees, so that one can be chosen.
"""

import re
from typing import Final, NamedTuple

from thorp.kernel.errors import IllegalError, InvalidError, LimitError, UnknownError
from thorp.store import Connection
from thorp.story.config import StoryConfig
from thorp.story.knowledge import Surface, allows, surface_of
from thorp.story.retrieval import Retrieval
from thorp.story.storage import EntryRow
from thorp.story.tables import Tables
from thorp.story.text import words_of

WANTED_LIMIT: Final = 2_000  # Characters of a sentence: the longest paragraph of a chronicle.
CANDIDATES: Final = 200
"""The entries with the most words of a sentence that are compared with it: more than repeat one."""
NAMED_LIMIT: Final = 8  # Ids in one refusal: more cannot be chosen from.

_ENTRY_ID: Final = re.compile(r"e:(?:[0-9a-f]{32}|[0-9]{8,19}(?:~[0-9a-f]{8})?)\Z", re.ASCII)
_BETWEEN: Final = re.compile(r"(?<=[.!?])[\"'”’)]*\s+")
_NOT_FOUND: Final = (
    "this view has nothing of the kind; give the id of an entry (`thorp story show --json` lists "
    "those that it sees), or a sentence word for word"
)


class FoundEntry(NamedTuple):
    """An entry that a reader sees, and the sentence that it was found by, folded; None if it was
    found by its id."""

    row: EntryRow
    sentence: str | None

    def matches(self, sentence: str) -> bool:
        """Whether one of the entry's sentences is the one, or one of those, that were asked for."""
        if self.sentence is None:
            return True
        own = _folded(sentence)
        return bool(own) and (self.sentence in own or own in self.sentence)


def surface_for(tables: Tables, config: StoryConfig, reader: str | None) -> Surface:
    """What a reader may see. Refuses an unknown reader."""
    is_person = reader is not None and tables.is_person(reader)
    return surface_of(reader, config, is_person=is_person)


def find_entry(
    connection: Connection, config: StoryConfig, reader: str | None, wanted: str
) -> FoundEntry:
    """The entry with an id, or the one that has a sentence, as a reader sees the story."""
    tables = Tables(connection, config)
    surface = surface_for(tables, config, reader)
    if _ENTRY_ID.match(wanted):
        for row in tables.entries_named([wanted]):
            if row.entry_id == wanted and allows(surface, row.scope, row.visible_to):
                return FoundEntry(row, None)
        raise UnknownError(_NOT_FOUND, code="no_entry")
    return _find_sentence(Retrieval(tables, config), reader, wanted)


def sentences_of(text: str) -> list[str]:
    """The sentences of a text whose borders nobody noted."""
    return [each for each in _BETWEEN.split(text) if each.strip()]


def _find_sentence(retrieval: Retrieval, reader: str | None, wanted: str) -> FoundEntry:
    if len(wanted) > WANTED_LIMIT:
        raise LimitError(
            f"a sentence has at most {WANTED_LIMIT} characters, this one {len(wanted)}; give less "
            "of it",
            code="too_long",
        )
    folded = _folded(wanted)
    if not words_of(folded):
        raise InvalidError(
            "give the id of an entry, or a sentence with at least one word to search for",
            code="no_words",
        )
    rows = [hit.row for hit in retrieval.search(reader, folded, limit=CANDIDATES)]
    holding = [row for row in rows if folded in _folded(row.text)]
    # Whoever has it as a whole sentence comes before those who only quote it.
    whole = [row for row in holding if folded in map(_folded, sentences_of(row.text))]
    chosen = sorted(whole or holding, key=lambda row: row.seq)
    if not chosen:
        raise UnknownError(_NOT_FOUND, code="no_entry")
    if len(chosen) > 1:
        named = ", ".join(row.entry_id for row in chosen[:NAMED_LIMIT])
        more = ", …" if len(chosen) > NAMED_LIMIT else ""
        raise IllegalError(
            f"{len(chosen)} entries say that: {named}{more}; give the id of one", code="ambiguous"
        )
    return FoundEntry(chosen[0], folded)


def _folded(text: str) -> str:
    """A text in the form in which sentences are compared: without differences of space or case."""
    return " ".join(text.split()).casefold()
