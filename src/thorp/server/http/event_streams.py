"""Server-sent events: how news reaches a listener.

A listener that does not read is disconnected, and may come back with the id of the last event it
got. A follower gets the files of the live world in the same way: the live segment is streamed, and
its reader is woken when everything else of a tick is done.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from aiohttp import web

# Shorter than proxies wait for a silent connection.
HEARTBEAT_SECONDS: Final = 15.0
# News that comes within this time is sent together.
GATHER_SECONDS: Final = 0.05
# A listener that reads nothing for this long is gone, or too slow to be served.
SLOW_SECONDS: Final = 10.0
_HEADERS: Final = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
}


def event(name: str, data: bytes, event_id: str | None = None) -> bytes:
    """One event; `data` and `event_id` have no line breaks."""
    head = b"" if event_id is None else b"id: " + event_id.encode() + b"\n"
    return head + b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"


# By this a page can tell a quiet story from a dead connection.
HEARTBEAT: Final = event("still", b"{}")


class EventStream:
    """The response to one listener."""

    def __init__(self, request: web.Request, headers: Mapping[str, str] = _HEADERS) -> None:
        self._request = request
        self.response = web.StreamResponse(headers=headers)

    async def send(self, data: bytes) -> bool:
        """Write, and wait until the peer has read most of what waits. False if it is gone, or was
        disconnected because it does not read."""
        transport = self._request.transport
        if transport is None or transport.is_closing():
            return False
        try:
            async with asyncio.timeout(SLOW_SECONDS):
                await self.response.write(data)
        except TimeoutError:
            transport.abort()
            return False
        except ConnectionError:
            return False
        return True


async def wait_for_news(news: asyncio.Event) -> bool:
    """Wait for news, and a moment longer for more of it. False if none came and a heartbeat is
    due."""
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            await news.wait()
        await asyncio.sleep(GATHER_SECONDS)
        return True
    return False
