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
"""Half a SHA-256: 128 bits are enough where nobody gains by two rows of one digest."""
WINDOWS_KNOWN: Final = 64  # The next beat of a view reads the window that the last one stored.

# Not the kernel's canonical text: that has JavaScript's numbers, and microseconds are larger than
# those.
_exact = msgspec.json.Encoder(order="deterministic").encode
_read_window = msgspec.json.Decoder(storage.SceneWindow).decode

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
"""What the record of a beat says that its row says too."""

EVERYBODY: Final = ""  # The identity that stands for everybody in `story_audience`.


class _Record(msgspec.Struct, frozen=True):
    """What a record says of windows: the digest of each that its beat stored, by view."""

    windows: dict[str, str] = {}


_read_record = msgspec.json.Decoder(_Record).decode


class Bundle(NamedTuple):
    """What a beat's own row says of the bundle it wrote; nothing, if it was silent."""

    bundle_id: str | None = None
    engine: str | None = None
    actor: str | None = None


SILENT: Final = Bundle()


class AppendedBundle(msgspec.Struct, frozen=True):
    """What a bundle became."""

    bundle: Bundle
    seq: int
    public: int
    rows: list[storage.Insert]


class RealityLedger:
    """One state of the ledger: what it holds, and how something is added."""

    def __init__(self, store: storage.WritableStore, config: StoryConfig, ids: IdGenerator) -> None:
        self._store = store
        self._config = config
        self._ids = ids
        self._audience: _Audience | None = None
        self._ignores_stored_window = False

    # What others ask.

    def head(self) -> storage.Head:
        return self._store.head()

    def prefetch(self, request_id: str, view: str | None) -> None:
        """Get ready for a request whose writer has this view."""
        self._store.prefetch(request_id, view or PUBLIC)

    def stored_answer(self, request_id: str) -> storage.StoredAnswer | None:
        return self._store.stored_answer(request_id)

    def stored_outcome(self, request_id: str) -> storage.StoredOutcome | None:
        return self._store.stored_outcome(request_id)

    def is_person(self, identity: str) -> bool:
        return self._store.is_person(identity)

    def is_somebody(self, identity: str) -> bool:
        """Whether a person of this id is known, or may register by being written."""
        if self._store.is_person(identity):
            return True
        return (
            self._config.may_become_person(identity) and self._store.people_count() < PEOPLE_LIMIT
        )

    def window(self, view: str | None) -> storage.SceneWindow | None:
        """The window of a view. None if it has none, or one that is not what its beat stored: then
        the beat opens another, as for a view that has none yet."""
        name = view or PUBLIC
        stored = None if self._ignores_stored_window else self._store.window(name)
        if stored is None:
            return None
        try:
            digest = _read_record(stored.record).windows.get(name)
            is_intact = digest == window_digest(name, stored.beat, stored.state)
            return _read_window(stored.state) if is_intact else None
        except msgspec.MsgspecError:
            return None

    def ignore_stored_window(self) -> None:
        """Take no stored window in this beat; for a replay of one that found its window broken."""
        self._ignores_stored_window = True

    def pack(self, pack_id: str) -> dict[str, Json]:
        pack: dict[str, Json] = msgspec.json.decode(self._store.pack(pack_id))
        return pack

    def visible(self, own: str | None, place: int, limit: int) -> list[storage.EntryRow]:
        """The entries after a place, in the order of commits. Those just added need not be read
        again."""
        if self._audience is not None:
            skipped = place - self._audience.count_before(own)
            if skipped >= 0:
                return self._audience.seen_by(own)[skipped : skipped + limit]
        return self._store.visible(own, place, limit)

    def visible_count(self, own: str | None) -> int:
        """How many entries an identity sees; None is everybody."""
        return self._store.head().public + (0 if own is None else self._store.private_count(own))

    def visible_now(self, own: str | None) -> int:
        """The same, with what this beat has just added."""
        if self._audience is None:
            return self.visible_count(own)
        return self._audience.public + (0 if own is None else self._store.private_count(own))

    def has_none_earlier(self, seq: int, instant: int) -> bool:
        """Whether it is certain that nothing after an entry, which has this instant, is earlier in
        world time."""
        return self._store.has_none_earlier(seq, instant)

    def blocks(self) -> list[storage.Block]:
        """The full runs of entries that are indexed."""
        return self._store.blocks()

    def entries_between(self, first: int, last: int) -> list[storage.EntryRow]:
        """The entries from one to another, both included, whoever may see them."""
        return self._store.entries(range(first, last + 1))

    def pocket(self) -> list[storage.PocketRow]:
        return self._store.pocket()

    # What a beat adds.

    def append_bundle(
        self,
        head: storage.Head,
        entries: list[dict[str, Json]],
        instant: int,
        proposer: dict[str, str],
    ) -> AppendedBundle:
        """Add one bundle to reality: all of its entries, in their order. Nothing, if there are
        none."""
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
        for person, identity in evidence_of(map(_shown, entries)):
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
        stored: Sequence[storage.Insert] = (),
        windows: Mapping[str | None, storage.SceneWindow] | None = None,
    ) -> None:
        """Close the beat: store `rows` and the request, chain the beat, and keep its windows. The
        rows in `stored` are in the tables already."""
        new = storage.Head(
            beat=head.beat + 1,
            seq=appended.seq,
            public=appended.public,
            clock=clock,
            link=head.link,
        )
        added: list[storage.Insert] = [*rows, ("story_request", (*request, new.beat))]
        states = {view or PUBLIC: _exact(window) for view, window in (windows or {}).items()}
        digests = {view: window_digest(view, new.beat, state) for view, state in states.items()}
        beat = beat_row(
            new,
            request.request_id,
            kind=request.kind,
            outcome=outcome,
            rows=[*appended.rows, *stored, *added],
            bundle=appended.bundle,
            windows=digests,
        )
        self._store.insert([*added, ("story_beat", beat)])
        for view, state in states.items():
            self._store.set_window(view, new.beat, state)

    def insert(self, rows: list[storage.Insert]) -> None:
        """Store rows of this beat that its answer shows already."""
        self._store.insert(rows)

    def store_answer(self, request: storage.RequestRow) -> None:
        """Keep the answer to a request that was not a beat. The chain does not move."""
        self._store.insert([("story_request", (*request, None))])

    def _people(self, beat: int, entries: list[dict[str, Json]]) -> list[storage.Insert]:
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
    """Who sees the entries of a bundle, and at which place."""

    def __init__(self, store: storage.Store, public: int) -> None:
        self.rows: list[storage.Insert] = []
        self.public = public
        self._public_before = public
        self._private_before: dict[str, int] = {}
        self._private: dict[str, int] = {}
        self._entries: list[tuple[storage.EntryRow, list[str]]] = []
        self._store = store

    def add(self, row: storage.EntryRow, visible_to: list[str]) -> None:
        self._entries.append((row, visible_to))
        if not visible_to:
            self.public += 1
            self.rows.append(("story_audience", (EVERYBODY, self.public, self.public, row.seq)))
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
        """Those of these entries that an identity sees."""
        return [row for row, visible_to in self._entries if not visible_to or own in visible_to]


