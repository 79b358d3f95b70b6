"""The tape: what spectators could have seen of a world, kept in `DATA/tape` for the page's time
lane.

It is a cache. Everything in it follows from the world's journal, so it may be deleted at any time,
and is then made again; `tape_file` says what happens to anything else that lies in its place.
Questions that come meanwhile end with an UnavailableError that has the reason. The file may have
been written by somebody else: no length in it is trusted.

The ground of a tick is computed from the present ground by taking back every change since. If the
tape has a gap in between, or a season has ended, it is computed from the untouched land and every
change up to the tick.
"""

import itertools
import zlib
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from thorp.kernel.errors import DamagedError, IllegalError, LimitError, UnavailableError
from thorp.kernel.inflate import GZIP, inflate
from thorp.observer.society_curves import MAX_SAMPLES, SocietySample
from thorp.observer.tape_file import COMPONENT, TapeFile
from thorp.observer.tape_recorder import (
    BIN_TICKS,
    BINS,
    CHANGE,
    SEGMENT_TICKS,
    SORTS,
    VERSION,
    Changes,
    Mark,
    Segment,
    Square,
)
from thorp.store import Connection, Database, DiskError, StatementError, Step, migrate
from thorp.voxel import Position
from thorp.voxel.state.ground import ChunkKey, Terrain, chunks_between

# The longest segment, as it is and compressed. One of 500 agents that all walk and talk has some
# 8 MB, and a tenth of that compressed.
MAX_SEGMENT_BYTES: Final = 64 * 2**20
MAX_PACKED_BYTES: Final = 16 * 2**20
# In one answer.
MAX_MARKS_SHOWN: Final = 400
MAX_BINS: Final = 1_000
MAX_TOLLS_READ: Final = 50_000
TOLLS_SHOWN: Final = 8
# A building takes less than this, and its builder never pauses longer than that: a night.
RISING_TICKS: Final = 12_000
PAUSE_TICKS: Final = 3_000
# Changes of a cell in one answer. At most this many segments are read to find who made them.
CHANGES_SHOWN: Final = 10

_SCHEMA: Final[tuple[Step, ...]] = (
    (
        "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE TABLE segment (n INTEGER PRIMARY KEY, crc INTEGER, counts BLOB, squares BLOB)",
        "CREATE TABLE body (n INTEGER PRIMARY KEY, packed BLOB NOT NULL, private BLOB NOT NULL)",
        "CREATE TABLE mark (tick INTEGER NOT NULL, weight INTEGER NOT NULL, document BLOB NOT "
        "NULL)",
        "CREATE INDEX mark_by_tick ON mark (tick, weight)",
        "CREATE TABLE change (cx INTEGER, cz INTEGER, n INTEGER, cells BLOB, PRIMARY KEY (cx, cz, "
        "n))",
        "CREATE TABLE toll (land TEXT, kind TEXT, tick INTEGER, document BLOB)",
        "CREATE INDEX toll_by_land ON toll (land, kind, tick)",
        "CREATE TABLE season (tick INTEGER PRIMARY KEY, season INTEGER NOT NULL)",
        "CREATE TABLE stretch (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, why TEXT NOT "
        "NULL)",
    ),
    # Segments that an earlier release has recorded have no samples.
    ("CREATE TABLE sample (tick INTEGER PRIMARY KEY, document BLOB NOT NULL)",),
)

_decode_squares = msgspec.json.Decoder(list[Square]).decode
_decode_mark = msgspec.json.Decoder(Mark).decode
_decode_sample = msgspec.json.Decoder(SocietySample).decode


# What reading raises when somebody else has written the content.
_FORGED: Final = (DamagedError, msgspec.MsgspecError, ValueError, TypeError, LookupError)

P = ParamSpec("P")
T = TypeVar("T")


