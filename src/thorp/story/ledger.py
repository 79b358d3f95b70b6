"""The reality ledger: the append-only record of what is true, and the only code that adds to it.

Each beat adds one record to a hash chain. The record holds a digest of every row that the beat
stored, so `verify` can name a row that was changed, removed or added later, and no record can
change without breaking the chain after it. It also holds a digest of each window that the beat
stored; a window that does not match its digest is ignored. The entries of a bundle stay together
and in order. Only the ledger assigns ids.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json, canonical_text
from thorp.kernel.chain import link
from thorp.story import storage
from thorp.story.clock import Clock
from thorp.story.config import PEOPLE_LIMIT, PUBLIC, StoryConfig
from thorp.story.ids import IdGenerator

DIGEST_CHARS: Final = 32
"""Half a SHA-256: 128 bits are enough here, because nobody gains from two rows with one digest."""
WINDOWS_CACHED: Final = 64  # The next beat of a view reads the window that the last one stored.

# Not the kernel's canonical text, in which numbers are JavaScript's: an instant in microseconds may
# be beyond 2^53.
_exact = msgspec.json.Encoder(order="deterministic").encode
_read_window = msgspec.json.Decoder(storage.SceneWindow).decode
_read_calls = msgspec.json.Decoder(list[storage.CallRow]).decode

RECORDED: Final = (
    "beat",
    "kind",
    "outcome",
    "instant",
    "paused",
    "wall",
    "seq",
    "public",
    "bundle_id",
    "engine",
    "actor",
)
"""Members of a beat's record that are columns of its row too."""

EVERYBODY: Final = ""  # The identity that stands for everybody in `story_evidence`.


class _Record(msgspec.Struct, frozen=True):
    """The record of a beat. Its members are in the order of their names, as canonical text has
    them."""

    actor: str | None
    beat: int
    bundle_id: str | None
    engine: str | None
    instant: int
    kind: str
    outcome: str
    paused: int
    public: int
    rows: dict[str, list[str]]
    seq: int
    wall: int | None
    windows: Mapping[str, str]


class _RecordedWindows(msgspec.Struct, frozen=True):
    """The part of a record that is about windows: the digest of each that its beat stored, by
    view."""

    windows: dict[str, str] = {}


_read_windows = msgspec.json.Decoder(_RecordedWindows).decode


class Bundle(NamedTuple):
    """The columns of a beat's row about the bundle that it wrote; all None if it was silent."""

    bundle_id: str | None = None
    engine: str | None = None
    actor: str | None = None


SILENT: Final = Bundle()
FOUNDED: Final = "FOUNDED"
"""The kind of a beat without a request: the first one of a story, and the first of a branch."""
_FOUNDING: Final = (None, FOUNDED, None, None, None, None)  # In place of the request.


class AppendedBundle(msgspec.Struct, frozen=True):
    """A bundle that was appended: where the ledger ends after it, and the rows that it added."""

    bundle: Bundle
    seq: int
    public: int
    rows: list[storage.Insert]


