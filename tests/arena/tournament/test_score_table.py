"""Scenarios without duels: ranked by score over common seeds, with intervals."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from tests.arena.tournament.small import outcome
from thorp.arena import agents as bots
from thorp.arena.agents import BUILT_IN_AGENTS
from thorp.arena.contract import Seat
from thorp.arena.rating.statistics import t_95
from thorp.arena.scenarios import BUILT_IN_SCENARIOS, NumberGuess
from thorp.arena.tournament import (
    InlinePool,
    ScoreStanding,
    make_plan,
    run_tournament,
    verify_tournament,
)
from thorp.arena.tournament.console import print_result
from thorp.arena.tournament.standings import Tally, make_score_table
from thorp.kernel.errors import InvalidError
from thorp.store import RealDisk
from thorp.workers.console import make_console

DISK = RealDisk()
ANN = [50.0, 61.0, 42.0, 70.0]
BO = [48.0, 60.0, 41.0, 66.0]


def table_of(ann: Sequence[float | None], bo: Sequence[float | None]) -> list[ScoreStanding]:
    outcomes = []
    for number, scores in enumerate(zip(ann, bo, strict=True), start=1):
        for id, score in zip(("ann", "bo"), scores, strict=True):
            outcomes.append(outcome(f"r{number:02d}-m0001-{id}", (id, score)))
    return make_score_table(Tally(["ann", "bo"], outcomes), outcomes, 42, 2)


def test_intervals_part_where_the_paired_t_test_tells_apart() -> None:
    first, second = table_of([*ANN], [*BO])
    assert [first.id, second.id] == ["ann", "bo"]
    assert (first.mean.value, second.mean.value) == (mean(ANN), mean(BO))
    differences = [one - other for one, other in zip(ANN, BO, strict=True)]
    reach = 3.1824 * stdev(differences) / math.sqrt(4)
    assert first.mean.high is not None
    assert first.mean.value is not None
    assert first.mean.high - first.mean.value == pytest.approx(reach / 2, abs=1e-5)
    assert second.decided_by == "score"


def test_a_round_with_an_aborted_match_counts_for_nobody() -> None:
    first, second = table_of([50, 100, None], [40, 90, 500])
    assert (first.id, first.mean.value, first.rounds, first.aborted) == ("ann", 75, 2, 1)
    assert (second.mean.value, second.rounds) == (65, 2)


@pytest.mark.parametrize("rounds", [0, 1])
def test_too_few_rounds_have_no_interval(rounds: int) -> None:
    first, _ = table_of([5.0][:rounds], [4.0][:rounds])
    assert (first.mean.low, first.mean.high) == (None, None)
    assert first.mean.value == (5 if rounds else None)


def test_equal_means_are_decided_further_down() -> None:
    _, second = table_of([1, 2], [1, 2])
    assert second.decided_by == "coin"


@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 12.706), (30, 2.042), (31, 2.0395), (120, 1.9799)]
)
def test_quantiles(freedom: int, value: float) -> None:
    assert t_95(freedom) == pytest.approx(value, abs=5e-4)


def test_a_shared_score_is_ranked_over_common_seeds(tmp_path: Path, capsys: Any) -> None:
    entrants = [Seat("hard", "ranked"), Seat("lazy", "idle"), Seat("dice", "random")]
    plan = make_plan("town-council", entrants, rounds=3, parameters={"days": 4})
    finished = run_tournament(plan, tmp_path / "t", InlinePool(), DISK)
    assert (plan.table, len(finished.outcomes)) == (1, 9)
    seeds = {
        key: {o.seed for o in finished.outcomes if o.key.startswith(key)} for key in ("r01", "r02")
    }
    assert [len(found) for found in seeds.values()] == [1, 1]
    assert seeds["r01"] != seeds["r02"]
    assert verify_tournament(DISK, tmp_path / "t").differences == []
    document = json.loads((tmp_path / "t" / "standings.json").read_bytes())
    assert document["ranking"] == "score"
    scores = {
        row["id"]: mean(
            o.scores[0] for o in finished.outcomes if o.seats == (row["id"],) and o.scores
        )
        for row in document["standings"]
    }
    for row in document["standings"]:
        assert row["mean"]["value"] == pytest.approx(scores[row["id"]], abs=1e-6)
        assert row["mean"]["low"] <= row["mean"]["value"] <= row["mean"]["high"]
    assert scores[document["standings"][0]["id"]] == max(scores.values())
    report = (tmp_path / "t" / "report.html").read_text()
    assert '"ranking":"score"' in report
    assert '"cross":null' in report
    print_result(make_console(), finished)
    assert "mean score, 95 %" in capsys.readouterr().out


def test_a_single_seat_is_ranked_by_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Solo(NumberGuess):
        seats = (1, 1)

    monkeypatch.setitem(BUILT_IN_SCENARIOS, "solo", Solo)
    monkeypatch.setitem(
        BUILT_IN_AGENTS, "solo", {"random": bots.RandomAgent, "baseline": bots.BaselineAgent}
    )
    plan = make_plan("solo", [Seat("a", "random"), Seat("b", "baseline")], rounds=4, max_turns=7)
    finished = run_tournament(plan, tmp_path / "t", InlinePool(), DISK)
    assert (plan.ranking, plan.table) == ("score", 1)
    assert finished.standings[0].id == "b"
    assert verify_tournament(DISK, tmp_path / "t").differences == []


def test_who_would_always_share_a_score_is_refused() -> None:
    entrants = [Seat("a", "ranked"), Seat("b", "idle")]
    with pytest.raises(InvalidError, match="share every score"):
        make_plan("town-council", entrants, table=2)
    with pytest.raises(InvalidError, match="nobody meets anybody"):
        make_plan("number-guess", [Seat("a", "random"), Seat("b", "random")], table=1)
