"""Both ends of following a world that another process plays: what the leader gives, and what the
follower does with it.

The leader gives the files of its directory, and no byte that is not durable. The follower writes
the same bytes, executes every tick and compares every digest. Its directory is a world directory
like any other:

    1. copy      into an empty directory: the newest snapshot that a segment begins with, and all
                 segments from there on; otherwise what the leader has written since the last copy
    2. recover   as after a crash, with every digest compared
    3. follow    batch by batch: append the leader's lines, execute the tick that they hold

Lines are chained, so bytes of another history are refused before they are written. A record has the
digest from before its tick, so the digest after a tick comes with the next record; if no record
comes, the leader is asked for it. A tick is executed when the digest after it is known, so a
follower that comes to another state stops before it has shown anything of it. Snapshots, sealing
and the head are the follower's own work.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import msgspec

from thorp.kernel.errors import (
    DamagedError,
    IllegalError,
    LimitError,
    UnavailableError,
    UnknownError,
)
from thorp.store import Disk, Journal, hold, write_atomic
from thorp.store.record import MAX_LINE_BYTES, MAX_UNSYNCED_BYTES, decode_line
from thorp.store.record import decode_header as decode_journal_header
from thorp.voxel.extension import require
from thorp.voxel.inputs import AnyInput
from thorp.voxel.persistence.directory import (
    ARCHIVE,
    JOURNAL,
    LOCK,
    SNAPSHOT,
    Segment,
    WorldDirectory,
)
from thorp.voxel.persistence.head import first_head, read_head, write_head
from thorp.voxel.persistence.record import SegmentHeader, TickRecord, decode_header, decode_ticks
from thorp.voxel.persistence.snapshot import MAX_FILE_BYTES, WorldMaker
from thorp.voxel.service import WorldService

# A file that was listed may be gone a moment later, and then the copy is tried again. A server does
# not remove files this often in a row.
ATTEMPTS: Final = 5
# How often a leader is asked for the digest after its last tick, or for what came after it. A
# segment that it begins between two questions takes one more round.
CONFIRM_ROUNDS: Final = 16


class Files(msgspec.Struct, frozen=True):
    """The files that a leader has for its followers."""

    release: str
    files: dict[str, int]
    """Durable bytes by name. Segments are given unpacked, and the last one grows."""
    tick: int = -1
    digest: str = ""  # The digest after a tick, the last one if the world stands still.


class Leader(Protocol):
    """A process that plays a world. Every method raises UnavailableError if it cannot be reached,
    and UnknownError if it has no such file."""

    name: str

    def files(self, from_tick: int | None) -> Files: ...

    def read(self, name: str, offset: int) -> Generator[bytes]:
        """The durable bytes of a file from an offset on. For the live segment they go on with those
        that are written later, as long as any are."""


# The leader's end.


def list_files(service: WorldService, from_tick: int | None, release: str) -> Files:
    """The files from the segment that begins with `from_tick` on; without it, from the newest
    segment that begins with a snapshot."""
    directory = service.directory
    paths = _paths(service)
    segments = [_number(name) for name in paths if JOURNAL.match(name)]
    if from_tick is None:
        begins = [first for first in segments if directory.snapshot_path(first - 1).name in paths]
        from_tick = max(begins, default=segments[0])
    sizes: dict[str, int] = {}
    for name, path in paths.items():
        if ARCHIVE.match(name) or _number(name) >= from_tick - (1 if SNAPSHOT.match(name) else 0):
            with suppress(IllegalError), closing(DurableFile(service, name, path)) as file:
                sizes[name], _ = file.end()
    return Files(release, sizes, *service.last_digest)


def open_file(service: WorldService, name: str) -> DurableFile:
    """One of the files that `list_files` lists; refuses every other name."""
    path = _paths(service).get(name)
    if path is None:
        raise UnknownError(
            f"{name}: this world has no such file, or no longer", code="unknown_file"
        )
    return DurableFile(service, name, path)


def _paths(service: WorldService) -> dict[str, Path]:
    """The files for followers, by name. A segment always has the name of its plain form, because it
    is given unpacked."""
    directory = service.directory
    (live, _) = service.durable_journal
    head = read_head(directory)
    begins = 1 if head is None else head.first_tick
    segments = {
        directory.journal_path(first).name: path for first, path in directory.journals().items()
    }
    kept = {
        name: path
        for name, path in segments.items()
        if begins <= _number(name) <= _number(live.name)
    }
    states = [*map(directory.snapshot_path, directory.snapshots()), *directory.archives()]
    return {**kept, **{path.name: path for path in states}}


class DurableFile:
    """A file of a world that is being played, up to its last durable byte."""

    def __init__(self, service: WorldService, name: str, path: Path) -> None:
        disk = service.directory.disk
        self._service = service
        self._name = name
        self._file = Segment(disk, path).open() if JOURNAL.match(name) else disk.open(path)
        self.read = self._file.read
        self.close = self._file.close

    def end(self) -> tuple[int, bool]:
        """How many bytes are durable, and whether there will be more."""
        live, size = self._service.durable_journal
        return (size, True) if live.name == self._name else (self._file.size(), False)


# The follower's end.


class Batch(NamedTuple):
    """Lines of a journal that belong together, and what they hold: a segment's header, or a
    tick."""

    lines: list[bytes]
    content: SegmentHeader | TickRecord

    @property
    def size(self) -> int:
        return sum(map(len, self.lines))


def read_batches(pieces: Iterable[bytes], name: str) -> Iterator[Batch]:
    """The batches of a segment that arrives in pieces, each when it is complete."""
    rest = b""
    lines = list[bytes]()
    payloads = list[bytes]()
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for text in whole:
            record = decode_line(text + b"\n")
            if record is None:
                raise DamagedError(f"{name}: a line does not prove itself", code="another_history")
            lines.append(text + b"\n")
            payloads.append(record.data)
            if record.n == 0:
                yield Batch(lines, decode_header(decode_journal_header(Path(name), record.data)))
            elif record.left == 0:
                yield Batch(lines, next(decode_ticks(payloads)))
            if record.left == 0:
                lines = []
                payloads = []
        if len(rest) > MAX_LINE_BYTES or sum(map(len, lines)) > MAX_UNSYNCED_BYTES:
            raise LimitError(f"{name}: the leader has a longer batch than a journal may have")


def copy(disk: Disk, path: Path, leader: Leader, make_world: WorldMaker) -> None:
    """Bring a directory up to the last durable byte of the leader. Refuses a world that this
    release cannot execute, and a directory with another history."""
    directory = WorldDirectory(disk, path)
    disk.make_directories(path)
    with closing(hold(disk, path / LOCK)):
        for _ in range(ATTEMPTS - 1):
            with suppress(UnknownError):  # removed since it was listed
                return _copy(directory, leader, make_world)
        return _copy(directory, leader, make_world)


def _copy(directory: WorldDirectory, leader: Leader, make_world: WorldMaker) -> None:
    last = directory.segments()[-1] if directory.journals() else None
    listed = leader.files(None if last is None else last.first_tick)
    if last is None and not any(map(JOURNAL.match, listed.files)):
        problem = "lists no segment of a journal, so there is no world to copy; look at that server"
        raise IllegalError(f"{leader.name} {problem}", code="no_world")
    states = [
        name
        for name in listed.files
        if ARCHIVE.match(name) or (last is None and SNAPSHOT.match(name))
    ]
    for name in states:
        if last is None or not directory.disk.exists(directory.path / name):
            _copy_whole(directory, leader, name, listed.files[name])
    segments = {name for name in listed.files if JOURNAL.match(name)}
    for name in sorted(segments if last is None else segments | {last.path.name}):
        _copy_segment(directory, leader, name, listed.files)
    epoch = directory.segments()[-1].header.epoch
    ours = make_world(0, 0, epoch.tuning)
    if (obstacle := epoch.obstacle(ours.catalogs, ours.extensions)) is not None:
        problem = f"{leader.name}, release {listed.release}, cannot be followed"
        raise IllegalError(f"{problem}: {obstacle}", code="rules")
    # Ticks of other rules or catalogs cannot be executed here: go on from the leader's snapshot.
    former = None if last is None else last.header.epoch
    snapshot = directory.snapshot_path(epoch.begin_tick).name
    if (
        former is not None
        and (former.rules, former.catalogs) != (epoch.rules, epoch.catalogs)
        and snapshot in listed.files
    ):
        _copy_whole(directory, leader, snapshot, listed.files[snapshot])
    head = read_head(directory)
    if head is None:
        first = Segment(directory.disk, next(iter(directory.journals().values()))).header
        head = msgspec.structs.replace(first_head(first), tip=first.previous)
    write_head(directory, msgspec.structs.replace(head, closed=False))


def _copy_whole(directory: WorldDirectory, leader: Leader, name: str, size: int) -> None:
    if not 0 <= size <= MAX_FILE_BYTES:
        problem = f"the leader lists it with {size} bytes, where {MAX_FILE_BYTES} are the most"
        raise LimitError(f"{name}: {problem}")
    with closing(leader.read(name, 0)) as pieces:
        write_atomic(
            directory.disk, directory.path / name, _exactly(pieces, name, size), replace=True
        )


def _exactly(pieces: Iterable[bytes], name: str, size: int) -> Iterator[bytes]:
    """The pieces as they come. Raises UnavailableError if they are more or fewer bytes than `size`;
    no byte beyond it is passed on."""
    got = 0
    for piece in pieces:
        got += len(piece)
        if got > size:
            raise UnavailableError(
                f"{name}: the leader sends more than the {size} bytes that it lists"
            )
        yield piece
    if got < size:
        raise UnavailableError(f"{name}: got {got} of {size} bytes")


def _copy_segment(
    directory: WorldDirectory, leader: Leader, name: str, files: Mapping[str, int]
) -> None:
    """Copy the part of a segment that is missing here. A segment that has no records here is copied
    from its beginning: the leader may have begun it again, in another epoch."""
    disk = directory.disk
    path = directory.path / name
    journal = Journal.open(disk, path, sync="manual") if disk.exists(path) else None
    end = journal.durable[1] if journal is not None and journal.records else 0
    try:
        size = durable_size(directory.path, files, name, end)
        with closing(leader.read(name, end)) as pieces:
            batches = read_batches(pieces, name)
            while end < size:
                batch = next(batches, None)
                if batch is None:
                    raise UnavailableError(f"{name}: got {end} of {size} bytes")
                if journal is None or end == 0:
                    if journal is not None:
                        journal.close()
                        kept = Segment(disk, path).header
                        header = batch.content
                        before = getattr(header, "previous", None)
                        if header != kept and (kept.previous is None or before != kept.previous):
                            difference = f"segment {kept.first_tick} begins otherwise there"
                            raise another_history(directory.path, difference)
                    write_atomic(disk, path, batch.lines[0], replace=True)
                    journal = Journal.open(disk, path, sync="manual")
                else:
                    journal.append_copied(batch.lines)
                end += batch.size
    except DamagedError as problem:
        if problem.code != "another_history":
            raise
        raise another_history(directory.path, problem.message) from None
    finally:
        if journal is not None:
            journal.close()


def another_history(path: Path, why: str) -> DamagedError:
    """The error for a directory whose bytes are not the leader's."""
    return DamagedError(
        f"{path}: this is not what the leader has: {why}; move {path} aside to copy it anew",
        code="another_history",
    )


