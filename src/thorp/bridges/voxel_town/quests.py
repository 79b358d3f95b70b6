"""Quests of a town: contracts on its land that nobody has accepted, and events of the director.

Contracts are named by their own ids, events by the tick they began in. All ids are upper-case
letters and digits of one width, so collation order is also the order in which they came.

Governors also see the latest event, which is the last rift or raid of the director.
"""

from typing import Final, NamedTuple

from thorp.bridges.voxel_town import records, town, wording
from thorp.bridges.voxel_town.territory import Domain
from thorp.town.snapshot import COMPLEXITY_LIMIT
from thorp.voxel.lookups import terminals
from thorp.voxel.lookups.goods import worth
from thorp.voxel.society import deeds, worksites
from thorp.voxel.state.records import Contract, WorldEvent
from thorp.voxel.state.world import World
from thorp.voxel.systems import blueprints

# Events in which people can reach a goal.
OFFERS: Final = (*deeds.MINING, *deeds.CHESTS, *deeds.FAIRS, "CIVIC_VOTE", "MARKET_WEEK")
OFFER_COMPLEXITY: Final = 5
# Worth of goods, or number of blocks, that make a quest more complex by one.
WORTH_A_LEVEL: Final = 4
BLOCKS_A_LEVEL: Final = 4
# Events that governors see as the latest event, and what they are called there.
EVENTS: Final = {"BANDIT_CAMP": "bandit raid", "CRYSTAL_RIFT": "crystal rift"}
_KEY: Final = "nether"


class Quest(NamedTuple):
    """Something that a town could make its mission: a contract, or an event of the director."""

    id: str
    title: str
    complexity: int
    contract: Contract | None = None
    event: WorldEvent | None = None


def open_quests(world: World, domain: Domain) -> list[Quest]:
    """All open quests of a town, in canonical order."""
    open_ones = [
        _contract_quest(world, contract)
        for terminal in domain.terminals(world)
        for contract in terminals.contracts_at(world, terminal)
        if contract.state == "OPEN" and world.tick <= contract.deadline_tick
    ]
    event = world.director.event
    if event is not None and event.id in OFFERS and reaches(domain, event):
        title = wording.title(f"{world.catalogs.events[event.id].title}: take part")
        open_ones.append(
            Quest(id=event_id(event), title=title, complexity=OFFER_COMPLEXITY, event=event)
        )
    return sorted(open_ones, key=lambda quest: quest.id)


def event_id(event: WorldEvent) -> str:
    """The id of an event as a quest, by the tick in which it began."""
    return f"D{event.start_tick:09d}"


def reaches(domain: Domain, event: WorldEvent, farther: int = 0) -> bool:
    """Whether the zone of an event comes within `farther` cells of the land. An event without a
    place is everywhere."""
    if event.center is None:
        return True
    x, _, z = event.center
    return any(
        max(abs(x - claim.anchor[0]), abs(z - claim.anchor[2]))
        <= claim.radius + event.radius + farther
        for claim in domain.claims
    )


def _contract_quest(world: World, contract: Contract) -> Quest:
    """The quest to fulfil a contract; the more it asks for, the more complex."""
    if contract.kind == "BUILD":
        plan = worksites.plan(world, contract)
        missing = len(plan) - blueprints.blocks_standing(world, plan)
        wish = f"Build a {wording.thing(contract.blueprint_id)}"
        level = missing // BLOCKS_A_LEVEL
    else:
        wish = f"{contract.kind.capitalize()} {wording.things(contract.requirements)}"
        level = worth(contract.requirements) // WORTH_A_LEVEL
    title = wording.title(f"{wish} for {wording.things(contract.reward)}")
    return Quest(
        id=contract.id, title=title, complexity=min(COMPLEXITY_LIMIT, 1 + level), contract=contract
    )


def note(world: World, event: str) -> None:
    """Remember an event that has begun, if governors see it as the latest event."""
    if event in EVENTS:
        records.write(world, _KEY, f"{EVENTS[event]}, day {town.today(world)}")


def latest(world: World) -> str | None:
    """The last rift or raid in words; None before the first."""
    return records.read(world, _KEY)