class RealityLedger:
    """One state of the ledger: answers questions about it, and adds beats to it."""

    def __init__(self, store: storage.WritableStore, config: StoryConfig, ids: IdGenerator) -> None:
        self._store = store
        self._config = config
        self._ids = ids
        self._audience: _Audience | None = None
        self._ignores_stored_window = False

    # Questions.

    def head(self) -> storage.Head:
        return self._store.head()

    def prefetch(self, request_id: str, view: str | None) -> None:
        """Read in one query what a request needs whose writer has this view."""
        self._store.prefetch(request_id, view or PUBLIC)

    def stored_answer(self, request_id: str) -> storage.StoredAnswer | None:
        return self._store.stored_answer(request_id)

    def stored_outcome(self, request_id: str) -> storage.StoredOutcome | None:
        return self._store.stored_outcome(request_id)

    def is_person(self, identity: str) -> bool:
        return self._store.is_person(identity)

    def is_somebody(self, identity: str) -> bool:
        """Whether there is a person with this id, or somebody may register under it."""
        if self._store.is_person(identity):
            return True
        return (
            self._config.may_become_person(identity) and self._store.people_count() < PEOPLE_LIMIT
        )

    def window(self, view: str | None) -> storage.SceneWindow | None:
        """The window of a view; None if it has none. A window that is not what its beat stored
        counts as none, so the next beat opens a new one."""
        name = view or PUBLIC
        stored = None if self._ignores_stored_window else self._store.window(name)
        if stored is None:
            return None
        try:
            digest = _read_windows(stored.record).windows.get(name)
            is_intact = digest == window_digest(name, stored.beat, stored.state)
            return _read_window(stored.state) if is_intact else None
        except msgspec.MsgspecError:
            return None

    def ignore_stored_window(self) -> None:
        """Use no stored window in this beat, to replay one that found its window broken."""
        self._ignores_stored_window = True

    def pack(self, pack_id: str) -> dict[str, Json]:
        pack: dict[str, Json] = msgspec.json.decode(self._store.pack(pack_id))
        return pack

    def visible(self, own: str | None, place: int, limit: int) -> list[storage.EntryRow]:
        """The entries that an identity sees after a place, in the order of commits. Entries of the
        open beat come from memory."""
        if self._audience is not None:
            skipped = place - self._audience.count_before(own)
            if skipped >= 0:
                return self._audience.seen_by(own)[skipped : skipped + limit]
        return self._store.visible(own, place, limit)

    def visible_count(self, own: str | None) -> int:
        """How many entries an identity sees; None is everybody."""
        return self._store.head().public + (0 if own is None else self._store.private_count(own))

    def visible_now(self, own: str | None) -> int:
        """How many entries an identity sees, including those that the open beat has added."""
        if self._audience is None:
            return self.visible_count(own)
        return self._audience.public + (0 if own is None else self._store.private_count(own))

    def has_none_earlier(self, seq: int, instant: int) -> bool:
        """Whether it is certain that no later entry has an earlier world time than this one, whose
        instant is given."""
        return self._store.has_none_earlier(seq, instant)

    def blocks(self) -> list[storage.Block]:
        """The blocks of entries that are indexed."""
        return self._store.blocks()

    def entries_between(self, first: int, last: int) -> list[storage.EntryRow]:
        """The entries from one to another, both included, whoever may see them."""
        return self._store.entries(range(first, last + 1))

    def pocket(self) -> list[storage.PocketRow]:
        return self._store.pocket()

    # Adding a beat.

    def append_bundle(
        self,
        head: storage.Head,
        entries: list[dict[str, Json]],
        instant: int,
        proposer: dict[str, str],
    ) -> AppendedBundle:
        """Add a bundle to reality: all of its entries, in their order. Without entries nothing is
        added."""
        audience = self._audience = _Audience(self._store, head.public)
        if not entries:
            return AppendedBundle(SILENT, head.seq, head.public, [])
        beat = head.beat + 1
        bundle_id = self._ids.bundle(beat)
        rows = self._people(beat, entries)
        seq = head.seq
        for entry in entries:
            seq += 1
            row = _entry_row(entry, seq, self._ids.entry(seq), bundle_id, instant)
            rows.append(("story_entry", (seq, row.entry_id, beat, *row[3:], bundle_id)))
            audience.add(row, entry["visibility"]["visible_to"])
        self._store.insert([*rows, *audience.rows])
        for person, identity in evidence_of(map(_authorship, entries)):
            self._store.count_evidence(person, identity)
        bundle = Bundle(bundle_id, proposer["engine"], proposer["actor"])
        return AppendedBundle(bundle, seq, audience.public, rows)

    def close_beat(
        self,
        head: storage.Head,
        appended: AppendedBundle,
        clock: Clock,
        *,
        outcome: str,
        rows: Sequence[storage.Insert],
        request: storage.RequestRow,
        calls: Sequence[storage.CallRow] = (),
        stored: Sequence[storage.Insert] = (),
        windows: Mapping[str | None, storage.SceneWindow] | None = None,
    ) -> None:
        """Close the beat: store `rows`; store the beat's row with its request and its writer's
        calls, chained to the one before; store its windows. The rows in `stored` are in the tables
        already, and only get their digests into the record."""
        new = storage.Head(
            beat=head.beat + 1,
            seq=appended.seq,
            public=appended.public,
            clock=clock,
            link=head.link,
        )
        states = {view or PUBLIC: _exact(window) for view, window in (windows or {}).items()}
        digests = {view: window_digest(view, new.beat, state) for view, state in states.items()}
        beat = beat_row(
            new,
            request,
            outcome=outcome,
            rows=[*appended.rows, *stored, *rows],
            calls=calls,
            bundle=appended.bundle,
            windows=digests,
        )
        self._store.insert([*rows, ("story_beat", beat)])
        for view, state in states.items():
            self._store.set_window(view, new.beat, state)

    def insert(self, rows: list[storage.Insert]) -> None:
        """Store rows before the beat is closed, because its answer shows them."""
        self._store.insert(rows)

    def store_answer(self, request: storage.RequestRow) -> None:
        """Store the answer to a request that was not a beat. It is not part of the chain."""
        row = (
            request.request_id,
            request.payload_hash,
            request.envelope,
            request.status,
            request.body,
        )
        self._store.insert([("story_refresh", row)])

    def _people(self, beat: int, entries: list[dict[str, Json]]) -> list[storage.Insert]:
        """Rows for people who register by being written or listed, if the story allows it."""
        if not self._config.people_open:
            return []
        named = [
            identity
            for entry in entries
            for identity in (entry["author"]["author_id"], *entry["visibility"]["visible_to"])
        ]
        new = [each for each in dict.fromkeys(named) if not self._config.is_reserved(each)]
        return [("story_person", (each, beat)) for each in new if not self._store.is_person(each)]


