"""`POST /mcp`: the Model Context Protocol over streamable HTTP, for assistants.

An assistant that joins here is an agent of `/v1/ws` like any other: the tools play through the kit,
over a connection to this server from inside. Its pair of sockets needs no port and no certificate.
Answers are JSON, never a stream. The id of a session of the handshake era is the revision that was
agreed on, signed, so that nothing is kept for it.
"""

import asyncio
import errno
import hmac
import secrets
import socket
from base64 import b64decode
from collections.abc import Callable
from time import monotonic
from typing import Any, Final

import aiohttp
from aiohttp import web

from thorp.integrations import mcp
from thorp.integrations.mcp import HANDSHAKE, MODERN, Endpoint, Message, RpcError
from thorp.integrations.mcp_player import Player
from thorp.integrations.mcp_toolbox import Caller, Gate, Toolbox
from thorp.server.access.principals import Principals, presented_token
from thorp.server.access.requests import Refused, json_response, read_whole_body
from thorp.server.access.tokens import Permission, Role
from thorp.server.sockets.delivery import has_arrived
from thorp.server.sockets.join_limiter import JoinLimiter
from thorp.server.sockets.listener import is_in_reserve

SESSION: Final = "Mcp-Session-Id"
# The parameter of a method that a request of the modern era repeats in the header Mcp-Name.
_NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_STATUS: Final = {mcp.METHOD: 404} | dict.fromkeys(
    (mcp.PARSE, mcp.REQUEST, mcp.PARAMS, mcp.HEADERS, mcp.VERSION), 400
)
_INSIDE: Final = "ws://localhost/v1/ws"


class _Inside(aiohttp.BaseConnector):
    """Connects the kit to this server's own handlers, by a pair of sockets."""

    def __init__(self, serve: Callable[[], asyncio.BaseProtocol]) -> None:
        super().__init__(limit=0)
        self._serve = serve

    async def _create_connection(self, *_: Any) -> Any:
        """What aiohttp asks a connector for: a protocol whose transport is connected."""
        loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        if is_in_reserve(max(ours.fileno(), theirs.fileno())):
            ours.close()
            theirs.close()
            raise OSError(errno.EMFILE, "the server has no connection left; try again later")
        try:
            await loop.connect_accepted_socket(self._serve, theirs)
        except BaseException:
            ours.close()
            raise
        return (await loop.create_unix_connection(self._factory, sock=ours))[1]


