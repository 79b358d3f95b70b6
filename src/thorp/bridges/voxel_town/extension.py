"""The extension of the tick that keeps towns, whether or not anybody governs them.

every tick    take in what has happened: land that changed hands, contracts that ended, deaths,
              goals, events. Towns are scanned once per tick for land changes and once for ended
              contracts, however many there were. A town whose mission or order ended, or whose
              work was completed, gets a new snapshot, which governors see at once
at dawn       drop old receipts, plan works, seal every town; a city that has just got land is
              sealed at once
"""

from collections.abc import Callable
from typing import Any, Final

from thorp.bridges.voxel_town import city_effects, orders, quests, records, works
from thorp.bridges.voxel_town.seal import seal
from thorp.bridges.voxel_town.territory import cities, domain_of
from thorp.bridges.voxel_town.town import Town, forget, load, note, prune, store, today, town_ids
from thorp.voxel.lookups import land
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World

SEASON: Final = "SEASON_ROLLOVER"
# Events that may make a town of a city, or end one.
LAND_KINDS: Final = ("DEED_LAND", "LAND_ENDED", "ORG_ENDED", SEASON)
# Every kind of public event that concerns towns.
HEARD: Final = (*LAND_KINDS, "BUILT", "CONTRACT", "DOWNED", "REACHED_GOAL", "WORLD_EVENT")
# States in which a contract has ended.
ENDS: Final = ("COMPLETED", "FAILED")
# Towns that plan their first work in the tick in which they begin: searching for a site takes up to
# 40 ms. The others plan at dawn.
PLANNING_AT_ONCE: Final = 2
# Towns that plan at one dawn. If there are more, they take turns, and each plans every few days.
PLANNING_AT_DAWN: Final = 4


class TownExtension:
    """Lets cities be towns: a step in every tick, and an answer to every handoff."""

    name = records.EXTENSION

    def step(self, world: World) -> None:
        """Take in the events of a tick: first those that decide which cities are towns, then ended
        contracts, then each event in its order; and at dawn begin the day."""
        events = [event for event in world.scratch.public_events if event["kind"] in HEARD]
        if any(event["kind"] == SEASON for event in events):
            for town_id in town_ids(world):
                forget(world, town_id)
        if any(event["kind"] in LAND_KINDS for event in events):
            match_towns_to_cities(world)
        ended = {
            str(event["contract_id"]): str(event["state"])
            for event in events
            if event.get("state") in ENDS
        }
        if ended:
            _each(world, lambda town: _contracts_ended(world, town, ended), _seal_anew)
        for event in events:
            _hear(world, event)
        if world.tick % world.tuning.day_ticks == 0:
            _dawn(world)

    def answer(self, world: World, text: str) -> str:
        """The result of a handoff that was journaled for this tick."""
        return city_effects.answer(world, text)


def match_towns_to_cities(world: World) -> None:
    """Make a town of every city that owns land, and forget towns that own none."""
    landed = cities(world)
    for town_id in town_ids(world):
        if town_id not in landed:
            forget(world, town_id)
    new = [town_id for town_id in landed if load(world, town_id) is None]
    for number, town_id in enumerate(new):
        _begin_day(world, Town(id=town_id), plans=number < PLANNING_AT_ONCE)


def _dawn(world: World) -> None:
    """Begin the day in every town. Searching for sites is slow, so only some towns plan."""
    day = today(world)
    towns = town_ids(world)
    records.forget_old(world, day)
    for number, town_id in enumerate(towns):
        town = load(world, town_id)
        if town is not None and domain_of(world, town_id) is not None:
            _begin_day(
                world, town, plans=(number - PLANNING_AT_DAWN * day) % len(towns) < PLANNING_AT_DAWN
            )
    match_towns_to_cities(world)


def _begin_day(world: World, town: Town, *, plans: bool = True) -> None:
    """Forget yesterday's counts, plan a work if `plans`, and seal the town."""
    domain = domain_of(world, town.id)
    day = today(world)
    assert domain is not None
    town.cheer //= 2
    town.talks = town.commands = 0
    for days in (town.deaths, town.successes, town.failures):
        prune(days, day)
    if plans:
        works.plan_next(world, domain, town)
    seal(world, domain, town)


def _hear(world: World, event: dict[str, Any]) -> None:
    """Let an event change the towns that it concerns."""
    match event["kind"]:
        case "DOWNED":
            _downed(world, event["agent"])
        case "REACHED_GOAL":
            _goal(world, event["agent"], event["event_id"])
        case "BUILT":
            _built(world, event["blueprint_id"], event["pos"])
        case "WORLD_EVENT" if event["on"]:
            quests.note(world, event["event_id"])
        case "WORLD_EVENT":
            _each(world, lambda town: orders.event_over(world, town))


def _each(
    world: World, change: Callable[[Town], bool], keep: Callable[[World, Town], None] = store
) -> None:
    """Offer every town to `change`; `keep` those that it has changed."""
    for town_id in town_ids(world):
        town = load(world, town_id)
        if town is not None and change(town):
            keep(world, town)


def _seal_anew(world: World, town: Town) -> None:
    """Store a changed town with a new snapshot."""
    domain = domain_of(world, town.id)
    if domain is None:  # its land was lost in this tick
        store(world, town)
    else:
        seal(world, domain, town)


def _built(world: World, blueprint: str, anchor: Position) -> None:
    """Give a town a new snapshot if what was built is one of its works."""
    claim = land.at(world, anchor[0], anchor[2])
    town = None if claim is None else load(world, claim.owner)
    if town is not None and any(
        (work.blueprint, work.anchor) == (blueprint, anchor) for work in town.works
    ):
        _seal_anew(world, town)


def _contracts_ended(world: World, town: Town, ended: dict[str, str]) -> bool:
    """Close the orders and the mission of a town whose contracts have ended; whether there were
    any."""
    own = [order.contract for order in town.orders] + ([town.mission.id] if town.mission else [])
    concerned = [contract_id for contract_id in dict.fromkeys(own) if contract_id in ended]
    for contract_id in concerned:
        orders.close_order(world, town, contract_id, ended[contract_id])
        orders.close_mission(world, town, contract_id, ended[contract_id])
    return bool(concerned)


def _downed(world: World, agent_id: str) -> None:
    """Note a death in the town of whoever died."""
    agent = world.agent_by_id(agent_id)
    town = load(world, agent.org) if agent is not None else None
    if town is not None:
        note(town.deaths, today(world))
        store(world, town)


def _goal(world: World, agent_id: str, event: str) -> None:
    """Let somebody who reached a goal of an event fulfil their town's mission."""
    agent = world.agent_by_id(agent_id)
    town = load(world, agent.org) if agent is not None else None
    domain = domain_of(world, town.id) if town is not None else None
    if (
        town is not None
        and domain is not None
        and orders.goal_reached(world, domain, town, agent_id, event)
    ):
        store(world, town)
