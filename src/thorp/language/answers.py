"""What a program or a model answers, read as part of an ACT."""

from typing import Any

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.language.tools import Sight, read_action


class _Part(msgspec.Struct, forbid_unknown_fields=True):
    """Part of an ACT; the world reads what is in it."""

    instants: list[Any] = []
    tasks: list[Any] = []
    cancel: list[Any] = []


def read_answer(action: Json, agent: Sight) -> dict[str, list[Json]]:
    """The part of an ACT that a program's action is."""
    if isinstance(action, dict) and "action" in action:
        return read_action(action, agent)
    try:
        return msgspec.structs.asdict(msgspec.convert(action or {}, _Part))
    except (msgspec.ValidationError, UnicodeError) as problem:
        raise InvalidError(
            f'{problem}; send {{"action": NAME, …}}, or instants, tasks and cancel', code="action"
        ) from None
