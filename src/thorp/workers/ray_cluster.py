"""A worker pool on a Ray cluster, of one machine or many; see `docs/tournaments.md`. Imported only
if it is used.

A batch is a task of Ray, not a call of an actor: nothing is kept between batches, so a batch that
is lost with its node can be run again on any other.
"""

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from thorp.kernel.errors import InvalidError
from thorp.workers.batches import Batch, BatchResult, run_batch
from thorp.workers.pools import usable_cores
from thorp.workers.worker_pool import WorkerError, WorkerLost, WorkerPool

# How long a cluster may take to answer. Ray itself would try for ten minutes.
CONNECT_SECONDS = 5.0
BATCHES_PER_CPU = 2  # One being run and one waiting, because a round trip takes milliseconds.


class RayCluster(WorkerPool):
    """Runs batches on a Ray cluster. Without `workers` it takes every CPU of the cluster."""

    def __init__(self, workers: int | None = None) -> None:
        """Refuses if Ray is not installed, or nothing answers at the cluster's address."""
        try:
            import ray
        except ImportError:
            raise InvalidError(
                "Ray is not installed; run pip install 'thorp[ray]', or leave out --on ray",
                code="no_ray",
            ) from None
        _check_address(os.environ.get("RAY_ADDRESS", ""))
        self._ray: Any = ray
        self._workers = workers
        self._mine = False
        self._pending: dict[Any, Batch[Any, Any]] = {}
        self.capacity = 0

    def submit(self, batch: Batch[Any, Any]) -> None:
        self._pending[self._run.remote(batch)] = batch

    def collect(self) -> BatchResult[Any]:
        (ready, *_), _ = self._ray.wait(list(self._pending), num_returns=1)
        batch = self._pending.pop(ready)
        try:
            done: BatchResult[Any] = self._ray.get(ready)
        except self._ray.exceptions.RayError as problem:
            reason = str(problem).strip().splitlines()[-1]
            if not isinstance(problem, self._ray.exceptions.RayTaskError):
                first = reason.partition(". ")[0]  # the rest is advice for operators of the cluster
                raise WorkerLost(
                    batch, f"a worker of the Ray cluster is lost ({first})"
                ) from problem
            raise WorkerError(
                f"a batch failed on the Ray cluster ({reason}); what is done is kept: run the "
                "same command again"
            ) from problem
        return done

    def __enter__(self) -> Self:
        ray = self._ray
        if not ray.is_initialized():
            self._mine = True
            with _kept_signal_handlers():
                self._connect()
        cpus = self._workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.capacity = cpus * BATCHES_PER_CPU
        self._run = ray.remote(num_cpus=1, max_retries=0)(run_batch)
        return self

    def __exit__(self, *_: object) -> None:
        for batch in self._pending:
            self._ray.cancel(batch, force=True)
        self._pending.clear()
        if self._mine:
            self._ray.shutdown()

    def _connect(self) -> None:
        quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
        try:
            if os.environ.get("RAY_ADDRESS"):
                self._ray.init(**quiet)
            else:
                cpus = self._workers or usable_cores()
                self._ray.init(address="local", num_cpus=cpus, include_dashboard=False, **quiet)
        except (ConnectionError, RuntimeError, ValueError, OSError) as problem:
            reason = str(problem).strip().splitlines()[0]
            raise InvalidError(
                f"no Ray cluster to run on: {reason}; check RAY_ADDRESS", code="ray"
            ) from problem


@contextmanager
def _kept_signal_handlers() -> Iterator[None]:
    """Restore the handlers of SIGTERM and SIGINT, which Ray replaces: with its own, this process
    would end without a word."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    if threading.current_thread() is threading.main_thread():
        for number, handler in before.items():
            signal.signal(number, handler)


def _check_address(address: str) -> None:
    """Refuse a cluster that cannot be reached. An address without a port is left to Ray."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError) as problem:
        raise InvalidError(
            f"no Ray cluster answers at {address} ({problem}); check RAY_ADDRESS", code="ray"
        ) from None
