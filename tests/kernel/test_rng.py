"""Streams and keyed draws: known values, exact arithmetic, independence of order."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.kernel.errors import InvalidError
from thorp.kernel.numbers import as_double
from thorp.kernel.rng import KeyedDraws, Mulberry32, bounded


def test_known_first_draws() -> None:
    zero = Mulberry32(0)
    assert (zero.random(), zero.random()) == (0.26642920868471265, 0.0003297457005828619)
    assert Mulberry32(1).random() == 0.6270739405881613


@given(st.floats())
def test_any_seed_gives_draws_in_range(seed: float) -> None:
    stream = Mulberry32(seed)
    assert all(0 <= stream.random() < 1 for _ in range(5))


@given(st.integers(0, 2**32 - 1))
def test_a_dozen_draws_are_twelve_draws_in_a_row(seed: int) -> None:
    together, alone = Mulberry32(seed), Mulberry32(seed)
    dozen = together.dozen()
    assert [dozen >> 64 * lane & 2**64 - 1 for lane in range(12)] == [
        alone.uint32() for _ in range(12)
    ]
    assert together.uint32() == alone.uint32()


def test_child_seeds_are_signed() -> None:
    master = Mulberry32(42)
    seeds = [master.child_seed() for _ in range(100)]
    assert min(seeds) < 0 < max(seeds)
    assert all(-(2**31) <= seed < 2**31 for seed in seeds)


def reference_bounded(fraction: float, low: float, high: float) -> float:
    """The same, written without a shortcut."""
    scaled = fraction * (as_double(high) - as_double(low) + 1.0)
    return as_double(low) + (float(math.floor(scaled)) if math.isfinite(scaled) else scaled)


@given(
    st.floats(0, 1, exclude_max=True), st.integers(-(2**60), 2**60), st.integers(-(2**60), 2**60)
)
def test_bounded_integers_follow_double_arithmetic(fraction: float, low: int, high: int) -> None:
    assert bounded(fraction, low, high) == reference_bounded(fraction, low, high)


def test_bounds_of_any_kind() -> None:
    assert bounded(0.5, 3, 1) == 2  # a minimum above the maximum
    assert bounded(0.99, 1.5, 3.5) == 3.5
    assert bounded(0.5, -1e308, 1e308) == math.inf
    assert type(bounded(0.5, 1, 100)) is int


DRAW: dict[str, Any] = {"tick": 7, "subject": "A1", "purpose": "loot"}


def test_keyed_draws_depend_on_every_part_and_on_nothing_else() -> None:
    draws = KeyedDraws(5)
    first = draws.uint64(**DRAW)
    variations = [
        KeyedDraws(6).uint64(**DRAW),
        draws.uint64(**{**DRAW, "tick": 8}),
        draws.uint64(**{**DRAW, "subject": "A2"}),
        draws.uint64(**{**DRAW, "purpose": "weather"}),
        draws.uint64(**DRAW, index=1),
    ]
    assert len({first, *variations}) == 6
    assert KeyedDraws(5).uint64(**DRAW) == first == 6073071595583313810


def test_keyed_draws_do_not_run_together() -> None:
    draws = KeyedDraws(1)
    assert draws.uint64(tick=1, subject="b,c", purpose="a") != draws.uint64(
        tick=1, subject="c", purpose="a,b"
    )


def test_below_stays_below_and_reaches_both_ends() -> None:
    draws = KeyedDraws(9)
    seen = {draws.below(6, tick=tick, subject="die", purpose="roll") for tick in range(200)}
    assert seen == set(range(6))


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_below_refuses_a_bound_out_of_range(bound: int) -> None:
    with pytest.raises(InvalidError):
        KeyedDraws(1).below(bound, **DRAW)
