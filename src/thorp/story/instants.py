"""Moments of the world: whole microseconds since 1970-01-01T00:00:00+00:00, and their RFC 3339
text.

Different texts may name the same moment, so moments are compared as numbers, never as texts. The
calendar is the proleptic Gregorian one, years 1 to 9999; a leap second has no number and is
refused.
"""

import re
from calendar import monthrange, timegm
from functools import lru_cache
from typing import Final, NamedTuple

from thorp.kernel.errors import InvalidError

SECOND_US: Final = 1_000_000
MINUTE_US: Final = 60 * SECOND_US
DAY_US: Final = 24 * 60 * MINUTE_US

TEXTS_KEPT: Final = 256
"""Cached conversions: a beat reads and writes the same moment several times."""

_TEXT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,6}))?"
    r"(Z|z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?\Z",
    re.ASCII,
)

FIRST: Final = timegm((1, 1, 1, 0, 0, 0)) * SECOND_US
LAST: Final = timegm((9999, 12, 31, 23, 59, 59)) * SECOND_US + SECOND_US - 1


class Civil(NamedTuple):
    """A calendar time, and how far its clock is ahead of UTC; None if the text has no offset."""

    local_us: int
    offset_minutes: int | None


def parse_civil(text: str) -> Civil:
    """Read an RFC 3339 text, with or without an offset. Refuses everything else."""
    match = _TEXT.match(text)
    if match is None:
        raise _refusal(text)
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= monthrange(year, month)[1]:
        raise _refusal(text)
    fraction = int((match[7] or "").ljust(6, "0"))
    local = timegm((year, month, day, hour, minute, second)) * SECOND_US + fraction
    return Civil(local, _offset(match[8]))


@lru_cache(maxsize=TEXTS_KEPT)
def parse_instant(text: str) -> int:
    """Read an RFC 3339 text with an offset as a moment."""
    civil = parse_civil(text)
    if civil.offset_minutes is None:
        raise _refusal(text)
    return in_calendar(civil.local_us - civil.offset_minutes * MINUTE_US)


def in_calendar(instant: int) -> int:
    """The moment itself. Refuses one outside of the calendar."""
    if not FIRST <= instant <= LAST:
        raise InvalidError("this moment is before the year 1 or after the year 9999", code="time")
    return instant


@lru_cache(maxsize=TEXTS_KEPT)
def instant_text(instant: int, offset_minutes: int = 0) -> str:
    """A moment as RFC 3339 text with a numeric offset; in UTC if the local year would be outside of
    the calendar."""
    local = instant + offset_minutes * MINUTE_US
    if not FIRST <= local <= LAST:
        local = instant
        offset_minutes = 0
    days, rest = divmod(local, DAY_US)
    minutes, rest = divmod(rest, MINUTE_US)
    second, fraction = divmod(rest, SECOND_US)
    hour, minute = divmod(minutes, 60)
    tail = f".{fraction:06d}" if fraction else ""
    sign = "-" if offset_minutes < 0 else "+"
    ahead = abs(offset_minutes)
    offset = f"{sign}{ahead // 60:02d}:{ahead % 60:02d}"
    return f"{_date_text(days)}T{hour:02d}:{minute:02d}:{second:02d}{tail}{offset}"


def _refusal(text: str) -> InvalidError:
    return InvalidError(
        f"expected a time like 2026-01-01T07:30:00+00:00, got {text[:40]!r}", code="time"
    )


def _offset(text: str | None) -> int | None:
    if text is None:
        return None
    if text in "Zz":
        return 0
    minutes = int(text[1:3]) * 60 + int(text[4:])
    return -minutes if text[0] == "-" else minutes


@lru_cache(maxsize=TEXTS_KEPT)
def _date_text(days: int) -> str:
    year, month, day = _civil_of(days)
    return f"{year:04d}-{month:02d}-{day:02d}"


def _civil_of(days: int) -> tuple[int, int, int]:
    """Year, month and day of a day counted from 1970-01-01. Years are taken to begin in March, so
    that the leap day comes last and months have a regular pattern."""
    era, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day = day - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    return year + era * 400 + (month <= 2), month, day
