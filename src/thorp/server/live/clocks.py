"""The three clocks, which decide when the next tick begins: by time, when everyone has moved, or at
once.

`docs/server.md` says what each promises. In lockstep a seat also counts as moved when it has sent
all that a tick has room for. With no seats time stands still, except for the tick in which the
first agent joins.
"""

import asyncio
from time import monotonic
from typing import Final

from thorp.server.sockets.agents import Agents

CLOCKS: Final = ("real", "lockstep", "max")
# A large model on a slow machine answers in this time.
MOVE_DEADLINE_SECONDS: Final = 60.0


class Clock:
    """The clock `max`, which ticks at once, and the interface of every clock."""

    late = 0
    """Ticks that began too late; in lockstep, moves that did not come in time."""
    skipped = 0
    """Ticks that were left out because earlier ones were late."""

    def spare_seconds(self) -> float:
        """How much time is left before the next tick."""
        return 0.0

    async def wait(self, stop: asyncio.Event) -> None:
        """Return when the next tick may begin, or when `stop` is set."""
        await asyncio.sleep(0)

    async def before_release(self, stop: asyncio.Event) -> None:
        """Return when the results of the tick may be sent, or when `stop` is set."""


class RealClock(Clock):
    """Ticks at a rate. Ticks have slots, a period apart; after a late tick the slots that were
    missed are skipped, and not caught up with."""

    def __init__(self, tick_rate_hz: int) -> None:
        self._period = 1.0 / tick_rate_hz
        self._slot: float | None = None
        """When the next tick is due."""
        self._released = float("-inf")
        """When the results of the last tick were sent."""

    def spare_seconds(self) -> float:
        return 0.0 if self._slot is None else max(0.0, self._slot - monotonic())

    async def wait(self, stop: asyncio.Event) -> None:
        behind = 0.0 if self._slot is None else monotonic() - self._slot
        if behind > 0.0:
            self.late += 1
            over = int(behind / self._period)
            self.skipped += over
            self._slot = (self._slot or 0.0) + over * self._period
            await asyncio.sleep(0)  # read what came in, however late the tick is
        elif self._slot is None:
            self._slot = monotonic()
        else:
            await _sleep(-behind, stop)
        self._slot += self._period

    async def before_release(self, stop: asyncio.Event) -> None:
        """Keep half a period between two sends. After a late tick the next one is on time again, so
        agents would otherwise have no time to answer the first before the second comes."""
        early = self._released + self._period / 2 - monotonic()
        if early > 0.0:
            await _sleep(early, stop)
        self._released = monotonic()


class LockstepClock(Clock):
    """Ticks when every seat has moved, or has let its deadline pass."""

    def __init__(self, agents: Agents, move_deadline_seconds: float) -> None:
        self._agents = agents
        self._deadline_seconds = move_deadline_seconds

    async def wait(self, stop: asyncio.Event) -> None:
        await asyncio.sleep(0)
        try:
            async with asyncio.timeout(self._deadline_seconds):
                await self._all_moved(stop)
        except TimeoutError:
            self.late += self._agents.pass_moves()
            # If there was no seat to pass, the tick waits on for the first agent.
            await self._all_moved(stop)

    async def _all_moved(self, stop: asyncio.Event) -> None:
        while not self._agents.all_moved() and not stop.is_set():
            self._agents.changed.clear()
            await self._agents.changed.wait()


def make_clock(
    name: str,
    tick_rate_hz: int,
    agents: Agents,
    move_deadline_seconds: float = MOVE_DEADLINE_SECONDS,
) -> Clock:
    """Make the clock of this name for the agents of a world."""
    match name:
        case "real":
            return RealClock(tick_rate_hz)
        case "lockstep":
            return LockstepClock(agents, move_deadline_seconds)
        case "max":
            return Clock()
    raise ValueError(f"no clock is called {name}")


async def _sleep(seconds: float, stop: asyncio.Event) -> None:
    """Sleep, but not longer than until `stop` is set."""
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        pass
