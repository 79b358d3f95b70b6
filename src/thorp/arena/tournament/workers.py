"""Worker pools: play batches in this process or in processes beside it.

A pool takes batches and returns them played, in any order. It knows nothing of tournaments, and its results
do not depend on the number of workers.

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
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Protocol, Self

from thorp.arena.runner import MatchStopped
from thorp.arena.tournament.batch import Batch, BatchResult, play_batch
from thorp.kernel.errors import InvalidError, ThorpError

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
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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


class _WorkerLoop:
    """The worker's side: plays batches until the pipe ends or SIGTERM comes."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._playing = False
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, self._stop)

    def run(self) -> None:
        with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError, _Stopped):
            while True:
                self._pipe.send(self._play(self._pipe.recv()))

    def _play(self, batch: Batch) -> BatchResult | Exception:
        self._playing = True
        try:
            return play_batch(batch)
        except Exception as bug:
            return bug
        finally:
            self._playing = False

    def _stop(self, _number: int, _frame: object) -> None:
        """Leave a match by an exception, so that its agents are closed; outside a match exit at once."""
        if self._playing:
            raise _Stopped
        os._exit(0)


def _serve(pipe: Connection) -> None:
    _WorkerLoop(pipe).run()
