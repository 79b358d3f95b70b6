"""A bot that walks about and greets everyone it meets, and what all bots do: eat, stroll, fetch a block."""

from __future__ import annotations

from random import Random
from typing import Final

from thorp.client.actions import eat, mine, move_to, say
from thorp.client.agent import Agent
from thorp.client.outcome import Outcome
from thorp.protocol.obs import Position

HUNGRY_BELOW: Final = 12
FOODS: Final = ("BREAD", "COOKED_MEAT", "BERRIES", "RAW_MEAT")
# How far an arm reaches, counted along the axes.
REACH: Final = 2
STROLL_CELLS: Final = 10
# A walk that takes longer leads nowhere.
WALK_TICKS: Final = 120


def distance(a: Position, b: Position) -> int:
    return sum(abs(from_a - from_b) for from_a, from_b in zip(a, b, strict=True))


async def eat_if_hungry(agent: Agent) -> bool:
    """Eat what there is, and tell whether that was necessary and possible."""
    if agent.obs.body.hunger >= HUNGRY_BELOW:
        return False
    food = next((food for food in FOODS if food in agent.inventory), None)
    return food is not None and bool(await agent.do(eat(food)))


async def stroll(agent: Agent, draw: Random) -> Outcome:
    """Walk somewhere else, not far."""
    x, y, z = agent.position
    far = (x + draw.randint(-STROLL_CELLS, STROLL_CELLS), y, z + draw.randint(-STROLL_CELLS, STROLL_CELLS))
    return await agent.do(move_to(far), ticks=WALK_TICKS)


async def approach(agent: Agent, position: Position) -> bool:
    """Go where an arm reaches a cell."""
    if distance(agent.position, position) > REACH:
        await agent.do(move_to(position), ticks=WALK_TICKS)
    return distance(agent.position, position) <= REACH


async def take(agent: Agent, position: Position) -> bool:
    """Go up to a block and mine it."""
    return await approach(agent, position) and bool(await agent.do(mine(position)))


async def wander(agent: Agent, draw: Random) -> None:
    met = {agent.id}
    while True:
        await eat_if_hungry(agent)
        await stroll(agent, draw)
        strangers = [body.id for body in agent.entities if body.type == "AGENT" and body.id not in met]
        if strangers:
            greeting = await agent.do(
                say(f"Good day, {strangers[0]}! Fine weather: {agent.obs.world.weather}.")
            )
            if greeting:
                met.add(strangers[0])