def durable_size(path: Path, files: Mapping[str, int], name: str, end: int) -> int:
    """How many bytes of a segment the leader has; refused if there are more here."""
    size = files.get(name, 0)
    if size < max(1, end):
        raise another_history(path, f"of {name} it has {size} bytes, and {end} are here")
    return size


def next_position(replica: Replica, leader: Leader, name: str, offset: int) -> tuple[str, int]:
    """Where to read on after an offset of a segment: there, or at the beginning of the next segment
    if this one is complete."""
    files = leader.files(_number(name)).files
    size = durable_size(replica.directory.path, files, name, offset)
    later = min((other for other in files if JOURNAL.match(other) and other > name), default=None)
    return (name, offset) if later is None or offset < size else (later, 0)


def confirm_opened(replica: Replica, leader: Leader) -> None:
    """Refuse a copy as `diverged` if its state after the last tick is not the leader's. Raises
    UnavailableError if the leader does not say what that is."""
    for _ in range(CONFIRM_ROUNDS):
        digest = digest_after(replica, leader, replica.world.tick)
        if digest is not None:
            return replica.confirm(digest)
        name, offset = next_position(replica, leader, *replica.position)
        with suppress(UnknownError), closing(leader.read(name, offset)) as pieces:
            if batch := next(read_batches(pieces, name), None):
                return replica.confirm(replica.digest_before(batch))
    raise UnavailableError(
        f"{leader.name} does not say how tick {replica.world.tick} ended, nor what came after it"
    )


