"""A farmer: gathers seeds and berries, sows, reaps what is ripe and bakes bread.

Each turn it does the first chore on the list for which there is an occasion.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Final

from thorp.client.actions import craft, place
from thorp.client.agent import Agent
from thorp.client.bots.wanderer import approach, eat_if_hungry, stroll, take
from thorp.protocol.obs import Position

BENCH: Final = "CRAFTING_BENCH"
WHEAT_FOR_BREAD: Final = 3
# More would only fill the pockets.
ENOUGH_SEEDS: Final = 8
ENOUGH_BERRIES: Final = 30
# How far from where it stands a farmer looks for soil.
FIELD: Final = [(dx, dz) for dx in range(-2, 3) for dz in range(-2, 3) if (dx, dz) != (0, 0)]


async def farm(agent: Agent, draw: Random) -> None:
    while True:
        for chore in CHORES:
            if await chore(agent):
                break
        else:
            await stroll(agent, draw)


async def reap(agent: Agent) -> bool:
    wheat = agent.find("WHEAT_RIPE")
    return wheat is not None and await take(agent, wheat)


async def bake(agent: Agent) -> bool:
    """Make bread at the nearest bench; put one up where there is none."""
    if agent.inventory.get("WHEAT", 0) < WHEAT_FOR_BREAD:
        return False
    bench = agent.find(BENCH)
    if bench is not None:
        return await approach(agent, bench) and bool(await agent.do(craft("bread")))
    if BENCH not in agent.inventory:
        return bool(await agent.do(craft("crafting_bench")))
    spot = free_soil(agent)
    return spot is not None and bool(await agent.do(place(spot, BENCH)))


async def sow(agent: Agent) -> bool:
    spot = free_soil(agent) if "SEEDS" in agent.inventory else None
    return spot is not None and bool(await agent.do(place(spot, "SEEDS")))


async def gather_plants(agent: Agent) -> bool:
    """Tall grass gives seeds, bushes give berries."""
    wanted = []
    if agent.inventory.get("SEEDS", 0) < ENOUGH_SEEDS:
        wanted.append("TALL_GRASS")
    if agent.inventory.get("BERRIES", 0) < ENOUGH_BERRIES:
        wanted.append("BERRY_BUSH")
    plant = agent.find(*wanted)
    return plant is not None and await take(agent, plant)


def free_soil(agent: Agent) -> Position | None:
    """A cell with air in it and earth below, beside the farmer."""
    x, y, z = agent.position
    for dx, dz in FIELD:
        on = (x + dx, y, z + dz)
        if agent.block(*on) == "AIR" and agent.block(x + dx, y - 1, z + dz) in ("GRASS", "DIRT"):
            return on
    return None


CHORES: Final[tuple[Callable[[Agent], Awaitable[bool]], ...]] = (
    eat_if_hungry,
    reap,
    bake,
    sow,
    gather_plants,
)
