"""Bots that live in a world, made with nothing but the agent kit, and running many of them at once.

A bot is a coroutine that takes an agent and its own randomness, and goes on until the connection is over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import cycle, islice
from random import Random
from typing import Final

from thorp.client import connect
from thorp.client.agent import Agent
from thorp.client.bots.farmer import farm
from thorp.client.bots.lumberjack import build_huts
from thorp.client.bots.wanderer import wander
from thorp.client.connection import ClientError
from thorp.client.trace import Writable

__all__ = ["BOTS", "Bot", "build_huts", "farm", "run_bots", "wander"]

Bot = Callable[[Agent, Random], Awaitable[None]]

BOTS: Final[dict[str, Bot]] = {"wanderer": wander, "lumberjack": build_huts, "farmer": farm}
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
    """Run `count` bots in one event loop, of each kind in turn, until their connections are over.

    Bots that are stopped retire their bodies, unless they `keep` them. `say` is told of each bot that ends.
    If none of them ever got in, the last reason is raised, once.
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
