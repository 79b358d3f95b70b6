"""Runs a world in a directory: executes ticks, makes them durable, and takes snapshots.

One tick:

    encode the record → hand it to the writer's thread, which appends and syncs it
                      → meanwhile execute the tick here
    the future is done when the record is durable; only then may anything of the tick be shown

A snapshot is taken when enough ticks, or enough work, have passed since the last one:

    here, between two ticks    copy the state
    in the writer's thread     begin the next segment of the journal, if this one is full; name it
                               in the head
    in the keeper's thread     wait until the tick is durable; pack and write the snapshot; seal
                               full segments; remove what need not be kept. It works for a short
                               turn in each tick

`docs/world-keeping.md` says what may be relied on, also when a disk or the rule of an action fails.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, Self

import msgspec

from thorp.kernel.closing import closed_on_error
from thorp.kernel.errors import IllegalError, LimitError
from thorp.store import Disk, DiskFile, Journal, hold, write_atomic
from thorp.voxel.extension import require
from thorp.voxel.inputs import AnyInput
from thorp.voxel.new_world import create_world
from thorp.voxel.persistence.directory import LOCK, WorldDirectory
from thorp.voxel.persistence.head import write_head
from thorp.voxel.persistence.record import SegmentHeader, encode_tick
from thorp.voxel.persistence.recovery import (
    Asked,
    Opened,
    begin_segment,
    check_asked,
    open_world,
)
from thorp.voxel.persistence.replay import History
from thorp.voxel.persistence.retention import Retention, seal_segments, thin_out
from thorp.voxel.persistence.snapshot import (
    CopiedState,
    WorldMaker,
    encode_state,
    pack,
    pack_chunks,
)
from thorp.voxel.society.seasons import begins_season
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning
from thorp.voxel.unread_input import without_unread

# Ticks that take this long to execute again after a crash leave time to load a snapshot: a start
# takes at most five seconds.
REPLAY_BUDGET_S: Final = 2.5
# How long the keeper sleeps between short pieces of work, so that the ticking thread gets the
# interpreter at once. See `docs/world-keeping.md`.
REST_S: Final = 0.0005
# The CPU time that the keeper's thread may take in each tick: a tenth of a tick at five a second.
TURN_S: Final = 0.02
# If no tick comes, the keeper's next turn begins after this time.
MAX_TURN_WAIT_S: Final = 1.0
# A batch of a journal may have 64 MiB with its frames. Servers should stay far below.
MAX_TICK_BYTES: Final = 48 * 1024 * 1024

Clock = Callable[[], float]

own_thread: Final[Callable[[], Executor]] = partial(ThreadPoolExecutor, max_workers=1)


def reserve(disk: Disk, path: Path, asked: Asked | None) -> DiskFile:
    """Lock a world directory that is to be opened soon, and make the quick checks: nobody else has
    locked it, and it has the seeds and the tuning that are asked for, if any are. Returns the lock,
    which `WorldService.open` takes over."""
    lock = _hold_directory(disk, path)
    with closed_on_error(lock):
        if asked is not None:
            check_asked(WorldDirectory(disk, path), asked)
    return lock


def _hold_directory(disk: Disk, path: Path) -> DiskFile:
    disk.make_directories(path)
    # Also if the directory was there: a start may have made it and failed before this line.
    disk.sync_directory(path.parent)
    return hold(disk, path / LOCK)


class WorldService:
    """A world in a directory that this process has locked: executes ticks and makes them durable.

    `tick`, `snapshot` and `close` must be called from one thread. Two more threads work for it: the
    writer appends to the journal, the keeper writes snapshots and tidies up. The world belongs to
    the calling thread; the others get bytes and copies only. `_head` is the one thing that all
    three change, under `_head_lock`.
    """

    _decides = True  # Whether ticks and ends of segments are decided here, not by a leader.

    def __init__(
        self,
        directory: WorldDirectory,
        lock: DiskFile,
        opened: Opened,
        *,
        make_world: WorldMaker,
        retain_days: float | None,
        threads: Callable[[], Executor],
        clock: Clock,
        effort: Clock,
    ) -> None:
        """Take over a recovered directory. Use `WorldService.open` to make a service."""
        self.world = opened.world
        self.epoch = opened.epoch
        self.recovery = opened.recovery
        self._make_world = make_world
        self.directory = directory
        self._lock = lock
        self._journal = opened.journal
        self._segment_first = opened.segment_first
        self._head = opened.head
        self._head_lock = threading.Lock()
        self._retain_days = retain_days
        self._clock = clock
        self._effort = effort
        self._writer = threads()
        self._keeper = threads()
        # Done when everything up to the last tick is on disk.
        self._durable: Future[None] | None = None
        self._keeping: Future[None] | None = None
        self._turn = threading.Event()  # Set by every tick: the keeper may work again.
        self._turn_began = 0.0
        self._hurry = False  # Somebody waits for the keeper, so the keeper does not wait for ticks.
        # The last snapshot: the ground takes back its packed chunks before the next one.
        self._packed: CopiedState | None = None
        self._snapshot_tick = opened.recovery.snapshot_tick
        # Time spent on ticks that the next start must execute again.
        self._work_s = opened.recovery.replay_s
        # The last tick whose digest was computed, and the digest. Any thread may read it.
        self.last_digest = (
            -1,
            "",
        )
        self._failure: BaseException | None = None
        self._closed = False

    @classmethod
    def open(
        cls,
        disk: Disk,
        path: Path,
        *,
        seed: int | None = None,
        draw_seed: int | None = None,
        tuning: Tuning | None = None,
        retune: bool = False,
        seasons: bool = False,
        retain_days: float | None = None,
        accept_loss: bool = False,
        copied: bool = False,
        lock: DiskFile | None = None,
        make_world: WorldMaker = create_world,
        threads: Callable[[], Executor] = own_thread,
        clock: Clock = time.time,
        effort: Clock = time.thread_time,
    ) -> Self:
        """Open the world of a directory, recovered to its last durable tick; create one if the
        directory is empty.

        A new world has seed 1337 and a secret draw seed, unless they are given. An existing one
        keeps its seeds and its tuning: others are refused as `seed` and `tuning`; with `retune`
        another tuning begins an epoch. `seasons` asks for a tuning that has them. Missing files and
        ticks are refused as `loss`, unless `accept_loss` is set. If the journal was `copied` from
        another process, every digest is compared, and whatever would begin an epoch is refused as
        `rules`. `retain_days` are days of 86,400 s in the world's time. `lock` is the lock of a
        directory that `reserve` has returned; it is taken over. Raises `locked`, DamagedError,
        `rules` and DiskError, and has then changed nothing that counts.
        """
        lock = _hold_directory(disk, path) if lock is None else lock
        directory = WorldDirectory(disk, path)
        with closed_on_error(lock):
            asked = Asked(
                seed=seed,
                draw_seed=draw_seed,
                tuning=tuning,
                retune=retune,
                seasons=seasons,
                accept_loss=accept_loss,
                copied=copied,
            )
            opened = open_world(directory, asked, make_world, round(clock()))
            return cls(
                directory,
                lock,
                opened,
                make_world=make_world,
                retain_days=retain_days,
                threads=threads,
                clock=clock,
                effort=effort,
            )

    @property
    def durable_journal(self) -> tuple[Path, int]:
        """The live segment, and how many of its bytes are durable. Any thread may ask."""
        return self._journal.durable

    @property
    def tip(self) -> str | None:
        """The hash of the last durable record: between ticks, of the last record."""
        return self._journal.tip if self._journal.records else self._head.tip

    def digest(self) -> str:
        """The digest after the last tick. If it is asked for between ticks, the next tick need not
        compute it."""
        if self.last_digest[0] != self.world.tick:
            self.last_digest = (self.world.tick, self.world.digest())
        return self.last_digest[1]

    def tick(self, inputs: Sequence[AnyInput]) -> Future[None]:
        """Execute the next tick. The future is done when its record is durable, and fails if the
        disk does; nothing of the tick may be shown before. Refuses as `broken` after any failure,
        as `tick_too_long` if no record can hold the inputs, and as `annex` if a request is to an
        extension that is not there."""
        self._check_usable()
        require(self.world, inputs)
        inputs = without_unread(self.world, inputs)
        # Actions of the tick before: the record that confirms its digest names them too.
        failed = self.world.scratch.defects.failed
        records = encode_tick(self.world.tick + 1, self.digest(), inputs, failed)
        size = sum(map(len, records))
        if size > MAX_TICK_BYTES:
            raise LimitError(
                f"the inputs of a tick may have {MAX_TICK_BYTES} bytes, these have {size}; "
                "take fewer",
                code="tick_too_long",
            )
        return self._execute(inputs, records)

    def _execute(self, inputs: Sequence[AnyInput], records: list[bytes]) -> Future[None]:
        """Execute the next tick, while the writer's thread appends its records.

        The record is handed over first, so that writing and executing go on at the same time. If
        the process dies meanwhile, the tick is executed again from its record.
        """
        if begins_season(self.world.tuning, self.world.tick + 1):
            ended = self._state()
            durable = self._submit(self._writer, self._archive, self.world.season, ended, records)
        else:
            durable = self._submit(self._writer, self._append, records)
        self._durable = durable
        self._turn.set()
        began = self._effort()
        try:
            step(self.world, inputs, contain=True)
            if self.world.scratch.defects.failed:
                self._prove_contained(inputs)
        except BaseException as error:
            self._failure = error
            raise
        self._work_s += self._effort() - began
        is_due = self._segment_is_full() or self._work_s > REPLAY_BUDGET_S
        if is_due and (self._keeping is None or self._keeping.done()):
            self._take_snapshot()
        return durable

    def _prove_contained(self, inputs: Sequence[AnyInput]) -> None:
        """Execute the tick again, from a snapshot and the journal, without the actions that failed;
        raise the cause if that gives another state."""
        world = self.world
        defects = self.world.scratch.defects
        self._hurry_keeper(True)
        for pending in (self._durable, self._keeping):
            if pending is not None:
                pending.result()
        self._hurry_keeper(False)
        last = world.tick - 1
        before = History.begin(
            self.directory.disk, self.directory.path, self._make_world, at_most=last
        )
        proof = before.go(to_tick=last)
        step(proof, inputs, skip=defects.failed)
        # The rule that failed may have changed rows without saying so: hash all of them again.
        world.forget_derived()
        if proof.digest() != self.digest():
            assert defects.cause is not None
            raise defects.cause
        self._take_snapshot()  # so that the next proof, and the next start, are quick

    def snapshot(self) -> Future[None]:
        """Take a snapshot after the last tick. The future is done when it is on the disk."""
        self._check_usable()
        return self._take_snapshot()

    def close(self, *, snapshot: bool = True) -> None:
        """Finish what is under way and unlock the directory. With a snapshot the next start is
        quick, and a release with other rules can take over. Closing twice is allowed."""
        if self._closed:
            return
        if self.world.scratch.defects.failed:
            # Only the record of a further tick names the actions that failed in the last one. If it
            # fails, `_failure` has the reason, and closing goes on.
            with suppress(Exception):
                self.tick([])
        self._closed = True
        self._hurry_keeper(True)
        final: Future[None] | None = None
        try:
            if snapshot and self._failure is None and self._snapshot_tick != self.world.tick:
                self._take_snapshot()
                final = self._keeping
        finally:
            self._keeper.shutdown()
            self._writer.shutdown()
            try:
                self._journal.close()
                if self._failure is None:
                    last = {"tick": self.world.tick, "tip": self.tip, "digest": self.digest()}
                    self._write_head(**last, closed=self._decides)
            finally:
                self._lock.close()
        if final is not None:
            final.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(snapshot=kind is None)

    def _check_usable(self) -> None:
        if self._closed:
            raise IllegalError(
                f"{self.directory.path}: this world is closed; open it again", code="closed"
            )
        if self._failure is not None:
            problem = f"{self.directory.path}: no more ticks after a failure ({self._failure})"
            advice = "mend its cause, then open the world again to see what survived"
            raise IllegalError(f"{problem}; {advice}", code="broken") from self._failure

    def _submit(
        self, thread: Executor, work: Callable[..., None], *arguments: object, **named: object
    ) -> Future[None]:
        """Have a thread do something. If it fails, the whole service has failed."""
        done: Future[None] = Future()
        # Running from the start: a caller who stops waiting for it must not cancel it.
        done.set_running_or_notify_cancel()

        def run() -> None:
            try:
                work(*arguments, **named)
            except BaseException as error:
                self._failure = self._failure or error
                done.set_exception(error)
            else:
                done.set_result(None)

        thread.submit(run)
        return done

    # In the writer's thread.

    def _append(self, records: list[bytes]) -> None:
        self._journal.append(records)

    def _archive(self, season: int, ended: CopiedState, records: list[bytes]) -> None:
        """Keep the last state of a season for good; only then write the tick that ends it."""
        data = pack(ended, taken_s=round(self._clock()))
        write_atomic(self.directory.disk, self.directory.archive_path(season), data, replace=True)
        self._append(records)

    def _begin_segment(self, header: SegmentHeader) -> None:
        self._journal.sync()  # refuses after a failed append
        tip = self._journal.tip
        self._journal.close()
        self._journal = self._new_journal(msgspec.structs.replace(header, previous=tip))
        first = header.first_tick
        self._write_head(1, live=first, tick=first - 1, tip=tip, digest=header.digest)

    def _new_journal(self, header: SegmentHeader) -> Journal:
        return begin_segment(self.directory, header)

    def _write_head(self, more_segments: int = 0, /, **changes: object) -> None:
        """Write into the head how much the directory holds, once that is durable. Any thread may
        call this. See `persistence.head`."""
        with self._head_lock:
            segments = self._head.segments + more_segments
            head = msgspec.structs.replace(self._head, segments=segments, **changes)
            if head != self._head:
                write_head(self.directory, head)
            self._head = head

    def _drop_before(self, first_tick: int) -> None:
        """In the keeper's thread: note in the head that history begins with this tick now."""
        firsts = [first for first in self.directory.journals() if self._head.first_tick <= first]
        dropped = sum(first < first_tick for first in firsts)
        self._write_head(-dropped, first_tick=max(first_tick, self._head.first_tick))

    # Snapshots.

    def _segment_is_full(self) -> bool:
        # The record after a tick names its failed actions, and must be in the same segment.
        if not self._decides or self.world.scratch.defects.failed:
            return False
        return self.world.tick + 1 - self._segment_first >= self.epoch.tuning.snapshot_every_ticks

    def _state(self) -> CopiedState:
        """A copy of the whole state. Chunks that the last snapshot has packed, and that have not
        changed since, are not copied again."""
        if self._packed is not None:
            self.world.ground.adopt(self._packed.chunks, self._packed.edits)
            self._packed = None
        return encode_state(self.world, self.epoch, self.digest())

    def _take_snapshot(self) -> Future[None]:
        began = time.thread_time()
        state = self._state()
        copied_s = time.thread_time() - began
        now = round(self._clock())
        if self._segment_is_full():
            self._segment_first = first = self.world.tick + 1
            header = SegmentHeader(
                epoch=self.epoch, first_tick=first, digest=state.digest, previous=None, began_s=now
            )
            self._durable = self._submit(self._writer, self._begin_segment, header)
        self._snapshot_tick = self.world.tick
        self._work_s = 0.0
        self._keeping = self._submit(
            self._keeper,
            self._keep,
            state,
            durable=self._durable,
            live_first=self._segment_first,
            now=now,
            copied_s=copied_s,
        )
        return self._keeping

    def _keep(
        self,
        state: CopiedState,
        *,
        durable: Future[None] | None,
        live_first: int,
        now: int,
        copied_s: float,
    ) -> None:
        """In the keeper's thread: write a snapshot, and tidy up. `live_first` is the first tick of
        the live segment. The time that the copy took counts for the first turn."""
        # A snapshot may only be of a durable tick: recovery would refuse one that the journal
        # does not reach.
        if durable is not None:
            durable.result()
        self._turn_began = time.thread_time() - copied_s
        self._packed = state = pack_chunks(state, rest=self._rest)
        data = pack(state, taken_s=now, rest=self._rest)
        write_atomic(
            self.directory.disk, self.directory.snapshot_path(state.tick), data, replace=True
        )
        seal_segments(self.directory, before=live_first, rest=self._rest)
        retention = None
        if self._retain_days is not None:
            tuning = self.epoch.tuning
            retention = Retention.of(self._retain_days, state.tick, tuning, self._drop_before)
        thin_out(self.directory, self._head.first_tick - 1, retention)

    def _rest(self) -> None:
        """In the keeper's thread, between pieces of work: give the interpreter to the ticking
        thread; at the end of a turn, wait for the next tick."""
        time.sleep(REST_S)
        if time.thread_time() - self._turn_began > TURN_S:
            self._turn.clear()
            if not self._hurry:
                self._turn.wait(MAX_TURN_WAIT_S)
            self._turn_began = time.thread_time()

    def _hurry_keeper(self, hurry: bool) -> None:
        """Have the keeper work without waiting for ticks, or wait for them again."""
        self._hurry = hurry
        self._turn.set()