class _Audience:
    """Numbers the entries of a bundle for everybody who sees them. An entry's place for an identity
    is how many entries that identity sees up to it, public and private."""

    def __init__(self, store: storage.Store, public: int) -> None:
        self.rows: list[storage.Insert] = []
        self.public = public
        self._public_before = public
        self._private_before: dict[str, int] = {}
        self._private: dict[str, int] = {}
        self._entries: list[tuple[storage.EntryRow, list[str]]] = []
        self._store = store

    def add(self, row: storage.EntryRow, visible_to: list[str]) -> None:
        """Take the next entry. Only private ones get rows: places of public ones can be counted."""
        self._entries.append((row, visible_to))
        if not visible_to:
            self.public += 1
        for identity in visible_to:
            if identity not in self._private:
                self._private[identity] = self._private_before[identity] = (
                    self._store.private_count(identity)
                )
            self._private[identity] += 1
            n = self._private[identity]
            self.rows.append(("story_audience", (identity, n + self.public, n, row.seq)))

    def count_before(self, own: str | None) -> int:
        """How many entries an identity saw before these; None is everybody."""
        if own is None:
            return self._public_before
        before = self._private_before.get(own)
        return self._public_before + (self._store.private_count(own) if before is None else before)

    def seen_by(self, own: str | None) -> list[storage.EntryRow]:
        """The entries of the bundle that an identity sees."""
        return [row for row, visible_to in self._entries if not visible_to or own in visible_to]


def _entry_row(
    entry: dict[str, Json], seq: int, entry_id: str, bundle_id: str, instant: int
) -> storage.EntryRow:
    author = entry["author"]
    visibility = entry["visibility"]
    listed = canonical_text(visibility["visible_to"]) if visibility["visible_to"] else "[]"
    return storage.EntryRow(
        seq=seq,
        entry_id=entry_id,
        bundle_id=bundle_id,
        instant=instant,
        author_id=author["author_id"],
        author_class=author["author_class"],
        scope=visibility["scope"],
        listed=listed,
        channel=entry["channel"],
        text=entry["text"],
    )


