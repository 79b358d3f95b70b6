"""The HTTP interface: one table of routes, each with the permission it needs and what it takes and
gives.

One guard stands before all of them: it lets through who may, and turns every error into its answer.
The server answers from its first moment on; until the world is open, whatever needs it is refused
with 503.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache, partial, wraps
from operator import attrgetter
from typing import Annotated, Any, Final, Literal

import msgspec
from aiohttp import web

from thorp.integrations.mcp import Message
from thorp.kernel.errors import ThorpError
from thorp.observer import inspection
from thorp.observer.annals import Annals, Decision
from thorp.observer.tape import Effects, Marks, PlaceChange
from thorp.protocol.observer import Bootstrap
from thorp.server import bodies, metrics
from thorp.server.agents import Agents
from thorp.server.connection_limits import answering
from thorp.server.event_streams import journal_file, journal_files
from thorp.server.followed_agents import FollowedAgents
from thorp.server.matches import Matches
from thorp.server.mcp import Mcp
from thorp.server.openapi import (
    Contract,
    Handler,
    Media,
    Operation,
    Parameter,
    Route,
    asyncapi,
    openapi,
)
from thorp.server.page import MEDIA_TYPES, asset, page
from thorp.server.principals import PRINCIPALS, Principals, check_names, presented_token
from thorp.server.published_log import public_file
from thorp.server.request_queue import in_time
from thorp.server.requests import (
    MAX_BODY_BYTES,
    UNAVAILABLE,
    Refused,
    json_response,
    query_number,
    read_json,
    refusal,
    refusal_by,
)
from thorp.server.spectators import Spectators
from thorp.server.stories import Stories
from thorp.server.supervision import VILLAGERS, Supervised
from thorp.server.surfaces import EDGES, MEDIA, Surfaces
from thorp.server.tape_keeper import AROUND, RANGE, TICK, TapeKeeper, TapeState
from thorp.server.tick_loop import TickLoop
from thorp.server.tokens import ADMIN_TOKEN, Permission, Role, least_role
from thorp.server.towns import Towns
from thorp.server.verification import VERIFIER, Verifier
from thorp.story import StoryConfig
from thorp.story import audit as story_audit
from thorp.story.seeds import Seed
from thorp.town import audit as town_audit
from thorp.town.embedded.town import Happening, Town
from thorp.town.orders import KeeperOrder
from thorp.town.tables import Entry
from thorp.village.founding import Founding
from thorp.voxel.replica import Files
from thorp.voxel.service import WorldService

SNAPSHOT_SECONDS: Final = 5.0

# The id of a town may have braces, which aiohttp's default pattern for a part of a path excludes.
_ANY_TOWN: Final = "{town:[^/]+}"
_ANY_PATH: Final = "{path:.+}"

NONE = Permission.NONE

_PLAIN = Media(("text/plain",))
_HTML = Media(("text/html",))
_EVENTS = Media(("text/event-stream",))
_PACKED = Media(("application/gzip",))
_LINES = Media(("application/jsonl",))
_BYTES = Media((MEDIA,))
_LOG_FILE: Final = Media(("text/plain", MEDIA))
_LIVE: Final = (503,)
_BEAT_STATUSES: Final = (409, 415, 500, 503)
_NATURAL = Annotated[int, msgspec.Meta(ge=0)]
_POSITIVE = Annotated[int, msgspec.Meta(ge=1)]
_HASH: Final = Annotated[str, msgspec.Meta(pattern="^[0-9a-fA-F]{64}$")]
_TIP: Final = Parameter("tip", _HASH, "A tip noted earlier, which must lie on the chain.")
_TOWN: Final = Parameter("town", str, "Only of this town.")
_KIND: Final = Parameter("kind", str, "Only of this kind.")
_SEED: Final = Parameter("seed", int, "The seed of a new world, which the first town creates.")
_AS: Final = Parameter("as", str, "As whom to read; the operator if it is left out.")
_ALL: Final = Parameter("all", str, "With any value: everything, whoever may see it.")
_BEAT: Final = Parameter("beat", _POSITIVE, "Everything about this beat.")
_BEATS: Final = Parameter("last", _POSITIVE, "How many of the last beats; 20 if it is left out.")
_TROUBLED: Final = Parameter(
    "troubled", str, "With any value: only those rejected, failed or looped."
)
_AGAIN: Final = Parameter("again", str, "With any value: also replay the story.")
_CURSOR: Final = Parameter(
    "cursor", str, "Where the reader was: the `cursor_after` of an earlier page."
)
_FROM_TICK: Final = Parameter(
    "from", _NATURAL, "The first tick of a segment, else where a copy may begin."
)
_FROM_BYTE: Final = Parameter(
    "from", _NATURAL, "The first byte; the first of all if it is left out."
)
_LIMIT: Final = Parameter("limit", _POSITIVE, "How many entries at most.")
_EDGES: Final = tuple(
    Parameter(name, int, "A corner of the rectangle, in cells.") for name in EDGES
)
_BEFORE: Final = Parameter("before", int, "Only of ticks before this one.")
_WHAT: Final = Parameter("what", str, "Which series: `treasury:` and the id of an organisation.")
_FROM: Final = Parameter("from", _NATURAL, "How many to leave out.")
_FROM_SEQ: Final = Parameter("from_seq", _NATURAL, "The first event that is wanted.")
_TOURNAMENT: Final = Parameter("tournament", str, "Only of this tournament, with its table.")
_LAST: Final = Parameter("last", _POSITIVE, "Without a cursor: begin with so many entries.")

PLACES: Final = ("/society", "/story", "/story/day/{day}", "/matches", "/matches/{match}")


@dataclass(slots=True)
class Live:
    """A world that is being played."""

    service: WorldService
    agents: Agents
    spectators: Spectators
    loop: TickLoop
    surfaces: Surfaces
    annals: Annals
    helpers: list[Supervised | FollowedAgents] = field(default_factory=list)
    """The bots and villagers that the server runs in it; of a follower, its leader."""

    @property
    def has_village(self) -> bool:
        return any(helper.name == VILLAGERS for helper in self.helpers)


@dataclass(slots=True)
class Server:
    """Everything that a server serves, for the handlers."""

    principals: Principals
    towns: Towns
    stories: Stories
    live: Live | None = None
    tape: TapeKeeper | None = None
    """What can be seen of the past."""
    open_book: bool = False
    """Whether everybody who watches sees what agents carry, what lies in chests, and what was
    refused."""
    leader: str | None = None
    """The server whose world this one follows: it only shows it."""
    waiting_for: str = "the world is being opened"
    """Why the world is not open yet."""
    founding: Founding | None = None
    """How far the village is that is being founded."""
    matches: Matches = field(init=False)
    mcp: Mcp = field(init=False)

    def __post_init__(self) -> None:
        self.matches = Matches(self.towns.data)
        self.mcp = Mcp(self.principals)

    def require_live(self) -> Live:
        if self.live is None or (
            self.leader and self.live.loop.failure
        ):  # it may have another state
            raise Refused(503, "not_ready", self.not_ready_because() or self.waiting_for)
        return self.live

    def opens_book_to(self, request: web.Request) -> bool:
        """Whether the sender may know what agents carry, what lies in chests, and what was
        refused."""
        return self.open_book or self.principals.role_of(request).may(Permission.GOVERN)

    def require_tape(self) -> TapeKeeper:
        self.require_live()
        if self.tape is None:
            raise Refused(404, "no_tape", "this server keeps no tape of the past")
        return self.tape

    def not_ready_because(self) -> str | None:
        if self.live is None:
            return self.waiting_for
        failure = self.live.loop.failure
        if failure is not None:
            return f"the world has stopped: {failure}"
        return next(
            (helper.trouble for helper in self.live.helpers if helper.trouble is not None), None
        )


SERVER: Final = web.AppKey("server", Server)


class Status(msgspec.Struct, omit_defaults=True):
    """What a server is at, for those who wait for its world without being refused."""

    state: Literal["opening", "founding", "live", "stopped"]
    details: str = ""
    """Why the world is not being played, in words; absent if it is."""
    founding: Founding | None = None
    """How far the village is; absent unless one is being founded."""


async def healthz(request: web.Request) -> web.Response:
    """Whether the process answers."""
    return web.Response(text="ok")


async def readyz(request: web.Request) -> web.Response:
    """Whether the world is being played, or why it is not, and how far a village is that is being
    founded."""
    server = request.app[SERVER]
    reason = server.not_ready_because()
    if reason is not None:
        if server.live or server.founding is None:
            return refusal(503, "not_ready", reason)
        told = {
            "error": "not_ready",
            "details": reason,
            "kind": UNAVAILABLE,
            "founding": server.founding,
        }
        return json_response(told, 503)
    live = server.require_live()
    about = f": {metrics.villagers_told(live.service.world)}" if live.has_village else ""
    return web.Response(text=f"ready{about}")


async def status(request: web.Request) -> web.Response:
    """What the server is at: opening its world, founding a village, live, or stopped, and why. It
    always answers 200, so that a page that waits for a world logs no errors; probes ask `/readyz`.
    """
    server = request.app[SERVER]
    details = server.not_ready_because() or ""
    if server.live is None and server.founding is None:
        answer = Status("opening", details)
    elif server.live is None:
        answer = Status("founding", details, server.founding)
    elif server.live.loop.failure is not None:
        answer = Status("stopped", details)
    else:
        answer = Status("live", details)
    return json_response(answer)


async def metrics_text(request: web.Request) -> web.Response:
    """Metrics of the server, the world and its society, as text for Prometheus."""
    server = request.app[SERVER]
    text = metrics.render(server.live, server.stories.writer_meter)
    headers = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
    return web.Response(body=text.encode(), headers=headers)


async def state(request: web.Request) -> web.Response:
    """The same metrics as JSON, and the goods of society by item."""
    return json_response(metrics.state(request.app[SERVER].require_live()))


async def snapshot(request: web.Request) -> web.Response:
    """Write a snapshot of the world as it is after the last tick."""
    live = request.app[SERVER].require_live()
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


async def agents_socket(request: web.Request) -> web.StreamResponse:
    """Play as an agent: a WebSocket with the messages of `/asyncapi.json`."""
    if not _wants_socket(request):
        return _no_socket()
    server = request.app[SERVER]
    unlimited = server.principals.role_of(request).may(Permission.GOVERN)
    return await server.require_live().agents.serve(request, unlimited=unlimited)


async def bodies_list(request: web.Request) -> web.Response:
    """List all bodies of the world, and how long their owners have been away."""
    world = request.app[SERVER].require_live().service.world
    return json_response(bodies.listing(world))


def orders_body(order: bodies.Order) -> Handler:
    """A handler that carries out an order about one body, and answers when that is durable."""

    @wraps(order, assigned=("__doc__",))
    async def handle(request: web.Request) -> web.Response:
        live = request.app[SERVER].require_live()
        asked = await read_json(request)
        try:
            who = msgspec.convert(asked, bodies.Named).agent
        except msgspec.ValidationError:
            advice = 'agent: expected an id or a name, as in {"agent": "A3"}'
            raise Refused(400, "bad_order", advice) from None
        entry, told = order(live.service.world, who)
        await in_time(live.agents.execute(entry))
        return json_response(told)

    return handle


async def observer_bootstrap(request: web.Request) -> web.Response:
    """What a spectator has to know before it watches: the size of the world, and its palette of
    blocks."""
    return json_response(request.app[SERVER].require_live().spectators.bootstrap())


def looking(look: Callable[..., object]) -> Handler:
    """A handler that looks closer at the world, at what the path names if it names something."""

    @wraps(look, assigned=("__doc__",))
    async def handle(request: web.Request) -> web.Response:
        server = request.app[SERVER]
        world = server.require_live().service.world
        open_book = server.opens_book_to(request)
        return json_response(
            look(world, *request.match_info.values(), open_book=open_book), compress=True
        )

    return handle


async def observer_private_tape(request: web.Request) -> web.StreamResponse:
    """What people carried, what lay in chests and what was refused in a segment: with an open book,
    or for an operator."""
    server = request.app[SERVER]
    if not server.opens_book_to(request):
        raise Refused(
            403, "closed_book", "pockets, chests and refusals are private here; ask as an operator"
        )
    return await server.require_tape().segment(request, private=True)


async def observer_series(request: web.Request) -> web.Response:
    """What something was like over time: of `treasury:ORG000001`, what the treasury was worth."""
    kind, _, of = request.query.get("what", "").partition(":")
    if kind != "treasury":
        raise Refused(400, "unknown_series", "give what=treasury: and the id of an organisation")
    return json_response(request.app[SERVER].require_live().annals.treasury(of))


async def town_decisions(request: web.Request) -> web.Response:
    """The newest decisions of a city's council, the newest first: what each governor saw, why it
    ordered what it did, what it weighed, and what came of it."""
    annals = request.app[SERVER].require_live().annals
    before = query_number(request, "before")
    return json_response(annals.decisions(request.match_info["town"], before))


async def observer_socket(request: web.Request) -> web.StreamResponse:
    """Watch the world: a WebSocket with the observer protocol."""
    if not _wants_socket(request):
        return _no_socket()
    return await request.app[SERVER].require_live().spectators.serve(request)


PARTS: Final[dict[str, Callable[[Server], Any]]] = {
    "Towns": attrgetter("towns"),
    "Stories": attrgetter("stories"),
    "Matches": attrgetter("matches"),
    "Mcp": attrgetter("mcp"), "TapeKeeper": Server.require_tape,
    "Surfaces": lambda server: server.require_live().surfaces,
    "journal_file": Server.require_live, "journal_files": Server.require_live,
}  # fmt: skip
"""Which part of the server handlers take beside the request, by their class or their name."""


def handled_by(work: Callable[..., Awaitable[web.StreamResponse]]) -> Handler:
    """The handler that does this work, with its part of the server if it takes one."""
    part = PARTS.get(work.__qualname__.partition(".")[0])
    if part is None:
        return work

    @wraps(work, assigned=("__doc__",))
    async def handle(request: web.Request) -> web.StreamResponse:
        return await work(part(request.app[SERVER]), request)

    return handle


def _route(
    method: str, path: str, needed: Permission, work: Callable[..., Any], *shapes: Any, **told: Any
) -> Route:
    """A row of the table of routes; `shapes` and `told` are the fields of its `Operation`."""
    return Route(
        method=method,
        path=path,
        needed=needed,
        handler=handled_by(work),
        operation=Operation(*shapes, **told),
    )


_get = partial(_route, "GET")
_post = partial(_route, "POST")


async def log_file(request: web.Request) -> web.Response:
    """A file of the transparency log: its key, its checkpoint, or a tile."""
    return await public_file(request, request.app[SERVER].towns.data)


async def openapi_document(request: web.Request) -> web.Response:
    """This document."""
    return json_response(_openapi())


@cache
def _openapi() -> dict[str, Any]:
    return openapi(ROUTES)


async def asyncapi_document(request: web.Request) -> web.Response:
    """The messages of `/v1/ws`, as an AsyncAPI document."""
    return json_response(asyncapi())


READ, JOIN, WATCH, GOVERN, ADMINISTER = Permission


ROUTES: Final = (
    _get("/healthz", NONE, healthz, _PLAIN),
    _get("/health", NONE, healthz, _PLAIN),  # as the story's contract calls it
    _get("/readyz", NONE, readyz, _PLAIN, more=_LIVE),
    _get("/v1/status", NONE, status, Status),
    _get("/openapi.json", NONE, openapi_document),
    _get("/asyncapi.json", NONE, asyncapi_document),
    *(_get(path, NONE, page, _HTML, more=(304,)) for path in ("/", *PLACES)),
    _get("/assets/{name}", NONE, asset, Media(MEDIA_TYPES), more=(304, 404)),
    _get("/v1/ws", JOIN, agents_socket, None, success=101, more=(400, 503)),
    _post("/mcp", JOIN, Mcp.handle, body=Message, refusal=dict[str, Any],
          more=(202, 403, 404, 406, 421, 503)),
    _get("/v1/towns/{town}/snapshot", WATCH, Towns.snapshot, Contract("snapshot.v1"), engine=True),
    _post("/v1/handoffs", GOVERN, Towns.execute,
          Contract("execution-result.v1"), Contract("execution-handoff.v1"), engine=True),
    _post("/invocations", GOVERN, Stories.invoke,
          Contract("projection_output"), Contract("invocation_envelope"), more=_BEAT_STATUSES),
    _get("/v1/story/stream", READ, Stories.stream, query=(_CURSOR, _LIMIT, _LAST), more=(404, 503)),
    _get("/v1/story/events", READ, Stories.events, _EVENTS, query=(_CURSOR, _LAST), more=_LIVE),
    _get("/v1/matches", WATCH, Matches.listing, query=(_FROM, _TOURNAMENT), engine=True),
    _get("/v1/matches/{match}", WATCH, Matches.about, engine=True),
    _get("/v1/matches/{match}/log", WATCH, Matches.log, _LINES, query=(_FROM_SEQ,), engine=True),
    _get("/v1/matches/{match}/events", WATCH, Matches.events,
         _EVENTS, query=(_FROM_SEQ,), engine=True),
    _get("/v1/matches/{match}/seen/{sha256}", WATCH, Matches.seen, _PLAIN, engine=True),
    _get("/v1/matches/{match}/replies", WATCH, Matches.replies, _LINES, engine=True),
    _get("/v1/matches/{match}/verify", WATCH, Matches.verify, engine=True),
    _get("/log/{path}", NONE, log_file, _LOG_FILE, more=(404,)),
    _get("/metrics", WATCH, metrics_text, _PLAIN),
    _get("/admin/v1/observer/bootstrap", WATCH, observer_bootstrap, Bootstrap, more=_LIVE),
    _get("/admin/v1/observer/ws", WATCH, observer_socket, None, success=101, more=(400, 503)),
    _get("/admin/v1/observer/society", WATCH, looking(inspection.society),
         inspection.Society, more=_LIVE),
    _get("/admin/v1/observer/agents/{agent}", WATCH, looking(inspection.inspect),
         inspection.Inspected, engine=True),
    _get("/admin/v1/observer/places/{place}", WATCH, looking(inspection.look_at),
         inspection.Place, engine=True),
    _get("/admin/v1/observer/places/{place}/changes", WATCH, TapeKeeper.changes,
         list[PlaceChange], query=(TICK,), engine=True),
    _get("/admin/v1/observer/surfaces", WATCH, Surfaces.answer,
         _BYTES, query=_EDGES, more=(304, 503)),
    _get("/admin/v1/observer/tape", WATCH, TapeKeeper.state, TapeState, more=(404, 503)),
    _get("/admin/v1/observer/tape/{n}", WATCH, TapeKeeper.segment,
         _PACKED, more=(206, 304, 400, 404, 416, 503)),
    _get("/admin/v1/observer/tape/{n}/private", WATCH, observer_private_tape,
         _PACKED, more=(206, 304, 400, 403, 404, 416, 503)),
    _get("/admin/v1/observer/marks", WATCH, TapeKeeper.marks, Marks, query=RANGE, more=(404, 503)),
    _get("/admin/v1/observer/laws/{law}/effects", WATCH, TapeKeeper.effects,
         Effects, query=(TICK,), more=(404, 503)),
    _get("/admin/v1/observer/activity", WATCH, TapeKeeper.activity,
         list[list[int]], query=RANGE[:2], more=(404, 503)),
    _get("/admin/v1/observer/ground", WATCH, TapeKeeper.ground,
         _PACKED, query=(TICK, *AROUND), engine=True),
    _get("/admin/v1/observer/series", WATCH, observer_series,
         list[tuple[int, int]], query=(_WHAT,), more=_LIVE),
    _get("/admin/v1/state", GOVERN, state, more=_LIVE),
    _post("/admin/v1/snapshot", ADMINISTER, snapshot, more=(400, 408, 413, 503)),
    _get("/admin/v1/world/files", ADMINISTER, journal_files,
         Files, query=(_FROM_TICK,), more=_LIVE),
    _get("/admin/v1/world/files/{name}", ADMINISTER, journal_file,
         _BYTES, query=(_FROM_BYTE,), more=(404, 409, 503)),
    _get("/admin/v1/agents", GOVERN, bodies_list, bodies.Listing, more=_LIVE),
    _post("/admin/v1/agents/rescue", GOVERN, orders_body(bodies.rescue),
          dict[str, str], bodies.Named, engine=True),
    _post("/admin/v1/agents/retire", GOVERN, orders_body(bodies.retire),
          dict[str, str], bodies.Named, engine=True),
    _get("/admin/v1/towns", WATCH, Towns.listing, engine=True),
    _get("/admin/v1/towns/chronicle", WATCH, Towns.chronicle,
         list[Entry], query=(_TOWN, _KIND, _LIMIT), engine=True),
    _get("/admin/v1/towns/{town}/state", WATCH, Towns.state, Town, engine=True),
    _get("/admin/v1/towns/{town}/proposals", WATCH, Towns.proposals,
         list[dict[str, Any]], engine=True),
    _get("/admin/v1/towns/{town}/decisions", WATCH, town_decisions,
         list[Decision], query=(_BEFORE,), more=_LIVE),
    _post("/admin/v1/towns/orders", GOVERN, Towns.order,
          Town | list[Happening] | int | None, KeeperOrder, query=(_SEED,), engine=True),
    _get("/admin/v1/towns/verify", GOVERN, Towns.verify,
         town_audit.Verified, query=(_TIP,), engine=True),
    _get("/admin/v1/story", GOVERN, Stories.about, engine=True),
    _post("/admin/v1/story/founding", ADMINISTER, Stories.found, body=StoryConfig, engine=True),
    _get("/admin/v1/story/page", ADMINISTER, Stories.page,
         query=(_AS, _CURSOR, _LIMIT), engine=True),
    _get("/admin/v1/story/export", ADMINISTER, Stories.export,
         _LINES, query=(_AS, _ALL), engine=True),
    _get("/admin/v1/story/audit", ADMINISTER, Stories.audit,
         query=(_BEAT, _BEATS, _TROUBLED), engine=True),
    _post("/admin/v1/story/seeds", ADMINISTER, Stories.seed, body=Seed, engine=True),
    _get("/admin/v1/story/verify", ADMINISTER, Stories.verify,
         story_audit.Verified, query=(_TIP, _AGAIN), engine=True),
)  # fmt: skip


def build_app(server: Server) -> web.Application:
    app = web.Application(middlewares=[_guard], client_max_size=MAX_BODY_BYTES)
    app[SERVER] = server
    app[PRINCIPALS] = server.principals
    app[VERIFIER] = Verifier(server.towns.where)
    for route in ROUTES:
        add = app.router.add_get if route.method == "GET" else app.router.add_post
        add(route.path.replace("{town}", _ANY_TOWN).replace("{path}", _ANY_PATH), route.handler)
    app.on_shutdown.append(_disconnect)
    return app


async def _disconnect(app: web.Application) -> None:
    """Disconnect everyone who listens, so that the server can end."""
    server = app[SERVER]
    server.stories.listeners.close()
    server.matches.listeners.close()
    await server.mcp.close()


@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Check the permission that a route needs, and answer every refusal in one form."""
    with answering(request):
        problem = request.match_info.http_exception
        if problem is not None:
            allow = {"Allow": problem.headers["Allow"]} if "Allow" in problem.headers else {}
            return refusal(
                problem.status, problem.reason.lower().replace(" ", "_"), request.path, **allow
            )
        server = request.app[SERVER]
        needed = needed_permission(request.match_info.route)
        try:
            if request.path == "/mcp":
                check_names(request)
            role = server.principals.role_of(request) if needed else Role.ANYONE
            if not role.may(needed):
                return _refuse_role(server, request, role, needed)
            if server.leader is not None and (request.method == "POST" or request.path == "/v1/ws"):
                told = f"this server only shows what {server.leader} does; ask there"
                return refusal(421, "follower", told)
            return await handler(request)
        except Refused as refused:
            return refused.response
        except ThorpError as error:
            return refusal_by(error)
        except ConnectionResetError:
            if request.transport is not None and not request.transport.is_closing():
                raise
            return refusal(400, "gone", "the client hung up")  # nobody reads this


