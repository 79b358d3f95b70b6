"""Days and quarters of a day of a world: which tick range each covers, and how prose names it.

Where a range ends follows from the tick alone, so a replay finds the same ranges.
"""

import re
from typing import Final, NamedTuple

from thorp.bridges.chronicle.wording import WORDS, ordinal

PARTS: Final = 4
"""Of a day. A day is 20 minutes at the usual rate, so that the chronicle speaks every five."""

HOURS: Final = 24


class TickRange(NamedTuple):
    """Ticks, from the first to the last."""

    first: int
    last: int


def day_of(tick: int, day_ticks: int) -> int:
    return tick // day_ticks + 1


def hour_of(tick: int, day_ticks: int) -> int:
    return tick % day_ticks * HOURS // day_ticks


def part_of(tick: int, day_ticks: int) -> int:
    return tick % day_ticks * PARTS // day_ticks


def ends_range(tick: int, day_ticks: int) -> bool:
    """Whether a tick is the last of its part of a day."""
    return part_of(tick, day_ticks) != part_of(tick + 1, day_ticks)


def last_end(tick: int, day_ticks: int) -> int:
    """The last tick up to this one that ends a range; -1 if none does."""
    if ends_range(tick, day_ticks):
        return tick
    into_day = -(-part_of(tick, day_ticks) * day_ticks // PARTS)
    return tick - tick % day_ticks + into_day - 1


def when(tick: int, day_ticks: int, choice: int) -> str:
    """The part of the day in words, as a sentence may begin but for its first letter."""
    ways = WORDS.parts_of_day[part_of(tick, day_ticks)]
    return ways[choice % len(ways)].format(day=ordinal(day_of(tick, day_ticks)))


def hour_pattern() -> str:
    """A regular expression for what `when` says, in front of a sentence or at its end."""
    ways = (
        re.escape(way.rstrip(",")).replace(r"\{day\}", r"[\w-]+")
        for part in WORDS.parts_of_day
        for way in part
    )
    return rf"(?:{'|'.join(ways)}),?".replace(r"\{day\}", r"[\w-]+")
