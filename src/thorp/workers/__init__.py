"""Long runs of many tasks: workers that run them, and the directory from which a run is resumed.

pools       batches, and workers in this process or in processes      ray_cluster   workers on Ray
directory   manifest, journal and results on disk                     run           ties them together
console     progress for people

A task is a pure function of its data. So the result of a run does not depend on the workers, their number or
order, nor on how often the run was interrupted.
"""

from thorp.workers.directory import RunDirectory, RunKind, run_tip
from thorp.workers.pools import (
    Batcher,
    InlinePool,
    ProcessPool,
    WorkerError,
    WorkerPool,
    make_worker_pool,
)
from thorp.workers.run import Interrupted, Progress, run_recorded

__all__ = [
    "Batcher", "InlinePool", "Interrupted", "ProcessPool", "Progress", "RunDirectory", "RunKind",
    "WorkerError", "WorkerPool", "make_worker_pool", "run_recorded", "run_tip",
]  # fmt: skip
