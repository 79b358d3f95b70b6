"""The table of routes: for each its method and path, the permission that it needs, the bound method
that answers it, and what it takes and gives.

The handlers are methods of objects that were built complete; see `Server` in `server.py`.
`/openapi.json` is made from this table.
"""

from functools import cache
from typing import Annotated, Any, Final

import msgspec
from aiohttp import web

from thorp.integrations.mcp import Message
from thorp.observer import inspection
from thorp.observer.annals import Decision
from thorp.observer.buildings import ShownBuilding
from thorp.observer.elections import Election
from thorp.observer.tape import Effects, Marks, PlaceChange, Rising
from thorp.protocol.observer import Bootstrap
from thorp.server.access.requests import json_response
from thorp.server.access.tokens import Permission
from thorp.server.http import bodies
from thorp.server.http.agent_reasons import AgentReasonRoutes, AgentReasons
from thorp.server.http.comparisons import Comparison
from thorp.server.http.films import STRETCH, FilmSize
from thorp.server.http.kept_run import RunState
from thorp.server.http.match_worlds import MatchWorldState
from thorp.server.http.matches import Matches
from thorp.server.http.observer_routes import ObserverRoutes
from thorp.server.http.openapi import (
    Contract,
    Handler,
    Media,
    Operation,
    Parameter,
    Route,
    asyncapi,
    openapi,
)
from thorp.server.http.page import MEDIA_TYPES, asset, page
from thorp.server.http.runs import PAIR, RunRoutes, Runs
from thorp.server.http.server import Server
from thorp.server.http.stage import Status
from thorp.server.http.surfaces import EDGES, MEDIA
from thorp.server.http.tape_view import AROUND, RANGE, TICK, TapeState
from thorp.server.http.what_if import Asked, WhatIf, WhatIfState
from thorp.server.http.why import ProvedWhy
from thorp.server.http.world_routes import WorldRoutes
from thorp.server.live.mind_log import ShownMind
from thorp.story import StoryConfig
from thorp.story import audit as story_audit
from thorp.story.seeds import Seed
from thorp.town import audit as town_audit
from thorp.town.embedded.town import Happening, Town
from thorp.town.orders import KeeperOrder
from thorp.town.tables import Entry
from thorp.village.change_offers import Offer
from thorp.voxel.replica import Files

READ, JOIN, WATCH, GOVERN, ADMINISTER = Permission
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
_ENTRY: Final = Parameter(
    "entry", str, "The id of an entry, or a sentence that stands in one, word for word."
)
_SENTENCE: Final = Parameter("sentence", _POSITIVE, "Only this sentence of the entry, from 1.")
_PROOF: Final = Parameter("proof", str, "With any value: also the proof from the log beside it.")
_WHY: Final = (_ENTRY, _SENTENCE, _PROOF)
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
_AT: Final = Parameter("at", _POSITIVE, "After this tick; the last one if it is left out.")
_BEFORE: Final = Parameter("before", int, "Only of ticks before this one.")
_BUILDING: Final = Parameter("building", str, "The id of the building.")
_WHAT: Final = Parameter("what", str, "Which series: `treasury:` and the id of an organisation.")
_FROM: Final = Parameter("from", _NATURAL, "How many to leave out.")
_FROM_SEQ: Final = Parameter("from_seq", _NATURAL, "The first event that is wanted.")
_TOURNAMENT: Final = Parameter("tournament", str, "Only of this tournament, with its table.")
_LAST: Final = Parameter("last", _POSITIVE, "Without a cursor: begin this many entries ago.")

PLACES: Final = ("/society", "/story", "/story/day/{day}", "/matches", "/matches/{match}")
"""Addresses of the page, which shows something different at each."""


def _route(
    method: str, path: str, needed: Permission, handler: Handler, operation: Operation
) -> Route:
    """A row of the table."""
    return Route(method=method, path=path, needed=needed, handler=handler, operation=operation)


def _get(
    path: str, needed: Permission, handler: Handler, answer: Any = dict[str, Any], **rest: Any
) -> Route:
    """A row for GET; `answer` and `rest` are the fields of its `Operation`."""
    return _route("GET", path, needed, handler, Operation(answer=answer, **rest))


def _post(
    path: str, needed: Permission, handler: Handler, answer: Any = dict[str, Any], **rest: Any
) -> Route:
    """A row for POST; `answer` and `rest` are the fields of its `Operation`."""
    return _route("POST", path, needed, handler, Operation(answer=answer, **rest))


def routes(server: Server) -> tuple[Route, ...]:
    """Every route of a server, with the handler that answers it."""

    @cache
    def described() -> dict[str, Any]:
        return openapi(table)

    async def openapi_document(request: web.Request) -> web.Response:
        """This document."""
        return json_response(described())

    table = (
        *_page_routes(server, openapi_document),
        *_engine_routes(server),
        *_match_routes(server.matches),
        *_run_routes(server.runs),
        *_what_if_routes(server.what_if),
        *_file_routes(server),
        *_observer_routes(server.observer, server.agent_reasons),
        *_world_routes(server.world),
        *_town_and_story_routes(server),
    )
    return table


