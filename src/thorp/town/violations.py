"""What is wrong with a document: every broken rule, with its code, its path and a sentence.

The codes are stable; `docs/town.md` lists them. At most `FINDINGS_LIMIT` violations are kept, so that a
hostile document cannot buy a report larger than itself.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from thorp.kernel.errors import ContractError, Violation
from thorp.kernel.numbers import as_double, number_text

FINDINGS_LIMIT = 100
_SHOWN_TEXT = 40


class Findings:
    """Violations found so far, in the order of the contract."""

    def __init__(self) -> None:
        self._violations: list[Violation] = []

    def __len__(self) -> int:
        return len(self._violations)

    def is_full(self) -> bool:
        """Whether any more would be dropped."""
        return len(self._violations) >= FINDINGS_LIMIT

    def add(self, code: str, path: str, message: str) -> None:
        """Note one broken rule."""
        if not self.is_full():
            self._violations.append(Violation(code, path, message))

    def error(self) -> ContractError:
        """The error that says what was found; something must have been."""
        return ContractError(self._violations)

    def refuse(self) -> None:
        """Raise that error if anything was found."""
        if self._violations:
            raise self.error()


def refusal(code: str, path: str, message: str) -> ContractError:
    """The error for a single broken rule."""
    return ContractError([Violation(code, path, message)])


def shown(value: object) -> str:
    """A value in a sentence: short, and safe whatever the value is."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        start = json.dumps(value[:_SHOWN_TEXT])
        return start if len(value) <= _SHOWN_TEXT else f"{start}… ({len(value)} characters)"
    if isinstance(value, (int, float)):
        double = as_double(value)
        return number_text(double) if math.isfinite(double) else "a number that no double holds"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    return f"a {type(value).__name__}"
