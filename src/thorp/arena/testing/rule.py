"""A rule of the contract, and what it is to break one.

A rule is a function of a trial that raises BrokenRule; its name is the function's, with hyphens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

Trial = TypeVar("Trial")

_SHOWN: Final = 300


class BrokenRule(AssertionError):
    """A scenario or an agent breaks a rule. `rule` is its name, `message` says how."""

    def __init__(self, message: str, rule: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"


def obey(rule: Callable[[Trial], None], trial: Trial) -> None:
    """Try one rule; the BrokenRule it may raise carries the rule's name."""
    try:
        rule(trial)
    except BrokenRule as broken:
        broken.rule = rule_name(rule)
        raise


def rule_name(rule: Callable[[Trial], None]) -> str:
    return rule.__name__.replace("_", "-")


def shown(value: object) -> str:
    """A value for a message, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def require_same_log(expected: bytes, actual: bytes, circumstance: str) -> None:
    """Two logs must be the same to the byte; if not, show the first line where they part."""
    if expected == actual:
        return
    left, right = expected.decode().split("\n"), actual.decode().split("\n")
    parted = (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
    line = next(parted, min(len(left), len(right)) - 1)
    raise BrokenRule(
        f"the log changed {circumstance}; line {line + 1} should be\n"
        f"  {left[line][:_SHOWN]}\nbut is\n  {right[line][:_SHOWN]}"
    )
