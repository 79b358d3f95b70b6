"""Days, their parts, and the ranges that follow from them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thorp.bridges.chronicle.wording import (
    HOURS,
    PARTS,
    TickRange,
    day_of,
    ends_range,
    hour_of,
    joined_names,
    joined_words,
    last_end,
    number_in_words,
    ordinal,
    part_of,
    when,
)

ticks = st.integers(0, 10**9)
days = st.integers(24, 10**9)
DAY = 6000
# Choices among ways of telling: more than there are ways.
MANY = 60


@given(ticks, days)
def test_a_range_is_one_part_of_one_day(tick: int, day_ticks: int) -> None:
    end = last_end(tick, day_ticks)
    assert end <= tick
    assert end == -1 or ends_range(end, day_ticks)
    where = [(day_of(one, day_ticks), part_of(one, day_ticks)) for one in (end + 1, tick)]
    if end < tick:
        assert where[0] == where[1], "everything behind the last end is one part of one day"


@given(st.integers(24, 500))
def test_every_day_has_four_ranges(day_ticks: int) -> None:
    assert sum(ends_range(tick, day_ticks) for tick in range(day_ticks)) == PARTS


def test_days_and_hours() -> None:
    assert [day_of(tick, 6000) for tick in (0, 5999, 6000)] == [1, 1, 2]
    assert [hour_of(tick, 6000) for tick in (0, 1500, 5999)] == [0, 6, 23]
    assert [tick for tick in range(6001) if ends_range(tick, 6000)] == [1499, 2999, 4499, 5999]


def ways(first_hour: float, last_hour: float, day: int = 3) -> set[str]:
    """Every way in which the time from one hour of a day to another is spoken of."""
    first, last = (round((day - 1 + hour / HOURS) * DAY) for hour in (first_hour, last_hour))
    return {when(TickRange(first, last), DAY, choice) for choice in range(MANY)}


def test_what_is_said_of_an_hour_is_true_of_it() -> None:
    assert when(TickRange(13_600, 13_600), DAY, 0) == "on the morning of the third day,"
    dusk = "at dusk of the third day,"
    assert [hour for hour in range(HOURS) if dusk in ways(hour, hour)] == [18, 19]
    assert dusk not in ways(12.25, 12.25)
    assert dusk not in ways(18.25, 22.5), "what went on until night was not at dusk alone"
    assert ways(6, 11.9) == {"on the third day, before noon,", "on the morning of the third day,"}
    for hour in range(HOURS):
        assert len(ways(hour, hour)) >= 2, "nor is one way all there is"
        assert ways(hour, hour + 0.9) == ways(hour, hour)


@given(ticks, days, st.integers(0, 10**9), st.integers(0, 99))
def test_every_span_has_words(first: int, day_ticks: int, longer: int, choice: int) -> None:
    said = when(TickRange(first, first + longer), day_ticks, choice)
    assert ordinal(day_of(first, day_ticks)) in said
    assert said.endswith(",")


def test_numbers_in_words() -> None:
    assert [number_in_words(number) for number in (0, 1, 19, 20, 32, 99, 100, 1200)] == [
        "no", "one", "nineteen", "twenty", "thirty-two", "ninety-nine", "100", "1,200",
    ]  # fmt: skip
    assert [ordinal(number) for number in (1, 12, 20, 23, 30, 100, 101, 111, 112, 122)] == [
        "first", "twelfth", "twentieth", "twenty-third", "thirtieth", "100th", "101st", "111th", "112th",
        "122nd",
    ]  # fmt: skip


def test_lists_of_names() -> None:
    assert [joined_words(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "", "a", "a and b", "a, b and c",
    ]  # fmt: skip
    assert joined_names(["a", "b", "c"]) == "a, b and c"
    assert joined_names(["a", "b", "c", "d"]) == "a, b and two others"
