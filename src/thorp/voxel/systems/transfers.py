"""TRANSFER: moves items between an agent and a container, or between two containers, all or nothing.

What an agent puts into a terminal counts for the contracts that it has accepted there.
"""

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import escrow
from thorp.voxel.state.agent import Agent, Work
from thorp.voxel.state.world import Container, World, WorldState
from thorp.voxel.systems import permissions
from thorp.voxel.systems.containers import add, available, find_container, within_reach

SELF: Final = "SELF"


def check(world: WorldState, agent: Agent, wish: actions.Transfer) -> None:
    for field in ("src_container", "dst_container", "item_id"):
        if not getattr(wish, field):
            raise Refusal(codes.BAD_REQUEST, f"missing {field}")
    if wish.count is None or wish.count <= 0:
        raise Refusal(codes.BAD_REQUEST, "count must be positive")


def transfer(world: World, agent: Agent, work: Work, wish: actions.Transfer) -> bool:
    """Move things between an agent and a container, or between two containers, all or nothing."""
    if wish.src_container == wish.dst_container:
        raise Refusal(codes.BAD_REQUEST, "source and destination are the same")
    source = _side(world, agent, wish.src_container or "", "source")
    target = _side(world, agent, wish.dst_container or "", "destination")
    item, count = wish.item_id or "", wish.count or 0
    if source is None:
        if agent.have(item) < count:
            raise Refusal(codes.NO_RESOURCE, "missing item")
    elif not permissions.may_take(world, agent, source):
        raise Refusal(codes.NO_PERMISSION, "withdraw denied")
    elif available(source, item) < count:
        raise Refusal(codes.NO_RESOURCE, "missing item")
    _add(world, agent, source, item, -count)
    _add(world, agent, target, item, count)
    if target is not None:
        escrow.deliver(world, agent, target, item, count)
    return True


def _side(world: WorldState, agent: Agent, name: str, role: str) -> Container | None:
    """The container of that name, within reach; None stands for the agent itself."""
    if name == SELF:
        return None
    container = find_container(world, name)
    if container is None:
        raise Refusal(codes.INVALID_TARGET, f"{role} container not found")
    within_reach(agent, container.position)
    return container


def _add(world: World, agent: Agent, side: Container | None, item: str, count: int) -> None:
    if side is None:
        agent.give(item, count)
    else:
        add(world, side, item, count)
        world.note_fixture(agent.id, "TRANSFER", side.position)
