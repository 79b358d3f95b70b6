"""Draws places, items, counts and names for simulated agents, often wrong ones.

The tables of wishes (`thorp.simulator.wishes`, `thorp.simulator.dealings`) draw everything here.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from thorp.voxel import Agent, World

Wish = dict[str, Any]
"""An action as it goes over the wire, without its id."""

LIKELY_COUNTS = (1, 1, 1, 2, 3)
HOSTILE_INTEGERS = (0, -1, 40, 10**6, 2**31 - 1, -(2**31), 2**31, 10**30)
HOSTILE_COUNTS: tuple[Any, ...] = (*HOSTILE_INTEGERS, 1.5, -0.5, 1e300, "2", None, True, [])


class Chance:
    """Draws from one seed. Most draws are possible in the world, some are not."""

    def __init__(self, random: Random, size: int) -> None:
        self.random = random
        self.size = size
        """How many agents there are, or will be."""

    def near(self, agent: Agent, reach: int) -> list[int]:
        """A place at most this far from the agent along each axis."""
        draw = self.random
        return [at + draw.randint(-reach, reach) for at in agent.position]

    def carried(self, agent: Agent) -> str:
        """An item that the agent carries."""
        return self.random.choice(sorted(agent.inventory) or ["PLANK"])

    def thing(self, table: Any, agent: Agent, kind: str | None = None) -> str:
        """The id of a thing near the agent; if there is none, an id that looks right."""
        near = table.near(agent.x, agent.z, 8)
        if not near:
            return f"{kind or 'CHEST'}@0,23,0"
        thing = self.random.choice(near)
        name = thing.id if kind is None else f"{kind}@{','.join(map(str, thing.position))}"
        return str(name)

    def any_id(self, table: Any, default: str) -> str:
        """The id of any row of a table; the default if it is empty."""
        return str(self.random.choice([row.id for row in table] or [default]))

    def somebody(self) -> str:
        """The id of an agent, who may not exist."""
        return f"A{self.random.randint(0, self.size + 1)}"

    def item(self) -> str:
        """An item that agents deal in, or one that does not exist."""
        return self.random.choice(
            ("PLANK", "COAL", "STONE", "BERRIES", "CRYSTAL_SHARD", "NO_SUCH_THING")
        )

    def count(self) -> Any:
        """A count: mostly a sensible one, sometimes a hostile one."""
        return self.random.choice(LIKELY_COUNTS if self.random.random() < 0.8 else HOSTILE_COUNTS)


Make = Callable[[Chance, World, Agent], Wish]
"""Makes the wish of an agent in a world."""