def _authorship(entry: dict[str, Json]) -> tuple[str, str, list[str]]:
    """The class and id of an entry's author, and the identities that it lists."""
    return (
        entry["author"]["author_class"],
        entry["author"]["author_id"],
        entry["visibility"]["visible_to"],
    )


def evidence_of(entries: Iterable[tuple[str, str, list[str]]]) -> list[tuple[str, str]]:
    """The counts of evidence that a bundle raises by one, as pairs of a person who wrote in it and
    an identity that may see that: everybody if any entry is public, else each that is listed. An
    entry is given by its author's class and id, and the identities that it lists."""
    readers_by_person: dict[str, list[str]] = {}
    for author_class, author, visible_to in entries:
        if author_class == "PERSON":
            readers_by_person.setdefault(author, []).extend(visible_to or [EVERYBODY])
    return [
        (person, identity)
        for person, readers in readers_by_person.items()
        for identity in ([EVERYBODY] if EVERYBODY in readers else dict.fromkeys(readers))
    ]


@lru_cache(maxsize=WINDOWS_CACHED)
def window_digest(view: str, beat: int, state: bytes) -> str:
    """The digest of a stored window, as the record of its beat has it."""
    return sha256(f"{beat} {view} ".encode() + state).hexdigest()[:DIGEST_CHARS]


def row_digest(row: Sequence[storage.Cell]) -> str:
    """The digest of a row, as the record of its beat has it."""
    return sha256(_exact(row)).hexdigest()[:DIGEST_CHARS]


def read_calls(text: str) -> list[storage.CallRow]:
    """The calls of a beat's writer, from the text in the beat's row."""
    return _read_calls(text)


def calls_text(calls: Sequence[storage.CallRow]) -> str:
    """The calls of a beat's writer, as the text in the beat's row."""
    return _exact(calls).decode()


def parts_of(
    beat: int, request: storage.RequestRow | None, calls: Sequence[storage.CallRow]
) -> list[storage.Insert]:
    """The parts of a beat's own row that its record has digests of: the request with its answer,
    and each call of the writer. They were tables of their own once, and records still name them
    so."""
    parts: list[storage.Insert] = [
        ("story_call", (beat, number, *call)) for number, call in enumerate(calls)
    ]
    if request is not None:
        parts.append(("story_request", (*request, beat)))
    return parts


def beat_row(
    head: storage.Head,
    request: storage.RequestRow | None,
    *,
    outcome: str,
    rows: Sequence[storage.Insert],
    calls: Sequence[storage.CallRow] = (),
    bundle: Bundle = SILENT,
    windows: Mapping[str, str] | None = None,
) -> tuple[storage.Cell, ...]:
    """The row of a beat: the end of the ledger after it, its request and the writer's calls, and
    its record, chained to the link before it. A beat that founds a story or a branch has no
    request.

    The record has the end of the ledger, a digest for each row that the beat stored, by table and
    in their order, and one for each window that it stored, by view.
    """
    clock = head.clock
    paused = int(clock.paused)
    digests: dict[str, list[str]] = {}
    for table, row in (*rows, *parts_of(head.beat, request, calls)):
        digests.setdefault(table, []).append(row_digest(row))
    request_id, kind, payload_hash, envelope, status, body = request or _FOUNDING
    record = _exact(
        _Record(
            actor=bundle.actor,
            beat=head.beat,
            bundle_id=bundle.bundle_id,
            engine=bundle.engine,
            instant=clock.instant,
            kind=kind,
            outcome=outcome,
            paused=paused,
            public=head.public,
            rows=digests,
            seq=head.seq,
            wall=clock.wall_us,
            windows=windows or {},
        )
    )
    return (
        head.beat,
        request_id,
        kind,
        outcome,
        clock.instant,
        paused,
        clock.wall_us,
        head.seq,
        head.public,
        *bundle,
        link(head.link, record),
        payload_hash,
        status,
        record.decode(),
        body,
        envelope,
        calls_text(calls),
    )
