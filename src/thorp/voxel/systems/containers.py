"""Containers (chests, furnaces, terminals): their stock, and how much of it can be taken out.

The stock of a container includes reserved goods, such as a reward in escrow; only the rest can be
taken. Goods owed to an agent are kept apart.
"""

from typing import Final

from thorp.protocol import codes
from thorp.voxel.lookups.indexes import note_stock
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent, change_stock
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import Container, World, WorldState, manhattan, parse_block_id

HAND_REACH: Final = 3


def available(container: Container, item: str) -> int:
    """How many of an item are in a container and not reserved."""
    return container.stock.get(item, 0) - container.reserved.get(item, 0)


def add(world: World, container: Container, item: str, count: int) -> None:
    """Put items in, or take them out with a negative count. The caller has made sure that enough
    of them are available."""
    if available(container, item) + count < 0:
        raise AssertionError(f"{container.id} lacks {item} x{-count}")
    change_stock(container.stock, item, count)
    world.containers.touch(container.position)
    note_stock(world, container.position)


def find_container(world: WorldState, container_id: str) -> Container | None:
    """The container that an id names; None if it is not there, or is of another kind."""
    named = parse_block_id(container_id)
    container = world.containers.get(named[1]) if named else None
    return container if container is not None and container.id == container_id else None


def within_reach(agent: Agent, position: Position) -> None:
    """Refuse a cell that is out of the agent's reach."""
    if manhattan(agent.position, position) > HAND_REACH:
        raise Refusal(codes.BLOCKED, "too far").about(cell=position, reach=HAND_REACH)
