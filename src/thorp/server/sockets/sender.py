"""A process that holds agents' sockets for a server and sends to them what they see; see `senders`.

It has a copy of the world in which it executes nothing. In each tick the server sends it what has
changed; it composes the OBS of its agents, and sends them when the server says that the tick is
durable. It ends when the server does.

The two exchange messages over a pair of Unix sockets: the length in four bytes, the kind in one,
the content. Connections are handed over on a second pair: a datagram with what was read from the
connection, and its file descriptor.
"""

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from enum import IntEnum
from functools import partial
from time import process_time
from typing import Any, Final, NamedTuple

import msgspec
from aiohttp import WSCloseCode, web

from thorp.protocol.handshake import Capabilities
from thorp.server.processes.runtime import Runtime
from thorp.server.sockets.agents import Agents
from thorp.server.sockets.connection import AgentConnection
from thorp.server.sockets.limited_protocol import (
    READ_BYTES,
    Handed,
    answering,
    handed_of,
    handed_protocol,
)
from thorp.server.sockets.tick_inbox import TickInbox
from thorp.voxel import AnyInput, Tuning, World, create_world
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.handover import apply, apply_motion
from thorp.voxel.state.agent import Event, EventLog

# The largest datagram: the head of a request, what was received after it, and room.
HANDOFF_BYTES: Final = 256 * 1024

_read_handoff = msgspec.msgpack.Decoder(tuple[int, bool, bytes]).decode

# The environment variable with the numbers of the two descriptors.
DESCRIPTORS: Final = "THORP_SENDER_DESCRIPTORS"
# Before the content of a message: its length in four bytes, and its kind.
_HEAD_BYTES: Final = 5

Kind = IntEnum("Kind", "START NEWS TICK DURABLE CLOSE HELLO INPUTS LEFT COUNTED DONE")


class Start(NamedTuple):
    """What the server tells a sender before its first tick."""

    seed: int
    draw_seed: int
    tuning: Tuning
    clock: str
    processes: int
    world: bytes
    """Everything that can be seen; see `voxel.observation.handover`."""


class Events(NamedTuple):
    """New events of an agent; its whole log if they do not continue what was handed over before."""

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
    """What concerns only the agents of one sender. It comes before the tick's changes."""

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
    address: str
    unlimited: bool


# What the messages of each kind hold; those of other kinds are bytes.
_CONTENTS: Final[dict[int, Any]] = {
    Kind.START: Start,
    Kind.NEWS: News,
    # The connection (0 for all that say HELLO from now on), code and reason.
    Kind.CLOSE: tuple[int, int, str],
    Kind.HELLO: Greeted,
    # The connection, the cursor of its events, and how many frames it lost.
    Kind.LEFT: tuple[int, int, int],
    # In lockstep: whose message was counted, and whether it was its move.
    Kind.COUNTED: tuple[int, bool],
    # The tick that was sent, CPU seconds so far, and agents with new cursors of their events.
    Kind.DONE: tuple[int, float, list[tuple[int, int]]],
}
_READERS: Final = {kind: msgspec.msgpack.Decoder(form).decode for kind, form in _CONTENTS.items()}
read_inputs: Final = msgspec.json.Decoder(list[AnyInput]).decode
write_inputs: Final = msgspec.json.Encoder().encode


class Link(asyncio.Protocol):
    """One end of the pair of sockets between the server and a sender."""

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
        buffer = self._buffer
        at = 0
        buffer += data
        while len(buffer) - at >= _HEAD_BYTES:
            end = at + _HEAD_BYTES + int.from_bytes(buffer[at : at + 4], "big")
            if len(buffer) < end:
                break
            kind = buffer[at + 4]
            content = bytes(buffer[at + _HEAD_BYTES : end])
            self._receive(kind, _READERS[kind](content) if kind in _READERS else content)
            at = end
        del buffer[:at]

    def connection_lost(self, problem: Exception | None) -> None:
        self._lost()


