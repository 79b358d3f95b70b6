"""A rule says no: the code, a sentence, and whatever else the result shall carry."""

from __future__ import annotations


class Refusal(Exception):
    """Raised by rules before they have changed anything."""

    def __init__(self, code: str, message: str, **extra: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.extra = extra
