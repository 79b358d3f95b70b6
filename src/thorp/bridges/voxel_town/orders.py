"""CivicWork orders and the mission of a town, paid out of its treasury. See `docs/voxel-town.md`.

A work order is a contract that the town posts; the mission is somebody's contract, or an event,
that it makes its own. The world decides when either is fulfilled or has failed.
"""

from collections.abc import Collection
from typing import Final

import msgspec

from thorp.bridges.voxel_town import wording
from thorp.bridges.voxel_town.quests import Quest, event_id, open_quests
from thorp.bridges.voxel_town.territory import RESERVE_DAYS, Domain, wage
from thorp.bridges.voxel_town.town import CivicWork, Mission, Order, Town, note, today
from thorp.protocol.actions import PostContract, Stack
from thorp.town.handoff_judge import RuleRefused
from thorp.voxel.lookups.goods import give, worth
from thorp.voxel.lookups.terminals import MAX_AT_TERMINAL, contracts_at
from thorp.voxel.refusal import Refusal
from thorp.voxel.society.contracts import add_bonus, open_contract
from thorp.voxel.state.records import Contract, Items
from thorp.voxel.state.world import Container, World

ORDER_DAYS: Final = 2  # Days in which an order must be fulfilled.
# Open orders at a time: as many as people can handle, and within the limit on one poster's
# contracts.
MAX_ORDERS: Final = 8
BONUS_WORTH: Final = 4  # What the treasury adds to a contract that is made the mission.
PRIZE_WORTH: Final = 4  # For the first member who reaches the goal of an event.


def order_work(world: World, domain: Domain, town: Town, work: CivicWork, worth: int) -> None:
    """Post a contract to build a work."""
    wish = PostContract(
        contract_kind="BUILD",
        blueprint_id=work.blueprint,
        anchor=work.anchor,
        rotation=work.rotation,
    )
    contract = _post(world, domain, town, wish, require_wage(world, domain, worth))
    town.orders.append(Order(contract, work=work.id))


def order_goods(
    world: World, domain: Domain, town: Town, goods: Items, worth: int, *, but: Collection[str]
) -> None:
    """Post a contract to bring goods, paid with goods other than those in `but`."""
    wish = PostContract(contract_kind="GATHER", requirements=_stacks(goods))
    contract = _post(world, domain, town, wish, require_wage(world, domain, worth, but))
    town.orders.append(Order(contract, goods=goods))


def require_wage(world: World, domain: Domain, worth: int, but: Collection[str] = ()) -> Items:
    """Goods from the treasury with this worth. If there are not enough, refuses and says what is
    missing."""
    pay = wage(world, domain, worth, but=but)
    if pay is None:
        upkeep = " and ".join(sorted(world.tuning.claim_maintenance_cost))
        other = f", other than {', '.join(sorted(but))}" if but else ""
        raise RuleRefused(
            f"the treasury has not got goods worth {worth} to pay with{other}, beside {upkeep} for "
            f"{RESERVE_DAYS} days of upkeep; put some into it (ORG_DEPOSIT)",
            code="treasury_empty",
        )
    return pay


def _post(world: World, domain: Domain, town: Town, wish: PostContract, reward: Items) -> str:
    """Post a contract of the city, and return its id. The reward is taken from the treasury."""
    if len(town.orders) >= MAX_ORDERS:
        why = f"{MAX_ORDERS} work orders are out already; wait until one is done"
        raise RuleRefused(why, code="orders_full")
    tuning = world.tuning
    until = min(ORDER_DAYS * tuning.day_ticks, tuning.season_length_ticks)
    wish = msgspec.structs.replace(wish, reward=_stacks(reward), duration_ticks=until)
    try:
        return open_contract(world, domain.org.id, _terminal(world, domain), wish).id
    except Refusal as no:
        raise RuleRefused(
            f"the order cannot be posted: {no.message}", code="order_refused"
        ) from None


