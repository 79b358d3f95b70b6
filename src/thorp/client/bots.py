"""Bots that live in a world, written with nothing but the agent kit, and a function that runs many
of them.

A bot is a coroutine that takes an agent and its own randomness, and goes on until the connection is
over: a wanderer greets everyone it meets, a lumberjack builds huts, a farmer bakes bread.
"""

from collections.abc import Awaitable, Callable, Sequence
from itertools import cycle, islice
from random import Random
from typing import Any, Final, NamedTuple

from thorp.client.actions import build, craft, eat, mine, move_to, place, say
from thorp.client.agent import Agent
from thorp.client.crew import run_agents
from thorp.protocol.obs import Position
from thorp.protocol.outcome import Outcome

__all__ = ["BOTS", "Bot", "build_huts", "farm", "run_bots", "wander"]

HUNGRY_BELOW: Final = 12
FOODS: Final = ("BREAD", "COOKED_MEAT", "BERRIES", "RAW_MEAT")
REACH: Final = 2  # How far an arm reaches, counted along the axes.
STROLL_CELLS: Final = 10
WALK_TICKS: Final = 120  # A walk that takes longer leads nowhere.

HUT: Final = "hut_small"
MAX_OUT_OF_REACH: Final = (
    3  # Trees that turned out to be out of reach. After this many it goes elsewhere.
)

BENCH: Final = "CRAFTING_BENCH"
WHEAT_FOR_BREAD: Final = 3
# More would only fill the pockets.
ENOUGH_SEEDS: Final = 8
ENOUGH_BERRIES: Final = 30
# How far from where it stands a farmer looks for soil.
FIELD: Final = [(dx, dz) for dx in range(-2, 3) for dz in range(-2, 3) if (dx, dz) != (0, 0)]


def distance(a: Position, b: Position) -> int:
    """The number of steps between two cells, along the axes."""
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
    far = (
        x + draw.randint(-STROLL_CELLS, STROLL_CELLS),
        y,
        z + draw.randint(-STROLL_CELLS, STROLL_CELLS),
    )
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
    """Walk about and greet every agent met for the first time."""
    met = {agent.id}
    while True:
        await eat_if_hungry(agent)
        await stroll(agent, draw)
        strangers = [
            body.id for body in agent.entities if body.type == "AGENT" and body.id not in met
        ]
        if strangers:
            greeting = f"Good day, {strangers[0]}! Fine weather: {agent.obs.world.weather}."
            if await agent.do(say(greeting)):
                met.add(strangers[0])


# The lumberjack fells trees, saws planks, and puts up a hut when there are enough of them.


async def build_huts(agent: Agent, draw: Random) -> None:
    """Fell trees, saw planks and put up one hut after the other."""
    while True:
        await eat_if_hungry(agent)
        if agent.inventory.get("PLANK", 0) >= planks_for_a_hut(agent):
            await put_up_a_hut(agent, draw)
        elif logs := agent.inventory.get("LOG", 0):
            await agent.do(craft("plank_from_log", logs))
        elif not await fell_a_tree(agent):
            await stroll(agent, draw)


def planks_for_a_hut(agent: Agent) -> int:
    """The planks that a hut takes, by the world's own blueprint."""
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
    """Build a hut on the first side of us that has room for it, and stroll on."""
    x, y, z = agent.position
    for corner in ((x + 2, y, z - 1), (x - 4, y, z - 1), (x - 1, y, z + 2), (x - 1, y, z - 4)):
        if await agent.do(build(HUT, corner)):
            await agent.do(
                say(f"A hut stands at {corner[0]}, {corner[2]}. Whoever needs a roof is welcome.")
            )
            break
    await stroll(agent, draw)


# The farmer gathers seeds and berries, sows, reaps what is ripe and bakes bread. Each turn it does
# the first chore on its list that can be done.


async def farm(agent: Agent, draw: Random) -> None:
    """Do whichever farm chore comes first and can be done, and stroll when there is none."""
    while True:
        for chore in CHORES:
            if await chore(agent):
                break
        else:
            await stroll(agent, draw)


async def reap(agent: Agent) -> bool:
    """Harvest ripe wheat in sight."""
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
    """Put a seed into free soil nearby."""
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


CHORES: Final = (eat_if_hungry, reap, bake, sow, gather_plants)


Bot = Callable[[Agent, Random], Awaitable[None]]

BOTS: Final[dict[str, Bot]] = {"wanderer": wander, "lumberjack": build_huts, "farmer": farm}


class _Resident(NamedTuple):
    name: str
    bot: Bot
    title: str = ""

    async def live(self, agent: Agent) -> None:
        await self.bot(agent, Random(self.name))


async def run_bots(
    url: str, count: int, kinds: Sequence[str] = tuple(BOTS), *, keep: bool = True, **options: Any
) -> None:
    """Run `count` bots in one event loop, of each kind in turn, until their connections are over.

    Bots that are stopped retire their bodies, unless they `keep` them. Options are those of
    `run_agents`.
    """
    named = enumerate(islice(cycle(kinds), count), start=1)
    crew = [_Resident(f"{kind}-{number}", BOTS[kind]) for number, kind in named]
    await run_agents(url, crew, keep=keep, delta_voxels=True, **options)
