"""The live tick: freeze what arrived, let the core compute while the journal writes, release when
durable. See `docs/server.md` for what is promised.

Terrain is generated before anyone gets there, in the time that is left between ticks. A chunk takes
half a millisecond, and a moving crowd needs dozens in a tick. When a season ends everyone needs new
terrain in one tick, about a thousand chunks; it is generated in the minutes before. Which chunks
are loaded is not part of the state, so it may depend on how much time there is.
"""

import asyncio
import gc
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from time import monotonic, perf_counter
from typing import Final

from aiohttp import WSCloseCode

from thorp.kernel.errors import ThorpError
from thorp.server.agents import Agents
from thorp.server.clocks import Clock
from thorp.server.event_streams import Listeners
from thorp.server.metrics import TickMeter
from thorp.server.request_queue import RequestQueue
from thorp.server.spectators import Spectators
from thorp.voxel.inputs import AnyInput
from thorp.voxel.observation.compose import compose
from thorp.voxel.service import WorldService
from thorp.voxel.society.seasons import prefetch_next_season, ticks_left
from thorp.voxel.state.ground import ChunkKey
from thorp.voxel.state.world import World

# An agent sees into the next chunk, and reaches it within three seconds.
AHEAD_CHUNKS: Final = 2
# The share of the spare time that is used, and the most of it at once, because sockets must not
# wait.
SPARE_SHARE: Final = 0.3
AT_ONCE_SECONDS: Final = 0.02
# Before the end of a season; a full world takes about 600 ticks.
SEASON_AHEAD_TICKS: Final = 1_500

# Each costs a read and a write a tick.
MAX_FOLLOWERS: Final = 8
# A minute at five ticks a second. Long-lived cycles are rare: closed connections, mostly.
FULL_COLLECTION_EVERY: Final = 300
# Among 2,500 agents that takes 3 ms; every ten ticks it would take 10.
YOUNG_COLLECTION_EVERY: Final = 2
# Before it is known how long one takes; among 500 agents it is this.
EXPECTED_FULL_SECONDS: Final = 0.05
# Of a thread that computes, when another one waits. Python's own 5 ms make 500 sends take 200 ms
# and more.
SWITCH_SECONDS: Final = 0.0005
# Clients of the protocol wait two seconds for an OBS. A disk that takes a quarter of that is too
# slow.
SLOW_SYNC_SECONDS: Final = 0.5
# At most one log line a minute about that.
SLOW_SYNC_LOG_SECONDS: Final = 60.0


class TerrainPrefetch:
    def __init__(self, world: World) -> None:
        self._world = world
        self._wanted: Iterator[ChunkKey] = iter(())
        self._done: set[ChunkKey] = set()
        """Chunks of agents around which everything is loaded, as long as no chunk was evicted."""
        self._evictions = world.ground.evictions
        self._season = 0
        """The season for whose end terrain is generated."""
        self._next_season: Iterator[None] = iter(())

    def look_ahead(self, spare_seconds: float) -> None:
        """Generate some of the terrain around everyone, in a part of the spare time."""
        until = perf_counter() + min(spare_seconds * SPARE_SHARE, AT_ONCE_SECONDS)
        self._prepare_season(until)
        while perf_counter() < until:
            chunk = next(self._wanted, None)
            if chunk is None:
                self._wanted = self._around_everyone()
                return
            self._world.ground.base(*chunk)

    def _prepare_season(self, until: float) -> None:
        """Generate terrain for the next season, if this one is near its end."""
        left = ticks_left(self._world)
        if left is None or left > SEASON_AHEAD_TICKS:
            return
        if self._season != self._world.season:
            self._season = self._world.season
            self._next_season = prefetch_next_season(self._world)
        while perf_counter() < until and next(self._next_season, self) is not self:
            pass

    def _around_everyone(self) -> Iterator[ChunkKey]:
        """Chunks near agents that are not loaded yet."""
        ground = self._world.ground
        if self._evictions != ground.evictions:
            self._evictions = ground.evictions
            self._done.clear()
        centres = {(agent.x >> 4, agent.z >> 4) for agent in self._world.agents.awake}
        self._done &= centres
        for cx, cz in sorted(centres - self._done):
            for x in range(cx - AHEAD_CHUNKS, cx + AHEAD_CHUNKS + 1):
                for z in range(cz - AHEAD_CHUNKS, cz + AHEAD_CHUNKS + 1):
                    if not ground.in_use(x, z):
                        yield x, z
            self._done.add((cx, cz))


_log = logging.getLogger(__name__)

Watch = Callable[[World, Sequence[AnyInput], Future[None]], None]
"""Sees the world after a tick, what went into it, and a future that tells when it is durable."""


