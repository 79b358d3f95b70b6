"""The exception by which a rule refuses an action: a code, a sentence, and further fields of the
result."""

from typing import Any, Self, TypeVar

from thorp.protocol import codes

T = TypeVar("T")


class Refusal(Exception):
    """Raised by rules before they have changed anything."""

    def __init__(self, code: str, message: str, **extra: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.extra = extra
        self.facts: dict[str, Any] = {}

    def about(self, **facts: Any) -> Self:
        """Add facts that only this rule knows, from which a hint can be made. They are not sent
        themselves, and are not part of the state."""
        self.facts = facts
        return self


def refuse_if(wrong: object, code: str, message: str, **extra: object) -> None:
    """Refuse an action if something is wrong with it."""
    if wrong:
        raise Refusal(code, message, **extra)


def cooldown(tick: int, until: int) -> dict[str, int]:
    """The fields by which a rate limit says how long to wait."""
    return {"cooldown_ticks": until - tick, "cooldown_until_tick": until}


def given(value: T | None, name: str) -> T:
    """A field of an action that must be there, and not be empty."""
    if value is None or value == "":
        raise Refusal(codes.BAD_REQUEST, f"missing {name}")
    return value


def known(value: T | None, problem: str) -> T:
    """What an action names, if it was found."""
    if value is None:
        raise Refusal(codes.INVALID_TARGET, problem)
    return value
