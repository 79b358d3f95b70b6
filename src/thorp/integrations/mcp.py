"""The Model Context Protocol without a transport: takes a message as JSON, and returns its answer
as JSON.

Two generations of clients share one endpoint. Since 2026-07-28 every request names its version, in
`params._meta`. Before that, a client began with `initialize`, and the transport remembers the
revision that the two agreed on. A tool's refusal is a result with a sentence in it, not a protocol
error, because hosts seldom show models protocol errors.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from thorp import __version__
from thorp.integrations.mcp_result import ToolRefusal, ToolResult
from thorp.integrations.mcp_toolbox import Caller, Toolbox
from thorp.integrations.mcp_tools import LISTED, RESOURCES
from thorp.kernel.errors import LimitError, ThorpError
from thorp.kernel.strict_json import StrictJson

MODERN: Final = "2026-07-28"
HANDSHAKE: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
BATCHES: Final = "2025-03-26"  # The one revision in which several messages may come as a list.

PARSE = -32700
REQUEST = -32600
METHOD = -32601
PARAMS = -32602
INTERNAL = -32603
HEADERS = -32020
VERSION = -32022

MAX_MESSAGE_BYTES: Final = 2**20  # As for other bodies of requests; calls are far smaller.
MAX_DEPTH: Final = 16
# The answers to a list are sent as one list, so all of them wait for the slowest.
MAX_BATCH: Final = 16
CACHE_MILLISECONDS: Final = 3_600_000  # Tools and rules change with a release only.

_META: Final = "io.modelcontextprotocol/"
_INFO: Final = {"name": "thorp", "title": "Thorp", "version": __version__}
_ABOUT: Final = {
    "capabilities": {"tools": {"listChanged": False}, "resources": {"listChanged": False}},
    "instructions": "Thorp is a village in a world of blocks. Call join first: it gives a handle, "
    "which the other tools take. Then observe, act, and wait for what takes time. A refusal says "
    "what to send instead. The resource thorp://rules has the rules in short.",
}
_TEXT: Final = "text/markdown"
Answer = dict[str, Any] | None
# Methods of another protocol, which the sidecar of early servers spoke at the same path.
_SIDECAR: Final = ("list_tools", "call_tool")
_JSON: Final = StrictJson(bytes_limit=MAX_MESSAGE_BYTES, depth_limit=MAX_DEPTH, storable=True)


_log = logging.getLogger("thorp.integrations.mcp")


class RpcError(Exception):
    """A message that is answered with an error of the protocol."""

    def __init__(
        self, code: int, message: str, data: Any = None, *, status: int | None = None
    ) -> None:
        """`status` is the HTTP status of the answer, given where it does not follow from `code`."""
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.data = data

    def document(self, request_id: int | str | None = None) -> dict[str, Any]:
        """The answer as JSON-RPC has it; without an id if the message had none that can be read."""
        more = {} if self.data is None else {"data": self.data}
        error = {"code": self.code, "message": self.message, **more}
        return {"jsonrpc": "2.0", "id": request_id, "error": error}


class Message(msgspec.Struct):
    """A request, or a notification if it has no id."""

    jsonrpc: Literal["2.0"]
    method: Annotated[str, Meta(max_length=128)]
    id: (
        Annotated[int, Meta(ge=-(2**53), le=2**53)]
        | Annotated[str, Meta(max_length=128)]
        | UnsetType
    ) = UNSET
    params: dict[str, Any] | UnsetType = UNSET

    @property
    def meta(self) -> dict[str, Any]:
        meta = self.params.get("_meta") if isinstance(self.params, dict) else None
        return meta if isinstance(meta, dict) else {}

    @property
    def version(self) -> Any:
        """The protocol version in its `_meta`; None without one, as before 2026-07-28. May be any
        JSON: `check_modern` checks it."""
        return self.meta.get(f"{_META}protocolVersion")


def read_json(text: bytes) -> Any:
    """JSON from a message; raises the RpcError with which it is answered."""
    try:
        return _JSON.read(text)
    except LimitError as problem:
        raise RpcError(REQUEST, f"the message is too large: {problem}") from None
    except ThorpError as problem:
        raise RpcError(PARSE, str(problem)) from None


def read_message(value: Any) -> Message:
    """A JSON-RPC message from its JSON; raises the RpcError with which it is answered."""
    try:
        message = msgspec.convert(value, Message)
    except msgspec.ValidationError as problem:
        raise RpcError(
            REQUEST, f"expected one JSON-RPC request or notification: {problem}"
        ) from None
    if message.method in _SIDECAR:
        raise RpcError(
            METHOD,
            f"{message.method} is of another protocol that once answered at this path; this is "
            "MCP: call initialize, then tools/list and tools/call",
        )
    return message


def check_modern(message: Message) -> None:
    """Refuse a request whose `_meta` lacks the client's capabilities, or a version we speak."""
    needed = f"{_META}protocolVersion", f"{_META}clientCapabilities"
    if missing := [key for key in needed if key not in message.meta]:
        raise RpcError(PARAMS, f"params._meta lacks {', '.join(missing)}")
    if not isinstance(message.version, str):
        raise RpcError(PARAMS, f"params._meta {_META}protocolVersion: expected a string")
    check_version(message.version)


