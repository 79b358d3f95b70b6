"""The towns of a data directory over HTTP: their snapshots, and the handoffs of their governors.

A handoff is answered when its answer is durable, whatever the answer is; only what is no handoff is refused.
Databases wait in threads, never in the loop that ticks.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from aiohttp import web

from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import ContractError, InvalidError, LimitError, ThorpError
from thorp.server.requests import MAX_BODY_BYTES, Refused, read_body
from thorp.town import EmbeddedTown
from thorp.town.embedded.lines import error_document, read_document
from thorp.town.world import UnknownTown


class Towns:
    """The town world of a directory, opened when it is first asked for."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._world: EmbeddedTown | None = None
        self._opening = asyncio.Lock()

    async def snapshot(self, request: web.Request) -> web.Response:
        """One town as governors see it."""
        world = await self._open()
        try:
            return _answer(await asyncio.to_thread(world.snapshot, request.match_info["town"]))
        except UnknownTown as problem:
            raise Refused(404, problem.code, problem.message) from None
        except InvalidError as problem:
            raise Refused(400, problem.code, problem.message) from None

    async def execute(self, request: web.Request) -> web.Response:
        """What became of a handoff."""
        body = await _body(request)
        world = await self._open()
        try:
            pending = await asyncio.to_thread(lambda: world.submit(read_document(body)))
        except (ContractError, InvalidError, LimitError) as problem:
            raise _refused(problem) from None
        return _answer(await asyncio.wrap_future(pending))

    async def close(self) -> None:
        if self._world is not None:
            await asyncio.to_thread(self._world.close)

    async def _open(self) -> EmbeddedTown:
        async with self._opening:
            if self._world is None:
                self._world = await asyncio.to_thread(EmbeddedTown, self._data)
            return self._world


async def _body(request: web.Request) -> bytes:
    try:
        return await read_body(request)
    except web.HTTPRequestEntityTooLarge:
        raise Refused(413, "too_large", f"a body has at most {MAX_BODY_BYTES} bytes") from None


def _refused(problem: ThorpError) -> Refused:
    told = error_document(problem)["error"]
    return Refused(400, told["code"], {key: value for key, value in told.items() if key != "code"})


def _answer(document: dict[str, Json]) -> web.Response:
    return web.Response(body=insertion_bytes(document), content_type="application/json")
