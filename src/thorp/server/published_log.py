"""Publishes what happens in a served world, its towns and its story in the transparency log.

It looks every second, in a thread, and no tick ever waits for it. These are its leaves:

    world    tick, state digest and tip: before the first tick, every SEAL_TICKS, and at the end;
             for each sealed segment also the digest of its bytes. Its origin commits to the
             world's seeds
    town     the tip of the embedded towns' journal, when a day or many records have passed
    receipt  the digests of a handoff and of its result, for every handoff that was answered
    story    the tip of the ledger, after some beats

A log that fails is named in the server's log, once, and the world goes on without it.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Final

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import ThorpError
from thorp.kernel.identity import digest as content_digest
from thorp.log import Log, make_leaf
from thorp.log.directory import KEY
from thorp.log.signer import find_keys
from thorp.server.http.live_world import LiveWorld
from thorp.server.http.public_log import LOG
from thorp.server.http.server import Server
from thorp.store import RealDisk
from thorp.store.packed import SUFFIX
from thorp.story.service import Ledger
from thorp.town import EmbeddedTown
from thorp.voxel import WorldService
from thorp.voxel.persistence.directory import Segment, WorldDirectory
from thorp.voxel.persistence.head import ensure_origin
from thorp.voxel.persistence.record import Epoch

_log = logging.getLogger(__name__)

# A checkpoint a second at most; most seconds have nothing to publish.
LOOK_SECONDS: Final = 1.0
# Five minutes of a world with the real clock.
SEAL_TICKS: Final = 1_500
# Between two leaves of the towns, or of the story.
RECORDS_BETWEEN: Final = 100
BEATS_BETWEEN: Final = 10
# Handoffs that may be answered between two looks; a town's governors send a few in a minute.
MAX_RECEIPTS: Final = 10_000


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
        self._last_problem = ""
        self._receipts: deque[tuple[Json, Json]] = deque(maxlen=MAX_RECEIPTS)

    def open_world(self, service: WorldService) -> None:
        """Publish which world this is, before it ticks. Refuses if that cannot be published."""
        self._origin = ensure_origin(service.directory.disk, service.directory.path)
        self._sealed_tick = service.world.tick
        self._publish([self._world_leaf(service)])

    @asynccontextmanager
    async def publishing(self, server: Server, live: LiveWorld) -> AsyncIterator[None]:
        """Publish while a world is played."""
        with server.towns.watched(lambda handoff, result: self._receipts.append((handoff, result))):
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

    async def _run(self, server: Server, live: LiveWorld) -> None:
        while True:
            try:
                await self.look(server, live)
            except ThorpError as problem:
                _log.error("the log is no longer published: %s", problem)
                return
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self, server: Server, live: LiveWorld) -> None:
        """Publish a leaf for everything that has moved far enough since its last one."""
        leaves: list[bytes] = []
        try:
            await self._collect(server, live, leaves)
        except ThorpError as problem:
            # A database that is busy or was written by a newer release. The rest is published.
            if str(problem) != self._last_problem:
                self._last_problem = str(problem)
                _log.warning("not all is published: %s", problem)
        if leaves:
            await asyncio.to_thread(self._publish, leaves)

    async def _collect(self, server: Server, live: LiveWorld, leaves: list[bytes]) -> None:
        """Append to `leaves` whatever is due. What was appended before a failure is published."""
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
        return make_leaf("world", {**state, **_epoch_fields(service.epoch), "origin": self._origin})

    def _segment_leaf(self, directory: WorldDirectory) -> list[bytes]:
        """The leaf of the newest sealed segment that has none yet. One at a look: a long history
        that is published late must not keep the disk busy."""
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
    """The leaf of a handoff and its result. A governor who keeps both can check them against the
    log."""
    digests = {"handoff": handoff, "result": result}
    return make_leaf(
        "town", {name: content_digest(canonical_bytes(each)) for name, each in digests.items()}
    )


def segment_members(segment: Segment, after: Segment) -> dict[str, Json]:
    """What a leaf says about a sealed segment: the digest of its unpacked bytes, and the state at
    its end, which the header of the segment after it holds."""
    end = {
        "tick": after.first_tick - 1,
        "digest": after.header.digest,
        "tip": after.header.previous,
    }
    first = {"first": segment.first_tick, "segment": segment.sha256()}
    return {**end, **first, **_epoch_fields(segment.header.epoch)}


def _epoch_fields(epoch: Epoch) -> dict[str, Json]:
    """What a leaf says about the rules of an epoch."""
    rules = {"epoch": epoch.number, "rules": epoch.rules, "catalogs": epoch.catalogs}
    return {**rules, "annexes": list(epoch.extensions)}
