"""Finds the witnesses of an event: connected agents that were near enough to see it.

Near a few agents each is checked by itself. In a crowd, positions are gathered once a tick and compared
together, so one more event in a crowd of a thousand costs almost nothing.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from thorp.voxel.observation.entity_view import SIGHT
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World, manhattan

MAX_WITNESSES: Final = 1_000
"""Of one happening: the nearest, or the first if it was everywhere. Each is a row in the story."""

CROWD: Final = 48
"""Bodies near by from which on it is faster to compare all positions together."""


class WitnessFinder:
    """The agents that could see at the end of a tick."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._ids: list[str] | None = None
        self._at: NDArray[np.int64] = np.empty((0, 3), np.int64)

    def witnesses(
        self, where: Position | None, parties: tuple[str, ...], *, everywhere: bool = False
    ) -> tuple[str, ...]:
        """The parties, and everybody whose body was there, in order of their numbers."""
        seen: list[str] = []
        if everywhere:
            seen = self._everybody()[:MAX_WITNESSES]
        elif where is not None:
            crowded = self._bodies_about(where) >= CROWD
            seen = self._near_in_a_crowd(where) if crowded else self._near(where)
        own = [one for one in parties if one not in seen and self._world.agent_by_id(one) is not None]
        return tuple(sorted({*seen, *own}, key=_number) if own else seen)

    def _everybody(self) -> list[str]:
        """Connected agents that have ever acted. A disconnected body sees nothing; an agent that never
        acted may be removed without a trace."""
        if self._ids is None:
            looking = [agent for agent in self._world.agents.awake if agent.attached and agent.acted]
            self._ids = [agent.id for agent in looking]
            self._at = np.array([agent.position for agent in looking], dtype=np.int64).reshape(-1, 3)
        return self._ids

    def _bodies_about(self, where: Position) -> int:
        x, _, z = where
        chunks = self._world.agents.chunks()
        return sum(
            len(chunks.get((cx, cz), ()))
            for cx in range((x - SIGHT) >> 4, ((x + SIGHT) >> 4) + 1)
            for cz in range((z - SIGHT) >> 4, ((z + SIGHT) >> 4) + 1)
        )

    def _near(self, where: Position) -> list[str]:
        near = [
            (agent.number, agent.id)
            for agent in self._world.agents.near(where[0], where[2], SIGHT)
            if agent.attached and agent.acted and manhattan(agent.position, where) <= SIGHT
        ]
        return [agent_id for _, agent_id in sorted(near)]

    def _near_in_a_crowd(self, where: Position) -> list[str]:
        """The same for many agents at once."""
        ids = self._everybody()
        away = np.abs(self._at - where).sum(axis=1)
        near = np.flatnonzero(away <= SIGHT)
        if len(near) > MAX_WITNESSES:
            near = np.sort(near[np.argsort(away[near], kind="stable")[:MAX_WITNESSES]])
        return [ids[place] for place in near.tolist()]


def _number(agent_id: str) -> int:
    return int(agent_id[1:])
