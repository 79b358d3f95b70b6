"""Agents' connections, `/v1/ws`: who joins, who holds which seat, and what arrived since the last
tick.

    HELLO → waits for the next tick → Join or Attach is an input of it → durable → WELCOME,
    catalogs, OBS

An agent has one seat, held by its newest connection: a second one takes it over and the first is
closed. Only the end of the connection that holds the seat is a leave, so closing an older one frees
nothing. Between ticks everything that arrives is queued in order of arrival; `freeze` hands it to
the tick.
"""

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import Final

import msgspec
from aiohttp import WSCloseCode, web

from thorp.protocol.act import ActError, read_act
from thorp.protocol.frame import clip
from thorp.protocol.handshake import LOCKSTEP, Hello, HelloError, read_hello
from thorp.server.sockets.connection import Connection, Greeting
from thorp.server.sockets.frames import IGNORED_COST_BYTES, Inbox, bound_buffers, close_socket
from thorp.server.sockets.join_limiter import JoinLimiter
from thorp.server.sockets.limited_protocol import open_socket, take_at_once
from thorp.server.sockets.origins import Origins
from thorp.voxel.inputs import Acted, AnyInput, Attach, Detach, Join, Malformed, Retire
from thorp.voxel.observation.session import Session
from thorp.voxel.state.world import World
from thorp.voxel.systems.population import reason_to_keep

WORLD_ID: Final = "world_1"
# One ACT answers one OBS; the others are for clients that split their actions, or were held up. An
# ACT is valid for three ticks, so beyond three times this for one OBS the rest is stale.
ACTS_PER_TICK: Final = 16
# Of all agents in a tick, as the journal writes it, which may be several times as long as it came.
# Beyond it only agents are read that have sent nothing in this tick, up to what a tick's records
# have room for, less one last ACT. So nobody is kept from acting by what others send.
ARRIVED_BYTES: Final = 8 * 2**20
MOST_ARRIVED_BYTES: Final = 36 * 2**20
# Enough for sixteen ACTs of any sensible size. A single ACT may have the whole megabyte of a frame.
BYTES_PER_TICK: Final = 256 * 1024
# A new body takes some milliseconds, because its terrain must be generated.
JOINS_PER_TICK: Final = 16
HELLO_SECONDS: Final = 5.0
TAKEN_OVER: Final = 4001
# In lockstep: after this many missed deadlines in a row a seat is not waited for until it sends
# something.
MISSED_MOVES: Final = 3
RETIRED: Final = 4002
TOO_MANY_NEW: Final = (
    "too many new bodies from this address; come again, or show an operator's token"
)
# How often the sockets of slow readers are tried again.
DRAIN_SECONDS: Final = 0.01
# The text of a refusal, which is kept in the journal and in the agent's events.
MAX_PROBLEM_BYTES: Final = 300
# Event cursors of readers that left, beyond those of agents that still exist.
SPARE_CURSORS: Final = 1_000


def new_token() -> str:
    """A resume token that nobody can guess."""
    return f"resume_{WORLD_ID}_{secrets.token_urlsafe(24)}"


class _Envelope(msgspec.Struct):
    type: str


_read_type = msgspec.json.Decoder(_Envelope).decode
_written = msgspec.json.Encoder().encode


