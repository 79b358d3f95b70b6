"""Runs many agents in one event loop; none of them waits for another.

In real time each one lives as soon as it is in. In lockstep they begin together: the first one
holds the world's tick while the others knock in their order, so that all of them join in the next
tick. The same run in the same world is then the same to the tick.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from thorp.client import connect
from thorp.client.agent import Agent
from thorp.client.errors import ClientError, Unreachable
from thorp.protocol.handshake import LOCKSTEP

# Between two newcomers in real time, so that they do not all knock in the same moment.
ARRIVAL_SECONDS: Final = 0.01
# How long a server may take to hear a knock, and the pause before a refused agent knocks again.
SETTLE_SECONDS: Final = 1.0
# A server lets in a burst of new bodies, and then a few each second.
MAX_KNOCKS: Final = 120


class Resident(Protocol):
    """Somebody who lives in a world over a connection of their own."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str:
        """What it is, in a word or two for viewers."""

    async def live(self, agent: Agent) -> None:
        """Live, and return when there is nothing more to be done."""


async def run_agents(
    url: str,
    residents: Sequence[Resident],
    *,
    keep: bool = False,
    stay: bool = False,
    say: Callable[[str], None] = lambda text: None,
    **options: Any,
) -> None:
    """Let all residents live until each is done.

    A resident that is done idles until the others are, or with `stay` until it is cancelled.
    Bodies are retired at the end, except with `keep`. When one connection ends for good, `say` gets
    the reason and the others live on; if nobody ever got in, the last reason is raised. Any other
    error ends them all. Further options are those of `connect`, but for `fresh`: bodies are new
    ones unless it is said otherwise.
    """
    options = {"delta_voxels": False, "fresh": True, **options}
    crew = _Crew(url, residents, keep=keep, stay=stay, say=say, options=options)
    lives = [asyncio.create_task(crew.come(number)) for number in range(len(residents))]
    try:
        await asyncio.gather(*lives)
    finally:
        for task in lives:
            task.cancel()
        await asyncio.gather(*lives, return_exceptions=True)
    if crew.problem is not None and not crew.came_in:
        raise crew.problem


class _Crew:
    """The residents of one run, and what they wait for together."""

    def __init__(
        self,
        url: str,
        residents: Sequence[Resident],
        *,
        keep: bool,
        stay: bool,
        say: Callable[[str], None],
        options: Mapping[str, Any],
    ) -> None:
        self._url = url
        self._residents = residents
        self._options = options
        self._keep = keep
        self._say = say
        self._knocked = [asyncio.Event() for _ in residents]
        self._first_in = asyncio.Event()
        self._over = asyncio.Event()
        self._everyone_in = asyncio.Event()
        self._awaited = set(range(len(residents)))
        self._unfinished = set(range(len(residents) + stay))
        self._lockstep = False
        self.came_in = set[int]()
        self.problem: ClientError | None = None

    async def come(self, number: int) -> None:
        """Bring one resident in when it is its turn, and let it live.

        A server lets in only a few newcomers at a time, so one that is refused knocks again.
        """
        name = self._residents[number].name
        if number:
            await self._first_in.wait()
            before = self._knocked[number - 1]
            await (before.wait() if self._lockstep else asyncio.sleep(number * ARRIVAL_SECONDS))
        for knocks in range(1, MAX_KNOCKS + 1):
            try:
                await self._live(number)
                return
            except ClientError as problem:
                self.problem = problem
                may_wait = (
                    isinstance(problem, Unreachable) and self.came_in and number not in self.came_in
                )
                if not may_wait or knocks == MAX_KNOCKS:
                    break
            await asyncio.sleep(SETTLE_SECONDS)
        if self.came_in:
            self._say(f"{name}: {self.problem}")
        self._knocked[number].set()
        self._first_in.set()
        _strike(number, self._awaited, self._everyone_in)
        _strike(number, self._unfinished, self._over)

    async def _live(self, number: int) -> None:
        resident = self._residents[number]
        async with connect(
            self._url,
            resident.name,
            title=resident.title,
            greeted=self._knocked[number],
            **self._options,
        ) as agent:
            self._lockstep = (
                agent.welcome is not None and agent.welcome.world_params.clock == LOCKSTEP
            )
            self.came_in.add(number)
            self._first_in.set()
            _strike(number, self._awaited, self._everyone_in)
            try:
                await self._begin(agent)
                await resident.live(agent)
                _strike(number, self._unfinished, self._over)
                while not self._over.is_set():
                    await agent.observe()
            finally:
                if not self._keep:
                    await agent.retire()

    async def _begin(self, agent: Agent) -> None:
        """In lockstep, hold the tick until all have knocked; then let ticks pass until everyone is
        in."""
        while self._lockstep and self._awaited:
            await self._knocked[-1].wait()
            try:
                await asyncio.wait_for(self._everyone_in.wait(), SETTLE_SECONDS)
            except TimeoutError:
                await agent.act()


def _strike(number: int, left: set[int], none_left: asyncio.Event) -> None:
    """Take a number off those that are waited for, and set the event after the last one."""
    left.discard(number)
    if not left:
        none_left.set()