def check_version(version: str) -> None:
    """Refuse a version of the protocol other than the one that is spoken."""
    if version != MODERN:
        message = f"the version {version} is not spoken here; send {MODERN}, or initialize"
        raise RpcError(VERSION, message, {"supported": [MODERN], "requested": version})


class Endpoint:
    """Answers messages, whichever transport brought them, and cancels requests under way."""

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools
        self._running: dict[tuple[str, Any], asyncio.Task[dict[str, Any]]] = {}
        """Requests under way, by session and id."""

    async def answer(
        self, message: Message, version: str, caller: Caller, session: str = ""
    ) -> Answer:
        """Answer a message in a version of the protocol. Returns None for a notification, and for
        a request that a notification of the same session has cancelled."""
        if message.id is UNSET:
            if message.method == "notifications/cancelled" and isinstance(message.params, dict):
                self._cancel(session, message.params.get("requestId"))
            return None
        key = session, message.id
        work = self._running[key] = asyncio.create_task(self._result(message, version, caller))
        try:
            result = await work
        except asyncio.CancelledError:
            if self._running.get(key) is work:
                # `_cancel` would have removed it: so the caller of this method was cancelled.
                raise
            return None
        except RpcError as problem:
            return problem.document(message.id)
        except Exception:
            _log.exception("a request failed")
            return RpcError(INTERNAL, "this failed, through no fault of yours").document(message.id)
        finally:
            if self._running.get(key) is work:
                del self._running[key]
        return {"jsonrpc": "2.0", "id": message.id, "result": result}

    def _cancel(self, session: str, request_id: Any) -> None:
        if isinstance(request_id, int | str) and (
            work := self._running.pop((session, request_id), None)
        ):
            work.cancel()

    async def _result(self, message: Message, version: str, caller: Caller) -> dict[str, Any]:
        """The result of a request; modern results say also how long they may be cached."""
        method = message.method
        params = message.params if isinstance(message.params, dict) else {}
        modern = version == MODERN
        result: dict[str, Any]
        match method, modern:
            case "initialize", False:
                return {"protocolVersion": version, "serverInfo": _INFO, **_ABOUT}
            case "ping", False:
                return {}
            case "server/discover", True:
                result = {"supportedVersions": [MODERN, *reversed(HANDSHAKE)], **_ABOUT}
            case "tools/list", _:
                result = {"tools": LISTED}
            case "tools/call", _:
                result = await self._call(params.get("name"), params.get("arguments") or {}, caller)
            case "prompts/list", _:
                result = {"prompts": []}
            case "resources/list", _:
                result = {"resources": [_resource(uri) for uri in RESOURCES]}
            case "resources/templates/list", _:
                result = {"resourceTemplates": []}
            case "resources/read", _:
                uri = params.get("uri")
                if not isinstance(uri, str) or uri not in RESOURCES:
                    raise RpcError(PARAMS, f"params.uri: expected one of {', '.join(RESOURCES)}")
                result = {"contents": [{"uri": uri, "mimeType": _TEXT, "text": RESOURCES[uri][1]}]}
            case _:
                raise RpcError(METHOD, f"there is no method {method} in {version}")
        if not modern:
            return result
        cached = (
            {} if method == "tools/call" else {"ttlMs": CACHE_MILLISECONDS, "cacheScope": "public"}
        )
        return {
            "resultType": "complete",
            **result,
            **cached,
            "_meta": {f"{_META}serverInfo": _INFO},
        }

    async def _call(self, name: Any, arguments: Any, caller: Caller) -> dict[str, Any]:
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise RpcError(
                PARAMS, "params: expected name, that of a tool, and arguments, an object"
            )
        try:
            reply = await self._tools.call(name, arguments, caller)
        except ToolRefusal as refused:
            reply = ToolResult(str(refused), is_error=True)
        result = {"content": [{"type": "text", "text": reply.text}], "isError": reply.is_error}
        return result if reply.data is None else result | {"structuredContent": reply.data}


