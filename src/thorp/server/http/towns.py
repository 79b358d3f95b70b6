"""Serves the towns of a data directory over HTTP: their snapshots, the handoffs of their governors,
and the keeper's routes, which `god` uses.

A town is a city of the live world, or else one of the embedded towns. A handoff is answered when
its result is durable, whatever that is; only a document that is not a valid handoff is refused.
Databases are waited for in threads, never in the loop that ticks.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from aiohttp import web

from thorp.bridges.voxel_town import knows, request_of, town_snapshot
from thorp.bridges.voxel_town.town import town_ids
from thorp.kernel.canonical import Json, insertion_bytes, read_text
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.server.access.requests import (
    MAX_SEED,
    Refused,
    document_response,
    query_number,
    read_document_body,
)
from thorp.server.http.stage import Stage
from thorp.server.http.verification import VERIFIER
from thorp.server.live.tick_loop import TickLoop
from thorp.store import ConnectionLost
from thorp.town import EmbeddedTown
from thorp.town.handoff import checked_handoff
from thorp.town.handoff_judge import UnknownTown
from thorp.town.orders import CreateTown, KeeperOrder, TownOrder
from thorp.town.result import engine_result
from thorp.voxel import World

# As many entries as `god chronicle` shows without an option.
ENTRIES_SHOWN: Final = 20

Watcher = Callable[[Json, Json], None]
"""Is called with a handoff that was answered, and its result."""


class Towns:
    """The towns of a directory: the cities of its live world, when there is one, and the embedded
    towns, opened when they are first asked for."""

    def __init__(self, stage: Stage, data: Path, database: str | None = None) -> None:
        """Embedded towns are in the directory too, unless the URL of a database is given."""
        self._stage = stage
        self._where: str | Path = database or data
        self._world: EmbeddedTown | None = None
        self._opening = asyncio.Lock()
        """Held while the world of embedded towns is opened, so that it is opened once."""
        self._watchers: list[Watcher] = []

    @property
    def _loop(self) -> TickLoop | None:
        """The tick loop of the voxel world, if one is being played. Whoever shows its state waits
        for its `durable` first."""
        live = self._stage.live
        return None if live is None else live.loop

    @contextmanager
    def watched(self, watcher: Watcher) -> Iterator[None]:
        """Have `watcher` called with every handoff that is answered while this lasts."""
        self._watchers.append(watcher)
        try:
            yield
        finally:
            self._watchers.remove(watcher)

    async def snapshot(self, request: web.Request) -> web.Response:
        """A town as its governors see it."""
        town = request.match_info["town"]
        loop = self._loop
        if loop is not None:
            await loop.durable.wait()
            city = town_snapshot(loop.service.world, town)
            if city is not None and loop.failure is not None:
                raise Refused(503, "stopped", f"the world has stopped: {loop.failure}")
            if city is not None:
                return _answer(city)
        world = await self.existing()
        try:
            if world is None:
                raise UnknownTown(town)
            return _answer(await asyncio.to_thread(world.snapshot, town))
        except UnknownTown as problem:
            if self._loop is None:
                raise _not_ready() from None
            raise Refused(404, problem.code, problem.message) from None
        except InvalidError as problem:
            raise Refused(400, problem.code, problem.message) from None

    async def execute(self, request: web.Request) -> web.Response:
        """Execute a handoff. The answer is its result, accepted or rejected, once that is
        durable."""
        handoff = await read_document_body(request)
        result = await self._judged(handoff)
        for watcher in self._watchers:
            watcher(handoff, result)
        return _answer(result)

    async def _judged(self, document: Json) -> dict[str, Json]:
        """The result of a handoff, whichever world its town is in. Refuses an invalid one.

        A city of the live world comes first, also for a key that it has answered before. Then come
        the embedded towns. A town that neither knows is rejected as unknown, but only once the live
        world is open, since the town may be in it.
        """
        town, key = _town_and_key(document)
        loop = self._loop
        if loop is not None and knows(loop.service.world, town, key):
            answer = await loop.requests.ask(await asyncio.to_thread(request_of, document))
            result: dict[str, Json] = read_text(answer.encode())
            return result
        world = await self.existing()
        if world is not None and (
            self._loop is not None or await asyncio.to_thread(_knows, world, town)
        ):
            try:
                return await asyncio.wrap_future(await asyncio.to_thread(world.submit, document))
            except ConnectionLost:
                # Safe to send again: if the first attempt was committed, its key finds the result.
                return await asyncio.wrap_future(await asyncio.to_thread(world.submit, document))
        _, handoff = await asyncio.to_thread(checked_handoff, document)
        if self._loop is None:
            raise _not_ready()
        return engine_result(handoff, "rejected", "UNKNOWN_TOWN")

    async def close(self) -> None:
        """Close the world of embedded towns, if it was opened."""
        if self._world is not None:
            await asyncio.to_thread(self._world.close)

    async def existing(self) -> EmbeddedTown | None:
        """The world of embedded towns; None if there is none."""
        try:
            return await self.open(create=False)
        except IllegalError as problem:
            if problem.code == "no_world":
                return None
            raise

    async def open(self, *, seed: int | None = None, create: bool = True) -> EmbeddedTown:
        """The world of embedded towns, created if there is none. Refuses a seed other than its
        own."""
        async with self._opening:
            if self._world is None or seed is not None:
                opened = await asyncio.to_thread(
                    EmbeddedTown, self._where, seed=seed, create=create
                )
                if self._world is None:
                    self._world = opened
                else:
                    await asyncio.to_thread(opened.close)
            return self._world

    # The routes of the keeper

    async def listing(self, request: web.Request) -> web.Response:
        """List the towns, with seed, day and journal of the world that keeps embedded ones, if
        there is one."""
        world = await self.existing()
        loop = self._loop
        living = []
        if loop is not None:
            await loop.durable.wait()
            living = [
                _summary(loop.service.world, town_id) for town_id in town_ids(loop.service.world)
            ]
        elif world is None:
            raise Refused(
                503, "not_ready", "the world is being opened, and may have towns; come again"
            )
        if world is None:
            return document_response({"world": None, "towns": living})
        row, (records, tip), towns = await asyncio.to_thread(
            lambda: (world.world(), world.tip(), world.summaries())
        )
        about = {**row._asdict(), "seed": str(row.seed), "records": records, "tip": tip}
        return document_response({"world": about, "towns": [*living, *towns]})

    async def state(self, request: web.Request) -> web.Response:
        """The whole state of a town."""
        town_id = request.match_info["town"]
        world = await self._embedded(town_id)
        return document_response(msgspec.to_builtins(await asyncio.to_thread(world.town, town_id)))

    async def proposals(self, request: web.Request) -> web.Response:
        """The latest proposals for a town that were accepted."""
        town_id = request.match_info["town"]
        world = await self._embedded(town_id)
        return document_response(await asyncio.to_thread(world.proposals, town_id))

    async def chronicle(self, request: web.Request) -> web.Response:
        """What happened lately, in one town or in all."""
        town_id = request.query.get("town")
        kind = request.query.get("kind")
        limit = query_number(request, "limit", least=0)
        most = ENTRIES_SHOWN if limit is None else limit
        world = await self._embedded(town_id)
        entries = await asyncio.to_thread(world.chronicle, town_id, limit=most, kind=kind)
        return document_response(msgspec.to_builtins(entries))

    async def order(self, request: web.Request) -> web.Response:
        """Execute one order of the keeper. The first `create_town` creates the world, with `seed`
        if that is given."""
        document = await read_document_body(request)
        try:
            order = msgspec.convert(document, KeeperOrder)
        except (msgspec.ValidationError, UnicodeError) as problem:
            raise InvalidError(str(problem), code="order") from None
        if isinstance(order, CreateTown):
            self._refuse_living(order.town_id)
            world = await self.open(
                seed=query_number(request, "seed", least=-MAX_SEED, most=MAX_SEED)
            )
        else:
            world = await self._embedded(order.town_id if isinstance(order, TownOrder) else None)
        return document_response(
            msgspec.to_builtins(await asyncio.to_thread(world.execute_order, order))
        )

    async def verify(self, request: web.Request) -> web.Response:
        """Replay the journal of the embedded towns, and compare everything with it."""
        await self._embedded(None)
        return document_response(
            await request.app[VERIFIER].verify("towns", request.query.get("tip"))
        )

    async def _embedded(self, town_id: str | None) -> EmbeddedTown:
        """The world of embedded towns. Refuses a town that is a city of the voxel world."""
        self._refuse_living(town_id)
        return await self.open(create=False)

    def _refuse_living(self, town_id: str | None) -> None:
        """Refuse a city of the voxel world: it has its own days, chronicle and quests, which no
        keeper changes."""
        loop = self._loop
        if town_id is not None and loop is not None and knows(loop.service.world, town_id):
            raise IllegalError(
                f"{town_id} is a city of the voxel world, where no keeper decrees; look with `god "
                "snapshot`, and govern it with `thorp town propose`, `handoff` and `execute`",
                code="living_town",
            )


def _summary(world: World, town_id: str) -> dict[str, Json]:
    """What a list says about a city: the members of `thorp.town.embedded.projection.summary`, and
    its name."""
    org = world.orgs[town_id]
    seen = town_snapshot(world, town_id)
    assert seen is not None
    summary = {"townId": town_id, "day": seen["day"], "population": len(org.members)}
    return {**summary, "pressure": seen["pressure"], "name": org.name}


def _town_and_key(document: Json) -> tuple[object, object]:
    """The town and the key of a document that may be a handoff; None for what it lacks."""
    proposal = document.get("proposal") if isinstance(document, dict) else None
    town = proposal.get("townId") if isinstance(proposal, dict) else None
    return town, document.get("idempotencyKey") if isinstance(document, dict) else None


def _knows(world: EmbeddedTown, town: object) -> bool:
    try:
        return isinstance(town, str) and bool(world.town(town))
    except (UnknownTown, InvalidError):
        return False


def _not_ready() -> Refused:
    return Refused(
        503, "not_ready", "the world is being opened, and the town may be in it; come again"
    )


def _answer(document: dict[str, Json]) -> web.Response:
    return web.Response(body=insertion_bytes(document), content_type="application/json")
