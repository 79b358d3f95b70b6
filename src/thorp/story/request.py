"""A request to the story: the envelope that came in, read and validated once."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, LimitError, ThorpError
from thorp.kernel.identity import digest
from thorp.kernel.strict_json import StrictJson
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import (
    EnvelopeError,
    InvocationEnvelope,
    Zones,
    read_with_text,
)

BODY_BYTES_LIMIT: Final = 1 << 20  # Bytes of an envelope that comes as text.
DEPTH_LIMIT: Final = 64  # Levels of an envelope; the contract has four.

JSON: Final = "application/json"

_JSON: Final = StrictJson(bytes_limit=BODY_BYTES_LIMIT, depth_limit=DEPTH_LIMIT)


class BodyTooLarge(ThorpError):
    """The text of an envelope has more bytes than are accepted."""

    code = "too_large"


class ForeignContentType(ThorpError):
    """The content type of an envelope is not JSON."""

    code = "content_type"


class StoryRequest(msgspec.Struct, frozen=True):
    """A validated envelope, its canonical text as it is stored, and the digest of that text."""

    envelope: InvocationEnvelope
    text: str
    payload_hash: str


def check_content_type(content_type: str) -> None:
    """Refuse every content type but JSON, whatever its parameters."""
    if content_type != JSON and content_type.partition(";")[0].strip().lower() != JSON:
        raise ForeignContentType(f"send the envelope as {JSON}")


def read_request(
    data: bytes | str | Mapping[str, Json], config: StoryConfig, zones: Zones
) -> StoryRequest:
    """Read a request from an envelope, which may be JSON text. Refuses with EnvelopeError or
    BodyTooLarge."""
    value = data if isinstance(data, (dict, Mapping)) else _read(data)
    envelope, text = read_with_text(value, config, zones)
    return StoryRequest(envelope, text.decode(), digest(text))


def _read(text: bytes | str) -> Any:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    try:
        return _JSON.read(data)
    except (InvalidError, LimitError) as refusal:
        if refusal.code == "too_long":
            raise BodyTooLarge(f"larger than {BODY_BYTES_LIMIT} bytes") from None
        raise EnvelopeError([("Invalid JSON", "$")]) from None
