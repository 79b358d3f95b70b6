"""Deeds: what agents have done, and the fun, reputation, event goals and metrics that it earns.

Rules report a deed after it was done, in the same tick.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from thorp.protocol.actions import Stack
from thorp.voxel.achievements import note_deed
from thorp.voxel.catalog import Recipe
from thorp.voxel.lookups import event_zones, goods
from thorp.voxel.lookups.goods import is_fair
from thorp.voxel.society import scores, structures
from thorp.voxel.society.scores import Dimension
from thorp.voxel.state.agent import START_REPUTATION, Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import Contract, Law, Trade, WorldEvent
from thorp.voxel.state.world import Container, World, WorldState

FIRST_BIOME: Final = 10
FIRST_EVENT: Final = 5
# By the tier of the recipe; tiers beyond the last count as the last.
FIRST_RECIPE: Final = (3, 3, 5, 8)

HAZARDS: Final = ("STORM", "COLD")

# Events with ore, and the goal that mining it reaches.
MINING: Final = {"CRYSTAL_RIFT": "MINE_CRYSTAL", "DEEP_VEIN": "MINE_VEIN"}
EVENT_ORE: Final = 5


class Award(NamedTuple):
    """Points of fun for a deed, which decay with each award for the same key."""

    dimension: Dimension
    base: int
    reason: str
    key: str


# Events with a chest: the goal that opening it reaches, and its awards.
CHESTS: Final[dict[str, tuple[str, tuple[Award, ...]]]] = {
    "RUINS_GATE": ("OPEN_RUINS", (Award("narrative", 12, "RUINS_OPENED", "narrative:ruins_open"),)),
    "BANDIT_CAMP": (
        "LOOT_BANDITS",
        (
            Award("narrative", 8, "BANDITS_LOOTED", "narrative:bandit_loot"),
            Award("risk_rescue", 10, "BANDITS_LOOTED", "risk:bandit_loot"),
        ),
    ),
}

# Events for builders: the goal that building a blueprint reaches, and its award.
FAIRS: Final[dict[str, tuple[str, Award]]] = {
    "BUILDER_EXPO": ("EXPO_BUILD", Award("creation", 8, "BUILDER_EXPO", "creation:builder_expo")),
    "BLUEPRINT_FAIR": (
        "FAIR_BUILD",
        Award("influence", 6, "BLUEPRINT_FAIR", "influence:blueprint_fair"),
    ),
}

BUILT_IN_EVENT: Final = Award("narrative", 5, "EVENT_BUILD", "narrative:event_build")
BUILT_IN_HAZARD: Final = Award("risk_rescue", 8, "HAZARD_BUILD", "risk:hazard_build")
CONTRACT_IN_EVENT: Final = Award("narrative", 5, "EVENT_SUCCESS", "narrative:event_success")
CONTRACT_IN_HAZARD: Final = Award("risk_rescue", 8, "HAZARD_SUCCESS", "risk:hazard_success")
MARKET_TRADE: Final = Award("narrative", 5, "MARKET_WEEK", "narrative:market_week_trade")

LAW_ADOPTED: Final = (
    Award("influence", 4, "LAW_ADOPTED", "influence:law_adopted"),
    Award("narrative", 5, "LAW_ADOPTED", "narrative:law_adopted"),
)
LAW_IN_VOTE: Final = Award("narrative", 6, "CIVIC_VOTE", "narrative:civic_vote_law")
PROPOSED_IN_VOTE: Final = Award("narrative", 6, "CIVIC_VOTE", "narrative:civic_vote_propose")
VOTE: Final = Award("narrative", 2, "VOTE", "narrative:vote")
VOTE_IN_VOTE: Final = Award("narrative", 4, "CIVIC_VOTE", "narrative:civic_vote_vote")


# Being somewhere


def arrived(world: WorldState, agent: Agent) -> None:
    """A body has joined, or has been put somewhere else because a season began."""
    agent.roamed = [agent.x >> 4, agent.x >> 4, agent.z >> 4, agent.z >> 4]
    agent.changed()
    _see_biome(world, agent)


def stepped(world: World, agent: Agent) -> None:
    """A body has walked into another column."""
    _see_biome(world, agent)
    structures.record_use(world, agent)
    # Count an agent that enters a chunk farther out than ever before, in any of the four
    # directions.
    cx = agent.x >> 4
    cz = agent.z >> 4
    roamed = agent.roamed
    if roamed and roamed[0] <= cx <= roamed[1] and roamed[2] <= cz <= roamed[3]:
        return
    west, east, north, south = roamed or (cx, cx, cz, cz)
    agent.roamed = [min(west, cx), max(east, cx), min(north, cz), max(south, cz)]
    agent.changed()
    if roamed:
        scores.count_deed(world, "explored")


def _see_biome(world: WorldState, agent: Agent) -> None:
    biome = world.ground.biome(agent.x, agent.z)
    if biome not in agent.seen_biomes:
        agent.seen_biomes.append(biome)
        scores.award_fun(world, agent, "novelty", FIRST_BIOME, reason=f"BIOME_{biome}")


# Being kept out


def denied(world: WorldState, agent: Agent) -> None:
    """A land has refused what an agent tried, which costs law reputation."""
    scores.change_reputation(agent, "law", -1)
    scores.count_deed(world, "denials")


def turned_away(world: WorldState) -> None:
    """Somebody was not let into the core of a land, which is no offence."""
    scores.count_deed(world, "denials")


# Work


def mined(
    world: World, agent: Agent, block: int, position: Position, gained: Iterable[Stack]
) -> None:
    """A block was mined; what it yielded is in the inventory."""
    for stack in gained:
        note_deed(world, agent, "mine", stack.item)
    event = world.director.event
    if (
        event is None
        or event.id not in MINING
        or not event_zones.covers(event, position[0], position[2])
    ):
        return
    # Only the ore of the event counts. Ore that nobody can place counts anywhere in the zone; other
    # ore only where the event put it, or placing it and mining it again would double it each time.
    ours = block in [row.after for row in event.changed]
    made_here = any(row.position == position for row in event.changed)
    if ours and (block not in world.catalogs.places.values() or made_here):
        for stack in world.catalogs.drops[block]:
            agent.give(stack.item, 1)
        key = f"narrative:event_mine:{event.id}"
        scores.award_fun(world, agent, "narrative", EVENT_ORE, reason="EVENT_MINE", key=key)
        _reach_goal(world, agent, event, MINING[event.id])


def crafted(world: World, agent: Agent, recipe: Recipe) -> None:
    """An agent has crafted by a recipe; the first time earns novelty."""
    note_deed(world, agent, "craft", recipe.recipe_id)
    if recipe.recipe_id not in agent.seen_recipes:
        agent.seen_recipes.append(recipe.recipe_id)
        agent.changed()
        points = FIRST_RECIPE[min(recipe.tier, len(FIRST_RECIPE) - 1)]
        scores.award_fun(world, agent, "novelty", points, reason=f"RECIPE_{recipe.recipe_id}")


def opened(world: World, agent: Agent, container: Container) -> None:
    """An agent has looked into a container. The chest of an event counts once for each agent."""
    event = world.director.event
    if event is None or event.id not in CHESTS or container.position != event.center:
        return
    if agent.id not in event.opened:
        event.opened.append(agent.id)
        goal, awards = CHESTS[event.id]
        for award in awards:
            _give(world, agent, award)
        _reach_goal(world, agent, event, goal)


def built(
    world: World,
    agent: Agent,
    blueprint_id: str,
    anchor: Position,
    rotation: int,
    cells: Iterable[Position],
) -> None:
    """A blueprint stands, and some of its blocks are new. A repair does not count."""
    is_new = structures.register(
        world, agent, blueprint_id=blueprint_id, anchor=anchor, rotation=rotation, cells=cells
    )
    if not is_new:
        return
    note_deed(world, agent, "build", blueprint_id)
    scores.count_deed(world, "built")
    world.publish("BUILT", agent=agent.id, blueprint_id=blueprint_id, pos=anchor)
    event = world.director.event
    if event is not None and event.id in FAIRS:
        goal, award = FAIRS[event.id]
        _give(world, agent, award)
        _reach_goal(world, agent, event, goal, blueprint_id=blueprint_id)
    _succeed(world, agent, BUILT_IN_EVENT, BUILT_IN_HAZARD)


# Dealing


def traded(world: World, trade: Trade) -> None:
    """Goods have changed hands. Any trade earns trade reputation; a fair one earns social
    reputation and fun too."""
    scores.count_deed(world, "trades")
    fair = is_fair(trade.offer, trade.request)
    event = event_zones.active(world, "MARKET_WEEK")
    worth = min(goods.worth(trade.offer), goods.worth(trade.request))
    for party, partner in ((trade.offerer, trade.addressee), (trade.addressee, trade.offerer)):
        agent = world.agent_by_id(party)
        if agent is None:
            continue
        note_deed(world, agent, "trade")
        scores.earn_reputation(world, agent, "trade", 2, partner=partner, worth=worth)
        if fair:
            scores.earn_reputation(world, agent, "social", 1, partner=partner, worth=worth)
            scores.award_fun(
                world, agent, "social", _liked(agent, 2), reason="TRADE", key="social:trade"
            )
        if fair and event is not None:
            _give(world, agent, MARKET_TRADE)
            _reach_goal(world, agent, event, "TRADE")


def completed(world: World, contract: Contract) -> None:
    """A contract was fulfilled and paid."""
    poster = world.agent_by_id(contract.poster)
    agent = world.agent_by_id(contract.acceptor)
    if poster is not None:
        note_deed(world, poster, "contract_kept_for")
    if agent is None:
        return
    note_deed(world, agent, "contract_kept")
    partner = contract.poster
    if contract.kind == "BUILD":
        blocks = len(world.catalogs.blueprints[contract.blueprint_id].blocks)
        scores.earn_reputation(world, agent, "build", 6, partner=partner, worth=blocks)
    else:
        worth = goods.worth(contract.requirements)
        scores.earn_reputation(world, agent, "trade", 6, partner=partner, worth=worth)
        scores.earn_reputation(world, agent, "social", 2, partner=partner, worth=worth)
    base = 7 if contract.kind == "BUILD" else 5
    scores.award_fun(
        world, agent, "social", _liked(agent, base), reason="CONTRACT", key="social:contract"
    )
    _succeed(world, agent, CONTRACT_IN_EVENT, CONTRACT_IN_HAZARD)


def _liked(agent: Agent, base: int) -> int:
    """Points, reduced by a low trade reputation, at worst to half."""
    share = START_REPUTATION + min(agent.reputation["trade"], START_REPUTATION)
    return (base * share + START_REPUTATION) // (2 * START_REPUTATION)


# Laws


def proposed(world: World, law: Law) -> None:
    """A law was proposed."""
    agent = world.agent_by_id(law.proposer)
    event = event_zones.active(world, "CIVIC_VOTE")
    if agent is not None:
        note_deed(world, agent, "propose")
    if agent is not None and event is not None:
        _give(world, agent, PROPOSED_IN_VOTE)
        _reach_goal(world, agent, event, "PROPOSE_LAW", law_id=law.id)


def voted(world: World, agent: Agent, law: Law) -> None:
    """An agent has voted on a law for the first time."""
    note_deed(world, agent, "vote")
    if event := event_zones.active(world, "CIVIC_VOTE"):
        _give(world, agent, VOTE_IN_VOTE)
        _reach_goal(world, agent, event, "VOTE", law_id=law.id)
    else:
        _give(world, agent, VOTE)


def adopted(world: World, law: Law) -> None:
    """A law has passed its vote."""
    agent = world.agent_by_id(law.proposer)
    if agent is None:
        return
    note_deed(world, agent, "pass")
    for award in LAW_ADOPTED:
        _give(world, agent, award)
    if event_zones.active(world, "CIVIC_VOTE"):
        _give(world, agent, LAW_IN_VOTE)
        _take_part(world, agent)


# Awards and goals


def _give(world: WorldState, agent: Agent, award: Award) -> None:
    scores.award_fun(world, agent, award.dimension, award.base, reason=award.reason, key=award.key)


def _reach_goal(world: World, agent: Agent, event: WorldEvent, kind: str, **about: Any) -> None:
    note_deed(world, agent, "event_goal")
    world.emit(agent, "EVENT_GOAL", event_id=event.id, kind=kind, **about)
    world.publish("REACHED_GOAL", agent=agent.id, event_id=event.id, goal=kind)
    _take_part(world, agent)


def _succeed(world: WorldState, agent: Agent, in_event: Award, in_hazard: Award) -> None:
    """Award work that was done while an event is going on, or in bad weather."""
    if world.director.event is not None:
        _give(world, agent, in_event)
        _take_part(world, agent)
    if world.weather in HAZARDS:
        _give(world, agent, in_hazard)


def _take_part(world: WorldState, agent: Agent) -> None:
    """Award novelty for an agent's first good deed in each kind of event."""
    event = world.director.event
    if event is not None and event.id not in agent.seen_events:
        agent.seen_events.append(event.id)
        agent.changed()
        scores.award_fun(world, agent, "novelty", FIRST_EVENT, reason=f"EVENT_{event.id}")
