"""Turns envelopes into requests and errors into answers, and lets no request happen twice.

A request id has one outcome for ever. A refused or abandoned request is not stored and changes
nothing, so its id stays free. One table gives the HTTP status of each error.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, LimitError, StaleError, ThorpError, UnavailableError
from thorp.kernel.identity import digest
from thorp.kernel.strict_json import StrictJson
from thorp.store import ConnectionLost
from thorp.story import beat as beats
from thorp.story.clock import BackwardTime, advance, demand_same_time, first_clock
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import EnvelopeError, Zones, read_with_text
from thorp.story.time_zones import MachineZones
from thorp.story.writer.moment import BeatDeadline
from thorp.story.writer.session import Failure

BODY_BYTES_LIMIT: Final = 1 << 20  # Bytes of an envelope that comes as text.
DEPTH_LIMIT: Final = 64  # Levels of an envelope; the contract has four.

_JSON: Final = StrictJson(bytes_limit=BODY_BYTES_LIMIT, depth_limit=DEPTH_LIMIT)

JSON: Final = "application/json"

UNSURE: Final = [
    {"path": "$.request_id", "message": "perhaps kept; send the same request again to learn it"}
]
"""Details for a request whose commit was under way when the connection to the database was lost."""


class BodyTooLarge(ThorpError):
    code = "too_large"


def read_request(
    data: bytes | str | Mapping[str, Json], config: StoryConfig, zones: Zones
) -> beats.Request:
    """The request in an envelope, which may be JSON text. Refuses with EnvelopeError or
    BodyTooLarge."""
    value = data if isinstance(data, (dict, Mapping)) else _read(data)
    envelope, text = read_with_text(value, config, zones)
    return beats.Request(envelope, text.decode(), digest(text))


def find_replay(engines: beats.Engines, request: beats.Request) -> beats.Answer | None:
    """The stored answer to this request id, if there is one."""
    stored = engines.ledger.stored_answer(request.envelope.request_id)
    if stored is None:
        return None
    other = stored.payload_hash != request.payload_hash
    if other and engines.config.invocations.on_mismatch == "conflict":
        raise beats.OtherPayload("this request_id was used for another payload")
    found = engines.ledger.stored_outcome(request.envelope.request_id)
    if found is None:
        return beats.Answer(status=stored.status, body=stored.body, replayed=True, mismatch=other)
    return beats.Answer(
        status=stored.status,
        body=stored.body,
        replayed=True,
        mismatch=other,
        outcome=found.outcome,
        trouble=None if found.failure is None else Failure(*found.failure),
        beat=found.beat,
    )


def answer(
    engines: beats.Engines,
    request: beats.Request,
    assigned: beats.AssignedWriter,
    wall_us: int | None,
) -> beats.Answer:
    """Answer a request within one transaction: its stored answer, a refresh, or a new beat."""
    engines.ledger.prefetch(request.envelope.request_id, assigned.view)
    replay = find_replay(engines, request)
    if replay is not None:
        return replay
    if request.envelope.mode.kind == "NO_OP":
        return beats.refresh(engines, request)
    return beats.store_beat(engines, beats.decide_beat(engines, request, assigned, wall_us))


def _read(text: bytes | str) -> Any:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    try:
        return _JSON.read(data)
    except (InvalidError, LimitError) as refusal:
        if refusal.code == "too_long":
            raise BodyTooLarge(f"larger than {BODY_BYTES_LIMIT} bytes") from None
        raise EnvelopeError([("Invalid JSON", "$")]) from None


# Errors as answers.


_STATUS: Final[tuple[tuple[type[ThorpError], int, str], ...]] = (
    (BodyTooLarge, 413, "Body too large"),
    (BackwardTime, 400, "Invalid declared_world_time"),
    (beats.OtherPayload, 409, "Conflicting request_id"),
    (beats.WriterGaveUp, 503, "Writer unavailable"),
    (BeatDeadline, 503, "Beat deadline exceeded"),
    (StaleError, 503, "World busy"),
    (LimitError, 503, "World busy"),
    (ConnectionLost, 503, "Ledger unreachable"),
    (UnavailableError, 503, "World busy"),
)
"""The HTTP status and error text of each failure. Any other error is a 500 without details."""


def read_or_refuse(
    envelope: bytes | str | Mapping[str, Json], content_type: str, config: StoryConfig, zones: Zones
) -> beats.Request | beats.Answer:
    """The request in an envelope, or the answer that refuses it."""
    if content_type != JSON and content_type.partition(";")[0].strip().lower() != JSON:
        return _error(415, "Unsupported content type")
    try:
        return read_request(envelope, config, zones)
    except ThorpError as error:
        return error_answer(error)


def check_first(
    envelope: bytes | str | Mapping[str, Json], content_type: str, config: StoryConfig
) -> beats.Answer | None:
    """The answer to an envelope that cannot be the first one of a story; None if it can."""
    zones = MachineZones()
    request = read_or_refuse(envelope, content_type, config, zones)
    if isinstance(request, beats.Answer):
        return request
    clock = first_clock(config)
    try:
        if request.envelope.mode.kind == "NO_OP":
            demand_same_time(request.envelope, clock)
        else:
            advance(clock, request.envelope, config, zones, clock.wall_us)
    except ThorpError as error:
        return error_answer(error)
    return None


def error_answer(error: ThorpError) -> beats.Answer:
    """The answer to a request that raised this error."""
    if isinstance(error, EnvelopeError):
        details = [{"path": each.path, "message": each.message} for each in error.violations]
        return _error(400, error.error, details)
    for kind, status, text in _STATUS:
        if isinstance(error, kind):
            unsure = isinstance(error, ConnectionLost) and error.during == "commit"
            trouble = None  # why the writer failed, if that is why there was no beat
            if isinstance(error, beats.WriterGaveUp):
                trouble = error.trouble
            elif isinstance(error, BeatDeadline):
                trouble = Failure(error.code, error.message)
            return _error(status, text, UNSURE if unsure else None, trouble)
    return _error(500, "Internal error")


def _error(
    status: int, error: str, details: Json = None, trouble: Failure | None = None
) -> beats.Answer:
    body = {"error": error} if details is None else {"error": error, "details": details}
    if trouble is not None:
        body["writer"] = msgspec.to_builtins(trouble)
    outcome = None if trouble is None else beats.FAILED
    text = json.dumps(body, separators=(",", ":"))
    return beats.Answer(status=status, body=text, outcome=outcome, trouble=trouble)
