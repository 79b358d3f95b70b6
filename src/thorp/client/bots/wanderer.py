"""A wanderer: walks about, eats when hungry, and greets whoever it meets for the first time."""

from __future__ import annotations

from random import Random

from thorp.client.actions import say
from thorp.client.agent import Agent
from thorp.client.bots.habits import eat_if_hungry, stroll


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
