"""WebSocket frames: written without waiting, and read at a counted cost.

A tick that awaited its sends would be as slow as its slowest reader. So a frame goes straight to the
transport, and only while nothing waits there; what does not go out stays where newer frames can replace it.

Frames are read through aiohttp's queue. A shortcut that took whole ACTs out of the bytes as they came saved
8 % of the server's CPU a tick at 1,000 agents (median of 14 pairs, which disagreed: from -3 to 28 %), which
was not worth a second reader of frames.
"""

import asyncio
import contextlib
import socket
import struct
from time import monotonic
from typing import Final

from aiohttp import WSMsgType, web

from thorp.server.token_bucket import IGNORED_COST_BYTES, TokenBucket

_TEXT: Final = 0x81
# What the system buffers for a slow reader. Five observations of 6 kB a second are 30 kB/s; over a round trip
# of 100 ms this allows more than twenty times as much.
SEND_BUFFER_BYTES: Final = 64 * 1024
RECEIVE_BUFFER_BYTES: Final = 64 * 1024
# A peer has this long to answer a close before its connection is cut.
CLOSE_SECONDS: Final = 1.0


def text_frame(text: bytes) -> bytes:
    """One text frame, unmasked as a server's are."""
    size = len(text)
    if size < 126:
        return struct.pack("!BB", _TEXT, size) + text
    if size < 65_536:
        return struct.pack("!BBH", _TEXT, 126, size) + text
    return struct.pack("!BBQ", _TEXT, 127, size) + text


def bound_buffers(transport: asyncio.Transport) -> None:
    """Keep the system's buffers of one connection small, so that what arrives is new."""
    sock: socket.socket | None = transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)


async def answer_ping(socket: web.WebSocketResponse, payload: bytes) -> None:
    """Send a PONG. If the peer is gone, the next receive tells."""
    with contextlib.suppress(ConnectionError):
        await socket.pong(payload)


async def close_socket(
    socket: web.WebSocketResponse, transport: asyncio.Transport, code: int, reason: str
) -> None:
    """Send a close with its reason, wait a moment for the answer, and cut the connection in any case."""
    try:
        async with asyncio.timeout(2 * CLOSE_SECONDS):
            await socket.close(code=code, message=reason.encode())
    except (TimeoutError, ConnectionError):
        transport.abort()


class Inbox:
    """The frames of one peer, and what reading them costs."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket
        self._bucket = TokenBucket(monotonic())
        self.heard_at = monotonic()
        """When the peer last sent anything, a PONG included."""

    async def next(self) -> bytes | None:
        """The next text or binary frame; None when the socket is gone. Pings are answered, and cost."""
        while True:
            message = await self._socket.receive()
            self.heard_at = monotonic()
            match message.type:
                case WSMsgType.TEXT | WSMsgType.BINARY:
                    frame: bytes = message.data
                    return frame
                case WSMsgType.PING:
                    await answer_ping(self._socket, message.data)
                case WSMsgType.PONG:
                    pass
                case _:
                    return None
            await asyncio.sleep(self.charge(IGNORED_COST_BYTES))

    def charge(self, cost_bytes: int) -> float:
        """Charge the cost of reading; return for how many seconds to read nothing."""
        return self._bucket.spend(monotonic(), cost_bytes)
