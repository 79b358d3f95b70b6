"""The files of a world directory: their names and contents. Reading takes no lock and changes
nothing.

`docs/world-keeping.md` lists them. A crash can leave a sealed segment both plain and packed; the
content is the same, and the packed file is read. The last segment is live, so its plain form is
read. Other names (`….torn-…`, `.….tmp`) are ignored.
"""

import re
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from itertools import dropwhile
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.errors import DamagedError, IllegalError
from thorp.store import MAX_HEADER_BYTES, DamagedRecord, Disk, DiskFile
from thorp.store.packed import SUFFIX, open_plain_or_packed, packed_name
from thorp.store.record import MAX_FRAME_BYTES, Record, decode_line
from thorp.store.record import decode_header as decode_journal_header
from thorp.store.scan import Scan, read_payloads, read_records, scan_journal
from thorp.voxel.persistence.record import (
    TickRecord,
    decode_header,
    decode_ticks,
    digest_of,
    tick_of,
)
from thorp.voxel.persistence.snapshot import MAX_FILE_BYTES, Header, read_header

LOCK: Final = "lock"
HEAD: Final = "head"
# Twelve digits are enough for six thousand years at 5 Hz.
JOURNAL = re.compile(r"journal-([0-9]{12})\.jsonl(\.zst)?\Z")
SNAPSHOT = re.compile(r"snapshot-([0-9]{12})\.zst\Z")
ARCHIVE = re.compile(r"season-([0-9]{4,})\.zst\Z")
DIGEST_STEP_BYTES: Final = 1024 * 1024
# More than the compressed header of a snapshot can have.
SNAPSHOT_HEAD_BYTES: Final = 64 * 1024


class End(NamedTuple):
    """Where a journal ends: its last tick, and the hash of that tick's last record; None if it has
    no record."""

    tick: int
    tip: str | None


class Segment:
    """One journal file: its header, and its records in order."""

    def __init__(self, disk: Disk, path: Path) -> None:
        self._disk = disk
        self.path = path
        with closing(self.open()) as file:
            line = file.read(0, MAX_HEADER_BYTES + MAX_FRAME_BYTES).partition(b"\n")[0]
        record = decode_line(line + b"\n")
        if record is None or record.n != 0:
            raise DamagedRecord(path, 0, 0, "this is not the header of a journal")
        try:
            self.header = decode_header(decode_journal_header(path, record.data))
        except DamagedError as error:
            raise DamagedRecord(path, 0, 0, error.message) from None

    @property
    def first_tick(self) -> int:
        """The tick of its first record, if it has one."""
        return self.header.first_tick

    @property
    def is_sealed(self) -> bool:
        """Whether it is packed; then it gets no more records."""
        return self.path.suffix == SUFFIX

    def open(self) -> DiskFile:
        """Open the file, unpacked. A server may have sealed the segment since its name was read, so
        the packed name is tried too."""
        try:
            return open_plain_or_packed(self._disk, self.path)
        except IllegalError:
            if self.is_sealed or not self._disk.exists(packed_name(self.path)):
                raise
            return open_plain_or_packed(self._disk, packed_name(self.path))

    def sha256(self) -> str:
        """The digest of its unpacked bytes, as a published log has it."""
        digest = sha256()
        at = 0
        with closing(self.open()) as file:
            while part := file.read(at, DIGEST_STEP_BYTES):
                digest.update(part)
                at += len(part)
        return digest.hexdigest()

    def scan(self) -> Scan:
        """Check every line; raises DamagedRecord. Only the last segment may have a torn tail."""
        with closing(self.open()) as file:
            return scan_journal(file, self.path)

    def end(self) -> End:
        """Where this segment ends; if it has no record, the end of the one before."""
        return self.end_of(self.scan())

    def end_of(self, scan: Scan) -> End:
        """As `end`, for a segment that was scanned already."""
        if scan.records == 0:
            return End(self.first_tick - 1, self.header.previous)
        return End(tick_of(scan.newest), scan.tip.decode())

    def tick_with(self, tip: str) -> int | None:
        """The tick of the record with this hash. It may be the last record before this segment;
        None if it is neither."""
        if tip == self.header.previous:
            return self.first_tick - 1
        return next(
            (tick_of(record.data) for record in self._records() if record.hash.decode() == tip),
            None,
        )

    def tip_of(self, tick: int) -> str | None:
        """The hash of the last record up to a tick, which may be the last before this segment."""
        tip = self.header.previous
        for record in self._records():
            if tick_of(record.data) > tick:
                break
            tip = record.hash.decode()
        return tip

    def digest_after(self, tick: int) -> str | None:
        """The digest after a tick, from the record that follows or from the header; None if this
        segment has neither."""
        if tick == self.first_tick - 1:
            return self.header.digest
        later = (record.data for record in self._records() if tick_of(record.data) > tick)
        following = next(later, None)
        return None if following is None else digest_of(following)

    def _records(self) -> Iterator[Record]:
        with closing(self.open()) as file:
            yield from read_records(file, self.path, end=scan_journal(file, self.path).end)

    def ticks(self, end: int | None = None, *, after: int = 0) -> Iterator[TickRecord]:
        """The ticks after `after`, up to the byte `end` of a scan. Without `end`: all that can be
        read, then DamagedError."""
        with closing(self.open()) as file:
            stop = file.size() if end is None else end
            payloads = read_payloads(file, self.path, first=1, end=stop)
            yield from decode_ticks(dropwhile(lambda payload: tick_of(payload) <= after, payloads))


