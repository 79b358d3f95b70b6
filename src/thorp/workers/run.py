"""A run of many tasks that records each result, and stops by SIGINT or SIGTERM with exactly those done."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import FrameType
from typing import Any, Self, TypeVar

from thorp.workers.pools import Batcher, Done, Task, WorkerPool, run_all

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(KeyboardInterrupt):
    """Stopped by SIGINT or SIGTERM. What is finished is kept in the directory."""

    def __init__(self, done: int, total: int, noun: str) -> None:
        super().__init__(f"stopped after {done} of {total} {noun}")
        self.done = done
        self.total = total


class Progress:
    """How far a run is. `resumed` of the `done` tasks were done in an earlier run."""

    noun = "jobs"

    def __init__(self, total: int, resumed: int) -> None:
        self.total = total
        self.resumed = self.done = resumed
        self.notes: list[str] = []
        """What a person should hear: tasks that failed, and workers that were lost."""


SomeProgress = TypeVar("SomeProgress", bound=Progress)
Finished = TypeVar("Finished")


def run_recorded(
    pool: WorkerPool,
    batcher: Batcher[Task, Done],
    progress: SomeProgress,
    *,
    record: Callable[[list[Done]], None],
    finish: Callable[[], Finished],
    on_progress: Callable[[SomeProgress], None],
    give_up: Callable[[Task], Done] | None = None,
) -> Finished:
    """Run what is left, record the results of each batch as it comes back, and `finish`. See `run_all` for
    `give_up`. Raises Interrupted on SIGINT and SIGTERM."""

    def tell(note: str) -> None:
        progress.notes.append(note)
        on_progress(progress)

    with SignalGuard() as signals:
        try:
            on_progress(progress)
            if progress.done < progress.total:
                with closing(run_all(pool, batcher, tell=tell, give_up=give_up)) as batches:
                    for done in batches:
                        with signals.deferred():
                            record(done)
                        on_progress(progress)
            return finish()
        except KeyboardInterrupt:
            raise Interrupted(progress.done, progress.total, progress.noun) from None


class SignalGuard:
    """Turns SIGINT and SIGTERM into KeyboardInterrupt, but never between a result and its record.

    While signals are deferred they wait, so that exactly what is recorded counts as done. It works even
    where a shell's `&` ignores SIGINT. Only the main thread gets signals; in any other nothing changes.
    """

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}
        self._holding = False
        self._waiting = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """Let signals wait until the block is left."""
        self._holding = True
        try:
            yield
        finally:
            self._holding = False
        if self._waiting:
            raise KeyboardInterrupt

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if not self._holding:
            raise KeyboardInterrupt
        self._waiting = True
