"""Admits newcomers: from a valid HELLO to a body that was resumed or is new, or to a refusal."""

from collections.abc import Iterator
from hashlib import sha256
from time import monotonic
from typing import Final

from thorp.server.sockets.connection import AgentConnection
from thorp.server.sockets.join_limiter import JoinLimiter
from thorp.server.sockets.origins import Origins
from thorp.server.sockets.resume_token import new_token
from thorp.voxel import AnyInput, Attach, Join, World
from thorp.voxel.systems.population import retirement

# A new body takes some milliseconds, because its terrain must be generated.
JOINS_PER_TICK: Final = 16
TOO_MANY_NEW: Final = (
    "too many new bodies from this address; come again, or show an operator's token"
)


class Admission:
    """The newcomers of a world, and which body each of them gets."""

    def __init__(self, world: World) -> None:
        self.waiting: list[AgentConnection] = []
        """Newcomers for the next tick, in order of arrival."""
        self.origins = Origins(world)
        self._world = world
        self._admitting: list[AgentConnection] = []
        """Newcomers whose Join or Attach is an input of the tick under way."""
        self._lent: dict[bytes, int] = {}
        """By the hash of a one-time token: the body that it gives. The owner's own token stays
        valid."""
        self._limiter = JoinLimiter()

    def issue_body_token(self, number: int) -> str:
        """A token that gives this body to the next connection, for an owner that lost its own."""
        token = new_token()
        self._lent = {hashed: lent for hashed, lent in self._lent.items() if lent != number}
        self._lent[sha256(token.encode()).digest()] = number
        return token

    def leave(self, connection: AgentConnection) -> None:
        """Take a connection that is gone off the waiting list."""
        if connection in self.waiting:
            self.waiting.remove(connection)

    def freeze(self) -> Iterator[AnyInput]:
        """Turn newcomers into inputs: one with a known token resumes its body, any other gets a new
        one.

        The newest token may not have reached its owner, so the one before is valid too. If two
        connections show the same token in one tick, the later one holds the seat. In a full world a
        new body takes the place of a stranger who is away, if there is one.
        """
        owners = {agent.token: agent.number for agent in self._world.agents if agent.token}
        proven = {agent.fresh: agent.number for agent in self._world.agents if agent.fresh}
        room = self._world.tuning.population_cap - len(self._world.agents)
        hellos = self.waiting[:JOINS_PER_TICK]
        self.waiting = self.waiting[JOINS_PER_TICK:]
        # A body whose owner comes back in this tick must not be retired to make room in it.
        owned = {**self._lent, **owners, **proven}
        returning = {owned[each.presented_hash] for each in hellos if each.presented_hash in owned}
        leaving = self.origins.give_way(returning)
        for newcomer in hellos:
            if newcomer.transport.is_closing():
                newcomer.admitted.cancel()
                continue
            is_proven = newcomer.presented_hash in proven
            if is_proven:
                # The world accepts a proof once; a second connection with this token resumes too.
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
                    yield retirement(self._world, replaced, for_room=True)
                else:
                    newcomer.admitted.set_result(False)
                    continue
                yield Join(newcomer.name, hashed, newcomer.title)
            self._admitting.append(newcomer)

    def _may_join(self, newcomer: AgentConnection) -> bool:
        return newcomer.unlimited or self._limiter.admits(newcomer.address, monotonic())

    def settle(self) -> Iterator[AgentConnection]:
        """The newcomers to whom the executed tick gave a body. The caller seats each before it asks
        for the next one: only then is its connection told, and read."""
        # The world lists new bodies in the order of the Joins, which is the order of this list.
        joined = iter(self._world.scratch.joined)
        for newcomer in self._admitting:
            newcomer.number = newcomer.number or next(joined)
            if newcomer.number not in self._world.agents:
                newcomer.number = 0  # it was retired in this tick
            else:
                yield newcomer
            if not newcomer.admitted.done():
                newcomer.admitted.set_result(bool(newcomer.number))
        self._admitting.clear()

    def stop(self) -> None:
        """Admit nobody any more."""
        for newcomer in (*self.waiting, *self._admitting):
            newcomer.admitted.cancel()
