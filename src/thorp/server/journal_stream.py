"""Gives a follower the files of the world that is being played, as far as they are durable.

A journal holds secrets (seeds, whispers, memory), so it needs the permission to administer, and a connection
on which nobody listens. The live segment is streamed: its reader is woken after each tick, when everything
else of that tick is done. A stream on which nothing came for a while ends, and the follower asks again.
"""

from __future__ import annotations

import asyncio
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Final

from aiohttp import web

from thorp import __version__
from thorp.server.event_streams import EventStream
from thorp.server.principals import is_confidential
from thorp.server.requests import PRIVATE, Refused, json_response, query_number
from thorp.voxel.persistence.replica import list_files, open_file

if TYPE_CHECKING:
    from thorp.server.app import Live

# Less than a follower waits for anything to come.
SILENT_SECONDS: Final = 15.0
# Read and sent at once: a tick of a thousand agents, many times over.
STEP_BYTES: Final = 2**20
# What a tick has just written is still in memory; reading that here is quicker than asking a thread.
FRESH_BYTES: Final = 2**18
_HEADERS: Final = {"Content-Type": "application/octet-stream", **PRIVATE}


def _number(request: web.Request) -> int | None:
    if not is_confidential(request):
        raise Refused(403, "insecure", "a journal holds secrets: ask over TLS, or from this machine")
    number = query_number(request, "from")
    if number is not None and number < 0:
        raise Refused(400, "invalid_from", "from is 0 or more")
    return number


async def journal_files(live: Live, request: web.Request) -> web.Response:
    """The files of the world that a follower copies, with their durable sizes."""
    return json_response(await asyncio.to_thread(list_files, live.service, _number(request), __version__))


async def journal_file(live: Live, request: web.Request) -> web.StreamResponse:
    """The durable bytes of one of these files; of the live segment also those that come."""
    offset, readers = _number(request) or 0, live.loop.followers
    with (
        readers.seat(),
        closing(await asyncio.to_thread(open_file, live.service, request.match_info["name"])) as file,
    ):
        if offset > file.end()[0]:
            raise Refused(409, "set_back", f"only {file.end()[0]} bytes of it are durable")
        stream = EventStream(request, _HEADERS)
        await stream.begin()
        while True:
            news = readers.news()
            end, grows = file.end()
            while offset < end:
                size = min(STEP_BYTES, end - offset)
                fresh = grows and size <= FRESH_BYTES
                piece = file.read(offset, size) if fresh else await asyncio.to_thread(file.read, offset, size)
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
