"""Verifies a ledger: follows the chain and compares every row with its digest there.

A changed or added row is named by its table and key, and a missing one by its table and beat.
Tables that are derived from the rows (who sees what, the index) are computed again and compared.
Requests that were not beats are not part of the chain.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.chain import GENESIS, link, not_on_chain
from thorp.store import Connection, Row
from thorp.story.config import StoryConfig
from thorp.story.ids import IdGenerator
from thorp.story.inverted_index import block_postings
from thorp.story.ledger import (
    FOUNDED,
    RECORDED,
    evidence_of,
    parts_of,
    read_calls,
    row_digest,
    window_digest,
)
from thorp.story.schema import COLUMNS
from thorp.story.storage import Cell, RequestRow, read_listed
from thorp.story.tables import WINDOW_STATE, Tables, block_rows, describe_block, public_among

PAGE: Final = 500  # Beats, or other rows, that are read at a time.

_COVERED: Final = ("story_branch", "story_person", "story_pocket", "story_pack", "story_tool")
"""Tables of the chain that have their beat as a column. Entries have their own order."""
_PARTS: Final = {"story_request": "request", "story_call": "list of calls"}
"""Parts of a beat's own row that its record has digests of: the record's names, and ours."""


class Verified(msgspec.Struct, frozen=True):
    """What `verify` found: `difference` is None when everything is as the chain says."""

    beats: int
    entries: int
    tip: str
    difference: str | None
    self_check: str | None = None
    """The database's own check that found nothing; None if it has none that we may run."""


class _Differs(Exception):
    """The first thing that is not as it should be."""


class _Beat(NamedTuple):
    """A row of `story_beat`, in the order of its columns."""

    n: int
    request_id: str | None
    kind: str
    outcome: str
    instant: int
    paused: int
    wall: int | None
    seq: int
    public: int
    bundle_id: str | None
    engine: str | None
    actor: str | None
    link: bytes
    payload_hash: str
    status: int
    record: str
    body: str
    envelope: str
    calls: str

    @property
    def recorded(self) -> tuple[Cell, ...]:
        """The columns that are members of the record too, in the order of RECORDED."""
        return (self.n, *self[2:12])

    def part_digests(self) -> dict[str, list[str]]:
        """The digests of the row's `_PARTS`, by the record's names for them."""
        request = None
        if self.request_id is not None:
            request = RequestRow(
                request_id=self.request_id,
                kind=self.kind,
                payload_hash=self.payload_hash,
                envelope=self.envelope,
                status=self.status,
                body=self.body,
            )
        digests: dict[str, list[str]] = {name: [] for name in _PARTS}
        for name, row in parts_of(self.n, request, read_calls(self.calls)):
            digests[name].append(row_digest(row))
        return digests


def verify_ledger(
    connection: Connection, config: StoryConfig, ids: IdGenerator, noted: str | None = None
) -> Verified:
    """Verify the ledger of this database. `noted` is a tip from an earlier day, in hexadecimal: it
    must still be a link of the chain."""
    check = _Check(connection, config, ids, noted)
    difference = None
    try:
        check.run()
    except _Differs as first_difference:
        difference = str(first_difference)
    return Verified(
        beats=check.beats, entries=check.entries, tip=check.tip.hex(), difference=difference
    )


