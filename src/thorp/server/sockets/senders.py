"""Divides the work of a crowded world: this process executes and journals, while senders, processes
of their own, each hold the sockets of some agents, read their ACTs, and compose and send their OBS.

    a connection asks for `/v1/ws` here → it is handed to the sender that has the fewest
    HELLO, ACTs there → inputs of the next tick here → executed → what changed goes to every sender
    each sender composes its OBS, and sends them when this process says that the tick is durable

Seats, tokens and limits on joins stay here, with the code of `agents`: a connection that a sender
holds is a `RemoteConnection`. This process keeps its own copy of the socket, unread, so that
connections stay counted, and end when their sender dies. The next tick waits for a sender that is a
tick behind; one that does nothing for too long is killed.
"""

import asyncio
import os
import socket
from asyncio.subprocess import Process
from contextlib import suppress
from functools import partial
from itertools import count
from time import monotonic
from typing import Any, Final, cast

import msgspec
from aiohttp import WSCloseCode, web

from thorp.children.lifetime import child_command
from thorp.protocol.handshake import Hello
from thorp.server.access.requests import Refused
from thorp.server.processes.supervision import Supervised
from thorp.server.sockets.agents import Agents
from thorp.server.sockets.connection import AgentConnection
from thorp.server.sockets.frames import CLOSE_SECONDS
from thorp.server.sockets.limited_protocol import hand_over
from thorp.server.sockets.sender import (
    DESCRIPTORS,
    Events,
    Greeted,
    Kind,
    Link,
    News,
    Seated,
    Start,
    read_inputs,
)
from thorp.server.sockets.tick_inbox import MOST_ARRIVED_BYTES
from thorp.voxel import Agent, AnyInput, WorldService
from thorp.voxel.observation.handover import ChangeLog, motion_of

# A sender that finishes no tick and says nothing for this long is killed.
STUCK_SECONDS: Final = 30.0
# What may wait to be read by a sender that is being started: a minute of a crowded world.
MAX_WAITING_BYTES: Final = 256 * 2**20
# How long a connection waits for a sender that is being started.
READY_SECONDS: Final = 60.0
# Between two attempts to hand a connection over.
RETRY_SECONDS: Final = 0.01


class RemoteConnection(AgentConnection):
    """A connection that a sender holds. Its transport here is only kept, not read."""

    def __init__(self, sender: "Sender", greeted: Greeted, transport: asyncio.Transport) -> None:
        hello = Hello(
            agent_name=greeted.name, capabilities=greeted.capabilities, title=greeted.title
        )
        nothing = cast(Any, None)
        address = greeted.address
        unlimited = greeted.unlimited
        super().__init__(nothing, transport, nothing, hello, address, unlimited=unlimited)
        self.presented_hash = greeted.presented_hash
        self.sender = sender
        self.id = greeted.connection
        self.next_event = 0
        """Events of its agent below this number were handed to its sender."""
        self.admitted.add_done_callback(self._refuse)

    def _refuse(self, admitted: asyncio.Future[bool]) -> None:
        """Have the sender close it, if a tick did not admit it."""
        if not admitted.cancelled() and not admitted.result():
            self.sender.link.send(Kind.CLOSE, (self.id, WSCloseCode.TRY_AGAIN_LATER, self.refusal))

    def begin_session(self, cursor: int) -> None:
        self.cursor = cursor

    def flush(self) -> bool:
        return False

    async def close(self, code: int, reason: str) -> None:
        """Have it closed, and wait a moment until it is."""
        self.sender.link.send(Kind.CLOSE, (self.id, code, reason))
        if gone := self.sender.handed.get(self.id):
            await asyncio.wait([gone[1]], timeout=3 * CLOSE_SECONDS)


class Sender:
    """One process that sends, and the connections that it holds."""

    def __init__(
        self, name: str, agents: "DividedAgents", process: Process, handoffs: socket.socket
    ) -> None:
        self.name = name
        self.process = process
        self.handoffs = handoffs
        self.link = Link(partial(agents.receive, self), partial(agents.lose, self))
        self.handed: dict[int, tuple[asyncio.Transport, asyncio.Future[None]]] = {}
        self.connections: dict[int, RemoteConnection] = {}
        """Connections that have said HELLO."""
        self.news = News([], [], [])
        self.done_tick = -1
        """The last tick that it has sent; -1 while it is being started."""
        self.heard_at = monotonic()
        """When it last said anything."""


