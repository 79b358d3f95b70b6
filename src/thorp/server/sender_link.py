"""Messages between a server and its senders, over a pair of Unix sockets; see `senders`.

A message has its length in four bytes, its kind in one, and its content. Connections are handed over on a
second pair: a datagram with what was read of the connection, and its file descriptor.
"""

import asyncio
from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final, NamedTuple

import msgspec

from thorp.protocol.handshake import Capabilities
from thorp.voxel.inputs import AnyInput
from thorp.voxel.state.agent import Event
from thorp.voxel.tuning import Tuning

# The environment variable with the numbers of the two descriptors.
DESCRIPTORS: Final = "THORP_SENDER_DESCRIPTORS"
_HEAD_BYTES: Final = 5

Kind = IntEnum("Kind", "START NEWS TICK DURABLE CLOSE HELLO INPUTS LEFT COUNTED DONE")


class Start(NamedTuple):
    seed: int
    draw_seed: int
    tuning: Tuning
    clock: str
    processes: int
    world: bytes
    """Everything that can be seen; see `voxel.observation.handover`."""


class Events(NamedTuple):
    """New events of an agent; all of its log where they do not follow on those before."""

    number: int
    events: list[Event]
    next: int
    size: int


class Seated(NamedTuple):
    """A connection that a tick has admitted."""

    connection: int
    token: str
    resumed: bool
    cursor: int
    motion: bytes
    log: Events


class News(NamedTuple):
    """What concerns the agents of one sender; the tick follows."""

    seated: list[Seated]
    events: list[Events]
    memory: list[tuple[int, list[tuple[str, str]]]]
    """What agents have loaded from their memory in this tick."""


class Greeted(NamedTuple):
    """A connection has said HELLO."""

    connection: int
    name: str
    title: str
    capabilities: Capabilities
    presented_hash: bytes
    address: str | None


# What each kind holds; others hold bytes.
_CONTENTS: Final[dict[int, Any]] = {
    Kind.START: Start,
    Kind.NEWS: News,
    Kind.CLOSE: tuple[int, int, str],  # connection (0: all that say HELLO from now on), code and reason
    Kind.HELLO: Greeted,
    Kind.LEFT: tuple[int, int, int],  # connection, cursor of its events, frames that it lost
    Kind.COUNTED: tuple[int, bool],  # in lockstep: whose message was counted, and whether it was its move
    # The tick that was sent, CPU seconds so far, and agents with new cursors of their events.
    Kind.DONE: tuple[int, float, list[tuple[int, int]]],
}
_READERS: Final = {kind: msgspec.msgpack.Decoder(form).decode for kind, form in _CONTENTS.items()}
read_inputs: Final = msgspec.json.Decoder(list[AnyInput]).decode
write_inputs: Final = msgspec.json.Encoder().encode


class Link(asyncio.Protocol):
    """One end of the pair."""

    transport: asyncio.Transport

    def __init__(self, receive: Callable[[int, Any], None], lost: Callable[[], None]) -> None:
        self._receive = receive
        self._lost = lost
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def send(self, kind: int, content: object = b"") -> None:
        """Send bytes as they are, anything else as MessagePack."""
        if not self.transport.is_closing():
            data = content if isinstance(content, bytes) else msgspec.msgpack.encode(content)
            self.transport.write(b"%b%c" % (len(data).to_bytes(4, "big"), kind) + data)

    def data_received(self, data: bytes) -> None:
        buffer, at = self._buffer, 0
        buffer += data
        while len(buffer) - at >= _HEAD_BYTES:
            end = at + _HEAD_BYTES + int.from_bytes(buffer[at : at + 4], "big")
            if len(buffer) < end:
                break
            kind, content = buffer[at + 4], bytes(buffer[at + _HEAD_BYTES : end])
            self._receive(kind, _READERS[kind](content) if kind in _READERS else content)
            at = end
        del buffer[:at]

    def connection_lost(self, problem: Exception | None) -> None:
        self._lost()