class Agents:
    """Every agent's connection to one world."""

    def __init__(self, world: World, clock: str = "real") -> None:
        self.changed = asyncio.Event()
        """Set when the answer of `all_moved` may have changed."""
        self._world = world
        self._greeting = Greeting(world, clock)
        self._is_lockstep = clock == LOCKSTEP
        self._hellos: list[Connection] = []
        self._admitting: list[Connection] = []
        self._welcomed: list[Connection] = []
        self._seats: dict[int, Connection] = {}
        self._unmoved: set[int] = set()
        self._awaits_moves = False
        """Whether lockstep waits for any seat."""
        # After a restart nobody is connected.
        self._arrived: list[AnyInput] = [
            Detach(agent.number) for agent in world.agents if agent.attached
        ]
        self._arrived_bytes = 0
        self._senders: list[Connection] = []
        self._lent: dict[bytes, int] = {}
        """Hashes of tokens that give a body once, beside its owner's token."""
        self._cursors: dict[int, int] = {}
        self._slow: dict[Connection, None] = {}
        self._draining: asyncio.Task[None] | None = None
        self._holding = False
        self._closing: set[asyncio.Task[None]] = set()
        self._stopped: tuple[int, str] | None = None
        self._join_limiter = JoinLimiter()
        self._origins = Origins(world)
        self._retiring: dict[int, None] = {}
        self._orders: list[asyncio.Future[None]] = []
        self._ordered: list[asyncio.Future[None]] = []
        self.dropped_frames = 0
        self.cpu_seconds: dict[str, float] = {}
        """Of each other process that sends for this world."""
        self._processes = 1
        """How many read for this world, each up to its share of what a tick may hold."""

    def issue_body_token(self, number: int) -> str:
        """A token that gives this body to the next connection, for an owner that lost its own."""
        token = new_token()
        self._lent = {hashed: lent for hashed, lent in self._lent.items() if lent != number}
        self._lent[sha256(token.encode()).digest()] = number
        return token

    # Queries

    def __len__(self) -> int:
        return len(self._seats)

    @property
    def sessions(self) -> Sequence[Session]:
        """The observation sessions, one per seat."""
        return [seat.session for seat in self._seats.values() if seat.session is not None]

    @property
    def queue_depths(self) -> dict[str, int]:
        return {
            "inbox": sum(isinstance(entry, Acted | Malformed) for entry in self._arrived),
            "join": sum(not hello.presented_hash for hello in self._hellos),
            "leave": sum(isinstance(entry, Detach) for entry in self._arrived),
            "attach": sum(bool(hello.presented_hash) for hello in self._hellos),
        }

    def all_moved(self) -> bool:
        """Whether every seat has moved; with no seats, whether somebody wants to join."""
        return (
            not self._unmoved
            if self._seats and self._awaits_moves
            else bool(self._hellos or self._orders)
        )

    def pass_moves(self) -> int:
        """Let the seats pass that have not moved; return how many."""
        passed = len(self._unmoved)
        for number in self._unmoved:
            self._seats[number].missed_moves += 1
        self._unmoved.clear()
        return passed

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
        connection = Connection(socket, transport, inbox, hello, address, unlimited=unlimited)
        self._enter(connection)
        first = asyncio.create_task(inbox.next())  # answers pings however long the tick takes
        try:
            if await connection.admitted:
                await self._listen(connection, first)
            else:
                await connection.close(WSCloseCode.TRY_AGAIN_LATER, connection.refusal)
        finally:
            first.cancel()
            self._leave(connection)
            if connection.closing is not None:  # the peer may still be answering the close
                await asyncio.wait([connection.closing])
        return socket

    def _enter(self, connection: Connection) -> None:
        """Let a connection wait to be admitted by the next tick."""
        self._hellos.append(connection)
        self._pass_for(connection)
        self.changed.set()

    def _pass_for(self, newcomer: Connection) -> None:
        """A newcomer that takes over a seat does not wait for the move of its present holder."""
        for number in self._unmoved:
            agent = self._world.agents.get(number)
            if (
                newcomer.presented_hash
                and agent
                and newcomer.presented_hash in (agent.token, agent.fresh)
            ):
                self._unmoved.discard(number)
                return

    async def _listen(self, connection: Connection, first: asyncio.Task[bytes | None]) -> None:
        """Read what a connection sends, as much as each tick has room for."""
        take = partial(self._take_at_once, connection)
        frame = await first
        while frame is not None:
            while self._must_wait(connection):
                self._count(
                    connection, 0, moves=True
                )  # nothing more of it is read before the next tick
                await connection.next_tick()
            if self._seats.get(connection.number) is not connection:
                return
            pause = self._take(connection, frame)
            if pause:
                await asyncio.sleep(pause)
            take_at_once(connection.transport, take)
            frame = await connection.inbox.next()

    def _take_at_once(self, connection: Connection, frame: bytes) -> float | None:
        """Take a frame as it is read, unless it must wait or its sender has lost the seat."""
        holds_seat = self._seats.get(connection.number) is connection and connection.closing is None
        return (
            self._take(connection, frame)
            if holds_seat and not self._must_wait(connection)
            else None
        )

    def _must_wait(self, connection: Connection) -> bool:
        if connection.acts >= ACTS_PER_TICK or connection.bytes >= BYTES_PER_TICK:
            return True
        most = ARRIVED_BYTES if connection.bytes else MOST_ARRIVED_BYTES
        return self._arrived_bytes >= most // self._processes

    def _take(self, connection: Connection, frame: bytes) -> float:
        """Queue what a frame asks for; return how many seconds to wait before reading the next."""
        number = connection.number
        moves = False
        try:
            act = read_act(frame)
        except ActError as problem:
            kind = type_of(frame)
            if kind == "RETIRE":
                self._retiring[number] = None
                self._arrived.append(Retire(number))
                moves = True
            elif kind not in ("ACT", None):
                return connection.inbox.charge(len(frame) + IGNORED_COST_BYTES)
            else:
                self._arrived.append(Malformed(number, clip(problem.message, MAX_PROBLEM_BYTES)))
        else:
            moves = self._world.tick <= act.tick <= self._world.tick + 1
            seen = connection.session.seen(act.tick) if connection.session is not None else 0
            self._arrived.append(Acted(number, act, seen))
        self._arrived_bytes += max(len(frame), len(_written(self._arrived[-1])))
        self._count(connection, len(frame), moves=moves)
        return connection.inbox.charge(len(frame))

    def _count(self, connection: Connection, size_bytes: int, *, moves: bool) -> None:
        """Count one more message of a connection in this tick. In lockstep it may be its move."""
        if not connection.acts:
            self._senders.append(connection)
        connection.acts += 1
        connection.bytes += size_bytes
        if connection.missed_moves:  # it sends again, so it is waited for again
            connection.missed_moves = 0
            self._unmoved.add(connection.number)
            self._awaits_moves = True
        if moves:
            self._unmoved.discard(connection.number)
            self.changed.set()

    def _leave(self, connection: Connection) -> None:
        """The socket is gone: if it held a seat, its agent leaves."""
        if connection in self._hellos:
            self._hellos.remove(connection)
        self._slow.pop(connection, None)
        number = connection.number
        if number and self._seats.get(number) is connection:
            del self._seats[number]
            self._unmoved.discard(number)
            self._keep_cursor(connection)
            self._arrived.append(Detach(number))
        self.changed.set()

    async def execute(self, entry: AnyInput) -> None:
        """Make an operator's order an input of the next tick; wait until that is durable."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._arrived.append(entry)
        self._orders.append(done)
        self.changed.set()
        await done

    # The life of a tick

    def freeze(self) -> list[AnyInput]:
        """The inputs of the next tick: everything that arrived, and the joins."""
        inputs, self._arrived, self._arrived_bytes = self._arrived, [], 0
        self._ordered, self._orders = self._orders, []
        for sender in self._senders:
            sender.begin_tick()
        self._senders.clear()
        if self._is_lockstep:  # who answers faster must not act earlier
            inputs.sort(key=lambda entry: getattr(entry, "agent", 0))
        if self._hellos:
            inputs += self._admit()
        return inputs

    def _admit(self) -> Iterable[AnyInput]:
        """Turn newcomers into inputs: one with a known token resumes its body, any other gets a new
        one.

        The newest token may not have reached its owner, so the one before is valid too. Of two
        connections with the same token in one tick the later one holds the seat. In a full world a
        new body takes the place of a stranger who is away, if there is one.
        """
        owners = {agent.token: agent.number for agent in self._world.agents if agent.token}
        proven = {agent.fresh: agent.number for agent in self._world.agents if agent.fresh}
        room = self._world.tuning.population_cap - len(self._world.agents)
        hellos = self._hellos[:JOINS_PER_TICK]
        self._hellos = self._hellos[JOINS_PER_TICK:]
        owned = {**self._lent, **owners, **proven}
        returning = {owned[each.presented_hash] for each in hellos if each.presented_hash in owned}
        leaving = self._origins.give_way(returning)
        for newcomer in hellos:
            if newcomer.transport.is_closing():
                newcomer.admitted.cancel()
                continue
            is_proven = newcomer.presented_hash in proven
            if is_proven:
                owners[newcomer.presented_hash] = proven.pop(newcomer.presented_hash)
            lent = self._lent.pop(newcomer.presented_hash, 0)
            newcomer.number = owners.get(
                newcomer.presented_hash, lent if lent in self._world.agents else 0
            )
            newcomer.token = new_token()
            hashed = sha256(newcomer.token.encode()).hexdigest()
            newcomer.resumed = newcomer.number > 0
            if newcomer.resumed:
                yield Attach(newcomer.number, hashed, is_proven, newcomer.title)
            elif not self._may_join(newcomer):
                newcomer.refusal = TOO_MANY_NEW
                newcomer.admitted.set_result(False)
                continue
            else:
                if room > 0:
                    room -= 1
                elif (replaced := next(leaving, 0)) > 0:
                    yield Retire(replaced, for_room=True)
                else:
                    newcomer.admitted.set_result(False)
                    continue
                yield Join(newcomer.name, hashed, newcomer.title)
            self._admitting.append(newcomer)

    def _may_join(self, newcomer: Connection) -> bool:
        return newcomer.unlimited or self._join_limiter.admits(newcomer.address, monotonic())

    def settle(self) -> None:
        """The tick is executed: seat those it admitted. Nothing is sent before `release`."""
        self._close_retired()
        joined = iter(self._world.scratch.joined)
        for newcomer in self._admitting:
            newcomer.number = newcomer.number or next(joined)
            if newcomer.number not in self._world.agents:
                newcomer.number = 0  # it was retired in this tick
            else:
                self._seat(newcomer)
            if not newcomer.admitted.done():
                newcomer.admitted.set_result(bool(newcomer.number))
        self._admitting.clear()
        self._unmoved = {
            number for number, seat in self._seats.items() if seat.missed_moves < MISSED_MOVES
        }
        self._awaits_moves = bool(self._unmoved)
        for newcomer in self._hellos:
            self._pass_for(newcomer)
        self._holding = True

    def _close_retired(self) -> None:
        """Close the connections of agents that asked to retire, even if their bodies stay."""
        for number in self._retiring:
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
        self._retiring.clear()

    def _seat(self, newcomer: Connection) -> None:
        number = newcomer.number
        before = self._seats.get(number)
        if before is not None:
            self._keep_cursor(before)
            self._slow.pop(before, None)
            self._close_soon(before, TAKEN_OVER, "taken over by another connection")
        self._origins.note(number, newcomer.address)
        newcomer.begin_session(max(self._cursors.pop(number, 0), self._world.agents[number].seen))
        self._seats[number] = newcomer
        self._welcomed.append(newcomer)

    async def caught_up(self) -> None:
        """Wait until all processes that send for this world can take another tick."""

    def release(self) -> None:
        """The tick is durable: send what was composed, as much as each socket takes."""
        self._holding = False
        self._answer_orders()
        for newcomer in self._welcomed:
            if not newcomer.transport.is_closing() and self._seats.get(newcomer.number) is newcomer:
                agent_id = self._world.agents[newcomer.number].id
                newcomer.transport.write(self._greeting.frames(newcomer, agent_id))
        self._welcomed.clear()
        for seat in self._seats.values():
            if seat.flush():
                self._slow[seat] = None
        if self._slow and self._draining is None:
            self._draining = asyncio.create_task(self._drain())

    def _answer_orders(self) -> None:
        for order in self._ordered:
            if not order.done():
                order.set_result(None)

    async def _drain(self) -> None:
        """Send to slow readers when their sockets take more."""
        try:
            while self._slow:
                await asyncio.sleep(DRAIN_SECONDS)
                if not self._holding:
                    self._slow = {reader: None for reader in self._slow if reader.flush()}
        finally:
            self._draining = None

    # The end

    async def stop(self, code: int, reason: str) -> None:
        """Close every connection, and admit nobody any more."""
        self._stopped = code, reason
        for newcomer in (*self._hellos, *self._admitting):
            newcomer.admitted.cancel()
        for order in (*self._orders, *self._ordered):
            order.cancel()
        for seat in (*self._hellos, *self._seats.values()):
            self._close_soon(seat, code, reason)
        if self._draining is not None:
            self._draining.cancel()
        if self._closing:
            await asyncio.wait(self._closing)

    def _close_soon(self, connection: Connection, code: int, reason: str) -> None:
        connection.closing = task = asyncio.create_task(connection.close(code, reason))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _keep_cursor(self, connection: Connection) -> None:
        """Remember how far a reader got in its events, so that the next connection continues
        there."""
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
    """The type of a message that is not an ACT (other versions have more); None if it cannot be
    read."""
    try:
        return _read_type(frame).type
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
