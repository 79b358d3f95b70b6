"""The SQL of a ledger: every query and insertion over one connection, and the index of full blocks.

All of it runs inside a transaction that the caller holds. The index is derived from the entries and
written in transactions of its own, so that no beat waits for it. If one of these fails, a later one
indexes the same block; until then the entries of that block are scanned.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Final

import msgspec

from thorp.store import Connection, Database, Row, Value
from thorp.store.session import Dialect
from thorp.story.clock import Clock
from thorp.story.config import StoryConfig
from thorp.story.inverted_index import (
    BLOCK_ENTRIES,
    PUBLIC_TERM,
    block_postings,
    first_seq,
    id_term,
    seqs_in,
)
from thorp.story.ledger import EVERYBODY, read_calls
from thorp.story.outcomes import UNUSABLE_WORDS
from thorp.story.schema import insertion
from thorp.story.storage import (
    Block,
    Cell,
    EntryRow,
    Head,
    Insert,
    PocketRow,
    StoredAnswer,
    StoredOutcome,
    StoredWindow,
)

ROWS_AT_ONCE: Final = 100  # Rows of one INSERT; more make the statement longer, not faster.
BEATS_AT_ONCE: Final = 1_000  # Beats that are read at a time in a search backwards.

_ENTRY: Final = (
    "SELECT e.seq, e.entry_id, e.bundle_id, e.instant, e.author_id, e.author_class, e.scope, "
    "e.visible_to, e.channel, e.text FROM story_entry e"
)
_LISTED: Final = {
    "sqlite": "SELECT value FROM json_each(?)",
    "postgresql": "SELECT value FROM jsonb_array_elements_text(?::jsonb)",
}
_LISTED_NUMBERS: Final = {
    "sqlite": "SELECT value FROM json_each(?)",
    "postgresql": "SELECT value::bigint FROM jsonb_array_elements_text(?::jsonb)",
}
_SEEN: Final = (
    f"{_ENTRY} JOIN story_audience a ON a.seq = e.seq "
    "WHERE a.identity = ? AND a.place > ? ORDER BY a.place LIMIT ?"
)
_BLOCK_AT: Final = (
    "SELECT number, public, (SELECT COUNT(*) FROM story_block) FROM story_block WHERE public <= ? "
    "ORDER BY number DESC LIMIT 1"
)
"""The last block with at most this number of public entries before it, and how many blocks there
are."""
_PUBLIC_AMONG: Final = (
    f"SELECT block, entries FROM story_posting WHERE term = '{PUBLIC_TERM}' AND block >= ? "
    "AND block < ? ORDER BY block LIMIT ?"
)
_PUBLIC_AFTER: Final = (
    f"{_ENTRY} WHERE e.seq > ? AND e.scope = 'PUBLIC' ORDER BY e.seq LIMIT ? OFFSET ?"
)
_PUBLIC_UNTIL: Final = (
    "SELECT b.public + (SELECT COUNT(*) FROM story_entry WHERE scope = 'PUBLIC' AND seq > b.number "
    f"* {BLOCK_ENTRIES} AND seq <= (b.number + 1) * {BLOCK_ENTRIES}) FROM story_block b "
    "WHERE b.number = ?"
)
_NAMED_UNINDEXED: Final = (
    f"{_ENTRY} WHERE e.seq > (SELECT COUNT(*) * {BLOCK_ENTRIES} FROM story_block) "
    "AND (e.entry_id IN ({0}) OR e.bundle_id IN ({0}))"
)
_EARLIEST: Final = (
    "SELECT (SELECT in_order FROM story_block WHERE number = ?), (SELECT MIN(first_instant) FROM "
    "story_block WHERE number > ?), (SELECT MIN(instant) FROM story_entry WHERE seq > (SELECT "
    f"CASE WHEN COUNT(*) * {BLOCK_ENTRIES} > ? THEN COUNT(*) * {BLOCK_ENTRIES} ELSE ? END FROM "
    "story_block))"
)
"""Whether a block is in order, and the earliest instants of the blocks after it and of the entries
that are not indexed."""
# Tables of which something is read once in a beat, and kept up to date by `_note`.
_NOTED: Final = frozenset(["story_audience", "story_beat", "story_pocket"])
LAST_BEAT: Final = (
    "SELECT n, seq, public, instant, paused, wall, link FROM story_beat ORDER BY n DESC LIMIT 1"
)
WINDOW_STATE: Final = {"sqlite": "CAST(w.state AS BLOB)", "postgresql": "w.state"}
"""A window's state as bytes, whatever its type: SQLite lets any value into any column."""
_PREFETCH: Final = {
    dialect: "SELECT h.n, h.seq, h.public, h.instant, h.paused, h.wall, h.link, "
    f"wb.n, {state}, wb.record, "
    "(SELECT n FROM story_audience WHERE identity = ? ORDER BY place DESC LIMIT 1), "
    "(SELECT MAX(n) FROM story_pocket), "
    "(SELECT n FROM story_beat WHERE request_id = ?), "
    "(SELECT 1 FROM story_refresh WHERE request_id = ?) "
    f"FROM ({LAST_BEAT}) h "
    "LEFT JOIN story_window w ON w.view = ? LEFT JOIN story_beat wb ON wb.n = w.beat"
    for dialect, state in WINDOW_STATE.items()
}
_ANSWER: Final = (
    "SELECT payload_hash, status, body FROM story_beat WHERE request_id = ? UNION ALL "
    "SELECT payload_hash, status, body FROM story_refresh WHERE request_id = ?"
)
_WINDOW: Final = {
    dialect: f"SELECT wb.n, {state}, wb.record FROM story_window w JOIN story_beat wb ON wb.n = "
    "w.beat "
    "WHERE w.view = ?"
    for dialect, state in WINDOW_STATE.items()
}

