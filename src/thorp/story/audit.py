"""Verifies a ledger: follows the chain and compares every row with its digest there.

A changed or added row is named by its table and key, and a missing one by its table and beat. What
is derived from the rows (who sees what, the index) is computed again and compared. Requests that
were not beats are not part of the chain.
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
from thorp.story.inverted_index import block_postings
from thorp.story.ledger import EVERYBODY, RECORDED, evidence_of, row_digest, window_digest
from thorp.story.schema import COLUMNS
from thorp.story.storage import read_listed
from thorp.story.tables import WINDOW_STATE, Tables, block_rows, describe_block

PAGE: Final = 500  # Beats, or other rows, that are read at a time.

_COVERED: Final = (
    "story_request",
    "story_person",
    "story_pocket",
    "story_pack",
    "story_call",
    "story_tool",
)
"""Tables of the chain that have their beat as a key. Entries have their own order."""


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
    n: int
    request_id: str
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
    record: str
    link: bytes


def verify_ledger(
    connection: Connection, config: StoryConfig, noted: str | None = None
) -> Verified:
    """`noted` is a tip of an earlier day, in hexadecimal: it must be a link of the chain still."""
    check = _Check(connection, config, noted)
    difference = None
    try:
        check.run()
    except _Differs as found:
        difference = str(found)
    return Verified(
        beats=check.beats, entries=check.entries, tip=check.tip.hex(), difference=difference
    )


class _Check:
    def __init__(self, connection: Connection, config: StoryConfig, noted: str | None) -> None:
        self._noted = noted
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
        beats = map(_Beat._make, _paged(self._connection, "story_beat", "n"))
        while page := list(islice(beats, PAGE)):
            rows = {table: self._rows_of(table, page[0].n, page[-1].n) for table in _COVERED}
            for beat in page:
                self._follow(
                    beat, {table: by_beat.get(beat.n, []) for table, by_beat in rows.items()}
                )
        if self._noted is not None:
            raise _Differs(not_on_chain(self._noted))
        self._nothing_behind()
        self._audience.end()
        self._derived()
        self._check_windows()

    def _rows_of(self, table: str, first: int, last: int) -> dict[int, list[Row]]:
        columns = COLUMNS[table]
        where = f"FROM {table} WHERE beat"
        named = columns
        if table == "story_request":  # its beat has no index, but its beat's request has
            where = (
                "FROM story_beat b JOIN story_request r ON r.request_id = b.request_id WHERE b.n"
            )
            named = tuple(f"r.{name}" for name in columns)
        by_beat: dict[int, list[Row]] = {}
        select = f"SELECT {', '.join(named)} {where} BETWEEN ? AND ?"
        for row in self._connection.execute(select, [first, last]):
            by_beat.setdefault(row[columns.index("beat")], []).append(row)
        return by_beat

    def _follow(self, beat: _Beat, rows: dict[str, list[Row]]) -> None:
        tip = link(self.tip, beat.record.encode())
        if beat.n != self.beats + 1 or tip != bytes(beat.link):
            raise _Differs(f"story_beat {self.beats + 1} was changed, or one before it is missing")
        record: dict[str, Json] = msgspec.json.decode(beat.record)
        recorded = tuple(record.get(name) for name in RECORDED)
        if recorded != (beat.n, *beat[2:-2]):
            raise _Differs(f"story_beat {beat.n} was changed")
        if beat.n == 0:
            rows["story_world"] = list(_paged(self._connection, "story_world", "id"))
        rows["story_entry"] = list(self._entries_of(beat.n))
        for table, stored in rows.items():
            _compare(table, beat.n, stored, record["rows"].get(table, []))
        if (beat.bundle_id is None) != (not rows["story_entry"]):
            raise _Differs(
                f"story_beat {beat.n} has a bundle without entries, or entries without a bundle"
            )
        for entry in rows["story_entry"]:
            if entry[-1] != beat.bundle_id:
                raise _Differs(f"story_entry {entry[0]} is of another bundle than its beat")
            self._audience.expect(entry)
        authorship = [(row[5], row[4], read_listed(row[7]) or []) for row in rows["story_entry"]]
        self._evidence.update(evidence_of(authorship))
        self._windows |= {view: (beat.n, digest) for view, digest in record["windows"].items()}
        self.beats = beat.n
        self.tip = tip
        if tip.hex() == self._noted:
            self._noted = None
        self.entries += len(rows["story_entry"])
        if (beat.seq, beat.public) != (self.entries, self._audience.counts[EVERYBODY]):
            raise _Differs(f"story_beat {beat.n} counts other entries than there are")

    def _entries_of(self, beat: int) -> Iterator[Row]:
        while self._next_entry is not None and self._next_entry[2] == beat:
            yield self._next_entry
            self._next_entry = next(self._unread_entries, None)

    def _nothing_behind(self) -> None:
        if self._next_entry is not None:
            raise _Differs(f"story_entry {self._next_entry[0]} was added; no beat has it")
        for table in _COVERED:
            rows = self._connection.execute(
                f"SELECT {COLUMNS[table][0]} FROM {table} WHERE beat > ? OR beat < 1 LIMIT 1",
                [self.beats],
            )
            if rows:
                raise _Differs(f"{table} {rows[0][0]} was added; no beat has it")
        strangers = self._connection.execute(
            "SELECT r.request_id FROM story_request r LEFT JOIN story_beat b ON b.n = r.beat "
            "AND b.request_id = r.request_id WHERE r.beat IS NOT NULL AND b.n IS NULL LIMIT 1"
        )
        if strangers:
            raise _Differs(f"story_request {strangers[0][0]} was added; no beat has it")

    def _derived(self) -> None:
        """What is kept beside the chain for speed must follow from it."""
        kept = self._connection.execute("SELECT person, identity, bundles FROM story_evidence")
        if {(person, identity): count for person, identity, count in kept} != dict(self._evidence):
            raise _Differs("story_evidence is not what the entries give")
        tables = Tables(self._connection, self._config)
        for block in tables.blocks():
            rows = block_rows(tables, block.number)
            expected = block_postings(rows)
            select = "SELECT term, entries FROM story_posting WHERE block = ?"
            postings = self._connection.execute(select, [block.number])
            stored = {term: bytes(entries) for term, entries in postings}
            if stored != expected or block != describe_block(block.number, rows):
                raise _Differs(
                    f"story_posting of block {block.number} is not what the entries give"
                )

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
    columns = COLUMNS[table]
    last = -1
    select = (
        f"SELECT {', '.join(columns)} FROM {table} WHERE {where}{key} > ? ORDER BY {key} "
        f"LIMIT {PAGE}"
    )
    while rows := connection.execute(select, [*params, last]):
        yield from rows
        last = rows[-1][columns.index(key)]


def _compare(table: str, beat: int, rows: list[Row], digests: list[str]) -> None:
    """Every row has its digest in the record, and every digest its row."""
    left = Counter(digests)
    for row in rows:
        digest = row_digest(row)
        if not left[digest]:
            key = f"{row[0]}.{row[1]}" if table in ("story_call", "story_tool") else row[0]
            raise _Differs(f"{table} {key} is not what beat {beat} stored")
        left[digest] -= 1
    if left.total():
        raise _Differs(f"{table}: a row that beat {beat} stored is missing")


class _AudienceCheck:
    """Who sees what, computed again from the entries and held against the table."""

    def __init__(self, connection: Connection) -> None:
        self.counts: Counter[str] = (
            Counter()
        )  # Entries that each identity sees, without those for everybody.
        self._connection = connection
        self._stored: dict[str, Iterator[Row]] = {}

    def expect(self, entry: Row) -> None:
        seq = entry[0]
        visible_to = read_listed(entry[7])
        for identity in visible_to or [EVERYBODY]:
            self.counts[identity] += 1
            n = self.counts[identity]
            self._demand((identity, n + self.counts[EVERYBODY] if visible_to else n, n, seq))

    def end(self) -> None:
        [(count,)] = self._connection.execute("SELECT COUNT(*) FROM story_audience")
        if count != self.counts.total():
            raise _Differs("story_audience has a row that no entry gives")

    def _demand(self, row: Row) -> None:
        rows = self._stored.get(row[0])
        if rows is None:
            rows = _paged(
                self._connection, "story_audience", "place", "identity = ? AND ", [row[0]]
            )
            self._stored[row[0]] = rows
        if next(rows, None) != row:
            raise _Differs(f"story_audience of entry {row[3]} is not what the entry says")
