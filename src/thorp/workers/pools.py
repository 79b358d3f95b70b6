"""The pools that a run can choose from: this process, processes beside it, or a Ray cluster."""

from __future__ import annotations

import os
from typing import Any, Final

from thorp.kernel.errors import InvalidError
from thorp.workers.batches import Batch, BatchResult, run_batch
from thorp.workers.processes import ProcessPool
from thorp.workers.worker_pool import WorkerPool

MAX_WORKERS: Final = 1024  # More processes than any machine runs: most likely a typing error.


class InlinePool(WorkerPool):
    """Runs batches in this process, one at a time, when they are collected."""

    capacity = 1

    def __init__(self) -> None:
        self._batches: list[Batch[Any, Any]] = []

    def submit(self, batch: Batch[Any, Any]) -> None:
        self._batches.append(batch)

    def collect(self) -> BatchResult[Any]:
        return run_batch(self._batches.pop())

    def __exit__(self, *_: object) -> None:
        self._batches.clear()


def make_worker_pool(on: str = "processes", workers: int | None = None) -> WorkerPool:
    """Make a pool of `workers` on this machine or on Ray; by default one worker for each core."""
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise InvalidError(
            f"--workers must be from 1 to {MAX_WORKERS}, not {workers}", code="workers"
        )
    if on == "ray":
        from thorp.workers.ray_cluster import RayCluster  # a heavy import, and an optional one

        return RayCluster(workers)
    count = workers or usable_cores()
    return InlinePool() if count == 1 else ProcessPool(count)


def usable_cores() -> int:
    """The number of cores that this process may run on, which may be fewer than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