class _Check:
    """One verification: follows the chain, and collects what the derived tables must hold."""

    def __init__(
        self, connection: Connection, config: StoryConfig, ids: IdGenerator, noted: str | None
    ) -> None:
        self._noted = noted
        self._ids = ids
        self.beats = -1
        self.entries = 0
        self.tip = GENESIS
        self._connection = connection
        self._config = config
        self._unread_entries = _paged(connection, "story_entry", "seq")
        self._next_entry = next(self._unread_entries, None)
        self._audience = _AudienceCheck(connection)
        self._evidence: Counter[tuple[str, str]] = Counter()
        self._windows: dict[str, tuple[int, str]] = {}

    def run(self) -> None:
        """Raise the first difference, if there is one."""
        beats = map(_Beat._make, _paged(self._connection, "story_beat", "n"))
        while page := list(islice(beats, PAGE)):
            rows = {table: self._rows_of(table, page[0].n, page[-1].n) for table in _COVERED}
            for beat in page:
                self._follow(
                    beat, {table: by_beat.get(beat.n, []) for table, by_beat in rows.items()}
                )
        if self._noted is not None:
            raise _Differs(not_on_chain(self._noted))
        self._check_nothing_added()
        self._audience.end()
        self._check_derived()
        self._check_windows()

    def _rows_of(self, table: str, first: int, last: int) -> dict[int, list[Row]]:
        """The rows of a table that belong to some beats, by beat."""
        columns = COLUMNS[table]
        by_beat: dict[int, list[Row]] = {}
        select = f"SELECT {', '.join(columns)} FROM {table} WHERE beat BETWEEN ? AND ?"
        for row in self._connection.execute(select, [first, last]):
            by_beat.setdefault(row[columns.index("beat")], []).append(row)
        return by_beat

    def _follow(self, beat: _Beat, rows: dict[str, list[Row]]) -> None:
        """Check one beat: its link, the members of its record, and the digest of every row that it
        stored; then count what the derived tables must have from it."""
        tip = link(self.tip, beat.record.encode())
        if beat.n != self.beats + 1 or tip != bytes(beat.link):
            raise _Differs(f"story_beat {self.beats + 1} was changed, or one before it is missing")
        record: dict[str, Json] = msgspec.json.decode(beat.record)
        if tuple(record.get(name) for name in RECORDED) != beat.recorded:
            raise _Differs(f"story_beat {beat.n} was changed")
        _compare_parts(beat, record["rows"])
        if beat.n == 0:
            rows["story_world"] = list(_paged(self._connection, "story_world", "id"))
        rows["story_entry"] = list(self._entries_of(beat.n))
        for table, stored in rows.items():
            _compare(table, beat.n, stored, record["rows"].get(table, []))
        if beat.n > 0 and (beat.kind == FOUNDED) != bool(rows["story_branch"]):
            raise _Differs(f"story_beat {beat.n} and story_branch say otherwise of a branch")
        if beat.kind == FOUNDED:
            self._windows.clear()  # A branch begins without windows.
        if (beat.bundle_id is None) != (not rows["story_entry"]):
            raise _Differs(
                f"story_beat {beat.n} has a bundle without entries, or entries without a bundle"
            )
        if beat.bundle_id not in (None, self._ids.bundle(beat.n)):
            raise _Differs(f"story_beat {beat.n} has the id of another bundle")
        for entry in rows["story_entry"]:
            if entry[-1] != beat.bundle_id:
                raise _Differs(f"story_entry {entry[0]} is of another bundle than its beat")
            if entry[1] != self._ids.entry(entry[0]):
                raise _Differs(f"story_entry {entry[0]} has the id of another entry")
            self._audience.expect(entry)
        authorship = [(row[5], row[4], read_listed(row[7]) or []) for row in rows["story_entry"]]
        self._evidence.update(evidence_of(authorship))
        self._windows |= {view: (beat.n, digest) for view, digest in record["windows"].items()}
        self.beats = beat.n
        self.tip = tip
        if tip.hex() == self._noted:
            self._noted = None
        self.entries += len(rows["story_entry"])
        if (beat.seq, beat.public) != (self.entries, self._audience.public):
            raise _Differs(f"story_beat {beat.n} counts other entries than there are")

    def _entries_of(self, beat: int) -> Iterator[Row]:
        """The next entries, as long as they belong to a beat: entries are read once, in order."""
        while self._next_entry is not None and self._next_entry[2] == beat:
            yield self._next_entry
            self._next_entry = next(self._unread_entries, None)

    def _check_nothing_added(self) -> None:
        """No row belongs to a beat that does not exist."""
        if self._next_entry is not None:
            raise _Differs(f"story_entry {self._next_entry[0]} was added; no beat has it")
        for table in _COVERED:
            rows = self._connection.execute(
                f"SELECT {COLUMNS[table][0]} FROM {table} WHERE beat > ? OR beat < 1 LIMIT 1",
                [self.beats],
            )
            if rows:
                raise _Differs(f"{table} {rows[0][0]} was added; no beat has it")
        twice = self._connection.execute(
            "SELECT r.request_id FROM story_refresh r JOIN story_beat b "
            "ON b.request_id = r.request_id LIMIT 1"
        )
        if twice:
            raise _Differs(f"story_refresh {twice[0][0]} was added; a beat has that request")

    def _check_derived(self) -> None:
        """Tables that are kept for speed, outside of the chain, must follow from the entries."""
        kept = self._connection.execute("SELECT person, identity, bundles FROM story_evidence")
        if {(person, identity): count for person, identity, count in kept} != dict(self._evidence):
            raise _Differs("story_evidence is not what the entries give")
        tables = Tables(self._connection, self._config)
        public = 0
        for block in tables.blocks():
            rows = block_rows(tables, block.number)
            expected = block_postings(rows)
            select = "SELECT term, entries FROM story_posting WHERE block = ?"
            postings = self._connection.execute(select, [block.number])
            stored = {term: bytes(entries) for term, entries in postings}
            if stored != expected or block != describe_block(block.number, public, rows):
                raise _Differs(
                    f"story_posting of block {block.number} is not what the entries give"
                )
            public += public_among(rows)

    def _check_windows(self) -> None:
        """Each view has the window that its last beat kept, and no other view has one."""
        state = WINDOW_STATE[self._connection.dialect]
        rows = self._connection.execute(f"SELECT w.view, w.beat, {state} FROM story_window w")
        stored = {
            view: (beat, window_digest(view, beat, bytes(state))) for view, beat, state in rows
        }
        for view in sorted({*stored, *self._windows}):
            if stored.get(view) != self._windows.get(view):
                raise _Differs(f"story_window {view} is not what its last beat kept")