BLOCKS_AT_ONCE: Final = 4
"""Blocks that are indexed in one transaction: few, so that beats in the queue do not wait long."""
POSTINGS_AT_ONCE: Final = 8  # Blocks whose public entries are read at a time: a page has few.


def _head(row: Sequence[Any]) -> Head:
    beat, seq, public, instant, paused, wall, link = row
    return Head(
        beat=beat,
        seq=seq,
        public=public,
        clock=Clock(instant, bool(paused), wall),
        link=bytes(link),
    )


def _joined(rows: Sequence[Insert]) -> Iterator[tuple[str, Sequence[Cell]]]:
    """Adjacent rows of one table as one sequence of cells, at most ROWS_AT_ONCE rows each."""
    for table, group in groupby(rows, key=itemgetter(0)):
        while some := [cell for _, row in islice(group, ROWS_AT_ONCE) for cell in row]:
            yield table, some


class Tables:
    """The store over one connection. Values that do not change within a beat are read once."""

    def __init__(self, connection: Connection, config: StoryConfig) -> None:
        self._connection = connection
        self._execute = connection.execute
        self._dialect = connection.dialect
        self._config = config
        self._people: set[str] | None = None
        self._head: Head | None = None
        self._unanswered: set[str] = set()
        self._windows: dict[str, StoredWindow | None] = {}
        self._private: dict[str, int] = {}
        self._has_pocket = True

    # Reading.

    def prefetch(self, request_id: str, view: str) -> None:
        """Read in one query what every beat begins with."""
        operator = self._config.identity.operator_id
        parameters = [operator, request_id, request_id, view]
        [row] = self._execute(_PREFETCH[self._dialect], parameters)
        beat, state, record, private, pocket, answered, refreshed = row[7:]
        self._head = _head(row[:7])
        if answered is None and refreshed is None:
            self._unanswered.add(request_id)
        self._windows[view] = None if beat is None else StoredWindow(beat, bytes(state), record)
        self._private[operator] = private or 0
        self._has_pocket = pocket is not None

    def head(self) -> Head:
        if self._head is None:
            [row] = self._execute(LAST_BEAT)
            self._head = _head(row)
        return self._head

    def stored_answer(self, request_id: str) -> StoredAnswer | None:
        if request_id in self._unanswered:
            return None
        rows = self._execute(_ANSWER, [request_id, request_id])
        return StoredAnswer(*rows[0]) if rows else None

    def window(self, view: str) -> StoredWindow | None:
        if view in self._windows:
            return self._windows[view]
        rows = self._execute(_WINDOW[self._dialect], [view])
        return StoredWindow(rows[0][0], bytes(rows[0][1]), rows[0][2]) if rows else None

    def pack(self, pack_id: str) -> str:
        [(body,)] = self._execute("SELECT body FROM story_pack WHERE pack_id = ?", [pack_id])
        text: str = body
        return text

    def is_person(self, identity: str) -> bool:
        if self._people is None:
            self._people = {person.person_id for person in self._config.people}
        if identity in self._people:
            return True
        if self._config.people_open and self._execute(
            "SELECT 1 FROM story_person WHERE person_id = ?", [identity]
        ):
            self._people.add(identity)  # people are never removed, so this stays true
            return True
        return False

    def people_count(self) -> int:
        [(count,)] = self._execute("SELECT COUNT(*) FROM story_person")
        return len(self._config.people) + int(count)

    def visible(self, own: str | None, place: int, limit: int) -> list[EntryRow]:
        if own is not None and not self.private_count(own):
            own = None
        # Up to a place, an identity sees its private entries, which have rows, and the public ones,
        # which are the rest. So the two can be read apart and merged.
        private_before = 0
        if own is not None:
            select = (
                "SELECT n FROM story_audience WHERE identity = ? AND place <= ? ORDER BY place "
                "DESC LIMIT 1"
            )
            [private_before] = next(iter(self._execute(select, [own, place])), (0,))
        rows = self._public(place - private_before, limit)
        if own is None:
            return rows
        rows += [EntryRow(*row) for row in self._execute(_SEEN, [own, place, limit])]
        return sorted(rows, key=lambda row: row.seq)[:limit]

    def _public(self, place: int, limit: int) -> list[EntryRow]:
        """The public entries after a place: those in full blocks by their index, the others by a
        scan."""
        number, before, blocks = next(iter(self._execute(_BLOCK_AT, [place])), (0, 0, 0))
        skipped = place - before
        seqs: list[int] = []
        for block, places in self._public_postings(number, blocks):
            in_block = seqs_in(block, places)
            seqs += in_block[skipped : skipped + limit - len(seqs)]
            skipped = max(0, skipped - len(in_block))
            if len(seqs) == limit:
                break
        public = sorted(self.entries(seqs)) if seqs else []
        if len(public) < limit:
            unindexed = [first_seq(blocks) - 1, limit - len(public), skipped]
            public += [EntryRow(*row) for row in self._execute(_PUBLIC_AFTER, unindexed)]
        return public

    def _public_postings(self, number: int, blocks: int) -> Iterator[tuple[int, bytes]]:
        """The postings of public entries, from a block on. A block without any has none."""
        while rows := self._execute(_PUBLIC_AMONG, [number, blocks, POSTINGS_AT_ONCE]):
            for block, places in rows:
                yield block, bytes(places)
            number = rows[-1][0] + 1

    def private_count(self, own: str) -> int:
        if own not in self._private:
            select = "SELECT n FROM story_audience WHERE identity = ? ORDER BY place DESC LIMIT 1"
            rows = self._execute(select, [own])
            self._private[own] = rows[0][0] if rows else 0
        return self._private[own]

    def entries(self, seqs: Sequence[int]) -> list[EntryRow]:
        listed = msgspec.json.encode(list(seqs)).decode()
        rows = self._execute(
            f"{_ENTRY} WHERE e.seq IN ({_LISTED_NUMBERS[self._dialect]})", [listed]
        )
        return [EntryRow(*row) for row in rows]

    def entries_after(self, seq: int) -> list[EntryRow]:
        return [
            EntryRow(*row)
            for row in self._execute(f"{_ENTRY} WHERE e.seq > ? ORDER BY e.seq", [seq])
        ]

    def entries_named(self, ids: Sequence[str]) -> list[EntryRow]:
        names = _LISTED[self._dialect]
        listed = msgspec.json.encode(list(ids)).decode()
        # Entries that are not indexed are read first. A block that is indexed between the two
        # queries is then read twice, and not missed.
        unindexed = self._execute(_NAMED_UNINDEXED.format(names), [listed] * 2)
        rows = {EntryRow(*row) for row in unindexed}
        terms = msgspec.json.encode([id_term(each) for each in ids]).decode()
        select = f"SELECT block, entries FROM story_posting WHERE term IN ({names})"
        indexed = self._execute(select, [terms])
        rows.update(
            self.entries([seq for block, at in indexed for seq in seqs_in(block, bytes(at))])
        )
        return sorted(rows)

    def origins(self, ids: Sequence[str]) -> list[tuple[str, int, str, int, str]]:
        """For each of these entries: its id, its beat, its request's id, its place in that
        request's bundle, and the envelope."""
        wanted = {*ids}
        named = [row.seq for row in self.entries_named(ids) if row.entry_id in wanted]
        listed = msgspec.json.encode(named).decode()
        rows: list[Any] = self._execute(
            "SELECT e.entry_id, e.beat, b.request_id, e.seq - before.seq - 1, b.envelope FROM "
            "story_entry e JOIN story_beat b ON b.n = e.beat JOIN story_beat before ON before.n "
            f"= b.n - 1 WHERE e.seq IN ({_LISTED_NUMBERS[self._dialect]})",
            [listed],
        )
        return rows

    def blocks(self) -> list[Block]:
        rows = self._execute(
            "SELECT number, public, first_instant, last_instant, in_order FROM story_block "
            "ORDER BY number"
        )
        return [
            Block(
                number=number,
                public=public,
                first_instant=first,
                last_instant=last,
                in_order=bool(in_order),
            )
            for number, public, first, last, in_order in rows
        ]

    def public_before(self, block: int) -> int:
        """How many public entries there are before a block, from the count of the block before."""
        counted = self._execute(_PUBLIC_UNTIL, [block - 1])
        return int(counted[0][0]) if counted else 0

    def has_none_earlier(self, seq: int, instant: int) -> bool:
        own_block = (seq - 1) // BLOCK_ENTRIES
        [(in_order, in_blocks, in_rest)] = self._execute(
            _EARLIEST, [own_block, own_block, seq, seq]
        )
        is_earlier = any(each is not None and each < instant for each in (in_blocks, in_rest))
        return in_order != 0 and not is_earlier

    def postings(self, term: str) -> list[tuple[int, bytes]]:
        select = "SELECT block, entries FROM story_posting WHERE term = ? ORDER BY block"
        rows: list[Any] = self._execute(select, [term])
        return rows

    def evidence(self, person: str, own: str | None) -> int:
        select = "SELECT bundles FROM story_evidence WHERE person = ? AND identity IN (?, ?)"
        rows = self._execute(select, [person, EVERYBODY, own or EVERYBODY])
        return sum(count for (count,) in rows)

    def pocket(self) -> list[PocketRow]:
        if not self._has_pocket:
            return []
        rows = self._execute(
            "SELECT p.seq, p.kind, p.fields, e.scope, e.visible_to "
            "FROM story_pocket p JOIN story_entry e ON e.seq = p.seq ORDER BY p.n"
        )
        return [PocketRow(*row) for row in rows]

    # Writing.

    def insert(self, rows: Sequence[Insert]) -> None:
        """Insert rows in their order; adjacent rows of one table in one statement."""
        one_each = len(dict(rows)) == len(rows)
        for table, cells in rows if one_each else _joined(rows):
            self._execute(insertion(table, len(cells)), cells)
            if table in _NOTED:
                self._note(table, cells)

    def _note(self, table: str, cells: Sequence[Any]) -> None:
        """Update the values that were read once, after rows were added to their table."""
        if table == "story_audience":
            self._private.update(zip(cells[::4], cells[2::4], strict=True))
        elif table == "story_beat":
            n, _, _, _, instant, paused, wall, seq, public, _, _, _, link, *_ = cells
            self._head = Head(
                beat=n, seq=seq, public=public, clock=Clock(instant, bool(paused), wall), link=link
            )
        else:
            self._has_pocket = True

    def set_window(self, view: str, beat: int, state: bytes) -> None:
        self._windows.pop(view, None)
        self._execute(
            "INSERT INTO story_window (view, beat, state) VALUES (?, ?, ?) "
            "ON CONFLICT (view) DO UPDATE SET beat = excluded.beat, state = excluded.state",
            [view, beat, state],
        )

    def count_evidence(self, person: str, own: str, bundles: int = 1) -> None:
        self._execute(
            "INSERT INTO story_evidence (person, identity, bundles) VALUES (?, ?, ?) "
            "ON CONFLICT (person, identity) DO UPDATE SET bundles = story_evidence.bundles + "
            "excluded.bundles",
            [person, own, bundles],
        )

    def stored_outcome(self, request_id: str) -> StoredOutcome | None:
        select = "SELECT n, outcome FROM story_beat WHERE request_id = ? AND kind = 'BEAT'"
        rows = self._execute(select, [request_id])
        if not rows:
            return None
        [(beat, outcome)] = rows
        return StoredOutcome(beat, outcome, writer_failure(self._connection, beat, outcome))

    # Spending, which is kept beside the story.

    def spent(self, day: int) -> tuple[int, int]:
        """Calls and tokens that models took on a day."""
        rows = self._execute("SELECT calls, tokens FROM story_spending WHERE day = ?", [day])
        return rows[0] if rows else (0, 0)

    def count_spending(self, day: int, calls: int, tokens: int) -> None:
        self._execute(
            "INSERT INTO story_spending (day, calls, tokens) VALUES (?, ?, ?) "
            "ON CONFLICT (day) DO UPDATE SET calls = story_spending.calls + excluded.calls, "
            "tokens = story_spending.tokens + excluded.tokens",
            [day, calls, tokens],
        )


