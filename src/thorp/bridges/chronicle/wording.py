"""Numbers, lists, amounts of goods and hours in words, and the chronicle's words, which
`words.json` has.

Which ticks a quarter of a day covers follows from the tick alone, so a replay finds the same
ranges.
"""

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Final, NamedTuple

import msgspec

NAMES_LIMIT: Final = 3
"""Names in one list; further ones are only counted."""
GOODS_LIMIT: Final = 3
"""Kinds of goods that one sentence names."""

PARTS: Final = 4
"""Of a day. A day is 20 minutes at the usual rate, so that the chronicle speaks every five."""

HOURS: Final = 24


class Ways(msgspec.Struct, frozen=True):
    """How one notice is told, and how several."""

    one: tuple[str, ...]
    many: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    """Several that are not alike; if there are none, `many` tells those too."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of notice."""

    weight: int
    """How much it matters, beside the others of its range."""
    public: bool = False
    """Everybody may know; else only witnesses and the operator."""
    minor: bool = False
    """Told only where there is little else to tell."""


class HourPhrase(msgspec.Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """How some hours of a day are spoken of."""

    first: int
    last: int
    """The last hour that is called so."""
    text: str


class Words(msgspec.Struct, frozen=True):
    """The chronicle's vocabulary, as its data file has it."""

    kinds: dict[str, Kind]
    ways: dict[str, Ways]
    beginnings: dict[str, str]
    endings: dict[str, str]
    goals: dict[str, Ways]
    """What agents did in an event that is told by no other notice."""
    hours: tuple[HourPhrase, ...]
    """How hours are spoken of. The plainest come first, and hold for a whole part of a day."""
    goods: dict[str, tuple[str, str]]
    """One of them, and several."""
    buildings: dict[str, tuple[str, str]]
    laws: dict[str, str]
    """Each kind of law, without its title."""
    shares: dict[int, str]
    orders: dict[str, dict[str, str]]
    """What a town is to do, by the type of the order and what it aims at; under no name, at
    anything else."""
    outcomes: dict[str, str]
    """The notice that a result's status makes; what was said before, a duplicate, makes none."""
    reasons: dict[str, str]
    quarrels: dict[str, str]
    """What somebody did to whom, by what villagers give as the cause of a quarrel."""
    causes: dict[str, str]
    """What a body fell from, by the kind of the damage."""
    skies: dict[str, str]
    landscapes: dict[str, str]
    numbers: tuple[str, ...]
    ordinals: tuple[str, ...]
    tens: tuple[str, ...]


WORDS: Final = msgspec.json.decode((files(__package__) / "words.json").read_bytes(), type=Words)


def number_in_words(number: int) -> str:
    """A number in words, if it is below a hundred."""
    if 0 <= number < len(WORDS.numbers):
        return WORDS.numbers[number]
    tens, ones = divmod(number, 10)
    if not 2 <= tens < len(WORDS.tens):
        return f"{number:,}"
    return f"{WORDS.tens[tens]}-{WORDS.numbers[ones]}" if ones else WORDS.tens[tens]


def ordinal(number: int) -> str:
    """first, twenty-third, 101st."""
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
    """a, b and c."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def joined_names(names: Sequence[str]) -> str:
    """Those who come first by name, and how many others there are."""
    if len(names) <= NAMES_LIMIT:
        return joined_words(names)
    others = len(names) - NAMES_LIMIT + 1
    return f"{', '.join(names[: NAMES_LIMIT - 1])} and {number_in_words(others)} others"


def joined_things(things: Sequence[str]) -> str:
    """The first things of a list, and that there were more."""
    if len(things) <= NAMES_LIMIT:
        return joined_words(things)
    return joined_words([*things[:NAMES_LIMIT], "more"])


def goods(stacks: Sequence[tuple[str, int]]) -> str:
    """twelve planks and a lump of coal."""
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


def when(told: TickRange, day_ticks: int, choice: int) -> str:
    """When something was, in words, as a sentence may begin but for its first letter.

    What is said holds from the first tick to the last: nothing that began at noon and ended at five
    was "while the sun went down". Ticks of several parts of a day are told by the part of the
    first.
    """
    first = hour_of(told.first, day_ticks)
    is_one_part = told.last - told.first < day_ticks and part_of(told.last, day_ticks) == part_of(
        told.first, day_ticks
    )
    last = hour_of(told.last, day_ticks) if is_one_part else first
    ways = [phrase.text for phrase in WORDS.hours if phrase.first <= first and last <= phrase.last]
    return ways[choice % len(ways)].format(day=ordinal(day_of(told.first, day_ticks)))


def hour_pattern() -> str:
    """A regular expression for what `when` says, in front of a sentence or at its end."""
    ways = "|".join(re.escape(phrase.text.rstrip(",")) for phrase in WORDS.hours)
    return rf"(?:{ways}),?".replace(r"\{day\}", r"[\w-]+")
