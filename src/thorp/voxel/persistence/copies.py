"""Copies of a world: forks (an earlier state as a world of its own), backups, and replays.

All read a directory that a server may be writing to, and none locks it. A server only appends,
seals and removes, in an order that keeps every prefix whole. So a copy takes the snapshots first,
then each segment up to its last complete record, and is the world as it was at some tick. If a
file was sealed meanwhile, its packed form is taken.
"""

from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, Self

import msgspec

from thorp.kernel.errors import ConflictError, DamagedError, IllegalError, InvalidError
from thorp.store import Disk, read_whole, write_atomic
from thorp.store.packed import SUFFIX
from thorp.store.scan import scan_journal
from thorp.voxel.new_world import create_world
from thorp.voxel.persistence.directory import HEAD, WorldDirectory
from thorp.voxel.persistence.head import (
    SECRET,
    Head,
    encode_head,
    first_head,
    hold_against_head,
    write_head,
)
from thorp.voxel.persistence.record import Epoch, SegmentHeader, check_seed
from thorp.voxel.persistence.recovery import begin_segment
from thorp.voxel.persistence.replay import History, Watch
from thorp.voxel.persistence.snapshot import (
    CopiedState,
    WorldMaker,
    encode_state,
    pack,
    read_header,
    restore,
)
from thorp.voxel.state.world import World

MANIFEST: Final = "backup.json"
# Sealing a segment removes its plain name once, and then the copy is tried again. A server does not
# do so this often in a row.
ATTEMPTS: Final = 5


class Forked(msgspec.Struct, frozen=True):
    """The tick that a fork begins with, and the digest of its state."""

    tick: int
    digest: str


class BackedUp(msgspec.Struct, frozen=True):
    """The contents of a backup. Its file is written last: a directory without it is an unfinished
    backup."""

    tick: int
    tip: str | None
    files: dict[str, int]  # Names, and their sizes in bytes.


def replay(
    disk: Disk,
    path: Path,
    to_tick: int,
    *,
    make_world: WorldMaker = create_world,
    watch: Watch = lambda _: None,
) -> World:
    """The world as it was after a tick. Changes nothing."""
    return _history_to(disk, path, to_tick, make_world, watch).world


def fork(
    disk: Disk,
    path: Path,
    at_tick: int,
    into: Path,
    *,
    draw_seed: int | None = None,
    change: Callable[[World], str] | None = None,
    make_world: WorldMaker = create_world,
    watch: Watch = lambda _: None,
    now_s: int = 0,
) -> Forked:
    """Make another world that goes on from a tick of this one, with the same seeds; or on the same
    land, with draws from another seed; or with one thing changed."""
    _require_empty(disk, into)
    check_seed("draw seed", draw_seed)
    history = _history_to(disk, path, at_tick, make_world, watch)
    state = _branch(history.world, history.epoch, draw_seed, change)
    return write_fork(disk, state, into, now_s=now_s)


class Origin(msgspec.Struct, frozen=True):
    """A state from which many forks begin, so that the journal is executed only once."""

    packed: bytes
    epoch: Epoch
    tick: int
    make_world: WorldMaker

    @classmethod
    def at(
        cls,
        disk: Disk,
        path: Path,
        tick: int,
        *,
        make_world: WorldMaker = create_world,
        watch: Watch = lambda _: None,
    ) -> Self:
        """The state of a kept world after a tick."""
        history = _history_to(disk, path, tick, make_world, watch)
        packed = pack(encode_state(history.world, history.epoch))
        return cls(packed, history.epoch, tick, make_world)

    @property
    def digest(self) -> str:
        """The digest of the original's state."""
        return read_header(self.packed).digest

    def fork_state(
        self, draw_seed: int | None = None, change: Callable[[World], str] | None = None
    ) -> CopiedState:
        """The state with which a fork begins, and its epoch, which names whatever is not as it
        was. `change` makes the change, and says in a few words what it was."""
        check_seed("draw seed", draw_seed)
        return _branch(restore(self.packed, self.make_world), self.epoch, draw_seed, change)

    def fork_world(
        self, draw_seed: int | None = None, change: Callable[[World], str] | None = None
    ) -> World:
        """The world that a fork begins with, in memory."""
        return restore(pack(self.fork_state(draw_seed, change)), self.make_world)