def _entry_row(
    entry: dict[str, Json], seq: int, entry_id: str, bundle_id: str, instant: int
) -> storage.EntryRow:
    author = entry["author"]
    visibility = entry["visibility"]
    listed = canonical_text(visibility["visible_to"]) if visibility["visible_to"] else "[]"
    seen = (author["author_id"], author["author_class"], visibility["scope"], listed)
    return storage.EntryRow(
        seq, entry_id, bundle_id, instant, *seen, entry["channel"], entry["text"]
    )


def _shown(entry: dict[str, Json]) -> tuple[str, str, list[str]]:
    return (
        entry["author"]["author_class"],
        entry["author"]["author_id"],
        entry["visibility"]["visible_to"],
    )


def evidence_of(entries: Iterable[tuple[str, str, list[str]]]) -> list[tuple[str, str]]:
    """For each person a bundle shows something of, who newly sees it: everybody, or else some. An
    entry is given by the class of its author, the author, and the identities that it lists."""
    seen: dict[str, list[str]] = {}
    for author_class, author, visible_to in entries:
        if author_class == "PERSON":
            seen.setdefault(author, []).extend(visible_to or [EVERYBODY])
    return [
        (person, identity)
        for person, eyes in seen.items()
        for identity in ([EVERYBODY] if EVERYBODY in eyes else dict.fromkeys(eyes))
    ]


@lru_cache(maxsize=WINDOWS_KNOWN)
def window_digest(view: str, beat: int, state: bytes) -> str:
    """What a stored window is known by in the record of its beat."""
    return sha256(f"{beat} {view} ".encode() + state).hexdigest()[:DIGEST_CHARS]


def row_digest(row: Sequence[storage.Cell]) -> str:
    """What a row is known by in its beat's record."""
    return sha256(_exact(row)).hexdigest()[:DIGEST_CHARS]


def beat_row(
    head: storage.Head,
    request_id: str | None,
    *,
    kind: str,
    outcome: str,
    rows: Sequence[storage.Insert],
    bundle: Bundle = SILENT,
    windows: Mapping[str, str] | None = None,
) -> tuple[storage.Cell, ...]:
    """The row of a beat: where the ledger stands after it, and its record, chained to the link
    before it.

    The record says the same and has a digest for each row that the beat stored, by table and in
    their order, and for each window that it stored, by view.
    """
    clock = head.clock
    place = (clock.instant, int(clock.paused), clock.wall_us, head.seq, head.public)
    digests: dict[str, list[str]] = {}
    for table, row in rows:
        digests.setdefault(table, []).append(row_digest(row))
    cells = dict(zip(RECORDED, (head.beat, kind, outcome, *place, *bundle), strict=True))
    record = _exact({**cells, "rows": digests, "windows": windows or {}})
    return (
        head.beat,
        request_id,
        kind,
        outcome,
        *place,
        *bundle,
        record.decode(),
        link(head.link, record),
    )
