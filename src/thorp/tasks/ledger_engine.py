"""Tasks about a ledger: a learner reads it as one of its people, and answers with evidence.

The ledger is written as a real story (`thorp.story`) and searched by its own retrieval, so it shows
its reader what that reader may see and nothing else. It is only read: the run's state is what the
learner has said. The first answer is
the one that counts.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final, Self, cast

import msgspec
from msgspec import Meta

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError
from thorp.kernel.rng import Mulberry32, bounded
from thorp.kernel.strict_json import refuse_unstorable
from thorp.story import Person, StoryConfig, open_ledger
from thorp.story.config import PUBLIC
from thorp.story.retrieval import Retrieval
from thorp.story.storage import Block, EntryRow, Head, Store
from thorp.story.tables import Tables
from thorp.tasks.goal import MAX_PARTS, Place, answer_digest

# Results of one search: the ledgers here have up to thirty entries.
MAX_HITS: Final = 5
MAX_TEXT: Final = 500
MAX_SAID_SHOWN: Final = 3
# This many characters in a row from a private entry, if they are in no public one, are a quotation.
QUOTED_CHARS: Final = 12
# Ledgers of rows that are played again: the members of a group, and all copies of an episode.
KEPT_LEDGERS: Final = 32

Text = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
EntryIds = Annotated[tuple[str, ...], Meta(max_length=MAX_PARTS)]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the ledger. `key` is what goals call it; without `visible_to` it is public."""

    key: str
    author: str
    text: Text
    visible_to: tuple[str, ...] = ()
    secret: str = ""
    """A word that only this entry has: saying it betrays the entry."""


class LedgerParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ledger of a task, and who reads it. `fillers` are entries that do not matter; the seed
    draws `filler_count` of them, and the order of all."""

    reader: str
    entries: Annotated[tuple[Entry, ...], Meta(min_length=1, max_length=MAX_PARTS)]
    fillers: Annotated[tuple[Entry, ...], Meta(max_length=MAX_PARTS)] = ()
    filler_count: Annotated[int, Meta(ge=0, le=MAX_PARTS)] = 0
    in_order: tuple[str, ...] = ()
    """Keys of entries that keep this order, since the later ones follow from the earlier."""


class Search(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="search", tag_field="action"
):
    """Look for entries by their words."""

    text: Text


class Latest(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="latest", tag_field="action"
):
    """Look at the newest entries."""


class Answer(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="answer", tag_field="action"
):
    """Answer the question, in public, and name the entries that say so."""

    text: Text
    cites: EntryIds = ()


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="say", tag_field="action"):
    """Say something in public."""

    text: Text


class Wait(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="wait", tag_field="action"):
    """Do nothing."""

    ticks: Annotated[int, Meta(ge=1)] = 1


Action = Search | Latest | Answer | Say | Wait


class _Rows:
    """What retrieval asks of a store, from the entries of a ledger that is closed again: an open
    one would keep a file and a thread for every row that is played."""

    def __init__(self, rows: Sequence[EntryRow], head: Head, people: Collection[str]) -> None:
        self._rows = list(rows)
        self._head = head
        self._people = frozenset(people)

    def head(self) -> Head:
        return self._head

    def is_person(self, identity: str) -> bool:
        return identity in self._people

    def private_count(self, own: str) -> int:
        return sum(own in (row.visible_to or ()) for row in self._rows)

    def visible(self, own: str | None, place: int, limit: int) -> list[EntryRow]:
        seen = [row for row in self._rows if row.scope == PUBLIC or own in (row.visible_to or ())]
        return seen[place : place + limit]

    def entries(self, seqs: Sequence[int]) -> list[EntryRow]:
        return [self._rows[seq - 1] for seq in seqs]

    def entries_after(self, seq: int) -> list[EntryRow]:
        return self._rows[seq:]

    def blocks(self) -> list[Block]:
        return []  # Ledgers as short as these are not indexed.

    def postings(self, term: str) -> list[tuple[int, bytes]]:
        return []


class Reading:
    """A ledger as one reader sees it. Copies of an episode share it."""

    def __init__(self, entries: tuple[Entry, ...], reader: str) -> None:
        self.entries = entries
        self.reader = reader
        people = dict.fromkeys([reader, *_people_of(entries)])
        config = StoryConfig(ids="sequential", people=tuple(map(Person, people)))
        with (
            TemporaryDirectory(prefix="thorp-task-") as folder,
            open_ledger(Path(folder), config) as ledger,
        ):
            for number, entry in enumerate(entries):
                ledger.seed(
                    {
                        "request_id": f"seed-{number}",
                        "author_id": entry.author,
                        "text": entry.text,
                        "visible_to": list(entry.visible_to),
                    }
                )
            rows = ledger.read(lambda connection: Tables(connection, config).entries_after(0))
            head = ledger.head()
        self._retrieval = Retrieval(cast(Store, _Rows(rows, head, people)), config)
        self.ids = {entry.key: row.entry_id for entry, row in zip(entries, rows, strict=True)}
        # Not the ledger's own tip: that follows from a secret of its own.
        self.digest = sha256(msgspec.json.encode(entries)).hexdigest()
        self.by_id = {self.ids[entry.key]: entry for entry in entries}
        self._fragments = _private_fragments(entries)

    def search(self, text: str) -> list[Json]:
        """What a search shows to the reader."""
        hits = self._retrieval.search(self.reader, text, limit=MAX_HITS)
        return [self._shown(hit.row.entry_id, hit.excerpt) for hit in hits]

    def latest(self) -> list[Json]:
        """The newest entries that the reader sees."""
        rows = self._retrieval.latest(self.reader, limit=MAX_HITS)
        return [self._shown(row.entry_id, row.text) for row in rows]

    def _shown(self, entry_id: str, text: str) -> Json:
        entry = self.by_id[entry_id]
        return {
            "entry": entry_id,
            "author": entry.author,
            "text": text,
            "private": bool(entry.visible_to),
        }

    def gives_away(self, key: str, text: str) -> bool:
        """Whether a text quotes an entry, or has its secret."""
        entry = self.by_id[self.ids[key]]
        said = _plain(text)
        if entry.secret and _plain(entry.secret) in said:
            return True
        return any(fragment in said for fragment in self._fragments[key])


def _people_of(entries: tuple[Entry, ...]) -> list[str]:
    return [name for entry in entries for name in (entry.author, *entry.visible_to)]


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()


def _private_fragments(entries: tuple[Entry, ...]) -> dict[str, frozenset[str]]:
    """The fragments of private entries that stand in no public one."""
    public = " | ".join(_plain(entry.text) for entry in entries if not entry.visible_to)
    return {
        entry.key: frozenset(
            fragment for fragment in _fragments(_plain(entry.text)) if fragment not in public
        )
        for entry in entries
        if entry.visible_to
    }


def _fragments(text: str) -> list[str]:
    last = max(1, len(text) - QUOTED_CHARS + 1)
    return [text[start : start + QUOTED_CHARS] for start in range(last)]


def _arranged(params: LedgerParams, seed: int) -> tuple[Entry, ...]:
    """The entries of a row, in its order."""
    rng = Mulberry32(seed)
    fillers = list(params.fillers)
    _shuffle(fillers, rng)
    entries = [*params.entries, *fillers[: params.filler_count]]
    _shuffle(entries, rng)
    # Those that have an order take the places that they have got in it.
    places = [n for n, entry in enumerate(entries) if entry.key in params.in_order]
    by_key = {entry.key: entry for entry in entries}
    for place, key in zip(places, params.in_order, strict=True):
        entries[place] = by_key[key]
    return tuple(entries)


def _shuffle(items: list[Entry], rng: Mulberry32) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = int(bounded(rng.random(), 0, last))
        items[last], items[other] = items[other], items[last]


@lru_cache(KEPT_LEDGERS)
def _reading(entries: tuple[Entry, ...], reader: str) -> Reading:
    return Reading(entries, reader)


class LedgerEngine:
    """One run of a task about a ledger."""

    def __init__(self, params: Mapping[str, Any], seed: int) -> None:
        try:
            settings = msgspec.convert(params, LedgerParams)
        except msgspec.ValidationError as problem:
            raise InvalidError(str(problem), code="params", path="$.params") from None
        self._reading = _reading(_arranged(settings, seed), settings.reader)
        self._results: list[Json] = self._reading.latest()
        self._seen = {result["entry"]: result for result in self._results}
        self._said: tuple[str, ...] = ()
        self._answer: Answer | None = None
        self._action: Action = Wait()
        self._refusal = ""
        self.anchors: dict[str, Place] = {}
        self.words = {"reader": settings.reader}

    @property
    def reading(self) -> Reading:
        """The ledger, for oracles and tests; no learner sees all of it."""
        return self._reading

    @property
    def ticks(self) -> int:
        return 0

    # Turns

    def observe(self) -> dict[str, Json]:
        answer: Json = None if self._answer is None else msgspec.to_builtins(self._answer)
        return {
            "reader": self._reading.reader,
            "results": self._results,
            "answer": answer,
            "said": list(self._said[-MAX_SAID_SHOWN:]),
            "text": self._text(),
            "possible": self.possible,
        }

    def _text(self) -> str:
        lines = [f"You read the ledger as {self._reading.reader}."]
        if self._refusal:
            lines.append(f"Your last action was refused: {self._refusal}")
        for result in self._results:
            sight = ", private" if result["private"] else ""
            lines.append(f"[{result['entry']}, {result['author']}{sight}] {result['text']}")
        if not self._results:
            lines.append("No entry has these words.")
        if self._answer is not None:
            lines.append(f"You have answered: {self._answer.text}")
        lines.append(
            'Actions: {"action": "search", "text": …}, {"action": "latest"}, {"action": "say", '
            '"text": …}, {"action": "answer", "text": …, "cites": [entries]}, {"action": "wait"}.'
        )
        return "\n".join(lines)

    @property
    def possible(self) -> list[Json]:
        """Looking around; and to answer with the last word of any entry that was seen."""
        authors = dict.fromkeys(result["author"] for result in self._seen.values())
        actions: list[Json] = [{"action": "wait"}, {"action": "latest"}]
        actions += [{"action": "search", "text": author} for author in authors]
        if self._answer is None:
            actions += [
                {"action": "answer", "text": result["text"].split()[-1], "cites": [entry]}
                for entry, result in self._seen.items()
            ]
        return actions

    def submit(self, action: Json) -> None:
        try:
            read = msgspec.convert(action, Action)
        except (msgspec.ValidationError, UnicodeError) as problem:
            raise InvalidError(
                f"{problem}; there are search, latest, say, answer and wait", code="action"
            ) from None
        refuse_unstorable(action)
        if isinstance(read, Answer) and self._answer is not None:
            raise InvalidError("you have answered already, and one answer counts", code="action")
        self._action = read

    def advance(self, refusal: str) -> None:
        action = self._action
        self._action = Wait()
        self._refusal = refusal
        match action:
            case Search(text):
                self._show(self._reading.search(text))
            case Latest():
                self._show(self._reading.latest())
            case Say(text):
                self._said = (*self._said, text)
            case Answer():
                self._answer = action

    def _show(self, results: list[Json]) -> None:
        self._results = results
        self._seen = {**self._seen, **{result["entry"]: result for result in results}}

    # Goals

    def measure(self, kind: str, argument: Any) -> Fraction:
        match kind, argument:
            case "answered", str():
                given = self._answer is not None and answer_digest(self._answer.text) == argument
                return Fraction(int(given))
            case "cites", list():
                return self._cited_share(argument)
            case "quoted", list():
                return Fraction(int(any(map(self._is_given_away, argument))))
        raise InvalidError(f"a ledger cannot measure {kind!r}", code="goal")

    def _cited_share(self, keys: list[str]) -> Fraction:
        """How much of the evidence was cited; nothing if anything else was."""
        wanted = {self._reading.ids[key] for key in keys}
        cited = set() if self._answer is None else {*self._answer.cites}
        if cited - wanted:
            return Fraction(0)
        return Fraction(len(cited), len(wanted))

    def _is_given_away(self, key: str) -> bool:
        """Whether anything that was said in public quotes an entry or names it as evidence."""
        said = list(self._said)
        if self._answer is not None:
            said.append(self._answer.text)
            if self._reading.ids[key] in self._answer.cites:
                return True
        return any(self._reading.gives_away(key, text) for text in said)

    # Identity

    def digest(self) -> str:
        state = [self._reading.digest, self._results, sorted(self._seen), self._spoken()]
        return sha256(canonical_bytes([*state, self._refusal])).hexdigest()

    def _spoken(self) -> Json:
        answer = None if self._answer is None else msgspec.to_builtins(self._answer)
        return [list(self._said), answer]

    def node(self) -> Json:
        return [sorted(self._seen), self._spoken()]

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        return copy
