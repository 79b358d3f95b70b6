"""Runs many agents in one event loop; none of them waits for another.

In real time each lives as soon as it is in. In lockstep they begin together: the first one holds the world's
tick while the others knock, one after the other, so that all of them join in the next one, in their order.
The same run in the same world is then the same to the tick.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from thorp.client import Agent, ClientError, Unreachable, connect
from thorp.client.trace import Writable
from thorp.protocol.handshake import LOCKSTEP

ARRIVAL_SECONDS: Final = 0.01
"""Between two newcomers in real time: they do not all knock in the same moment."""
SETTLE_SECONDS: Final = 1.0
"""How long a server may take to hear a knock. Those whom it does not let in knock again after as long."""
MAX_KNOCKS: Final = 120
"""A server lets in so many new bodies at once, and then some each second."""


class Resident(Protocol):
    name: str
    title: str
    """What it is, for those who watch."""

    async def live(self, agent: Agent) -> None:
        """Live, and return when there is nothing more to be done."""


async def run_agents(
    url: str,
    residents: Sequence[Resident],
    *,
    access_token: str | None = None,
    keep: bool = False,
    stay: bool = False,
    trace: Writable | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> None:
    """Let them live until each is done; those who are done idle until then, with `stay` until cancelled.

    Bodies are retired at the end unless they are to be kept. An agent whose connection ends is told of, and
    the others live on; if all of them end so, the last reason is raised. Other errors end them all.
    """
    inside, finished, problems = set[str](), set[str](), list[ClientError]()
    knocked = [asyncio.Event() for _ in residents]
    first_in, everyone_in, over = asyncio.Event(), asyncio.Event(), asyncio.Event()
    lockstep = False

    def arrived(name: str) -> None:
        inside.add(name)
        if len(inside) == len(residents):
            everyone_in.set()

    def done(name: str) -> None:
        finished.add(name)
        if len(finished) == len(residents) and not stay:
            over.set()

    async def begin(agent: Agent) -> None:
        """In lockstep, hold the tick until all have knocked, and let it pass until everyone is in."""
        while lockstep and not everyone_in.is_set():
            await knocked[-1].wait()
            try:
                await asyncio.wait_for(everyone_in.wait(), SETTLE_SECONDS)
            except TimeoutError:
                await agent.act()

    async def live(number: int, resident: Resident) -> None:
        nonlocal lockstep
        async with connect(
            url, resident.name, title=resident.title, access_token=access_token, delta_voxels=False,
            trace=trace, greeted=knocked[number],
        ) as agent:  # fmt: skip
            lockstep = agent.welcome is not None and agent.welcome.world_params.clock == LOCKSTEP
            arrived(resident.name)
            first_in.set()
            try:
                await begin(agent)
                await resident.live(agent)
                done(resident.name)
                while not over.is_set():
                    await agent.observe()
            finally:
                if not keep:
                    await agent.retire()

    async def come(number: int, resident: Resident) -> None:
        """Wait for one's turn, knock, again if the server lets only some newcomers in at a time, and live."""
        if number:
            await first_in.wait()
            await (knocked[number - 1].wait() if lockstep else asyncio.sleep(number * ARRIVAL_SECONDS))
        for knocks in range(1, MAX_KNOCKS + 1):
            try:
                await live(number, resident)
                return
            except ClientError as problem:
                may_wait = isinstance(problem, Unreachable) and inside and resident.name not in inside
                if not may_wait or knocks == MAX_KNOCKS:
                    problems.append(problem)
                    break
            await asyncio.sleep(SETTLE_SECONDS)
        if inside:
            say(f"{resident.name}: {problems[-1]}")
            arrived(resident.name)  # nobody waits for it any more
        knocked[number].set()
        first_in.set()
        done(resident.name)

    crew = [asyncio.create_task(come(number, resident)) for number, resident in enumerate(residents)]
    try:
        await asyncio.gather(*crew)
    finally:
        for task in crew:
            task.cancel()
        await asyncio.gather(*crew, return_exceptions=True)
    if len(problems) == len(residents):
        raise problems[-1]