def _resource(uri: str) -> dict[str, str]:
    return {
        "uri": uri,
        "name": uri.rpartition("/")[2],
        "description": RESOURCES[uri][0],
        "mimeType": _TEXT,
    }


def negotiated(message: Message) -> str:
    """The revision in which an `initialize` is answered: the one it asks for if we speak it, else
    the newest that has a handshake."""
    asked = message.params.get("protocolVersion") if isinstance(message.params, dict) else None
    return asked if asked in HANDSHAKE else HANDSHAKE[-1]


async def answer_each(value: Any, version: str, answer: Callable[[Any], Awaitable[Answer]]) -> Any:
    """Answer a message, or each message of a list in the revision that has lists. Returns None if
    there is nothing to send."""
    if not isinstance(value, list):
        return await answer(value)
    if version != BATCHES or not 0 < len(value) <= MAX_BATCH:
        raise RpcError(
            REQUEST, f"lists are of {BATCHES} only, and have 1 to {MAX_BATCH} messages; send one"
        )
    return [reply for each in value if (reply := await answer(each)) is not None] or None


class Line:
    """One client on a connection of its own, such as standard input and output. It remembers the
    revision that `initialize` agreed on."""

    def __init__(self, endpoint: Endpoint, caller: Caller) -> None:
        self._endpoint = endpoint
        self._caller = caller
        self._version = ""

    async def answer(self, text: bytes) -> Any:
        """Answer one line of text. Returns None if there is nothing to send."""
        try:
            return await answer_each(read_json(text), self._version, self._answer)
        except RpcError as problem:
            return problem.document()

    async def _answer(self, value: Any) -> Answer:
        try:
            message = read_message(value)
            if message.version is not None:
                check_modern(message)
                return await self._endpoint.answer(message, MODERN, self._caller)
            if message.method == "initialize":
                self._version = negotiated(message)
            elif not self._version and message.method != "ping":
                raise RpcError(
                    REQUEST, "call initialize first, or name the protocol version in params._meta"
                )
            return await self._endpoint.answer(message, self._version, self._caller)
        except RpcError as problem:
            return problem.document(id_of(value))


def id_of(value: Any) -> int | str | None:
    """The id of a message that may be malformed; None if it has none that JSON-RPC allows."""
    message_id = value.get("id") if isinstance(value, dict) else None
    return (
        message_id
        if isinstance(message_id, int | str) and not isinstance(message_id, bool)
        else None
    )
