"""Rows of the ledger, and the protocol by which it is queried. `tables` implements it with SQL.

`seq` is an entry's position in the order of commits. `place` numbers the entries that one reader
sees: the nth visible entry has place n. Cursors and the beginnings of windows are places, so they
reveal nothing about entries that the reader may not see.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from thorp.story.clock import Clock


def read_listed(text: str) -> list[str] | None:
    """The identities of a stored list; None if it cannot be read."""
    if text == "[]":
        return []
    try:
        return msgspec.json.decode(text, type=list[str])
    except msgspec.MsgspecError:
        return None


class EntryRow(NamedTuple):
    """One entry of the ledger."""

    seq: int
    entry_id: str
    bundle_id: str
    instant: int
    author_id: str
    author_class: str
    scope: str
    listed: str  # The identities of `visible_to`, as JSON.
    channel: str
    text: str

    @property
    def visible_to(self) -> list[str] | None:
        """The identities that a private entry lists; None if the list cannot be read."""
        return read_listed(self.listed)


class Origin(NamedTuple):
    """The request that wrote an entry, and the entry's place in its bundle."""

    request_id: str
    sealed: bool  # Whether the id is one that only a holder of the ledger's secret can make.
    place: int
    envelope: str


class PocketRow(NamedTuple):
    """A record of the pocket, and who may see the entry that it belongs to."""

    seq: int
    kind: str
    fields: str
    scope: str
    listed: str

    @property
    def visible_to(self) -> list[str] | None:
        return read_listed(self.listed)


class Block(NamedTuple):
    """A full run of entries whose words are indexed, and the time they span."""

    number: int
    public: int  # How many entries before it everybody may see.
    first_instant: int
    last_instant: int
    in_order: bool  # Whether no entry of it is earlier in world time than the one before.


class Head(msgspec.Struct, frozen=True):
    """The end of the ledger: its last beat and entry, the clock, and the last link."""

    beat: int
    seq: int
    public: int  # How many entries everybody may see.
    clock: Clock
    link: bytes


class StoredWindow(NamedTuple):
    """A window as it was stored, to be checked against the record of the beat that stored it."""

    beat: int
    state: bytes
    record: str


class SceneWindow(msgspec.Struct, frozen=True):
    """How far the window of one view has come, and how full it is."""

    anchor_id: str
    rehydration_id: str | None
    place: int  # The entries of this window are those after this place.
    counted: int  # The place up to which the usage is counted.
    used: int  # Units that the head, the entries and the results take, by our own estimate.
    results: tuple[tuple[int, str], ...] = ()
    """What tools returned under this view, each with the place at which it was asked for."""
    estimated: int = 0
    """Tokens of the last prompt, by our estimate; 0 if the provider did not count them."""
    measured: int = 0
    """Tokens of the last prompt, as the provider counted them; 0 if it did not."""


class RequestRow(NamedTuple):
    """A request and its answer, as they are stored."""

    request_id: str
    kind: str  # BEAT, SEED or NO_OP.
    payload_hash: str
    envelope: str
    status: int
    body: str


class CallRow(NamedTuple):
    """What a writer said in one call of a beat, as it is stored."""

    writer: str
    kind: str  # write or summary.
    verdict: str
    said: str  # The words or the failure, as JSON.


class StoredAnswer(NamedTuple):
    """The answer to a request that was answered before."""

    payload_hash: str
    status: int
    body: str


class StoredOutcome(NamedTuple):
    """The audit's verdict on a beat that was answered before."""

    beat: int
    outcome: str
    failure: tuple[str, str] | None  # The code and the message, if its writer failed.


Cell = int | str | bytes | None
Insert = tuple[str, tuple[Cell, ...]]  # A table and a row for it.


class Store(Protocol):
    """The queries on the tables. All of them read one unchanging state."""

    def prefetch(self, request_id: str, view: str) -> None:
        """Read in one query what every beat begins with: the head, this window, and whether the
        request was answered."""

    def head(self) -> Head: ...

    def stored_answer(self, request_id: str) -> StoredAnswer | None: ...

    def stored_outcome(self, request_id: str) -> StoredOutcome | None:
        """How the writer fared in the beat of this request; None if it was not a beat."""

    def window(self, view: str) -> StoredWindow | None:
        """The window of a view; None if it has none, or one whose beat does not exist."""

    def pack(self, pack_id: str) -> str: ...

    def is_person(self, identity: str) -> bool:
        """Whether there is a person with this id."""

    def people_count(self) -> int: ...

    def visible(self, own: str | None, place: int, limit: int) -> list[EntryRow]:
        """The entries after a place, in the order of commits."""

    def private_count(self, own: str) -> int:
        """How many private entries list an identity, alone or among others."""

    def entries(self, seqs: Sequence[int]) -> list[EntryRow]: ...

    def entries_after(self, seq: int) -> list[EntryRow]: ...

    def entries_named(self, ids: Sequence[str]) -> list[EntryRow]:
        """The entries with these ids, and those of bundles with these ids, in ledger order."""

    def blocks(self) -> list[Block]: ...

    def has_none_earlier(self, seq: int, instant: int) -> bool:
        """Whether it is certain that no later entry has an earlier world time than this one, whose
        instant is given. It looks at whole blocks, so it may say no although none is earlier."""

    def postings(self, term: str) -> list[tuple[int, bytes]]: ...

    def evidence(self, person: str, own: str | None) -> int:
        """How many bundles hold an entry of this person that everybody, or this identity, may
        see."""

    def pocket(self) -> list[PocketRow]: ...


class WritableStore(Store, Protocol):
    """A store that can be written, inside one transaction."""

    def insert(self, rows: Sequence[Insert]) -> None: ...

    def set_window(self, view: str, beat: int, state: bytes) -> None: ...

    def count_evidence(self, person: str, own: str) -> None: ...
