"""Builds walls until the stone is used up, and reads in each refusal what to do next."""

from __future__ import annotations

import asyncio
import sys

from thorp.client import Agent, build, connect, move_to, say
from thorp.protocol import codes

WALL = "stone_wall_segment"
MAX_TRIES = 20


async def build_walls(agent: Agent) -> int:
    walls = 0
    for _ in range(MAX_TRIES):
        x, y, z = agent.position
        outcome = await agent.do(build(WALL, (x + 1, y, z - 2)))
        print(outcome)  # in words: done, or what was wrong and what to do about it
        if outcome.code == codes.NO_RESOURCE:
            break
        if outcome:
            walls += 1
        await agent.do(move_to((x - 4, y, z)), ticks=100)
    return walls


async def main(url: str) -> None:
    async with connect(url, "stonemason") as agent:
        plan = next(plan for plan in agent.catalogs["blueprints"] if plan["id"] == WALL)
        print(f"a wall takes {plan['cost']}, and I have {agent.inventory}")
        walls = await build_walls(agent)
        await agent.do(say(f"I have built {walls} walls."))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8080/v1/ws"))
