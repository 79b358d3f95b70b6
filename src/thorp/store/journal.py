"""The journal: a file of JSON lines that only grows, and that says what survived a crash.

No record is written after an acknowledged one that is not synced. So every line can say in `synced`
how far the file was durable before it, and recovery can tell a crash from damage (`scan`). After a
failed write or sync every later append is refused: a second sync that succeeds would prove nothing.

Opening is recovery, and may itself be cut off at any point and begun again:

    1. lock the file, scan it; damage refuses here, with nothing changed
    2. a torn tail is copied, durably, to a file named after its content (`NAME.torn-BYTE-HASH`)
    3. the journal is cut to its last complete batch
    4. bytes that no later record proves to be durable are written again in place: they may have
       been read from memory that a failed sync has left looking clean
    5. file and directory are synced; only then is the journal open, and all it holds acknowledged
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, get_args

from thorp.kernel.closing import Closing, closed_on_error
from thorp.kernel.errors import ConflictError, DamagedError, IllegalError, InvalidError, LimitError
from thorp.store.disk import Disk, DiskFile
from thorp.store.files import write_atomic
from thorp.store.record import (
    GENESIS,
    MAX_UNSYNCED_BYTES,
    check_payload,
    encode_batch,
    encode_header,
)
from thorp.store.scan import Chain, Scan, read_payloads, scan_journal

SyncPolicy = Literal["batch", "manual"]


@dataclass(frozen=True, slots=True)
class TornTail:
    """Bytes after the last complete batch, which were never acknowledged."""

    file: Path
    record: int  # The first record that is missing or unreadable.
    byte: int  # Where that record begins, or would.
    from_record: int  # The first record of its batch: from here on everything is set aside.
    from_byte: int
    size_bytes: int
    kept_in: Path

    def __str__(self) -> str:
        return (
            f"{self.file}: record {self.record} at byte {self.byte} was cut off before it was "
            f"durable; its batch, {self.size_bytes} bytes from record {self.from_record} at byte "
            f"{self.from_byte}, is set aside as {self.kept_in.name}"
        )


@dataclass(frozen=True, slots=True)
class Recovery:
    """The result of opening a journal."""

    header: Mapping[str, object]
    records: int
    tip: str
    torn: TornTail | None


class Journal(Closing):
    """An open journal, held alone. Any thread may append; batches are written one after the
    other."""

    def __init__(
        self, disk: Disk, path: Path, file: DiskFile, scan: Scan, policy: SyncPolicy
    ) -> None:
        """Take over a recovered file; `Journal.open` is the way to get one."""
        self._disk = disk
        self._path = path
        self._file = file
        self._policy = policy
        # Guards everything below, and is held while the disk writes: batches must not mix.
        self._lock = threading.Lock()
        self._next = self._synced = scan.records + 1
        self._tip = self._synced_tip = scan.tip
        self._end = self._synced_end = scan.end
        self._broken: BaseException | None = None
        self._closed = False
        self.recovery = _recovery(path, scan)

    @classmethod
    def open(
        cls,
        disk: Disk,
        path: Path,
        *,
        header: Mapping[str, object] | None = None,
        sync: SyncPolicy = "batch",
    ) -> Journal:
        """Open and recover a journal; with a `header`, make it if there is none.

        The header of an existing journal stands; compare it with `recovery.header`. Raises
        DamagedRecord, `locked`, `missing`, `version` or DiskError, and then has acknowledged
        nothing.
        """
        if sync not in get_args(SyncPolicy):
            raise InvalidError(
                f"sync is one of {', '.join(get_args(SyncPolicy))}, not {sync!r}", path="$.sync"
            )
        if header is not None and not disk.exists(path):
            line, _ = encode_batch([encode_header(header)], first=0, synced=0, prev=GENESIS)
            # Another process may make the file a moment earlier; the lock decides which one gets
            # it.
            with contextlib.suppress(ConflictError):
                write_atomic(disk, path, line)
        file = disk.open(path, writable=True)
        with closed_on_error(file):
            file.lock()
            scan = scan_journal(file, path)
            journal = cls(disk, path, file, scan, sync)
            _settle(disk, path, file, scan, journal.recovery.torn)
        return journal

    @property
    def records(self) -> int:
        """How many records are durable. The header does not count, so this is also the last one's
        number."""
        return self._synced - 1

    @property
    def durable(self) -> tuple[Path, int]:
        """The file, and how many of its bytes are durable."""
        return self._path, self._synced_end

    @property
    def tip(self) -> str:
        """The hash of the last durable record, which covers everything before it."""
        return self._synced_tip.decode()

    def append(self, payloads: Sequence[bytes]) -> range:
        """Write one batch, all or nothing, and return its record numbers.

        Under the policy "batch" it is durable on return. Each payload is one JSON value on one
        line.
        """
        for index, payload in enumerate(payloads):
            check_payload(payload, index)
        with self._lock:
            self._check_usable()
            first = self._next
            if not payloads:
                return range(first, first)
            self._write(*self._encode(payloads), len(payloads))
            return range(first, self._next)

    def append_copied(self, lines: Sequence[bytes]) -> None:
        """Write one batch of another journal byte for byte. Refused as `another_history` if it does
        not continue this one."""
        with self._lock:
            self._check_usable()
            chain = Chain(self._next, self._tip)
            if not all(chain.accept(line) for line in lines) or chain.left:
                raise DamagedError(
                    f"{self._path}: what follows record {self._next - 1} elsewhere does not "
                    "continue it; nothing of that was kept",
                    code="another_history",
                )
            data = b"".join(lines)
            if self._end + len(data) - self._synced_end > MAX_UNSYNCED_BYTES:
                with self._breaking():
                    self._sync()
            self._write(data, chain.tip, len(lines))

    def _write(self, data: bytes, tip: bytes, records: int) -> None:
        """Write the lines of a batch; under the policy "batch", sync them too."""
        with self._breaking():
            self._file.write(self._end, data)
            self._next += records
            self._end += len(data)
            self._tip = tip
            if self._policy == "batch":
                self._sync()

    def sync(self) -> int:
        """Make every appended record durable; return the number of the last one."""
        with self._lock:
            self._check_usable()
            with self._breaking():
                self._sync()
            return self.records

    def read(self, from_record: int = 1) -> Iterator[bytes]:
        """Yield the payloads of the durable records, checked again, in constant memory."""
        with self._lock:
            end = self._synced_end
        with contextlib.closing(self._disk.open(self._path)) as file:
            yield from read_payloads(file, self._path, first=from_record, end=end)

    def close(self) -> None:
        """Sync what was appended, and let go of the file. Closing twice is allowed."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            try:
                if self._broken is None and self._end > self._synced_end:
                    self._sync()
            finally:
                self._file.close()

    def _encode(self, payloads: Sequence[bytes]) -> tuple[bytes, bytes]:
        """The lines of a batch, and the tip after it. Syncs first if it would leave more unsynced
        than recovery can hold; then the lines are encoded again, since they say how far the file is
        synced."""
        data, tip = encode_batch(payloads, first=self._next, synced=self._synced, prev=self._tip)
        if self._end + len(data) - self._synced_end <= MAX_UNSYNCED_BYTES:
            return data, tip
        if self._end == self._synced_end:
            raise LimitError(
                f"a batch may have {MAX_UNSYNCED_BYTES} bytes with its frames, not {len(data)}; "
                "split it",
                code="batch_too_long",
            )
        with self._breaking():
            self._sync()
        return self._encode(payloads)

    def _sync(self) -> None:
        self._file.sync()
        self._synced = self._next
        self._synced_tip = self._tip
        self._synced_end = self._end

    def _check_usable(self) -> None:
        if self._closed:
            raise IllegalError(
                f"{self._path}: this journal is closed; open it again", code="closed"
            )
        if self._broken is not None:
            raise IllegalError(
                f"{self._path}: an earlier write failed ({self._broken}); mend the disk, then "
                "open the journal again to see what survived",
                code="broken",
            )

    @contextlib.contextmanager
    def _breaking(self) -> Iterator[None]:
        """Refuse everything from now on if the block fails."""
        try:
            yield
        except BaseException as error:
            self._broken = error
            raise


