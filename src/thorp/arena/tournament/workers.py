"""Workers play batches of matches, in this process or in processes beside it.

**Batches.** A task holds everything its match depends on, so the result does not depend on where, when or
beside what it is played. Tasks are sent in batches, because sending one costs as much as playing a short
match. The size of a batch follows from measured times, so that an interruption loses only a moment's work.

**Pools** take batches and return them played, in any order.

**Processes.** Each worker has its own pipe and one batch at a time. `concurrent.futures.ProcessPoolExecutor`
does not fit: its workers share a queue and live on when the parent is killed, and none can be stopped in the
middle of a match. Here a worker whose parent is gone reads the end of its pipe and exits, and one that gets
SIGTERM closes its agents and exits. Ctrl-C reaches the whole foreground group, so workers ignore it and leave
it to the parent. Workers are spawned, not forked: a fork of a threaded process may deadlock.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Protocol, Self

import msgspec

from thorp.arena.external import Replies
from thorp.arena.runner import MatchStopped
from thorp.arena.service import LOG, OBSERVATIONS, REPLIES, observations_file, play
from thorp.arena.task import MatchTask
from thorp.arena.tournament.outcome import Outcome, make_outcome
from thorp.kernel.errors import InvalidError, ThorpError

BATCH_SECONDS = 0.2
"""How long a batch should take. Sending it takes well below a hundredth of that."""

MAX_BATCH = 256
"""The most matches in a batch. Their logs are held in memory, and more of them gain nothing."""


class PlayedMatch(msgspec.Struct, frozen=True):
    """A played match: its outcome, its files by kind, and why it was aborted, if it was."""

    outcome: Outcome
    files: dict[str, bytes]
    error: str | None


class Batch(msgspec.Struct, frozen=True):
    """Tasks to play one after the other; `logs` says whether to return their files."""

    tasks: list[MatchTask]
    logs: bool


class BatchResult(msgspec.Struct, frozen=True):
    """The result of a batch. With a `failure` the batch ended early, at a match that could not be set up."""

    played: list[PlayedMatch]
    seconds: float
    failure: str | None


def play_batch(batch: Batch) -> BatchResult:
    """Play the tasks of a batch in order."""
    started = time.perf_counter()
    played: list[PlayedMatch] = []
    failure = None
    for task in batch.tasks:
        try:
            played.append(_play_one(task, batch.logs))
        except ThorpError as refusal:
            failure = f"{task.match_id}: {refusal}"
            break
    return BatchResult(played, time.perf_counter() - started, failure)


def _play_one(task: MatchTask, logs: bool) -> PlayedMatch:
    replies = Replies()
    # Every entrant could be opened when the tournament began; one that no longer can be has failed.
    result = play(task, replies, tolerant=True)
    if not logs:
        return PlayedMatch(make_outcome(task, result, {}), {}, result.error)
    files = {OBSERVATIONS: observations_file(result), REPLIES: replies.to_jsonl()}
    beside = {kind: data for kind, data in files.items() if data}
    return PlayedMatch(make_outcome(task, result, beside), {LOG: result.jsonl, **beside}, result.error)


class Batcher:
    """Divides the tasks of a tournament into batches that take about BATCH_SECONDS each."""

    def __init__(self, tasks: Iterator[MatchTask], count: int, logs: bool) -> None:
        self._tasks = tasks
        self._left = count
        self._logs = logs
        self._size = 1.0

    def next_batch(self, workers: int) -> Batch | None:
        """Return the next batch for one of `workers` workers, or None if no task is left."""
        # Batches get smaller towards the end, so that no worker is left alone with a long one.
        size = max(1, min(int(self._size), self._left // (2 * workers)))
        tasks = list(islice(self._tasks, size))
        self._left -= len(tasks)
        return Batch(tasks, self._logs) if tasks else None

    def record_timing(self, done: BatchResult) -> None:
        """Adapt the size of batches to the time that this one took."""
        fitting = len(done.played) * BATCH_SECONDS / max(done.seconds, 1e-6)
        self._size = max(1.0, min(fitting, 2 * self._size, MAX_BATCH))


STOP_SECONDS = 3.0
"""How long workers may take to close their agents before they are killed; each agent gets up to one
second."""

MAX_WORKERS = 1024


class WorkerError(ThorpError):
    """A worker died, and its batch is lost. Batches that were collected before are safe."""

    code = "worker"


class WorkerPool(Protocol):
    """Plays up to `capacity` batches at once. Leaving the `with` stops the pending ones."""

    @property
    def capacity(self) -> int: ...

    def submit(self, batch: Batch) -> None:
        """Start a batch; there must be a free worker."""

    def collect(self) -> BatchResult:
        """Wait for any pending batch, and return its result."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_worker_pool(on: str = "processes", workers: int | None = None) -> WorkerPool:
    """Make a pool of `workers` on this machine or on Ray; by default one for each core."""
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise InvalidError(f"--workers must be from 1 to {MAX_WORKERS}, not {workers}", code="workers")
    if on == "ray":
        from thorp.arena.tournament.ray_cluster import RayCluster  # a heavy import, and an optional one

        return RayCluster(workers)
    count = workers or usable_cores()
    return InlinePool() if count == 1 else ProcessPool(count)


