"""Collects what arrives until the next tick, in order of arrival, and limits how much each
connection may send before it."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

from thorp.server.sockets.connection import AgentConnection
from thorp.voxel import AnyInput, Retire

# One ACT answers one OBS; the others are for clients that split their actions, or were held up. An
# ACT is valid for three ticks, so whatever an agent sends beyond three times this is stale.
ACTS_PER_TICK: Final = 16
# Soft limit on the input of all agents in a tick, in bytes of the journal, which writes an input at
# up to several times its length on the wire. Above it, only agents that have sent nothing in this
# tick are read, so that nobody is kept from acting by what others send.
ARRIVED_BYTES: Final = 8 * 2**20
# Hard limit: the room in a tick's records, less one last ACT of the largest size.
MOST_ARRIVED_BYTES: Final = 36 * 2**20
# Enough for sixteen ACTs of any sensible size. A single ACT may have the whole megabyte of a frame.
BYTES_PER_TICK: Final = 256 * 1024


class TickInbox:
    """The inputs of the next tick."""

    def __init__(self, entries: Iterable[AnyInput] = (), *, processes: int = 1) -> None:
        """`processes` is how many processes read for this world; each gets an equal share of what a
        tick may hold."""
        self.entries: list[AnyInput] = list(entries)
        self.size_bytes = 0
        self.retiring: dict[int, None] = {}
        """Agents that asked to retire, in the order in which they did."""
        self._processes = processes
        self._senders: list[AgentConnection] = []
        """Connections that have sent something for the next tick."""
        self._orders: list[asyncio.Future[None]] = []
        """Orders of operators that the next tick will take."""
        self._ordered: list[asyncio.Future[None]] = []
        """Orders that the tick under way has taken."""

    @property
    def has_orders(self) -> bool:
        """Whether an operator waits for the next tick."""
        return bool(self._orders)

    def must_wait(self, connection: AgentConnection) -> bool:
        """Whether nothing more may be read from a connection before the next tick."""
        if connection.acts >= ACTS_PER_TICK or connection.bytes >= BYTES_PER_TICK:
            return True
        most = ARRIVED_BYTES if connection.bytes else MOST_ARRIVED_BYTES
        return self.size_bytes >= most // self._processes

    def put(self, entry: AnyInput, size_bytes: int) -> None:
        """Queue what an agent asks for."""
        self.entries.append(entry)
        self.size_bytes += size_bytes
        if type(entry) is Retire:
            self.retiring[entry.agent] = None

    def put_all(self, entries: Sequence[AnyInput], size_bytes: int) -> None:
        """Queue what agents ask for whose sockets another process holds."""
        self.entries += entries
        self.size_bytes += size_bytes
        self.retiring.update({entry.agent: None for entry in entries if type(entry) is Retire})

    def count(self, connection: AgentConnection, size_bytes: int) -> None:
        """Count one more message of a connection in this tick."""
        if not connection.acts:
            self._senders.append(connection)
        connection.acts += 1
        connection.bytes += size_bytes

    def order(self, entry: AnyInput) -> asyncio.Future[None]:
        """Make an operator's order an input of the next tick. The future is done when that tick is
        durable."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.entries.append(entry)
        self._orders.append(done)
        return done

    def freeze(self) -> list[AnyInput]:
        """Hand over everything that arrived as inputs of the next tick, and make room."""
        inputs = self.entries
        self.entries = []
        self._ordered = self._orders
        self._orders = []
        self.make_room()
        return inputs

    def make_room(self) -> None:
        """Let everybody send again: a tick took what was sent."""
        self.size_bytes = 0
        for sender in self._senders:
            sender.begin_tick()
        self._senders.clear()

    def release(self) -> None:
        """Answer the orders that the tick took: it is durable."""
        for order in self._ordered:
            if not order.done():
                order.set_result(None)

    def stop(self) -> None:
        """Cancel all orders: no tick will take them."""
        for order in (*self._orders, *self._ordered):
            order.cancel()
