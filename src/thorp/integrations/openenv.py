"""The wire of OpenEnv 0.10: a world of its own for each session, with one agent, stepped by the
client.

    WS /ws     reset, step, state, close; one answer a request, in order
    HTTP       /health, /metadata, /schema, /state, /openapi.json; /reset and /step of a throw-away
               world
    POST /mcp  JSON-RPC of OpenEnv's own kind: sessions are made and closed; there are no tools
    Task API   /thorp/splits, /thorp/tasks, /thorp/num_tasks, /thorp/task, /thorp/task_range

A `reset` may ask for a graded task instead, as `thorp.integrations.openenv_tasks` says.

OpenEnv's client turns an error frame into an exception and drops its fields, and harnesses end the
run at an exception. So a mistake of the model is answered by an observation that explains it; error
frames are for malformed requests.
"""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.resources import files
from time import monotonic
from typing import Any, Final

import msgspec
from aiohttp import WSMsgType, web
from aiohttp.typedefs import Middleware

from thorp import __version__
from thorp.integrations.openenv_episode import BadRequest, Episode, LazyTable, Reply
from thorp.integrations.openenv_tasks import action_schema
from thorp.kernel.errors import InvalidError, ThorpError
from thorp.kernel.strict_json import StrictJson
from thorp.language.tools import ACTION_SCHEMA

MAX_SESSIONS: Final = 64  # Each takes some megabytes.
# A learner may think for minutes between two steps; after a longer silence its session is closed.
IDLE_SECONDS: Final = 1_800.0
# A session that was made and not connected to lapses; clients connect right away.
CONNECT_SECONDS: Final = 60.0
# Worlds that are stepped at once. More threads would only wait: a step holds the interpreter.
MAX_AT_ONCE: Final = 4
HEARTBEAT_SECONDS: Final = 20.0  # A socket without a sign of life is closed within twice this.
MAX_MESSAGE_BYTES: Final = 2**20
MAX_STEPS: Final = 500
_JSON: Final = StrictJson(bytes_limit=MAX_MESSAGE_BYTES, depth_limit=16, storable=True)

_WORDS: Final = msgspec.json.decode((files(__package__) / "openenv.json").read_bytes())
_METADATA: Final = _WORDS["metadata"] | {"version": __version__}
_SCHEMAS: Final = {
    "action": {"title": "ThorpAction", **ACTION_SCHEMA},
    **{name: _WORDS[name] for name in ("observation", "state")},
    "reset_observation": _WORDS["observation"],
}


