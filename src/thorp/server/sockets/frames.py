"""WebSocket frames: written without waiting, and read at a counted cost, with their masks checked.

A tick that awaited its sends would be as slow as its slowest reader. So a frame goes straight to
the transport, and only while nothing waits there; what does not go out stays where newer frames can
replace it.

Frames are read through aiohttp's queue, which wakes a task for each. A task that waits there may
leave a `Take`. It is called at once with a short text that came whole and in a read of its own, as
nearly every ACT does, and no task has to wake.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from time import monotonic
from typing import Final

from aiohttp import WSMsgType, web

from thorp.protocol.websocket import TEXT

# What the system buffers for a slow reader. Five observations of 6 kB a second are 30 kB/s; over a
# round trip of 100 ms this allows more than twenty times as much.
SEND_BUFFER_BYTES: Final = 64 * 1024
RECEIVE_BUFFER_BYTES: Final = 64 * 1024
# A peer has this long to answer a close before its connection is cut.
CLOSE_SECONDS: Final = 1.0
# Reading a megabyte of bad JSON takes about 5 ms, so one connection costs at most a fiftieth of a
# core.
BYTES_PER_SECOND: Final = 4 * 2**20
# A frame of the largest size always passes.
BURST_BYTES: Final = 4 * 2**20
# A hundred useless frames a second.
IGNORED_COST_BYTES: Final = BYTES_PER_SECOND // 100
# The price of a second of parsing frames: parsing, too, costs at most a fiftieth of a core.
PARSING_COST_BYTES: Final = 50 * BYTES_PER_SECOND

# In the second byte of a frame: whether it has a mask, and its length, or how many bytes of length
# follow.
_MASKED: Final = 0x80
_LENGTH: Final = 0x7F
_LENGTH_BYTES: Final = {126: 2, 127: 8}
_MASK_BYTES: Final = 4
# In the first byte: whether its message ends with this frame, and of which kind it is.
_LAST: Final = 0x80
_KIND: Final = 0x0F
_CONTROL: Final = 8
# The second byte of frames whose length has no further byte, or two.
_SHORT_HEADS: Final = {**{_MASKED | size: 2 for size in range(126)}, _MASKED | 126: 4}

Take = Callable[[bytes], float | None]
"""Takes a message; returns how many seconds to read nothing, or None if it must go through the
queue."""


def bound_buffers(transport: asyncio.Transport) -> None:
    """Keep the system's buffers of one connection small: what a slow reader gets is then recent."""
    sock: socket.socket | None = transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)


async def close_socket(
    socket: web.WebSocketResponse, transport: asyncio.Transport, code: int, reason: str
) -> None:
    """Send a close with its reason, wait a moment for the answer, and cut the connection in any
    case."""
    try:
        async with asyncio.timeout(2 * CLOSE_SECONDS):
            await socket.close(code=code, message=reason.encode())
    except (TimeoutError, ConnectionError):
        transport.abort()


class TokenBucket:
    """Limits how many bytes a second are read from one connection. One whose bucket is empty is not
    read for a while: TCP holds its sender back, and nothing is lost."""

    __slots__ = ("_left", "_seen")

    def __init__(self, now: float) -> None:
        self._left = float(BURST_BYTES)
        self._seen = now

    def spend(self, now: float, cost_bytes: int) -> float:
        """Take this much out; return how many seconds to wait before the next read."""
        gained = (now - self._seen) * BYTES_PER_SECOND
        self._seen = now
        self._left = min(BURST_BYTES, self._left + gained) - cost_bytes
        return -self._left / BYTES_PER_SECOND if self._left < 0 else 0.0


class Inbox:
    """The frames of one peer, and what reading them costs."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket
        self._bucket = TokenBucket(monotonic())
        self.heard_at = monotonic()
        """When the peer last sent anything, a PONG included."""

    async def next(self) -> bytes | None:
        """The next text or binary frame; None when the socket is gone. Pings are answered, and
        cost."""
        while True:
            message = await self._socket.receive()
            self.heard_at = monotonic()
            match message.type:
                case WSMsgType.TEXT | WSMsgType.BINARY:
                    frame: bytes = message.data
                    return frame
                case WSMsgType.PING:
                    # If the peer is gone, the next receive says so.
                    with contextlib.suppress(ConnectionError):
                        await self._socket.pong(message.data)
                case WSMsgType.PONG:
                    pass
                case _:
                    return None
            await asyncio.sleep(self.charge(IGNORED_COST_BYTES))

    def charge(self, cost_bytes: int) -> float:
        """Charge the cost of reading; return for how many seconds to read nothing."""
        return self._bucket.spend(monotonic(), cost_bytes)


class MaskCheck:
    """Finds frames without a mask, which a client must not send although aiohttp accepts them.

    Follows the frames of one connection, from the first byte of its first frame on.
    """

    __slots__ = ("_cut_head", "_in_parts", "_to_come")

    def __init__(self) -> None:
        self._in_parts = False
        """Whether the next frame continues a message."""
        self._to_come = 0
        """How many bytes of the frame under way are still to come."""
        self._cut_head = b""
        """The beginning of a head whose rest is still to come."""

    def whole_text(self, data: bytes) -> bytes | None:
        """The text of the frame, if these bytes, which follow the last ones, are one whole frame
        of text."""
        within = self._to_come or self._cut_head or self._in_parts
        if within or data[0] != TEXT or _end(data, 0) != len(data):
            return None
        begin = _SHORT_HEADS.get(data[1])
        if begin is None:
            return None
        mask = data[begin : begin + _MASK_BYTES]
        text = data[begin + _MASK_BYTES :]
        size = len(text)
        # The mask repeats every four bytes. As two long integers the text is unmasked by one XOR,
        # many times faster than by a loop over its bytes.
        whole_mask = (mask * (size // _MASK_BYTES + 1))[:size]
        return (int.from_bytes(text, "big") ^ int.from_bytes(whole_mask, "big")).to_bytes(
            size, "big"
        )

    def passes(self, data: bytes) -> bool:
        """Whether every frame whose head is in these bytes, which follow the last ones, has a
        mask."""
        if self._to_come >= len(data):
            self._to_come -= len(data)
            return True
        data = self._cut_head + data[self._to_come :]
        at = 0
        size = len(data)
        while at < size:
            if at + 1 < size and data[at + 1] < _MASKED:
                return False
            end = _end(data, at)
            if end is None:
                break
            if data[at] & _KIND < _CONTROL:  # a ping or pong may come between parts of a message
                self._in_parts = data[at] < _LAST
            at = end
        self._cut_head = data[at:]
        self._to_come = max(0, at - size)
        return True


def _end(data: bytes, at: int) -> int | None:
    """Where the masked frame that begins here ends; None if its head is cut off."""
    begin = at + 2
    if begin > len(data):
        return None
    size = data[at + 1] & _LENGTH
    if size in _LENGTH_BYTES:
        begin += _LENGTH_BYTES[size]
        if begin > len(data):
            return None
        size = int.from_bytes(data[at + 2 : begin], "big")
    return begin + _MASK_BYTES + size
