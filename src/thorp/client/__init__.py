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
from thorp.client.connection import Connection, agent_url, hello
from thorp.client.errors import ClientError, Gibberish, Rejected, UnknownName, Unreachable
from thorp.client.hearsay import Job, Plot
from thorp.client.people import Person
from thorp.client.token_file import TokenFile
from thorp.client.trace import Writable
from thorp.protocol.news import News
from thorp.protocol.outcome import Outcome

__all__ = [
    "Agent",
    "ClientError",
    "Gibberish",
    "Job",
    "News",
    "Outcome",
    "Person",
    "Plot",
    "Rejected",
    "UnknownName",
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
    fresh: bool = False,
    title: str = "",
    access_token: str | None = None,
    delta_voxels: bool = True,
    max_queue: int = 8,
    patience_seconds: float = 60,
    trace: Writable | None = None,
    greeted: asyncio.Event | None = None,
    connector: aiohttp.BaseConnector | None = None,
) -> AsyncIterator[Agent]:
    """Join the world at `url`, as the agent of this name that the last run of the program was.

    The resume token of that run is kept in the user's state directory. A `token` of yours wins over
    it. With `fresh` the body is a new one, and nothing is read or kept; it is so, too, where
    another program lives as this agent now. A connection that breaks is made anew, for up to
    `patience_seconds`; the body stays the same.

    `title` is what it is, in a word or two, for those who watch: "baker". `access_token` is what a
    server that is open to others asks of its callers. `trace` gets lines of JSON. `greeted` is set
    when the server has been asked, which in lockstep may be long before it lets anyone in. A
    `connector` of yours makes the connections, and stays open.
    """
    token_file = None if fresh else TokenFile(agent_url(url), name)
    kept = None if token_file is None else token_file.hold(quietly=bool(token))
    greeting = hello(
        name, token or kept, delta_voxels=delta_voxels, max_queue=max_queue, title=title
    )
    try:
        async with aiohttp.ClientSession(
            connector=connector, connector_owner=connector is None
        ) as http:
            line = Connection(
                http, url, greeting, access_token=access_token, patience_seconds=patience_seconds
            )
            line.greeted = greeted or line.greeted
            agent = Agent(line, trace, name=name, token_file=token_file)
            reader = asyncio.create_task(agent.live())
            try:
                await agent.ready()
                yield agent
            finally:
                reader.cancel()
                (ended,) = await asyncio.gather(reader, return_exceptions=True)
                await line.close()
    finally:
        if token_file is not None:
            token_file.close()
    if isinstance(ended, Exception):
        raise ended
