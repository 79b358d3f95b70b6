"""Turns envelopes into requests, and lets no request happen twice.

A request id has one outcome for ever: sent again, it gets the stored bytes, whatever else the envelope says.
A refused or abandoned request is not stored, so its id stays free.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, ThorpError
from thorp.kernel.identity import digest
from thorp.story.beat import Answer, Parts, Request, Voice, conclude, prepare, refresh
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import EnvelopeError, Zones, read_with_text

BODY_BYTES_LIMIT: Final = 1 << 20
"""Bytes of an envelope that comes as text."""

DEPTH_LIMIT: Final = 64
"""Levels of an envelope; the contract has four."""

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_NOT_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")


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


def find_replay(parts: Parts, request: Request) -> Answer | None:
    """What this request was answered before, if it was."""
    stored = parts.ledger.outcome(request.envelope.request_id)
    if stored is None:
        return None
    other = stored.payload_hash != request.payload_hash
    if other and parts.config.invocations.on_mismatch == "conflict":
        raise OtherPayload("this request_id was used for another payload")
    return Answer(stored.status, stored.body, replayed=True, mismatch=other)


def answer(parts: Parts, request: Request, voice: Voice, wall_us: int | None) -> Answer:
    """Answer a request within one transaction: its stored answer, a refresh, or a new beat."""
    parts.ledger.look_up(request.envelope.request_id, voice.view)
    replay = find_replay(parts, request)
    if replay is not None:
        return replay
    if request.envelope.mode.kind == "NO_OP":
        return refresh(parts, request)
    return conclude(parts, prepare(parts, request, voice, wall_us))


def _read(text: bytes | str) -> Any:
    """The value of a JSON text that nobody vouches for."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > BODY_BYTES_LIMIT:
        raise BodyTooLarge(f"larger than {BODY_BYTES_LIMIT} bytes")
    if data.count(b"[") + data.count(b"{") > DEPTH_LIMIT and _is_deep(data):
        raise EnvelopeError([("Invalid JSON", "$")])
    try:
        return _decode(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise EnvelopeError([("Invalid JSON", "$")]) from None


def _is_deep(data: bytes) -> bool:
    brackets = _STRING.sub(b"", data).translate(bytes.maketrans(b"{}", b"[]"), _NOT_BRACKETS)
    for _ in range(DEPTH_LIMIT):
        brackets = brackets.replace(b"[]", b"")  # takes the innermost level away
    return brackets != b""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return members


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_decode = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_refuse_constant).decode
