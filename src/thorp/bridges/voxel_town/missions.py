"""The mission: a contract on the town's land, or an event of the director, that the town makes its own.

A contract gets a bonus out of the treasury on top of its reward, which is the treasury's again if nobody
earns it. Of an event the first member who reaches a goal in it gets a prize. Either way the mission is over
when the world says so: fulfilled, or failed.
"""

from __future__ import annotations

from typing import Final

from thorp.bridges.voxel_town import wording
from thorp.bridges.voxel_town.orders import require_wage
from thorp.bridges.voxel_town.quests import Quest, event_id, open_quests
from thorp.bridges.voxel_town.territory import Domain
from thorp.bridges.voxel_town.town import Mission, Town, note, today
from thorp.bridges.voxel_town.treasury import wage
from thorp.town.execution import RuleRefused
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import goods
from thorp.voxel.society.contracts import add_bonus
from thorp.voxel.society.goods import worth
from thorp.voxel.society.records import Contract
from thorp.voxel.state.world import World

BONUS_WORTH: Final = 4
PRIZE_WORTH: Final = 4


def take_up(world: World, domain: Domain, town: Town, quest_id: str) -> None:
    if town.mission is not None:
        raise RuleRefused(
            f"{town.mission.title!r} is under way; one mission at a time", code="mission_active"
        )
    quest = next((each for each in open_quests(world, domain) if each.id == quest_id), None)
    if quest is None:
        raise RuleRefused(f"nothing called {quest_id[:40]!r} is open on the land", code="quest_unknown")
    town.mission = (
        _backed(world, domain, quest, quest.contract)
        if quest.contract is not None
        else _offer(world, domain, quest)
    )


def _backed(world: World, domain: Domain, quest: Quest, contract: Contract) -> Mission:
    bonus = require_wage(world, domain, BONUS_WORTH, contract.requirements)
    try:
        add_bonus(world, domain.org.id, contract, bonus)
    except Refusal as no:
        raise RuleRefused(f"the contract cannot be backed: {no.message}", code="backing_refused") from None
    poster = world.agent_by_id(contract.poster)
    asks = "The town itself" if poster is None else f"{wording.name(poster.name)} ({poster.id})"
    return Mission(
        quest.id,
        quest.title,
        f"{asks} asks for it; the treasury adds {wording.things(bonus)}.",
        worth(contract.reward) + worth(bonus),
    )


def _offer(world: World, domain: Domain, quest: Quest) -> Mission:
    require_wage(world, domain, PRIZE_WORTH)
    assert quest.event is not None
    about = "The first of the town who reaches a goal there gets a prize."
    return Mission(quest.id, quest.title, about, PRIZE_WORTH, event=quest.event.id)


def closed(world: World, town: Town, contract_id: str, state: str) -> bool:
    """A contract has ended. Whether it was the mission."""
    if town.mission is None or town.mission.id != contract_id:
        return False
    _end(world, town, fulfilled=state == "COMPLETED")
    return True


def goal_reached(world: World, domain: Domain, town: Town, agent_id: str, event: str) -> bool:
    """A member has reached a goal in an event. Whether that was the mission."""
    if town.mission is None or town.mission.event != event or agent_id not in domain.org.members:
        return False
    prize = wage(world, domain, PRIZE_WORTH) or {}
    for item, count in prize.items():
        goods.give(world, domain.org.id, item, -count)
        goods.give(world, agent_id, item, count)
    _end(world, town, fulfilled=True)
    return True


def event_over(world: World, town: Town) -> bool:
    """An event has ended. Whether the mission was to go there."""
    mission, event = town.mission, world.director.event
    if mission is None or not mission.event or (event is not None and event_id(event) == mission.id):
        return False
    _end(world, town, fulfilled=False)
    return True


def _end(world: World, town: Town, *, fulfilled: bool) -> None:
    town.mission = None
    note(town.successes if fulfilled else town.failures, today(world))
