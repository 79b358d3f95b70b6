"""Reads the bodies and queries of HTTP requests within limits, and makes the answers.

A refusal is `{"error": code, "details": …}`. If an engine refused, the details are its path and
violations, so that a client can raise the same error.
"""

import asyncio
import logging
import re
from typing import Any, Final

import msgspec
from aiohttp import web

from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import LimitError, ThorpError, UnavailableError, error_document, kind_of
from thorp.kernel.strict_json import StrictJson, read_document

UNAVAILABLE: Final = kind_of(UnavailableError("")).name
MAX_BODY_BYTES: Final = 2**20
MAX_DEPTH: Final = 64
# Enough for the largest body at 100 kB a second.
BODY_SECONDS: Final = 10.0

# Every client reads numbers up to this one exactly, and every database can keep them.
MAX_NUMBER: Final = 2**53 - 1
# A town's seed may have 128 bits.
MAX_SEED: Final = 2**128
# No number in a query is longer than such a seed. Longer text is not converted: that takes
# quadratic time.
_NUMBER: Final = re.compile(r"-?[0-9]{1,39}\Z", re.ASCII)

PRIVATE: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
_JSON: Final = StrictJson(bytes_limit=MAX_BODY_BYTES, depth_limit=MAX_DEPTH, storable=True)

_log = logging.getLogger("thorp.server.requests")


def json_response(value: object, status: int = 200, *, compress: bool = False) -> web.Response:
    """An answer with a value as JSON; compressed, if that is wanted and the client accepts it."""
    response = web.Response(
        body=msgspec.json.encode(value), status=status, content_type="application/json"
    )
    if compress:
        response.enable_compression()
    return response


def document_response(document: object) -> web.Response:
    """An answer with a document, in exactly the bytes that the command line prints."""
    return web.Response(
        body=insertion_bytes(document), content_type="application/json", headers=PRIVATE
    )


def refusal(
    status: int, error: str, details: object, *, kind: str | None = None, **headers: str
) -> web.Response:
    """An answer that says which rule refused a request, and what its sender can do about it."""
    named = UNAVAILABLE if kind is None and status == 503 else kind
    document = {"error": error, "details": details} | ({} if named is None else {"kind": named})
    response = json_response(document, status)
    response.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
    return response


class Refused(Exception):
    """Ends a request with a refusal of the server's own. An engine refuses with a ThorpError."""

    def __init__(self, status: int, error: str, details: object) -> None:
        super().__init__(error)
        self.response = refusal(status, error, details)


def refusal_by(problem: ThorpError) -> web.Response:
    """The answer to a request that an engine refused. If the fault is ours, it is logged too."""
    status = kind_of(problem).http_status
    document = error_document(problem)["error"]
    if status == 500:
        _log.error("a request failed", exc_info=problem)
    details = {"path": document["path"], "violations": document["violations"]}
    return refusal(status, document["code"], details, kind=document["kind"])


async def read_body(request: web.Request) -> bytes:
    """The bytes of a body. Raises HTTPRequestEntityTooLarge, or Refused with 408 or 400."""
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Refused(400, "encoded", "send the body as it is, without Content-Encoding")
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.read()
    except TimeoutError:
        raise Refused(408, "too_slow", f"a body comes within {BODY_SECONDS:.0f} s") from None
    except web.RequestPayloadError:
        raise Refused(400, "bad_body", "the body cannot be read") from None


async def read_whole_body(request: web.Request) -> bytes:
    """The bytes of a body; one that is too large is Refused with 413."""
    try:
        return await read_body(request)
    except web.HTTPRequestEntityTooLarge:
        raise Refused(413, "too_large", f"a body has at most {MAX_BODY_BYTES} bytes") from None


async def read_document_body(request: web.Request) -> Json:
    """The JSON value of a body, read strictly."""
    body = await read_whole_body(request)
    # In a thread: parsing a long body here would delay the tick.
    return await asyncio.to_thread(read_document, body)


def query_number(
    request: web.Request, name: str, *, least: int = -MAX_NUMBER, most: int = MAX_NUMBER
) -> int | None:
    """A whole number of the query, within these bounds; None if it is not given. Anything else is
    Refused with 400."""
    text = request.query.get(name, "")
    if not text:
        return None
    number = int(text) if _NUMBER.match(text) else most + 1
    if not least <= number <= most:
        raise Refused(400, f"invalid_{name}", f"{name} is a whole number from {least} to {most}")
    return number


async def read_json(request: web.Request) -> Any:
    """The JSON value of a body, or None if it is empty. Raises Refused with 413, 408 or 400."""
    body = await read_whole_body(request)
    if not body:
        return None
    try:
        return _JSON.read(body)
    except LimitError:
        raise Refused(400, "too_deep", f"a body nests at most {MAX_DEPTH} levels") from None
    except ThorpError as problem:
        raise Refused(400, "not_json", str(problem)) from None
