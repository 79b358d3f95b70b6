"""Makes one request, limited in every direction: a POST of JSON, or a GET.

The deadline covers everything from the look-up of the name to the last byte, and the size of the
reply is checked while it is read. `docs/agents.md` says what is refused: only the server that was
asked may answer. Every request has a connection, a session and an event loop of its own: whether an
idle connection is still open is a matter of luck, and luck would show in a log.

The HTTP client is imported when it is first needed: most programs that could call a model do not,
and it takes longer to import than everything else that they need.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from thorp.kernel.errors import ThorpError

if TYPE_CHECKING:
    import aiohttp
    from aiohttp.connector import Connection

BODY_BYTES_LIMIT = 1 << 20  # The largest reply read: a move or a page of text, not a data set.
DETAIL_BYTES_LIMIT = 2048  # How much of a reply other than 200 is kept, for a person to read.
OK = 200
# Turns of the loop until a dropped connection is closed: TLS, TCP, and one to spare.
_ROUNDS_TO_CLOSE = 3

Result = TypeVar("Result")


class PostError(ThorpError):
    """No whole reply came. `code` is connection, cut_off, size or not_http. Running out of time is
    a plain TimeoutError, since only the caller knows which limit it was."""

    code = "connection"


class HttpAnswer(msgspec.Struct, frozen=True):
    """A server's answer. For a status other than 200, `body` is only the beginning of it."""

    status: int
    body: bytes
    retry_after: str | None
    retry_after_ms: str | None = None


def post(
    url: str, body: bytes, *, seconds: float, headers: Mapping[str, str] | None = None
) -> HttpAnswer:
    """Send JSON, return the answer. Raises PostError, or TimeoutError when `seconds` have passed.

    Must not be called from a thread in which an event loop is running.
    """
    connector()
    return run(post_async(url, body, seconds=seconds, headers=headers))


def run(work: Coroutine[None, None, Result]) -> Result:
    """Run a coroutine in an event loop of its own, which ends with it."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(work)


class _Loop(asyncio.SelectorEventLoop):
    """An event loop that ends without waiting for its threads."""

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Do not wait: a thread that still looks up a name may take longer than the deadline."""


async def post_async(
    url: str, body: bytes | None, *, seconds: float, headers: Mapping[str, str] | None = None
) -> HttpAnswer:
    """`post` in a running event loop. Cancelling it drops the connection. Without a body it is a
    GET."""
    import aiohttp

    try:
        async with asyncio.timeout(seconds) as limit:
            return await _post(url, body, headers or {})
    except aiohttp.ClientPayloadError:
        raise PostError("the reply was cut off", code="cut_off") from None
    except aiohttp.ClientResponseError:
        raise PostError("the reply is not HTTP", code="not_http") from None
    except (aiohttp.ClientError, OSError):
        if limit.expired():
            raise TimeoutError from None
        raise PostError("connection failed") from None
    finally:
        for _ in range(_ROUNDS_TO_CLOSE):
            await asyncio.sleep(0)


@cache
def connector() -> type[aiohttp.TCPConnector]:
    """The class of a connector that drops its connection instead of closing it politely, which a
    server can draw out for half a minute over TLS. Called before a loop runs, so that the import
    does not block the loop."""
    import aiohttp

    class OneConnection(aiohttp.TCPConnector):
        def __init__(self) -> None:
            super().__init__(force_close=True)
            self._dropped: list[asyncio.BaseTransport] = []

        async def connect(self, *arguments: Any, **named: Any) -> Connection:
            connection = await super().connect(*arguments, **named)
            if connection.transport is not None:
                self._dropped.append(connection.transport)
            return connection

        async def close(self, **named: Any) -> None:
            for transport in self._dropped:
                if isinstance(transport, asyncio.WriteTransport):
                    # Python 3.11.2 fails to drop a TLS connection that was closed twice.
                    with suppress(AttributeError):
                        transport.abort()
            await super().close(**named)

    return OneConnection


async def _post(url: str, body: bytes | None, headers: Mapping[str, str]) -> HttpAnswer:
    import aiohttp

    async with (
        aiohttp.ClientSession(
            connector=connector()(),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None),
            auto_decompress=False,
            trust_env=False,
        ) as session,
        session.request(
            "GET" if body is None else "POST",
            url,
            data=body,
            headers={"Content-Type": "application/json", "Accept-Encoding": "identity", **headers},
            allow_redirects=False,
        ) as response,
    ):
        pauses = response.headers.get("Retry-After"), response.headers.get("retry-after-ms")
        if response.status == OK:
            return HttpAnswer(OK, await _read_body(response), *pauses)
        detail = b""
        with suppress(aiohttp.ClientPayloadError):  # the status is answer enough
            detail = await response.content.read(DETAIL_BYTES_LIMIT)
        return HttpAnswer(response.status, detail, *pauses)


async def _read_body(response: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > BODY_BYTES_LIMIT:
            raise PostError(f"the reply is larger than {BODY_BYTES_LIMIT} bytes", code="size")
    return bytes(body)
