"""The forms of a chronicle's sentences: how much of it is formula.

Two sentences have one form if they differ only in names, numbers, titles and the hour they open or end with.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from thorp.bridges.chronicle.hours import hour_pattern
from thorp.bridges.chronicle.wording import number_pattern

COMMONEST: Final = 10
"""The forms whose share of all sentences is the formula."""

_HOUR: Final = re.compile(hour_pattern(), re.IGNORECASE)
_NUMBER: Final = re.compile(rf"\b(?:{number_pattern()}|[0-9][0-9,]*(?:st|nd|rd|th)?)\b", re.IGNORECASE)
_TITLE: Final = re.compile("“[^”]*”")
_NAMES: Final = re.compile(r"N(?:(?:, | and )N)+(?: and # others)?")
_END: Final = re.compile(r"(?<=[.!?])\s+(?=\S)")


def forms(text: str, names: Iterable[str]) -> list[str]:
    """The form of each sentence of a paragraph. `names` are those of agents and organisations."""
    plain = _TITLE.sub("T", text)
    alternatives = "|".join(re.escape(name) for name in sorted(set(names), key=len, reverse=True))
    if alternatives:
        plain = re.sub(rf"\b(?:{alternatives})\b(?: \([A-Z]+[0-9]+\))?", "N", plain)
    plain = _NUMBER.sub("#", _HOUR.sub("", plain))
    return [_NAMES.sub("N", " ".join(one.split())).lower() for one in _END.split(plain) if one.strip()]


def formula(told: Counter[str]) -> float:
    """The share of sentences in the commonest forms; 0 where nothing was told."""
    return sum(count for _, count in told.most_common(COMMONEST)) / max(1, told.total())