def _page_routes(server: Server, openapi_document: Handler) -> tuple[Route, ...]:
    """Whether the server is there, what it offers, and the page."""
    probes = server.probes
    return (
        _get("/healthz", NONE, probes.healthz, _PLAIN),
        _get("/health", NONE, probes.healthz, _PLAIN),  # as the story's contract calls it
        _get("/readyz", NONE, probes.readyz, _PLAIN, more=_LIVE),
        _get("/v1/status", NONE, probes.status, Status),
        _get("/openapi.json", NONE, openapi_document),
        _get("/asyncapi.json", NONE, asyncapi_document),
        *(_get(path, NONE, page, _HTML, more=(304,)) for path in ("/", *PLACES)),
        _get("/assets/{name}", NONE, asset, Media(MEDIA_TYPES), more=(304, 404)),
    )  # fmt: skip


def _engine_routes(server: Server) -> tuple[Route, ...]:
    """What agents, towns and stories are spoken to by, as their contracts say."""
    world = server.world
    towns = server.towns
    stories = server.stories
    return (
        _get("/v1/ws", JOIN, world.agents_socket, None, success=101, more=(400, 503)),
        _post("/mcp", JOIN, server.mcp.handle, body=Message, refusal=dict[str, Any],
              more=(202, 403, 404, 406, 421, 503)),
        _get("/v1/towns/{town}/snapshot", WATCH, towns.snapshot,
             Contract("snapshot.v1"), engine=True),
        _post("/v1/handoffs", GOVERN, towns.execute,
              Contract("execution-result.v1"), body=Contract("execution-handoff.v1"), engine=True),
        _post("/invocations", GOVERN, stories.invoke,
              Contract("projection_output"), body=Contract("invocation_envelope"),
              more=_BEAT_STATUSES),
        _get("/v1/story/stream", READ, stories.stream,
             query=(_CURSOR, _LIMIT, _LAST), more=(404, 503)),
        _get("/v1/story/events", READ, stories.events, _EVENTS, query=(_CURSOR, _LAST), more=_LIVE),
        _get("/v1/story/why", READ, server.why.why, ProvedWhy, query=_WHY, engine=True),
    )  # fmt: skip


def _match_routes(matches: Matches) -> tuple[Route, ...]:
    """Matches that were kept, and the worlds in them as a page shows them."""
    return (
        _get("/v1/matches", WATCH, matches.listing, query=(_FROM, _TOURNAMENT), engine=True),
        _get("/v1/matches/{match}", WATCH, matches.about, engine=True),
        _get("/v1/matches/{match}/log", WATCH, matches.log,
             _LINES, query=(_FROM_SEQ,), engine=True),
        _get("/v1/matches/{match}/events", WATCH, matches.events,
             _EVENTS, query=(_FROM_SEQ,), engine=True),
        _get("/v1/matches/{match}/seen/{sha256}", WATCH, matches.seen, _PLAIN, engine=True),
        _get("/v1/matches/{match}/replies", WATCH, matches.replies, _LINES, engine=True),
        _get("/v1/matches/{match}/verify", WATCH, matches.verify, engine=True),
        _get("/v1/matches/{match}/world", WATCH, matches.world, MatchWorldState, engine=True),
        _get("/v1/matches/{match}/world/bootstrap", WATCH, matches.world_bootstrap,
             Bootstrap, engine=True),
        _get("/v1/matches/{match}/world/society", WATCH, matches.world_society,
             inspection.Society, engine=True),
        _get("/v1/matches/{match}/world/tape", WATCH, matches.world_tape, TapeState, engine=True),
        _get("/v1/matches/{match}/world/tape/{n}", WATCH, matches.world_segment,
             _PACKED, more=(206, 304, 400, 404, 409, 416, 503)),
        _get("/v1/matches/{match}/world/tape/{n}/private", WATCH, matches.world_private,
             _PACKED, more=(206, 304, 400, 404, 409, 416, 503)),
        _get("/v1/matches/{match}/world/marks", WATCH, matches.world_marks,
             Marks, query=RANGE, engine=True),
        _get("/v1/matches/{match}/world/activity", WATCH, matches.world_activity,
             list[list[int]], query=RANGE[:2], engine=True),
        _get("/v1/matches/{match}/world/ground", WATCH, matches.world_ground,
             _PACKED, query=(TICK, *AROUND), engine=True),
    )  # fmt: skip