def _refuse_role(
    server: Server, request: web.Request, role: Role, needed: Permission
) -> web.Response:
    """401 if a token is missing or unknown, and where one is; 403 if its role has not the
    permission."""
    wanted = least_role(needed).name.lower()
    if presented_token(request) is None:
        # Where the directory is concerns only those who are on this machine.
        data = (
            str(server.towns.data.absolute())
            if role is not Role.ANYONE
            else "the server's data directory"
        )
        details = f"a token is needed for the role {wanted}: {ADMIN_TOKEN} in {data} is one"
    elif role is Role.ANYONE:
        details = f"this token is not known; {ADMIN_TOKEN} in the server's data directory is one"
    else:
        details = f"this needs the role {wanted}; yours is {role.name.lower()}"
        return refusal(403, "forbidden", details)
    return refusal(401, "unauthorized", details, WWW_Authenticate="Bearer")


_PERMISSIONS: Final = {route.path: route.needed for route in ROUTES}


def needed_permission(route: web.AbstractRoute) -> Permission:
    """The permission that the table demands for a route. A route that is not in the table is an
    error."""
    resource = route.resource
    if resource is None:
        raise LookupError(f"{route} is not in the table of routes")
    return _PERMISSIONS[resource.canonical]


def _wants_socket(request: web.Request) -> bool:
    return web.WebSocketResponse().can_prepare(request).ok


def _no_socket() -> web.Response:
    return web.Response(status=400, text="Bad Request", headers={"Sec-Websocket-Version": "13"})
