"""A worker pool on a Ray cluster, of one machine or many. Imported only if it is used.

The pool uses the cluster this process is connected to, else joins the one that `RAY_ADDRESS` names, else
starts one for the duration of the tournament. Every node needs Thorp, and the files and commands of the
agents under the same paths.

A task that is lost with its node is played again: it holds everything its match depends on.
"""

import logging
import os
import socket
from typing import Any, Self

from thorp.arena.tournament.workers import Batch, BatchResult, WorkerError, play_batch, usable_cores
from thorp.kernel.errors import InvalidError

CONNECT_SECONDS = 5.0
"""How long a cluster may take to answer. Ray itself would try for ten minutes."""

BATCHES_PER_CPU = 2
"""One being played and one waiting, because a round trip takes milliseconds."""


class RayCluster:
    """Plays on a Ray cluster. Without `workers` it takes every CPU the cluster has."""

    def __init__(self, workers: int | None = None) -> None:
        """Refuses if Ray is not installed, or nothing answers at the cluster's address."""
        try:
            import ray
        except ImportError:
            raise InvalidError(
                "Ray is not installed; run pip install 'thorp[ray]', or leave out --on ray", code="no_ray"
            ) from None
        _check_address(os.environ.get("RAY_ADDRESS", ""))
        self._ray: Any = ray
        self._workers = workers
        self._mine = False
        self._pending: list[Any] = []
        self.capacity = 0

    def submit(self, batch: Batch) -> None:
        self._pending.append(self._play.remote(batch))

    def collect(self) -> BatchResult:
        (ready, *_), self._pending = self._ray.wait(self._pending, num_returns=1)
        try:
            done: BatchResult = self._ray.get(ready)
        except self._ray.exceptions.RayError as problem:
            reason = str(problem).strip().splitlines()[-1]
            raise WorkerError(
                f"a batch failed on the Ray cluster ({reason}); what is done is kept: run the same command "
                "again"
            ) from problem
        return done

    def __enter__(self) -> Self:
        ray = self._ray
        if not ray.is_initialized():
            self._mine = True
            self._connect()
        cpus = self._workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.capacity = cpus * BATCHES_PER_CPU
        self._play = ray.remote(num_cpus=1, max_retries=3)(play_batch)
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
                f"no Ray cluster to play on: {reason}; check RAY_ADDRESS", code="ray"
            ) from problem


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
