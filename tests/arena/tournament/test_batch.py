"""Batches: how tasks are divided, and what a worker returns."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arena.tournament.small import FIELD, small_plan
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.service import play
from thorp.arena.tournament.run import PlayedMatch, play_match
from thorp.kernel.identity import digest
from thorp.workers.batches import MAX_BATCH, Batch, Batcher, BatchResult, run_batch


def tasks(**changes: object) -> Batch[MatchTask, PlayedMatch]:
    plan = small_plan(**changes)
    return Batch(partial(play_match, logs=plan.logs), list(plan.tasks(plan.schedule())))


def test_a_batch_is_played_as_its_matches_would_be() -> None:
    batch = tasks()
    done = run_batch(batch)
    assert done.failure is None
    assert [match.outcome.key for match in done.done] == [task.match_id for task in batch.tasks]
    for task, match in zip(batch.tasks, done.done, strict=True):
        log = play(task).jsonl
        assert match.files == {"jsonl": log}
        assert match.outcome.log == digest(log)


def test_without_logs_nothing_but_the_outcome_is_sent() -> None:
    with_logs, without = run_batch(tasks()).done, run_batch(tasks(logs=False)).done
    assert [match.outcome for match in with_logs] == [match.outcome for match in without]
    assert all(match.files == {} for match in without)


def test_an_entrant_that_is_gone_has_failed_and_the_rest_is_played() -> None:
    done = run_batch(tasks(entrants=(*FIELD[:2], Seat("carol", "cmd:no-such-command"))))
    assert done.failure is None
    logs = [match.files["jsonl"] for match in done.done if "carol" in match.outcome.seats]
    assert logs
    assert all(b'"turn":0,"message":"the agent could not be opened"' in log for log in logs)


def test_a_match_that_cannot_be_set_up_ends_the_batch() -> None:
    batch = tasks(entrants=FIELD[:2])
    broken = [msgspec.structs.replace(task, parameters={"colour": 1}) for task in batch.tasks]
    done = run_batch(Batch(batch.run, broken))
    assert done.done == []
    assert done.failure is not None
    assert "colour" in done.failure


@given(st.integers(0, 300), st.integers(1, 8), st.lists(st.floats(0, 10), max_size=400))
def test_every_task_is_in_one_batch_and_in_order(
    count: int, workers: int, times: list[float]
) -> None:
    (task,) = tasks().tasks[:1]
    batcher = Batcher(str, [(iter([task] * count), count)])
    sizes = []
    seconds = iter(times)
    while (batch := batcher.next_batch(workers)) is not None:
        sizes.append(len(batch.tasks))
        batcher.record_timing(BatchResult([None] * len(batch.tasks), next(seconds, 0.0), None))  # type: ignore[list-item]
    assert sum(sizes) == count
    assert all(1 <= size <= MAX_BATCH for size in sizes)
    assert all(
        size <= max(1, count // (2 * workers)) for size in sizes
    )  # nobody gets more than a fair share


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0.0001, [1, 2, 4, 8, 16]), (60, [1, 1, 1, 1, 1])]
)
def test_batches_of_short_matches_grow_and_of_long_ones_do_not(
    seconds: float, expected: list[int]
) -> None:
    (task,) = tasks().tasks[:1]
    batcher = Batcher(str, [(iter([task] * 10_000), 10_000)])
    sizes = []
    for _ in expected:
        batch = batcher.next_batch(2)
        assert batch is not None
        sizes.append(len(batch.tasks))
        batcher.record_timing(BatchResult([None] * sizes[-1], seconds * sizes[-1], None))  # type: ignore[list-item]
    assert sizes == expected
