"""PLACE: puts a block from the inventory within reach. Everything is checked before the item is spent."""

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.achievements import note_deed
from thorp.voxel.catalog import OPEN
from thorp.voxel.refusal import Refusal, given, known
from thorp.voxel.society import sanctions
from thorp.voxel.state.agent import Agent, Work
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World, WorldState, manhattan
from thorp.voxel.systems.blocks import Heading, change_block, require_room
from thorp.voxel.systems.growth import soil_suits
from thorp.voxel.systems.pathfinding import DIRECTIONS

# What a placed block may replace.
REPLACEABLE: Final = ("AIR", "TALL_GRASS")


def check(world: WorldState, agent: Agent, wish: actions.Place) -> None:
    given(wish.block_pos, "block_pos")
    given(wish.item_id, "item_id")


def place(world: World, agent: Agent, work: Work, wish: actions.Place) -> bool:
    position, item = wish.block_pos or (0, 0, 0), wish.item_id or ""
    require_inside(world, position)
    if manhattan(agent.position, position) > world.tuning.place_reach:
        raise Refusal(codes.BLOCKED, "too far")
    require_free(world, agent, position, "PLACE")
    if agent.have(item) < 1:
        raise Refusal(codes.NO_RESOURCE, "missing item")
    block = known(world.catalogs.places.get(item), "item not placeable")
    needs = world.catalogs.blocks[block].needs
    if needs is not None and not soil_suits(world, position, needs):
        raise Refusal(codes.INVALID_TARGET, f"needs {' or '.join(needs)} below")
    require_belt_permission(world, agent, position, block, "PLACE")
    require_nobody(world, position, block)
    agent.give(item, -1)
    change_block(world, position, block, actor=agent.id, reason="PLACE", heading=heading_of(agent.yaw))
    note_deed(world, agent, "place", item)
    return True


def heading_of(yaw: int) -> Heading:
    """The quarter that a body faces: 0 is +Z, 90 is +X."""
    return DIRECTIONS[(yaw + 45) % 360 // 90]


def require_inside(world: WorldState, position: Position) -> None:
    if not world.ground.inside(*position):
        raise Refusal(codes.INVALID_TARGET, "outside the world")


def require_placeable(world: World, agent: Agent, position: Position, block: int, what: str) -> None:
    """The agent may put this block into a cell, there is room, and nobody is in the way."""
    require_free(world, agent, position, what)
    require_belt_permission(world, agent, position, block, what)
    require_nobody(world, position, block)


def require_free(world: World, agent: Agent, position: Position, what: str) -> None:
    """The agent may build in a cell, and there is room."""
    require_room(world, position)
    sanctions.require_build(world, agent, position, what)
    if world.catalogs.blocks[world.ground.block(*position)].id not in REPLACEABLE:
        raise Refusal(codes.BLOCKED, "space occupied")


def require_belt_permission(world: World, agent: Agent, position: Position, block: int, what: str) -> None:
    """Refuse belts, which take out of containers, to agents who may not take out."""
    if world.catalogs.blocks[block].id == "CONVEYOR":
        sanctions.require_belts(world, agent, position, what)


def require_nobody(world: WorldState, position: Position, block: int) -> None:
    """No body would be inside the block, nor under water by it."""
    if world.catalogs.medium[block] != OPEN:
        for body in world.bodies_in(position):
            raise Refusal(codes.UNSAFE, f"{body.id} stands there")
