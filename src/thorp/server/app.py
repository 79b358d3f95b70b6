"""The HTTP side: one table of routes, each with the permission it needs, and one guard before all of them.

The server answers from its first moment on. Until the world is there, whatever needs it is refused with
503 and a reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from aiohttp import web

from thorp.kernel.errors import ThorpError
from thorp.server import bodies, metrics
from thorp.server.admin_token import FILE as ADMIN_TOKEN
from thorp.server.agents import Agents
from thorp.server.connection_limits import answering
from thorp.server.page import respond
from thorp.server.principals import Principals, presented_token
from thorp.server.request_queue import ANSWER_SECONDS
from thorp.server.requests import MAX_BODY_BYTES, Refused, json_response, read_json, refusal, refused_by
from thorp.server.spectators import Observers
from thorp.server.stories import Stories
from thorp.server.story_keeper import StoryKeeper
from thorp.server.supervision import Supervised
from thorp.server.tick_loop import TickLoop
from thorp.server.tokens import Permission, Role, least_role
from thorp.server.town_keeper import TownKeeper
from thorp.server.towns import Towns
from thorp.server.verification import Proving
from thorp.voxel.service import WorldService

SNAPSHOT_SECONDS: Final = 5.0

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(slots=True)
class Live:
    """A world that is being played."""

    service: WorldService
    agents: Agents
    observers: Observers
    loop: TickLoop
    helpers: list[Supervised] = field(default_factory=list)
    """The processes that live in it on our account."""


@dataclass(slots=True)
class Server:
    """What the handlers look at."""

    principals: Principals
    towns: Towns
    stories: Stories
    live: Live | None = None
    waiting_for: str = "the world is being opened"
    """Why there is no world, as long as there is none."""
    town_keeper: TownKeeper = field(init=False)
    story_keeper: StoryKeeper = field(init=False)

    def __post_init__(self) -> None:
        proving = Proving(self.towns.data)
        self.town_keeper = TownKeeper(self.towns, proving)
        self.story_keeper = StoryKeeper(self.stories, proving)

    def require_live(self) -> Live:
        if self.live is None:
            raise Refused(503, "not_ready", self.waiting_for)
        return self.live

    def not_ready_because(self) -> str | None:
        if self.live is None:
            return self.waiting_for
        failure = self.live.loop.failure
        if failure is not None:
            return f"the world has stopped: {failure}"
        return next((helper.trouble for helper in self.live.helpers if helper.trouble is not None), None)


SERVER: Final = web.AppKey("server", Server)


class Route(NamedTuple):
    method: str
    path: str
    needed: Permission
    handler: Handler


async def healthz(request: web.Request) -> web.Response:
    return web.Response(text="ok")


async def readyz(request: web.Request) -> web.Response:
    reason = request.app[SERVER].not_ready_because()
    return web.Response(text="ready") if reason is None else refusal(503, "not_ready", reason)


async def metrics_text(request: web.Request) -> web.Response:
    server = request.app[SERVER]
    text = metrics.render(server.live, server.stories.writing)
    return web.Response(
        body=text.encode(), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
    )


async def state(request: web.Request) -> web.Response:
    return json_response(metrics.state(request.app[SERVER].require_live()))


async def snapshot(request: web.Request) -> web.Response:
    """Keep the state as it is after the last tick."""
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
    if not _wants_socket(request):
        return _no_socket()
    server = request.app[SERVER]
    unlimited = server.principals.role_of(request).may(Permission.GOVERN)
    return await server.require_live().agents.serve(request, unlimited=unlimited)


async def bodies_list(request: web.Request) -> web.Response:
    world = request.app[SERVER].require_live().service.world
    return json_response({"tick": world.tick, "agents": bodies.listing(world)})


def orders_body(order: bodies.Order) -> Handler:
    """Answer with what became of an order about one body, when that is durable."""

    async def handle(request: web.Request) -> web.Response:
        live = request.app[SERVER].require_live()
        asked = await read_json(request)
        who = asked.get("agent") if isinstance(asked, dict) else None
        if not isinstance(who, str):
            raise Refused(400, "bad_order", 'agent: expected an id or a name, as in {"agent": "A3"}')
        try:
            entry, told = order(live.service.world, who)
            async with asyncio.timeout(ANSWER_SECONDS):
                await live.agents.execute(entry)
        except ThorpError as problem:
            raise refused_by(problem) from None
        except TimeoutError:
            raise Refused(503, "no_tick", "the world has not ticked; ask the same again") from None
        return json_response(told)

    return handle


async def observer_bootstrap(request: web.Request) -> web.Response:
    return json_response(request.app[SERVER].require_live().observers.bootstrap())


async def observer_socket(request: web.Request) -> web.StreamResponse:
    if not _wants_socket(request):
        return _no_socket()
    return await request.app[SERVER].require_live().observers.serve(request)


async def town_snapshot(request: web.Request) -> web.Response:
    return await request.app[SERVER].towns.snapshot(request)


async def handoffs(request: web.Request) -> web.Response:
    return await request.app[SERVER].towns.execute(request)


async def invocations(request: web.Request) -> web.Response:
    return await request.app[SERVER].stories.invoke(request)


async def story_stream(request: web.Request) -> web.Response:
    server = request.app[SERVER]
    return await server.stories.stream(request, server.principals)


async def story_events(request: web.Request) -> web.StreamResponse:
    server = request.app[SERVER]
    return await server.stories.events(request, server.principals)


def keeps_towns(work: Callable[[TownKeeper, web.Request], Awaitable[web.Response]]) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        return await work(request.app[SERVER].town_keeper, request)

    return handle


def keeps_story(work: Callable[[StoryKeeper, web.Request], Awaitable[web.StreamResponse]]) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        return await work(request.app[SERVER].story_keeper, request)

    return handle


async def page(request: web.Request) -> web.Response:
    return respond(request, "index.html")


async def story_page(request: web.Request) -> web.Response:
    return respond(request, "story.html")


async def asset(request: web.Request) -> web.Response:
    return respond(request, request.match_info["name"])


# A town may be called anything; a part of a path has no braces unless one says so.
_ANY_TOWN: Final = "{town:[^/]+}"

ROUTES: Final = (
    Route("GET", "/healthz", Permission.NONE, healthz),
    Route("GET", "/health", Permission.NONE, healthz),  # as clients of a story call it
    Route("GET", "/readyz", Permission.NONE, readyz),
    Route("GET", "/", Permission.NONE, page),
    Route("GET", "/assets/{name}", Permission.NONE, asset),
    Route("GET", "/v1/ws", Permission.JOIN, agents_socket),
    Route("GET", "/v1/towns/{town}/snapshot", Permission.WATCH, town_snapshot),
    Route("POST", "/v1/handoffs", Permission.GOVERN, handoffs),
    Route("POST", "/invocations", Permission.GOVERN, invocations),
    Route("GET", "/v1/story/stream", Permission.READ, story_stream),
    Route("GET", "/v1/story/events", Permission.READ, story_events),
    Route("GET", "/story", Permission.NONE, story_page),
    Route("GET", "/metrics", Permission.WATCH, metrics_text),
    Route("GET", "/admin/v1/observer/bootstrap", Permission.WATCH, observer_bootstrap),
    Route("GET", "/admin/v1/observer/ws", Permission.WATCH, observer_socket),
    Route("GET", "/admin/v1/state", Permission.GOVERN, state),
    Route("POST", "/admin/v1/snapshot", Permission.ADMINISTER, snapshot),
    Route("GET", "/admin/v1/agents", Permission.GOVERN, bodies_list),
    Route("POST", "/admin/v1/agents/rescue", Permission.GOVERN, orders_body(bodies.rescue)),
    Route("POST", "/admin/v1/agents/retire", Permission.GOVERN, orders_body(bodies.retire)),
    Route("GET", "/admin/v1/towns", Permission.WATCH, keeps_towns(TownKeeper.listing)),
    Route("GET", "/admin/v1/towns/chronicle", Permission.WATCH, keeps_towns(TownKeeper.chronicle)),
    Route("GET", "/admin/v1/towns/{town}/state", Permission.WATCH, keeps_towns(TownKeeper.state)),
    Route("GET", "/admin/v1/towns/{town}/proposals", Permission.WATCH, keeps_towns(TownKeeper.proposals)),
    Route("POST", "/admin/v1/towns/orders", Permission.GOVERN, keeps_towns(TownKeeper.order)),
    Route("GET", "/admin/v1/towns/verify", Permission.GOVERN, keeps_towns(TownKeeper.verify)),
    Route("GET", "/admin/v1/story", Permission.GOVERN, keeps_story(StoryKeeper.about)),
    Route("POST", "/admin/v1/story/founding", Permission.ADMINISTER, keeps_story(StoryKeeper.found)),
    Route("GET", "/admin/v1/story/page", Permission.ADMINISTER, keeps_story(StoryKeeper.page)),
    Route("GET", "/admin/v1/story/export", Permission.ADMINISTER, keeps_story(StoryKeeper.export)),
    Route("POST", "/admin/v1/story/seeds", Permission.ADMINISTER, keeps_story(StoryKeeper.seed)),
    Route("GET", "/admin/v1/story/verify", Permission.ADMINISTER, keeps_story(StoryKeeper.verify)),
)


def build_app(server: Server) -> web.Application:
    app = web.Application(middlewares=[_guard], client_max_size=MAX_BODY_BYTES)
    app[SERVER] = server
    for route in ROUTES:
        add = app.router.add_get if route.method == "GET" else app.router.add_post
        add(route.path.replace("{town}", _ANY_TOWN), route.handler)
    app.on_shutdown.append(_hang_up)
    return app


async def _hang_up(app: web.Application) -> None:
    app[SERVER].stories.hang_up()


@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Let through who may; answer every refusal in one form."""
    with answering(request):
        problem = request.match_info.http_exception
        if problem is not None:
            allow = {"Allow": problem.headers["Allow"]} if "Allow" in problem.headers else {}
            return refusal(problem.status, problem.reason.lower().replace(" ", "_"), request.path, **allow)
        server = request.app[SERVER]
        needed = needed_permission(request.match_info.route)
        if needed:
            role = server.principals.role_of(request)
            if not role.may(needed):
                return _refuse_role(server, request, role, needed)
        try:
            return await handler(request)
        except Refused as refused:
            return refused.response
        except ConnectionResetError:
            if request.transport is not None and not request.transport.is_closing():
                raise
            return refusal(400, "gone", "the client hung up")  # which nobody reads


