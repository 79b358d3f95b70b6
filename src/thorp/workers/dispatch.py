"""Keeps a pool busy with the batches of a run, and runs the tasks of lost workers again.

The tasks of a worker that died are run again one at a time, so that a task that kills its worker
affects no other. It is given up after `MAX_TRIES`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Final

from thorp.kernel.errors import IllegalError
from thorp.workers.batches import Batch, Batcher, BatchResult, Done, Task
from thorp.workers.worker_pool import WorkerError, WorkerLost, WorkerPool

# A machine is lost once; a task that has killed its worker three times will do it again.
MAX_TRIES: Final = 3


def run_all(
    pool: WorkerPool,
    batcher: Batcher[Task, Done],
    *,
    tell: Callable[[str], None],
    give_up: Callable[[Task], Done] | None = None,
) -> Generator[list[Done], None, None]:
    """Run every task; yields the results of each batch, in the order the batches come back.

    `tell` is called with a sentence about each lost worker. A task whose workers died `MAX_TRIES`
    times gets the result that `give_up` makes for it; without `give_up` it raises WorkerError. A
    task that is refused raises IllegalError.
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
                        "command again to go on, with fewer --workers"
                    ) from None
                else:
                    done = BatchResult([give_up(task) for task in batch.tasks], 0.0)
            pending -= 1
