"""Worker pools: every pool gives the same results and leaves no process behind."""

from __future__ import annotations

import os
import signal
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest

from tests.arena.tournament.processes import SLEEPER, is_gone, until
from tests.arena.tournament.small import FIELD, small_plan
from thorp.arena.contract import Limits, MatchTask, Seat
from thorp.arena.tournament import InlinePool, ProcessPool, WorkerPool, make_worker_pool
from thorp.arena.tournament.run import PlayedMatch, play_match
from thorp.kernel.errors import InvalidError
from thorp.workers.batches import Batch, Batcher, BatchResult, run_batch
from thorp.workers.dispatch import MAX_TRIES, run_all
from thorp.workers.worker_pool import WorkerError, WorkerLost

Matches = Batch[MatchTask, PlayedMatch]
play_logged = partial(play_match, logs=True)


def one_by_one() -> list[Matches]:
    plan = small_plan()
    return [Batch(play_logged, [task]) for task in plan.tasks(plan.schedule())]


def play_all(pool: WorkerPool, batches: list[Matches]) -> dict[str, bytes]:
    """Every log by key, with as many batches pending as the pool takes."""
    left = list(batches)
    logs: dict[str, bytes] = {}
    with pool:
        pending = 0
        while left or pending:
            while left and pending < pool.capacity:
                pool.submit(left.pop())
                pending += 1
            for match in pool.collect().done:
                logs[match.outcome.key] = match.files["jsonl"]
            pending -= 1
    return logs


def start_and_finish(pool: WorkerPool, batch: Matches) -> BatchResult[PlayedMatch]:
    pool.submit(batch)
    return pool.collect()


def test_processes_play_as_we_would() -> None:
    batches = one_by_one()
    assert play_all(ProcessPool(2), batches) == play_all(InlinePool(), batches)
    assert active_children() == []


def test_no_more_processes_are_started_than_there_is_work_for() -> None:
    with ProcessPool(8) as pool:
        pool.submit(one_by_one()[0])
        assert len(active_children()) == 1
        pool.collect()
    assert active_children() == []


def test_a_worker_that_dies_is_noticed_and_told() -> None:
    pool = ProcessPool(1)
    with pool:
        pool.submit(one_by_one()[0])
        pool.collect()
        (worker,) = active_children()
        worker.kill()
        worker.join()
        with pytest.raises(WorkerLost, match=r"exit code -9") as lost:
            start_and_finish(pool, one_by_one()[0])
        assert lost.value.batch == one_by_one()[0]
        assert len(start_and_finish(pool, lost.value.batch).done) == 1  # by another worker
    assert active_children() == []


def test_what_a_worker_raises_is_raised_here() -> None:
    with ProcessPool(1) as pool:
        pool.submit(Batch(play_logged, [None]))
        with pytest.raises(AttributeError):
            pool.collect()
        pool.submit(one_by_one()[0])  # and it goes on
        assert len(pool.collect().done) == 1


def test_leaving_stops_a_match_in_the_middle_and_closes_its_agents(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    bot = tmp_path / "sleeper.py"
    bot.write_text(SLEEPER.format(marker=str(marker)))
    plan = small_plan(
        entrants=(FIELD[0], Seat("zoe", f"{bot}:Sleeper")),
        limits=Limits(turn_seconds=600, match_seconds=600),
    )
    with ProcessPool(1) as pool:
        pool.submit(Batch(play_logged, list(plan.tasks(plan.schedule()))))
        until(lambda: marker.exists() and marker.read_text())
    assert is_gone(int(marker.read_text()))
    assert active_children() == []


def test_workers_leave_ctrl_c_to_the_parent() -> None:
    with ProcessPool(1) as pool:
        pool.submit(one_by_one()[0])
        pool.collect()
        (worker,) = active_children()
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGINT)
        pool.submit(one_by_one()[1])
        assert pool.collect().done[0].outcome == run_batch(one_by_one()[1]).done[0].outcome


def test_make_worker_pool() -> None:
    assert isinstance(make_worker_pool("processes", 1), InlinePool)
    pool = make_worker_pool("processes", 3)
    assert isinstance(pool, ProcessPool)
    assert pool.capacity == 3
    for workers in (0, 1025):
        with pytest.raises(InvalidError, match="--workers must be from 1 to 1024"):
            make_worker_pool("processes", workers)


def die_at_3(task: int) -> int:
    """Kill this worker at one of the tasks."""
    if task == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_a_task_that_kills_its_workers_is_given_up_and_takes_no_other_with_it() -> None:
    told: list[str] = []
    batcher = Batcher(die_at_3, [(iter(range(9)), 9)])
    batches = run_all(ProcessPool(2), batcher, tell=told.append, give_up=lambda task: -task)
    assert sorted(done for batch in batches for done in batch) == [-3, 0, 1, 2, 4, 5, 6, 7, 8]
    ended = "a worker process ended (exit code -9), perhaps for lack of memory"
    assert told == [f"{ended}; what it did is done again"] * 2
    batches = run_all(ProcessPool(2), Batcher(die_at_3, [(iter([3]), 1)]), tell=told.append)
    with pytest.raises(
        WorkerError, match=f"after {MAX_TRIES} tries; what is done is kept: run the same command"
    ):
        list(batches)
    assert active_children() == []


def test_groups_of_tasks_are_never_in_one_batch_and_their_timings_kept_apart() -> None:
    batcher = Batcher(str, [(iter(range(1000)), 1000), (iter([]), 0), (iter(range(50)), 50)])
    sizes = []
    while (batch := batcher.next_batch(2)) is not None:
        sizes.append((batch.group, len(batch.tasks)))
        batcher.record_timing(BatchResult(["" for _ in batch.tasks], 0.0, None, group=0))
    assert max(size for group, size in sizes if group == 0) > 100
    assert {size for group, size in sizes if group == 2} == {1}  # only another group was ever fast
