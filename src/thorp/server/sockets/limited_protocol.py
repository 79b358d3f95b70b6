"""The protocol of every connection: limits on how slow it may be, and how costly to read.

A connection that sends no complete request in time is cut. One that became a WebSocket is not read
for a while when parsing its frames has cost too much: nothing else would notice a flood of empty
frames.

What a client sends after its request for a WebSocket is held back until the switch. So this sees
the frames from their first byte on, and refuses one without a mask wherever it comes.
"""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, thread_time
from typing import Any, Final, NamedTuple

from aiohttp import web

from thorp.protocol.frame import MAX_FRAME_BYTES
from thorp.server.access.requests import Refused
from thorp.server.sockets.connection_limiter import ConnectionLimiter
from thorp.server.sockets.frames import (
    CLOSE_SECONDS,
    PARSING_COST_BYTES,
    MaskCheck,
    Take,
    TokenBucket,
)

# For the headers of the first request; as long as an agent has for its HELLO.
FIRST_REQUEST_SECONDS: Final = 5.0
# For the headers of a later one; longer than proxies commonly keep an idle connection.
KEEP_ALIVE_SECONDS: Final = 75.0
READ_BYTES: Final = 64 * 1024
# Clients must wait for the switch before they send frames. From one that does not, up to this much
# is held back.
HURRIED_BYTES: Final = 64 * 1024
# The head of every request for a WebSocket contains this word, and ends with an empty line.
_WORD: Final = re.compile(rb"websocket", re.IGNORECASE)
_END: Final = b"\r\n\r\n"
_ASKS_FOR_SOCKET: Final = re.compile(_WORD.pattern + b".*?" + _END, re.IGNORECASE | re.DOTALL)
# A read as short as an ACT has a fixed price, because timing it would cost as much again.
SHORT_BYTES: Final = 512
SHORT_SECONDS: Final = 20e-6
# A close frame with 1002, for a peer that broke the rules of WebSocket.
PROTOCOL_ERROR_FRAME: Final = b"\x88\x02" + (1002).to_bytes(2, "big")


class Handed(NamedTuple):
    """A connection that another process has accepted."""

    number: int
    unlimited: bool
    """Whether the limit on joins from its address is lifted."""
    read: bytes
    """The request for a WebSocket, and what was received after it."""
    lost: Callable[[], None]
    """Called when the connection has ended."""


