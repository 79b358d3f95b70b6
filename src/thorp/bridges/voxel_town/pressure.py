"""Measures how a town is doing now: four meters in per mille.

`docs/voxel-town.md` has the formulas. Shares are per mille of what the town would like to have;
fractions are cut off. Goods on order count half, so that ordering helps, and delivery helps again.
"""

from collections import Counter
from typing import Final, NamedTuple

from thorp.bridges.voxel_town import quests, territory, works
from thorp.bridges.voxel_town.territory import Domain
from thorp.bridges.voxel_town.town import Town
from thorp.voxel.society.events import EFFECTS
from thorp.voxel.state.world import World

FULL: Final = 1000

# What a town would like to have in stock for each member: health of food, building blocks, coal or
# torches.
FOOD_WANTED: Final = 12
MATERIAL_WANTED: Final = 10
LIGHT_WANTED: Final = 4
# Blocks of its works above which a town gets no safer.
DEFENCE_BLOCKS: Final = 120
FED_FROM: Final = 10  # Hunger from which on a member counts as fed.
# An event that hurts counts if its zone comes within this distance of the land.
NEAR: Final = 64
# Caps: beyond these counts the meters no longer change.
MOST_DEATHS: Final = 5
MOST_FAILURES: Final = 5
MOST_SUCCESSES: Final = 6

MATERIALS: Final = ("BRICK", "LOG", "PLANK", "STONE")
LIGHTS: Final = ("COAL", "TORCH")
BAD_WEATHER: Final = ("COLD", "STORM")


class Pressure(NamedTuple):
    """The four meters of a town, in per mille."""

    threat: int
    scarcity: int
    hope: int
    dread: int


class Shares(NamedTuple):
    """How much the town has of what it would like to have, each in per mille."""

    food: int
    material: int
    light: int
    upkeep: int
    defence: int
    fed: int


def measure(world: World, domain: Domain, town: Town) -> Pressure:
    """Measure the four meters of a town."""
    have = shares(world, domain, town)
    event = world.director.event
    hurts = event is not None and EFFECTS[event.id].hurts and quests.reaches(domain, event, NEAR)
    danger = 250 * hurts + 100 * (world.weather in BAD_WEATHER)
    stage = max(claim.stage for claim in domain.claims)
    deaths = min(MOST_DEATHS, len(town.deaths))
    failures = min(MOST_FAILURES, len(town.failures))
    successes = min(MOST_SUCCESSES, len(town.successes))
    threat = 300 + danger + 60 * deaths + 100 * stage + 250 * (FULL - have.defence) // FULL
    scarcity = FULL - (600 * have.food + 150 * have.material + 250 * have.upkeep) // FULL
    # A harmful event adds 250 to threat, but only 200 to dread.
    dread = 200 + danger - 50 * hurts + 80 * deaths + 60 * failures
    dread += 250 * (FULL - have.light) // FULL - town.cheer // 2
    hope = 350 + 200 * have.fed // FULL + 40 * successes + 60 * (town.mission is not None)
    hope += town.cheer - 60 * deaths - 50 * failures - 80 * stage - scarcity // 5
    return Pressure(*(max(0, min(FULL, level)) for level in (threat, scarcity, hope, dread)))


def shares(world: World, domain: Domain, town: Town) -> Shares:
    """Measure how much the town has of each thing it would like to have. Goods on order count
    half."""
    held = territory.stocks(world, domain)
    ordered = Counter[str]()
    for order in town.orders:
        ordered.update(order.goods)
    heads = max(1, len(domain.org.members))

    def stocked(share: str, wanted: int) -> int:
        """The share of stocks. A unit of food counts as much as the health it gives."""
        kinds = kinds_of(world, share)
        worth = {
            item: world.catalogs.items[item].edible_hp if share == "food" else 1 for item in kinds
        }
        # Both sides are doubled, so that half of an order stays a whole number.
        count = sum((2 * held[item] + ordered[item]) * worth[item] for item in kinds)
        return _share(count, 2 * wanted * heads)

    fed = sum(agent.hunger >= FED_FROM for agent in domain.members(world))
    return Shares(
        food=stocked("food", FOOD_WANTED),
        material=stocked("material", MATERIAL_WANTED),
        light=stocked("light", LIGHT_WANTED),
        upkeep=_share(territory.upkeep_days(world, domain), territory.RESERVE_DAYS),
        defence=_share(_defence(world, town), 2 * DEFENCE_BLOCKS),
        fed=_share(fed, heads),
    )


def kinds_of(world: World, share: str) -> tuple[str, ...]:
    """The items that count for a share of stocks."""
    foods = tuple(item.id for item in world.catalogs.items.values() if item.kind == "FOOD")
    return {"food": foods, "material": MATERIALS, "light": LIGHTS}[share]


def _defence(world: World, town: Town) -> int:
    """Twice the blocks of works that stand, and once those that are on order."""
    ordered = [order.work for order in town.orders]
    blocks = 0
    for work in town.works:
        done, total = works.count_blocks(world, work)
        blocks += 2 * done + (total - done if work.id in ordered else 0)
    return blocks


def _share(have: int, wanted: int) -> int:
    """The share of the wanted amount that there is, in per mille, at most 1,000."""
    return min(FULL, FULL * have // wanted)
