"""Texts that every store can keep: no NUL and no unpaired surrogate. A handoff that has one is refused at the
border of a world, though the contract allows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError, InvalidError, Violation
from thorp.town.embedded.fast_validation import checked_handoff
from thorp.town.embedded.keeper_orders import check_text

_UNUSUAL_ESCAPE = re.compile(r"\\u(?:0000|d[89a-f])")


def storable_handoff(handoff: object) -> tuple[str, Json]:
    """The canonical text of a handoff, and the handoff read back from it. Refuses one that is invalid, or
    that no store can keep, with a `ContractError`."""
    text, own = checked_handoff(handoff)
    if _UNUSUAL_ESCAPE.search(text):
        violations: list[Violation] = []
        _walk(own, "$", violations.append)
        if violations:
            raise ContractError(violations)
    return text, own


def _walk(value: Any, path: str, note: Callable[[Violation], None]) -> None:
    if isinstance(value, str):
        try:
            check_text(value, "this text")
        except InvalidError as refusal:
            note(Violation("text", path, refusal.message))
    elif isinstance(value, dict):
        for key, content in value.items():
            _walk(key, path, note)
            _walk(content, f"{path}.{key}", note)
    elif isinstance(value, (list, tuple)):
        for index, content in enumerate(value):
            _walk(content, f"{path}[{index}]", note)
