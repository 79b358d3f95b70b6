"""Tiers by maximal lotteries: right against a search by hand, and unmoved by copies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.arena.rating.simulated import copies, fixtures
from thorp.arena.rating import Result, rate_all
from thorp.arena.rating.cycles import find_cycles
from thorp.arena.rating.margins import make_margins
from thorp.arena.rating.results import make_duels
from thorp.arena.rating.tiers import MAX_CIRCLE, essential_set, make_tiers
from thorp.arena.rating.variance import divide_variance

Matrix = list[list[int]]


def antisymmetric(size: int, values: Sequence[int]) -> Matrix:
    matrix = [[0] * size for _ in range(size)]
    for (one, other), value in zip(combinations(range(size), 2), values, strict=False):
        matrix[one][other] = value
        matrix[other][one] = -value
    return matrix


matrices = st.integers(1, 4).flatmap(
    lambda size: st.lists(
        st.integers(-2, 2), min_size=size * (size - 1) // 2, max_size=size * (size - 1) // 2
    ).map(lambda values: antisymmetric(size, values))
)


def solve(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The one solution of linear equations, each with its right side last; else None."""
    rows = [list(row) for row in rows]
    size = len(rows[0]) - 1
    for column in range(size):
        pivot = next((k for k in range(column, len(rows)) if rows[k][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [entry / rows[column][column] for entry in rows[column]]
        for k in range(len(rows)):
            if k != column:
                factor = rows[k][column]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[column], strict=True)]
    return [row[-1] for row in rows[:size]] if not any(row[-1] for row in rows[size:]) else None


def essential_by_hand(matrix: Matrix) -> list[int]:
    """Every corner of the set of maximal lotteries, by trying which constraints are tight."""
    size = len(matrix)
    ones = [Fraction(1)] * (size + 1)
    tight = [
        *([Fraction(int(i == j)) for j in range(size)] + [Fraction(0)] for i in range(size)),
        *([Fraction(entry) for entry in row] + [Fraction(0)] for row in matrix),
    ]
    used: set[int] = set()
    for chosen in combinations(tight, size - 1):
        lottery = solve([ones, *chosen])
        if lottery is None or min(lottery) < 0:
            continue
        against = [
            sum((m * p for m, p in zip(row, lottery, strict=True)), Fraction()) for row in matrix
        ]
        if max(against) <= 0:
            used.update(agent for agent in range(size) if lottery[agent])
    return sorted(used)


@settings(max_examples=60, deadline=None)
@given(matrices)
def test_the_essential_set_is_the_one_that_a_search_by_hand_finds(matrix: Matrix) -> None:
    assert essential_set(matrix, range(len(matrix))) == essential_by_hand(matrix)


@settings(max_examples=150, deadline=None)
@given(matrices, st.data())
def test_copies_move_nobody(matrix: Matrix, data: st.DataObject) -> None:
    """A copy has its original's margins, and none over the original."""
    size = len(matrix)
    original = data.draw(st.integers(0, size - 1))
    number = data.draw(st.integers(1, 3))
    like = [*range(size), *([original] * number)]
    larger = [[matrix[one][other] for other in like] for one in like]
    tier_of = {agent: place for place, tier in enumerate(make_tiers(matrix)) for agent in tier}
    moved = {agent: place for place, tier in enumerate(make_tiers(larger)) for agent in tier}
    assert moved == {agent: tier_of[like[agent]] for agent in range(len(like))}


@settings(max_examples=100, deadline=None)
@given(matrices, st.data())
def test_names_do_not_matter(matrix: Matrix, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(matrix))))
    renamed = [[matrix[one][other] for other in order] for one in order]
    back = [sorted(order[agent] for agent in tier) for tier in make_tiers(renamed)]
    assert back == make_tiers(matrix)


