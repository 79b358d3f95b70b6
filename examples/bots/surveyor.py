"""Walks a square, counts the blocks it sees at each corner, and keeps its notes in the world.

The notes outlive this program, and the next run is the same agent again.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter

from thorp.client import Agent, connect, move_to, recall, remember

SIDE = 8
CORNERS = ((SIDE, 0), (SIDE, SIDE), (0, SIDE), (0, 0))


def count_blocks(agent: Agent) -> Counter[str]:
    x, y, z = agent.position
    span = range(-3, 4)
    blocks = (agent.block(x + dx, y + dy, z + dz) for dx in span for dy in span for dz in span)
    return Counter(block for block in blocks if block not in (None, "AIR"))


async def notes_so_far(agent: Agent) -> dict[str, str]:
    if not await agent.do(recall("corner")):
        return {}
    return {note.key: note.value for note in agent.obs.memory or ()}


async def main(url: str) -> None:
    async with connect(url, "surveyor") as agent:
        print(f"{agent.id} remembers {sorted(await notes_so_far(agent))}")
        x, y, z = agent.position
        for number, (dx, dz) in enumerate(CORNERS):
            walked = await agent.do(move_to((x + dx, y, z + dz)), ticks=300)
            seen = count_blocks(agent)
            print(f"corner {number}: {walked}; {dict(seen.most_common(3))}")
            await agent.do(remember(f"corner-{number}", json.dumps(seen)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8080/v1/ws"))
