"""Standings: points, and every tie-break by a case made for it."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arena.tournament.small import outcome
from thorp.arena.tournament import Outcome
from thorp.arena.tournament.standings import Tally, make_standings
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.identity import digest


def order(ids: str, outcomes: list[Outcome], seed: int = 1) -> list[tuple[str, str | None]]:
    """Who stands where, and what put each below the one before."""
    return [(row.id, row.decided_by) for row in make_standings(Tally(ids, outcomes), seed)]


def duel(one: str, score: float, other: str, other_score: float, **changes: object) -> Outcome:
    return outcome(f"{one}{other}", (one, score), (other, other_score), **changes)


def test_three_points_for_a_win_and_one_for_a_draw() -> None:
    tally = Tally("abc", [duel("a", 5, "b", 2), duel("c", 1, "a", 1), duel("b", 0, "c", 7)])
    rows = {row.id: row for row in make_standings(tally, 1)}
    assert [(row.points, row.wins, row.draws, row.losses) for row in rows.values()] == [
        (4, 1, 1, 0),
        (4, 1, 1, 0),
        (0, 0, 0, 2),
    ]
    assert (rows["a"].score, rows["a"].difference) == (6, 3)
    assert [row.rank for row in rows.values()] == [1, 2, 3]


def test_points_come_first() -> None:
    """One win by a hair beats a huge score."""
    games = [duel("a", 1, "b", 0), duel("b", 0, "c", 100), duel("a", 1, "c", 0)]
    assert order("abc", games) == [("a", None), ("c", "points"), ("b", "points")]


def test_head_to_head_comes_before_score_difference() -> None:
    """a and b have 6 points each; a beat b, though b has the far better difference."""
    games = [
        duel("a", 1, "b", 0),
        duel("a", 1, "c", 0),
        duel("d", 1, "a", 0),
        duel("b", 90, "c", 0),
        duel("b", 90, "d", 0),
        duel("c", 1, "d", 0),
    ]
    placed = order("abcd", games)
    assert placed[:2] == [("a", None), ("b", "head-to-head")]
    assert placed[2:] == [("c", "points"), ("d", "head-to-head")]


def test_a_head_to_head_cycle_is_broken_by_difference() -> None:
    games = [duel("a", 4, "b", 0), duel("b", 2, "c", 0), duel("c", 4, "a", 0)]
    assert order("abc", games) == [
        ("c", None),
        ("a", "score difference"),
        ("b", "score difference"),
    ]


def test_head_to_head_is_applied_again_to_those_still_tied() -> None:
    """a, b, c and d have equal points. Among the four, a and c have 6 and b and d have 5; then c
    beat a."""
    games = [
        duel("c", 1, "a", 0),
        duel("c", 1, "b", 0),
        duel("d", 1, "c", 0),
        duel("b", 1, "a", 0),
        duel("a", 1, "d", 0),
        duel("a", 1, "d", 0),
        duel("d", 0, "b", 0),
        duel("d", 0, "b", 0),
        # e evens out the points: 6 for c; a has 6; b gets 1 more; d gets 1 more
        duel("b", 0, "e", 0),
        duel("d", 0, "e", 0),
    ]
    points = {row.id: row.points for row in make_standings(Tally("abcde", games), 1)}
    assert points == {"a": 6, "b": 6, "c": 6, "d": 6, "e": 2}
    placed = order("abcde", games)
    assert [id for id, _ in placed[:2]] == ["c", "a"]  # b and d drew with each other
    assert placed[1] == ("a", "head-to-head")
    assert placed[2][1] == "head-to-head"
    assert placed[3][1] == "score difference"


def test_score_decides_after_difference() -> None:
    games = [duel("a", 2, "c", 1), duel("b", 5, "c", 4), duel("a", 3, "b", 3)]
    assert order("abc", games) == [("b", None), ("a", "score"), ("c", "points")]


def test_fewer_errors_decide_after_score_and_fewer_invalid_after_that() -> None:
    errors = duel("a", 1, "b", 1, errors=(1, 0), invalid=(0, 9))
    assert order("ab", [errors]) == [("b", None), ("a", "fewer errors")]
    invalid = duel("a", 1, "b", 1, errors=(1, 1), invalid=(0, 9))
    assert order("ab", [invalid]) == [("a", None), ("b", "fewer invalid")]


def test_a_coin_decides_last_and_falls_the_same_way_every_time() -> None:
    games = [duel(one, 1, other, 1) for one, other in ("ab", "ac", "bc")]
    for seed in range(5):
        by_digest = sorted("abc", key=lambda id: digest(canonical_bytes(["coin", seed, id])))
        assert [id for id, _ in order("abc", games, seed)] == by_digest
        assert [by for _, by in order("abc", games, seed)] == [None, "coin", "coin"]
    orders = {tuple(id for id, _ in order("abc", games, seed)) for seed in range(60)}
    assert orders == set(permutations("abc"))


def test_a_table_of_three_is_three_duels() -> None:
    tally = Tally("abc", [outcome("x", ("a", 5), ("b", 5), ("c", 1))])
    rows = {row.id: row for row in make_standings(tally, 1)}
    assert [(rows[id].wins, rows[id].draws, rows[id].losses, rows[id].points) for id in "abc"] == [
        (1, 1, 0, 4),
        (1, 1, 0, 4),
        (0, 0, 2, 0),
    ]
    assert [rows[id].difference for id in "abc"] == [4, 4, -8]
    assert [rows[id].matches for id in "abc"] == [1, 1, 1]


def test_an_aborted_match_is_listed_and_scores_for_nobody() -> None:
    broken = outcome("ab", ("a", None), ("b", 3), valid=(4, 2), invalid=(1, 0), errors=(0, 2))
    tally = Tally("ab", [broken, duel("a", 1, "b", 0)])
    assert tally.aborted == ["ab"]
    first, second = make_standings(tally, 1)
    assert (first.id, first.points, first.matches, first.aborted, first.score) == ("a", 3, 1, 1, 1)
    assert first.invalid_rate == 0.2
    assert second.error_rate == 0.5


def test_rates_are_shares_of_what_was_asked() -> None:
    games = [duel("a", 1, "b", 0, valid=(7, 0), invalid=(1, 0), errors=(2, 0))]
    first, second = make_standings(Tally("ab", games), 1)
    assert (first.invalid_rate, first.error_rate) == (0.125, 0.2)
    assert (second.invalid_rate, second.error_rate) == (0, 0)


def test_fractions_that_differ_only_in_rounding_are_a_tie() -> None:
    games = [duel("a", 0.1, "b", 0.0), duel("a", 0.2, "b", 0.0), duel("b", 0.3, "a", 0.0)]
    games += [duel("b", 0, "a", 0), duel("a", 0, "b", 0), duel("b", 1, "a", 1 - 1e-9)]
    first, second = make_standings(Tally("ab", games), 1)
    assert (first.points, second.points) == (8, 8)
    assert (first.difference, second.difference) == (0, 0)


games = st.lists(
    st.tuples(st.permutations("abcd"), st.integers(0, 2), st.integers(0, 2), st.integers(0, 1)),
    max_size=20,
)


@given(games, st.integers(0, 3))
def test_the_order_is_total_and_independent_of_the_order_of_results(
    played: list[tuple[list[str], int, int, int]], seed: int
) -> None:
    outcomes = [duel(ids[0], x, ids[1], y, errors=(e, 0)) for ids, x, y, e in played]
    forward = make_standings(Tally("abcd", outcomes), seed)
    backward = make_standings(Tally("dcba", outcomes[::-1]), seed)
    assert forward == backward
    assert sorted(row.id for row in forward) == list("abcd")
    assert all(one.points >= next.points for one, next in pairwise(forward))


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_played_yet_is_a_table_too(count: int) -> None:
    rows = make_standings(Tally("ab"[: count + 1]), 1)
    assert [row.points for row in rows] == [0] * (count + 1)
