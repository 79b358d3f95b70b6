"""A pool of worker processes on this machine.

Each worker has its own pipe and one batch at a time. `concurrent.futures.ProcessPoolExecutor` does
not fit: its workers share a queue, go on when the parent is killed, and cannot be stopped in the
middle of a task. Here a worker that gets SIGTERM closes its agents and exits, and so does one whose
parent is gone, which it looks at now and then while it works: a match may last for hours, and its
agents, such as a model of this machine, with it. Ctrl-C reaches the whole foreground group, so
workers ignore it and leave it to the parent. Workers are spawned, not forked: a fork of a process
with threads may deadlock.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Final

from thorp.workers.batches import Batch, BatchResult, run_batch
from thorp.workers.worker_pool import WorkerLost, WorkerPool

# How long workers may take to close their agents before they are killed.
STOP_SECONDS: Final = 3.0
# How often a worker looks whether its parent is still there. A timer does it, and no thread: a task
# may fork, which a process with threads cannot.
LOOK_SECONDS: Final = 0.5


class ProcessPool(WorkerPool):
    """Runs batches in worker processes, each started when there is work for it."""

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
            cause = (
                f"a worker process ended (exit code {worker.process.exitcode}), perhaps for "
                "lack of memory"
            )
            raise WorkerLost(batch, cause) from None
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
        self.process: SpawnProcess = context.Process(
            target=_serve, args=(theirs, os.getpid()), daemon=True
        )
        self.process.start()
        theirs.close()

    def join_or_kill(self) -> None:
        """Wait for the process to end, and kill it if it does not."""
        self.process.join(STOP_SECONDS)
        self.process.kill()
        self.process.join()


class _Stopped(KeyboardInterrupt):
    """Stops a task. It is a KeyboardInterrupt, so that code which counts failures does not catch
    it."""


def _serve(pipe: Connection, parent: int) -> None:
    """The worker's side: run batches until the pipe ends, SIGTERM comes, or the parent is gone."""
    running = False

    def stop(_number: int, _frame: object) -> None:
        """Leave a task by an exception, so that its agents are closed; outside a task exit at
        once."""
        if running:
            raise _Stopped
        os._exit(0)

    def look(number: int, frame: object) -> None:
        """Stop when the parent is gone. The next end of a pipe may be hours away."""
        if os.getppid() != parent:
            signal.setitimer(signal.ITIMER_REAL, 0)  # once: agents are to be closed in peace
            stop(number, frame)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
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
