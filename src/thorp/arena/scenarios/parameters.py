"""A scenario's parameters, refused when they make no game.

Every scenario checks its keywords when it is built, so that a wrong one is told before the match and not
in the middle of it. The code is always `parameter`; the message names the parameter and what it may be.
"""

from __future__ import annotations

from collections.abc import Sequence

from thorp.kernel.errors import InvalidError

_SHOWN = 40


def whole_parameter(name: str, value: object, low: int, high: int) -> int:
    """The value, if it is a whole number from low to high; 10.0 counts as 10, True does not count as 1."""
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int or not low <= value <= high:
        raise InvalidError(
            f"{name} must be a whole number from {low} to {high}, not {repr(value)[:_SHOWN]}",
            code="parameter",
        )
    return value


def choice_parameter(name: str, value: object, choices: Sequence[str]) -> str:
    """The value, if it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        known = " or ".join(f'"{choice}"' for choice in choices)
        raise InvalidError(f"{name} must be {known}, not {repr(value)[:_SHOWN]}", code="parameter")
    return value
