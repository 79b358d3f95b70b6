"""Ratings: openskill's numbers in schedule order, and intervals that say how sure they are."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from tests.arena.tournament.small import outcome
from thorp.arena.tournament import Interval
from thorp.arena.tournament.standings import Duels, rate, win_rate

GAMES = [
    outcome("1", ("a", 3), ("b", 1)),
    outcome("2", ("b", 2), ("c", 2)),
    outcome("3", ("c", 0), ("a", 5)),
    outcome("4", ("a", None), ("b", None)),
    outcome("5", ("b", 1), ("a", 0)),
]


def test_golden_ratings() -> None:
    """One win each way, as the model's own page shows it: 27.635 and 22.365 after the first
    match."""
    first = rate("ab", GAMES[:1])
    assert (first["a"].value, first["a"].sigma) == (27.6354, 8.0659)
    assert (first["b"].value, first["b"].sigma) == (22.3646, 8.0659)
    assert (first["a"].low, first["a"].high) == (11.8265, 43.4443)


def test_ratings_are_openskills_own() -> None:
    model = PlackettLuce()
    a, b, c = model.rating(), model.rating(), model.rating()
    [[a], [b]] = model.rate([[a], [b]], ranks=[0, 1])
    [[b], [c]] = model.rate([[b], [c]], ranks=[0, 0])
    [[c], [a]] = model.rate([[c], [a]], ranks=[1, 0])
    [[b], [a]] = model.rate([[b], [a]], ranks=[0, 1])
    ratings = rate("abc", GAMES)
    for id, skill in zip("abc", (a, b, c), strict=True):
        assert ratings[id].value == pytest.approx(skill.mu, abs=1e-4)
        assert ratings[id].sigma == pytest.approx(skill.sigma, abs=1e-4)


def test_three_at_a_table_are_ranked_with_ties() -> None:
    ratings = rate("abc", [outcome("1", ("b", 1), ("a", 9), ("c", 1))])
    assert ratings["a"].value > ratings["b"].value == ratings["c"].value


def test_an_aborted_match_rates_nobody() -> None:
    assert rate("abc", GAMES[3:4]) == rate("abc", [])
    assert rate("a", [])["a"].value == 25


def test_the_interval_gets_narrower() -> None:
    few, many = rate("ab", GAMES[:1]), rate("ab", GAMES[:1] * 30)
    assert many["a"].high - many["a"].low < few["a"].high - few["a"].low


def test_order_matters_to_the_model_which_is_why_it_is_fixed() -> None:
    shuffled = random.Random(1).sample(GAMES, len(GAMES))
    assert rate("abc", shuffled) != rate("abc", GAMES)
    assert rate("abc", sorted(shuffled, key=lambda game: game.key)) == rate("abc", GAMES)


def test_wilson_interval() -> None:
    """Newcombe's example, 81 of 263: 25.5 % to 36.6 %."""
    assert win_rate(Duels(81, 0, 182)) == Interval(0.308, 0.2553, 0.3662)
    assert win_rate(Duels(0, 0, 0)) == Interval(0, 0, 1)
    assert win_rate(Duels(0, 10, 0)).value == 0.5


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_the_win_rate_lies_in_its_interval(wins: int, draws: int, losses: int) -> None:
    rate = win_rate(Duels(wins, draws, losses))
    assert 0 <= rate.low <= rate.value <= rate.high <= 1
