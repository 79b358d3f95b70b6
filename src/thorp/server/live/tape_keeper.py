"""Records the tape of a running world, and has its gaps filled.

The tick hands a finished segment to the tape's own thread and never waits. When that thread falls
behind, a segment is left out; a process of its own makes it again from the journal, as it makes all
that are missing at the start.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from thorp.bridges.chronicle import world_name
from thorp.kernel.errors import LimitError, ThorpError, UnavailableError
from thorp.observer.tape import Stretch, Tape
from thorp.observer.tape_rebuild import begun_with
from thorp.observer.tape_recorder import SEGMENT_TICKS, Recorder, Segment
from thorp.server.processes.replay import Replay
from thorp.store import RealDisk
from thorp.voxel import AnyInput, World
from thorp.voxel.persistence.directory import WorldDirectory

# Segments that may wait for the tape's thread: some minutes.
MAX_WAITING: Final = 4
# Pause before the journal is replayed again, after a replay has failed.
RETRY_SECONDS: Final = 30.0
# Pause before a tape that could not be opened is tried again.
UNAVAILABLE_SECONDS: Final = 5.0

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)


class TapeKeeper:
    """The tape of one running world. `look` is called by the thread that ticks, and lets no failure
    reach the tick."""

    def __init__(self, data: Path, path: Path, world: World) -> None:
        self.world = world
        self.name = world_name(RealDisk(), path)
        self.tape = Tape(data, self.name, last_tick=world.tick)
        self.begins = min(WorldDirectory(RealDisk(), path).journals())
        self._recorder: Recorder | None = Recorder()
        self.waiting: dict[int, Segment] = {}
        """Segments that are over and not stored yet."""
        self._too_long: dict[int, str] = {}
        """Why the tape cannot hold a segment, by its number, until that is written on the tape."""
        self._replay = Replay(("world", "tape", "--data", str(data)))
        self._gap = threading.Event()
        self._stopping = False
        self._copy: Segment | None = None
        self._thread = threading.Thread(target=self._replay_gaps, name="thorp tape", daemon=True)
        if world.tick:
            self._gap.set()
        self._thread.start()

    def close(self) -> None:
        """Write the segments that wait, and stop. One that was not finished is made from the
        journal later. Blocks."""
        self._stopping = True
        self._gap.set()
        self._replay.stop()
        self.tape.close()

    # Recording

    def look(self, world: World, inputs: Sequence[AnyInput], durable: Future[None]) -> None:
        """Record a tick. A segment that it finishes is written once the tick is durable."""
        if self._recorder is None:
            return
        try:
            segment = self._recorder.look(world, inputs) or self._begun_segment(world)
            if segment is None:
                if world.tick % SEGMENT_TICKS == SEGMENT_TICKS - 1:
                    self._gap.set()  # the recorder did not see the beginning of this segment
            elif len(self.waiting) >= MAX_WAITING:
                self._gap.set()
                _log.warning("the tape is behind: ticks up to %d are put on it later", world.tick)
            else:
                self.waiting[segment.n] = segment
                stored = self.tape.write(segment, durable, wait=False)
                stored.add_done_callback(lambda done: self._written(segment.n, done))
        except ThorpError:  # there is no tape just now, which the tape itself has logged
            self.waiting.pop(world.tick // SEGMENT_TICKS, None)
            self.tape.file.doubt()
            self._gap.set()
        except Exception:
            self._recorder = None
            _log.exception("the tape has stopped at tick %d; the world goes on", world.tick)

    def _begun_segment(self, world: World) -> Segment | None:
        """The segment with which the journal of a fork begins, if it ends with this tick and was
        seen from there on."""
        if world.tick % SEGMENT_TICKS != SEGMENT_TICKS - 1 or self._recorder is None:
            return None
        return begun_with(self._recorder.open, self.begins)

    def _written(self, n: int, done: Future[None]) -> None:
        """Note that a segment is on the tape, or why it is not."""
        self.waiting.pop(n, None)
        problem = done.exception()
        if problem is None:
            return
        if isinstance(problem, LimitError):
            self._too_long[n] = problem.message
        else:
            self.tape.file.doubt()
        self._gap.set()
        _log.warning("segment %d of the tape could not be written: %s", n, problem)

    def _replay_gaps(self) -> None:
        """In a thread of its own: have a process make the segments that are missing, whenever some
        are."""
        while self._gap.wait() and not self._stopping:
            self._gap.clear()
            try:
                self._note_too_long()
                if self.lacks(self.tape.numbers(), self.tape.stretches()):
                    self._replay(self.world.tick)
            except UnavailableError:  # which the tape has logged, once
                time.sleep(UNAVAILABLE_SECONDS)
                self._gap.set()
            except ThorpError as problem:
                if not self._stopping:
                    _log.warning("the tape is not complete: %s", problem)
                    time.sleep(RETRY_SECONDS)

    def _note_too_long(self) -> None:
        """Write on the tape which segments it cannot hold, so that they are not made again."""
        for n, why in list(self._too_long.items()):
            self.tape.add_stretch(Stretch(n * SEGMENT_TICKS, (n + 1) * SEGMENT_TICKS - 1, why))
            del self._too_long[n]

    def lacks(self, numbers: Sequence[int], stretches: Sequence[Stretch]) -> bool:
        """Whether a finished segment is neither on the tape, nor on its way, nor known to be
        impossible."""
        lacking = set(range((self.world.tick + 1) // SEGMENT_TICKS)).difference(
            numbers, self.waiting
        )
        return any(why_missing(n, stretches, self.begins) is None for n in lacking)

    def unstored(self) -> list[Segment]:
        """Segments that are not on the tape yet, the last of them still growing."""
        segments = dict(self.waiting)
        growing = None if self._recorder is None else self._recorder.open
        if growing is not None and growing.n not in segments:
            last = growing.document["last"]
            if self._copy is None or self._copy.document["last"] != last:
                # A copy, since other threads read it; one a tick serves everybody who asks.
                self._copy = growing.copy()
            segments[growing.n] = self._copy
        return [segments[n] for n in sorted(segments)]

    def fill_gaps(self) -> None:
        """Have missing segments made soon."""
        self._gap.set()

    async def ask(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Ask the tape something, in a thread. If it lacks a segment for the answer, that is
        made."""
        try:
            return await asyncio.to_thread(question, *args, **kwargs)
        except UnavailableError:
            self._gap.set()
            raise


def why_missing(n: int, stretches: Sequence[Stretch], begins: int) -> str | None:
    """Why a segment cannot be made, if that is known. The journal of a fork `begins` in the middle
    of a segment; that the ticks before are gone says nothing about those from there on."""
    last = (n + 1) * SEGMENT_TICKS - 1
    first = min(max(n * SEGMENT_TICKS, begins), last)
    return next(
        (stretch.why for stretch in stretches if stretch.first <= last and first <= stretch.last),
        None,
    )