def _refuse_role(server: Server, request: web.Request, role: Role, needed: Permission) -> web.Response:
    """401 if another token would help, and where one is; 403 if the token has too small a role."""
    wanted = least_role(needed).name.lower()
    if presented_token(request) is None:
        # Where the directory is concerns only those who are on this machine.
        data = str(server.towns.data.absolute()) if role is not Role.ANYONE else "the server's data directory"
        details = f"a token is needed for the role {wanted}: {ADMIN_TOKEN} in {data} is one"
    elif role is Role.ANYONE:
        details = f"this token is not known; {ADMIN_TOKEN} in the server's data directory is one"
    else:
        details = f"this needs the role {wanted}; yours is {role.name.lower()}"
        return refusal(403, "forbidden", details)
    return refusal(401, "unauthorized", details, WWW_Authenticate="Bearer")


_PERMISSIONS: Final = {route.path: route.needed for route in ROUTES}


def needed_permission(route: web.AbstractRoute) -> Permission:
    """The permission that the table asks for a route. One that is not in the table is nobody's."""
    resource = route.resource
    if resource is None:
        raise LookupError(f"{route} is not in the table of routes")
    return _PERMISSIONS[resource.canonical]


def _wants_socket(request: web.Request) -> bool:
    return web.WebSocketResponse().can_prepare(request).ok


def _no_socket() -> web.Response:
    return web.Response(status=400, text="Bad Request", headers={"Sec-Websocket-Version": "13"})
