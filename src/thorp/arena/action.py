"""What an agent returned, as JavaScript's JSON writer would write it.

Functions vanish from objects and become null in lists; NaN becomes null; 50.0 becomes 50. A numpy scalar
is the number it holds. What no writer can write (a cycle, a set, an array, an object of some class, a
coroutine) is refused, and so is what is too large for the log.
"""

from __future__ import annotations

from inspect import iscoroutine
from typing import Any, cast

from thorp.kernel.canonical import DEPTH_LIMIT, Json, freeze
from thorp.kernel.errors import InvalidError, LimitError, ThorpError
from thorp.kernel.strict_json import nests_deeper

ACTION_BYTES_LIMIT = 1 << 20
"""The largest action, as UTF-8 text. An agent's reply should be a move, not a data set."""

ACTION_DEPTH_LIMIT = 200
"""The deepest action: well below what the log can hold, so that a scenario can show it inside its own."""


def freeze_action(action: object) -> tuple[bytes, Json]:
    """The action's text, and the value of that text: what is logged and what is judged are the same."""
    try:
        text, value = freeze(action)
    except ThorpError:
        if iscoroutine(action):
            action.close()
            raise InvalidError("act returned a coroutine, not an action", code="action") from None
        text, value = freeze(_plain(action, 0))
    if len(text) > ACTION_DEPTH_LIMIT:  # a shorter one can be neither too deep nor too large
        _check_bounds(text)
    return text, value


def _check_bounds(text: bytes) -> None:
    if len(text) > ACTION_BYTES_LIMIT:
        raise LimitError(f"the action is larger than {ACTION_BYTES_LIMIT} bytes", code="action_size")
    if nests_deeper(text, ACTION_DEPTH_LIMIT):
        raise LimitError(f"the action nests deeper than {ACTION_DEPTH_LIMIT} levels", code="action_depth")


def _plain(value: object, depth: int) -> object:
    """The value without functions, its numpy scalars as Python's own numbers."""
    if depth > DEPTH_LIMIT:
        return value  # too deep, or a cycle: the writer refuses it
    if isinstance(value, dict):
        kept = {}
        for key, content in value.items():
            if not callable(content):
                kept[key] = _plain(content, depth + 1)
        return kept
    if isinstance(value, (list, tuple)):
        items = []
        for content in value:
            items.append(_plain(content, depth + 1))
        return items
    # By name: the arena must not import numpy for agents that do not use it.
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return cast(Any, value).item()
    return None if callable(value) else value
