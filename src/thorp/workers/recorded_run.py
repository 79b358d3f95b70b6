"""Runs tasks and records each result. SIGINT and SIGTERM stop a run between two results."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

from thorp.workers.batches import Batcher, Done, Task
from thorp.workers.dispatch import run_all
from thorp.workers.signals import signals_as_interrupts
from thorp.workers.worker_pool import WorkerPool


class Interrupted(KeyboardInterrupt):
    """The run was stopped by SIGINT or SIGTERM. Its results so far are kept in the directory."""

    def __init__(self, done: int, total: int, noun: str) -> None:
        super().__init__(f"stopped after {done} of {total} {noun}")
        self.done = done
        self.total = total


class RunProgress:
    """How far a run has come. `resumed` of the `done` tasks were done in an earlier run."""

    noun = "jobs"

    def __init__(self, total: int, resumed: int) -> None:
        self.total = total
        self.resumed = self.done = resumed
        # For a person to read: tasks that failed, workers that were lost.
        self.notes: list[str] = []


SomeProgress = TypeVar("SomeProgress", bound=RunProgress)
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
    """Run the tasks that are left, record the results of each batch as it comes back, and `finish`.

    `run_all` says what `give_up` is for. Raises Interrupted on SIGINT and SIGTERM.
    """

    def tell(note: str) -> None:
        progress.notes.append(note)
        on_progress(progress)

    with signals_as_interrupts() as deferred:
        try:
            on_progress(progress)
            if progress.done < progress.total:
                with closing(run_all(pool, batcher, tell=tell, give_up=give_up)) as batches:
                    for done in batches:
                        with deferred():
                            record(done)
                        on_progress(progress)
            return finish()
        except KeyboardInterrupt:
            raise Interrupted(progress.done, progress.total, progress.noun) from None
