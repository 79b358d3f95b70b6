"""Batches: a few tasks that one worker runs one after the other.

Tasks are sent in batches, because sending one costs as much as running a short match. The size of
a batch is chosen by measured times, so that an interruption loses only a moment's work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Generic, TypeVar

import msgspec

from thorp.kernel.errors import ThorpError

# How long a batch should take. Sending it takes well below a hundredth of that.
BATCH_SECONDS = 0.2
# The most tasks in a batch. Their results are held in memory, and more gain nothing.
MAX_BATCH = 256

Task = TypeVar("Task")
Done = TypeVar("Done")


class Batch(msgspec.Struct, Generic[Task, Done], frozen=True):
    """Tasks to run one after the other. `run` is pickled by its name, so it must be a function that
    the worker's process can import."""

    run: Callable[[Task], Done]
    tasks: list[Task]
    group: int = 0
    tries: int = 0  # How many workers have died with it.


class BatchResult(msgspec.Struct, Generic[Done], frozen=True):
    """The results of a batch. With a `failure` the batch ended early, at a task that was
    refused."""

    done: list[Done]
    seconds: float
    failure: str | None = None
    group: int = 0


def run_batch(batch: Batch[Task, Done]) -> BatchResult[Done]:
    """Run the tasks of a batch in order, and stop at the first that is refused."""
    started = time.perf_counter()
    done: list[Done] = []
    failure = None
    try:
        for task in batch.tasks:
            done.append(batch.run(task))
    except ThorpError as refusal:
        failure = str(refusal)
    return BatchResult(done, time.perf_counter() - started, failure, batch.group)


class Batcher(Generic[Task, Done]):
    """Divides groups of similar tasks into batches that take about BATCH_SECONDS each.

    A group comes with the number of its tasks. Its first batch is a single task, whose time says
    how many the next ones may have.
    """

    def __init__(
        self, run: Callable[[Task], Done], groups: Iterable[tuple[Iterator[Task], int]]
    ) -> None:
        self._run = run
        self._groups = iter(groups)
        self._tasks: Iterator[Task] = iter(())
        self._group = -1
        self._left = 0
        self._size = 1.0

    def next_batch(self, workers: int) -> Batch[Task, Done] | None:
        """Return the next batch for one of `workers` workers, or None when no task is left."""
        while not self._left:
            group = next(self._groups, None)
            if group is None:
                return None
            self._tasks, self._left = group
            self._group += 1
            self._size = 1.0
        # Batches get smaller towards the end, so that no worker is left alone with a long one.
        size = max(1, min(int(self._size), self._left // (2 * workers)))
        tasks = list(islice(self._tasks, size))
        self._left -= len(tasks)
        return Batch(self._run, tasks, self._group)

    def record_timing(self, done: BatchResult[Done]) -> None:
        """Adapt the size of the next batches to the time that this one took."""
        if done.group != self._group:
            return  # of an earlier group, whose tasks may take another time
        fitting = len(done.done) * BATCH_SECONDS / max(done.seconds, 1e-6)
        self._size = max(1.0, min(fitting, 2 * self._size, MAX_BATCH))