class SendingAgents(Agents):
    """The connections of this process. The server decides who is admitted, and executes inputs."""

    def __init__(self, world: World, start: Start, link: Link) -> None:
        super().__init__(world, start.clock, inbox=TickInbox(processes=start.processes))
        self._link = link
        self._open: dict[int, AgentConnection | None] = {}
        self._passing_on = False
        self._news = News([], [], [])

    # Connections

    def open(self, number: int) -> None:
        """Note a connection that was handed over and has not said HELLO yet."""
        self._open[number] = None

    def ended(self, number: int) -> None:
        """Tell the server that a connection is gone, whether it ever said HELLO or not."""
        if number not in self._open:
            return
        connection = self._open.pop(number)
        session = None if connection is None else connection.session
        self._pass_on()  # first, so that what it sent last comes before its leaving
        progress = (0, 0) if session is None else (session.cursor, session.dropped)
        self._link.send(Kind.LEFT, (number, *progress))

    def _enter(self, connection: AgentConnection) -> None:
        number = handed_of(connection.transport).number
        self._open[number] = connection
        about = (
            connection.name,
            connection.title,
            connection.capabilities,
            connection.presented_hash,
        )
        self._link.send(Kind.HELLO, (number, *about, connection.address, connection.unlimited))

    def _leave(self, connection: AgentConnection) -> None:
        self._outbox.forget(connection)
        if self._seats.get(connection.number) is connection:
            del self._seats[connection.number]

    def _take(self, connection: AgentConnection, frame: bytes) -> float:
        pause = super()._take(connection, frame)
        if self._inbox.entries and not self._passing_on:
            # In the next turn of the loop: everything that is ready to be read goes as one message.
            self._passing_on = True
            asyncio.get_running_loop().call_soon(self._pass_on)
        return pause

    def _count(self, connection: AgentConnection, size_bytes: int, *, moves: bool) -> None:
        super()._count(connection, size_bytes, moves=moves)
        if self._lockstep.is_on:
            self._pass_on()
            self._link.send(Kind.COUNTED, (connection.number, moves))

    def _pass_on(self) -> None:
        """Give the server everything that arrived since this was last called."""
        self._passing_on = False
        if self._inbox.entries:
            self._link.send(Kind.INPUTS, write_inputs(self._inbox.entries))
            self._inbox.entries.clear()
            self._inbox.retiring.clear()

    # The life of a tick

    def receive(self, kind: int, content: Any) -> None:
        """Do what a message of the server says."""
        match kind:
            case Kind.NEWS:
                self._news = content
            case Kind.TICK:
                self._tick(content)
            case Kind.DURABLE:
                self.release()
                self._link.send(Kind.DONE, (self._world.tick, process_time(), self._new_cursors()))
            case Kind.CLOSE if content[0] == 0:
                self._stopped = content[1:]
            case Kind.CLOSE:
                if connection := self._open.get(content[0]):
                    self._end(connection, *content[1:])

    def _tick(self, changes: bytes) -> None:
        """Bring the world up to the next tick, and compose its OBS. This is freeze and settle in
        one: the server has done both, and sends DURABLE for the release."""
        world = self._world
        news = self._news
        self._inbox.make_room()
        apply(world, changes, self._seats)
        world.scratch.loaded_memory = dict(news.memory)
        for log in news.events:
            if agent := world.agents.get(log.number):
                if agent.event_log.next + len(log.events) != log.next:
                    agent.event_log = EventLog([], log.next - len(log.events))
                for event in log.events:
                    agent.event_log.receive(event)
        for seated in news.seated:
            self._welcome(seated)
        compose(world, self.sessions)
        self._outbox.hold()

    def _new_cursors(self) -> list[tuple[int, int]]:
        """How far readers have got since the last tick. The server needs it when an agent comes
        back to another sender."""
        cursors = []
        for number, seat in self._seats.items():
            if seat.session is not None and (cursor := seat.session.cursor) != seat.cursor:
                seat.cursor = cursor
                cursors.append((number, cursor))
        return cursors

    def _welcome(self, seated: Seated) -> None:
        """Give a connection of this process the seat that a tick has given it."""
        connection = self._open.get(seated.connection)
        if connection is None:
            return
        number, events, following, size = seated.log
        agent = self._world.agents[number]
        apply_motion(agent, seated.motion)
        agent.event_log = EventLog(events, following, b"", size)
        connection.number = number
        connection.token = seated.token
        connection.resumed = seated.resumed
        connection.begin_session(seated.cursor)
        self._seats[number] = connection
        self._welcomed.append(connection)
        if not connection.admitted.done():
            connection.admitted.set_result(True)

    def _end(self, connection: AgentConnection, code: int, reason: str) -> None:
        """Refuse a connection that waits to be admitted, or close one that has been."""
        if code == WSCloseCode.TRY_AGAIN_LATER and not connection.admitted.done():
            connection.refusal = reason
            connection.admitted.set_result(False)
            return
        connection.admitted.cancel()
        self._leave(connection)
        self._close_soon(connection, code, reason)


