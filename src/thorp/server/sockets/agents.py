"""Agents' connections, `/v1/ws`: who joins, who holds which seat, and what arrived since the last
tick.

    HELLO → waits for the next tick → Join or Attach is an input of it → durable → WELCOME,
    catalogs, OBS

An agent has one seat, held by its newest connection: a second one takes it over and the first is
closed. Only the end of the connection that holds the seat makes the agent leave, so closing an
older one frees nothing.

The tick loop calls three phases in each tick, always in this order, and every part of this package
does its share in each:

    freeze     before the tick is executed. `TickInbox` hands over what arrived, in order of
               arrival, or by agent in lockstep; `Admission` adds the inputs of newcomers. What
               arrives from now on is for the tick after.
    settle     the tick has been executed, and is not durable yet. The connections of agents that
               retired are closed, `Admission` names those who have a body now, each takes its seat,
               and `Lockstep` waits for the next move of every seat. `Outbox` holds: nothing is sent
               that a crash could still undo.
    release    the tick is durable. Orders are answered, newcomers are welcomed, and `Outbox` sends
               to every seat what was composed for it.

There are no locks. From freeze to settle nothing is awaited, so nothing else runs in the event
loop and no connection can change under the tick. Between settle and release the loop waits for the
disk: messages are read and connections end meanwhile, and all of that is for the next tick.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec
from aiohttp import WSCloseCode, web

from thorp.protocol.act import ActError, read_act
from thorp.protocol.frame import clip
from thorp.protocol.handshake import LOCKSTEP, Hello, HelloError, read_hello
from thorp.server.sockets.admission import Admission
from thorp.server.sockets.connection import AgentConnection, Greeting
from thorp.server.sockets.frames import IGNORED_COST_BYTES, Inbox, bound_buffers, close_socket
from thorp.server.sockets.limited_protocol import open_socket, take_at_once
from thorp.server.sockets.lockstep import Lockstep
from thorp.server.sockets.outbox import Outbox
from thorp.server.sockets.tick_inbox import TickInbox
from thorp.voxel import Acted, AnyInput, Detach, Malformed, World
from thorp.voxel.observation.session import Session
from thorp.voxel.systems.population import reason_to_keep, retirement

HELLO_SECONDS: Final = 5.0
TAKEN_OVER: Final = 4001
RETIRED: Final = 4002
# The text of a refusal, which is kept in the journal and in the agent's events.
MAX_PROBLEM_BYTES: Final = 300
# Event cursors of readers that left, beyond those of agents that still exist.
SPARE_CURSORS: Final = 1_000


class _Envelope(msgspec.Struct):
    """Reads the type of any message, and nothing else of it."""

    type: str


_read_type = msgspec.json.Decoder(_Envelope).decode
_written = msgspec.json.Encoder().encode


class Agents:
    """Every agent's connection to one world."""

    def __init__(
        self, world: World, clock: str = "real", *, inbox: TickInbox | None = None
    ) -> None:
        """Without an `inbox`, all agents leave with the first tick, since they were connected to an
        earlier process. A process that sends for another one passes its own."""
        self._world = world
        self._greeting = Greeting(world, clock)
        self._admission = Admission(world)
        # After a restart nobody is connected.
        absent = (Detach(agent.number) for agent in world.agents if agent.attached)
        self._inbox = TickInbox(absent) if inbox is None else inbox
        self._lockstep = Lockstep(world, is_on=clock == LOCKSTEP)
        self._outbox = Outbox()
        self._seats: dict[int, AgentConnection] = {}
        self._welcomed: list[AgentConnection] = []
        """Connections that took their seats in this tick."""
        self._cursors: dict[int, int] = {}
        """By agent whose reader left: how far that got in the agent's events."""
        self._closing: set[asyncio.Task[None]] = set()
        self._stopped: tuple[int, str] | None = None
        self.dropped_frames = 0
        self.cpu_seconds: dict[str, float] = {}
        """CPU time by the name of each process that sends for this world."""

    def issue_body_token(self, number: int) -> str:
        """A token that gives this body to the next connection, for an owner that lost its own."""
        return self._admission.issue_body_token(number)

    @property
    def changed(self) -> asyncio.Event:
        """Set when the answer of `all_moved` may have changed."""
        return self._lockstep.changed

    # Queries

    def __len__(self) -> int:
        return len(self._seats)

    @property
    def sessions(self) -> Sequence[Session]:
        """The observation sessions, one per seat."""
        return [seat.session for seat in self._seats.values() if seat.session is not None]

    @property
    def queue_depths(self) -> dict[str, int]:
        """How many inputs and connections wait for the next tick, by kind."""
        arrived = self._inbox.entries
        newcomers = self._admission.waiting
        return {
            "inbox": sum(isinstance(entry, Acted | Malformed) for entry in arrived),
            "join": sum(not hello.presented_hash for hello in newcomers),
            "leave": sum(isinstance(entry, Detach) for entry in arrived),
            "attach": sum(bool(hello.presented_hash) for hello in newcomers),
        }

    def all_moved(self) -> bool:
        """Whether every seat has moved; with no seats, whether somebody wants to join."""
        moved = self._lockstep.all_moved() if self._seats else None
        if moved is not None:
            return moved
        return bool(self._admission.waiting) or self._inbox.has_orders

    def pass_moves(self) -> int:
        """Let the seats pass that have not moved; return how many."""
        return self._lockstep.pass_moves(self._seats)

    # The life of a connection

    async def serve(self, request: web.Request, *, unlimited: bool = False) -> web.StreamResponse:
        """Serve one agent until its socket is gone. `unlimited` lifts its address's limit on
        joins."""
        socket, transport = await open_socket(request)
        if transport is None:
            return socket
        bound_buffers(transport)
        inbox = Inbox(socket)
        hello = await expect_hello(socket, transport, inbox)
        if hello is None:
            return socket
        if self._stopped is not None:
            await close_socket(socket, transport, *self._stopped)
            return socket
        address = request.remote or ""
        connection = AgentConnection(socket, transport, inbox, hello, address, unlimited=unlimited)
        self._enter(connection)
        # Reading begins before the admission: pings are answered however long the tick takes.
        first = asyncio.create_task(inbox.next())
        try:
            if await connection.admitted:
                await self._listen(connection, first)
            else:
                await connection.close(WSCloseCode.TRY_AGAIN_LATER, connection.refusal)
        finally:
            first.cancel()
            self._leave(connection)
            if connection.closing is not None:
                # The peer may still be answering the close.
                await asyncio.wait([connection.closing])
        return socket

    def _enter(self, connection: AgentConnection) -> None:
        """Let a connection wait to be admitted by the next tick."""
        self._admission.waiting.append(connection)
        self._lockstep.make_way(connection)
        self.changed.set()

    async def _listen(self, connection: AgentConnection, first: asyncio.Task[bytes | None]) -> None:
        """Read what a connection sends, as much as each tick has room for."""
        take = partial(self._take_at_once, connection)
        frame = await first
        while frame is not None:
            while self._inbox.must_wait(connection):
                # It cannot move any more before the next tick, so lockstep must not wait for it.
                self._count(connection, 0, moves=True)
                await connection.next_tick()
            if self._seats.get(connection.number) is not connection:
                return
            pause = self._take(connection, frame)
            if pause:
                await asyncio.sleep(pause)
            take_at_once(connection.transport, take)
            frame = await connection.inbox.next()

    def _take_at_once(self, connection: AgentConnection, frame: bytes) -> float | None:
        """Take a frame straight from the transport, without waking the task that listens; None if
        it must wait or its sender has lost the seat, and so has to go through the queue."""
        holds_seat = self._seats.get(connection.number) is connection and connection.closing is None
        return (
            self._take(connection, frame)
            if holds_seat and not self._inbox.must_wait(connection)
            else None
        )

    def _take(self, connection: AgentConnection, frame: bytes) -> float:
        """Queue what a frame asks for; return how many seconds to wait before reading the next."""
        number = connection.number
        try:
            act = read_act(frame)
        except ActError as problem:
            kind = type_of(frame)
            if kind not in ("RETIRE", "ACT", None):
                return connection.inbox.charge(len(frame) + IGNORED_COST_BYTES)
            moves = kind == "RETIRE"
            entry: AnyInput = (
                retirement(self._world, number)
                if moves
                else Malformed(number, clip(problem.message, MAX_PROBLEM_BYTES))
            )
        else:
            # A move answers the newest tick, or names the coming one, which the rules accept too.
            moves = self._world.tick <= act.tick <= self._world.tick + 1
            seen = connection.session.seen(act.tick) if connection.session is not None else 0
            entry = Acted(number, act, seen)
        # An input costs what the journal writes, which may be several times what was sent.
        self._inbox.put(entry, max(len(frame), len(_written(entry))))
        self._count(connection, len(frame), moves=moves)
        return connection.inbox.charge(len(frame))

    def _count(self, connection: AgentConnection, size_bytes: int, *, moves: bool) -> None:
        """Count one more message of a connection in this tick. In lockstep it may be its move."""
        self._inbox.count(connection, size_bytes)
        self._lockstep.note_message(connection, moves=moves)

    def _leave(self, connection: AgentConnection) -> None:
        """Forget a connection whose socket is gone. If it held a seat, its agent leaves."""
        self._admission.leave(connection)
        self._outbox.forget(connection)
        number = connection.number
        if number and self._seats.get(number) is connection:
            del self._seats[number]
            self._lockstep.leave(number)
            self._keep_cursor(connection)
            self._inbox.entries.append(Detach(number))
        self.changed.set()

    async def execute(self, entry: AnyInput) -> None:
        """Make an operator's order an input of the next tick; wait until that is durable."""
        done = self._inbox.order(entry)
        self.changed.set()
        await done

    # The life of a tick

    def freeze(self) -> list[AnyInput]:
        """The inputs of the next tick: everything that arrived, and the joins."""
        inputs = self._inbox.freeze()
        if self._lockstep.is_on:
            # A faster answer must not act earlier. The sort is stable, so each agent's inputs stay
            # in their order.
            inputs.sort(key=lambda entry: getattr(entry, "agent", 0))
        if self._admission.waiting:
            inputs += self._admission.freeze()
        return inputs

    def settle(self) -> None:
        """Seat those whom the executed tick admitted. Nothing is sent before `release`."""
        # In this order: a retired agent's seat is free before a newcomer can take it, and lockstep
        # waits for the seats as they are after both.
        self._close_retired()
        for newcomer in self._admission.settle():
            self._seat(newcomer)
        self._lockstep.settle(self._seats, self._admission.waiting)
        self._outbox.hold()

    def _close_retired(self) -> None:
        """Close the connections of agents that asked to retire, even if their bodies stay."""
        for number in self._inbox.retiring:
            agent = self._world.agents.get(number)
            seat = self._seats.get(number)
            if seat is not None:
                kept = (
                    None
                    if agent is None
                    else f"the body stays: {reason_to_keep(self._world, agent)}"
                )
                self._close_soon(seat, RETIRED, kept or "retired")
            if agent is None:
                self._seats.pop(number, None)
                self._cursors.pop(number, None)
        self._inbox.retiring.clear()

    def _seat(self, newcomer: AgentConnection) -> None:
        """Give a connection the seat of its agent. One that held it before is closed, and the
        newcomer goes on in the events where that one stopped."""
        number = newcomer.number
        before = self._seats.get(number)
        if before is not None:
            self._keep_cursor(before)
            self._outbox.forget(before)
            self._close_soon(before, TAKEN_OVER, "taken over by another connection")
        self._admission.origins.note(number, newcomer.address)
        newcomer.begin_session(max(self._cursors.pop(number, 0), self._world.agents[number].seen))
        self._seats[number] = newcomer
        self._welcomed.append(newcomer)

    async def caught_up(self) -> None:
        """Wait until all processes that send for this world can take another tick. Here none do."""

    def release(self) -> None:
        """Send what was composed, as much as each socket takes: the tick is durable."""
        self._inbox.release()
        for newcomer in self._welcomed:
            if not newcomer.transport.is_closing() and self._seats.get(newcomer.number) is newcomer:
                agent_id = self._world.agents[newcomer.number].id
                newcomer.transport.write(self._greeting.frames(newcomer, agent_id))
        self._welcomed.clear()
        self._outbox.release(self._seats.values())

    # The end

    async def stop(self, code: int, reason: str) -> None:
        """Close every connection, and admit nobody any more."""
        self._stopped = code, reason
        self._admission.stop()
        self._inbox.stop()
        for seat in (*self._admission.waiting, *self._seats.values()):
            self._close_soon(seat, code, reason)
        self._outbox.stop()
        if self._closing:
            await asyncio.wait(self._closing)

    def _close_soon(self, connection: AgentConnection, code: int, reason: str) -> None:
        """Close a connection without waiting for its peer, which the tick could not afford."""
        connection.closing = task = asyncio.create_task(connection.close(code, reason))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _keep_cursor(self, connection: AgentConnection) -> None:
        """Remember how far a reader got in its events, where the next connection continues."""
        if connection.session is not None:
            self.dropped_frames += connection.session.dropped
            connection.cursor = connection.session.cursor
        self._cursors[connection.number] = connection.cursor
        bodies = self._world.agents
        if len(self._cursors) > len(bodies) + SPARE_CURSORS:
            self._cursors = {number: at for number, at in self._cursors.items() if number in bodies}


async def expect_hello(
    socket: web.WebSocketResponse, transport: asyncio.Transport, inbox: Inbox
) -> Hello | None:
    """The HELLO, if it comes in time and is valid; else the socket is closed, with the reason if
    possible."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            frame = await inbox.next()
        return None if frame is None else read_hello(frame)
    except TimeoutError:
        transport.abort()
    except HelloError as problem:
        await close_socket(socket, transport, problem.close_code, problem.reason)
    return None


def type_of(frame: bytes) -> str | None:
    """The type of a message that is not an ACT: clients of other versions send more kinds. None if
    it cannot be read."""
    try:
        return _read_type(frame).type
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
