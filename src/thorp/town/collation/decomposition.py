"""Canonical decomposition (NFD) as of Unicode 17, whichever Unicode this Python was built with.

Python's own tables are as old as the interpreter (3.11 has Unicode 14), and an order that is hashed
must not change with it. How an assigned character decomposes never changes, so only the characters
added after Unicode 14 need a table: `later.json` has twenty that decompose, and the new marks by
their combining class.
"""

import unicodedata
from pkgutil import get_data
from typing import Final

import msgspec

_LATER_DATA: Final = msgspec.json.decode(get_data(__name__, "later.json") or b"")
_LATER_DECOMPOSITIONS: Final[dict[str, str]] = _LATER_DATA["decompositions"]
_LATER_MARKS: Final = {
    mark: int(kind) for kind, marks in _LATER_DATA["classes"].items() for mark in marks
}
_LATER: Final = frozenset(_LATER_DECOMPOSITIONS).union(_LATER_MARKS)


def combining_class(character: str) -> int:
    """The canonical combining class: 0 for a character that starts a sequence; marks after it are
    ordered by theirs."""
    return unicodedata.combining(character) or _LATER_MARKS.get(character, 0)


def decompose(text: str) -> list[str]:
    """The characters of the text in NFD."""
    characters = unicodedata.normalize("NFD", text)
    if _LATER.isdisjoint(characters):
        return list(characters)
    expanded = "".join(_LATER_DECOMPOSITIONS.get(character, character) for character in characters)
    ordered: list[str] = []
    marks: list[str] = []
    for character in expanded:
        if combining_class(character):
            marks.append(character)
            continue
        ordered += sorted(marks, key=combining_class)
        ordered.append(character)
        marks.clear()
    return ordered + sorted(marks, key=combining_class)
