"""Reads the answer of a program or a model as part of an ACT."""

from typing import Any

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.language.tools import Sight, read_action


class _ActionFields(msgspec.Struct, forbid_unknown_fields=True):
    """The parts of an ACT that hold actions; the world checks the actions themselves."""

    instants: list[Any] = []
    tasks: list[Any] = []
    cancel: list[Any] = []


def read_answer(action: Json, agent: Sight) -> dict[str, list[Json]]:
    """The actions of an ACT that a program asks for, whether it names a tool or sends them as they
    are."""
    if isinstance(action, dict) and "action" in action:
        return read_action(action, agent)
    try:
        return msgspec.structs.asdict(msgspec.convert(action or {}, _ActionFields))
    except (msgspec.ValidationError, UnicodeError) as problem:
        raise InvalidError(
            f'{problem}; send {{"action": NAME, …}}, or instants, tasks and cancel', code="action"
        ) from None
