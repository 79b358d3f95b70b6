"""The live tick: freeze what arrived, let the core compute while the journal writes, release when durable.

    freeze → step ∥ append and sync → compose frames → wait until durable → send → digest for the next record

Nothing of a tick is shown before it is durable. A slow disk keeps everyone waiting, which is counted and
logged. A disk that fails ends the ticking: nothing of that tick is acknowledged, connections are closed, and
`/readyz` says why.

Garbage is collected between ticks only. The loaded world is frozen, so that the collector never scans it.
Young objects are collected every few ticks, when most are gone by themselves, and all later ones when there
is time.
"""

import asyncio
import gc
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from time import monotonic, perf_counter
from typing import Final, Protocol

from aiohttp import WSCloseCode

from thorp.kernel.errors import ThorpError
from thorp.server.agents import Agents
from thorp.server.clocks import Clock
from thorp.server.event_streams import Listeners
from thorp.server.metrics import TickMeter
from thorp.server.request_queue import RequestQueue
from thorp.server.spectators import Spectators
from thorp.server.tape_keeper import TapeKeeper
from thorp.server.terrain_prefetch import TerrainPrefetch
from thorp.voxel.inputs import AnyInput
from thorp.voxel.observation.compose import compose
from thorp.voxel.state.world import World

# Each costs a read and a write a tick.
MAX_FOLLOWERS: Final = 8
# A minute at five ticks a second. Long-lived cycles are rare: closed connections, mostly.
FULL_COLLECTION_EVERY: Final = 300
# Two seconds at five ticks a second. Young cycles are few, too.
YOUNG_COLLECTION_EVERY: Final = 10
# Clients of the protocol wait two seconds for an OBS. A disk that takes a quarter of that is too slow.
SLOW_SYNC_SECONDS: Final = 0.5
# At most one log line a minute about that.
SLOW_SYNC_LOG_SECONDS: Final = 60.0

_log = logging.getLogger(__name__)

Watch = Callable[[World, Future[None]], None]
"""Sees the world after a tick, with a future that tells when it is durable."""


class Ticking(Protocol):
    """A persistent world: executes a tick, and tells when it is durable."""

    @property
    def world(self) -> World: ...

    def tick(self, inputs: Sequence[AnyInput]) -> Future[None]: ...

    def digest(self) -> str: ...


class TickLoop:
    def __init__(
        self,
        service: Ticking,
        agents: Agents,
        spectators: Spectators,
        clock: Clock,
        watch: Watch | None = None,
        tape: TapeKeeper | None = None,
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
        self._watch = watch
        self._tape = tape
        self._stop = asyncio.Event()
        self._warned = float("-inf")
        self._prefetch = TerrainPrefetch(service.world)
        self._collector = Collector()

    def stop(self) -> None:
        """End after the tick under way."""
        self._stop.set()
        self._agents.changed.set()

    async def run(self) -> None:
        """Tick until told to stop, or until the disk fails."""
        with self._collector:
            try:
                while True:
                    await self.clock.wait(self._stop)
                    if self._stop.is_set():
                        break
                    await self._tick()
                    self._prefetch.look_ahead(self.clock.spare_seconds())
                    self._collector.between_ticks(self.clock.spare_seconds())
            except Exception as problem:  # of the disk or of a rule: the state can no longer be trusted
                self.failure = problem
                if not isinstance(problem, ThorpError):
                    _log.exception("tick %d failed", self.service.world.tick)
        self.stopped.set()
        self.followers.close()
        self.requests.stop("the server is stopping" if self.failure is None else "the world has stopped")
        self.durable.set()
        if self.failure is not None:
            await self._agents.stop(WSCloseCode.INTERNAL_ERROR, "the world has stopped")

    async def _tick(self) -> None:
        meter, world = self.meter, self.service.world
        meter.begin()
        inputs = [*self._agents.freeze(), *self.requests.freeze()]
        meter.phase("freeze")
        self.durable.clear()
        durable = self.service.tick(inputs)
        if world.scratch.defects.failed:
            self.failed_actions += len(world.scratch.defects.failed)
            _log.error(
                "tick %d: the rule of an action failed", world.tick, exc_info=world.scratch.defects.cause
            )
        meter.phase("step")
        self._agents.settle()
        self.requests.settle(world.scratch.answers)
        compose(world, self._agents.sessions)
        self._spectators.compose(inputs)
        if self._watch is not None:
            self._watch(world, durable)
        if self._tape is not None:
            self._tape.look(world, inputs, durable)
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
                "the disk took %.1f s to sync tick %d, and every OBS waited for it; %d such ticks since the "
                "start; give the world a faster disk, or one that others use less",
                seconds,
                self.service.world.tick,
                self.slow_syncs,
            )


class Collector:
    """Runs the garbage collector between ticks instead of inside them."""

    def __init__(self) -> None:
        self._ticks = 0
        self._full_seconds = 0.0

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.collect()
        gc.freeze()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        gc.unfreeze()
        if self._was_on:
            gc.enable()

    def between_ticks(self, spare_seconds: float) -> None:
        """Collect young objects; all objects, when it is time and the last full collection would fit."""
        self._ticks += 1
        overdue = self._ticks >= 2 * FULL_COLLECTION_EVERY
        if overdue or (self._ticks >= FULL_COLLECTION_EVERY and spare_seconds > 2 * self._full_seconds):
            began = perf_counter()
            gc.collect()
            self._full_seconds = perf_counter() - began
            self._ticks = 0
        elif self._ticks % YOUNG_COLLECTION_EVERY == 0:
            gc.collect(1)
