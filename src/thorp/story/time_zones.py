"""Time zones by their IANA names, from the machine's zone data.

A local time that a zone skips or has twice is read with the offset from before the change. Ancient
offsets with seconds are cut to whole minutes, which RFC 3339 can write; the moment stays exact.
"""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from thorp.story.instants import MINUTE_US, SECOND_US, in_calendar

ZONES_KEPT: Final = 64  # Cached zones.
OFFSETS_KEPT: Final = 256  # Cached offsets of a zone at a moment.
NAME_LIMIT: Final = 64  # Characters of a zone's name; the longest has 32.
DAY_SECONDS: Final = 86_400

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class MachineZones:
    """The time zones of this machine."""

    def is_known(self, zone: str) -> bool:
        """Whether this machine has a zone of that name."""
        return len(zone) <= NAME_LIMIT and _zone(zone) is not None

    def offset_minutes(self, zone: str, instant: int) -> int:
        """How far clocks of a zone are ahead of UTC at a moment. Offsets change at whole seconds,
        so one lookup serves for all moments of a second."""
        return 0 if _is_utc(zone) else _offset_minutes(zone, instant - instant % SECOND_US)

    def to_instant(self, zone: str, local_us: int) -> int:
        """The moment at which clocks of a zone show this local time."""
        local = (_EPOCH + timedelta(microseconds=local_us)).replace(tzinfo=_known(zone))
        return in_calendar(local_us - _minutes(local.utcoffset()) * MINUTE_US)


@lru_cache(maxsize=ZONES_KEPT)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None  # unknown, or not a name at all; the name of a directory raises an OSError


@lru_cache(maxsize=ZONES_KEPT)
def _is_utc(name: str) -> bool:
    """Whether a zone has always been UTC: only then does its offset not depend on the moment."""
    return _known(name).utcoffset(None) == timedelta(0)


@lru_cache(maxsize=OFFSETS_KEPT)
def _offset_minutes(zone: str, instant: int) -> int:
    try:
        local = datetime.fromtimestamp(instant // SECOND_US, _known(zone))
    except (OverflowError, ValueError):  # clocks there would show a year that no calendar has
        return 0
    return _minutes(local.utcoffset())


def _known(name: str) -> ZoneInfo:
    zone = _zone(name)
    assert zone is not None, "callers check that the zone is known"
    return zone


def _minutes(offset: timedelta | None) -> int:
    return 0 if offset is None else int(offset.total_seconds() / 60)
