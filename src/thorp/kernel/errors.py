"""The one error root, and the kinds of refusal below it.

A refusal says what was wrong (`code`), where (`path`), and what to do (`message`); it has changed
nothing. The kinds are kept apart because their remedies differ:

    InvalidError     malformed: it could never be accepted; mend the input
    IllegalError     well formed, against the rules as things are now
    UnknownError     names something that does not exist
    StaleError       was right once; look again and decide anew
    DuplicateError   already done; the first answer stands
    ConflictError    the same key with other content
    LimitError       right in kind, too much of it
    UnavailableError busy or out of reach just now; send the same again later
    DamagedError     bytes that were stored are not the bytes that were read
    ContractError    a document breaks its contract; carries every violation

The table `KINDS` says what each kind means at a border: HTTP status, exit code, whether to try
again.

A path starts at `$`, the value that was handed in: `$.quests[3].title`, `$["odd key"]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

ROOT = "$"


def member(path: str, key: str) -> str:
    """The path of one member of the object at `path`."""
    return f"{path}.{key}" if _PLAIN_KEY.match(key) else f"{path}[{json.dumps(key)}]"


def item(path: str, index: int) -> str:
    """The path of one item of the list at `path`."""
    return f"{path}[{index}]"


class ThorpError(Exception):
    """The root of every error that Thorp raises on purpose."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None, path: str = ROOT) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        if code is not None:
            self.code = code

    def __str__(self) -> str:
        return self.message if self.path == ROOT else f"{self.path}: {self.message}"


class InvalidError(ThorpError):
    """Malformed: it could never be accepted. Mend the input."""

    code = "invalid"


class IllegalError(ThorpError):
    """Well formed, but against the rules as things are now."""

    code = "illegal"


class UnknownError(IllegalError):
    """It names something that does not exist."""

    code = "unknown"


class StaleError(ThorpError):
    """It was right once. Look again, and decide anew."""

    code = "stale"


class DuplicateError(ThorpError):
    """It has been done already; the first answer stands."""

    code = "duplicate"


class ConflictError(ThorpError):
    """The same key was used before with other content."""

    code = "conflict"


class LimitError(ThorpError):
    """Right in kind, but too much of it."""

    code = "limit"


class UnavailableError(ThorpError):
    """Busy or out of reach just now. Send the same again later."""

    code = "unavailable"


class DamagedError(ThorpError):
    """Stored bytes are not the bytes that were written."""

    code = "damaged"


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule of a contract."""

    code: str
    path: str
    message: str


class ContractError(ThorpError):
    """A document that breaks its contract. `code` and `path` are those of the first violation."""

    code = "contract"

    def __init__(self, violations: Sequence[Violation]) -> None:
        if not violations:
            raise ValueError("a ContractError needs at least one violation")
        first = violations[0]
        super().__init__(first.message, code=first.code, path=first.path)
        self.violations = tuple(violations)

    def __reduce__(self) -> tuple[type[ContractError], tuple[tuple[Violation, ...]]]:
        return type(self), (self.violations,)  # so that it can be sent between processes

    def __str__(self) -> str:
        rest = len(self.violations) - 1
        return f"{super().__str__()} (and {rest} more)" if rest else super().__str__()


def contract_error(code: str, path: str, message: str) -> ContractError:
    """The error for a single broken rule."""
    return ContractError([Violation(code, path, message)])


class ErrorKind(NamedTuple):
    """What one kind of error means at every border."""

    name: str
    error: type[ThorpError]
    http_status: int
    exit_code: int = 2
    retry: bool = False


KINDS: Final = (
    ErrorKind(name="contract", error=ContractError, http_status=400),
    ErrorKind(name="invalid", error=InvalidError, http_status=400),
    ErrorKind(name="limit", error=LimitError, http_status=400),
    ErrorKind(name="unknown", error=UnknownError, http_status=404),
    ErrorKind(name="illegal", error=IllegalError, http_status=409),
    ErrorKind(name="stale", error=StaleError, http_status=409),
    ErrorKind(name="duplicate", error=DuplicateError, http_status=409),
    ErrorKind(name="conflict", error=ConflictError, http_status=409),
    ErrorKind(name="unavailable", error=UnavailableError, http_status=503, retry=True),
    ErrorKind(name="damaged", error=DamagedError, http_status=500),
    ErrorKind(name="error", error=ThorpError, http_status=500),
)
"""Every kind, special ones before general ones."""


def kind_of(error: ThorpError) -> ErrorKind:
    """The first kind of the table that an error is of."""
    return next(kind for kind in KINDS if isinstance(error, kind.error))


def error_document(error: ThorpError) -> dict[str, Any]:
    """An error as a JSON document, from which `error_of` makes it again."""
    own = (Violation(error.code, error.path, error.message),)
    violations = error.violations if isinstance(error, ContractError) else own
    listed = [
        {"code": each.code, "path": each.path, "message": each.message} for each in violations
    ]
    kind = kind_of(error).name
    return {"error": {"code": error.code, "path": error.path, "violations": listed, "kind": kind}}


def error_of(kind: str, code: str, violations: Sequence[Violation]) -> ThorpError:
    """The error that a document describes: the same kind, code, path and message."""
    made = next((each.error for each in KINDS if each.name == kind), ThorpError)
    if made is ContractError:
        return ContractError(violations)
    return made(violations[0].message, code=code, path=violations[0].path)
