"""An agent's connection to a world, which reconnects by itself.

`docs/agent-kit.md` says when it reconnects, and when it gives up. A server refuses for good with
close code 1008 (bad HELLO, not allowed) or one of 4000 to 4999 (another connection took over):
coming back would only get the same answer, or steal the body from our successor.
"""

import asyncio
import errno
import os
import random
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final

import aiohttp
import msgspec
from aiohttp import WSCloseCode, WSMsgType
from yarl import URL

from thorp.client.errors import Gibberish, Rejected, Unreachable
from thorp.protocol import Auth, Capabilities, Catalog, Hello, Obs, Welcome

AGENT_PATH: Final = "/v1/ws"
# In lockstep a newcomer waits for the next tick, and the tick for the slowest model.
HANDSHAKE_SECONDS: Final = 120.0
HEARTBEAT_SECONDS: Final = 20.0  # A connection that does not even answer a ping is dead.
FIRST_PAUSE_SECONDS: Final = 0.2
LONGEST_PAUSE_SECONDS: Final = 5.0
MAX_MESSAGE_BYTES: Final = 8 * 2**20  # The largest OBS of the largest view, with room.

_MESSAGE_TYPES: Final = ("WELCOME", "CATALOG", "OBS")


AnyMessage = Welcome | Catalog | Obs


class Broken:
    """Takes the place of a message when the connection broke; a new WELCOME will follow."""


BROKEN: Final = Broken()

_decode: Final[Callable[[str | bytes], AnyMessage]] = msgspec.json.Decoder(AnyMessage).decode


class _Kind(msgspec.Struct):
    type: str


_decode_kind: Final = msgspec.json.Decoder(_Kind).decode


class _NotYet(Unreachable):
    """The server answers, but its world is still being loaded."""


