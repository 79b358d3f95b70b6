"""The demo village behind sockets: each villager has a connection of its own, all in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import aiohttp
import msgspec

from thorp.bridges.village import Notebook, Villager
from thorp.bridges.village.roster import villager
from thorp.client.errors import ClientError
from thorp.client.line import Line, hello
from thorp.protocol import PROTOCOL_VERSION, Catalog, Obs

PATIENCE_SECONDS = 60.0


async def run_village(
    url: str, tokens: Mapping[str, str], *, access_token: str | None, say: Callable[[str], None]
) -> None:
    """Let the villagers with these resume tokens live, until their connections are over."""
    notebook = Notebook()
    async with aiohttp.ClientSession() as http, asyncio.TaskGroup() as group:
        for name, token in tokens.items():
            greeting = hello(name, token, delta_voxels=False, max_queue=0)
            line = Line(http, url, greeting, access_token=access_token, patience_seconds=PATIENCE_SECONDS)
            group.create_task(_live(name, line, notebook, say))


async def _live(name: str, line: Line, notebook: Notebook, say: Callable[[str], None]) -> None:
    catalogs: dict[str, Any] = {}
    me: Villager | None = None
    try:
        async for message in line.messages():
            match message:
                case Catalog(part=1):
                    catalogs[message.name] = message.data
                case Catalog():
                    catalogs[message.name] += message.data
                case Obs():
                    me = me or villager(name, notebook, catalogs)
                    act = me.take(message)
                    if act is not None:
                        await line.send(_encode(message, act))
    except ClientError as problem:
        say(f"{name}: {problem}")
    finally:
        await line.close()


def _encode(obs: Obs, act: dict[str, list[Any]]) -> bytes:
    head = {"type": "ACT", "protocol_version": PROTOCOL_VERSION, "tick": obs.tick, "agent_id": obs.agent_id}
    return msgspec.json.encode({**head, **act})
