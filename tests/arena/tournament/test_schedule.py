"""The schedule: everybody meets everybody, seats are shared fairly, keys and seeds never change."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.arena.contract import Seat
from thorp.arena.rating.results import code_units
from thorp.arena.sealed import SealedDraws
from thorp.arena.tournament import make_plan, make_schedule, match_seed
from thorp.arena.tournament.schedule import MAX_TABLE, count_matches
from thorp.kernel.errors import InvalidError, LimitError

ids = st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=7, unique=True)
tables = st.integers(2, 4)


@given(ids, st.integers(1, 9), tables)
def test_every_group_meets_once_a_round(ids: list[str], rounds: int, table: int) -> None:
    table = min(table, len(ids))
    schedule = make_schedule(ids, rounds, table)
    meetings = Counter((fixture.round, frozenset(fixture.seats)) for fixture in schedule)
    expected = {
        (round, frozenset(group))
        for round in range(1, rounds + 1)
        for group in combinations(ids, table)
    }
    assert set(meetings) == expected
    assert set(meetings.values()) == {1}
    assert len(schedule) == count_matches(len(ids), rounds, table)


@given(ids, st.integers(1, 3), tables)
def test_seats_are_equal_against_the_same_opponents(
    ids: list[str], cycles: int, table: int
) -> None:
    """After a multiple of as many rounds as there are seats, everyone had every seat equally
    often."""
    table = min(table, len(ids))
    seated = Counter(
        (frozenset(fixture.seats), id, seat)
        for fixture in make_schedule(ids, cycles * table, table)
        for seat, id in enumerate(fixture.seats)
    )
    assert set(seated.values()) == {cycles}


@given(ids, st.integers(1, 13), tables)
def test_seats_never_differ_by_more_than_one(ids: list[str], rounds: int, table: int) -> None:
    table = min(table, len(ids))
    seated = Counter(
        (frozenset(fixture.seats), id, seat)
        for fixture in make_schedule(ids, rounds, table)
        for seat, id in enumerate(fixture.seats)
    )
    for group in combinations(ids, table):
        for id in group:
            counts = [seated[frozenset(group), id, seat] for seat in range(table)]
            assert max(counts) - min(counts) <= 1


@given(ids, st.integers(1, 9))
def test_in_pairs_nobody_has_the_first_seat_much_more_often(ids: list[str], rounds: int) -> None:
    first = Counter(fixture.seats[0] for fixture in make_schedule(ids, rounds))
    second = Counter(fixture.seats[1] for fixture in make_schedule(ids, rounds))
    assert all(abs(first[id] - second[id]) <= 1 for id in ids)


def test_every_order_of_a_table_is_played_once_in_factorial_rounds() -> None:
    for table in (2, 3, 4):
        names = "abcd"[:table]
        played = [fixture.seats for fixture in make_schedule(names, math.factorial(table), table)]
        assert sorted(played) == sorted(permutations(names))


@given(ids, st.integers(1, 4), st.integers(1, 4), st.randoms())
def test_keys_are_unique_safe_and_stable(
    ids: list[str], rounds: int, more: int, random: object
) -> None:
    schedule = make_schedule(ids, rounds)
    keys = [fixture.key for fixture in schedule]
    assert len({key.lower() for key in keys}) == len(keys)  # also where names differ in case only
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,240}", key) for key in keys)
    assert make_schedule(ids[::-1], rounds) == schedule  # the order of entry does not matter
    assert make_schedule(ids, rounds + more)[: len(schedule)] == schedule  # nor do later rounds


@given(ids)
def test_ids_sort_by_code_unit(ids: list[str]) -> None:
    ordered = sorted(ids, key=code_units)
    assert make_schedule(ids, 1)[0].key == make_schedule(ordered, 1)[0].key
    assert {*make_schedule(ids, 1)[0].seats} == {*ordered[:2]}


def test_code_units_are_not_code_points() -> None:
    assert code_units("\U0001f600") < code_units("\uffff")


def test_golden_schedule() -> None:
    """Written down by hand from the rule: turned by the round plus the sum of places."""
    assert [
        (fixture.key, fixture.round) for fixture in make_schedule(["carol", "alice", "bob"], 2)
    ] == [
        ("r01-m0001-bob-vs-alice", 1),
        ("r01-m0002-alice-vs-carol", 1),
        ("r01-m0003-carol-vs-bob", 1),
        ("r02-m0001-alice-vs-bob", 2),
        ("r02-m0002-carol-vs-alice", 2),
        ("r02-m0003-bob-vs-carol", 2),
    ]


def test_golden_table_of_three() -> None:
    seats = ["".join(fixture.seats) for fixture in make_schedule("abc", 7, 3)]
    assert seats == ["abc", "bca", "cab", "acb", "cba", "bac", "abc"]


def test_hostile_names_stay_readable() -> None:
    fixture = make_schedule(["../../etc/passwd", "<script>alert(1)</script>"], 1)[0]
    assert fixture.key == "r01-m0001-_script_alert_1___sc-vs-______etc_passwd"
    assert set(fixture.seats) == {"../../etc/passwd", "<script>alert(1)</script>"}


def test_golden_seeds() -> None:
    """The first four bytes of sha256('[42,"r01-m0001-alice-vs-bob"]')."""
    assert match_seed(42, "r01-m0001-alice-vs-bob") == 0x66C2BE08
    assert match_seed(43, "r01-m0001-alice-vs-bob") != match_seed(42, "r01-m0001-alice-vs-bob")


@given(st.integers(-(2**53), 2**53), st.text(max_size=20))
def test_seeds_are_32_bits(seed: int, key: str) -> None:
    assert 0 <= match_seed(seed, key) < 2**32


@pytest.mark.parametrize(
    ("ids", "rounds", "table", "code"),
    [
        (["a"], 1, 2, "entrants"),
        (["a", "b"], 0, 2, "rounds"),
        (["a", "b"], 1, 3, "entrants"),
        (["a", "b"], 1, 0, "table"),
        (list("abcdefghij"), 1, MAX_TABLE + 1, "table"),
        (["a", "b", "a"], 1, 2, "entrants"),
    ],
)
def test_refusals(ids: list[str], rounds: int, table: int, code: str) -> None:
    with pytest.raises(InvalidError) as refusal:
        make_schedule(ids, rounds, table)
    assert refusal.value.code == code


def test_too_many_matches_are_refused_before_they_are_made() -> None:
    with pytest.raises(LimitError, match="500500000 matches, more than"):
        make_schedule([f"{n}" for n in range(1001)], 1000)


def test_a_mirrored_schedule_plays_every_deal_from_every_seat() -> None:
    for table in (2, 3):
        schedule = make_schedule(["a", "b", "c", "d"], 3, table, mirrored=True)
        assert len(schedule) == count_matches(4, 3, table, mirrored=True)
        assert len({fixture.key for fixture in schedule}) == len(schedule)
        deals: dict[str | None, list[tuple[str, ...]]] = {}
        for fixture in schedule:
            assert fixture.key.startswith(f"{fixture.deal}-")
            deals.setdefault(fixture.deal, []).append(fixture.seats)
        for seatings in deals.values():
            assert all(len({*seats}) == table for seats in zip(*seatings, strict=True))
    assert make_schedule(["a", "b"], 1, mirrored=True)[0].key == "r01-d0001-a-b-vs-a"


def test_seatings_of_a_deal_share_seed_and_hidden_values() -> None:
    entrants = [Seat("ann", "truthful"), Seat("bo", "shading")]
    plan = make_plan("auction", entrants, rounds=1, mirrored=True, secret="7" * 64)
    first, second = plan.tasks(plan.schedule())
    assert first.seed == second.seed == match_seed(plan.seed, "r01-d0001")
    assert first.secret == second.secret
    assert isinstance(first.secret, str)
    assert first.match_id is not None
    assert second.match_id is not None
    draws = [
        SealedDraws(bytes.fromhex(first.secret), id).below(1000, "value", 0)
        for id in (first.match_id, second.match_id, "r01-m0001-ann-vs-bo")
    ]
    assert draws[0] == draws[1] != draws[2]
    unmirrored = make_plan("auction", entrants, rounds=1, secret="7" * 64)
    (only,) = unmirrored.tasks(unmirrored.schedule())
    assert only.match_id is not None
    assert (only.match_id, only.seed) == ("r01-m0001-bo-vs-ann", match_seed(42, only.match_id))


def test_a_tournament_by_score_has_one_deal_a_round_already() -> None:
    with pytest.raises(InvalidError, match="leave --mirrored out"):
        make_plan("town-council", [Seat("a", "idle"), Seat("b", "simple")], mirrored=True)
