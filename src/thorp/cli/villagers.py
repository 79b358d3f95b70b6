"""The demo village behind sockets: each villager has a connection of its own, all in one event loop. The
council of its city governs over HTTP."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import aiohttp
import msgspec

from thorp.bridges.village import Villager
from thorp.bridges.village.council import CityCouncil
from thorp.bridges.village.roster import ROSTER, villager
from thorp.client.connection import ClientError, Connection, hello
from thorp.protocol import PROTOCOL_VERSION, Catalog, Obs, Welcome
from thorp.protocol.handshake import LOCKSTEP

PATIENCE_SECONDS = 60.0
COUNCIL_SECONDS = 2.0
"""Between two looks at the city. A day has twenty minutes."""


async def run_village(
    url: str, tokens: Mapping[str, str], *, access_token: str | None, say: Callable[[str], None]
) -> None:
    """Let the villagers with these resume tokens live, until their connections are over."""
    council = CityCouncil()
    async with aiohttp.ClientSession() as http:
        governing = asyncio.create_task(_govern(http, url, access_token, council, say))
        try:
            async with asyncio.TaskGroup() as group:
                for name, token in tokens.items():
                    greeting = hello(name, token, delta_voxels=False, max_queue=0, title=ROSTER[name])
                    line = Connection(
                        http, url, greeting, access_token=access_token, patience_seconds=PATIENCE_SECONDS
                    )
                    group.create_task(_live(name, line, council, say))
        finally:
            governing.cancel()
            await asyncio.wait([governing])


async def _govern(
    http: aiohttp.ClientSession,
    url: str,
    access_token: str | None,
    council: CityCouncil,
    say: Callable[[str], None],
) -> None:
    """Let the council sit when the mayor calls it, each governor on a fresh snapshot."""
    server = url.removesuffix("/v1/ws").replace("ws", "http", 1)
    headers = {} if access_token is None else {"Authorization": f"Bearer {access_token}"}
    while True:
        await asyncio.sleep(COUNCIL_SECONDS)
        if not council.has_turn():
            continue
        try:
            async with http.get(f"{server}/v1/towns/{council.city}/snapshot", headers=headers) as answer:
                snapshot = await answer.json() if answer.status == 200 else None
            handoff = None if snapshot is None else council.handoff(snapshot)
            if handoff is not None:
                async with http.post(f"{server}/v1/handoffs", json=handoff, headers=headers) as answer:
                    await answer.read()
        except (aiohttp.ClientError, TimeoutError):
            pass  # the next look will do
        except Exception as problem:  # nor does anything else end the council
            say(f"the council: {problem!r}")


async def _live(name: str, line: Connection, council: CityCouncil, say: Callable[[str], None]) -> None:
    catalogs: dict[str, Any] = {}
    me: Villager | None = None
    lockstep = False
    try:
        async for message in line.messages():
            match message:
                case Catalog(part=1):
                    catalogs[message.name] = message.data
                case Catalog():
                    catalogs[message.name] += message.data
                case Welcome():
                    lockstep = message.world_params.clock == LOCKSTEP
                case Obs():
                    if me is None:
                        me = villager(name, catalogs)
                        council.mayor = me if me.trade == "mayor" else council.mayor
                    act = me.take(message)
                    if act is not None or lockstep:  # where an empty ACT is a pass
                        await line.send(_encode(message, act or {}))
    except ClientError as problem:
        say(f"{name}: {problem}")
    except Exception as problem:  # the others live on
        say(f"{name} has gone: {problem!r}")
    finally:
        await line.close()


def _encode(obs: Obs, act: dict[str, Any]) -> bytes:
    head = {"type": "ACT", "protocol_version": PROTOCOL_VERSION, "tick": obs.tick, "agent_id": obs.agent_id}
    return msgspec.json.encode({**head, **act})
