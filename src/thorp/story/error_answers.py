"""Answers for requests that fail: one table from error to HTTP status, and the checks before a beat.

A refused request changes nothing, whichever check refuses it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import LimitError, StaleError, ThorpError, UnavailableError
from thorp.store import ConnectionLost
from thorp.story.beat import Answer, Request, WriterGaveUp
from thorp.story.clock import BackwardTime, advance, changes_time, first_clock
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import EnvelopeError, Zones
from thorp.story.invocation import BodyTooLarge, OtherPayload, read_request
from thorp.story.time_zones import MachineZones
from thorp.story.writer.moment import BeatDeadline
from thorp.story.writer.session import Failure

JSON: Final = "application/json"

_STATUS: Final[tuple[tuple[type[ThorpError], int, str], ...]] = (
    (BodyTooLarge, 413, "Body too large"),
    (BackwardTime, 400, "Invalid declared_world_time"),
    (OtherPayload, 409, "Conflicting request_id"),
    (WriterGaveUp, 503, "Writer unavailable"),
    (BeatDeadline, 503, "Beat deadline exceeded"),
    (StaleError, 503, "World busy"),
    (LimitError, 503, "World busy"),
    (ConnectionLost, 503, "Ledger unreachable"),
    (UnavailableError, 503, "World busy"),
)
"""The HTTP status and error text of each failure. Any other error is a 500 without details."""

UNSURE: Final = [{"path": "$.request_id", "message": "perhaps kept; send the same request again to learn it"}]
"""Details for a request whose commit was under way when the connection to the database was lost."""


def read_or_refuse(
    envelope: bytes | str | Mapping[str, Json], content_type: str, config: StoryConfig, zones: Zones
) -> Request | Answer:
    """The request in an envelope, or the answer that refuses it."""
    if content_type != JSON and content_type.partition(";")[0].strip().lower() != JSON:
        return _error(415, "Unsupported content type")
    try:
        return read_request(envelope, config, zones)
    except ThorpError as error:
        return error_answer(error)


def check_first(
    envelope: bytes | str | Mapping[str, Json], content_type: str, config: StoryConfig
) -> Answer | None:
    """The answer to an envelope that cannot be the first one of a story; None if it can."""
    zones = MachineZones()
    request = read_or_refuse(envelope, content_type, config, zones)
    if isinstance(request, Answer):
        return request
    clock = first_clock(config)
    try:
        if request.envelope.mode.kind == "NO_OP":
            wrong = changes_time(request.envelope, clock)
            if wrong is not None:
                raise EnvelopeError([(wrong, "$.declared_overrides")])
        else:
            advance(clock, request.envelope, config, zones, clock.wall_us)
    except ThorpError as error:
        return error_answer(error)
    return None


def error_answer(error: ThorpError) -> Answer:
    """The answer to a request that raised this error."""
    if isinstance(error, EnvelopeError):
        details = [{"path": each.path, "message": each.message} for each in error.violations]
        return _error(400, error.error, details)
    for kind, status, text in _STATUS:
        if isinstance(error, kind):
            unsure = isinstance(error, ConnectionLost) and error.during == "commit"
            return _error(status, text, UNSURE if unsure else None, _trouble(error))
    return _error(500, "Internal error")


def _trouble(error: ThorpError) -> Failure | None:
    """Why the writer failed, if that is why there was no beat."""
    if isinstance(error, WriterGaveUp):
        return error.trouble
    return Failure(error.code, error.message) if isinstance(error, BeatDeadline) else None


def _error(status: int, error: str, details: Json = None, trouble: Failure | None = None) -> Answer:
    body = {"error": error} if details is None else {"error": error, "details": details}
    if trouble is not None:
        body["writer"] = msgspec.to_builtins(trouble)
    return Answer(status, json.dumps(body, separators=(",", ":")), trouble=trouble)