class Connection:
    """A WebSocket to a world: sends HELLO, and comes back with the resume token it was given."""

    def __init__(
        self,
        http: aiohttp.ClientSession,
        url: str,
        hello: Hello,
        *,
        access_token: str | None,
        patience_seconds: float,
    ) -> None:
        self.url = agent_url(url)
        self._http = http
        self._hello = hello
        self._headers = {"Authorization": f"Bearer {access_token}"} if access_token else {}
        self._patience = patience_seconds
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self.greeted = asyncio.Event()  # Set once a HELLO has been sent.
        self.trouble = ""  # The last reason why there was no live connection.

    async def messages(self) -> AsyncIterator[AnyMessage | Broken]:
        """Yield everything the server sends, over as many connections as it takes.

        The first connection must succeed, unless the server says that its world is still loading.
        Once an OBS has come, a connection that breaks is made again. Ends with a ClientError.
        """
        pauses: Iterator[float] | None = None
        while True:
            self._socket = await (
                self._connect_first() if pauses is None else self._connect_again(pauses)
            )
            live = False
            while (
                message := await self._receive(None if live else HANDSHAKE_SECONDS)
            ) is not BROKEN:
                if isinstance(message, Welcome):
                    self._hello = msgspec.structs.replace(
                        self._hello, auth=Auth(token=message.resume_token)
                    )
                elif isinstance(message, Obs) and not live:
                    live = True
                    pauses = _pauses(self._patience)
                yield message
            await self.close()
            if pauses is None:
                raise Unreachable(f"{self.url}: {self.trouble}")
            yield BROKEN

    async def send(self, text: bytes) -> bool:
        """Send one frame; False if there is no connection to send it over."""
        socket = self._socket
        if socket is None or socket.closed:
            return False
        try:
            await socket.send_frame(text, WSMsgType.TEXT)
        except (aiohttp.ClientError, ConnectionError):
            return False
        return True

    async def close(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    async def _connect_first(self) -> aiohttp.ClientWebSocketResponse:
        try:
            return await self._connect()
        except _NotYet:
            return await self._connect_again(_pauses(self._patience))

    async def _connect(self) -> aiohttp.ClientWebSocketResponse:
        try:
            socket = await self._http.ws_connect(
                self.url,
                headers=self._headers,
                heartbeat=HEARTBEAT_SECONDS,
                max_msg_size=MAX_MESSAGE_BYTES,
            )
            await socket.send_frame(msgspec.json.encode(self._hello), WSMsgType.TEXT)
            self.greeted.set()
        except aiohttp.WSServerHandshakeError as problem:
            status = problem.status
            if status in (401, 403):
                raise Rejected(
                    f"{self.url}: not allowed (status {status}); pass access_token"
                ) from None
            if status == 503:
                raise _NotYet(f"{self.url}: the world is not ready yet") from None
            raise Unreachable(
                f"{self.url}: no agent protocol there (status {status}); use /v1/ws, or only "
                "host:port"
            ) from None
        except aiohttp.ClientConnectorError as problem:
            reason = os.strerror(problem.os_error.errno or errno.ECONNREFUSED)
            raise Unreachable(
                f"{self.url}: no server there ({reason}); `thorp up` starts one"
            ) from None
        except (aiohttp.ClientError, OSError, TimeoutError) as problem:
            raise Unreachable(f"{self.url}: {str(problem) or type(problem).__name__}") from None
        return socket

    async def _connect_again(self, pauses: Iterator[float]) -> aiohttp.ClientWebSocketResponse:
        for pause in pauses:
            await asyncio.sleep(pause)
            try:
                return await self._connect()
            except Unreachable as problem:
                self.trouble = problem.message
        raise Unreachable(f"{self.url}: no way back in {self._patience:.0f} s: {self.trouble}")

    async def _receive(self, timeout: float | None) -> AnyMessage | Broken:
        """The next message of a kind that this kit reads, or BROKEN."""
        while (socket := self._socket) is not None:
            try:
                frame = await socket.receive(timeout)
            except TimeoutError:
                self.trouble = "the server says nothing"
                return BROKEN
            if frame.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                message = _read(frame.data)
                if message is not None:
                    return message
            elif frame.type in (
                WSMsgType.CLOSE,
                WSMsgType.CLOSING,
                WSMsgType.CLOSED,
                WSMsgType.ERROR,
            ):
                self.trouble = f"closed by the server: {frame.extra or socket.close_code}"
                code = socket.close_code or 0
                if code == WSCloseCode.POLICY_VIOLATION or 4000 <= code < 5000:
                    raise Rejected(f"{self.url}: {self.trouble}")
                return BROKEN
        return BROKEN


def _pauses(patience_seconds: float) -> Iterator[float]:
    """How long to wait before each new attempt, until patience runs out."""
    longest = FIRST_PAUSE_SECONDS
    while patience_seconds > 0:
        pause = longest * random.uniform(0.5, 1)  # so that not all come back at once
        patience_seconds -= pause
        longest = min(2 * longest, LONGEST_PAUSE_SECONDS)
        yield pause


def agent_url(url: str) -> URL:
    """The address of the agent protocol, given any address of its server."""
    parsed = URL(url if "://" in url else f"ws://{url}")
    if parsed.scheme not in ("ws", "wss", "http", "https") or not parsed.host:
        raise Unreachable(f"{url}: expected an address like ws://127.0.0.1:8080{AGENT_PATH}")
    return parsed if parsed.path != "/" else parsed.with_path(AGENT_PATH)


def hello(
    name: str, token: str | None, *, delta_voxels: bool, max_queue: int, title: str = ""
) -> Hello:
    """Make the HELLO of an agent; `token` is the resume token of an earlier connection."""
    return Hello(
        agent_name=name,
        capabilities=Capabilities(delta_voxels=delta_voxels, max_queue=max_queue),
        auth=Auth(token=token) if token else msgspec.UNSET,
        title=title or msgspec.UNSET,
    )


def _read(frame: str | bytes) -> AnyMessage | None:
    """Decode a message; None for a kind that this kit does not read."""
    try:
        return _decode(frame)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as problem:
        try:
            kind = _decode_kind(frame).type
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            raise Gibberish(f"the server sent something that is not a message: {problem}") from None
        if kind in _MESSAGE_TYPES:
            raise Gibberish(f"the server sent an {kind} that cannot be read: {problem}") from None
        return None
