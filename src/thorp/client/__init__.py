"""The agent kit: what a Python author of agents imports.

async with thorp.client.connect("ws://127.0.0.1:8080/v1/ws", "mole") as agent:
    tree = agent.find("LOG")
    if tree and await agent.do(move_to(tree)):
        print(await agent.do(mine(tree)))
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp

from thorp.client import actions
from thorp.client.actions import *  # noqa: F403
from thorp.client.agent import Agent
from thorp.client.connection import Connection, hello
from thorp.client.errors import ClientError, Gibberish, Rejected, Unreachable
from thorp.client.trace import Writable
from thorp.protocol.news import News
from thorp.protocol.outcome import Outcome

__all__ = [
    "Agent",
    "ClientError",
    "Gibberish",
    "News",
    "Outcome",
    "Rejected",
    "Unreachable",
    "bots",  # noqa: F405
    "connect",
    "http",  # noqa: F405
]
__all__ += actions.__all__


@asynccontextmanager
async def connect(
    url: str,
    name: str,
    token: str | None = None,
    *,
    title: str = "",
    access_token: str | None = None,
    delta_voxels: bool = True,
    max_queue: int = 8,
    patience_seconds: float = 60,
    trace: Writable | None = None,
    greeted: asyncio.Event | None = None,
    connector: aiohttp.BaseConnector | None = None,
) -> AsyncIterator[Agent]:
    """Join the world at `url`, or come back to it with the resume `token` of an earlier connection.

    `title` is what it is, in a word or two, for those who watch: "baker". A connection that breaks
    is made anew, for up to `patience_seconds`; the body stays the same. `access_token` is what a
    server that is open to others asks of its callers. `trace` gets lines of JSON. `greeted` is set
    when the server has been asked, which in lockstep may be long before it lets anyone in. A
    `connector` of yours makes the connections, and stays open.
    """
    greeting = hello(name, token, delta_voxels=delta_voxels, max_queue=max_queue, title=title)
    async with aiohttp.ClientSession(
        connector=connector, connector_owner=connector is None
    ) as http:
        line = Connection(
            http, url, greeting, access_token=access_token, patience_seconds=patience_seconds
        )
        line.greeted = greeted or line.greeted
        agent = Agent(line, trace)
        reader = asyncio.create_task(agent.live())
        try:
            await agent.ready()
            yield agent
        finally:
            reader.cancel()
            (ended,) = await asyncio.gather(reader, return_exceptions=True)
            await line.close()
    if isinstance(ended, Exception):
        raise ended
