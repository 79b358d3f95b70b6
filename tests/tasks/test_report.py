"""Reports: means with their intervals, what a model spent, and what may stand side by side."""

from __future__ import annotations

from typing import Any

import pytest

from thorp.kernel.errors import InvalidError
from thorp.models.chat import ModelError, Reply
from thorp.models.recording import Recording, Spent
from thorp.tasks.report import Report, RowScore, compare, make_report


def row(name: str, score: float, **fields: Any) -> RowScore:
    given: dict[str, Any] = {
        "task": "live-logs@1",
        "family": "live",
        "difficulty": 1,
        "turns": 10,
        "valid": 8,
        "invalid": 1,
        "errors": 1,
        "spent": Spent(calls=3, tokens_in=20, tokens_out=4),
    }
    return RowScore(id=name, score=score, **{**given, **fields})


def report(agent: str, *rows: RowScore, **fields: Any) -> Report:
    given: dict[str, Any] = {
        "suite": "S",
        "suite_digest": "d",
        "split": "dev",
        "commitment": "",
        "kind": "bot",
    }
    return make_report(agent=agent, rows=rows, **{**given, **fields})


def test_a_mean_has_wilsons_interval_and_parts_by_family_and_difficulty() -> None:
    made = report("a", row("x-1", 1), row("x-2", 0), row("x-3", 0.5, family="trade", difficulty=2))
    total = made.total
    assert (total.score.value, total.score.low, total.score.high) == (0.5, 0.1253, 0.8747)
    assert (total.rows, total.solved, total.legality, total.turns) == (3, 1, 0.8, 30)
    assert total.spent == Spent(calls=9, tokens_in=60, tokens_out=12)
    assert {name: part.score.value for name, part in made.families.items()} == {
        "live": 0.5,
        "trade": 0.5,
    }
    assert list(made.difficulties) == ["1", "2"]
    nothing = report("a", *(row(f"x-{number}", 0) for number in range(20))).total.score
    assert (nothing.low, nothing.value) == (0, 0)
    assert 0.15 < nothing.high < 0.17  # twenty failures do not prove that it always fails


def test_the_best_comes_first_and_what_cannot_be_compared_is_refused() -> None:
    low = report("low", row("x-1", 0.1))
    high = report("high", row("x-1", 0.9))
    assert [each.agent for each in compare([low, high]).agents] == ["high", "low"]
    for other, code in (
        (report("b", row("x-1", 0), suite_digest="e"), "suites"),
        (report("b", row("x-1", 0), split="test"), "splits"),
        (report("b", row("x-1", 0), commitment="c"), "splits"),
        (report("b", row("x-2", 0)), "rows"),
    ):
        with pytest.raises(InvalidError) as refusal:
            compare([low, other])
        assert refusal.value.code == code
    with pytest.raises(InvalidError, match="a table has 1 to 200 runs, not 0"):
        compare([])


def test_runs_of_different_rows_are_compared_by_those_they_share() -> None:
    all_rows = report("bot", row("x-1", 1), row("x-2", 0), row("x-3", 0))
    some = report("ann", row("x-2", 0.5), kind="person")
    table = compare([all_rows, some], shared=True)
    assert [(each.agent, each.kind) for each in table.agents] == [("ann", "person"), ("bot", "bot")]
    assert [each.total.score.value for each in table.agents] == [0.5, 0]
    assert table.rows == 1
    with pytest.raises(InvalidError, match="no row in common") as refusal:
        compare([all_rows, report("b", row("x-9", 1))], shared=True)
    assert refusal.value.code == "rows"


def test_rows_that_the_oracle_fails_count_for_nobody() -> None:
    made = report("a", row("x-1", 1), row("x-2", 0)).without({"x-2": "1/2"})
    assert (made.total.score.value, made.total.rows, made.dropped) == (1, 1, ("x-2",))
    with pytest.raises(InvalidError, match="the oracle solves none of these rows"):
        made.without({"x-1": "0"})


def test_a_recording_knows_what_its_calls_took() -> None:
    recording = Recording()
    recording.ask("a", "1", lambda: Reply("yes", 7, 2))

    def fail() -> Reply:
        raise ModelError("no answer", code="timeout")

    with pytest.raises(ModelError):
        recording.ask("a", "2", fail)
    again = Recording.from_jsonl(recording.to_jsonl())
    assert recording.spent == again.spent == Spent(calls=2, tokens_in=7, tokens_out=2)
    assert Recording().spent == Spent()
