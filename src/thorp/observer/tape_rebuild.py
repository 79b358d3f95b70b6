"""Makes missing segments of a tape from the world's journal, the newest stretch first.

A stretch begins with a snapshot, or with the founding, and is executed up to the next one. Few
snapshots are kept, so the oldest stretch is often the longest. What this release cannot execute is
named, and left out.

One process at a time makes a tape: a lock says so, in a file beside the tape, which may be deleted
meanwhile.
"""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from thorp.kernel.errors import DamagedError, IllegalError, LimitError
from thorp.observer.tape import Stretch, Tape
from thorp.observer.tape_recorder import SEGMENT_TICKS, TABLES, Recorder
from thorp.store import Disk, hold
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.persistence.replay import History, Watch
from thorp.voxel.persistence.snapshot import Found

# Ticks between two digests that are compared: the tape proves nothing, `thorp world verify` does.
CHECK_EVERY: Final = 500
LOCK: Final = "tape.lock"
# The builder of a server that was killed just now may still hold the lock for a moment.
LOCK_SECONDS: Final = 3.0
LOCK_PAUSE_SECONDS: Final = 0.1
GONE: Final = "no longer kept"
NOT_PLAYABLE: Final = "kept, not playable by this release"


def rebuild(
    tape: Tape,
    disk: Disk,
    path: Path,
    found: Found,
    *,
    until: int | None = None,
    watch: Watch = lambda _: None,
) -> list[Stretch]:
    """Make every missing segment up to a tick, or the last durable one. Returns what cannot be
    made. Refuses as `locked` while another process does the same."""
    directory = WorldDirectory(disk, path)
    directory.require()
    with _alone(disk, path.parent / LOCK):
        return _rebuild(tape, directory, found, until, watch)


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
    tape: Tape, directory: WorldDirectory, found: Found, until: int | None, watch: Watch
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
        todo = [n for n in missing if max(1, n * SEGMENT_TICKS) > start]
        missing = missing[: len(missing) - len(todo)]
        failed = _make(tape, directory, found, start, todo, watch=watch, too_long=stretches)
        if failed is not None:
            tick, why = failed
            stretches.append(Stretch(max(start, tick) + 1, (todo[-1] + 1) * SEGMENT_TICKS - 1, why))
    if missing:
        # What begins within the journal and before its first snapshot belongs to no stretch.
        stretches.append(Stretch(first, (missing[-1] + 1) * SEGMENT_TICKS - 1, GONE))
    tape.note_stretches(sorted(stretches, key=lambda stretch: stretch.first))
    return stretches


def _make(
    tape: Tape,
    directory: WorldDirectory,
    found: Found,
    start: int,
    todo: list[int],
    *,
    watch: Watch,
    too_long: list[Stretch],
) -> tuple[int, str] | None:
    """Make segments after a snapshot, or after the founding (0). If that fails: the tick where, and
    why. Segments that the tape cannot hold are added to `too_long`."""
    if not todo:
        return None
    recorder = Recorder()
    left = set(todo)
    reached = start
    try:
        history = (
            History.at_snapshot(directory, start, found)
            if start
            else History.at_founding(directory, found)
        )

        def look(tick: int) -> None:
            nonlocal reached
            watch(tick)
            if tick // SEGMENT_TICKS not in left or history.record is None:
                return
            segment = recorder.look(history.world, history.record.inputs)
            for table in TABLES:
                getattr(
                    history.world, table
                ).digest()  # from here on its changes are those of the next tick
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
