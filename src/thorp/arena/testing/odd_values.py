"""JSON values no scenario hopes for, and odd versions of actions it does."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from thorp.kernel.canonical import Json


def _nested(levels: int) -> Json:
    value: Json = 0
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


ODD_VALUES: Final[tuple[Json, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    0.5,
    -0.0,
    2**31,
    2**53 + 1,
    10**30,
    -(10**30),
    10**400,
    1e308,
    5e-324,
    math.nan,
    math.inf,
    "",
    "0",
    "null",
    "\x00\u2028\U0001f600",
    "\ud800",
    "x" * 10_000,
    [],
    [[]],
    [None, True, "x"],
    list(range(100)),
    {},
    {"": None},
    {"\udfff": "\ud800"},
    {"__proto__": {"x": 1}},
    {"0": 0, "-1": -1},
    _nested(100),
)
"""Every kind of JSON value, ordinary and extreme. NaN, infinities and 10**400 reach a scenario as null."""


def odd_versions(action: Json) -> Iterator[Json]:
    """The action with one member missing, one too many, or one of another kind."""
    yield [action]
    if not isinstance(action, dict):
        return
    yield {**action, "extra": None}
    for name in action:
        yield {key: value for key, value in action.items() if key != name}
        yield {key.upper(): value for key, value in action.items()}
        for value in ODD_VALUES:
            yield {**action, name: value}
        yield {**action, name: [action[name]]}
        yield {**action, name: str(action[name])}