def _terminal(world: World, domain: Domain) -> Container:
    """The first terminal on the land that has room for another contract."""
    for terminal in domain.terminals(world):
        if (
            sum(contract.state == "OPEN" for contract in contracts_at(world, terminal))
            < MAX_AT_TERMINAL
        ):
            return terminal
    why = "there is no terminal with room on the land; place a CONTRACT_TERMINAL there"
    raise RuleRefused(why, code="no_terminal")


def close_order(world: World, town: Town, contract_id: str, state: str) -> None:
    """Close the order of this town whose contract has ended, if it is one."""
    for order in [order for order in town.orders if order.contract == contract_id]:
        town.orders.remove(order)
        if state == "COMPLETED":
            note(town.successes, today(world))


def _stacks(goods: Items) -> list[Stack]:
    return [Stack(item, goods[item]) for item in sorted(goods)]


def take_up(world: World, domain: Domain, town: Town, quest_id: str) -> None:
    """Make an open quest the town's mission, and back it with goods of the treasury."""
    if town.mission is not None:
        why = f"{town.mission.title!r} is under way; one mission at a time"
        raise RuleRefused(why, code="mission_active")
    quest = next((each for each in open_quests(world, domain) if each.id == quest_id), None)
    if quest is None:
        raise RuleRefused(
            f"nothing called {quest_id[:40]!r} is open on the land", code="quest_unknown"
        )
    if quest.contract is None:
        town.mission = _event_mission(world, domain, quest)
    else:
        town.mission = _backed(world, domain, quest, quest.contract)


def _backed(world: World, domain: Domain, quest: Quest, contract: Contract) -> Mission:
    """The mission to fulfil a contract, to whose reward the treasury adds a bonus."""
    bonus = require_wage(world, domain, BONUS_WORTH, contract.requirements)
    try:
        add_bonus(world, domain.org.id, contract, bonus)
    except Refusal as no:
        raise RuleRefused(
            f"the contract cannot be backed: {no.message}", code="backing_refused"
        ) from None
    poster = world.agent_by_id(contract.poster)
    asks = "The town itself" if poster is None else f"{wording.name(poster.name)} ({poster.id})"
    about = f"{asks} asks for it; the treasury adds {wording.things(bonus)}."
    return Mission(
        id=quest.id,
        title=quest.title,
        description=about,
        reward=worth(contract.reward) + worth(bonus),
    )


def _event_mission(world: World, domain: Domain, quest: Quest) -> Mission:
    """The mission to reach a goal in an event, for a prize that the treasury must be able to
    pay."""
    require_wage(world, domain, PRIZE_WORTH)
    assert quest.event is not None
    about = "The first of the town who reaches a goal there gets a prize."
    return Mission(
        id=quest.id, title=quest.title, description=about, reward=PRIZE_WORTH, event=quest.event.id
    )


def close_mission(world: World, town: Town, contract_id: str, state: str) -> None:
    """End the mission if it is this contract, which has ended."""
    if town.mission is not None and town.mission.id == contract_id:
        _end(world, town, fulfilled=state == "COMPLETED")


def goal_reached(world: World, domain: Domain, town: Town, agent_id: str, event: str) -> bool:
    """End the mission, and pay the prize, if a member has reached its goal; whether that was so."""
    if town.mission is None or town.mission.event != event or agent_id not in domain.org.members:
        return False
    prize = wage(world, domain, PRIZE_WORTH) or {}
    for item, count in prize.items():
        give(world, domain.org.id, item, -count)
        give(world, agent_id, item, count)
    _end(world, town, fulfilled=True)
    return True


def event_over(world: World, town: Town) -> bool:
    """End a mission whose event is over; whether there was one."""
    mission = town.mission
    event = world.director.event
    if (
        mission is None
        or not mission.event
        or (event is not None and event_id(event) == mission.id)
    ):
        return False
    _end(world, town, fulfilled=False)
    return True


def _end(world: World, town: Town, *, fulfilled: bool) -> None:
    town.mission = None
    note(town.successes if fulfilled else town.failures, today(world))