class _LimitedProtocol(asyncio.BufferedProtocol):
    """An HTTP protocol behind the limits.

    All connections of a listening socket read into one buffer, from which the bytes are copied at
    once. asyncio by itself would allocate a new buffer of 256 KiB for each read, which takes
    several times as long as reading an ACT.
    """

    def __init__(
        self, limiter: ConnectionLimiter, incoming: memoryview, inner: web.RequestHandler
    ) -> None:
        self._limiter = limiter
        self._incoming = incoming
        self._inner = inner
        self._address = ""
        self._refused = False
        self._waiting: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport | None = None
        self._bucket: TokenBucket | None = None
        self._tail = b""
        """What the search for the next head needs of the bytes before: the word if it was seen, and
        the last bytes, which may be the beginning of the word or of the empty line."""
        self._held: bytes | None = None
        """What was received after a head that may ask for a WebSocket."""
        self._unsifted = False
        """Whether such a head may have been passed on together with bytes that follow it. Then this
        connection may not switch any more, since nobody would have checked its first frames."""
        self._answering = False
        self._masks = MaskCheck()
        self.handed: Handed | None = None
        """What another process has read of this connection, if one accepted it."""
        self.take: Take | None = None
        """Left by the task that waits for the next message, while the queue is empty."""
        self.on_lost: list[Callable[[], None]] = []
        """Called when the connection is over, while its socket is still open to questions."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer: Any = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        answer = self._limiter.enter(self._address)
        if answer is not None:
            self._refused = True
            transport.write(answer)
            transport.close()
            return
        self._transport = transport
        self._waiting = asyncio.get_running_loop().call_later(
            FIRST_REQUEST_SECONDS, transport.abort
        )
        self._inner.connection_made(transport)
        if self.handed is not None:
            self._read_http(self.handed.read)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._incoming

    def buffer_updated(self, nbytes: int) -> None:
        if self._refused:
            return
        data = bytes(self._incoming[:nbytes])
        if self._bucket is None:
            self._read_http(data)
        else:
            self._read_frames(self._bucket, data)

    def _read_http(self, data: bytes) -> None:
        """Pass bytes on, up to the end of a head that may ask for a WebSocket."""
        if self._held is not None:
            self._held += data
            if len(self._held) > HURRIED_BYTES and self._transport is not None:
                self._transport.abort()
            return
        end = None if self._unsifted else self._end_of_asking(data)
        if end is not None and self._answering:
            # Pipelined after a request that is not answered yet: passed on, and refused later.
            self._unsifted = True
        elif end is not None:
            self._held = data[end:]
            data = data[:end]
        self._inner.data_received(data)

    def _end_of_asking(self, data: bytes) -> int | None:
        """Where a head that may ask for a WebSocket ends in this read; None if none does."""
        carried = len(self._tail)
        text = self._tail + data
        asks = _ASKS_FOR_SOCKET.search(text)
        if asks is not None:
            self._tail = b""
            return asks.end() - carried
        rest = text.rpartition(_END)[2]
        word = _WORD.search(rest)
        # Only what the next read could complete is kept, so that a long head is not searched again
        # with each read: 8 bytes of `websocket`, or the word and 3 bytes of the empty line.
        self._tail = rest[-8:] if word is None else word[0] + rest[word.end() :][-3:]
        return None

    def _read_frames(self, bucket: TokenBucket, data: bytes) -> None:
        """Check and pass on the bytes of frames, or hand a short text to whoever waits for it, and
        charge what that has cost."""
        short = len(data) <= SHORT_BYTES
        began = 0.0 if short else thread_time()
        pause = None
        if self.take is not None and short and (text := self._masks.whole_text(data)) is not None:
            pause = self.take(text)
        if pause is None:
            self.take = None
            if not self._masks.passes(data):
                self._fail()
                return
            self._inner.data_received(data)
        self._charge(bucket, SHORT_SECONDS if short else thread_time() - began, pause or 0.0)

    @contextmanager
    def answering(self, *, may_switch: bool) -> Iterator[None]:
        """Lasts while a request is answered. If that may not switch, the bytes that were held back
        after it are HTTP, and are passed on."""
        self.stop_waiting()
        self._answering = True
        if not may_switch:
            self._release()
        try:
            yield
        finally:
            self._answering = False
            if self._bucket is None:
                self._release()

    def _release(self) -> None:
        """Pass on what was held back as HTTP: the connection did not become a WebSocket."""
        held, self._held = self._held, None
        if held:
            self._unsifted = True
            self._inner.data_received(held)

    @property
    def may_switch(self) -> bool:
        """Whether nothing was passed on after the head that asks for a WebSocket."""
        return self._held is not None and not self._unsifted

    def become_websocket(self) -> None:
        """From now on the bytes are frames, and parsing them is charged."""
        held, self._held = self._held, None
        self._bucket = TokenBucket(monotonic())
        if held:
            self._read_frames(self._bucket, held)

    def _fail(self) -> None:
        """Close with 1002: the peer broke the rules of WebSocket."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(PROTOCOL_ERROR_FRAME)
            self._transport.close()

    def _charge(self, bucket: TokenBucket, cpu_seconds: float, pause: float) -> None:
        pause = max(pause, bucket.spend(monotonic(), int(cpu_seconds * PARSING_COST_BYTES)))
        # If reading is paused already, the queue of frames is full, and reading resumes when that
        # has been emptied.
        if pause and self._transport is not None and self._transport.is_reading():
            self._transport.pause_reading()
            asyncio.get_running_loop().call_later(pause, self._read_on)

    def _read_on(self) -> None:
        if self._transport is not None:
            self._transport.resume_reading()

    def stop_waiting(self) -> None:
        """Do not cut the connection for slowness any more: a whole head has come."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def eof_received(self) -> bool | None:
        if not self._refused:
            self._inner.eof_received()
        return None

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def connection_lost(self, problem: Exception | None) -> None:
        for call in self.on_lost:
            call()
        self._limiter.leave(self._address)
        self._transport = None
        self.stop_waiting()
        if not self._refused:
            self._inner.connection_lost(problem)
        if self.handed is not None:
            self.handed.lost()


def limited_protocols(
    limiter: ConnectionLimiter, server: Callable[[], web.RequestHandler]
) -> Callable[[], asyncio.BufferedProtocol]:
    """The factory of protocols for a listening socket."""
    incoming = memoryview(bytearray(READ_BYTES))
    return lambda: _LimitedProtocol(limiter, incoming, server())


def handed_protocol(
    server: Callable[[], web.RequestHandler], incoming: memoryview, handed: Handed
) -> Any:
    """The protocol of a connection that another process has accepted, and counts."""
    protocol = _LimitedProtocol(ConnectionLimiter(), incoming, server())
    protocol.handed = handed
    return protocol


def handed_of(transport: asyncio.Transport) -> Handed:
    """What the process that accepted a connection has read of it."""
    protocol = transport.get_protocol()
    assert isinstance(protocol, _LimitedProtocol), "`handed_protocol` makes the protocol"
    assert protocol.handed is not None, "and gives it what was read"
    return protocol.handed


def hand_over(request: web.Request) -> tuple[asyncio.Transport, bytes]:
    """Let another process answer a request for a WebSocket. Returns its transport, which is not
    read any more, and all that was read from it."""
    protocol = _protocol(request)
    transport = request.transport
    if protocol is None or transport is None or not protocol.may_switch:
        raise Refused(400, "bad_request", "ask for a WebSocket when all else has been answered")
    fields = b"".join(name + b": " + value + b"\r\n" for name, value in request.raw_headers)
    head = f"GET {request.raw_path} HTTP/1.1\r\n".encode("latin-1") + fields + b"\r\n"
    transport.pause_reading()
    held, protocol._held = protocol._held, None
    return transport, head + (held or b"")


@contextmanager
def answering(request: web.Request) -> Iterator[None]:
    """Lasts while a request is answered. Its headers have come, so its connection is not cut for
    slowness."""
    protocol = _protocol(request)
    if protocol is None:
        yield
        return
    asks = request.headers.get("Upgrade", "").strip().lower() == "websocket"
    with protocol.answering(may_switch=asks and not request.body_exists):
        yield


async def open_socket(
    request: web.Request, *, compress: bool = False
) -> tuple[web.WebSocketResponse, asyncio.Transport | None]:
    """Turn a request into a WebSocket. The transport is None if the peer is gone already."""
    socket = web.WebSocketResponse(
        compress=compress,
        autoping=False,
        decode_text=False,
        max_msg_size=MAX_FRAME_BYTES + 1,
        timeout=CLOSE_SECONDS,
    )
    protocol = _protocol(request)
    if protocol is not None and not protocol.may_switch:
        raise Refused(400, "bad_request", "ask for a WebSocket when all else has been answered")
    await socket.prepare(request)
    if protocol is not None:
        protocol.become_websocket()
    return socket, request.transport


def take_at_once(transport: asyncio.Transport, take: Take) -> None:
    """Have short texts taken as they are read, until one goes through the queue. To be called
    before each wait for the queue."""
    protocol = transport.get_protocol()
    if isinstance(protocol, _LimitedProtocol):
        protocol.take = take


@contextmanager
def on_connection_lost(request: web.Request, call: Callable[[], None]) -> Iterator[bool]:
    """Have `call` called if the connection of a request ends while this lasts; False if it has
    ended already."""
    protocol = _protocol(request)
    if protocol is None or request.transport is None or request.transport.is_closing():
        yield False
        return
    protocol.on_lost.append(call)
    try:
        yield True
    finally:
        protocol.on_lost.remove(call)


def _protocol(request: web.Request) -> _LimitedProtocol | None:
    protocol = None if request.transport is None else request.transport.get_protocol()
    return protocol if isinstance(protocol, _LimitedProtocol) else None
