"""The exception by which a rule refuses an action: a code, a sentence, and further fields of the result."""


class Refusal(Exception):
    """Raised by rules before they have changed anything."""

    def __init__(self, code: str, message: str, **extra: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.extra = extra
