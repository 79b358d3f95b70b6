"""Puts numbers, lists, amounts of goods and hours into words. The vocabulary is in `words.json`.

Which ticks a quarter of a day covers follows from the tick alone, so a replay finds the same
ranges.
"""

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Final, NamedTuple

import msgspec

NAMES_LIMIT: Final = 3
"""Most names in one list; further ones are only counted."""
GOODS_LIMIT: Final = 3
"""Most kinds of goods that one sentence names."""

PARTS: Final = 4
"""Parts of a day, each of which gets a page. A day is 20 minutes at the usual rate, so a page comes
every five."""

HOURS: Final = 24


class Ways(msgspec.Struct, frozen=True):
    """The templates for one notice, and for several that share a sentence."""

    one: tuple[str, ...]
    many: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    """For several that are not alike; without any, `many` is used."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of notice."""

    weight: int
    """How much it matters, compared with other notices of its range."""
    public: bool = False
    """Everybody may read it; otherwise only witnesses and the operator."""
    minor: bool = False
    """Reported only if there is little else to report."""


class HourPhrase(msgspec.Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """A phrase for certain hours of a day."""

    first: int
    last: int
    """The last hour for which it can be used."""
    text: str


class Words(msgspec.Struct, frozen=True):
    """The chronicle's vocabulary, as its data file has it."""

    kinds: dict[str, Kind]
    ways: dict[str, Ways]
    beginnings: dict[str, str]
    endings: dict[str, str]
    goals: dict[str, Ways]
    """Goals that agents reached in an event, if no other notice reports them."""
    hours: tuple[HourPhrase, ...]
    """Phrases for hours. The plainest come first, and fit a whole part of a day."""
    goods: dict[str, tuple[str, str]]
    """Singular and plural of each item."""
    buildings: dict[str, tuple[str, str]]
    laws: dict[str, str]
    """Each kind of law, without its title."""
    shares: dict[int, str]
    orders: dict[str, dict[str, str]]
    """What a town is ordered to do, by the type of the order and its aim; the empty aim stands for
    any other."""
    outcomes: dict[str, str]
    """The kind of notice for each status of a result; a duplicate gives no notice."""
    reasons: dict[str, str]
    quarrels: dict[str, str]
    """What somebody did to whom, by what villagers give as the cause of a quarrel."""
    causes: dict[str, str]
    """What killed a body, by the kind of damage."""
    skies: dict[str, str]
    landscapes: dict[str, str]
    numbers: tuple[str, ...]
    ordinals: tuple[str, ...]
    tens: tuple[str, ...]


WORDS: Final = msgspec.json.decode((files(__package__) / "words.json").read_bytes(), type=Words)


def number_in_words(number: int) -> str:
    """A number in words if it is below a hundred, else in digits."""
    if 0 <= number < len(WORDS.numbers):
        return WORDS.numbers[number]
    tens, ones = divmod(number, 10)
    if not 2 <= tens < len(WORDS.tens):
        return f"{number:,}"
    return f"{WORDS.tens[tens]}-{WORDS.numbers[ones]}" if ones else WORDS.tens[tens]


def ordinal(number: int) -> str:
    """An ordinal number: `first`, `twenty-third`, `101st`."""
    if 0 < number < len(WORDS.ordinals):
        return WORDS.ordinals[number]
    tens, ones = divmod(number, 10)
    if 2 <= tens < len(WORDS.tens):
        return (
            f"{WORDS.tens[tens]}-{WORDS.ordinals[ones]}" if ones else f"{WORDS.tens[tens][:-1]}ieth"
        )
    suffix = "th" if tens % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(ones, "th")
    return f"{number}{suffix}"


def number_pattern() -> str:
    """A regular expression for a number or an ordinal in words, and for the article that stands for
    one."""
    small = "|".join(
        sorted((*WORDS.numbers[1:], *WORDS.ordinals[1:], "an", "a"), key=len, reverse=True)
    )
    tens = "|".join((*WORDS.tens[2:], *(f"{name[:-1]}ieth" for name in WORDS.tens[2:])))
    return rf"(?:{tens})(?:-(?:{small}))?|{small}"


def joined_words(words: Sequence[str]) -> str:
    """Words as a list: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def joined_names(names: Sequence[str], more: int | None = 0) -> str:
    """The first names, and how many others there are. `more` are others that are not among the
    names; None says that there are some, and nobody knows how many."""
    if more is None:
        return f"{', '.join(names[: NAMES_LIMIT - 1])} and others"
    count = len(names) + more
    if count <= NAMES_LIMIT and not more:
        return joined_words(names)
    listed = names[: NAMES_LIMIT - 1]
    return f"{', '.join(listed)} and {number_in_words(count - len(listed))} others"


def joined_things(things: Sequence[str]) -> str:
    """The first things, followed by "and more" if there are others."""
    if len(things) <= NAMES_LIMIT:
        return joined_words(things)
    return joined_words([*things[:NAMES_LIMIT], "more"])


def goods(stacks: Sequence[tuple[str, int]]) -> str:
    """Goods in words: `twelve planks and a lump of coal`."""
    said = [amount(item, count) for item, count in stacks[:GOODS_LIMIT]]
    return joined_words([*said, "other goods"] if len(stacks) > GOODS_LIMIT else said) or "nothing"


def amount(item: str, count: int) -> str:
    """A number of items in words: `a plank`, `twelve planks`, `eight coal`."""
    singular, many = WORDS.goods.get(item) or plurals(item)
    if count == 1 and singular != many:
        return f"{'an' if singular[0] in 'aeiou' else 'a'} {singular}"
    return f"{number_in_words(count)} {many}"


def several(item: str) -> str:
    """What several of an item are called: `planks`, `coal`."""
    return (WORDS.goods.get(item) or plurals(item))[1]


def plurals(item: str) -> tuple[str, str]:
    """One thing and several, by the name that a catalog gives it."""
    singular = item.lower().replace("_", " ")
    if singular.endswith("y") and singular[-2:-1] not in "aeiou":
        return singular, f"{singular[:-1]}ies"
    return singular, f"{singular}es" if singular.endswith(
        ("s", "ch", "sh", "x")
    ) else f"{singular}s"


class TickRange(NamedTuple):
    """Ticks, from the first to the last."""

    first: int
    last: int


def day_of(tick: int, day_ticks: int) -> int:
    """The day of a tick, counted from 1 as people count."""
    return tick // day_ticks + 1


def hour_of(tick: int, day_ticks: int) -> int:
    """The hour of the day of a tick, from 0."""
    return tick % day_ticks * HOURS // day_ticks


def part_of(tick: int, day_ticks: int) -> int:
    """The part of the day of a tick, from 0."""
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


def when(ticks: TickRange, day_ticks: int, choice: int) -> str:
    """When something happened, as the opening of a sentence in lower case.

    The phrase fits every tick of the range: what began at noon and ended at five did not happen
    "while the sun went down". A range over several parts of a day is dated by its first tick.
    """
    first = hour_of(ticks.first, day_ticks)
    is_one_part = ticks.last - ticks.first < day_ticks and part_of(
        ticks.last, day_ticks
    ) == part_of(ticks.first, day_ticks)
    last = hour_of(ticks.last, day_ticks) if is_one_part else first
    ways = [phrase.text for phrase in WORDS.hours if phrase.first <= first and last <= phrase.last]
    return ways[choice % len(ways)].format(day=ordinal(day_of(ticks.first, day_ticks)))


def hour_pattern() -> str:
    """A regular expression for every phrase of `when`, at either end of a sentence."""
    ways = "|".join(re.escape(phrase.text.rstrip(",")) for phrase in WORDS.hours)
    return rf"(?:{ways}),?".replace(r"\{day\}", r"[\w-]+")