def test_who_beats_all_is_alone_and_a_circle_is_a_tier() -> None:
    circle = [
        [0, 1, -1, 5, -3],
        [-1, 0, 1, 5, -3],
        [1, -1, 0, 5, -3],
        [-5, -5, -5, 0, -3],
        [3] * 4 + [0],
    ]
    assert make_tiers(circle) == [[4], [0, 1, 2], [3]]
    assert make_tiers([]) == []
    assert make_tiers([[0, 0], [0, 0]]) == [[0, 1]]


def test_a_circle_too_large_to_search_is_a_tier_as_it_is() -> None:
    size = MAX_CIRCLE + 1
    larger = [
        [
            0 if one == other else (1 if (other - one) % size <= size // 2 else -1)
            for other in range(size)
        ]
        for one in range(size)
    ]
    assert make_tiers(larger) == [list(range(size))]


def test_renamed_copies_in_a_field_of_agents() -> None:
    """Ten copies of one agent: no tier moves, and ratings do."""
    results = fixtures([1700, 1500, 1400, 1300], 12, 7, seat=0.3)
    plain = {row.id: row for row in rate_all(results).agents}
    crowd = [f"copy-{number}" for number in range(10)]
    copied = {row.id: row for row in rate_all(copies(results, "a03", crowd)).agents}
    assert {id: row.tier for id, row in plain.items()} == {id: copied[id].tier for id in plain}
    assert {copied[name].tier for name in crowd} == {plain["a03"].tier}
    assert max(abs(copied[id].rating - plain[id].rating) for id in plain) > 50


def test_a_pair_that_never_met_is_lost_by_who_has_met_fewer() -> None:
    wins = [
        Result("g", f"{deal}{one}{other}", (one, other), (1.0, 0.0))
        for deal in range(4)
        for one, other in (("ann", "bo"), ("ann", "cy"), ("bo", "cy"), ("zed", "cy"))
    ]
    duels = make_duels(wins)
    margins = make_margins(duels)
    ann, bo, _, zed = range(4)
    assert margins.met == [2, 2, 3, 1]
    assert margins.won[ann][zed] == margins.won[bo][zed] == 1000
    assert [row.id for row in rate_all(wins).agents if row.tier == 1] == ["ann"]


def circle_of(deals: int) -> list[Result]:
    wins = (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))
    return [
        Result("g", f"{deal}{pair}", pair, (1.0, 0.0)) for deal in range(deals) for pair in wins
    ]


def test_circles_are_named_once_tests_show_them() -> None:
    sure = rate_all(circle_of(8))
    assert sure.cycles == [(["paper", "rock", "scissors"], 1)]
    assert sure.cyclic_share == 1
    assert {row.tier for row in sure.agents} == {1}
    unsure = find_cycles(make_margins(make_duels(circle_of(3))))
    assert (unsure.named, unsure.share) == ([], 1)
    assert rate_all(fixtures([1900, 1500, 1100], 20, 1)).cycles == []


@pytest.mark.parametrize(
    ("winner", "expected"),
    [
        (lambda first, deal: "ann", (1, 0, 0)),
        (lambda first, deal: first, (0, 1, 0)),
        (lambda first, deal: "ann" if deal % 2 else "bo", (0, 0, 1)),
    ],
)
def test_variance_is_skill_seat_or_luck(winner: object, expected: tuple[float, ...]) -> None:
    assert callable(winner)
    results = []
    for deal in range(100):
        for seats in (("ann", "bo"), ("bo", "ann")):
            best = winner(seats[0], deal)
            scores = (1.0, 0.0) if best == seats[0] else (0.0, 1.0)
            results.append(Result("g", str(deal), seats, scores))
    shares = divide_variance(make_duels(results))
    assert shares is not None
    assert shares == pytest.approx(expected, abs=0.02)


@given(st.integers(0, 50))
def test_shares_sum_to_one(seed: int) -> None:
    shares = divide_variance(make_duels(fixtures([1600, 1500, 1450], 6, seed, seat=1)))
    assume(shares is not None)
    assert shares is not None
    assert sum(shares) == pytest.approx(1)
    assert min(shares.skill, shares.luck) >= 0
    assert divide_variance(make_duels([])) is None
