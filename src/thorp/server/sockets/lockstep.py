"""Decides whom a world in lockstep waits for before it ticks: every seat that has not moved yet.

A seat that misses several deadlines in a row is not waited for until it sends something again. A
world with another clock never asks.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final

from thorp.server.sockets.connection import AgentConnection
from thorp.voxel import World

# After this many missed deadlines in a row a seat is not waited for until it sends something.
MISSED_MOVES: Final = 3


class Lockstep:
    """The seats of a world that have not moved since the last tick."""

    def __init__(self, world: World, *, is_on: bool) -> None:
        self.is_on = is_on
        """Whether this world is in lockstep."""
        self.changed = asyncio.Event()
        """Set when the answer of `all_moved` may have changed."""
        self._world = world
        self._unmoved: set[int] = set()
        self._awaits_moves = False
        """Whether any seat is waited for."""

    def all_moved(self) -> bool | None:
        """Whether every seat that is waited for has moved; None if none is waited for."""
        return not self._unmoved if self._awaits_moves else None

    def pass_moves(self, seats: Mapping[int, AgentConnection]) -> int:
        """Let the seats pass that have not moved; return how many."""
        passed = len(self._unmoved)
        for number in self._unmoved:
            seats[number].missed_moves += 1
        self._unmoved.clear()
        return passed

    def note_message(self, connection: AgentConnection, *, moves: bool) -> None:
        """Note that a seat has sent something, which may be its move."""
        if connection.missed_moves:  # it sends again, so it is waited for again
            connection.missed_moves = 0
            self._unmoved.add(connection.number)
            self._awaits_moves = True
        if moves:
            self._unmoved.discard(connection.number)
            self.changed.set()

    def leave(self, number: int) -> None:
        """Do not wait for a seat that is empty."""
        self._unmoved.discard(number)

    def make_way(self, newcomer: AgentConnection) -> None:
        """Let the tick come that seats a newcomer: do not wait for a move of the connection whose
        seat it takes over, which may hang."""
        for number in self._unmoved:
            agent = self._world.agents.get(number)
            if (
                newcomer.presented_hash
                and agent
                and newcomer.presented_hash in (agent.token, agent.fresh)
            ):
                self._unmoved.discard(number)
                return

    def settle(
        self, seats: Mapping[int, AgentConnection], newcomers: Iterable[AgentConnection]
    ) -> None:
        """Wait for the next move of every seat: a tick has been executed."""
        self._unmoved = {
            number for number, seat in seats.items() if seat.missed_moves < MISSED_MOVES
        }
        self._awaits_moves = bool(self._unmoved)
        for newcomer in newcomers:
            self.make_way(newcomer)
