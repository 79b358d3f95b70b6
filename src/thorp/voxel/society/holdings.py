"""What an owner has: the inventory of an agent, or the treasury of an organisation."""

from __future__ import annotations

from thorp.protocol import codes
from thorp.voxel.refusal import Refusal
from thorp.voxel.society.records import Items
from thorp.voxel.state.agent import change_stock
from thorp.voxel.state.world import World


def exists(world: World, owner: str) -> bool:
    return owner in world.orgs or world.agent_by_id(owner) is not None


def have(world: World, owner: str, item: str) -> int:
    org = world.orgs.get(owner)
    if org is not None:
        return org.treasury.get(item, 0)
    agent = world.agent_by_id(owner)
    return agent.have(item) if agent is not None else 0


def give(world: World, owner: str, item: str, count: int) -> None:
    """Give items to an owner, or take them with a negative count. The owner must exist."""
    org = world.orgs.get(owner)
    if org is None:
        agent = world.agent_by_id(owner)
        if agent is None:
            raise AssertionError(f"{owner} is nobody")
        agent.give(item, count)
        return
    change_stock(org.treasury, item, count)
    world.orgs.touch(owner)


def require(world: World, owner: str, goods: Items, message: str = "missing items") -> None:
    """Refuse if the owner lacks some of the goods."""
    for item, count in goods.items():
        lacking = count - have(world, owner, item)
        if lacking > 0:
            raise Refusal(codes.NO_RESOURCE, f"{message}: {item} x{lacking}")