def digest_after(replica: Replica, leader: Leader, tick: int) -> str | None:
    """The leader's digest after a tick, if that is its last one."""
    files = leader.files(_number(replica.position[0]))
    return files.digest if files.tick == tick else None


class EpochBegan(IllegalError):
    """Raised when the leader goes on in another epoch: the world must be copied and opened
    again."""


class Replica(WorldService):
    """A world that another process plays. `take` a batch, then `tick` to execute it."""

    _decides = False
    _taken: tuple[list[bytes], TickRecord, str] | None = None
    _header_line = b""

    @property
    def position(self) -> tuple[str, int]:
        """The live segment, and the offset at which its next batch begins. A segment without
        records begins again at 0: its header may have changed at the leader."""
        path, end = self.durable_journal
        return path.name, end if self._journal.records else 0

    def take(self, batch: Batch, digest_after: str) -> list[AnyInput] | None:
        """Take the next batch. Returns the inputs of its tick, to be passed to `tick`; None if it
        was the header of a segment."""
        if isinstance(batch.content, TickRecord):
            self._taken = batch.lines, batch.content, digest_after
            return batch.content.inputs
        self._follow_segment(batch.lines[0], batch.content)
        return None

    def digest_before(self, batch: Batch) -> str:
        """The leader's digest before the tick or segment of a batch. Raises EpochBegan if another
        epoch begins there."""
        if isinstance(batch.content, SegmentHeader):
            self._check_terms(batch.content)
        return batch.content.digest

    def tick(self, inputs: Sequence[AnyInput]) -> Future[None]:
        """Execute the tick that was taken. If the leader has another digest before or after it,
        refuse as `diverged`, and refuse every later tick."""
        self._check_usable()
        if self._taken is None:
            raise IllegalError("a follower executes what its leader has executed, and nothing else")
        (lines, record, digest_after), self._taken = self._taken, None
        if record.tick != self.world.tick + 1:
            raise another_history(
                self.directory.path, f"tick {self.world.tick + 1} is missing there"
            )
        require(self.world, inputs)
        if record.digest != self.digest():
            # The record with the leader's digest is written first, so that `verify` sees it too.
            self._submit(self._writer, self._append, lines).result()
            self.confirm(record.digest)
        durable = self._execute(inputs, lines)
        self.confirm(digest_after)
        return durable

    def _append(self, records: list[bytes]) -> None:
        self._journal.append_copied(records)

    def confirm(self, digest: str) -> None:
        """Refuse as `diverged` if the leader has another digest than this world."""
        if digest != self.digest():
            self._failure = DamagedError(
                f"this follower has diverged: after tick {self.world.tick} the leader has digest "
                f"{digest}, and executing the same inputs here gives {self.digest()}",
                code="diverged",
            )
            raise self._failure

    def _follow_segment(self, line: bytes, header: SegmentHeader) -> None:
        path, _ = self.durable_journal
        if header.first_tick == _number(path.name) and not self._journal.records:
            if header != Segment(self.directory.disk, path).header:
                raise EpochBegan(f"segment {header.first_tick} was begun again")
            return
        if header.first_tick != self.world.tick + 1 or header.previous != self.tip:
            raise another_history(
                self.directory.path, f"segment {header.first_tick} does not continue it"
            )
        self._check_terms(header)
        self.confirm(header.digest)
        self._segment_first = header.first_tick
        self._header_line = line
        self._durable = self._submit(self._writer, self._begin_segment, header)
        self._take_snapshot()

    def _check_terms(self, header: SegmentHeader) -> None:
        if header.epoch != self.epoch:
            raise EpochBegan(f"epoch {header.epoch.number} begins: {header.epoch.reason}")

    def _new_journal(self, header: SegmentHeader) -> Journal:
        path = self.directory.journal_path(header.first_tick)
        write_atomic(self.directory.disk, path, self._header_line)
        return Journal.open(self.directory.disk, path)


def _number(name: str) -> int:
    """The tick, or the season, in the name of a file."""
    return int("".join(filter(str.isdigit, name.partition(".")[0])))
