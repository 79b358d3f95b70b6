"""Shows the world from above, for the page's map: the top of every column of the chunks that have
been generated.

An answer is one record for each such chunk of a rectangle: `cx` and `cz` in four bytes each, the
low one first, and its 256 columns as `PAL16_Y8`. Looking generates nothing. Many pages ask for the
same rectangle, so packed answers are kept while they are true, and a client that has one already
gets 304.
"""

import asyncio
import gzip
import struct
from hashlib import sha256
from secrets import token_bytes
from typing import Final

from aiohttp import web

from thorp.kernel.inflate import GZIP, inflate
from thorp.server.access.requests import Refused, query_number
from thorp.server.http.page import accepts_gzip
from thorp.server.live.tick_loop import TickLoop
from thorp.voxel.observation.surface import surface_bytes
from thorp.voxel.state.ground import CHUNK, ChunkKey

MEDIA: Final = "application/octet-stream"
MAX_CHUNKS: Final = 1_024
# The record of a chunk: its two numbers, and three bytes for each column.
_KEY: Final = struct.Struct("<ii")
RECORD_BYTES: Final = _KEY.size + 3 * CHUNK * CHUNK
EDGES: Final = ("x0", "z0", "x1", "z1")
# Chunks looked at before others get their turn: about a millisecond.
AT_ONCE: Final = 16
# Packed answers that are kept: 20 kB each for a whole village.
KEPT: Final = 64
_GZIP_LEVEL: Final = 3
_HEADERS: Final = {
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept-Encoding, Authorization",
}
# Further out than any world reaches.
_FURTHEST: Final = 2**20


class Surfaces:
    """The map of one live world, with the answers that are still true."""

    def __init__(self, loop: TickLoop) -> None:
        self._loop = loop
        self._ground = loop.service.world.ground
        # Part of every ETag: the versions of chunks begin anew with each process.
        self._salt = token_bytes(8)
        self._kept: dict[str, asyncio.Task[bytes]] = {}

    async def answer(self, request: web.Request) -> web.Response:
        """Answer a request for a rectangle of the map."""
        chunks = _chunks(request)
        ground = self._ground
        await self._loop.durable.wait()
        made = [key for key in chunks if ground.in_use(*key) or ground.is_changed(*key)]
        versions = [(key, ground.versions.get(key, ground.renewed)) for key in made]
        tag = sha256(self._salt + repr((chunks[0], chunks[-1], versions)).encode()).hexdigest()[:32]
        headers = {"ETag": f'"{tag}"', **_HEADERS}
        if tag in [each.value for each in request.if_none_match or ()]:
            return web.Response(status=304, headers=headers)
        packed = self._kept.pop(tag, None) or asyncio.create_task(self._packed(made))
        self._kept[tag] = packed  # last in the dictionary, so the oldest is first to go
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        body = await asyncio.shield(packed)
        if accepts_gzip(request.headers.get("Accept-Encoding", "")):
            headers["Content-Encoding"] = "gzip"
        else:
            body = await asyncio.to_thread(inflate, body, MAX_CHUNKS * RECORD_BYTES, GZIP)
        return web.Response(body=body, content_type=MEDIA, headers=headers)

    async def _packed(self, keys: list[ChunkKey]) -> bytes:
        """The records of these chunks, compressed. Yields to other tasks now and then, and then
        waits until the present state is durable again."""
        records = []
        for at, key in enumerate(keys):
            if at % AT_ONCE == 0:
                await asyncio.sleep(0)
                await self._loop.durable.wait()
            records.append(_KEY.pack(*key) + surface_bytes(self._ground.look(*key)))
        return await asyncio.to_thread(gzip.compress, b"".join(records), _GZIP_LEVEL, mtime=0)


def _chunks(request: web.Request) -> list[ChunkKey]:
    """The chunks of the rectangle that a request asks for. Refuses one that is too large."""
    edges = [query_number(request, name) for name in EDGES]
    x0, z0, x1, z1 = (_FURTHEST if edge is None else edge >> 4 for edge in edges)
    wide = x1 - x0 + 1
    deep = z1 - z0 + 1
    far = max(map(abs, (x0, z0, x1, z1))) >= _FURTHEST
    if far or wide < 1 or deep < 1 or wide * deep > MAX_CHUNKS:
        about = f"two corners of a rectangle that reaches into at most {MAX_CHUNKS} chunks"
        raise Refused(400, "rectangle", f"give {', '.join(EDGES)}: {about}")
    return [(cx, cz) for cx in range(x0, x1 + 1) for cz in range(z0, z1 + 1)]
