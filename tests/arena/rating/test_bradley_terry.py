"""Bradley-Terry: planted strengths come back, intervals hold what they promise, games weigh alike."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.arena.rating.simulated import copies, fixtures
from thorp.arena.rating import Field, Result, rate_all
from thorp.arena.rating.arithmetic import exp, inverse, logistic

ROOT = Path(__file__).parents[3]
STRENGTHS = [1700.0, 1600.0, 1500.0, 1400.0, 1300.0]
some_results = st.lists(
    st.builds(
        Result,
        st.sampled_from(["chess", "go"]),
        st.sampled_from(["1", "2", "3"]),
        st.lists(st.sampled_from(["ann", "bo", "cy", "dee"]), min_size=2, max_size=4).map(tuple),
        st.just(()),
    ).flatmap(
        lambda result: st.lists(
            st.integers(0, 2),
            min_size=len(result.agents),
            max_size=len(result.agents),
        ).map(lambda scores: Result(result.game, result.deal, result.agents, tuple(scores)))
    ),
    max_size=12,
)


def ratings(field: Field) -> dict[str, float]:
    return {row.id: row.rating for row in field.agents}


@settings(max_examples=60, deadline=None)
@given(some_results, st.randoms(use_true_random=False))
def test_the_order_of_results_changes_nothing(results: list[Result], rng: random.Random) -> None:
    shuffled = list(results)
    rng.shuffle(shuffled)
    assert rate_all(shuffled) == rate_all(results)


@settings(max_examples=60, deadline=None)
@given(some_results)
def test_any_results_give_finite_rows_in_order(results: list[Result]) -> None:
    field = rate_all(results, agents=["ann", "zoe"])
    values = [row.rating for row in field.agents]
    assert values == sorted(values, reverse=True)
    assert all(math.isfinite(value) for value in values)
    assert sum(values) / len(values) == pytest.approx(1500, abs=0.01)
    for row in field.agents:
        assert row.low is None or row.high is None or row.low <= row.rating <= row.high
        assert row.best <= row.rank <= row.worst


def test_planted_strengths_are_recovered_with_the_seats_advantage() -> None:
    found = ratings(rate_all(fixtures(STRENGTHS, 150, 1, seat=0.5)))
    assert list(found) == ["a00", "a01", "a02", "a03", "a04"]
    for value, planted in zip(found.values(), STRENGTHS, strict=True):
        assert value == pytest.approx(planted, abs=30)


def test_an_advantage_of_the_seat_is_not_taken_for_strength() -> None:
    """Two equals, of whom one always sits first: what the seat gives is known from a third."""
    even = fixtures([1500, 1500], 100, 2, game="fair", seat=1.5)
    first = [each for each in fixtures([1500, 1500], 200, 3, seat=1.5) if each.agents[0] == "a00"]
    both = [
        Result("g", each.deal, each.agents, each.scores)
        for each in fixtures([1500, 1500, 1500], 100, 4, seat=1.5)
    ]
    found = ratings(rate_all([*even, *first, *both]))
    assert abs(found["a00"] - found["a01"]) < 50
    naive = sum(each.scores[0] for each in first) / len(first)
    assert naive > 0.75


@pytest.mark.parametrize(("luck", "least"), [(0.0, 0.92), (1.5, 0.92)])
def test_intervals_cover_the_truth_as_often_as_they_say(luck: float, least: float) -> None:
    """A luck that both seatings of a deal share: the model alone would be too sure."""
    held = trials = 0
    for seed in range(60):
        strengths = [1500 + 80 * (place - 2) for place in range(5)]
        field = rate_all(fixtures(strengths, 15, seed, luck=luck))
        # Luck of this deviation pulls log odds towards 0 by the well-known factor.
        pull = 1 / math.sqrt(1 + 0.346 * luck * luck)
        for row in field.agents:
            truth = 1500 + (strengths[int(row.id[1:])] - 1500) * pull
            assert row.low is not None
            assert row.high is not None
            held += row.low <= truth <= row.high
            trials += 1
    assert least <= held / trials <= 0.985


def test_clustering_by_deal_widens_what_shared_luck_decides() -> None:
    """The same duels, with the two seatings said to be of one deal, and of two."""
    together = fixtures([1500.0] * 4, 60, 5, luck=3)
    apart = [
        Result(each.game, f"{each.deal}:{each.agents[0]}", each.agents, each.scores)
        for each in together
    ]
    for one, other in zip(rate_all(together).agents, rate_all(apart).agents, strict=True):
        assert one.rating == other.rating
        assert one.low is not None
        assert other.low is not None
        assert one.rating - one.low > 1.15 * (other.rating - other.low)


def test_an_unbeaten_agent_has_a_finite_rating_and_a_wide_interval() -> None:
    results = [Result("g", str(deal), ("ann", "bo"), (1.0, 0.0)) for deal in range(10)]
    ann, bo = rate_all(results).agents
    assert ann.id == "ann"
    assert 1500 < ann.rating < 2200
    assert ann.low is not None
    assert ann.rating - ann.low > 100
    assert ann.rating + bo.rating == pytest.approx(3000, abs=0.001)


def test_one_deal_says_nothing_about_the_interval() -> None:
    field = rate_all([Result("g", "1", ("ann", "bo"), (1.0, 0.0))] * 2)
    assert [(row.low, row.high, row.provisional) for row in field.agents] == [
        (None, None, True)
    ] * 2


def test_games_weigh_alike_however_often_they_are_played() -> None:
    """Ann wins at go, Bo at chess; ten times the chess does not make Bo the better player."""

    def half(game: str, winner: str, deals: int) -> list[Result]:
        scores = (1.0, 0.0) if winner == "ann" else (0.0, 1.0)
        lost = (scores[1], scores[0])
        return [
            Result(game, str(deal), ("ann", "bo"), scores if deal % 4 else lost)
            for deal in range(deals)
        ]

    found = ratings(rate_all([*half("go", "ann", 40), *half("chess", "bo", 400)]))
    assert found["ann"] == pytest.approx(found["bo"], abs=0.01)


def test_draws_are_half_a_win_for_each() -> None:
    drawn = [Result("g", str(deal), ("ann", "bo"), (1.0, 1.0)) for deal in range(20)]
    assert set(ratings(rate_all(drawn)).values()) == {1500}


def test_a_table_of_four_weighs_one_match_for_each_of_its_players() -> None:
    four = [Result("g", str(n), ("a", "b", "c", "d"), (3.0, 2.0, 1.0, 0.0)) for n in range(12)]
    field = rate_all(four)
    assert [row.id for row in field.agents] == ["a", "b", "c", "d"]
    two = rate_all([Result("g", str(n), ("a", "d"), (3.0, 0.0)) for n in range(12)])
    assert field.agents[0].rating == pytest.approx(two.agents[0].rating, rel=0.1)


def test_groups_that_never_met_are_told() -> None:
    apart = [
        Result("g", "1", ("ann", "bo"), (1.0, 0.0)),
        Result("g", "2", ("cy", "dee"), (1.0, 0.0)),
    ]
    assert {row.id: row.group for row in rate_all(apart).agents} == {
        "ann": 1, "bo": 1, "cy": 2, "dee": 2,
    }  # fmt: skip


def test_scores_on_the_same_deal_are_compared_where_nobody_plays_against_anybody() -> None:
    alone = [
        Result("solo", str(deal), (id,), (score + deal % 3,))
        for deal in range(12)
        for id, score in (("ann", 5.0), ("bo", 4.0), ("cy", 4.0))
    ]
    field = rate_all(alone, shared=frozenset(["solo"]))
    assert [(row.id, row.tier) for row in field.agents] == [("ann", 1), ("bo", 2), ("cy", 2)]


def test_copies_move_bradley_terry_and_the_table_says_how_far() -> None:
    """Rock, paper, scissors and a fourth: copies of scissors raise rock."""
    beats = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}
    names = ["rock", "paper", "scissors"]
    results = [
        Result("g", f"{deal}{one}{other}", (one, other), (float((one, other) in beats), 0.5))
        for deal in range(8)
        for one in names
        for other in names
        if one != other
    ]
    plain = {row.id: row for row in rate_all(results).agents}
    copied = {row.id: row for row in rate_all(copies(results, "scissors", ["s2"])).agents}
    assert copied["rock"].rating > plain["rock"].rating + 20
    assert copied["rock"].tier == plain["rock"].tier == 1
    moved = abs(copied["rock"].rating - plain["rock"].rating)
    assert plain["rock"].copy_shift is not None
    assert plain["rock"].copy_shift == pytest.approx(moved, rel=0.05)


def test_the_same_bytes_for_every_seed_of_hashes() -> None:
    program = (
        "from tests.arena.rating.simulated import fixtures\n"
        "from thorp.arena.rating import rate_all\n"
        "print(rate_all(fixtures([1600, 1500, 1400, 1500], 9, 1, luck=1)))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert printed.pop().startswith("Field(agents=[RatedAgent(id='a00'")


def test_the_exponential_is_exact_enough_and_the_same_everywhere() -> None:
    values = np.linspace(-40, 40, 1001)
    expected = np.array([math.exp(value) for value in values])
    assert np.max(np.abs(exp(values) / expected - 1)) < 4e-16
    assert [value.hex() for value in exp(np.array([1.0, -3.7, 12.25])).tolist()] == GOLDEN_EXP
    assert logistic(np.array([0.0, 800.0, -800.0])).tolist() == [0.5, 1.0, pytest.approx(0)]


GOLDEN_EXP = ["0x1.5bf0a8b14576ap+1", "0x1.9511fc6871044p-6", "0x1.982aa4f9aec90p+17"]


@given(st.integers(1, 7), st.integers(0, 1000))
def test_the_inverse_is_the_inverse(size: int, seed: int) -> None:
    factor = np.random.default_rng(seed).normal(size=(size, size))
    matrix = factor @ factor.T + np.eye(size)
    assert np.allclose(inverse(matrix) @ matrix, np.eye(size), atol=1e-9)