class WorldDirectory:
    """The files of a world: which of them exist, and how they are named."""

    def __init__(self, disk: Disk, path: Path) -> None:
        self.disk = disk
        self.path = path

    def journal_path(self, first_tick: int) -> Path:
        """The plain file of the segment that begins with a tick."""
        return self.path / f"journal-{first_tick:012d}.jsonl"

    def snapshot_path(self, tick: int) -> Path:
        """The file of the snapshot of a tick."""
        return self.path / f"snapshot-{tick:012d}.zst"

    def archive_path(self, season: int) -> Path:
        """The file of the last state of a season."""
        return self.path / f"season-{season:04d}.zst"

    def archives(self) -> list[Path]:
        """The last states of seasons that are over."""
        return [self.path / name for name in self._names() if ARCHIVE.match(name)]

    def journals(self) -> dict[int, Path]:
        """The file of each segment, by first tick, in order."""
        names = self._names()
        # Names are sorted, so a packed file comes after the plain one and replaces it here.
        files = {
            int(match[1]): self.path / name for name in names if (match := JOURNAL.match(name))
        }
        last = max(files, default=0)
        if self.journal_path(last).name in names:
            files[last] = self.journal_path(last)
        return files

    def plain_beside_packed(self) -> list[Path]:
        """The plain files of segments that are packed too: a crash left them during sealing."""
        names = self._names()
        plain_paths = [
            path.with_suffix("") for path in self.journals().values() if path.suffix == SUFFIX
        ]
        return [plain for plain in plain_paths if plain.name in names]

    def segments(self, after: int = 0) -> list[Segment]:
        """The segments that can hold a tick after `after`, and always the last one, in order."""
        journals = list(self.journals().items())
        ends = [first - 1 for first, _ in journals[1:]]
        wanted = [path for (_, path), end in zip(journals, ends, strict=False) if end > after]
        return [Segment(self.disk, path) for path in wanted + [path for _, path in journals[-1:]]]

    def snapshots(self) -> list[int]:
        """The ticks of the snapshots, in order."""
        return [int(match[1]) for name in self._names() if (match := SNAPSHOT.match(name))]

    def read_snapshot(self, tick: int) -> bytes:
        """The file of a snapshot."""
        return self.read_state(self.snapshot_path(tick))

    def read_state(self, path: Path) -> bytes:
        """The file of a snapshot or of the last state of a season; raises DamagedError if it is too
        long."""
        with closing(self.disk.open(path)) as file:
            if file.size() > MAX_FILE_BYTES:
                raise DamagedError(
                    f"it has {file.size()} bytes, where {MAX_FILE_BYTES} are the most"
                )
            return file.read(0, file.size())

    def snapshot_header(self, tick: int) -> Header:
        """The header of a snapshot, without reading the rest."""
        with closing(self.disk.open(self.snapshot_path(tick))) as file:
            return read_header(file.read(0, SNAPSHOT_HEAD_BYTES))

    def digest_after(self, tick: int) -> str | None:
        """The digest after a tick, as the journal has it; None if it does not say."""
        journals = self.journals()
        earlier = [first for first in journals if first <= tick + 1]
        return Segment(self.disk, journals[earlier[-1]]).digest_after(tick) if earlier else None

    def tip_of(self, tick: int) -> str | None:
        """The hash of the last record up to a tick; None if the journal does not say."""
        journals = self.journals()
        earlier = [first for first in journals if first <= tick + 1]
        return Segment(self.disk, journals[earlier[-1]]).tip_of(tick) if earlier else None

    def require(self) -> None:
        """Refuse a directory that has no world, or that has lost its journal."""
        if self.lost_its_journal():
            raise DamagedError(
                f"{self.path}: the journal is missing; restore it from a backup", code="loss"
            )
        if not self.journals():
            advice = "there is no world here; `thorp up` starts one, or give --data"
            raise IllegalError(f"{self.path}: {advice}", code="no_world")

    def lost_its_journal(self) -> bool:
        """Whether there was a world here whose journal is gone."""
        return not self.journals() and (bool(self.snapshots()) or HEAD in self._names())

    def _names(self) -> list[str]:
        return self.disk.list(self.path) if self.disk.exists(self.path) else []


