"""Ratings of a tournament: a function of the set of its matches. The fit has tests of its own, in
tests/arena/rating."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arena.tournament.small import outcome
from thorp.arena.rating.bradley_terry import POINTS
from thorp.arena.tournament import Interval, Outcome, Rating
from thorp.arena.tournament.standings import Duels, rate, win_rate

GAMES = [
    outcome("1", ("a", 3), ("b", 1)),
    outcome("2", ("b", 2), ("c", 2)),
    outcome("3", ("c", 0), ("a", 5)),
    outcome("4", ("a", None), ("b", None)),
    outcome("5", ("b", 1), ("a", 0)),
]


def test_golden_ratings() -> None:
    """One win, and a virtual draw each of both agents and the seat, so that all three lie x from 0
    with 1 - p(3x) = p(x) - 1/2."""
    rated = rate("ab", GAMES[:1])
    x = (rated["a"].value - 1500) / POINTS
    assert 1 - 1 / (1 + math.exp(-3 * x)) == pytest.approx(1 / (1 + math.exp(-x)) - 0.5, abs=1e-5)
    assert rated["a"] == Rating(1603.1228, None, None, 1)
    assert rated["b"] == Rating(1396.8772, None, None, 2)


def test_three_at_a_table_are_ranked_with_ties() -> None:
    ratings = rate("abc", [outcome("1", ("b", 1), ("a", 9), ("c", 1))])
    assert ratings["a"].value > ratings["b"].value
    assert [ratings[id].tier for id in "abc"] == [1, 2, 2]


def test_an_aborted_match_rates_nobody() -> None:
    assert rate("abc", GAMES[3:4]) == rate("abc", [])
    assert rate("a", [])["a"].value == 1500


def test_the_interval_gets_narrower_with_deals_and_not_with_repetition() -> None:
    def games(number: int, seeds: int) -> list[Outcome]:
        return [
            outcome(str(n), ("a", n % 3 > 0), ("b", 0.5), seed=n % seeds) for n in range(number)
        ]

    def width(rated: dict[str, Rating]) -> float:
        assert rated["a"].high is not None
        return rated["a"].high - rated["a"].value

    few = width(rate("ab", games(10, 10)))
    assert width(rate("ab", games(90, 90))) < few / 2
    assert rate("ab", games(10, 1))["a"].high is None


def test_the_order_of_matches_does_not_matter() -> None:
    shuffled = random.Random(1).sample(GAMES, len(GAMES))
    assert rate("abc", shuffled) == rate("abc", GAMES)


def test_wilson_interval() -> None:
    """Newcombe's example, 81 of 263: 25.5 % to 36.6 %."""
    assert win_rate(Duels(81, 0, 182)) == Interval(0.308, 0.2553, 0.3662)
    assert win_rate(Duels(0, 0, 0)) == Interval(0, 0, 1)
    assert win_rate(Duels(0, 10, 0)).value == 0.5


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_the_win_rate_lies_in_its_interval(wins: int, draws: int, losses: int) -> None:
    rate = win_rate(Duels(wins, draws, losses))
    assert 0 <= rate.low <= rate.value <= rate.high <= 1
