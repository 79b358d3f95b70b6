"""What arrived since the last tick, in order of arrival: the inputs of the next one, and how much
each connection may still send before it."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

from thorp.server.sockets.connection import Connection
from thorp.voxel.inputs import AnyInput, Retire

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


class TickInbox:
    """The inputs of the next tick."""

    def __init__(self, entries: Iterable[AnyInput] = (), *, processes: int = 1) -> None:
        """`processes` read for this world, each up to its share of what a tick may hold."""
        self.entries: list[AnyInput] = list(entries)
        self.size_bytes = 0
        self.retiring: dict[int, None] = {}
        """Agents that asked to retire, in this order."""
        self._processes = processes
        self._senders: list[Connection] = []
        """Connections that have sent something."""
        self._orders: list[asyncio.Future[None]] = []
        """Orders of operators that the next tick takes."""
        self._ordered: list[asyncio.Future[None]] = []
        """Those that the tick under way has taken."""

    @property
    def has_orders(self) -> bool:
        return bool(self._orders)

    def must_wait(self, connection: Connection) -> bool:
        """Whether nothing more of a connection may be read before the next tick."""
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
        """Queue what agents of another process ask for."""
        self.entries += entries
        self.size_bytes += size_bytes
        self.retiring.update({entry.agent: None for entry in entries if type(entry) is Retire})

    def count(self, connection: Connection, size_bytes: int) -> None:
        """Count one more message of a connection in this tick."""
        if not connection.acts:
            self._senders.append(connection)
        connection.acts += 1
        connection.bytes += size_bytes

    def order(self, entry: AnyInput) -> asyncio.Future[None]:
        """Make an operator's order an input of the next tick; the future is done when that is
        durable."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.entries.append(entry)
        self._orders.append(done)
        return done

    def freeze(self) -> list[AnyInput]:
        """Hand everything that arrived to the next tick. There is room again."""
        inputs = self.entries
        self.entries = []
        self._ordered = self._orders
        self._orders = []
        self.make_room()
        return inputs

    def make_room(self) -> None:
        """A tick took what was sent: everybody may send again."""
        self.size_bytes = 0
        for sender in self._senders:
            sender.begin_tick()
        self._senders.clear()

    def release(self) -> None:
        """The tick is durable: answer the orders that it took."""
        for order in self._ordered:
            if not order.done():
                order.set_result(None)

    def stop(self) -> None:
        """No tick takes any more orders."""
        for order in (*self._orders, *self._ordered):
            order.cancel()