class OpenEnv:
    """Serves environments to learners over OpenEnv's routes: one world for each session."""

    def __init__(self, max_steps: int = MAX_STEPS, *, only_tasks: bool = False) -> None:
        """With `only_tasks` every episode is a graded task: a reset that names none takes a row of
        `train` by its seed."""
        self._max_steps = max_steps
        self._only_tasks = only_tasks
        self._tasks = LazyTable()
        # Times at which sessions were made, of those that have no socket yet.
        self._made: dict[str, float] = {}
        self._open = 0
        self._working = asyncio.Semaphore(MAX_AT_ONCE)

    def app(self, *guards: Middleware) -> web.Application:
        """The routes; `guards` see each request first."""
        app = web.Application(client_max_size=MAX_MESSAGE_BYTES, middlewares=guards)
        state = self._episode().state
        names = [_METADATA["name"]]
        schemas = _SCHEMAS
        if self._only_tasks:
            schemas = {**_SCHEMAS, "action": action_schema(self._tasks.table.suite)}
        documents = {"health": {"status": "healthy"}, "metadata": _METADATA, "schema": schemas}
        documents |= {"state": state, "openapi.json": _WORDS["openapi"], "list_environments": names}
        for name, document in documents.items():
            app.router.add_get(f"/{name}", partial(_serve, document))
        app.router.add_post("/reset", partial(self._throw_away, Episode.reset))
        app.router.add_post("/step", partial(self._throw_away, _reset_and_step))
        app.router.add_get("/{env}/splits", self._splits)
        for question in ("tasks", "num_tasks", "task", "task_range"):
            app.router.add_post(f"/{{env}}/{question}", partial(self._tell_tasks, question))
        app.router.add_post("/mcp", self._mcp)
        app.router.add_get("/mcp", self._mcp_socket)
        app.router.add_get("/ws", self._ws)
        return app

    async def _throw_away(
        self, work: Callable[[Episode, Any], Reply], request: web.Request
    ) -> web.Response:
        """Answer a request with a world of its own, which ends with the request."""
        try:
            body = _JSON.read(await request.read() or b"{}")
            return web.json_response(await self._work(work, self._episode(), body))
        except (BadRequest, ThorpError) as problem:
            invalid = [{"type": "json_invalid", "loc": ["body"], "msg": str(problem)}]
            return web.json_response({"detail": getattr(problem, "errors", invalid)}, status=422)

    def _episode(self) -> Episode:
        return Episode(self._max_steps, self._tasks, only_tasks=self._only_tasks)

    # The Task API

    async def _splits(self, request: web.Request) -> web.Response:
        _check_name(request)
        return web.json_response(self._tasks.table.splits())

    async def _tell_tasks(self, question: str, request: web.Request) -> web.Response:
        """Tell which tasks there are. An unknown split or index is a 400, as OpenEnv has it."""
        _check_name(request)
        try:
            body = _JSON.read(await request.read() or b"{}")
            if not isinstance(body, dict):
                raise InvalidError("expected an object with a split", code="body")
            answer = self._tasks.table.answer(question, body)
        except ThorpError as refusal:
            return web.json_response({"detail": str(refusal)}, status=400)
        return web.json_response({**answer, "env_name": _METADATA["name"]})

    async def _work(self, work: Callable[..., Reply], *given: Any) -> Reply:
        """Step a world in a thread, so that the event loop still answers pings."""
        async with self._working:
            return await asyncio.to_thread(work, *given)

    # Sessions

    def _take_slot(self) -> bool:
        """Drop sessions that nobody connected to in time; return whether there is room for
        another."""
        oldest = monotonic() - CONNECT_SECONDS
        self._made = {name: made_at for name, made_at in self._made.items() if made_at > oldest}
        return self._open + len(self._made) < MAX_SESSIONS

    async def _ws(self, request: web.Request) -> web.WebSocketResponse:
        socket = _socket()
        await socket.prepare(request)
        wanted = request.query.get("session_id")
        has_room = self._take_slot()
        if wanted is not None and self._made.pop(wanted, None) is None:
            await socket.send_json(
                _error("SESSION_ERROR", "session_id: it is unknown, taken or over")
            )
        elif wanted is None and not has_room:
            counts = {"active_sessions": self._open + len(self._made), "max_sessions": MAX_SESSIONS}
            await socket.send_json(
                _error("CAPACITY_REACHED", "all sessions are taken; try later", **counts)
            )
        else:
            self._open += 1
            try:
                await self._converse(socket, self._episode())
            finally:
                self._open -= 1
        await socket.close()
        return socket

    async def _converse(self, socket: web.WebSocketResponse, episode: Episode) -> None:
        """Answer a client until it goes, or is silent for too long."""
        while True:
            try:
                frame = await socket.receive(IDLE_SECONDS)
            except TimeoutError:
                return
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return
            answer = await self._answer(episode, frame.data)
            if answer is not None and not socket.closed:
                with suppress(ConnectionResetError):
                    await socket.send_json(answer)
            if answer is None or answer["data"].get("code") == "SESSION_ERROR":
                return

    async def _answer(self, episode: Episode, frame: str | bytes) -> Reply | None:
        """Answer a frame. Returns None if it ends the session."""
        try:
            message = _JSON.read(frame)
        except ThorpError as problem:
            return _error("INVALID_JSON", f"Invalid JSON: {problem}")
        if not isinstance(message, dict):
            return _error("SESSION_ERROR", "expected an object with type and data")
        kind = message.get("type")
        data = message.get("data")
        try:
            for name in message:
                if name not in ("type", "data"):
                    raise BadRequest(name[:40], "Extra inputs are not permitted", "extra_forbidden")
            match kind:
                case "reset":
                    return {"type": "observation", "data": await self._work(episode.reset, data)}
                case "step":
                    return {"type": "observation", "data": await self._work(episode.step, data)}
                case "state":
                    return {"type": "state", "data": episode.state}
                case "mcp":
                    return {"type": "mcp", "data": self._answer_call(data)}
                case "close":
                    return None
        except BadRequest as problem:
            return _error("VALIDATION_ERROR", f"Invalid message: {problem}", errors=problem.errors)
        except ThorpError as problem:
            return _error("EXECUTION_ERROR", str(problem))
        return _error("UNKNOWN_TYPE", "type: expected reset, step, state, mcp or close")

    async def _mcp(self, request: web.Request) -> web.Response:
        """Answer JSON-RPC, always with status 200: errors are in the body."""
        return web.json_response(self._rpc(await request.read()))

    async def _mcp_socket(self, request: web.Request) -> web.WebSocketResponse:
        """Answer JSON-RPC over a WebSocket, a frame for each call. It has no world, so it counts
        as no session."""
        socket = _socket()
        await socket.prepare(request)
        with suppress(ConnectionResetError):
            async for frame in socket:
                await socket.send_json(self._rpc(frame.data))
        return socket

    def _rpc(self, text: str | bytes) -> Reply:
        try:
            return self._answer_call(_JSON.read(text))
        except ThorpError as problem:
            return _rpc_error(None, -32700, f"Parse error: {problem}")

    def _answer_call(self, call: Any) -> Reply:
        call = call if isinstance(call, dict) else {}
        request_id = call.get("id")
        params = call.get("params") or {}
        session_id = params.get("session_id") if isinstance(params, dict) else None
        match call.get("method"):
            case "openenv/session/create" if self._take_slot():
                session_id = secrets.token_hex(16)
                self._made[session_id] = monotonic()
                result: Reply = {"session_id": session_id}
            case "openenv/session/create":
                return _rpc_error(
                    request_id, -32000, f"all {MAX_SESSIONS} sessions are taken; try later"
                )
            case "openenv/session/close":
                if not isinstance(session_id, str) or self._made.pop(session_id, None) is None:
                    return _rpc_error(
                        request_id, -32602, "session_id: it is unknown, or a socket has it"
                    )
                result = {"session_id": session_id, "closed": True}
            case "tools/list" | "tools/call":
                return _rpc_error(
                    request_id, -32603, "Environment does not support MCP; `thorp mcp` does"
                )
            case str(method):
                return _rpc_error(request_id, -32601, f"Method not found: {method[:40]}")
            case _:
                return _rpc_error(request_id, -32600, "Invalid request: method is missing")
        return {"jsonrpc": "2.0", "id": request_id, "result": result}


def _check_name(request: web.Request) -> None:
    """Refuse another environment's name with a 404."""
    if request.match_info["env"].lower() != _METADATA["name"]:
        raise web.HTTPNotFound(
            text=msgspec.json.encode({"detail": "unknown environment"}).decode(),
            content_type="application/json",
        )


def _socket() -> web.WebSocketResponse:
    """A WebSocket that pings its client, and is closed if no answer comes."""
    return web.WebSocketResponse(
        heartbeat=HEARTBEAT_SECONDS, compress=False, max_msg_size=MAX_MESSAGE_BYTES, timeout=2.0
    )


def _reset_and_step(episode: Episode, body: Any) -> Reply:
    if not isinstance(body, dict) or "action" not in body:
        raise BadRequest("action", "Field required", "missing")
    episode.reset({"seed": 0})
    return episode.step(body["action"])


def _error(code: str, message: str, **more: Any) -> Reply:
    return {"type": "error", "data": {"message": message, "code": code, **more}}


def _rpc_error(request_id: Any, code: int, message: str) -> Reply:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}


async def _serve(document: Any, request: web.Request) -> web.Response:
    return web.json_response(document)
