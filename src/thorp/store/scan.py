"""Reads a journal, and judges what a crash or the years have done to it, as `docs/store.md`
describes.

If the sound lines stop before the end of the file, the rest is damage in three cases: a later sound
record says in `synced` that the bad record had been durable, the rest is longer than a journal ever
leaves unsynced, or the bad record is the header. Otherwise it is a torn tail, which begins at the
first record of its batch.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thorp.kernel.errors import DamagedError
from thorp.store import record as framing
from thorp.store.disk import DiskFile

READ_STEP_BYTES: Final = 256 * 1024


class DamagedRecord(DamagedError):
    """A durable record is not what was written. `byte` is where the record's line begins."""

    def __init__(self, file: Path, record: int, byte: int, reason: str) -> None:
        super().__init__(
            f"{file}: record {record}, whose line begins at byte {byte}, is damaged: {reason}; "
            "nothing was changed; restore this file from a backup"
        )
        self.file = file
        self.record = record
        self.byte = byte


@dataclass(frozen=True, slots=True)
class Scan:
    """The content of a journal file up to the end of its last complete batch, and the bytes after
    that."""

    header: dict[str, object]
    records: int
    tip: bytes
    newest: bytes  # The payload of the last record; of the header, if there is no other.
    end: int
    unproven: bytes  # The last bytes before `end`, which no later record proves to be durable.
    tail: bytes  # Everything from `end` on.
    bad_record: int  # The first record that is missing or unreadable, and where it should begin.
    bad_byte: int


class Chain:
    """The position up to which lines have been accepted, and what the next one must refer to."""

    def __init__(self, next_record: int = 0, tip: bytes = framing.GENESIS) -> None:
        self.next = next_record
        self.tip = tip
        self.synced = 0
        self.left = 0

    def accept(self, line: bytes) -> framing.Record | None:
        """Return the record if this line is the next one, and move on; else None."""
        record = framing.decode_line(line)
        if record is None or record.n != self.next:
            return None
        if record.prev != (framing.GENESIS[: len(record.prev)] if record.n == 0 else self.tip):
            return None
        in_batch = self.left > 0
        if in_batch and (record.left != self.left - 1 or record.synced != self.synced):
            return None
        if not self.synced <= record.synced <= record.n:
            return None
        self.next += 1
        self.tip = record.hash
        self.synced = record.synced
        self.left = record.left
        return record


def _lines(file: DiskFile, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines before byte `end`, each with its offset; stop after one that is longer than
    any record."""
    offset = 0
    rest = b""
    while len(rest) <= framing.MAX_LINE_BYTES:
        unread = offset + len(rest)
        chunk = file.read(unread, min(READ_STEP_BYTES, end - unread))
        if not chunk:
            break
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield offset, line + b"\n"
            offset += len(line) + 1
    if rest:
        yield offset, rest


def scan_journal(file: DiskFile, path: Path) -> Scan:
    """Read a whole journal in constant memory; raise DamagedRecord if a durable record is
    damaged.

    Raises `version` for a journal of a format that this release does not know.
    """
    size = file.size()
    chain = Chain()
    header: dict[str, object] = {}
    records = -1
    tip = framing.GENESIS
    newest = b""
    end = 0
    reached = 0
    unproven: deque[tuple[int, bytes]] = deque()
    for offset, line in _lines(file, size):
        record = chain.accept(line)
        if record is None:
            break
        if record.n == 0:
            header = framing.decode_header(path, record.data)
        reached = offset + len(line)
        while unproven and unproven[0][0] < record.synced:
            unproven.popleft()
        unproven.append((record.n, line))
        if record.left == 0:
            records = record.n
            tip = record.hash
            newest = record.data
            end = reached
    if records < 0:
        raise DamagedRecord(path, 0, 0, "this is not the header of a journal")
    if size - end > framing.MAX_UNSYNCED_BYTES:
        raise DamagedRecord(
            path, chain.next, reached, f"{size - end} bytes from there on cannot be read"
        )
    tail = file.read(end, size - end)
    witness = _witness(tail[reached - end :], chain.next)
    if witness is not None:
        raise DamagedRecord(
            path, chain.next, reached, f"record {witness.n} was written after this one was durable"
        )
    complete = b"".join(line for n, line in unproven if n <= records)
    return Scan(
        header=header,
        records=records,
        tip=tip,
        newest=newest,
        end=end,
        unproven=complete,
        tail=tail,
        bad_record=chain.next,
        bad_byte=reached,
    )


def _witness(rest: bytes, bad_record: int) -> framing.Record | None:
    """Find a sound record that was written when `bad_record` had been durable already."""
    start = rest.find(framing.MARK)
    while start >= 0:
        stop = rest.find(b"\n", start) + 1
        record = framing.decode_line(rest[start:stop])
        if record is not None and record.synced > bad_record:
            return record
        start = rest.find(framing.MARK, start + 1)
    return None


def read_payloads(file: DiskFile, path: Path, *, first: int, end: int) -> Iterator[bytes]:
    """Yield the payloads from record `first` on, up to byte `end`, before which everything is known
    to be durable."""
    return (record.data for record in read_records(file, path, end=end) if record.n >= first)


def read_records(file: DiskFile, path: Path, *, end: int) -> Iterator[framing.Record]:
    """Yield the records up to byte `end`, before which everything is known to be durable, without
    the header."""
    chain = Chain()
    reached = 0
    for offset, line in _lines(file, end):
        record = chain.accept(line)
        if record is None:
            break
        reached = offset + len(line)
        if record.n > 0:
            yield record
    if reached != end:
        raise DamagedRecord(path, chain.next, reached, "it was sound when this journal was opened")
