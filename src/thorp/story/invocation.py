"""Turns envelopes into requests, and lets no request happen twice.

A request id has one outcome for ever: sent again, it gets the stored bytes, whatever else the envelope says.
A refused or abandoned request is not stored, so its id stays free.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, InvalidError, LimitError, ThorpError
from thorp.kernel.identity import digest
from thorp.kernel.strict_json import StrictJson
from thorp.story.beat import Answer, AssignedWriter, Engines, Request, decide_beat, refresh, store_beat
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import EnvelopeError, Zones, read_with_text

BODY_BYTES_LIMIT: Final = 1 << 20
"""Bytes of an envelope that comes as text."""

DEPTH_LIMIT: Final = 64
"""Levels of an envelope; the contract has four."""

_JSON: Final = StrictJson(bytes_limit=BODY_BYTES_LIMIT, depth_limit=DEPTH_LIMIT)


class BodyTooLarge(ThorpError):
    code = "too_large"


class OtherPayload(ConflictError):
    """This request id was used for something else."""

    code = "request_mismatch"


def read_request(data: bytes | str | Mapping[str, Json], config: StoryConfig, zones: Zones) -> Request:
    """The request in an envelope, which may be JSON text. Refuses with EnvelopeError or BodyTooLarge."""
    value = data if isinstance(data, (dict, Mapping)) else _read(data)
    envelope, text = read_with_text(value, config, zones)
    return Request(envelope, text.decode(), digest(text))


def find_replay(engines: Engines, request: Request) -> Answer | None:
    """The stored answer to this request id, if there is one."""
    stored = engines.ledger.stored_answer(request.envelope.request_id)
    if stored is None:
        return None
    other = stored.payload_hash != request.payload_hash
    if other and engines.config.invocations.on_mismatch == "conflict":
        raise OtherPayload("this request_id was used for another payload")
    return Answer(stored.status, stored.body, replayed=True, mismatch=other)


def answer(engines: Engines, request: Request, assigned: AssignedWriter, wall_us: int | None) -> Answer:
    """Answer a request within one transaction: its stored answer, a refresh, or a new beat."""
    engines.ledger.prefetch(request.envelope.request_id, assigned.view)
    replay = find_replay(engines, request)
    if replay is not None:
        return replay
    if request.envelope.mode.kind == "NO_OP":
        return refresh(engines, request)
    return store_beat(engines, decide_beat(engines, request, assigned, wall_us))


def _read(text: bytes | str) -> Any:
    """The value of an untrusted JSON text."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    try:
        return _JSON.read(data)
    except (InvalidError, LimitError) as refusal:
        if refusal.code == "too_long":
            raise BodyTooLarge(f"larger than {BODY_BYTES_LIMIT} bytes") from None
        raise EnvelopeError([("Invalid JSON", "$")]) from None