class HandedSockets:
    """Takes over the connections that the server accepts for this process, and serves them."""

    def __init__(self, handoffs: socket.socket, sending: SendingAgents) -> None:
        self._handoffs = handoffs
        self._sending = sending
        self._loop = asyncio.get_running_loop()
        self._server = web.Server(self._serve, access_log=None)  # type: ignore[arg-type]
        self._incoming = memoryview(bytearray(READ_BYTES))
        self._serving: set[int] = set()
        """Connections whose request is being answered, by their numbers."""
        self._accepting: set[asyncio.Task[Any]] = set()
        """Kept here because the event loop alone would let them be collected."""

    def accept(self) -> None:
        """Take over one connection; the server has closed its side if there is none."""
        data, files, _, _ = socket.recv_fds(self._handoffs, HANDOFF_BYTES, 1)
        if not data:
            self._loop.remove_reader(self._handoffs)
            return
        number, unlimited, read = _read_handoff(data)
        self._sending.open(number)
        handed = Handed(number, unlimited, read, partial(self._lose, number))
        connection = socket.socket(fileno=files[0])
        make = partial(handed_protocol, self._server, self._incoming, handed)
        task = self._loop.create_task(self._loop.connect_accepted_socket(make, connection))
        self._accepting.add(task)
        task.add_done_callback(self._accepting.discard)

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        handed = handed_of(request.transport)
        self._serving.add(handed.number)
        try:
            with answering(request):
                return await self._sending.serve(request, unlimited=handed.unlimited)
        except ConnectionResetError:
            return web.Response()  # nobody reads this
        finally:
            self._serving.remove(handed.number)
            self._sending.ended(handed.number)

    def _lose(self, number: int) -> None:
        """A connection that ended before its first request is ended here; others by `_serve`."""
        if number not in self._serving:
            self._sending.ended(number)


async def run(messages: socket.socket, handoffs: socket.socket) -> None:
    """Serve what is handed over until the server is gone."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    agents: asyncio.Future[SendingAgents] = loop.create_future()
    runtime = Runtime()

    def receive(kind: int, content: Any) -> None:
        if kind == Kind.START:
            world = create_world(content.seed, content.draw_seed, content.tuning)
            apply(world, content.world, ())
            agents.set_result(SendingAgents(world, content, link))
            runtime.__enter__()
            link.send(Kind.DONE, (world.tick, process_time(), []))
        else:
            agents.result().receive(kind, content)
            if kind == Kind.DURABLE:
                runtime.between_ticks(0.0)

    link = Link(receive, ended.set)
    await loop.create_unix_connection(lambda: link, sock=messages)
    sockets = HandedSockets(handoffs, await agents)
    loop.add_reader(handoffs, sockets.accept)
    await ended.wait()
    os._exit(0)  # every socket ends with this process


def main() -> None:
    """Send for the server that has started this process, until it is gone."""
    # A terminal sends them to the whole group. The server gets them too, and closes in good order.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    messages, handoffs = map(int, os.environ.pop(DESCRIPTORS).split(","))
    pair = socket.socket(fileno=messages), socket.socket(fileno=handoffs)
    pair[1].setblocking(False)
    asyncio.run(run(*pair))


if __name__ == "__main__":
    main()
