"""What a request may carry, and what a refusal looks like: `{"error": code, "details": …}`."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec
from aiohttp import web

MAX_BODY_BYTES: Final = 2**20
MAX_DEPTH: Final = 64
# The largest body at 100 kB a second.
BODY_SECONDS: Final = 10.0

_OPENING: Final = b"[{"
_CLOSING: Final = b"]}"


def json_response(value: object, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(value), status=status, content_type="application/json")


def refusal(status: int, error: str, details: object, **headers: str) -> web.Response:
    response = json_response({"error": error, "details": details}, status)
    response.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
    return response


class Refused(Exception):
    """A request that is answered with a refusal."""

    def __init__(self, status: int, error: str, details: object) -> None:
        super().__init__(error)
        self.response = refusal(status, error, details)


async def read_body(request: web.Request) -> bytes:
    """A body as it was sent. Raises HTTPRequestEntityTooLarge, or Refused: 408, or 400."""
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Refused(400, "encoded", "send the body as it is, without Content-Encoding")
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.read()
    except TimeoutError:
        raise Refused(408, "too_slow", f"a body comes within {BODY_SECONDS:.0f} s") from None
    except web.RequestPayloadError:
        raise Refused(400, "bad_body", "the body cannot be read") from None


async def read_json(request: web.Request) -> Any:
    """The JSON value in a body, or None if there is no body. Raises Refused: 413, 408, or 400."""
    try:
        body = await read_body(request)
    except web.HTTPRequestEntityTooLarge:
        raise Refused(413, "too_large", f"a body has at most {MAX_BODY_BYTES} bytes") from None
    if not body:
        return None
    if depth_of(body) > MAX_DEPTH:
        raise Refused(400, "too_deep", f"a body nests at most {MAX_DEPTH} levels")
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise Refused(400, "not_json", str(problem)) from None


def depth_of(text: bytes) -> int:
    """How deep brackets nest outside strings."""
    depth = deepest = 0
    inside = escaped = False
    for byte in text:
        if inside:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                inside = False
        elif byte == 0x22:
            inside = True
        elif byte in _OPENING:
            depth += 1
            deepest = max(deepest, depth)
        elif byte in _CLOSING:
            depth -= 1
    return deepest
