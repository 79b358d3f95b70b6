"""Workers run batches of tasks, in this process or in processes beside it.

**Batches.** Tasks are sent in batches, because sending one costs as much as running a short match.
The size of a batch follows from measured times, so that an interruption loses only a moment's work.
Pools return the results of batches in any order.

**Processes.** Each worker has its own pipe and one batch at a time.
`concurrent.futures.ProcessPoolExecutor` does not fit: its workers share a queue and live on when
the parent is killed, and none can be stopped in the middle of a task. Here a worker whose parent is
gone reads the end of its pipe and exits, and one that gets SIGTERM closes its agents and exits.
Ctrl-C reaches the whole foreground group, so workers ignore it and leave it to the parent. Workers
are spawned, not forked: a fork of a threaded process may deadlock.

**Lost workers.** The tasks of a worker that died are run again, one at a time, so that a task that
kills its worker takes no other with it. It is given up after `MAX_TRIES`.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any, Generic, TypeVar

import msgspec

from thorp.kernel.errors import IllegalError, InvalidError, ThorpError

BATCH_SECONDS = (
    0.2  # How long a batch should take. Sending it takes well below a hundredth of that.
)
MAX_BATCH = (
    256  # The most tasks in a batch. Their results are held in memory, and more gain nothing.
)
MAX_TRIES = (
    3  # A machine is lost once; a task that has killed its worker three times will do it again.
)

Task = TypeVar("Task")
Done = TypeVar("Done")

STOP_SECONDS = (
    3.0  # For workers to close their agents, each within a second, before they are killed.
)
MAX_WORKERS = 1024

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Batch(msgspec.Struct, Generic[Task, Done], frozen=True):
    """Tasks to run one after the other. `run` is found by its name in the worker's process."""

    run: Callable[[Task], Done]
    tasks: list[Task]
    group: int = 0
    tries: int = 0  # How often its worker has died.


class BatchResult(msgspec.Struct, Generic[Done], frozen=True):
    """The results of a batch. With a `failure` the batch ended early, at a task that was
    refused."""

    done: list[Done]
    seconds: float
    failure: str | None = None
    group: int = 0


def run_batch(batch: Batch[Task, Done]) -> BatchResult[Done]:
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
    """Divides groups of similar tasks, each with its count, into batches of about BATCH_SECONDS
    each."""

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
        """Return the next batch for one of `workers` workers, or None if no task is left."""
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
        """Adapt the size of batches to the time that this one took, if it is of the same group."""
        if done.group != self._group:
            return
        fitting = len(done.done) * BATCH_SECONDS / max(done.seconds, 1e-6)
        self._size = max(1.0, min(fitting, 2 * self._size, MAX_BATCH))


def run_all(
    pool: WorkerPool,
    batcher: Batcher[Task, Done],
    *,
    tell: Callable[[str], None],
    give_up: Callable[[Task], Done] | None = None,
) -> Generator[list[Done], None, None]:
    """Run every task; yields results by batch, in the order the batches come back.

    `tell` hears of each lost worker. Without `give_up`, which makes the result of a task whose
    workers died `MAX_TRIES` times, such a task raises WorkerError. So does a task that is refused,
    IllegalError.
    """
    done: BatchResult[Done] | None = None
    again: list[Batch[Task, Done]] = []
    pending = 0
    with pool:
        while True:
            while pending < pool.capacity:
                batch = again.pop() if again else batcher.next_batch(pool.capacity)
                if batch is None:
                    break
                pool.submit(batch)
                pending += 1
            # Yielded only now, so that no worker is idle while the caller records this batch.
            if done is not None:
                yield done.done
                if done.failure is not None:
                    raise IllegalError(
                        f"{done.failure}; mend that and run the same command again", code="setup"
                    )
            if not pending:
                return
            try:
                done = pool.collect()
                batcher.record_timing(done)
            except WorkerLost as lost:
                done = None
                batch = lost.batch
                if batch.tries + 1 < MAX_TRIES:
                    tell(f"{lost}; what it did is done again")
                    again += [
                        Batch(batch.run, [task], batch.group, batch.tries + 1)
                        for task in batch.tasks
                    ]
                elif give_up is None:
                    raise WorkerError(
                        f"{lost}, after {MAX_TRIES} tries; what is done is kept: run the same "
                        "command again "
                        "to go on, with fewer --workers"
                    ) from None
                else:
                    done = BatchResult([give_up(task) for task in batch.tasks], 0.0)
            pending -= 1


class WorkerError(ThorpError):
    """A batch is lost. Batches that were collected before are safe."""

    code = "worker"


class WorkerLost(WorkerError):
    """A worker died with a batch, which can be run again."""

    def __init__(self, batch: Batch[Any, Any], message: str) -> None:
        super().__init__(message)
        self.batch = batch