def _paged(
    connection: Connection, table: str, key: str, where: str = "", params: Sequence[str] = ()
) -> Iterator[Row]:
    """The rows of a table in the order of a key, read a page at a time."""
    columns = COLUMNS[table]
    last = -1
    select = (
        f"SELECT {', '.join(columns)} FROM {table} WHERE {where}{key} > ? ORDER BY {key} "
        f"LIMIT {PAGE}"
    )
    while rows := connection.execute(select, [*params, last]):
        yield from rows
        last = rows[-1][columns.index(key)]


def _compare_parts(beat: _Beat, recorded: dict[str, list[str]]) -> None:
    """Check the parts of a beat's own row against their digests in the record."""
    try:
        digests = beat.part_digests()
    except msgspec.MsgspecError:
        raise _Differs(f"story_beat {beat.n}: its list of calls cannot be read") from None
    for name, part in _PARTS.items():
        if digests[name] != recorded.get(name, []):
            raise _Differs(f"story_beat {beat.n}: its {part} is not what it stored")


def _compare(table: str, beat: int, rows: list[Row], digests: list[str]) -> None:
    """Check that every row has its digest in the record, and every digest its row."""
    left = Counter(digests)
    for row in rows:
        digest = row_digest(row)
        if not left[digest]:
            key = f"{row[0]}.{row[1]}" if table == "story_tool" else row[0]
            raise _Differs(f"{table} {key} is not what beat {beat} stored")
        left[digest] -= 1
    if left.total():
        raise _Differs(f"{table}: a row that beat {beat} stored is missing")


class _AudienceCheck:
    """Computes again from the entries who sees what, and compares it with `story_audience`."""

    def __init__(self, connection: Connection) -> None:
        self.public = 0  # Entries that everybody sees.
        self._private: Counter[str] = Counter()  # Private entries that list each identity.
        self._connection = connection
        self._stored: dict[str, Iterator[Row]] = {}

    def expect(self, entry: Row) -> None:
        """Check the rows of the next entry: one for each reader, or one for everybody."""
        seq = entry[0]
        visible_to = read_listed(entry[7])
        if not visible_to:
            self.public += 1
            return
        for identity in visible_to:
            self._private[identity] += 1
            n = self._private[identity]
            self._demand((identity, n + self.public, n, seq))

    def end(self) -> None:
        """Check that there are no rows but those of entries."""
        [(count,)] = self._connection.execute("SELECT COUNT(*) FROM story_audience")
        if count != self._private.total():
            raise _Differs("story_audience has a row that no entry gives")

    def _demand(self, row: Row) -> None:
        """Check that the next stored row of an identity is this one."""
        rows = self._stored.get(row[0])
        if rows is None:
            rows = _paged(
                self._connection, "story_audience", "place", "identity = ? AND ", [row[0]]
            )
            self._stored[row[0]] = rows
        if next(rows, None) != row:
            raise _Differs(f"story_audience of entry {row[3]} is not what the entry says")
