"""Numbers and lists in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

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

NAMED: Final = 3
"""Names in one list; who comes behind is counted."""


def counted(number: int) -> str:
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


def listed(words: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def crowd(names: Sequence[str]) -> str:
    """Those who come first by name, and how many others there are."""
    if len(names) <= NAMED:
        return listed(names)
    others = len(names) - NAMED + 1
    return f"{', '.join(names[: NAMED - 1])} and {counted(others)} others"
