"""Values as the contracts' original would hold them after reading them from JSON.

Every number is a double there, and a string is a row of UTF-16 code units. So an integer beyond 2^53 loses
its last digits, `5.0` and `5` are one number, and two surrogates that make a pair are one character.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from thorp.kernel.canonical import Json
from thorp.kernel.errors import item, member
from thorp.kernel.numbers import SAFE_INTEGER, as_double, whole
from thorp.town.violations import Findings, shown

NESTING_LIMIT = 64
"""Deepest nesting inside a member that a contract lets pass unread; the same as in a request body."""

CONTENT_LIMIT = 600_000
"""Most values inside such a member: more than a request body of 1 MiB can spell. It ends the walk through
a structure that contains itself."""

TINY = 1e-4
"""Below this a number may be written with an exponent."""


def plain_text(text: str) -> str:
    """The string, of type `str` itself, with surrogate pairs joined."""
    if text.isascii():
        return str.__str__(text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def plain_number(number: float) -> float:
    """The double nearest to a finite number; an `int` where that is exact."""
    return whole(as_double(number))


def spelled(number: float) -> float:
    """The same number, in the type that msgspec writes as the original would: an `int` if it is whole.
    ValueError if no type does, because the text may need an exponent or has too many digits."""
    if number > SAFE_INTEGER or 0 < number < TINY:
        raise ValueError("a number of unusual size")
    return int(number) if type(number) is float and number.is_integer() else number


def plain_value(value: Json) -> Json:
    """A copy of a JSON value, in Python's own types, that shares nothing with it."""
    if isinstance(value, str):
        return plain_text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return plain_number(value)
    if isinstance(value, Mapping):
        return {plain_text(key): plain_value(content) for key, content in value.items()}
    return [plain_value(content) for content in value]


def check_json(value: object, path: str, found: Findings) -> None:
    """Find whatever in a value JSON could not carry: other types, other keys, NaN, infinities; and more
    nesting or more content than can be meant."""
    waiting = [(value, path, 0)]
    for _ in range(CONTENT_LIMIT):
        if not waiting or found.is_full():
            return
        content, where, depth = waiting.pop()
        if content is None or isinstance(content, (str, bool)):
            continue
        if isinstance(content, (int, float)):
            if not math.isfinite(as_double(content)):
                found.add("non_finite", where, f"expected a finite number, got {shown(content)}")
        elif not isinstance(content, (Mapping, list, tuple)):
            found.add("not_json", where, f"{shown(content)} is not a JSON value")
        elif depth == NESTING_LIMIT:
            found.add("depth", where, f"nested deeper than {NESTING_LIMIT} levels")
        else:
            inside = [(inner, place, depth + 1) for inner, place in _inside(content, where, found)]
            waiting += reversed(inside)
    found.add("limit", path, f"expected at most {CONTENT_LIMIT} values inside")


def _inside(
    content: Mapping[object, object] | list[object] | tuple[object, ...], where: str, found: Findings
) -> list[tuple[object, str]]:
    if not isinstance(content, Mapping):
        return [(inner, item(where, index)) for index, inner in enumerate(content)]
    inside = []
    names: set[str] = set()
    for key, inner in content.items():
        if not isinstance(key, str):
            found.add("not_json", where, f"a key must be a string, got {shown(key)}")
            continue
        if plain_text(key) in names:
            found.add("not_json", member(where, key), "two spellings of one key")
        names.add(plain_text(key))
        inside.append((inner, member(where, key)))
    return inside
