"""Commands of governors: what each of the four proposals does, by the world's rules and out of the
treasury.

A command that the rules do not allow raises `RuleRefused`, with what would help. See
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

# Receipts of a day. More than any council needs, and little enough to keep for weeks.
COMMANDS_A_DAY: Final = 32

WAGE_BASE: Final = 4
BLOCKS_A_WAGE: Final = 2
"""Missing blocks that make the wage one more."""

# What a focus asks for, and the share that has to be short of it: the first that is, and is not on
# order.
SALVAGE: Final[dict[str, dict[str, str]]] = {
    "scarcity": {"BERRIES": "food", "BREAD": "food", "LOG": "material", "STONE": "material"},
    "dread": {"COAL": "light", "TORCH": "light"},
    "general": {"STONE": "material", "LOG": "material", "PLANK": "material", "BERRIES": "food"},
}
HEADS_A_UNIT: Final = 4
"""Heads that make an order one more."""
LEAST_ORDERED: Final = 3
MOST_ORDERED: Final = 12

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
    """Do what a proposal asks for."""
    if town.commands >= COMMANDS_A_DAY:
        why = f"{COMMANDS_A_DAY} commands were taken today; come back tomorrow"
        raise RuleRefused(why, code="commands_spent")
    COMMANDS[action_type](world, domain, town, target)


def _advance_project(world: World, domain: Domain, town: Town, work_id: str) -> None:
    work = next((each for each in town.works if each.id == work_id), None)
    if work is None:
        raise RuleRefused(f"there is no work {work_id[:40]!r} here", code="project_unknown")
    status = works.status(world, town, work)
    if status == "complete":
        raise RuleRefused(f"{work.name!r} is complete", code="project_complete")
    if status == "blocked":
        why = "it is being built, something stands in its place, or its land was lost"
        raise RuleRefused(f"{work.name!r} is blocked: {why}", code="project_blocked")
    done, all_of_it = works.stands(world, work)
    order_work(world, domain, town, work, WAGE_BASE + (all_of_it - done) // BLOCKS_A_WAGE)


def _salvage(world: World, domain: Domain, town: Town, focus: str) -> None:
    ordered = {item: None for order in town.orders for item in order.goods}
    have = shares(world, domain, town)._asdict()
    wanted = [
        item for item, share in SALVAGE[focus].items() if have[share] < FULL and item not in ordered
    ]
    if not wanted:
        why = f"of {', '.join(SALVAGE[focus])} all is in store or on order; use it, or wait"
        raise RuleRefused(why, code="enough")
    item = wanted[0]
    share = SALVAGE[focus][wanted[0]]
    count = max(LEAST_ORDERED, min(MOST_ORDERED, len(domain.org.members) // HEADS_A_UNIT))
    goods: Items = {item: count}
    order_goods(
        world, domain, town, goods, worth(goods) + WAGE_BASE // 2, but=kinds_of(world, share)
    )


def _talk(world: World, domain: Domain, town: Town, talk_type: str) -> None:
    town.talks += 1
    town.cheer = min(MOST_CHEER, town.cheer + max(1, CHEER[talk_type] // town.talks))
    boards.publish(world, domain.board(world), domain.org.id, *NOTICES[talk_type])
    if talk_type == "morale-boost":
        _feed(world, domain)


def _feed(world: World, domain: Domain) -> None:
    """One thing to eat for each hungry member on the land, as far as the treasury has it."""
    hungry = [agent for agent in domain.present(world) if agent.hunger < HUNGRY_BELOW]
    for agent in sorted(hungry, key=attrgetter("hunger", "number"))[:MEALS]:
        items = world.catalogs.items
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
