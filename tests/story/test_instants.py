"""Moments and zones, held against Python's own calendar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.kernel.errors import InvalidError
from thorp.story.instants import FIRST, LAST, MINUTE_US, instant_text, parse_civil, parse_instant
from thorp.story.time_zones import MachineZones

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
moments = st.datetimes(timezones=st.just(UTC))
offsets = st.integers(-23 * 60, 23 * 60)


def number_of(moment: datetime) -> int:
    return (moment - EPOCH) // MICROSECOND


@given(moments)
def test_a_moment_and_its_text_are_one(moment: datetime) -> None:
    assert parse_instant(instant_text(number_of(moment))) == number_of(moment)
    assert instant_text(number_of(moment)) == moment.isoformat()


@given(moments, offsets)
def test_another_offset_is_the_same_moment(moment: datetime, minutes: int) -> None:
    try:
        text = moment.astimezone(timezone(timedelta(minutes=minutes))).isoformat()
    except OverflowError:
        return
    assert parse_instant(text) == number_of(moment)
    assert parse_instant(instant_text(number_of(moment), minutes)) == number_of(moment)


@given(moments, moments)
def test_intervals_are_exact(one: datetime, other: datetime) -> None:
    between = parse_instant(one.isoformat()) - parse_instant(other.isoformat())
    assert timedelta(microseconds=between) == one - other


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-01-01",
        "2026-01-01 07:30:00+00:00",
        "2026-01-01T07:30+00:00",
        "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T23:60:00Z",
        "2026-12-31T23:59:60Z",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00+01:60",
        "2026-01-01T00:00:00.1234567Z",
        "2026-01-01T00:00:00Z\n",
        "٢٠٢٦-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
    ],
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(InvalidError):
        parse_instant(text)


def test_a_time_without_an_offset_is_no_moment_yet() -> None:
    assert parse_civil("2026-01-01T00:00:00").offset_minutes is None
    with pytest.raises(InvalidError):
        parse_instant("2026-01-01T00:00:00")


def test_the_ends_of_the_calendar() -> None:
    assert (instant_text(FIRST), instant_text(LAST)) == (
        "0001-01-01T00:00:00+00:00",
        "9999-12-31T23:59:59.999999+00:00",
    )
    # Clocks of a zone could show a year that the calendar does not have; then they show UTC.
    assert instant_text(LAST, 60) == "9999-12-31T23:59:59.999999+00:00"


@given(
    moments,
    st.sampled_from(
        ["Europe/London", "America/New_York", "Asia/Kathmandu", "UTC", "Etc/GMT", "Etc/GMT+5"]
    ),
)
def test_a_zones_clock_names_the_moment(moment: datetime, zone: str) -> None:
    zones, instant = MachineZones(), number_of(moment)
    offset = zones.offset_minutes(zone, instant)
    assert parse_instant(instant_text(instant, offset)) == instant
    assert offset == int(_seconds_ahead(moment, zone) / 60)


def _seconds_ahead(moment: datetime, zone: str) -> float:
    try:
        ahead = moment.astimezone(ZoneInfo(zone)).utcoffset()
    except OverflowError:  # a year that no calendar has
        return 0.0
    return 0.0 if ahead is None else ahead.total_seconds()


def test_clocks_that_go_forward_or_back() -> None:
    zones = MachineZones()

    def london(text: str) -> int:
        return zones.to_instant("Europe/London", parse_civil(text).local_us)

    twice = london("2026-10-25T01:30:00")
    assert instant_text(twice) == "2026-10-25T00:30:00+00:00"
    skipped = london("2026-03-29T01:30:00")
    assert instant_text(skipped) == "2026-03-29T01:30:00+00:00"
    assert zones.offset_minutes("Europe/London", skipped) == 60


def test_old_offsets_with_seconds_keep_the_moment() -> None:
    zones = MachineZones()
    instant = parse_instant("1800-06-01T12:00:00Z")
    assert abs(zones.offset_minutes("Europe/London", instant)) <= 2
    shown = instant_text(instant, zones.offset_minutes("Europe/London", instant))
    assert parse_instant(shown) == instant
    assert MINUTE_US == 60_000_000


@pytest.mark.parametrize(
    "name", ["", "Mars/Base", "/etc/passwd", "../UTC", "Europe", "x" * 1000, "a\0b", "\ud800"]
)
def test_names_of_no_zone(name: str) -> None:
    assert not MachineZones().is_known(name)
