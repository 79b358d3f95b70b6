"""Mean scores over common deals: paired intervals, and missing deals that count as the worst."""

from __future__ import annotations

import math
from statistics import mean, stdev

import pytest

from thorp.arena.rating import MeanScore, Result, mean_scores

ANN = [50.0, 61.0, 42.0, 70.0]
BO = [48.0, 60.0, 41.0, 66.0]


def alone(id: str, scores: list[float]) -> list[Result]:
    return [Result("solo", str(deal), (id,), (score,)) for deal, score in enumerate(scores)]


def test_intervals_part_where_the_paired_t_test_tells_apart() -> None:
    means = mean_scores([*alone("ann", ANN), *alone("bo", BO)], ["ann", "bo"], 0)
    assert means["ann"].value == mean(ANN)
    differences = [one - other for one, other in zip(ANN, BO, strict=True)]
    reach = 3.1824 * stdev(differences) / math.sqrt(4)
    assert means["ann"].high is not None
    assert means["ann"].high - mean(ANN) == pytest.approx(reach / 2, abs=1e-9)


def test_a_missing_deal_counts_as_the_worst() -> None:
    means = mean_scores([*alone("ann", ANN), *alone("bo", BO[:3])], ["ann", "bo"], -10)
    assert means["bo"].value == mean([*BO[:3], -10])
    assert (means["bo"].deals, means["bo"].missing) == (3, 1)
    assert (means["ann"].deals, means["ann"].missing) == (4, 0)


def test_nothing_played_has_no_mean() -> None:
    assert mean_scores([], ["ann"], 0) == {"ann": MeanScore(None, None, None)}
    one = mean_scores(alone("ann", [7]), ["ann"], 0)["ann"]
    assert (one.value, one.low, one.high) == (7, None, None)


def test_two_matches_on_one_deal_are_one_observation() -> None:
    twice = [*alone("ann", [4.0, 8.0]), *alone("ann", [6.0, 10.0])]
    assert mean_scores(twice, ["ann"], 0)["ann"].value == 7
