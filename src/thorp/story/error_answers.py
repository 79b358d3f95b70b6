"""Turns errors into answers of the story, by one table.

A refused or abandoned request is not stored and changes nothing, so its id stays free.
"""

import json
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import LimitError, StaleError, ThorpError, UnavailableError, kind_of
from thorp.store import ConnectionLost
from thorp.story.answer import FAILED, Answer, OtherPayload
from thorp.story.clock import BackwardTime
from thorp.story.contracts.invocation_envelope import EnvelopeError
from thorp.story.request import BodyTooLarge, ForeignContentType
from thorp.story.writer.calls import CallFailure, WriterGaveUp
from thorp.story.writer.moment import BeatDeadline

UNSURE: Final = [
    {"path": "$.request_id", "message": "perhaps kept; send the same request again to learn it"}
]
"""Details for a request that was being committed when the connection to the database was lost."""


class _ErrorText(NamedTuple):
    """The text for one class of error, and its status if that is not the one of its kind."""

    error: type[ThorpError]
    text: str
    status: int | None = None


_ERROR_TEXTS: Final = (
    _ErrorText(EnvelopeError, ""),  # It words itself, and lists its violations.
    _ErrorText(BodyTooLarge, "Body too large", 413),
    _ErrorText(ForeignContentType, "Unsupported content type", 415),
    _ErrorText(BackwardTime, "Invalid declared_world_time"),
    _ErrorText(OtherPayload, "Conflicting request_id"),
    _ErrorText(WriterGaveUp, "Writer unavailable"),
    _ErrorText(BeatDeadline, "Beat deadline exceeded"),
    _ErrorText(StaleError, "World busy", 503),  # Others keep moving the world: send it again.
    _ErrorText(LimitError, "World busy", 503),  # A full queue: an envelope has its own limits.
    _ErrorText(ConnectionLost, "Ledger unreachable"),
    _ErrorText(UnavailableError, "World busy"),
)
"""Subclasses come before their bases, because the first row that matches is used. Statuses are
those of the kernel's `KINDS`, except for four that the contract of invocations fixes. Any other
error is a 500 without details."""


def error_answer(error: ThorpError) -> Answer:
    """The answer to a request that raised this error."""
    row = next((row for row in _ERROR_TEXTS if isinstance(error, row.error)), None)
    if row is None:
        return _refusal(500, "Internal error")
    status = row.status or kind_of(error).http_status
    if isinstance(error, EnvelopeError):
        details = [{"path": each.path, "message": each.message} for each in error.violations]
        return _refusal(status, error.error, details)
    if isinstance(error, ConnectionLost) and error.during == "commit":
        return _refusal(status, row.text, UNSURE)
    return _refusal(status, row.text, trouble=_trouble_of(error))


def _trouble_of(error: ThorpError) -> CallFailure | None:
    """Why the writer failed, if its failure is why there was no beat."""
    if isinstance(error, WriterGaveUp):
        return error.trouble
    return CallFailure(error.code, error.message) if isinstance(error, BeatDeadline) else None


def _refusal(
    status: int, error: str, details: Json = None, *, trouble: CallFailure | None = None
) -> Answer:
    body = {"error": error} if details is None else {"error": error, "details": details}
    if trouble is not None:
        body["writer"] = msgspec.to_builtins(trouble)
    outcome = None if trouble is None else FAILED
    text = json.dumps(body, separators=(",", ":"))
    return Answer(status=status, body=text, outcome=outcome, trouble=trouble)
