"""Server-sent events: who listens, when they are woken, and how bytes reach them.

Nothing is queued for a listener. It is woken, reads what is new, and writes that, so a listener
costs one page of memory however much happens. One that does not read is disconnected, and may come
back with the id of the last event it got. A follower gets the files of the live world in the same
way: the live segment is streamed, and its reader is woken when everything else of a tick is done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from aiohttp import web

from thorp import __version__
from thorp.server.principals import is_confidential
from thorp.server.requests import PRIVATE, Refused, json_response, query_number
from thorp.voxel.replica import list_files, open_file

if TYPE_CHECKING:
    from thorp.server.app import Live

# Each reads for itself after a beat, in about a millisecond.
MAX_LISTENERS: Final = 128
# Shorter than proxies wait for a silent connection.
HEARTBEAT_SECONDS: Final = 15.0
# What comes within this time is sent together.
GATHER_SECONDS: Final = 0.05
# A listener that reads nothing for so long is gone, or too slow to be served.
SLOW_SECONDS: Final = 10.0
_HEADERS: Final = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
}

# Less than a follower waits for anything to come.
SILENT_SECONDS: Final = 15.0
# Read and sent at once: a tick of a thousand agents, many times over.
STEP_BYTES: Final = 2**20
# What a tick has just written is still in memory; reading that here is quicker than asking a
# thread.
FRESH_BYTES: Final = 2**18
_FILE_HEADERS: Final = {"Content-Type": "application/octet-stream", **PRIVATE}


def event(name: str, data: bytes, event_id: str | None = None) -> bytes:
    """One event; `data` and `event_id` have no line breaks."""
    head = b"" if event_id is None else b"id: " + event_id.encode() + b"\n"
    return head + b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"


# Lets a page tell a quiet story from a dead connection.
HEARTBEAT: Final = event("still", b"{}")


class Listeners:
    """Everyone who listens. Only `wake_from_thread` may be called outside the event loop."""

    def __init__(self, most: int | None = None) -> None:
        self.count = 0
        self._most = most
        self.closed = False
        self.news = asyncio.Event()
        """Set by the next news. Take it before reading, and nothing is missed."""
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextmanager
    def seat(self) -> Iterator[None]:
        """A place among the listeners. Raises Refused if all are taken."""
        most = self._most or MAX_LISTENERS
        if self.closed or self.count >= most:
            raise Refused(503, "busy", f"{most} are listening already; try again later")
        self._loop = asyncio.get_running_loop()
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1

    def wake(self) -> None:
        told, self.news = self.news, asyncio.Event()
        told.set()

    def wake_from_thread(self) -> None:
        if self.count and self._loop is not None:
            with suppress(RuntimeError):  # the loop has just ended, and all listeners with it
                self._loop.call_soon_threadsafe(self.wake)

    def close(self) -> None:
        """Disconnect everyone."""
        self.closed = True
        self.wake()


class EventStream:
    """The response to one listener."""

    def __init__(self, request: web.Request, headers: Mapping[str, str] = _HEADERS) -> None:
        self._request = request
        self.response = web.StreamResponse(headers=headers)

    async def send(self, data: bytes) -> bool:
        """Write, and wait until it is read; return False if the peer is gone or was
        disconnected."""
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
    """Wait for news, and a moment more for what comes with it; return False if a heartbeat is
    due."""
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            await news.wait()
        await asyncio.sleep(GATHER_SECONDS)
        return True
    return False


def _number(request: web.Request) -> int | None:
    if not is_confidential(request):
        raise Refused(
            403, "insecure", "a journal holds secrets: ask over TLS, or from this machine"
        )
    return query_number(request, "from", least=0)


async def journal_files(live: Live, request: web.Request) -> web.Response:
    """The files of the world that a follower copies, with their durable sizes."""
    return json_response(
        await asyncio.to_thread(list_files, live.service, _number(request), __version__)
    )


async def journal_file(live: Live, request: web.Request) -> web.StreamResponse:
    """The durable bytes of one of these files; of the live segment also those that come."""
    offset = _number(request) or 0
    readers = live.loop.followers
    with (
        readers.seat(),
        closing(
            await asyncio.to_thread(open_file, live.service, request.match_info["name"])
        ) as file,
    ):
        if offset > file.end()[0]:
            raise Refused(409, "set_back", f"only {file.end()[0]} bytes of it are durable")
        stream = EventStream(request, _FILE_HEADERS)
        await stream.response.prepare(request)
        while True:
            news = readers.news
            end, grows = file.end()
            while offset < end:
                size = min(STEP_BYTES, end - offset)
                fresh = grows and size <= FRESH_BYTES
                piece = (
                    file.read(offset, size)
                    if fresh
                    else await asyncio.to_thread(file.read, offset, size)
                )
                if not await stream.send(piece):
                    return stream.response
                offset += len(piece)
            if not grows or readers.closed:
                return stream.response
            with suppress(TimeoutError):
                async with asyncio.timeout(SILENT_SECONDS):
                    await news.wait()
                    continue
            return stream.response