class TickLoop:
    def __init__(
        self,
        service: WorldService,
        agents: Agents,
        spectators: Spectators,
        clock: Clock,
        watches: Sequence[Watch],
    ) -> None:
        self.service = service
        self.clock = clock
        self.meter = TickMeter()
        self.slow_syncs = 0
        """Ticks after which the disk kept everyone waiting for too long."""
        self.failed_actions = 0
        """Actions answered with E_INTERNAL: a rule failed, and changed nothing."""
        self.failure: Exception | None = None
        """Why the ticking stopped, if it did by itself."""
        self.stopped = asyncio.Event()
        self.requests = RequestQueue()
        self.followers = Listeners(MAX_FOLLOWERS)
        """Those who read the journal as it grows."""
        self.durable = asyncio.Event()
        """Set while the present state is durable: no tick is waiting for the disk."""
        self.durable.set()
        self._agents = agents
        self._spectators = spectators
        self._watches = watches
        self._stop = asyncio.Event()
        self._warned = float("-inf")
        self._prefetch = TerrainPrefetch(service.world)
        self._runtime = Runtime()

    def stop(self) -> None:
        """End after the tick under way."""
        self._stop.set()
        self._agents.changed.set()

    async def run(self) -> None:
        """Tick until told to stop, or until the disk fails."""
        with self._runtime:
            try:
                self.service.digest()
                while True:
                    await self.clock.wait(self._stop)
                    await self._agents.caught_up()
                    if self._stop.is_set():
                        break
                    await self._tick()
                    self._prefetch.look_ahead(self.clock.spare_seconds())
                    self._runtime.between_ticks(self.clock.spare_seconds())
            except (
                Exception
            ) as problem:  # of the disk or of a rule: the state can no longer be trusted
                self.failure = problem
                if not isinstance(problem, ThorpError):
                    _log.exception("tick %d failed", self.service.world.tick)
        self.stopped.set()
        self.followers.close()
        self.requests.stop(
            "the server is stopping" if self.failure is None else "the world has stopped"
        )
        self.durable.set()
        if self.failure is not None:
            await self._agents.stop(WSCloseCode.INTERNAL_ERROR, "the world has stopped")

    async def _tick(self) -> None:
        meter = self.meter
        world = self.service.world
        meter.begin()
        inputs = [*self._agents.freeze(), *self.requests.freeze()]
        meter.phase("freeze")
        self.durable.clear()
        durable = self.service.tick(inputs)
        defects = world.scratch.defects
        if defects.failed:
            self.failed_actions += len(defects.failed)
            _log.error("tick %d: the rule of an action failed", world.tick, exc_info=defects.cause)
        meter.phase("step")
        self._agents.settle()
        self.requests.settle(world.scratch.answers)
        compose(world, self._agents.sessions)
        self._spectators.compose(inputs)
        for watch in self._watches:
            watch(world, inputs, durable)
        meter.phase("observe")
        await asyncio.wrap_future(durable)
        self._notice_slow_sync(meter.phase("journal"))
        await self.clock.before_release(self._stop)
        meter.phase("hold")
        self._agents.release()
        self._spectators.release()
        self.requests.release()
        self.durable.set()
        meter.phase("send")
        self.service.digest()
        meter.phase("digest")
        meter.end()
        self.followers.wake()

    def _notice_slow_sync(self, seconds: float) -> None:
        if seconds < SLOW_SYNC_SECONDS:
            return
        self.slow_syncs += 1
        if monotonic() - self._warned >= SLOW_SYNC_LOG_SECONDS:
            self._warned = monotonic()
            _log.warning(
                "the disk took %.1f s to sync tick %d, and every OBS waited for it; %d such ticks "
                "since the "
                "start; give the world a faster disk, or one that others use less",
                seconds,
                self.service.world.tick,
                self.slow_syncs,
            )


class Runtime:
    """Python while a world ticks. Garbage is collected between ticks: young objects every other
    tick, all when there is time; the loaded world is frozen, so it is never scanned. Other threads,
    which pack the tape and snapshots, give way soon, because a tick lets go of the interpreter at
    each of a thousand sends."""

    def __init__(self) -> None:
        self._ticks = 0
        self._full_seconds = EXPECTED_FULL_SECONDS

    def __enter__(self) -> None:
        self._switch_seconds = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        self._was_on = gc.isenabled()
        gc.collect()
        gc.freeze()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        sys.setswitchinterval(self._switch_seconds)
        gc.unfreeze()
        if self._was_on:
            gc.enable()

    def between_ticks(self, spare_seconds: float) -> None:
        """Collect young objects; all objects, when it is time and the last full collection would
        fit."""
        self._ticks += 1
        overdue = self._ticks >= 2 * FULL_COLLECTION_EVERY
        if overdue or (
            self._ticks >= FULL_COLLECTION_EVERY and spare_seconds > 2 * self._full_seconds
        ):
            began = perf_counter()
            gc.collect()
            self._full_seconds = perf_counter() - began
            self._ticks = 0
        elif self._ticks % YOUNG_COLLECTION_EVERY == 0:
            gc.collect(1)
