"""Keeps the chronicle of a running world: observes every tick, and publishes pages in its own thread.

The tick never waits for the chronicle. A page is published when its last tick is durable. If the story does
not end where the page begins (after a restart within a range, a full queue, or a refused page), everything up
to the end of the page is recovered from the journal. So nothing is lost or published twice, and there is only
one way to recover.
"""

import contextlib
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, NamedTuple

from thorp.bridges.chronicle.observer import PageBuilder
from thorp.bridges.chronicle.publisher import Page, Publisher
from thorp.bridges.chronicle.wording import last_end
from thorp.kernel.errors import ThorpError
from thorp.voxel.state.world import World

MAX_PAGES: Final = 32
"""Pages that may wait to be published: eight days. Later ones are recovered from the journal."""

CatchUp = Callable[[int], None]
"""Publishes every range up to a tick from the journal."""

_log = logging.getLogger(__name__)


class _Job(NamedTuple):
    last: int
    durable: Future[None] | None
    page: Page | None


class Chronicler:
    """`look` is called by the thread that ticks; no failure of it reaches the tick."""

    def __init__(self, telling: Publisher, world: World, catch_up: CatchUp) -> None:
        self._telling = telling
        self._catch_up = catch_up
        self._reading: PageBuilder | None = PageBuilder(world)
        self._jobs: queue.Queue[_Job | None] = queue.Queue(MAX_PAGES)
        self._stopping = threading.Event()
        self._told = telling.last_tick()
        self._thread = threading.Thread(target=self._run, name="thorp chronicle", daemon=True)
        over = last_end(world.tick, world.tuning.day_ticks)
        if over > self._told:
            self._jobs.put_nowait(_Job(over, None, None))
        self._thread.start()

    def look(self, world: World, durable: Future[None]) -> None:
        """Observe the last tick; `durable` is done when that tick is."""
        if self._reading is None:
            return
        try:
            page = self._reading.look(world)
            if page is not None:
                self._jobs.put_nowait(_Job(page.ticks.last, durable, page))
        except queue.Full:
            _log.warning("the chronicle is behind: ticks up to %d are told later", world.tick)
        except Exception:
            self._reading = None
            _log.exception("the chronicle has stopped at tick %d; the world goes on", world.tick)

    def close(self, patience: float | None = None) -> None:
        """Publish what waits within `patience` seconds, then stop. The rest is recovered after the next
        start."""
        with contextlib.suppress(queue.Full):
            self._jobs.put(None, timeout=patience)
        self._thread.join(patience)
        self._stopping.set()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None and not self._stopping.is_set():
            try:
                self._do(job)
            except ThorpError as problem:  # the next page finds what is missing
                _log.warning("ticks up to %d could not be told yet: %s", job.last, problem)
            except Exception:
                _log.exception("ticks up to %d could not be told yet", job.last)

    def _do(self, job: _Job) -> None:
        if job.durable is not None:
            job.durable.result()
        if job.page is not None and job.page.ticks.first == self._told + 1:
            self._telling.tell(job.page)
            self._told = job.last
        else:
            self._catch_up(job.last)
            self._told = self._telling.last_tick()
