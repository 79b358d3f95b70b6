"""Worker pools: every pool gives the same results and leaves no process behind."""

from __future__ import annotations

import os
import signal
from multiprocessing import active_children
from pathlib import Path

import pytest

from tests.arena.tournament.processes import SLEEPER, is_gone, until
from tests.arena.tournament.small import FIELD, small_plan
from thorp.arena.task import Limits, Seat
from thorp.arena.tournament import InlinePool, ProcessPool, WorkerPool, make_worker_pool
from thorp.arena.tournament.workers import Batch, BatchResult, WorkerError, play_batch
from thorp.kernel.errors import InvalidError


def one_by_one() -> list[Batch]:
    plan = small_plan()
    return [Batch([task], logs=True) for task in plan.tasks(plan.schedule())]


def play_all(pool: WorkerPool, batches: list[Batch]) -> dict[str, bytes]:
    """Every log by key, with as many batches pending as the pool takes."""
    left = list(batches)
    logs: dict[str, bytes] = {}
    with pool:
        pending = 0
        while left or pending:
            while left and pending < pool.capacity:
                pool.submit(left.pop())
                pending += 1
            for match in pool.collect().played:
                logs[match.outcome.key] = match.files["jsonl"]
            pending -= 1
    return logs


def start_and_finish(pool: WorkerPool, batch: Batch) -> BatchResult:
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
        with pytest.raises(WorkerError, match=r"exit code -9.*run the same command again"):
            start_and_finish(pool, one_by_one()[0])
    assert active_children() == []


def test_what_a_worker_raises_is_raised_here() -> None:
    with ProcessPool(1) as pool:
        pool.submit(Batch([None], logs=True))  # type: ignore[list-item]
        with pytest.raises(AttributeError):
            pool.collect()
        pool.submit(one_by_one()[0])  # and it goes on
        assert len(pool.collect().played) == 1


def test_leaving_stops_a_match_in_the_middle_and_closes_its_agents(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    bot = tmp_path / "sleeper.py"
    bot.write_text(SLEEPER.format(marker=str(marker)))
    plan = small_plan(
        entrants=(FIELD[0], Seat("zoe", f"{bot}:Sleeper")), limits=Limits(turn_seconds=600, match_seconds=600)
    )
    with ProcessPool(1) as pool:
        pool.submit(Batch(list(plan.tasks(plan.schedule())), logs=True))
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
        assert pool.collect().played[0].outcome == play_batch(one_by_one()[1]).played[0].outcome


def test_make_worker_pool() -> None:
    assert isinstance(make_worker_pool("processes", 1), InlinePool)
    pool = make_worker_pool("processes", 3)
    assert isinstance(pool, ProcessPool)
    assert pool.capacity == 3
    for workers in (0, 1025):
        with pytest.raises(InvalidError, match="--workers must be from 1 to 1024"):
            make_worker_pool("processes", workers)
