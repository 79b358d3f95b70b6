"""The keeper's routes of towns, as `god` uses them: list and inspect towns, give orders, verify.

An order has the same effect as on the command line without a server. A city of the voxel world is governed
there, and takes no orders.
"""

import asyncio
from typing import Final

import msgspec
from aiohttp import web

from thorp.kernel.errors import IllegalError, InvalidError
from thorp.server.requests import Refused, document_response, query_number, read_document_body
from thorp.server.towns import Towns
from thorp.server.verification import Verifier
from thorp.town.orders import CreateTown, KeeperOrder, TownOrder
from thorp.town.service import EmbeddedTown

# As many entries as `god chronicle` shows without an option.
ENTRIES_SHOWN: Final = 20


class TownKeeper:
    """The handlers of these routes."""

    def __init__(self, towns: Towns, verifier: Verifier) -> None:
        self._towns = towns
        self._verifier = verifier

    async def listing(self, request: web.Request) -> web.Response:
        """List the towns, and tell seed, day and journal of the world that keeps them, if there is one."""
        world, live = await self._towns.existing(), self._towns.live
        living = [] if live is None else await live.summaries()
        if world is None:
            if live is None:
                raise Refused(503, "not_ready", "the world is being opened, and may have towns; come again")
            return document_response({"world": None, "towns": living})
        row, (records, tip), towns = await asyncio.to_thread(
            lambda: (world.world(), world.tip(), world.summaries())
        )
        about = {**row._asdict(), "seed": str(row.seed), "records": records, "tip": tip}
        return document_response({"world": about, "towns": [*living, *towns]})

    async def state(self, request: web.Request) -> web.Response:
        """Everything that is known of a town."""
        town_id = request.match_info["town"]
        world = await self._world(town_id)
        return document_response(msgspec.to_builtins(await asyncio.to_thread(world.town, town_id)))

    async def proposals(self, request: web.Request) -> web.Response:
        """The latest proposals for a town that were accepted."""
        town_id = request.match_info["town"]
        world = await self._world(town_id)
        return document_response(await asyncio.to_thread(world.proposals, town_id))

    async def chronicle(self, request: web.Request) -> web.Response:
        """What happened lately, in one town or in all."""
        town_id, kind = request.query.get("town"), request.query.get("kind")
        limit = query_number(request, "limit")
        most = ENTRIES_SHOWN if limit is None else limit
        world = await self._world(town_id)
        entries = await asyncio.to_thread(world.chronicle, town_id, limit=most, kind=kind)
        return document_response(msgspec.to_builtins(entries))

    async def order(self, request: web.Request) -> web.Response:
        """Execute one order. The first `create_town` creates the world, with `seed` if it is given."""
        document = await read_document_body(request)
        try:
            order = msgspec.convert(document, KeeperOrder)
        except (msgspec.ValidationError, UnicodeError) as problem:
            raise InvalidError(str(problem), code="order") from None
        if isinstance(order, CreateTown):
            self._refuse_living(order.town_id)
            world = await self._towns.open(seed=query_number(request, "seed"))
        else:
            world = await self._world(order.town_id if isinstance(order, TownOrder) else None)
        return document_response(msgspec.to_builtins(await asyncio.to_thread(world.execute_order, order)))

    async def verify(self, request: web.Request) -> web.Response:
        """Replay the journal, and compare everything with it."""
        await self._world(None)
        return document_response(await self._verifier.verify("towns", request.query.get("tip")))

    async def _world(self, town_id: str | None) -> EmbeddedTown:
        """The world of embedded towns. Refuses a town that is a city of the voxel world."""
        self._refuse_living(town_id)
        return await self._towns.open(create=False)

    def _refuse_living(self, town_id: str | None) -> None:
        """A city of the voxel world has its own days, chronicle and quests, which no keeper changes."""
        if town_id is not None and self._towns.live is not None and self._towns.live.knows(town_id):
            advice = (
                "look with `god snapshot`, and govern it with `thorp town propose`, `handoff` and `execute`"
            )
            told = f"{town_id} is a city of the voxel world, where no keeper decrees; {advice}"
            raise IllegalError(told, code="living_town")