def _reading(method: Callable[Concatenate["Tape", P], T]) -> Callable[Concatenate["Tape", P], T]:
    """Decorates a method that reads the tape: if what it reads cannot be a tape's, the file is
    moved aside."""

    @wraps(method)
    def read(tape: "Tape", /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(tape, *args, **kwargs)
        except _FORGED as problem:
            raise tape.file.condemn(problem) from problem

    return read


class Stretch(msgspec.Struct):
    """Ticks that the tape cannot have, and why: this release cannot execute them, or their records
    are no longer kept."""

    first: int
    last: int
    why: str


class Marks(msgspec.Struct):
    """What happened in a range of ticks: counts for the time lane, and the weightiest marks."""

    sorts: tuple[str, ...]
    counts: list[list[int]]
    """The number of events, for every bin and sort."""
    marks: list[Mark]


class Effects(msgspec.Struct):
    """What people have paid because of a law."""

    times: int
    paid: dict[str, int]
    newest: list[tuple[int, str, dict[str, int]]]
    """The tick, who paid, and what."""


class PlaceChange(msgspec.Struct):
    """One change of a cell, with the blocks before and after as numbers of the palette."""

    tick: int
    before: int
    after: int
    actor: str
    reason: str


class Rising(msgspec.Struct):
    """In which ticks a building was put up."""

    first: int
    last: int


class _Blocks(msgspec.Struct):
    """Reads the changed blocks of a stored segment, and nothing else of it."""

    blocks: list[tuple[int, int, int, int, int, int, str, str]]


_decode_blocks = msgspec.json.Decoder(_Blocks).decode


class Present(NamedTuple):
    """What a question needs besides the tape: the present ground, and segments that are not stored
    yet."""

    tick: int
    terrain: Terrain
    cells: dict[ChunkKey, bytes]
    segments: Sequence[Segment]


class Tape:
    """The tape of one world. All methods may be called from any thread."""

    def __init__(self, data: Path, world: str, last_tick: int | None = None) -> None:
        """Open the tape in a data directory, or begin an empty one; if that fails, it is tried
        again later. `world` is the name of the world; segments after its `last_tick` are
        removed."""
        self._world = f"{VERSION} {world}"
        self._last_tick = last_tick
        self.file = TapeFile(data, self._is_ours)
        with suppress(UnavailableError):
            self.file.opened()

    def _is_ours(self, connection: Connection) -> bool:
        """Make an empty database a tape, and return whether it is the tape of this world."""
        migrate(connection, COMPONENT, _SCHEMA)
        rows = connection.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'schema_version'"
        )
        if {sql for (sql,) in rows} != set(itertools.chain.from_iterable(_SCHEMA)):
            return False
        connection.execute("INSERT OR IGNORE INTO about VALUES ('world', ?)", [self._world])
        [(world,)] = connection.execute("SELECT value FROM about WHERE name = 'world'")
        if self._last_tick is not None:
            self._cut(connection, self._last_tick)
        return bool(world == self._world)

    def close(self) -> None:
        self.file.close()

    # Writing

    def write(
        self, segment: Segment, durable: Future[None] | None = None, *, wait: bool = True
    ) -> Future[None]:
        """Store a finished segment, in the writer's thread, once its last tick is `durable`. The
        future fails as `segment_too_long` if it is too long to be read again. Without `wait`, a
        tape that is not open is not opened either: UnavailableError."""

        def work(connection: Connection) -> None:
            if durable is not None:
                durable.result()
            n = segment.n
            packed = _checked_length(segment.packed())
            private = _checked_length(segment.packed_private())
            self._drop(connection, n)
            connection.execute("INSERT INTO body VALUES (?, ?, ?)", [n, packed, private])
            counts = segment.counts.astype("<u2").tobytes()
            squares = msgspec.json.encode(segment.squares())
            row: list[Any] = [n, zlib.crc32(packed), counts, squares]
            if segment.document["first"] > max(1, n * SEGMENT_TICKS):
                begun = [f"first of {n}", str(segment.document["first"])]
                connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", begun)
            connection.execute("INSERT INTO segment VALUES (?, ?, ?, ?)", row)
            for mark in segment.marks:
                row = [mark.tick, mark.weight, msgspec.json.encode(mark)]
                connection.execute("INSERT INTO mark VALUES (?, ?, ?)", row)
            for tick, toll in segment.tolls:
                row = [toll["land_id"], toll["kind"], tick, msgspec.json.encode(toll)]
                connection.execute("INSERT INTO toll VALUES (?, ?, ?, ?)", row)
            for sample in segment.samples:
                row = [sample.tick, msgspec.json.encode(sample)]
                connection.execute("INSERT OR REPLACE INTO sample VALUES (?, ?)", row)
            for (cx, cz), changes in segment.changes.items():
                cells = np.array(changes, CHANGE).tobytes()
                connection.execute("INSERT INTO change VALUES (?, ?, ?, ?)", [cx, cz, n, cells])
            for tick, season in segment.document["seasons"]:
                connection.execute("INSERT OR REPLACE INTO season VALUES (?, ?)", [tick, season])

        database = self.file.opened() if wait else self.file.ready()
        return database.submit(work)

    def _drop(self, connection: Connection, n: int) -> None:
        """Remove everything of a segment."""
        for table in ("segment", "body", "change"):
            connection.execute(f"DELETE FROM {table} WHERE n = ?", [n])
        connection.execute("DELETE FROM about WHERE name = ?", [f"first of {n}"])
        span = [n * SEGMENT_TICKS, (n + 1) * SEGMENT_TICKS - 1]
        for table in ("mark", "toll", "sample"):
            connection.execute(f"DELETE FROM {table} WHERE tick BETWEEN ? AND ?", span)

    def _cut(self, connection: Connection, tick: int) -> None:
        """Remove segments that end after a tick: the world was set back to it."""
        last = (tick + 1) // SEGMENT_TICKS - 1
        for (n,) in connection.execute("SELECT n FROM segment WHERE n > ?", [last]):
            self._drop(connection, n)
        connection.execute("DELETE FROM season WHERE tick > ?", [tick])

    def add_stretch(self, stretch: Stretch) -> None:
        """Add ticks that the tape cannot have."""
        row = msgspec.structs.astuple(stretch)
        self._write(lambda connection: _insert_stretch(connection, row))

    def note_stretches(self, stretches: Sequence[Stretch]) -> None:
        """Replace the list of ticks that the tape cannot have."""

        def work(connection: Connection) -> None:
            connection.execute("DELETE FROM stretch")
            for stretch in stretches:
                _insert_stretch(connection, msgspec.structs.astuple(stretch))

        self._write(work)

    def _write(self, work: Callable[[Connection], None]) -> None:
        self.file.opened().submit(work).result()

    # Reading

    @_reading
    def numbers(self) -> list[int]:
        """The numbers of the stored segments, in order."""
        return [int(n) for (n,) in self._read("SELECT n FROM segment ORDER BY n")]

    @_reading
    def late_firsts(self) -> dict[int, int]:
        """The first tick of each segment that does not begin where segments do, by its number: the
        journal of a fork begins in the middle of one."""
        rows = self._read("SELECT name, value FROM about WHERE name LIKE 'first of %'")
        return {int(name.rpartition(" ")[2]): int(tick) for name, tick in rows}

    @_reading
    def stretches(self) -> list[Stretch]:
        """The ticks that the tape cannot have, in order."""
        rows = self._read("SELECT first, last, why FROM stretch ORDER BY first")
        return [msgspec.convert(row, Stretch) for row in _named(rows, ("first", "last", "why"))]

    @_reading
    def segment(self, n: int) -> bytes | None:
        """The bytes of a segment; None if it is not stored. One that is too long, or whose checksum
        is wrong, is removed."""
        rows = self._read(
            "SELECT packed, crc, length(packed) FROM body JOIN segment USING (n) WHERE n = ? "
            "AND length(packed) <= ?",
            [n, MAX_PACKED_BYTES],
        )
        if (
            rows
            and zlib.crc32(rows[0][0]) == rows[0][1]
            and _length(rows[0][0]) <= MAX_SEGMENT_BYTES
        ):
            packed: bytes = rows[0][0]
            return packed
        self._write(lambda connection: self._drop(connection, n))
        return None

    @_reading
    def private(self, n: int) -> bytes | None:
        """The part of a segment that only an open book shows; None if it is not stored."""
        rows = self._read(
            "SELECT private FROM body WHERE n = ? AND length(private) <= ?", [n, MAX_PACKED_BYTES]
        )
        return rows[0][0] if rows and _length(rows[0][0]) <= MAX_SEGMENT_BYTES else None

    @_reading
    def packed_bytes(self, first: int, last: int, more: Sequence[Segment]) -> int:
        """How long the segments of a range of ticks are together, compressed; those that are
        missing count as the others do on average."""
        low = first // SEGMENT_TICKS
        high = last // SEGMENT_TICKS
        [(count, total)] = self._read(
            "SELECT count(*), sum(length(packed)) FROM body WHERE n BETWEEN ? AND ?", [low, high]
        )
        stored = set(self.numbers())
        lengths = [
            len(segment.packed(1))
            for segment in more
            if low <= segment.n <= high and segment.n not in stored
        ]
        measured = count + len(lengths)
        whole = int(total or 0) + sum(lengths)
        return whole * (high - low + 1) // measured if measured else 0

    @_reading
    def marks(self, first: int, last: int, bins: int, more: Sequence[Segment]) -> Marks:
        """What happened in a range of ticks; `more` are segments that are not stored yet."""
        rows = self._read(
            "SELECT n, counts FROM segment WHERE n BETWEEN ? AND ?",
            [first // SEGMENT_TICKS, last // SEGMENT_TICKS],
        )
        counts = np.zeros((bins, len(SORTS)), np.int64)
        counted = [
            (int(n), np.frombuffer(data, "<u2").reshape(BINS, len(SORTS))) for n, data in rows
        ]
        stored = {n for n, _ in counted}
        new = [segment for segment in more if segment.n not in stored]
        counted += [(segment.n, segment.counts) for segment in new]
        if counted:
            # The first tick of every bin of every segment; each bin is added to the bin of the
            # answer in which it begins.
            ticks = (
                np.array([n for n, _ in counted])[:, None] * BINS + np.arange(BINS)
            ) * BIN_TICKS
            within = (ticks + BIN_TICKS > first) & (ticks <= last)
            places = np.clip((ticks - first) * bins // (last - first + 1), 0, bins - 1)
            np.add.at(counts, places[within], np.array([each for _, each in counted])[within])
        documents = self._read(
            "SELECT document FROM mark WHERE tick BETWEEN ? AND ? ORDER BY weight DESC, tick "
            "LIMIT ?",
            [first, last, MAX_MARKS_SHOWN],
        )
        marks = [_decode_mark(document) for (document,) in documents]
        marks += [mark for segment in new for mark in segment.marks if first <= mark.tick <= last]
        marks = sorted(marks, key=lambda mark: (-mark.weight, mark.tick))[:MAX_MARKS_SHOWN]
        return Marks(SORTS, counts.tolist(), sorted(marks, key=lambda mark: mark.tick))

    @_reading
    def samples(self, first: int, last: int, more: Sequence[Segment]) -> list[SocietySample]:
        """The society in a range of ticks, in order; of a very long one, the beginning."""
        rows = self._read(
            "SELECT tick, document FROM sample WHERE tick BETWEEN ? AND ? ORDER BY tick LIMIT ?",
            [first, last, MAX_SAMPLES],
        )
        found = {int(tick): _decode_sample(document) for tick, document in rows}
        for segment in more:
            found |= {each.tick: each for each in segment.samples if first <= each.tick <= last}
        return [found[tick] for tick in sorted(found)][:MAX_SAMPLES]

    @_reading
    def effects(
        self, land: str, kind: str, first: int, last: int, more: Sequence[Segment]
    ) -> Effects:
        """What the events of a kind have yielded to the owner of a land."""
        rows = self._read(
            "SELECT tick, document FROM toll WHERE land = ? AND kind = ? AND tick BETWEEN ? AND ? "
            "ORDER BY tick LIMIT ?",
            [land, kind, first, last, MAX_TOLLS_READ],
        )
        tolls = [(int(tick), msgspec.json.decode(document)) for tick, document in rows]
        stored = self.numbers()
        tolls += [
            (tick, toll)
            for segment in more
            if segment.n not in stored
            for tick, toll in segment.tolls
            if (toll["land_id"], toll["kind"]) == (land, kind) and first <= tick <= last
        ]
        paid: Counter[str] = Counter()
        newest: deque[tuple[int, str, dict[str, int]]] = deque(maxlen=TOLLS_SHOWN)
        for tick, toll in tolls:
            goods = _toll(toll)
            paid.update(goods)
            newest.appendleft((tick, toll.get("agent") or toll["actor"], goods))
        return Effects(len(tolls), dict(sorted(paid.items())), list(newest))

    @_reading
    def activity(self, first: int, last: int, more: Sequence[Segment]) -> list[Square]:
        """Where blocks were changed in the segments that lie within a range of ticks."""
        low = -(-first // SEGMENT_TICKS)
        high = (last + 1) // SEGMENT_TICKS - 1
        rows = self._read("SELECT squares FROM segment WHERE n BETWEEN ? AND ?", [low, high])
        squares = [_decode_squares(row) for (row,) in rows]
        squares += [
            segment.squares()
            for segment in more
            if low <= segment.n <= high and segment.n not in self.numbers()
        ]
        counts: dict[tuple[int, int], list[int]] = {}
        for x, z, mined, placed in itertools.chain.from_iterable(squares):
            count = counts.setdefault((x, z), [0, 0])
            count[0] += mined
            count[1] += placed
        return [(x, z, mined, placed) for (x, z), (mined, placed) in sorted(counts.items())]

    @_reading
    def changes_at(
        self, position: Position, last: int, more: Sequence[Segment]
    ) -> list[PlaceChange]:
        """The newest changes of a cell up to a tick, the newest first."""
        x, y, z = position
        # The packed changes say when the cell changed; who did it is only in the segments.
        changes = self._changes((x >> 4, z >> 4), 0, last, more)
        ticks = changes["tick"][changes["cell"] == (y << 8 | (z & 15) << 4 | x & 15)][
            -CHANGES_SHOWN:
        ]
        place_changes = [
            PlaceChange(n * SEGMENT_TICKS + offset, *change)
            for n in sorted({int(tick) // SEGMENT_TICKS for tick in ticks})
            for offset, cx, cy, cz, *change in self._blocks(n, more)
            if (cx, cy, cz) == position and n * SEGMENT_TICKS + offset <= last
        ]
        return place_changes[: -CHANGES_SHOWN - 1 : -1]

    @_reading
    def rising(
        self, low: Position, high: Position, completed: int, more: Sequence[Segment]
    ) -> Rising:
        """When a building was put up: from the first block that was put where it stands, without
        a long pause before the next, to its completion."""
        ticks = [
            self._placed_within(chunk, low, high, completed, more)
            for chunk in chunks_between(low, high)
        ]
        begun = completed
        for tick in np.sort(np.concatenate(ticks))[::-1].tolist():
            if begun - tick > PAUSE_TICKS:
                break
            begun = tick
        return Rising(first=begun, last=completed)

    def _placed_within(
        self, chunk: ChunkKey, low: Position, high: Position, last: int, more: Sequence[Segment]
    ) -> NDArray[np.uint32]:
        """The ticks in which a block was put somewhere in a box, in one chunk."""
        changes = self._changes(chunk, max(0, last - RISING_TICKS), last, more)
        cell = changes["cell"].astype(np.int64)
        x = (chunk[0] << 4) + (cell & 15)
        z = (chunk[1] << 4) + (cell >> 4 & 15)
        y = cell >> 8
        inside = changes["after"] != 0
        for axis, values in enumerate((x, y, z)):
            inside &= (low[axis] <= values) & (values <= high[axis])
        ticks: NDArray[np.uint32] = changes["tick"][inside]
        return ticks

    def _blocks(self, n: int, more: Sequence[Segment]) -> Sequence[Any]:
        """The changed blocks of a segment, with who changed them and how."""
        fresh = next((segment for segment in more if segment.n == n), None)
        if fresh is not None:
            blocks: list[Any] = fresh.document["blocks"]
            return blocks
        packed = self.segment(n)
        reason = "its checksum is wrong"
        if packed is not None:
            try:
                return _decode_blocks(inflate(packed, MAX_SEGMENT_BYTES, GZIP)).blocks
            except (DamagedError, msgspec.MsgspecError) as problem:
                reason = str(problem)
                self._write(lambda connection: self._drop(connection, n))
        message = (
            f"segment {n} of the tape was damaged ({reason}), and is made again from the journal"
        )
        raise UnavailableError(f"{message}; try again soon", code="tape")

    @_reading
    def ground(self, tick: int, keys: Sequence[ChunkKey], now: Present) -> dict[ChunkKey, bytes]:
        """The cells of chunks after a tick. Unavailable as `gap` while segments that are needed are
        missing; refused as `gap` if they can never be made."""
        seasons = dict(self._read("SELECT tick, season FROM season"))
        for segment in now.segments:
            seasons.update(segment.document["seasons"])
        there = {*self.numbers(), *(segment.n for segment in now.segments)}
        if not any(tick < begun <= now.tick for begun in seasons) and _has_all(
            there, tick, now.tick
        ):
            return {key: self._undone(tick, key, now) for key in keys}
        begun = max((each for each in seasons if each <= tick), default=0)
        if _has_all(there, begun, tick):
            land = now.terrain.of_season(seasons.get(begun, 1))
            return {key: self._redone(tick, begun, key, land, now) for key in keys}
        stretches = self.stretches()
        after = [each.why for each in stretches if each.last >= tick]
        before = [each.why for each in stretches if begun <= each.last and each.first <= tick]
        if after and before:
            raise IllegalError(f"the ground of tick {tick} cannot be known: {after[0]}", code="gap")
        message = (
            f"the ground of tick {tick} is not on the tape yet; it is being made from the journal"
        )
        raise UnavailableError(f"{message}; try again soon", code="gap")

    def _undone(self, tick: int, key: ChunkKey, now: Present) -> bytes:
        """The present cells, with every later change taken back. If a cell changed several times,
        the block before the earliest change is what stood there."""
        cells = now.cells.get(key)
        present = now.terrain.chunk(*key) if cells is None else cells
        changes = self._changes(key, tick + 1, now.tick, now.segments)
        if not len(changes):
            return present
        array = np.frombuffer(present, np.uint8).copy()
        # numpy assigns in order, so the last assignment to a cell wins: the earliest change.
        array[changes["cell"][::-1]] = changes["before"][::-1]
        return array.tobytes()

    def _redone(self, tick: int, begun: int, key: ChunkKey, land: Terrain, now: Present) -> bytes:
        """The untouched land of the season that began at `begun`, with every change up to a
        tick."""
        array = np.frombuffer(land.chunk(*key), np.uint8).copy()
        changes = self._changes(key, begun, tick, now.segments)
        array[changes["cell"]] = changes["after"]
        return array.tobytes()

    def _changes(self, key: ChunkKey, first: int, last: int, more: Sequence[Segment]) -> Changes:
        """The changes of a chunk in a range of ticks, in order."""
        low = first // SEGMENT_TICKS
        high = last // SEGMENT_TICKS
        rows = self._read(
            "SELECT cells FROM change WHERE cx = ? AND cz = ? AND n BETWEEN ? AND ? ORDER BY n",
            [*key, low, high],
        )
        parts = [np.frombuffer(b"".join(data for (data,) in rows), CHANGE)]
        parts += [
            np.array(segment.changes[key], CHANGE) for segment in more if key in segment.changes
        ]
        changes = np.concatenate(parts)
        changes = changes[np.argsort(changes["tick"], kind="stable")]
        return changes[(changes["tick"] >= first) & (changes["tick"] <= last)]

    def _read(self, sql: str, params: Sequence[Any] = ()) -> list[Any]:
        database = self.file.opened()
        try:
            return _rows(database, sql, params)
        except (DiskError, StatementError) as problem:
            raise self.file.explain(problem) from problem
        except IllegalError as problem:  # another thread found the file damaged, and closed it
            self.file.doubt()
            raise UnavailableError(
                f"the tape is being opened again: {problem}", code="tape"
            ) from problem


def _rows(database: Database, sql: str, params: Sequence[Any]) -> list[Any]:
    def work(connection: Connection) -> list[Any]:
        return connection.execute(sql, params)

    return database.read(work)


def _named(rows: Sequence[Sequence[Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]


def _insert_stretch(connection: Connection, row: Sequence[Any]) -> None:
    connection.execute("INSERT OR REPLACE INTO stretch VALUES (?, ?, ?)", row)


def _length(packed: bytes) -> int:
    """The unpacked length that a gzip stream states in its last four bytes."""
    return int.from_bytes(packed[-4:], "little")


def _checked_length(packed: bytes) -> bytes:
    """A packed segment, unless it is too long to be read again."""
    length = _length(packed)
    if len(packed) > MAX_PACKED_BYTES or length > MAX_SEGMENT_BYTES:
        message = (
            f"{length} bytes are too many for a segment of the tape, which has at most "
            f"{MAX_SEGMENT_BYTES}"
        )
        raise LimitError(message, code="segment_too_long")
    return packed


def _toll(event: dict[str, Any]) -> dict[str, int]:
    """What somebody paid in an event: a fine, a ticket, or the tax of both sides of a trade."""
    if "item" in event:
        return {event["item"]: event["count"]}
    shares = [
        (item, int(count * event["rate"] + 1e-9))
        for item, count in event["offer"] + event["request"]
    ]
    return {item: share for item, share in shares if share}


def _has_all(there: set[int], first: int, last: int) -> bool:
    """Whether every segment from one tick to another is among these."""
    return all(n in there for n in range(first // SEGMENT_TICKS, last // SEGMENT_TICKS + 1))
