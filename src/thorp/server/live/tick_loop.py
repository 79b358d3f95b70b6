"""Runs the live tick: freeze what arrived, let the core compute while the journal writes, release
when durable. See `docs/server.md` for what is promised, and `server.sockets.agents` for what each
phase does to connections.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from time import monotonic
from typing import Final

from aiohttp import WSCloseCode

from thorp.kernel.errors import ThorpError
from thorp.server.live.clocks import Clock
from thorp.server.live.listeners import Listeners
from thorp.server.live.request_queue import RequestQueue
from thorp.server.live.terrain_prefetch import TerrainPrefetch
from thorp.server.live.tick_meter import TickMeter
from thorp.server.processes.runtime import Runtime
from thorp.server.sockets.agents import Agents
from thorp.server.sockets.spectators import Spectators
from thorp.voxel import AnyInput, World, WorldService
from thorp.voxel.observation.compose import compose

# Each costs a read and a write a tick.
MAX_FOLLOWERS: Final = 8
# Clients of the protocol wait two seconds for an OBS. A disk that takes a quarter of that is too
# slow.
SLOW_SYNC_SECONDS: Final = 0.5
# At most one log line a minute about that.
SLOW_SYNC_LOG_SECONDS: Final = 60.0


_log = logging.getLogger(__name__)

Watch = Callable[[World, Sequence[AnyInput], Future[None]], None]
"""Is shown the world after a tick, the tick's inputs, and a future that is done when it is
durable."""


class TickLoop:
    """Ticks a world as its clock says, until it is stopped or the disk fails."""

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
        """Requests that read the journal as it grows."""
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
            except Exception as problem:
                # The disk failed, or a rule did: the state can no longer be trusted.
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
        """Execute one tick, in the phases that `TickMeter` times.

        Up to the wait for the disk nothing is awaited, so no other task sees a tick half executed.
        """
        meter = self.meter
        world = self.service.world
        meter.begin()
        inputs = [*self._agents.freeze(), *self.requests.freeze()]
        meter.phase("freeze")

        # The record of the inputs goes to the writer's thread first; the core computes meanwhile.
        self.durable.clear()
        durable = self.service.tick(inputs)
        defects = world.scratch.defects
        if defects.failed:
            self.failed_actions += len(defects.failed)
            _log.error("tick %d: the rule of an action failed", world.tick, exc_info=defects.cause)
        meter.phase("step")

        # First seats, so that newcomers are composed for too.
        self._agents.settle()
        self.requests.settle(world.scratch.answers)
        compose(world, self._agents.sessions)
        self._spectators.compose(inputs)
        for watch in self._watches:
            watch(world, inputs, durable)
        meter.phase("observe")

        # From here on messages arrive for the next tick. Nothing may be sent before this returns.
        await asyncio.wrap_future(durable)
        self._notice_slow_sync(meter.phase("journal"))
        await self.clock.before_release(self._stop)
        meter.phase("hold")

        self._agents.release()
        self._spectators.release()
        self.requests.release()
        self.durable.set()
        meter.phase("send")

        # The next record holds the digest of this state. Computed here, while nobody waits for it.
        self.service.digest()
        meter.phase("digest")
        meter.end()
        self.followers.wake()

    def _notice_slow_sync(self, seconds: float) -> None:
        """Count a tick whose sync took too long, and warn about it now and then."""
        if seconds < SLOW_SYNC_SECONDS:
            return
        self.slow_syncs += 1
        if monotonic() - self._warned >= SLOW_SYNC_LOG_SECONDS:
            self._warned = monotonic()
            _log.warning(
                "the disk took %.1f s to sync tick %d, and every OBS waited for it; %d such "
                "ticks since the start; give the world a faster disk, or one that others use less",
                seconds,
                self.service.world.tick,
                self.slow_syncs,
            )
