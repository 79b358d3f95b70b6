"""How many connections there may be, in all and from one address, counted where they are accepted.

One too many gets an answer at once, before it has said anything. One that connects and then does not ask for
anything, or never comes to the end of its asking, is cut. One that became a WebSocket is not read for a while
when taking its frames apart has cost too much: of empty ones without end nothing else would ever be seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic, thread_time
from typing import Any, Final

import msgspec
from aiohttp import web

from thorp.protocol.frame import MAX_FRAME_BYTES
from thorp.server.frame_fast_path import Lane
from thorp.server.frames import CLOSE_SECONDS
from thorp.server.principals import is_loopback
from thorp.server.token_bucket import PARSING_COST_BYTES, TokenBucket

# A household, or an office behind one address, with room; this machine itself is exempt.
CONNECTIONS_PER_ADDRESS: Final = 64
# Each costs a file descriptor and at most some 200 kB of buffers.
MAX_CONNECTIONS: Final = 8_192
# Until the last header of the first request is there. As long as an agent has for its HELLO.
FIRST_REQUEST_SECONDS: Final = 5.0
# Until the last header of a later one is there. Longer than proxies commonly keep a connection for the next.
KEEP_ALIVE_SECONDS: Final = 75.0
READ_BYTES: Final = 64 * 1024
# What comes in so few bytes at once, as an ACT does, has a fixed price: to time it would cost as much again.
SHORT_BYTES: Final = 512
SHORT_SECONDS: Final = 20e-6
# A close frame with 1002, for a peer that broke the rules of WebSocket.
PROTOCOL_ERROR_FRAME: Final = b"\x88\x02" + (1002).to_bytes(2, "big")


class ConnectionLimiter:
    """Counts open connections by address."""

    def __init__(self, *, per_address: int = CONNECTIONS_PER_ADDRESS, exempt_loopback: bool = True) -> None:
        self.open = 0
        self._per_address = per_address
        self._exempt_loopback = exempt_loopback
        self._by_address: dict[str, int] = {}

    def enter(self, address: str) -> bytes | None:
        """Count a connection; return what to answer if it is one too many."""
        self.open += 1
        here = self._by_address[address] = self._by_address.get(address, 0) + 1
        if self.open > MAX_CONNECTIONS:
            return _refusal("503 Service Unavailable", "busy", "too many connections; try again later")
        if here > self._per_address and not (self._exempt_loopback and is_loopback(address)):
            return _refusal(
                "429 Too Many Requests",
                "too_many_connections",
                f"{self._per_address} connections from one address; close some",
            )
        return None

    def leave(self, address: str) -> None:
        self.open -= 1
        left = self._by_address[address] - 1
        if left:
            self._by_address[address] = left
        else:
            del self._by_address[address]


def _refusal(status: str, error: str, details: str) -> bytes:
    body = msgspec.json.encode({"error": error, "details": details})
    head = (
        f"HTTP/1.1 {status}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


class _Counted(asyncio.BufferedProtocol):
    """An HTTP protocol, and the turnstile before it.

    All connections of a listening socket read into one buffer, whose content is copied at once. The usual way
    is a new buffer of 256 KiB for each read, which takes several times as long as reading an ACT.
    """

    def __init__(self, turnstile: ConnectionLimiter, incoming: memoryview, inner: web.RequestHandler) -> None:
        self._turnstile = turnstile
        self._incoming = incoming
        self._inner = inner
        self._address = ""
        self._refused = False
        self._waiting: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport | None = None
        self._allowance: TokenBucket | None = None
        self._reads = 0
        self._asked_at_once = False
        """Whether all that came before the switch was a request's head, in one read."""
        self.lane = Lane(between_frames=False)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer: Any = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        answer = self._turnstile.enter(self._address)
        if answer is not None:
            self._refused = True
            transport.write(answer)
            transport.close()
            return
        self._transport = transport
        loop = asyncio.get_running_loop()
        self._waiting = loop.call_later(FIRST_REQUEST_SECONDS, transport.abort)
        self._inner.connection_made(transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._incoming

    def buffer_updated(self, nbytes: int) -> None:
        if self._refused:
            return
        data = bytes(self._incoming[:nbytes])
        if self._allowance is None:
            self._reads += 1
            self._asked_at_once = self._reads == 1 and _is_bare_head(data)
            self._inner.data_received(data)
        elif not (data := self.lane.pass_on(data)):
            pass
        elif self.lane.unmasked:
            self._fail()
        elif len(data) <= SHORT_BYTES:
            self._inner.data_received(data)
            self._charge(self._allowance, SHORT_SECONDS)
        else:
            began = thread_time()
            self._inner.data_received(data)
            self._charge(self._allowance, thread_time() - began)

    def meter(self) -> None:
        """It is a WebSocket now: mind what it costs to take apart what comes in."""
        self._allowance = TokenBucket(monotonic())
        self.lane = Lane(between_frames=self._asked_at_once)

    def _fail(self) -> None:
        """The peer broke the rules of WebSocket: say so, and read no more."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(PROTOCOL_ERROR_FRAME)
            self._transport.close()

    def _charge(self, allowance: TokenBucket, cpu_seconds: float) -> None:
        pause = allowance.spend(monotonic(), int(cpu_seconds * PARSING_COST_BYTES))
        if pause and self._transport is not None:
            self._transport.pause_reading()
            asyncio.get_running_loop().call_later(pause, self._read_on)

    def _read_on(self) -> None:
        """Unless too much waits to be looked at: then who looks at it will read on."""
        if self._transport is not None and not self._inner._reading_paused:
            self._transport.resume_reading()

    def stop_waiting(self) -> None:
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
        self._turnstile.leave(self._address)
        self._transport = None
        self.stop_waiting()
        if not self._refused:
            self._inner.connection_lost(problem)


def _is_bare_head(data: bytes) -> bool:
    """Whether this is the head of one request, which has no body, and not a byte more."""
    head = data.lower()
    has_body = b"\r\ncontent-length:" in head or b"\r\ntransfer-encoding:" in head
    return head.find(b"\r\n\r\n") == len(head) - 4 and not has_body


def counted(
    turnstile: ConnectionLimiter, server: Callable[[], web.RequestHandler]
) -> Callable[[], asyncio.BufferedProtocol]:
    """A factory of protocols for a listening socket."""
    incoming = memoryview(bytearray(READ_BYTES))
    return lambda: _Counted(turnstile, incoming, server())


def has_asked(request: web.Request) -> None:
    """The headers of a request are there, so its connection is no longer waited for."""
    if (protocol := _protocol(request)) is not None:
        protocol.stop_waiting()


async def open_socket(request: web.Request) -> tuple[web.WebSocketResponse, asyncio.Transport | None]:
    """Let a request become a WebSocket. Without a transport its peer is gone already."""
    socket = web.WebSocketResponse(
        compress=False,
        autoping=False,
        decode_text=False,
        max_msg_size=MAX_FRAME_BYTES + 1,
        timeout=CLOSE_SECONDS,
    )
    await socket.prepare(request)
    if (protocol := _protocol(request)) is not None:
        protocol.meter()
    return socket, request.transport


def lane_of(transport: asyncio.Transport) -> Lane:
    """The way of what comes in from this peer."""
    protocol = transport.get_protocol()
    return protocol.lane if isinstance(protocol, _Counted) else Lane(between_frames=False)


def _protocol(request: web.Request) -> _Counted | None:
    protocol = None if request.transport is None else request.transport.get_protocol()
    return protocol if isinstance(protocol, _Counted) else None