class DividedAgents(Agents):
    """Agents whose connections other processes hold."""

    def __init__(self, service: WorldService, clock: str, processes: int) -> None:
        super().__init__(service.world, clock)
        self._service = service
        self._clock = clock
        self._processes = processes
        service.digest()  # the change log begins after this digest
        self._changes = ChangeLog(service.world)
        self.senders: list[Sender] = []
        self._numbers = count(1)
        self._heard = asyncio.Event()

    def supervised(self) -> list[Supervised]:
        """The senders, as processes that are started again when they end."""
        names = [f"sender {number + 1}" for number in range(self._processes)]
        return [Supervised(name, partial(self.start, name)) for name in names]

    async def start(self, name: str) -> Process:
        """Start a sender, and send it the whole world."""
        ours, theirs = socket.socketpair()
        handoffs, their_handoffs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, their_handoffs:
            numbers = theirs.fileno(), their_handoffs.fileno()
            environment = {**os.environ, DESCRIPTORS: "{},{}".format(*numbers)}
            command = child_command("thorp.server.sockets.sender")
            process = await asyncio.create_subprocess_exec(
                *command, pass_fds=numbers, env=environment
            )
        handoffs.setblocking(False)
        sender = Sender(name, self, process, handoffs)
        await asyncio.get_running_loop().create_unix_connection(lambda: sender.link, sock=ours)
        epoch = self._service.epoch
        world = self._world
        state = self._changes.everything()
        start = Start(
            seed=epoch.seed,
            draw_seed=epoch.draw_seed,
            tuning=world.tuning,
            clock=self._clock,
            processes=self._processes,
            world=state,
        )
        sender.link.send(Kind.START, start)
        self.senders.append(sender)
        return process

    # Connections

    async def serve(self, request: web.Request, *, unlimited: bool = False) -> web.StreamResponse:
        """Hand a connection to a sender, and keep its place until it is gone."""
        sender = await self._least_busy()
        if sender is None:
            return await super().serve(request, unlimited=unlimited)  # which closes with the reason
        transport, read = hand_over(request)
        number = next(self._numbers)
        gone = asyncio.get_running_loop().create_future()
        sender.handed[number] = transport, gone
        about = msgspec.msgpack.encode((number, unlimited, read))
        try:
            while not gone.done():
                try:
                    file = transport.get_extra_info("socket").fileno()
                    socket.send_fds(sender.handoffs, [about], [file])
                    await gone
                except BlockingIOError:
                    await asyncio.sleep(RETRY_SECONDS)
                except OSError:
                    break
        finally:
            self._forget(sender, number)
        return web.Response()

    async def _least_busy(self) -> Sender | None:
        """The sender with the fewest connections, as soon as there is one; None if the server
        stops."""
        until = monotonic() + READY_SECONDS
        while self._stopped is None:
            if ready := [sender for sender in self.senders if sender.done_tick >= 0]:
                return min(ready, key=lambda sender: len(sender.handed))
            if monotonic() > until:
                raise Refused(
                    503, "not_ready", "no process is there that could serve you; come again"
                )
            await asyncio.sleep(RETRY_SECONDS)
        return None

    def _forget(self, sender: Sender, number: int) -> None:
        """Drop a connection that is gone or must go, and let its request end."""
        if connection := sender.connections.pop(number, None):
            self._leave(connection)
        if handed := sender.handed.pop(number, None):
            handed[0].abort()
            if not handed[1].done():
                handed[1].set_result(None)

    def lose(self, sender: Sender) -> None:
        """End the connections of a sender that has ended."""
        if sender in self.senders:
            self.senders.remove(sender)
        for number in list(sender.handed):
            self._forget(sender, number)
        sender.handoffs.close()
        self._heard.set()

    # What senders say

    def receive(self, sender: Sender, kind: int, content: Any) -> None:
        """Take in what a sender says."""
        sender.heard_at = monotonic()
        match kind:
            case Kind.INPUTS:
                self._take_inputs(read_inputs(content), len(content))
            case Kind.HELLO:
                if handed := sender.handed.get(content.connection):
                    connection = RemoteConnection(sender, content, handed[0])
                    sender.connections[connection.id] = connection
                    self._enter(connection)
                    if self._stopped is not None:
                        self._close_soon(connection, *self._stopped)
            case Kind.LEFT:
                number, cursor, dropped = content
                if gone := sender.connections.get(number):
                    gone.cursor = cursor
                self.dropped_frames += dropped
                self._forget(sender, number)
            case Kind.COUNTED:
                if seat := self._seats.get(content[0]):
                    self._count(seat, 0, moves=content[1])
            case Kind.DONE:
                sender.done_tick, self.cpu_seconds[sender.name], cursors = content
                for number, cursor in cursors:
                    if seat := self._seats.get(number):
                        seat.cursor = cursor
                self._heard.set()

    def _take_inputs(self, inputs: list[AnyInput], size_bytes: int) -> None:
        self._inbox.put_all(inputs, size_bytes)
        if self._inbox.size_bytes >= MOST_ARRIVED_BYTES:  # until `freeze` takes them
            for sender in self.senders:
                sender.link.transport.pause_reading()

    # The life of a tick

    async def caught_up(self) -> None:
        """Wait for senders that have not sent the last tick but one."""
        if self._inbox.size_bytes >= MOST_ARRIVED_BYTES:
            return  # nothing they say is read before the next tick, also not that they are done
        began = monotonic()
        while late := [
            sender for sender in self.senders if 0 <= sender.done_tick < self._world.tick - 1
        ]:
            self._heard.clear()
            for sender in late:
                if monotonic() - max(began, sender.heard_at) > STUCK_SECONDS:
                    sender.process.kill()
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._heard.wait()

    def freeze(self) -> list[AnyInput]:
        if self._inbox.size_bytes >= MOST_ARRIVED_BYTES:
            for sender in self.senders:
                sender.link.transport.resume_reading()
        return super().freeze()

    def settle(self) -> None:
        """Seat those that the tick admitted, and tell every sender what it has changed."""
        super().settle()
        # The digest finds the rows that the tick changed; the change log only collects them.
        self._service.digest()
        changes, changed = self._changes.take()
        for connection in self._welcomed:
            if isinstance(connection, RemoteConnection):
                self._tell_seated(connection)
        self._welcomed.clear()
        for agent in changed:
            seat = self._seats.get(agent.number)
            if isinstance(seat, RemoteConnection) and agent.event_log.next > seat.next_event:
                seat.sender.news.events.append(self._news_of(agent, seat))
        for number, loaded in self._world.scratch.loaded_memory.items():
            seat = self._seats.get(number)
            if isinstance(seat, RemoteConnection):
                seat.sender.news.memory.append((number, loaded))
        for sender in self.senders:
            news, sender.news = sender.news, News([], [], [])
            sender.link.send(Kind.NEWS, news)
            sender.link.send(Kind.TICK, changes)
            if sender.link.transport.get_write_buffer_size() > MAX_WAITING_BYTES:
                sender.process.kill()

    def _tell_seated(self, remote: RemoteConnection) -> None:
        """Put into the sender's news that its connection has a seat now, with all that it needs to
        know of the agent."""
        agent = self._world.agents[remote.number]
        events = Events(
            agent.number, agent.event_log.events, agent.event_log.next, agent.event_log.size
        )
        remote.next_event = agent.event_log.next
        seated = Seated(
            connection=remote.id,
            token=remote.token,
            resumed=remote.resumed,
            cursor=remote.cursor,
            motion=motion_of(agent),
            log=events,
        )
        remote.sender.news.seated.append(seated)

    def _news_of(self, agent: Agent, seat: RemoteConnection) -> Events:
        """The events that the sender of this seat does not have yet. If the log has already dropped
        some of them, all that it still has."""
        log = agent.event_log
        first = seat.next_event
        seat.next_event = log.next
        new = log.since(first)
        events = new if len(new) == log.next - first else log.events
        return Events(agent.number, events, log.next, log.size)

    def release(self) -> None:
        """Let the senders send the tick: it is durable."""
        self._outbox.release(())
        self._inbox.release()
        for sender in self.senders:
            sender.link.send(Kind.DURABLE)

    async def stop(self, code: int, reason: str) -> None:
        for sender in self.senders:
            sender.link.send(Kind.CLOSE, (0, code, reason))
        await super().stop(code, reason)
        if silent := [gone for sender in self.senders for _, gone in sender.handed.values()]:
            await asyncio.wait(silent, timeout=CLOSE_SECONDS)  # they may still say HELLO
        for sender in self.senders:
            sender.link.transport.close()