def writer_failure(connection: Connection, beat: int, outcome: str) -> tuple[str, str] | None:
    """The code and the message of the failure that a beat's writer ended with; None if it did not
    fail."""
    if outcome != "FAILED":
        return None
    [(text,)] = connection.execute("SELECT calls FROM story_beat WHERE n = ?", [beat])
    calls = read_calls(text)
    said = msgspec.json.decode(calls[-1].said) if calls else {}
    return (said["code"], said["message"]) if "code" in said else UNUSABLE_WORDS


def requests_before(connection: Connection, beat: int) -> list[tuple[int, str]]:
    """The last requests before a beat, from the latest back, each with its beat; some at a
    time."""
    rows: list[Any] = connection.execute(
        "SELECT n, request_id FROM story_beat WHERE n < ? AND request_id IS NOT NULL "
        "ORDER BY n DESC LIMIT ?",
        [beat, BEATS_AT_ONCE],
    )
    return rows


class SnapshotReads:
    """A read-only connection with one transaction a statement: none is open while a slow writer
    works."""

    def __init__(self, database: Database, dialect: Dialect) -> None:
        self.dialect = dialect
        self._database = database

    def execute(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        return self._database.read(lambda connection: connection.execute(sql, params))


def index_full_blocks(connection: Connection, config: StoryConfig) -> int:
    """Index the next full blocks that are not indexed yet; return how many are indexed then."""
    tables = Tables(connection, config)
    [(done,)] = connection.execute("SELECT COUNT(*) FROM story_block")
    last = min(tables.head().seq // BLOCK_ENTRIES, int(done) + BLOCKS_AT_ONCE)
    public = tables.public_before(done)
    for number in range(done, last):
        rows = block_rows(tables, number)
        postings = sorted(block_postings(rows).items())
        tables.insert([("story_posting", (term, number, entries)) for term, entries in postings])
        *described, in_order = describe_block(number, public, rows)
        tables.insert([("story_block", (*described, int(in_order)))])
        public += public_among(rows)
    return last


def block_rows(tables: Tables, number: int) -> list[EntryRow]:
    """The entries of a block, in ledger order."""
    first = first_seq(number)
    return sorted(tables.entries(range(first, first + BLOCK_ENTRIES)))


def describe_block(number: int, public: int, rows: list[EntryRow]) -> Block:
    """The row of a block that has `public` public entries before it: its time span, and whether its
    entries are in the order of world time."""
    instants = [row.instant for row in rows]
    return Block(
        number=number,
        public=public,
        first_instant=min(instants),
        last_instant=max(instants),
        in_order=instants == sorted(instants),
    )


def public_among(rows: list[EntryRow]) -> int:
    """How many of these entries everybody may see."""
    return sum(row.scope == "PUBLIC" for row in rows)
