"""Long runs of many tasks: workers that run them, and the directory from which a run is resumed.

A task is a pure function of its data. So the result of a run depends neither on the workers, their
number or their order, nor on how often the run was interrupted.
"""

from thorp.workers.batches import Batcher
from thorp.workers.directory import RunDirectory, RunKind, run_tip
from thorp.workers.pools import InlinePool, make_worker_pool
from thorp.workers.processes import ProcessPool
from thorp.workers.recorded_run import Interrupted, RunProgress, run_recorded
from thorp.workers.worker_pool import WorkerError, WorkerPool

__all__ = [
    "Batcher",
    "InlinePool",
    "Interrupted",
    "ProcessPool",
    "RunDirectory",
    "RunKind",
    "RunProgress",
    "WorkerError",
    "WorkerPool",
    "make_worker_pool",
    "run_recorded",
    "run_tip",
]
