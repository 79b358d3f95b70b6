"""What society makes of what agents do. Rules report deeds here; fun, reputation, goals, statistics follow.

A deed is reported after it was done, in the tick it was done in.
"""

from __future__ import annotations

from thorp.voxel.agent import START_REPUTATION, Agent
from thorp.voxel.catalog import Recipe
from thorp.voxel.ground import Position
from thorp.voxel.society import fun, reputation
from thorp.voxel.society.records import Contract, Law, Trade
from thorp.voxel.society.values import is_fair
from thorp.voxel.world import Container, World


def stepped(world: World, agent: Agent) -> None:
    """A body entered another cell."""


def mined(world: World, agent: Agent, block: int, position: Position) -> None:
    """A block was mined; its yield is in the inventory."""


def crafted(world: World, agent: Agent, recipe: Recipe) -> None:
    """One unit of a recipe was made."""


def opened(world: World, agent: Agent, container: Container) -> None:
    """A container was looked into."""


def built(world: World, agent: Agent, blueprint_id: str, anchor: Position, rotation: int, new: int) -> None:
    """A blueprint stands; `new` blocks of it are this task's work (0: it stood already)."""


def denied(world: World, agent: Agent, position: Position, what: str) -> None:
    """The land did not allow it: PLACE, MINE, BUILD_BLUEPRINT, SET_SIGN, TOGGLE_SWITCH or a way through."""


def traded(world: World, trade: Trade) -> None:
    """Goods changed hands. A fair trade makes friends, any trade makes a name."""
    fair = is_fair(trade.offer, trade.request)
    for party in (trade.offerer, trade.addressee):
        agent = world.agent_by_id(party)
        if agent is None:
            continue
        reputation.change(agent, "trade", 2)
        if fair:
            reputation.change(agent, "social", 1)
            fun.award(world, agent, "social", _liked(agent, 2), reason="TRADE", key="social:trade")


def completed(world: World, contract: Contract) -> None:
    """A contract was fulfilled and paid."""
    agent = world.agent_by_id(contract.acceptor)
    if agent is None:
        return
    if contract.kind == "BUILD":
        reputation.change(agent, "build", 6)
    else:
        reputation.change(agent, "trade", 6)
        reputation.change(agent, "social", 2)
    base = 7 if contract.kind == "BUILD" else 5
    fun.award(world, agent, "social", _liked(agent, base), reason="CONTRACT", key="social:contract")


def _liked(agent: Agent, base: int) -> int:
    """Dealing with somebody of doubtful name is less fun: half as much at the worst."""
    share = START_REPUTATION + min(agent.reputation["trade"], START_REPUTATION)
    return (base * share + START_REPUTATION) // (2 * START_REPUTATION)


def proposed(world: World, law: Law) -> None:
    """A law was proposed."""


def voted(world: World, agent: Agent, law: Law) -> None:
    """A vote was cast, or changed."""


def adopted(world: World, law: Law) -> None:
    """A law came into force."""