class WorkerPool(AbstractContextManager["WorkerPool"]):
    """Runs up to `capacity` batches at once. Leaving the `with` stops the pending ones."""

    capacity: int

    @abstractmethod
    def submit(self, batch: Batch[Any, Any]) -> None:
        """Start a batch; there must be a free worker."""

    @abstractmethod
    def collect(self) -> BatchResult[Any]:
        """Wait for any pending batch, and return its result. Raises WorkerLost if its worker
        died."""


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_worker_pool(on: str = "processes", workers: int | None = None) -> WorkerPool:
    """Make a pool of `workers` on this machine or on Ray; by default one for each core."""
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise InvalidError(
            f"--workers must be from 1 to {MAX_WORKERS}, not {workers}", code="workers"
        )
    if on == "ray":
        from thorp.workers.ray_cluster import RayCluster  # a heavy import, and an optional one

        return RayCluster(workers)
    count = workers or usable_cores()
    return InlinePool() if count == 1 else ProcessPool(count)


class InlinePool(WorkerPool):
    capacity = 1

    def __init__(self) -> None:
        self._batches: list[Batch[Any, Any]] = []

    def submit(self, batch: Batch[Any, Any]) -> None:
        self._batches.append(batch)

    def collect(self) -> BatchResult[Any]:
        return run_batch(self._batches.pop())

    def __exit__(self, *_: object) -> None:
        self._batches.clear()


class ProcessPool(WorkerPool):
    """Runs in worker processes, each started when there is work for it."""

    def __init__(self, workers: int) -> None:
        self.capacity = workers
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, tuple[_Worker, Batch[Any, Any]]] = {}

    def submit(self, batch: Batch[Any, Any]) -> None:
        worker = self._idle.pop() if self._idle else _Worker()
        self._busy[worker.pipe] = worker, batch
        # If it died meanwhile, `collect` will notice.
        with suppress(BrokenPipeError, ConnectionResetError):
            worker.pipe.send(batch)

    def collect(self) -> BatchResult[Any]:
        pipe = wait(list(self._busy))[0]
        assert isinstance(pipe, Connection), "only pipes were waited for"
        worker, batch = self._busy.pop(pipe)
        try:
            done: BatchResult[Any] | BaseException = pipe.recv()
        except (EOFError, ConnectionResetError):
            worker.join_or_kill()
            how = (
                f"a worker process ended (exit code {worker.process.exitcode}), perhaps for "
                "lack of memory"
            )
            raise WorkerLost(batch, how) from None
        self._idle.append(worker)
        if isinstance(done, BaseException):
            raise done
        return done

    def __exit__(self, *_: object) -> None:
        workers = [*self._idle, *(worker for worker, _ in self._busy.values())]
        for worker in workers:
            worker.pipe.close()
            worker.process.terminate()
        for worker in workers:
            worker.join_or_kill()
        self._idle.clear()
        self._busy.clear()


class _Worker:
    """One process and our end of its pipe."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def join_or_kill(self) -> None:
        self.process.join(STOP_SECONDS)
        self.process.kill()
        self.process.join()


class _Stopped(KeyboardInterrupt):
    """Stops a task. What counts failures lets an interrupt through."""


def _serve(pipe: Connection) -> None:
    """The worker's side: run batches until the pipe ends or SIGTERM comes."""
    running = False

    def stop(_number: int, _frame: object) -> None:
        """Leave a task by an exception, so that its agents are closed; outside a task exit at
        once."""
        if running:
            raise _Stopped
        os._exit(0)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError, _Stopped):
        while True:
            batch = pipe.recv()
            running = True
            try:
                answer: BatchResult[Any] | Exception = run_batch(batch)
            except Exception as bug:
                answer = bug
            finally:
                running = False
            pipe.send(answer)


# A run that records each result, and stops by SIGINT or SIGTERM with exactly those done


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
        self.notes: list[
            str
        ] = []  # What a person should hear: tasks that failed, workers that were lost.


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
    """Run what is left, record the results of each batch as it comes back, and `finish`. See
    `run_all` for `give_up`. Raises Interrupted on SIGINT and SIGTERM."""

    def tell(note: str) -> None:
        progress.notes.append(note)
        on_progress(progress)

    with _signals_as_interrupts() as deferred:
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


@contextmanager
def _signals_as_interrupts() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Turn SIGINT and SIGTERM into KeyboardInterrupt, but never between a result and its record.

    In a `with` of what this yields, signals wait, so that exactly what is recorded counts as done.
    It works even where a shell's `&` ignores SIGINT. Only the main thread gets signals; in any
    other nothing changes.
    """
    holding = waiting = False

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        nonlocal waiting
        if not holding:
            raise KeyboardInterrupt
        waiting = True

    @contextmanager
    def deferred() -> Iterator[None]:
        nonlocal holding
        holding = True
        try:
            yield
        finally:
            holding = False
        if waiting:
            raise KeyboardInterrupt

    in_main = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, on_signal) for number in SIGNALS} if in_main else {}
    try:
        yield deferred
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
