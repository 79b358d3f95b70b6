"""Makes missing segments of a tape from the world's journal, the newest stretch first.

A stretch begins with a snapshot, or with the founding, and is executed up to the next one. Few
snapshots are kept, so the oldest stretch is often the longest. Ticks that this release cannot
execute are noted on the tape, and left out. The journal of a fork begins in the middle of a
segment; what it has of that one is on the tape too.

One process at a time makes a tape. Its lock is a file beside the tape's directory, which may be
deleted meanwhile.
"""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from thorp.kernel.errors import DamagedError, IllegalError, LimitError
from thorp.observer.tape import Stretch, Tape
from thorp.observer.tape_recorder import SEGMENT_TICKS, TABLES, Recorder, Segment
from thorp.store import Disk, hold
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.persistence.replay import History, Watch
from thorp.voxel.persistence.snapshot import WorldMaker

# Ticks between two digests that are compared. Few will do: the tape proves nothing, as
# `thorp world verify` is.
CHECK_EVERY: Final = 500
LOCK: Final = "tape.lock"
# A process that a killed server had started may still hold the lock for a moment.
LOCK_SECONDS: Final = 3.0
LOCK_PAUSE_SECONDS: Final = 0.1
GONE: Final = "no longer kept"
NOT_PLAYABLE: Final = "kept, not playable by this release"


def rebuild(
    tape: Tape,
    disk: Disk,
    path: Path,
    make_world: WorldMaker,
    *,
    until: int | None = None,
    watch: Watch = lambda _: None,
    lock: Path | None = None,
) -> list[Stretch]:
    """Make every missing segment up to a tick, or the last durable one. Returns the ticks that
    cannot be made. Refuses as `locked` while another process does the same; the lock is a file
    beside the world, unless it is told to be another."""
    directory = WorldDirectory(disk, path)
    directory.require()
    with _alone(disk, lock or path.parent / LOCK):
        return _rebuild(tape, directory, make_world, until, watch)


@contextmanager
def _alone(disk: Disk, lock: Path) -> Iterator[None]:
    """Be the only process that makes this tape."""
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            held = hold(disk, lock)
            break
        except IllegalError as problem:
            if problem.code != "locked":
                raise
            if time.monotonic() > deadline:
                message = (
                    f"{lock}: another process is making this tape already; wait until it is done"
                )
                raise IllegalError(message, code="locked") from None
        time.sleep(LOCK_PAUSE_SECONDS)
    with closing(held):
        yield


def _rebuild(
    tape: Tape, directory: WorldDirectory, make_world: WorldMaker, until: int | None, watch: Watch
) -> list[Stretch]:
    first = min(directory.journals())
    last = directory.segments()[-1].end().tick
    last = last if until is None else min(last, until)
    there = set(tape.numbers())
    missing = [
        n for n in range(first // SEGMENT_TICKS, (last + 1) // SEGMENT_TICKS) if n not in there
    ]
    stretches = [Stretch(1, first - 1, GONE)] if first > 1 else []
    for start in [*reversed(directory.snapshots()), *([0] if first == 1 else [])]:
        todo = [n for n in missing if max(first, n * SEGMENT_TICKS) > start]
        missing = missing[: len(missing) - len(todo)]
        failed = _make(tape, directory, make_world, start, todo, watch=watch, too_long=stretches)
        if failed is not None:
            tick, why = failed
            stretches.append(Stretch(max(start, tick) + 1, (todo[-1] + 1) * SEGMENT_TICKS - 1, why))
    if missing:
        # Segments before the first snapshot of a journal whose beginning is no longer kept.
        stretches.append(Stretch(first, (missing[-1] + 1) * SEGMENT_TICKS - 1, GONE))
    tape.note_stretches(sorted(stretches, key=lambda stretch: stretch.first))
    return stretches


def _make(
    tape: Tape,
    directory: WorldDirectory,
    make_world: WorldMaker,
    start: int,
    todo: list[int],
    *,
    watch: Watch,
    too_long: list[Stretch],
) -> tuple[int, str] | None:
    """Make the segments `todo`, from the snapshot at `start`, or from the founding if that is 0. If
    that fails, returns the last tick of the tape before the failure, and the reason. Segments that
    the tape cannot hold are added to `too_long`."""
    if not todo:
        return None
    recorder = Recorder()
    left = set(todo)
    reached = start
    begins = min(directory.journals())
    try:
        history = (
            History.at_snapshot(directory, start, make_world)
            if start
            else History.at_creation(directory, make_world)
        )

        def look(tick: int) -> None:
            nonlocal reached
            watch(tick)
            if tick // SEGMENT_TICKS not in left or history.record is None:
                return
            segment = recorder.look(history.world, history.record.inputs)
            for table in TABLES:
                # The digest clears the table's list of changes for the next tick, as it does where
                # the world is played.
                getattr(history.world, table).digest()
            if segment is None and tick % SEGMENT_TICKS == SEGMENT_TICKS - 1:
                segment = begun_with(recorder.open, begins)
            if segment is None:
                return
            try:
                tape.write(segment).result()
            except LimitError as problem:
                too_long.append(Stretch(segment.document["first"], tick, problem.message))
            left.remove(segment.n)
            reached = tick

        history.go(to_tick=(todo[-1] + 1) * SEGMENT_TICKS - 1, check_every=CHECK_EVERY, watch=look)
    except IllegalError as problem:
        return reached, NOT_PLAYABLE if problem.code in ("rules", "annex") else problem.message
    except DamagedError as problem:
        return reached, problem.message
    return None


def begun_with(segment: Segment | None, tick: int) -> Segment | None:
    """A segment that is over and has not all of its ticks, if its first is that of the journal."""
    return segment if segment is not None and segment.document["first"] == tick else None
