"""Shows the live world over HTTP to spectators: its society, people and places, the map, the past,
and the council's decisions."""

from collections.abc import Callable

from aiohttp import web

from thorp.observer import inspection
from thorp.server.access.principals import Principals
from thorp.server.access.requests import Refused, json_response, query_number
from thorp.server.access.tokens import Permission
from thorp.server.http.stage import Stage
from thorp.server.http.upgrade import refuse_plain_http, wants_socket


class ObserverRoutes:
    """The handlers of the observer's routes. Each is refused with 503 until the world is played."""

    def __init__(self, stage: Stage, principals: Principals, *, open_book: bool = False) -> None:
        """With an open book all spectators see what agents carry, what lies in chests, and what was
        refused."""
        self._stage = stage
        self._principals = principals
        self._open_book = open_book

    def _opens_book_to(self, request: web.Request) -> bool:
        """Whether the sender may know what agents carry, what lies in chests, and what was
        refused."""
        return self._open_book or self._principals.role_of(request).may(Permission.GOVERN)

    async def bootstrap(self, request: web.Request) -> web.Response:
        """What a spectator has to know before it watches: the size of the world, and its palette of
        blocks."""
        return json_response(self._stage.require_live().spectators.bootstrap())

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """Watch the world: a WebSocket with the observer protocol."""
        if not wants_socket(request):
            return refuse_plain_http()
        return await self._stage.require_live().spectators.serve(request)

    # A closer look at the present

    async def society(self, request: web.Request) -> web.Response:
        """What the people of the world own, have agreed on, and want from each other."""
        return self._look(inspection.society, request)

    async def agent(self, request: web.Request) -> web.Response:
        """One agent, as far as others may know it."""
        return self._look(inspection.inspect, request, request.match_info["agent"])

    async def mind(self, request: web.Request) -> web.Response:
        """What a mind among the villagers read, chose and weighed lately, and what came of it. With
        a closed book only an operator is told its decisions."""
        live = self._stage.require_live()
        open_book = self._opens_book_to(request)
        mind = live.minds.shown(request.match_info["agent"], open_book=open_book)
        if mind is None:
            raise Refused(404, "unknown_mind", "no model decides for anybody of that id here")
        return json_response(mind, compress=True)

    async def place(self, request: web.Request) -> web.Response:
        """What is at a place given as `x,y,z`."""
        return self._look(inspection.look_at, request, request.match_info["place"])

    async def buildings(self, request: web.Request) -> web.Response:
        """Every building that was noted: who built it, who asked for it, who lives there, and
        whether it stands."""
        live = self._stage.require_live()
        return json_response(live.annals.buildings.shown(live.service.world), compress=True)

    async def people(self, request: web.Request) -> web.Response:
        """Everybody, with what they are worth, how they stand, and what they did for it."""
        live = self._stage.require_live()
        open_book = self._opens_book_to(request)
        people = inspection.people(live.service.world, live.annals.dealings, open_book=open_book)
        return json_response(people, compress=True)

    async def elections(self, request: web.Request) -> web.Response:
        """What citizens said in public of elections, the newest first."""
        return json_response(self._stage.require_live().annals.elections())

    def _look(
        self, look: Callable[..., object], request: web.Request, *subject: str
    ) -> web.Response:
        """What a look at the world shows to the sender of a request."""
        world = self._stage.require_live().service.world
        open_book = self._opens_book_to(request)
        return json_response(look(world, *subject, open_book=open_book), compress=True)

    async def surfaces(self, request: web.Request) -> web.Response:
        """The world from above: the topmost block of every column, for the chunks of a rectangle of
        cells that have been generated. Each chunk is `cx` and `cz` in four bytes, the low one
        first, and 256 columns as `PAL16_Y8`."""
        return await self._stage.require_live().surfaces.answer(request)

    # The past

    async def tape(self, request: web.Request) -> web.Response:
        """Which ticks of the past can be looked at, and how complete the tape is."""
        return await self._stage.require_tape().state(request)

    async def segment(self, request: web.Request) -> web.StreamResponse:
        """One segment of the tape: 250 ticks, as gzip of JSON. A finished one never changes."""
        return await self._stage.require_tape().segment(request)

    async def private_segment(self, request: web.Request) -> web.StreamResponse:
        """What people carried, what lay in chests and what was refused in a segment: with an open
        book, or for an operator."""
        if not self._opens_book_to(request):
            raise Refused(
                403,
                "closed_book",
                "pockets, chests and refusals are private here; ask as an operator",
            )
        return await self._stage.require_tape().segment(request, private=True)

    async def marks(self, request: web.Request) -> web.Response:
        """What happened in a range of ticks: counts by sort, and the weightiest events."""
        return await self._stage.require_tape().marks(request)

    async def effects(self, request: web.Request) -> web.Response:
        """What a law in force has yielded up to a tick: how often somebody paid because of it, and
        what."""
        return await self._stage.require_tape().effects(request)

    async def activity(self, request: web.Request) -> web.Response:
        """Where blocks were taken away and put: for each square of 8 by 8 cells its position,
        counted in squares, and how many. Only segments that lie within the range count, and of a
        longer range only its last day."""
        return await self._stage.require_tape().activity(request)

    async def changes(self, request: web.Request) -> web.Response:
        """The newest changes of a cell up to a tick: when, the block before and after, who did it,
        and how."""
        return await self._stage.require_tape().changes(request)

    async def rising(self, request: web.Request) -> web.Response:
        """In which ticks a building was put up: from its first block to its last."""
        live = self._stage.require_live()
        building = live.annals.buildings.get(request.query.get("building", ""))
        if building is None:
            raise Refused(404, "unknown_building", "there is no building of that id")
        return await self._stage.require_tape().rising(building)

    async def ground(self, request: web.Request) -> web.Response:
        """The ground after a tick, as gzip: for each chunk its two numbers, four bytes each, and
        its cells."""
        return await self._stage.require_tape().ground(request)

    async def series(self, request: web.Request) -> web.Response:
        """A value over time: for `treasury:ORG000001`, what the treasury of that organisation was
        worth."""
        kind, _, organisation = request.query.get("what", "").partition(":")
        if kind != "treasury":
            advice = "give what=treasury: and the id of an organisation"
            raise Refused(400, "unknown_series", advice)
        return json_response(self._stage.require_live().annals.treasury(organisation))

    async def decisions(self, request: web.Request) -> web.Response:
        """The newest decisions of a city's council, the newest first: what each governor saw, the
        reason it gave, the actions it weighed, and the outcome."""
        annals = self._stage.require_live().annals
        before = query_number(request, "before")
        return json_response(annals.decisions(request.match_info["town"], before))
