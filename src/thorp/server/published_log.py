"""The log behind HTTP: publishes what happens, serves what is public, and cosigns the logs of
others.

Looked at every second, in a thread, and never waited for by a tick:

    world    a leaf with tick, state digest and tip: before the first tick, every SEAL_TICKS, at the
             end, and with the digest of its bytes for each sealed segment. Its origin commits to
             the world's seeds
    town     the tip of the embedded towns' journal, when a day or many records have passed
    receipt  the digests of a handoff and of its result, for every handoff that was answered
    story    the tip of the ledger, after some beats

A log that fails is named in the server's log, once, and the world goes on without it. A witness has
a server of its own: two routes, and one request at a time.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from aiohttp import web

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import ThorpError
from thorp.kernel.identity import digest as content_digest
from thorp.log import Log, make_leaf
from thorp.log.directory import KEY, PUBLIC
from thorp.log.signer import find_keys
from thorp.log.witness import MAX_REQUEST_BYTES, TEXT_TYPE, Witness
from thorp.server.listener import listen
from thorp.server.requests import refusal
from thorp.store import RealDisk
from thorp.store.packed import SUFFIX
from thorp.story.service import Ledger
from thorp.town import EmbeddedTown
from thorp.voxel.persistence.directory import Segment, WorldDirectory
from thorp.voxel.persistence.head import ensure_origin
from thorp.voxel.persistence.record import Terms
from thorp.voxel.service import WorldService

if TYPE_CHECKING:
    from thorp.server.app import Live, Server

_log = logging.getLogger(__name__)

LOG: Final = "log"
# A checkpoint a second at most; most seconds have nothing to publish.
LOOK_SECONDS: Final = 1.0
# Five minutes of a world that ticks by the clock.
SEAL_TICKS: Final = 1_500
RECORDS_BETWEEN: Final = 100
BEATS_BETWEEN: Final = 10
# Between two looks; a town's governors send some in a minute.
MAX_RECEIPTS: Final = 10_000
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
        self._origin = ""
        self._sealed_tick = 0
        self._segments: set[int] = set()
        self._town = (-RECORDS_BETWEEN, -1)
        self._story_beats = -BEATS_BETWEEN
        self._told = ""
        self._receipts: deque[tuple[Json, Json]] = deque(maxlen=MAX_RECEIPTS)

    def open_world(self, service: WorldService) -> None:
        """Publish which world this is, before it ticks. Refuses if that cannot be published."""
        self._origin = ensure_origin(service.directory.disk, service.directory.path)
        self._sealed_tick = service.world.tick
        self._publish([self._world_leaf(service)])

    @asynccontextmanager
    async def publishing(self, server: Server, live: Live) -> AsyncIterator[None]:
        """Publish while a world lives."""
        server.towns.on_result = lambda handoff, result: self._receipts.append((handoff, result))
        task = asyncio.create_task(self._run(server, live))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    def close_world(self, service: WorldService) -> None:
        """Publish how a world was left when it was closed."""
        try:
            self._publish([self._world_leaf(service)])
        except ThorpError as problem:
            _log.error("the end is not published: %s", problem)
        self._log.close()

    async def _run(self, server: Server, live: Live) -> None:
        while True:
            try:
                await self.look(server, live)
            except ThorpError as problem:
                _log.error("the log is no longer published: %s", problem)
                return
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self, server: Server, live: Live) -> None:
        """Publish what has moved far enough."""
        leaves: list[bytes] = []
        try:
            await self._collect(server, live, leaves)
        except ThorpError as problem:  # a database that is busy or newer; the rest is published
            if str(problem) != self._told:
                self._told = str(problem)
                _log.warning("not all is published: %s", problem)
        if leaves:
            await asyncio.to_thread(self._publish, leaves)

    async def _collect(self, server: Server, live: Live, leaves: list[bytes]) -> None:
        """Append a leaf for everything that has moved far enough."""
        await live.loop.durable.wait()  # from here to the next await no tick can begin
        if live.service.world.tick >= self._sealed_tick + SEAL_TICKS:
            self._sealed_tick = live.service.world.tick
            leaves.append(self._world_leaf(live.service))
        while self._receipts:
            leaves.append(await asyncio.to_thread(receipt_leaf, *self._receipts.popleft()))
        leaves += await asyncio.to_thread(self._segment_leaf, live.service.directory)
        towns = await server.towns.existing()
        ledger = server.stories.opened
        if towns is not None:
            leaves += await asyncio.to_thread(self._town_leaf, towns)
        if ledger is not None:
            leaves += await asyncio.to_thread(self._story_leaf, ledger)

    def _publish(self, leaves: list[bytes]) -> None:
        self._log.add(leaves)
        self._log.checkpoint(self._signers)

    def _world_leaf(self, service: WorldService) -> bytes:
        state = {"tick": service.world.tick, "digest": service.digest(), "tip": service.tip}
        return make_leaf("world", {**state, **_terms(service.terms), "origin": self._origin})

    def _segment_leaf(self, directory: WorldDirectory) -> list[bytes]:
        """The leaf of the newest sealed segment that has none yet: one at a look, so that a long
        history that is published late does not keep the disk busy."""
        for (first, path), (_, after) in reversed(list(pairwise(directory.journals().items()))):
            if first not in self._segments and path.suffix == SUFFIX:
                self._segments.add(first)
                members = segment_members(
                    Segment(directory.disk, path), Segment(directory.disk, after)
                )
                return [make_leaf("world", {**members, "origin": self._origin})]
        return []

    def _town_leaf(self, towns: EmbeddedTown) -> list[bytes]:
        world = towns.world()
        records, tip = towns.tip()
        if records < self._town[0] + RECORDS_BETWEEN and world.day == self._town[1]:
            return []
        self._town = records, world.day
        members = {"records": records, "tip": tip, "day": world.day, "rules": world.rules}
        return [make_leaf("town", members)]

    def _story_leaf(self, ledger: Ledger) -> list[bytes]:
        beats, tip = ledger.tip()
        if not beats or beats < self._story_beats + BEATS_BETWEEN:
            return []
        self._story_beats = beats
        return [make_leaf("story", {"beats": beats, "tip": tip})]


def receipt_leaf(handoff: Json, result: Json) -> bytes:
    """What a governor who keeps both can hold against the log."""
    digests = {"handoff": handoff, "result": result}
    return make_leaf(
        "town", {name: content_digest(canonical_bytes(each)) for name, each in digests.items()}
    )


def segment_members(segment: Segment, after: Segment) -> dict[str, Json]:
    """What a leaf says of a sealed segment: the digest of its unpacked bytes, and where it ends,
    which the header of the one after it says."""
    end = {
        "tick": after.first_tick - 1,
        "digest": after.header.digest,
        "tip": after.header.previous,
    }
    first = {"first": segment.first_tick, "segment": segment.sha256()}
    return {**end, **first, **_terms(segment.header.terms)}


def _terms(terms: Terms) -> dict[str, Json]:
    rules = {"epoch": terms.epoch, "rules": terms.rules, "catalogs": terms.catalogs}
    return {**rules, "annexes": list(terms.extensions)}


def witness_app(witness: Witness) -> web.Application:
    turn = asyncio.Lock()

    async def add_checkpoint(request: web.Request) -> web.Response:
        try:
            body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            return web.Response(
                status=400, text=f"a request has at most {MAX_REQUEST_BYTES} bytes\n"
            )
        async with turn:
            # To the end, whatever becomes of the client: comparing and storing is one step.
            answer = await asyncio.shield(asyncio.to_thread(witness.add, body))
        headers = {"Content-Type": answer.content_type}
        return web.Response(status=answer.status, body=answer.body.encode(), headers=headers)

    async def last_checkpoint(request: web.Request) -> web.Response:
        found = await asyncio.to_thread(witness.last, request.match_info["origin"])
        if found is None:
            return web.Response(
                status=404, text="no checkpoint of this log has been cosigned here\n"
            )
        return web.Response(body=found, headers={"Content-Type": TEXT_TYPE})

    app = web.Application(client_max_size=MAX_REQUEST_BYTES)
    app.router.add_post("/add-checkpoint", add_checkpoint)
    app.router.add_get("/{origin:[0-9a-f]{64}}/checkpoint", last_checkpoint)
    return app


async def serve_witness(witness: Witness, port: int, say: Callable[[str], None]) -> None:
    """Serve on loopback until cancelled; `say` hears where. A proxy with TLS goes in front."""
    runner = web.AppRunner(witness_app(witness), access_log=None, auto_decompress=False)
    await runner.setup()
    assert runner.server is not None
    try:
        with closing(await listen(runner.server, "127.0.0.1", port)) as listener:
            say(f"http://127.0.0.1:{listener.port}")
            await asyncio.Event().wait()
    finally:
        await runner.cleanup()
