"""A lumberjack who builds: fells trees, saws planks, and puts up a hut when there are enough of them."""

from __future__ import annotations

from random import Random
from typing import Final

from thorp.client.actions import build, craft, say
from thorp.client.agent import Agent
from thorp.client.bots.wanderer import distance, eat_if_hungry, stroll, take
from thorp.protocol.obs import Position

HUT: Final = "hut_small"
# Trees that turned out to be out of reach. After this many it goes elsewhere.
MAX_OUT_OF_REACH: Final = 3


async def build_huts(agent: Agent, draw: Random) -> None:
    while True:
        await eat_if_hungry(agent)
        if agent.inventory.get("PLANK", 0) >= planks_for_a_hut(agent):
            await put_up_a_hut(agent, draw)
        elif logs := agent.inventory.get("LOG", 0):
            await agent.do(craft("plank_from_log", logs))
        elif not await fell_a_tree(agent):
            await stroll(agent, draw)


def planks_for_a_hut(agent: Agent) -> int:
    """What the world's own plan says."""
    hut = next(plan for plan in agent.catalogs["blueprints"] if plan["id"] == HUT)
    return int(next(cost["count"] for cost in hut["cost"] if cost["item"] == "PLANK"))


async def fell_a_tree(agent: Agent) -> bool:
    """Take every log within reach of the nearest trunk."""
    out_of_reach: set[Position] = set()
    while len(out_of_reach) < MAX_OUT_OF_REACH:
        log = agent.find("LOG", avoid=out_of_reach)
        if log is None:
            break
        if await take(agent, log):
            for other in list(agent.find_all("LOG")):
                if distance(other, agent.position) <= 2:
                    await take(agent, other)
            return True
        out_of_reach.add(log)
    return False


async def put_up_a_hut(agent: Agent, draw: Random) -> None:
    """Try each side of where we stand; if there is no room, look elsewhere."""
    x, y, z = agent.position
    for corner in ((x + 2, y, z - 1), (x - 4, y, z - 1), (x - 1, y, z + 2), (x - 1, y, z - 4)):
        if await agent.do(build(HUT, corner)):
            await agent.do(say(f"A hut stands at {corner[0]}, {corner[2]}. Whoever needs a roof is welcome."))
            break
    await stroll(agent, draw)