class InlinePool:
    """Plays in this process."""

    capacity = 1

    def __init__(self) -> None:
        self._batches: list[Batch] = []

    def submit(self, batch: Batch) -> None:
        self._batches.append(batch)

    def collect(self) -> BatchResult:
        return play_batch(self._batches.pop())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._batches.clear()


class ProcessPool:
    """Plays in worker processes, each started when there is work for it."""

    def __init__(self, workers: int) -> None:
        self.capacity = workers
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, _Worker] = {}

    def submit(self, batch: Batch) -> None:
        worker = self._idle.pop() if self._idle else _Worker()
        self._busy[worker.pipe] = worker
        try:
            worker.pipe.send(batch)
        except (BrokenPipeError, ConnectionResetError):
            raise self._lost(worker) from None

    def collect(self) -> BatchResult:
        pipe = wait(list(self._busy))[0]
        assert isinstance(pipe, Connection), "only pipes were waited for"
        worker = self._busy.pop(pipe)
        try:
            done: BatchResult | BaseException = pipe.recv()
        except (EOFError, ConnectionResetError):
            raise self._lost(worker) from None
        self._idle.append(worker)
        if isinstance(done, BaseException):
            raise done
        return done

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        workers = [*self._idle, *self._busy.values()]
        for worker in workers:
            worker.ask_to_stop()
        for worker in workers:
            worker.join_or_kill()
        self._idle.clear()
        self._busy.clear()

    def _lost(self, worker: _Worker) -> WorkerError:
        worker.join_or_kill()
        return WorkerError(
            f"a worker process ended (exit code {worker.process.exitcode}), perhaps for lack of memory; what "
            "is done is kept: run the same command again to go on, with fewer --workers"
        )


class _Worker:
    """One process and our end of its pipe."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def ask_to_stop(self) -> None:
        self.pipe.close()
        self.process.terminate()

    def join_or_kill(self) -> None:
        self.process.join(STOP_SECONDS)
        self.process.kill()
        self.process.join()


class _Stopped(MatchStopped):
    """Stops a match. The runner lets it through instead of logging it as an agent's failure."""


def _serve(pipe: Connection) -> None:
    """The worker's side: play batches until the pipe ends or SIGTERM comes."""
    playing = False

    def stop(_number: int, _frame: object) -> None:
        """Leave a match by an exception, so that its agents are closed; outside a match exit at once."""
        if playing:
            raise _Stopped
        os._exit(0)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError, _Stopped):
        while True:
            batch = pipe.recv()
            playing = True
            try:
                answer: BatchResult | Exception = play_batch(batch)
            except Exception as bug:
                answer = bug
            finally:
                playing = False
            pipe.send(answer)
