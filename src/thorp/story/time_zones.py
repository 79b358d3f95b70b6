"""Time zones by their IANA names, from the machine's zone data.

A clock that the zone skipped or showed twice means the offset from before the change. Ancient
offsets with seconds are cut to whole minutes, which RFC 3339 can write; the moment they name stays
exact.
"""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from thorp.story.instants import MINUTE_US, SECOND_US, in_calendar

ZONES_KEPT: Final = 64
OFFSETS_KEPT: Final = 256
NAME_LIMIT: Final = 64  # Characters of a zone's name; the longest has 32.
DAY_SECONDS: Final = 86_400

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class MachineZones:
    """The time zones of this machine."""

    def is_known(self, zone: str) -> bool:
        """Whether there is a zone of that name."""
        return len(zone) <= NAME_LIMIT and _zone(zone) is not None

    def offset_minutes(self, zone: str, instant: int) -> int:
        """How far clocks there are ahead of UTC at a moment. They change at whole seconds."""
        return 0 if _is_utc(zone) else _offset_minutes(zone, instant - instant % SECOND_US)

    def to_instant(self, zone: str, local_us: int) -> int:
        """The moment at which a clock there shows this time."""
        local = (_EPOCH + timedelta(microseconds=local_us)).replace(tzinfo=_known(zone))
        return in_calendar(local_us - _minutes(local.utcoffset()) * MINUTE_US)


@lru_cache(maxsize=ZONES_KEPT)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None  # unknown, or not a name at all; a directory of zones comes as an OSError


@lru_cache(maxsize=ZONES_KEPT)
def _is_utc(name: str) -> bool:
    """Whether clocks of a zone show UTC and always did: only then its offset needs no moment."""
    return _known(name).utcoffset(None) == timedelta(0)


@lru_cache(maxsize=OFFSETS_KEPT)
def _offset_minutes(zone: str, instant: int) -> int:
    try:
        local = (_EPOCH + timedelta(0, 0, instant)).astimezone(_known(zone))
    except OverflowError:  # clocks there would show a year that the calendar does not have
        return 0
    return _minutes(local.utcoffset())


def _known(name: str) -> ZoneInfo:
    zone = _zone(name)
    assert zone is not None, "asked of known zones only"
    return zone


def _minutes(offset: timedelta | None) -> int:
    return 0 if offset is None else int(offset.total_seconds() / 60)
