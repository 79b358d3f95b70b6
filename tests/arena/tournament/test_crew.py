"""Crews: the same results whoever plays, and no process left behind however it ends."""

from __future__ import annotations

import os
import signal
from multiprocessing import active_children
from pathlib import Path

import pytest

from tests.arena.tournament.processes import SLEEPER, is_gone, until
from tests.arena.tournament.small import FIELD, small_plan
from thorp.arena.task import Limits, Seat
from thorp.arena.tournament import Crew, Inline, Processes, make_crew
from thorp.arena.tournament.batch import Batch, BatchPlayed, play_batch
from thorp.arena.tournament.workers import CrewError
from thorp.kernel.errors import InvalidError


def one_by_one() -> list[Batch]:
    plan = small_plan()
    return [Batch([task], logs=True) for task in plan.tasks(plan.schedule())]


def play_all(crew: Crew, batches: list[Batch]) -> dict[str, bytes]:
    """Every log by key, with as many batches under way as the crew has hands."""
    left = list(batches)
    logs: dict[str, bytes] = {}
    with crew:
        under_way = 0
        while left or under_way:
            while left and under_way < crew.hands:
                crew.start(left.pop())
                under_way += 1
            for match in crew.finish().played:
                logs[match.outcome.key] = match.files["jsonl"]
            under_way -= 1
    return logs


def start_and_finish(crew: Crew, batch: Batch) -> BatchPlayed:
    crew.start(batch)
    return crew.finish()


def test_processes_play_as_we_would() -> None:
    batches = one_by_one()
    assert play_all(Processes(2), batches) == play_all(Inline(), batches)
    assert active_children() == []


def test_no_more_processes_are_started_than_there_is_work_for() -> None:
    with Processes(8) as crew:
        crew.start(one_by_one()[0])
        assert len(active_children()) == 1
        crew.finish()
    assert active_children() == []


def test_a_worker_that_dies_is_noticed_and_told() -> None:
    crew = Processes(1)
    with crew:
        crew.start(one_by_one()[0])
        crew.finish()
        (worker,) = active_children()
        worker.kill()
        worker.join()
        with pytest.raises(CrewError, match=r"exit code -9.*run the same command again"):
            start_and_finish(crew, one_by_one()[0])
    assert active_children() == []


def test_what_a_worker_raises_is_raised_here() -> None:
    with Processes(1) as crew:
        crew.start(Batch([None], logs=True))  # type: ignore[list-item]
        with pytest.raises(AttributeError):
            crew.finish()
        crew.start(one_by_one()[0])  # and it goes on
        assert len(crew.finish().played) == 1


def test_leaving_stops_a_match_in_the_middle_and_closes_its_agents(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    bot = tmp_path / "sleeper.py"
    bot.write_text(SLEEPER.format(marker=str(marker)))
    plan = small_plan(
        entrants=(FIELD[0], Seat("zoe", f"{bot}:Sleeper")), limits=Limits(turn_seconds=600, match_seconds=600)
    )
    with Processes(1) as crew:
        crew.start(Batch(list(plan.tasks(plan.schedule())), logs=True))
        until(lambda: marker.exists() and marker.read_text())
    assert is_gone(int(marker.read_text()))
    assert active_children() == []


def test_workers_leave_ctrl_c_to_the_parent() -> None:
    with Processes(1) as crew:
        crew.start(one_by_one()[0])
        crew.finish()
        (worker,) = active_children()
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGINT)
        crew.start(one_by_one()[1])
        assert crew.finish().played[0].outcome == play_batch(one_by_one()[1]).played[0].outcome


def test_make_crew() -> None:
    assert isinstance(make_crew("processes", 1), Inline)
    crew = make_crew("processes", 3)
    assert isinstance(crew, Processes)
    assert crew.hands == 3
    for workers in (0, 1025):
        with pytest.raises(InvalidError, match="--workers must be from 1 to 1024"):
            make_crew("processes", workers)