class EpochBegun(msgspec.Struct, frozen=True):
    """When and why an epoch of the history began."""

    epoch: int
    reason: str
    rules: int
    first_tick: int
    draw_seed: int | msgspec.UnsetType = msgspec.UNSET
    """The draw seed that a fork was given, while its draws come from that."""


class Summary(msgspec.Struct, frozen=True):
    """What a world directory holds, read from headers and the last segment."""

    first_tick: int  # The first tick that the journal still holds.
    last_tick: int
    seed: int
    rules: int
    epochs: tuple[EpochBegun, ...]
    segments: int
    journal_bytes: int
    snapshots: tuple[int, ...]  # Their ticks.
    snapshot_bytes: int


def summarize(disk: Disk, path: Path) -> Summary:
    """Summarize a directory, which a server may be writing to. Changes nothing."""
    directory = WorldDirectory(disk, path)
    directory.require()
    journals = directory.journals()
    segments = [Segment(disk, journal) for journal in journals.values()]
    last = segments[-1]
    begun: dict[int, EpochBegun] = {}
    for segment in segments:
        epoch = segment.header.epoch
        begun.setdefault(
            epoch.number,
            EpochBegun(
                epoch=epoch.number,
                reason=epoch.reason,
                rules=epoch.rules,
                first_tick=segment.first_tick,
                draw_seed=epoch.redraw,
            ),
        )
    snapshots = directory.snapshots()
    return Summary(
        first_tick=segments[0].first_tick,
        last_tick=last.end().tick,
        seed=last.header.epoch.seed,
        rules=last.header.epoch.rules,
        epochs=tuple(begun[epoch] for epoch in sorted(begun)),
        segments=len(segments),
        journal_bytes=sum(_size(disk, journal) for journal in journals.values()),
        snapshots=tuple(snapshots),
        snapshot_bytes=sum(_size(disk, directory.snapshot_path(tick)) for tick in snapshots),
    )


def _size(disk: Disk, path: Path) -> int:
    with closing(disk.open(path)) as file:
        return file.size()