def _branch(
    world: World,
    epoch: Epoch,
    draw_seed: int | None,
    change: Callable[[World], str] | None,
) -> CopiedState:
    reason = f"forked at tick {world.tick}"
    if draw_seed is not None:
        if draw_seed == world.draw_seed:
            raise InvalidError("this is the world's own draw seed; leave it out", code="seed")
        reason += ", with another draw seed"
        world.redraw(draw_seed)
    if change is not None:
        reason += f", changed: {change(world)}"
    return encode_state(world, epoch.successor(world, reason, redraw=draw_seed))


def write_fork(disk: Disk, state: CopiedState, into: Path, *, now_s: int = 0) -> Forked:
    """Write the world that begins with a state into an empty directory."""
    _require_empty(disk, into)
    target = WorldDirectory(disk, into)
    disk.make_directories(into)
    write_atomic(disk, target.snapshot_path(state.tick), pack(state, taken_s=now_s))
    header = SegmentHeader(
        epoch=state.epoch,
        first_tick=state.tick + 1,
        digest=state.digest,
        previous=None,
        began_s=now_s,
    )
    begin_segment(target, header).close()
    write_head(target, first_head(header, closed=True))
    return Forked(state.tick, state.digest)


def backup(disk: Disk, path: Path, into: Path) -> BackedUp:
    """Copy a world into an empty directory, also while a server writes to it. Copying that
    directory back restores the world."""
    source = WorldDirectory(disk, path)
    target = WorldDirectory(disk, into)
    source.require()
    _require_empty(disk, into)
    disk.make_directories(into)
    files: dict[str, int] = {}

    def keep(name: str, data: bytes) -> None:
        write_atomic(disk, into / name, data)
        files[name] = len(data)

    head, missing = hold_against_head(source)
    if missing:
        raise DamagedError(
            f"{path}: {'; '.join(missing)}; a copy of this would not be a backup", code="loss"
        )
    begins = 0 if head is None else head.first_tick
    snapshots = source.snapshots()
    journals = [first for first in source.journals() if first >= begins]
    for tick in snapshots:
        with suppress(IllegalError):  # an old one may have been removed meanwhile: no harm
            keep(source.snapshot_path(tick).name, source.read_snapshot(tick))
    secret = [path / SECRET] if disk.exists(path / SECRET) else []
    for whole in (*source.archives(), *secret):
        keep(whole.name, read_whole(disk, whole))
    copied: list[int] = []
    for first in journals:
        file = _read_journal(source, first, last=first == journals[-1])
        if file is None:
            copied.clear()  # retention drops the oldest first, so those before are gone too
        else:
            keep(*file)
            copied.append(first)
    end = target.segments()[-1].end()
    digest = head.digest if head is not None and head.tip == end.tip else None
    last = Head(
        first_tick=copied[0],
        live=copied[-1],
        segments=len(copied),
        tick=end.tick,
        tip=end.tip,
        digest=digest,
        closed=True,
    )
    keep(HEAD, encode_head(last))
    done = BackedUp(end.tick, end.tip, files)
    write_atomic(disk, into / MANIFEST, msgspec.json.format(msgspec.json.encode(done)))
    return done


def _read_journal(source: WorldDirectory, first: int, *, last: bool) -> tuple[str, bytes] | None:
    """Name and content of a segment, plain or packed; None if retention has dropped it
    meanwhile."""
    for _ in range(ATTEMPTS):
        path = source.journals().get(first)
        if path is None:
            return None
        with suppress(IllegalError), closing(source.disk.open(path)) as file:
            # The live segment may end in the middle of a record.
            is_live = last and path.suffix != SUFFIX
            end = scan_journal(file, path).end if is_live else file.size()
            return path.name, file.read(0, end)
    raise IllegalError(
        f"{source.journal_path(first)}: cannot be held long enough to copy it", code="busy"
    )


def _history_to(disk: Disk, path: Path, tick: int, make_world: WorldMaker, watch: Watch) -> History:
    if tick < 0:
        raise InvalidError(f"a tick is 0 or more, not {tick}", code="range")
    history = History.begin(disk, path, make_world, at_most=tick)
    history.go(to_tick=tick, watch=watch)
    return history


def _require_empty(disk: Disk, into: Path) -> None:
    if disk.exists(into) and disk.list(into):
        raise ConflictError(f"{into}: is not empty; choose a new directory", code="exists")