def _run_routes(runs: RunRoutes) -> tuple[Route, ...]:
    """Other runs beside the own world, and what differs between two of them."""
    missing = (404, 503)
    return (
        _get("/v1/runs", WATCH, runs.listing, Runs),
        _get("/v1/runs/{run}", WATCH, runs.about, RunState, more=missing),
        _get("/v1/runs/{run}/bootstrap", WATCH, runs.bootstrap, Bootstrap, more=missing),
        _get("/v1/runs/{run}/society", WATCH, runs.society, inspection.Society, more=missing),
        _get("/v1/runs/{run}/tape", WATCH, runs.tape, TapeState, more=missing),
        _get("/v1/runs/{run}/tape/{n}", WATCH, runs.segment,
             _PACKED, more=(206, 304, 400, 404, 416, 503)),
        _get("/v1/runs/{run}/tape/{n}/private", WATCH, runs.private_segment,
             _PACKED, more=(206, 304, 400, 403, 404, 416, 503)),
        _get("/v1/runs/{run}/marks", WATCH, runs.marks, Marks, query=RANGE, more=missing),
        _get("/v1/runs/{run}/activity", WATCH, runs.activity,
             list[list[int]], query=RANGE[:2], more=missing),
        _get("/v1/runs/{run}/ground", WATCH, runs.ground,
             _PACKED, query=(TICK, *AROUND), engine=True),
        _get("/v1/runs/{run}/buildings", WATCH, runs.buildings,
             list[ShownBuilding], more=missing),
        _get("/v1/runs/{run}/places/{place}/changes", WATCH, runs.changes,
             list[PlaceChange], query=(TICK,), engine=True),
        _get("/v1/runs/{run}/rising", WATCH, runs.rising,
             Rising, query=(_BUILDING,), more=missing),
        _get("/v1/runs/{run}/laws/{law}/effects", WATCH, runs.effects,
             Effects, query=(TICK,), more=missing),
        _get("/v1/comparison", WATCH, runs.comparison, Comparison, query=PAIR, engine=True),
    )  # fmt: skip


def _what_if_routes(what_if: WhatIf) -> tuple[Route, ...]:
    """What would have happened with one thing changed, for operators."""
    return (
        _get("/v1/what-if", GOVERN, what_if.state, WhatIfState),
        _get("/v1/what-if/changes", GOVERN, what_if.offers, list[Offer]),
        _post("/v1/what-if", GOVERN, what_if.ask, WhatIfState, body=Asked,
              more=(400, 408, 409, 413, 503)),
        _post("/v1/what-if/cancel", GOVERN, what_if.cancel, WhatIfState, more=(409,)),
    )  # fmt: skip


def _file_routes(server: Server) -> tuple[Route, ...]:
    """Films, the published log, and the figures for a monitor."""
    probes = server.probes
    return (
        _get("/v1/film", WATCH, server.films.film, _HTML, query=STRETCH, more=(400, 409, 503)),
        _get("/v1/film/size", WATCH, server.films.size, FilmSize, query=STRETCH,
             more=(400, 404, 409, 503)),
        _get("/log/{path}", NONE, server.log_file, _LOG_FILE, more=(404,)),
        _get("/metrics", WATCH, probes.metrics_text, _PLAIN),
    )  # fmt: skip


def _observer_routes(observer: ObserverRoutes, reasons: AgentReasonRoutes) -> tuple[Route, ...]:
    """What the page shows of the world, now and then."""
    return (
        _get("/admin/v1/observer/bootstrap", WATCH, observer.bootstrap, Bootstrap, more=_LIVE),
        _get("/admin/v1/observer/ws", WATCH, observer.socket, None, success=101, more=(400, 503)),
        _get("/admin/v1/observer/society", WATCH, observer.society,
             inspection.Society, more=_LIVE),
        _get("/admin/v1/observer/agents/{agent}", WATCH, observer.agent,
             inspection.Inspected, engine=True),
        _get("/admin/v1/observer/minds/{agent}", WATCH, observer.mind,
             ShownMind, more=(404, 503)),
        _get("/admin/v1/observer/agents/{agent}/why", READ, reasons.why,
             AgentReasons, query=(_AT,), more=(400, 403, 404, 409, 503)),
        _get("/admin/v1/observer/places/{place}", WATCH, observer.place,
             inspection.Place, engine=True),
        _get("/admin/v1/observer/places/{place}/changes", WATCH, observer.changes,
             list[PlaceChange], query=(TICK,), engine=True),
        _get("/admin/v1/observer/buildings", WATCH, observer.buildings,
             list[ShownBuilding], more=_LIVE),
        _get("/admin/v1/observer/people", WATCH, observer.people,
             list[inspection.Person], more=_LIVE),
        _get("/admin/v1/observer/elections", WATCH, observer.elections,
             list[Election], more=_LIVE),
        _get("/admin/v1/observer/rising", WATCH, observer.rising,
             Rising, query=(_BUILDING,), more=(404, 503)),
        _get("/admin/v1/observer/surfaces", WATCH, observer.surfaces,
             _BYTES, query=_EDGES, more=(304, 503)),
        _get("/admin/v1/observer/tape", WATCH, observer.tape, TapeState, more=(404, 503)),
        _get("/admin/v1/observer/tape/{n}", WATCH, observer.segment,
             _PACKED, more=(206, 304, 400, 404, 416, 503)),
        _get("/admin/v1/observer/tape/{n}/private", WATCH, observer.private_segment,
             _PACKED, more=(206, 304, 400, 403, 404, 416, 503)),
        _get("/admin/v1/observer/marks", WATCH, observer.marks,
             Marks, query=RANGE, more=(404, 503)),
        _get("/admin/v1/observer/laws/{law}/effects", WATCH, observer.effects,
             Effects, query=(TICK,), more=(404, 503)),
        _get("/admin/v1/observer/activity", WATCH, observer.activity,
             list[list[int]], query=RANGE[:2], more=(404, 503)),
        _get("/admin/v1/observer/ground", WATCH, observer.ground,
             _PACKED, query=(TICK, *AROUND), engine=True),
        _get("/admin/v1/observer/series", WATCH, observer.series,
             list[tuple[int, int]], query=(_WHAT,), more=_LIVE),
    )  # fmt: skip


