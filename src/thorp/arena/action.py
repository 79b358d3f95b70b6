"""Turns what an agent returned into the JSON value that is logged and judged.

The rules are those of JavaScript's JSON writer. Functions vanish from objects and become null in
lists; NaN becomes null; 50.0 becomes 50. A numpy scalar is the number it holds. A value that JSON
cannot hold (a cycle, a set, an array, an instance of a class, a coroutine) is refused, and so is
one too large for the log.
"""

from inspect import iscoroutine
from typing import Any, cast

from thorp.kernel.canonical import DEPTH_LIMIT, Json, insertion_copy
from thorp.kernel.errors import InvalidError, LimitError, ThorpError
from thorp.kernel.strict_json import nests_deeper

# The largest action, as UTF-8 text: a reply should be a move, not a data set.
ACTION_BYTES_LIMIT = 1 << 20
ACTION_DEPTH_LIMIT = 200
"""The deepest action: well below the log's limit, so that a scenario can nest it in values of its
own."""
# A text of at most this length can be neither too deep nor too large.
SURELY_SMALL = ACTION_DEPTH_LIMIT


def copy_action(action: object) -> tuple[bytes, Json]:
    """Return the action's JSON text and a copy that was read back from it, so that log and scenario
    have the same action."""
    try:
        text, value = insertion_copy(action)
    except ThorpError:
        text, value = insertion_copy(plain_action(action))
    if len(text) > SURELY_SMALL:
        check_bounds(text)
    return text, value


def plain_action(action: object) -> object:
    """Return an action that JSON cannot hold in the form in which JavaScript's writer would write
    it."""
    if iscoroutine(action):
        action.close()
        raise InvalidError("act returned a coroutine, not an action", code="action") from None
    return _plain(action, 0)


def check_bounds(text: bytes) -> None:
    """Refuse an action whose text is too long or nests too deep for a log."""
    if len(text) > ACTION_BYTES_LIMIT:
        raise LimitError(
            f"the action is larger than {ACTION_BYTES_LIMIT} bytes", code="action_size"
        )
    if nests_deeper(text, ACTION_DEPTH_LIMIT):
        raise LimitError(
            f"the action nests deeper than {ACTION_DEPTH_LIMIT} levels", code="action_depth"
        )


def _plain(value: object, depth: int) -> object:
    """Return the value without functions, with numpy scalars as Python numbers."""
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
