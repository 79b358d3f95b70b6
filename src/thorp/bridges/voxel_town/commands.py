"""Executes the four kinds of proposal in a city, by the world's rules and paid by the treasury.

A command that the rules do not allow raises `RuleRefused`, and says what would help. See
`docs/voxel-town.md`.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Final

from thorp.bridges.voxel_town import orders, works
from thorp.bridges.voxel_town.orders import order_goods, order_work
from thorp.bridges.voxel_town.pressure import FULL, kinds_of, shares
from thorp.bridges.voxel_town.territory import Domain, spendable
from thorp.bridges.voxel_town.town import Town
from thorp.town.handoff_judge import RuleRefused
from thorp.voxel.lookups import goods
from thorp.voxel.lookups.goods import worth
from thorp.voxel.society import boards
from thorp.voxel.state.records import Items
from thorp.voxel.state.world import World

# Accepted commands of a day: more than any council needs, and their receipts can be kept for weeks.
COMMANDS_A_DAY: Final = 32

WAGE_BASE: Final = 4
# Missing blocks that raise the wage by one.
BLOCKS_A_WAGE: Final = 2

# By focus: items to ask for, each with the share that it counts for. The first item whose share is
# short, and which is not on order, is ordered.
SALVAGE: Final[dict[str, dict[str, str]]] = {
    "scarcity": {"BERRIES": "food", "BREAD": "food", "LOG": "material", "STONE": "material"},
    "dread": {"COAL": "light", "TORCH": "light"},
    "general": {"STONE": "material", "LOG": "material", "PLANK": "material", "BERRIES": "food"},
}
# Members for whom an order asks one unit more.
HEADS_A_UNIT: Final = 4
LEAST_ORDERED: Final = 3
MOST_ORDERED: Final = 12

# Per mille of hope that a talk adds; the second of a day adds half, the third a third.
CHEER: Final = {"morale-boost": 120, "casual": 30}
MOST_CHEER: Final = 300
HUNGRY_BELOW: Final = 13
MEALS: Final = 8
NOTICES: Final = {
    "morale-boost": (
        "A word from the council",
        "Take heart. The town stands together, and nobody goes hungry.",
    ),
    "casual": ("News from the square", "The council sat today. Work is posted at the terminal."),
}


def execute(world: World, domain: Domain, town: Town, action_type: str, target: str) -> None:
    """Execute a proposal in a town. Refuses with `RuleRefused`, and then nothing was done."""
    if town.commands >= COMMANDS_A_DAY:
        why = f"{COMMANDS_A_DAY} commands were taken today; come back tomorrow"
        raise RuleRefused(why, code="commands_spent")
    COMMANDS[action_type](world, domain, town, target)


def _advance_project(world: World, domain: Domain, town: Town, work_id: str) -> None:
    """`PROJECT_ADVANCE`: order the rest of a work."""
    work = next((each for each in town.works if each.id == work_id), None)
    if work is None:
        raise RuleRefused(f"there is no work {work_id[:40]!r} here", code="project_unknown")
    status = works.status(world, town, work)
    if status == "complete":
        raise RuleRefused(f"{work.name!r} is complete", code="project_complete")
    if status == "blocked":
        why = "it is being built, something stands in its place, or its land was lost"
        raise RuleRefused(f"{work.name!r} is blocked: {why}", code="project_blocked")
    done, total = works.count_blocks(world, work)
    order_work(world, domain, town, work, WAGE_BASE + (total - done) // BLOCKS_A_WAGE)


def _salvage(world: World, domain: Domain, town: Town, focus: str) -> None:
    """`SALVAGE_PLAN`: order the first goods of the focus that are short and not on order."""
    ordered = {item: None for order in town.orders for item in order.goods}
    stocked = shares(world, domain, town)._asdict()
    wanted = [
        item
        for item, share in SALVAGE[focus].items()
        if stocked[share] < FULL and item not in ordered
    ]
    if not wanted:
        why = f"of {', '.join(SALVAGE[focus])} all is in store or on order; use it, or wait"
        raise RuleRefused(why, code="enough")
    item = wanted[0]
    count = max(LEAST_ORDERED, min(MOST_ORDERED, len(domain.org.members) // HEADS_A_UNIT))
    goods: Items = {item: count}
    pay = worth(goods) + WAGE_BASE // 2
    # Not paid with goods of the same share, or a town short of food would pay for food with food.
    order_goods(world, domain, town, goods, pay, but=kinds_of(world, SALVAGE[focus][item]))


def _talk(world: World, domain: Domain, town: Town, talk_type: str) -> None:
    """`TOWNSFOLK_TALK`: post a notice and cheer people up; a morale boost also feeds the hungry."""
    town.talks += 1
    town.cheer = min(MOST_CHEER, town.cheer + max(1, CHEER[talk_type] // town.talks))
    boards.publish(world, domain.board(world), domain.org.id, *NOTICES[talk_type])
    if talk_type == "morale-boost":
        _feed(world, domain)


def _feed(world: World, domain: Domain) -> None:
    """Give each hungry member on the land one thing to eat, the hungriest first, while the treasury
    has some."""
    hungry = [agent for agent in domain.present(world) if agent.hunger < HUNGRY_BELOW]
    items = world.catalogs.items
    for agent in sorted(hungry, key=attrgetter("hunger", "number"))[:MEALS]:
        purse = sorted(spendable(world, domain))
        food = next((item for item in purse if items[item].kind == "FOOD"), None)
        if food is None:
            return
        goods.give(world, domain.org.id, food, -1)
        agent.give(food, 1)
        world.emit(agent, "MEAL", org_id=domain.org.id, item=food, count=1)


COMMANDS: Final[dict[str, Callable[[World, Domain, Town, str], None]]] = {
    "MAYOR_ACCEPT_MISSION": orders.take_up,
    "PROJECT_ADVANCE": _advance_project,
    "SALVAGE_PLAN": _salvage,
    "TOWNSFOLK_TALK": _talk,
}