class Mcp:
    """The handler of `/mcp`, and the agents that have joined through it."""

    def __init__(self, principals: Principals) -> None:
        self._principals = principals
        self._key = secrets.token_bytes(32)
        self._limiter = JoinLimiter()
        self._viewer = principals.tokens.issue_unsaved(Role.VIEWER)
        self._tools: Toolbox | None = None
        self._endpoint: Endpoint | None = None
        self._connector: _Inside | None = None
        self._watching: set[asyncio.Task[None]] = set()
        """Tasks that wait whether the answer to a join arrives."""

    def open(self, serve: Callable[[], asyncio.BaseProtocol]) -> None:
        """Let agents join from now on, through the server's own protocol."""
        self._connector = _Inside(serve)
        # An operator's joins are unlimited: they are counted in `_caller`, by the assistant's
        # address.
        token = self._principals.tokens.issue_unsaved(Role.OPERATOR)
        self._tools = Toolbox(Gate(_INSIDE, token, self._connector))
        self._endpoint = Endpoint(self._tools)

    async def close(self) -> None:
        """Disconnect the agents that have joined here."""
        for task in self._watching:
            task.cancel()
        if self._tools is not None and self._connector is not None:
            await self._tools.close()
            await self._connector.close()

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one message of the Model Context Protocol."""
        if self._endpoint is None:
            raise Refused(503, "not_ready", "the server is starting; ask again")
        value: Any = None
        joined: list[Player] = []
        try:
            value = mcp.read_json(await read_whole_body(request))
            if not isinstance(value, list):
                # First, so that a client of the old sidecar learns what is wrong whatever its
                # headers are.
                mcp.read_message(value)
            _check_headers(request)
            version = request.headers.get("MCP-Protocol-Version", HANDSHAKE[0])
            answer = self._modern if version not in HANDSHAKE else self._handshake
            response = await answer(request, value, self._caller(request, joined))
        except RpcError as problem:
            document = problem.document(mcp.id_of(value))
            response = json_response(document, problem.status or _STATUS[problem.code])
        if joined:
            watching = asyncio.create_task(_undo_unless_told(joined, request, response))
            self._watching.add(watching)
            watching.add_done_callback(self._watching.discard)
        return response

    async def _modern(self, request: web.Request, value: Any, caller: Caller) -> web.Response:
        """Answer a message of the modern era, in which every request stands alone."""
        message = mcp.read_message(value)
        if isinstance(message.id, int | str):
            _check_mirrored(request, message)
            mcp.check_modern(message)
        mcp.check_version(request.headers["MCP-Protocol-Version"])
        # Without sessions nobody can cancel a request: nobody could tell whose it is. A session id
        # that is never used again makes sure of that.
        assert self._endpoint is not None
        answer = await self._endpoint.answer(message, MODERN, caller, secrets.token_hex(8))
        if answer is None:
            return web.Response(status=202)
        return json_response(answer, _STATUS.get(answer.get("error", {}).get("code"), 200))

    async def _handshake(self, request: web.Request, value: Any, caller: Caller) -> web.Response:
        """Answer a message or a batch of the handshake era, in which `initialize` opens a
        session."""
        endpoint = self._endpoint
        assert endpoint is not None
        opens = isinstance(value, dict) and value.get("method") == "initialize"
        version = mcp.negotiated(mcp.read_message(value)) if opens else self._session(request)
        session = request.headers.get(SESSION, "")

        async def answer_one(each: Any) -> mcp.Answer:
            return await endpoint.answer(mcp.read_message(each), version, caller, session)

        answer = await mcp.answer_each(value, version, answer_one)
        if answer is None:
            return web.Response(status=202)
        response = json_response(answer)
        if opens:
            response.headers[SESSION] = self._signed(f"{version}.{secrets.token_urlsafe(12)}")
        return response

    def _session(self, request: web.Request) -> str:
        """The revision that a session agreed on."""
        session = request.headers.get(SESSION)
        if session is None:
            raise RpcError(
                mcp.REQUEST, f"the header {SESSION} is missing; the answer to initialize has it"
            )
        if not hmac.compare_digest(
            _bytes(session), _bytes(self._signed(session.rpartition(".")[0]))
        ):
            raise RpcError(
                mcp.REQUEST, "this session is not known here; call initialize again", status=404
            )
        return session.partition(".")[0]

    def _signed(self, text: str) -> str:
        return f"{text}.{hmac.new(self._key, _bytes(text), 'sha256').hexdigest()[:32]}"

    def _caller(self, request: web.Request, joined: list[Player]) -> Caller:
        """On whose behalf tools are called. Agents that join are added to `joined`."""
        unlimited = self._principals.role_of(request).may(Permission.GOVERN)
        address = None if unlimited else request.remote or ""
        token = presented_token(request) or self._viewer  # a viewer reads the public story
        return Caller(token, lambda: self._limiter.admits(address, monotonic()), joined.append)


async def _undo_unless_told(
    joined: list[Player], request: web.Request, response: web.Response
) -> None:
    """Take back joins whose answer does not arrive: nobody has the handles of those agents."""
    if not await has_arrived(request, response):
        for player in joined:
            await player.undo_join()


def _check_headers(request: web.Request) -> None:
    if request.content_type != "application/json":
        raise RpcError(mcp.REQUEST, "the header Content-Type must be application/json")
    choices = request.headers.get("Accept", "").split(",")
    accepted = {each.partition(";")[0].strip().lower() for each in choices}
    for wanted, group in (("application/json", "application/*"), ("text/event-stream", "text/*")):
        if accepted.isdisjoint((wanted, group, "*/*")):
            advice = "the header Accept must name application/json and text/event-stream"
            raise RpcError(mcp.REQUEST, advice, status=406)
    for name in ("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", SESSION):
        if len(request.headers.getall(name, [])) > 1:
            raise RpcError(mcp.HEADERS, f"the header {name} stands twice")


def _check_mirrored(request: web.Request, message: Message) -> None:
    """Refuse a request whose headers do not match its body."""
    params = message.params if isinstance(message.params, dict) else {}
    mirrored = {"Mcp-Method": message.method, "MCP-Protocol-Version": message.version}
    if message.method in _NAMED and isinstance(params.get(_NAMED[message.method]), str):
        mirrored["Mcp-Name"] = params[_NAMED[message.method]]
    for name, value in mirrored.items():
        if value is not None and _decoded(request.headers.get(name)) != value:
            raise RpcError(mcp.HEADERS, f"the header {name} does not say what the body says")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _decoded(text: str | None) -> str | None:
    """A header's value, which is wrapped as base64 if it is not plain ASCII."""
    if text is None or not (text.startswith("=?base64?") and text.endswith("?=")):
        return text
    try:
        return b64decode(text[9:-2], validate=True).decode()
    except ValueError:
        return None
