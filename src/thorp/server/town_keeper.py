"""What `god` does, over HTTP: look at the towns of a data directory, give orders, prove their journal.

Every order is judged and made durable as one that is given beside the server. A town that lives in the voxel
world is governed there, and takes no orders.
"""

from __future__ import annotations

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
    """Looks at towns and gives orders, for whoever may."""

    def __init__(self, towns: Towns, verifier: Verifier) -> None:
        self._towns = towns
        self._verifier = verifier

    async def listing(self, request: web.Request) -> web.Response:
        """The world, if one was founded, and what is listed of each town."""
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
        """What happened lately: `town`, `kind` and `limit` narrow it."""
        town_id, kind = request.query.get("town"), request.query.get("kind")
        limit = query_number(request, "limit")
        most = ENTRIES_SHOWN if limit is None else limit
        world = await self._world(town_id)
        entries = await asyncio.to_thread(world.chronicle, town_id, limit=most, kind=kind)
        return document_response(msgspec.to_builtins(entries))

    async def order(self, request: web.Request) -> web.Response:
        """Carry out one order. The first town founds the world, with the `seed` of the query, if any."""
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
        """Replay the journal, and compare everything with it; a `tip` noted earlier must lie on its chain."""
        await self._world(None)
        return document_response(await self._verifier.verify("towns", request.query.get("tip")))

    async def _world(self, town_id: str | None) -> EmbeddedTown:
        """The world that keeps a town, or all of them."""
        self._refuse_living(town_id)
        return await self._towns.open(create=False)

    def _refuse_living(self, town_id: str | None) -> None:
        """A city of the voxel world has its own days, chronicle and quests, and nobody decrees them."""
        if town_id is not None and self._towns.live is not None and self._towns.live.knows(town_id):
            advice = (
                "look with `god snapshot`, and govern it with `thorp town propose`, `handoff` and `execute`"
            )
            told = f"{town_id} is a city of the voxel world, where no keeper decrees; {advice}"
            raise IllegalError(told, code="living_town")
