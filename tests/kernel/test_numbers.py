"""ECMAScript number text and reductions, at the edges where Python's own differ."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.kernel.numbers import SAFE_INTEGER, as_double, floor, number_text, plus, to_uint32, whole

TEXTS = [
    (0, "0"),
    (-0.0, "0"),
    (1.0, "1"),
    (-5.0, "-5"),
    (0.1 + 0.2, "0.30000000000000004"),
    (1e20, "100000000000000000000"),
    (1e21, "1e+21"),
    (-1.5e300, "-1.5e+300"),
    (1e-6, "0.000001"),
    (1.5e-6, "0.0000015"),
    (1e-7, "1e-7"),
    (1.25e-7, "1.25e-7"),
    (5e-324, "5e-324"),
    (2**53, "9007199254740992"),
    (2**53 + 1, "9007199254740992"),
    (2**60, "1152921504606847000"),
    (123456789012345680000, "123456789012345680000"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (100.5, "100.5"),
    (1e16, "10000000000000000"),
]


@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_number_text(value: float, text: str) -> None:
    assert number_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_number_text_reads_back_as_the_same_double(value: float) -> None:
    assert float(number_text(value)) == value


REDUCTIONS = [
    (1.5, 1),
    (-1.5, 2**32 - 1),
    (2**32, 0),
    (2**53, 0),
    (2**32 + 7, 7),
    (2**31, 2**31),
    (-(2**31), 2**31),
    (1e21, 3735027712),
    (2**53 + 1, 0),
    (math.nan, 0),
    (math.inf, 0),
    (10**400, 0),
]


@pytest.mark.parametrize(("value", "reduced"), REDUCTIONS)
def test_reduction_to_32_bits(value: float, reduced: int) -> None:
    assert to_uint32(value) == reduced


def test_an_integer_beyond_all_doubles_is_infinite() -> None:
    assert as_double(10**400) == math.inf
    assert as_double(-(10**400)) == -math.inf


def test_floor_keeps_what_has_no_floor() -> None:
    assert floor(-1.5) == -2
    assert floor(math.inf) == math.inf
    assert math.isnan(floor(math.nan))


def test_whole_gives_an_int_only_where_it_is_exact() -> None:
    assert type(whole(50.0)) is int
    assert type(whole(1e21)) is float
    assert type(whole(0.5)) is float


@given(st.integers(-(10**25), 10**25), st.integers(-(10**25), 10**25))
def test_sums_round_as_doubles_do(left: int, right: int) -> None:
    assert plus(left, right) == float(left) + float(right) or abs(left + right) <= SAFE_INTEGER
