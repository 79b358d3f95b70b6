"""Many bots at once, each with a connection of its own, in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from random import Random
from typing import Final

from thorp.client import connect
from thorp.client.bots import BOTS
from thorp.client.connection import ClientError
from thorp.client.trace import Writable

# Newcomers do not all knock in the same moment.
ARRIVAL_SECONDS: Final = 0.01


async def run_bots(
    url: str,
    count: int,
    kinds: Sequence[str] = tuple(BOTS),
    *,
    access_token: str | None = None,
    keep: bool = True,
    trace: Writable | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> None:
    """Let so many bots live in a world, of each kind in turn, until their connections are over.

    Those that are stopped retire their bodies, unless they `keep` them. `say` hears of each bot that ends. If
    none of them ever came in, the last reason is raised, once.
    """
    came_in = 0
    last: ClientError | None = None

    async def live(name: str, kind: str, number: int) -> None:
        nonlocal came_in, last
        await asyncio.sleep(number * ARRIVAL_SECONDS)
        try:
            async with connect(url, name, access_token=access_token, trace=trace) as agent:
                came_in += 1
                try:
                    await BOTS[kind](agent, Random(name))
                finally:
                    if not keep:
                        await agent.retire()
        except ClientError as problem:
            last = problem
            if came_in:
                say(f"{name}: {problem}")

    async with asyncio.TaskGroup() as crew:
        for number, kind in enumerate(islice(cycle(kinds), count)):
            crew.create_task(live(f"{kind}-{number + 1}", kind, number))
    if not came_in and last is not None:
        raise last
