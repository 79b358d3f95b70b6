"""One field of an action, whatever the action is.

An agent may send any JSON value. These readers give None for everything that is not what was asked for,
so that a scenario has one case to refuse instead of many to foresee.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from thorp.kernel.canonical import Json

T = TypeVar("T")


def whole_field(action: Json, name: str) -> int | None:
    """The whole number under `name`. 3.0 is 3, as it is in JSON; true is not 1, and "3" is not 3."""
    value = action.get(name) if type(action) is dict else None
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def word_field(action: Json, name: str, words: Mapping[str, T]) -> T | None:
    """What the word under `name` stands for, if it is one of the words."""
    value = action.get(name) if type(action) is dict else None
    return words.get(value) if type(value) is str else None
