"""Long runs of many tasks: workers that run them, and the directory from which a run is resumed.

A task is a pure function of its data. So the result of a run does not depend on the workers, their
number or order, nor on how often the run was interrupted.
"""

from thorp.workers.directory import RunDirectory, RunKind, run_tip
from thorp.workers.pools import (
    Batcher,
    InlinePool,
    Interrupted,
    ProcessPool,
    Progress,
    WorkerError,
    WorkerPool,
    make_worker_pool,
    run_recorded,
)

__all__ = [
    "Batcher",
    "InlinePool",
    "Interrupted",
    "ProcessPool",
    "Progress",
    "RunDirectory",
    "RunKind",
    "WorkerError",
    "WorkerPool",
    "make_worker_pool",
    "run_recorded",
    "run_tip",
]
