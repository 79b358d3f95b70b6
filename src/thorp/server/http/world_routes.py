"""Serves the live world over HTTP to agents and operators: the agents' WebSocket, the state,
snapshots, bodies, and the files that a follower copies."""

import asyncio
from contextlib import closing, suppress
from typing import Final

import msgspec
from aiohttp import web

from thorp import __version__
from thorp.server.access.principals import Principals, is_confidential
from thorp.server.access.requests import PRIVATE, Refused, json_response, query_number, read_json
from thorp.server.access.tokens import Permission
from thorp.server.http import bodies, metrics
from thorp.server.http.event_streams import EventStream
from thorp.server.http.stage import Stage
from thorp.server.http.upgrade import refuse_plain_http, wants_socket
from thorp.server.live.request_queue import in_time
from thorp.voxel.replica import list_files, open_file

SNAPSHOT_SECONDS: Final = 5.0
# After this long without news the stream ends; a follower waits longer before it gives up.
SILENT_SECONDS: Final = 15.0
# How much is read and sent at once: a tick of a thousand agents, many times over.
STEP_BYTES: Final = 2**20
# What a tick has just written is still in the system's memory: up to this much is read right here,
# which is quicker than handing it to a thread.
FRESH_BYTES: Final = 2**18
_FILE_HEADERS: Final = {"Content-Type": "application/octet-stream", **PRIVATE}


class WorldRoutes:
    """The handlers of the world's routes. Each is refused with 503 until the world is played."""

    def __init__(self, stage: Stage, principals: Principals) -> None:
        self._stage = stage
        self._principals = principals

    async def agents_socket(self, request: web.Request) -> web.StreamResponse:
        """Play as an agent: a WebSocket with the messages of `/asyncapi.json`."""
        if not wants_socket(request):
            return refuse_plain_http()
        unlimited = self._principals.role_of(request).may(Permission.GOVERN)
        return await self._stage.require_live().agents.serve(request, unlimited=unlimited)

    async def state(self, request: web.Request) -> web.Response:
        """The metrics of the world as JSON, and the goods of its society by item."""
        return json_response(metrics.state(self._stage.require_live()))

    async def snapshot(self, request: web.Request) -> web.Response:
        """Write a snapshot of the world as it is after the last tick."""
        live = self._stage.require_live()
        await read_json(request)
        tick = live.service.world.tick
        try:
            async with asyncio.timeout(SNAPSHOT_SECONDS):
                await asyncio.wrap_future(live.service.snapshot())
        except TimeoutError:
            problem = f"not done after {SNAPSHOT_SECONDS:.0f} s; it goes on"
        except Exception as error:
            problem = str(error)
        else:
            return json_response({"ok": True, "tick": tick})
        return json_response({"ok": False, "tick": tick, "error": problem}, 503)

    async def list_bodies(self, request: web.Request) -> web.Response:
        """List all bodies of the world, and how long their owners have been away."""
        return json_response(bodies.listing(self._stage.require_live().service.world))

    async def rescue(self, request: web.Request) -> web.Response:
        """Give a body a fresh resume token, for an owner that lost its own. Earlier tokens are
        void."""
        return await self._carry_out(bodies.rescue, request)

    async def retire(self, request: web.Request) -> web.Response:
        """Remove a body whose owner is away, unless something in the world depends on it."""
        return await self._carry_out(bodies.retire, request)

    async def _carry_out(self, order: bodies.Order, request: web.Request) -> web.Response:
        """Carry out an order about one body, and answer when that is durable."""
        live = self._stage.require_live()
        document = await read_json(request)
        try:
            who = msgspec.convert(document, bodies.Named).agent
        except msgspec.ValidationError:
            advice = 'agent: expected an id or a name, as in {"agent": "A3"}'
            raise Refused(400, "bad_order", advice) from None
        entry, answer = order(live.service.world, who)
        await in_time(live.agents.execute(entry))
        return json_response(answer)

    async def files(self, request: web.Request) -> web.Response:
        """The files of the world that a follower copies, with their durable sizes."""
        live = self._stage.require_live()
        return json_response(
            await asyncio.to_thread(list_files, live.service, _first(request), __version__)
        )

    async def file(self, request: web.Request) -> web.StreamResponse:
        """The durable bytes of one of these files; of the live segment also new ones, as ticks
        become durable."""
        live = self._stage.require_live()
        offset = _first(request) or 0
        readers = live.loop.followers
        with (
            readers.seat(),
            closing(
                await asyncio.to_thread(open_file, live.service, request.match_info["name"])
            ) as file,
        ):
            if offset > file.end()[0]:
                raise Refused(409, "set_back", f"only {file.end()[0]} bytes of it are durable")
            stream = EventStream(request, _FILE_HEADERS)
            await stream.response.prepare(request)
            while True:
                news = readers.news  # before the end is read, so that no tick is missed
                end, grows = file.end()
                while offset < end:
                    size = min(STEP_BYTES, end - offset)
                    fresh = grows and size <= FRESH_BYTES
                    piece = (
                        file.read(offset, size)
                        if fresh
                        else await asyncio.to_thread(file.read, offset, size)
                    )
                    if not await stream.send(piece):
                        return stream.response
                    offset += len(piece)
                if not grows or readers.closed:
                    return stream.response
                with suppress(TimeoutError):
                    async with asyncio.timeout(SILENT_SECONDS):
                        await news.wait()
                        continue
                return stream.response


def _first(request: web.Request) -> int | None:
    """The first tick or byte that a follower asks for. Refused where others could listen in."""
    if not is_confidential(request):
        raise Refused(
            403, "insecure", "a journal holds secrets: ask over TLS, or from this machine"
        )
    return query_number(request, "from", least=0)
