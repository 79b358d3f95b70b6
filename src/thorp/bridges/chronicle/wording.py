"""Numbers, lists and amounts of goods in words, and the words of the chronicle, which `words.json` has."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Final

import msgspec


class Ways(msgspec.Struct, frozen=True):
    """How one notice is told, and how several."""

    one: tuple[str, ...]
    many: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    """Several that are not alike; if there are none, `many` tells those too."""


class Words(msgspec.Struct, frozen=True):
    ways: dict[str, Ways]
    beginnings: dict[str, str]
    endings: dict[str, str]
    goals: dict[str, Ways]
    """What agents did in an event that is told by no other notice."""
    parts_of_day: tuple[tuple[str, ...], ...]
    """How each part is spoken of: the plainest first."""
    goods: dict[str, tuple[str, str]]
    """One of them, and several."""
    buildings: dict[str, tuple[str, str]]


WORDS: Final = msgspec.json.decode((files(__package__) / "words.json").read_bytes(), type=Words)

_COUNTED: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_FIRSTS: Final = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth",
)  # fmt: skip
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

NAMES_LIMIT: Final = 3
"""Names in one list; further ones are only counted."""


def number_in_words(number: int) -> str:
    """A number in words, if it is below a hundred."""
    if 0 <= number < len(_COUNTED):
        return _COUNTED[number]
    tens, ones = divmod(number, 10)
    if not 2 <= tens < len(_TENS):
        return f"{number:,}"
    return f"{_TENS[tens]}-{_COUNTED[ones]}" if ones else _TENS[tens]


def ordinal(number: int) -> str:
    """first, twenty-third, 101st."""
    if 0 < number < len(_FIRSTS):
        return _FIRSTS[number]
    tens, ones = divmod(number, 10)
    if 2 <= tens < len(_TENS):
        return f"{_TENS[tens]}-{_FIRSTS[ones]}" if ones else f"{_TENS[tens][:-1]}ieth"
    suffix = "th" if tens % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(ones, "th")
    return f"{number}{suffix}"


def number_pattern() -> str:
    """A regular expression for a number or an ordinal in words, and for the article that stands for one."""
    small = "|".join(sorted((*_COUNTED[1:], *_FIRSTS[1:], "an", "a"), key=len, reverse=True))
    tens = "|".join((*_TENS[2:], *(f"{name[:-1]}ieth" for name in _TENS[2:])))
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


GOODS_LIMIT: Final = 3
"""Kinds of goods that one sentence names."""


def goods(stacks: Sequence[tuple[str, int]]) -> str:
    """twelve planks and a lump of coal."""
    said = [amount(item, count) for item, count in stacks[:GOODS_LIMIT]]
    return joined_words([*said, "other goods"] if len(stacks) > GOODS_LIMIT else said) or "nothing"


def amount(item: str, count: int) -> str:
    one, many = WORDS.goods.get(item) or plurals(item)
    if count == 1:
        return f"{'an' if one[0] in 'aeiou' else 'a'} {one}"
    return f"{number_in_words(count)} {many}"


def plurals(item: str) -> tuple[str, str]:
    """One thing and several, by the name that a catalog gives it."""
    one = item.lower().replace("_", " ")
    if one.endswith("y") and one[-2:-1] not in "aeiou":
        return one, f"{one[:-1]}ies"
    return one, f"{one}es" if one.endswith(("s", "ch", "sh", "x")) else f"{one}s"