def inspect_journal(disk: Disk, path: Path) -> Recovery:
    """Say what opening this journal would find, and change nothing. Raises DamagedRecord as opening
    does."""
    with contextlib.closing(disk.open(path)) as file:
        return _recovery(path, scan_journal(file, path))


def read_journal(disk: Disk, path: Path, from_record: int = 1) -> Iterator[bytes]:
    """Yield the payloads of all complete batches of a journal. Takes no lock and changes
    nothing."""
    with contextlib.closing(disk.open(path)) as file:
        end = scan_journal(file, path).end
        yield from read_payloads(file, path, first=from_record, end=end)


def _recovery(path: Path, scan: Scan) -> Recovery:
    """The result of opening a journal with this scan."""
    torn = None
    if scan.tail:
        digest = sha256(scan.tail).hexdigest()[:16]
        kept_in = path.with_name(f"{path.name}.torn-{scan.end}-{digest}")
        torn = TornTail(
            file=path,
            record=scan.bad_record,
            byte=scan.bad_byte,
            from_record=scan.records + 1,
            from_byte=scan.end,
            size_bytes=len(scan.tail),
            kept_in=kept_in,
        )
    return Recovery(scan.header, scan.records, scan.tip.decode(), torn)


def _settle(disk: Disk, path: Path, file: DiskFile, scan: Scan, torn: TornTail | None) -> None:
    """Make the file on disk what the scan has read. See the head of this file for the order."""
    if torn is not None:
        write_atomic(disk, torn.kept_in, scan.tail, replace=True)
        file.truncate(scan.end)
    file.write(scan.end - len(scan.unproven), scan.unproven)
    file.sync()
    disk.sync_directory(path.parent)
