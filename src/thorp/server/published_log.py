"""The log of a data directory behind a server: publishes what happens, and serves what is public.

Looked at every second, in a thread, and never waited for by a tick:

    world    every SEAL_TICKS a leaf with tick, state digest and tip; for each sealed segment also the
             digest of its bytes
    town     the tip of the embedded towns' journal, when a day or many records have passed
    story    the tip of the ledger, after some beats

A log that fails is named in the server's log, once, and the world goes on without it.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from aiohttp import web

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ThorpError
from thorp.log import Log, make_leaf
from thorp.log.directory import KEY, PUBLIC
from thorp.log.signer import find_keys
from thorp.server.requests import refusal
from thorp.store import RealDisk
from thorp.voxel.persistence.directory import Segment, WorldDirectory

if TYPE_CHECKING:
    from thorp.server.app import Live, Server

_log = logging.getLogger(__name__)

LOG: Final = "log"
# A checkpoint a second at most; most seconds have nothing to publish.
LOOK_SECONDS: Final = 1.0
# Five minutes of a world that ticks by the clock.
SEAL_TICKS: Final = 1_500
# Looking for sealed segments lists a directory; segments are sealed every few hours.
SEGMENT_SECONDS: Final = 60.0
RECORDS_BETWEEN: Final = 100
BEATS_BETWEEN: Final = 10
_TILE: Final = r"tile/(?:[0-9]{1,2}|entries)/(?:x[0-9]{3}/)*[0-9]{3}(?:\.p/[0-9]{1,3})?"
_PUBLIC: Final = re.compile(rf"(?:checkpoint|log\.vkey|{_TILE})\Z")


async def public_file(request: web.Request, data: Path) -> web.Response:
    """A file that the log publishes."""
    name = request.match_info["path"]
    path = data / LOG / PUBLIC / name
    if _PUBLIC.match(name) is None or not path.is_file():
        return refusal(404, "not_found", "the log publishes no such file")
    is_tile = name.startswith("tile/")
    kind = "application/octet-stream" if is_tile else "text/plain; charset=utf-8"
    kept = "public, max-age=31536000, immutable" if is_tile else "no-cache"
    headers = {"Content-Type": kind, "Cache-Control": kept, "X-Content-Type-Options": "nosniff"}
    return web.Response(body=await asyncio.to_thread(path.read_bytes), headers=headers)


class LogPublisher:
    """Publishes a served world, its embedded towns and its story."""

    def __init__(self, data: Path) -> None:
        """Open the log of a data directory; refuse if there is none, or its key is missing."""
        self._log = Log(RealDisk(), data / LOG)
        self._signers = find_keys(data / LOG / KEY, None)
        self._sealed_tick = -SEAL_TICKS
        self._segments: set[int] = set()
        self._segments_looked = float("-inf")
        self._town_records = self._story_beats = 0

    @asynccontextmanager
    async def publishing(self, server: Server, live: Live) -> AsyncIterator[None]:
        """Publish while a world lives, and once more at its end."""
        task = asyncio.create_task(self._run(server, live))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
            with suppress(ThorpError):
                await asyncio.to_thread(self._publish, [self._world_leaf(live)])
            self._log.close()

    async def _run(self, server: Server, live: Live) -> None:
        while True:
            try:
                await self._look(server, live)
            except ThorpError as problem:
                _log.error("the log is no longer published: %s", problem)
                return
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self, server: Server, live: Live) -> None:
        leaves = []
        await live.loop.durable.wait()  # from here to the next await no tick can begin
        if live.service.tip and live.service.world.tick >= self._sealed_tick + SEAL_TICKS:
            self._sealed_tick = live.service.world.tick
            leaves.append(self._world_leaf(live))
        leaves += await self._segment_leaves(live)
        leaves += await self._tips(server)
        if leaves:
            await asyncio.to_thread(self._publish, leaves)

    def _publish(self, leaves: list[bytes]) -> None:
        self._log.add(leaves)
        self._log.checkpoint(self._signers)

    def _world_leaf(self, live: Live) -> bytes:
        service, terms = live.service, live.service.terms
        rules = {"epoch": terms.epoch, "rules": terms.rules, "catalogs": terms.catalogs}
        state = {"tick": service.world.tick, "digest": service.digest(), "tip": service.tip}
        return make_leaf("world", {**state, **rules, "annexes": list(terms.annexes)})

    async def _segment_leaves(self, live: Live) -> list[bytes]:
        now = asyncio.get_running_loop().time()
        if now < self._segments_looked + SEGMENT_SECONDS:
            return []
        self._segments_looked = now
        return await asyncio.to_thread(self._read_segments, live.service.directory)

    def _read_segments(self, directory: WorldDirectory) -> list[bytes]:
        leaves = []
        for first, path in directory.journals().items():
            segment = None if first in self._segments else Segment(directory.disk, path)
            if segment is not None and segment.sealed:
                self._segments.add(first)
                leaves.append(make_leaf("world", segment_members(segment)))
        return leaves

    async def _tips(self, server: Server) -> list[bytes]:
        """The tips of towns and story, if they have moved far enough."""
        leaves = []
        world = await server.towns.existing()
        if world is not None:
            records, tip = await asyncio.to_thread(world.tip)
            if records >= self._town_records + RECORDS_BETWEEN or not self._town_records:
                self._town_records = records
                leaves.append(make_leaf("town", {"records": records, "tip": tip}))
        ledger = server.stories.opened
        if ledger is not None:
            beats, tip = await asyncio.to_thread(ledger.tip)
            if beats and (beats >= self._story_beats + BEATS_BETWEEN or not self._story_beats):
                self._story_beats = beats
                leaves.append(make_leaf("story", {"beats": beats, "tip": tip}))
        return leaves


def segment_members(segment: Segment) -> dict[str, Json]:
    """What a leaf says of a sealed segment: where it ends, and the digest of its unpacked bytes."""
    digest = sha256()
    with closing(segment.open()) as file:
        at = 0
        while part := file.read(at, 1 << 20):
            digest.update(part)
            at += len(part)
    end = segment.end_of(segment.scan())
    return {"first": segment.first_tick, "tick": end.tick, "tip": end.tip, "segment": digest.hexdigest()}