def _world_routes(world: WorldRoutes) -> tuple[Route, ...]:
    """The world as its operator keeps it."""
    return (
        _get("/admin/v1/state", GOVERN, world.state, more=_LIVE),
        _post("/admin/v1/snapshot", ADMINISTER, world.snapshot, more=(400, 408, 413, 503)),
        _get("/admin/v1/world/files", ADMINISTER, world.files,
             Files, query=(_FROM_TICK,), more=_LIVE),
        _get("/admin/v1/world/files/{name}", ADMINISTER, world.file,
             _BYTES, query=(_FROM_BYTE,), more=(404, 409, 503)),
        _get("/admin/v1/agents", GOVERN, world.list_bodies, bodies.Listing, more=_LIVE),
        _post("/admin/v1/agents/rescue", GOVERN, world.rescue,
              dict[str, str], body=bodies.Named, engine=True),
        _post("/admin/v1/agents/retire", GOVERN, world.retire,
              dict[str, str], body=bodies.Named, engine=True),
    )  # fmt: skip


def _town_and_story_routes(server: Server) -> tuple[Route, ...]:
    """Towns and stories as their operator keeps them."""
    towns = server.towns
    stories = server.stories
    observer = server.observer
    return (
        _get("/admin/v1/towns", WATCH, towns.listing, engine=True),
        _get("/admin/v1/towns/chronicle", WATCH, towns.chronicle,
             list[Entry], query=(_TOWN, _KIND, _LIMIT), engine=True),
        _get("/admin/v1/towns/{town}/state", WATCH, towns.state, Town, engine=True),
        _get("/admin/v1/towns/{town}/proposals", WATCH, towns.proposals,
             list[dict[str, Any]], engine=True),
        _get("/admin/v1/towns/{town}/decisions", WATCH, observer.decisions,
             list[Decision], query=(_BEFORE,), more=_LIVE),
        _post("/admin/v1/towns/orders", GOVERN, towns.order,
              Town | list[Happening] | int | None, body=KeeperOrder, query=(_SEED,), engine=True),
        _get("/admin/v1/towns/verify", GOVERN, towns.verify,
             town_audit.Verified, query=(_TIP,), engine=True),
        _get("/admin/v1/story", GOVERN, stories.about, engine=True),
        _post("/admin/v1/story/founding", ADMINISTER, stories.create_configured,
              body=StoryConfig, engine=True),
        _get("/admin/v1/story/page", ADMINISTER, stories.page,
             query=(_AS, _CURSOR, _LIMIT), engine=True),
        _get("/admin/v1/story/export", ADMINISTER, stories.export,
             _LINES, query=(_AS, _ALL), engine=True),
        _get("/admin/v1/story/why", ADMINISTER, server.why.why_as,
             ProvedWhy, query=(_AS, *_WHY), engine=True),
        _get("/admin/v1/story/branches", GOVERN, stories.branches, engine=True),
        _get("/admin/v1/story/audit", ADMINISTER, stories.audit,
             query=(_BEAT, _BEATS, _TROUBLED), engine=True),
        _post("/admin/v1/story/seeds", ADMINISTER, stories.seed, body=Seed, engine=True),
        _get("/admin/v1/story/verify", ADMINISTER, stories.verify,
             story_audit.Verified, query=(_TIP, _AGAIN), engine=True),
    )  # fmt: skip


async def asyncapi_document(request: web.Request) -> web.Response:
    """The messages of `/v1/ws`, as an AsyncAPI document."""
    return json_response(asyncapi())
