"""Makes films for the page: *Send this…* asks for the size of a film, and then for the film.

A film is made by `thorp world film`, in a process of its own at low priority, one at a time. What
it holds is what anybody may see who watches: nothing private is ever in a film that is made here,
whoever asks.
"""

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated, Final

import msgspec
from aiohttp import web

from thorp.observer.film import MAX_CHUNKS, SEEN_CHUNKS, Scope, check_length
from thorp.pages.scripts import FILM, read_script
from thorp.server.access.requests import PRIVATE, Refused, json_response, query_number
from thorp.server.http.openapi import Parameter
from thorp.server.http.stage import Stage
from thorp.server.processes.background import run_in_background
from thorp.voxel import World

# Nothing that is asked for by a page may keep a core busy for longer.
MAX_SECONDS: Final = 600.0
# How many may wait while one is made; each waiting request holds a connection.
MAX_WAITING: Final = 4
# What a chunk of ground takes when it is compressed, with all its ores.
CHUNK_BYTES: Final = 500
# Society, marks, buildings, decisions, and the story of a day.
PAPERS_BYTES: Final = 60_000

STRETCH: Final = (
    Parameter("from", Annotated[int, msgspec.Meta(ge=1)], "The first tick."),
    Parameter("to", Annotated[int, msgspec.Meta(ge=1)], "The last tick."),
)


class FilmSize(msgspec.Struct):
    """How long a film would be."""

    first: int
    last: int
    bytes: int
    """About how many the file would have."""


class Films:
    """The handlers of the routes for films."""

    def __init__(self, data: Path, stage: Stage) -> None:
        self._data = data
        self._stage = stage
        self._one_at_a_time = asyncio.Lock()
        self._waiting = 0

    async def size(self, request: web.Request) -> web.Response:
        """About how many bytes a film of these ticks would have."""
        scope = self._scope(request)
        segments = await self._stage.require_tape().packed_bytes(scope.first, scope.last)
        ground = CHUNK_BYTES * _seen_chunks(self._stage.require_live().service.world)
        documents = segments + ground + PAPERS_BYTES
        whole = len(read_script(FILM)) + documents * 4 // 3  # base64
        return json_response(FilmSize(scope.first, scope.last, whole))

    async def film(self, request: web.Request) -> web.Response:
        """A film of these ticks: one HTML file that plays them without a network."""
        scope = self._scope(request)
        if self._waiting >= MAX_WAITING:
            raise Refused(503, "busy", "other films are being made; ask again in a minute")
        self._waiting += 1
        try:
            async with self._one_at_a_time, asyncio.timeout(MAX_SECONDS):
                content = await self._make(scope)
        except TimeoutError:
            why = f"making it took longer than {MAX_SECONDS:.0f} s; choose a shorter stretch"
            raise Refused(503, "slow", why) from None
        finally:
            self._waiting -= 1
        name = f"thorp-{scope.first}-{scope.last}.html"
        disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
        return web.Response(
            body=content,
            content_type="text/html",
            charset="utf-8",
            headers={**PRIVATE, **disposition, "X-Content-Type-Options": "nosniff"},
        )

    def _scope(self, request: web.Request) -> Scope:
        """The ticks that a request asks for. Refuses those that have not come."""
        tick = self._stage.require_live().service.world.tick
        last = query_number(request, "to")
        first = query_number(request, "from")
        if first is None or last is None or last > tick:
            raise Refused(400, "range", f"give from and to: ticks from 1 to {tick}")
        scope = Scope(first=first, last=last)
        check_length(scope)
        return scope

    async def _make(self, scope: Scope) -> bytes:
        """Have a process make a film."""
        with tempfile.TemporaryDirectory() as directory:
            out = Path(directory) / "film.html"
            stretch = ("--from", str(scope.first), "--to", str(scope.last))
            ended = await run_in_background(
                *("world", "film", "--data", str(self._data)),
                *(*stretch, "--out", str(out), "--quiet"),
            )
            if not ended.is_done:
                raise Refused(409, "film", ended.problem or "it could not be made")
            return await asyncio.to_thread(out.read_bytes)


def _seen_chunks(world: World) -> int:
    """How many chunks lie around the bodies of a world, as far as a film holds them."""
    span = range(-SEEN_CHUNKS, SEEN_CHUNKS + 1)
    middles = {(agent.x >> 4, agent.z >> 4) for agent in world.agents}
    seen: set[tuple[int, int]] = set()
    for cx, cz in middles:
        seen.update((cx + dx, cz + dz) for dz in span for dx in span)
        if len(seen) >= MAX_CHUNKS:
            return MAX_CHUNKS
    return len(seen)
