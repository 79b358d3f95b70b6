"""MINE: break a block by several ticks of work; what it yields goes to the miner. See
`docs/world-work.md`.

Every tick checks everything again, because the world changes meanwhile.
"""

from collections.abc import Iterable
from typing import Final

from thorp.protocol import actions, codes
from thorp.protocol.actions import Stack
from thorp.voxel.catalog import AIR, Block
from thorp.voxel.lookups import permissions
from thorp.voxel.refusal import Refusal, refuse_if
from thorp.voxel.state.agent import Agent, Status, Work
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import Container, World, WorldState, manhattan
from thorp.voxel.systems import enforcement
from thorp.voxel.systems.blocks import change_block, require_room

REACH: Final = 2

# How many ticks a block takes and the stamina of each, by the material of the tool, best first; and
# with bare hands.
TOOLS: Final = (("IRON", 4, 9), ("STONE", 6, 11), ("WOOD", 8, 13))
BARE_HANDS: Final = (10, 15)


def mine(world: World, agent: Agent, work: Work, wish: actions.Mine) -> bool:
    """Work a tick on a block; take what it yields when it breaks."""
    position = wish.block_pos or (0, 0, 0)
    block = _require_block(world, agent, position)
    container = world.containers.get(position)
    if container is not None:
        _require_nothing_of_others(world, agent, container)
    ticks, stamina = effort(agent, block)
    if agent.stamina < stamina:
        return False
    agent.stamina -= stamina
    work.spent += 1
    if work.spent < ticks:
        return False
    if container is not None:
        _take_over(world, agent, container)
    gained = _yield(world, position, block)
    for stack in gained:
        agent.give(stack.item, stack.count)
    change_block(
        world, position, world.catalogs.block_number[block.leaves], actor=agent.id, reason="MINE"
    )
    world.listeners.on_mine(world, agent, world.catalogs.block_number[block.id], position, gained)
    return True


def status(world: WorldState, agent: Agent, work: Work, wish: actions.Mine) -> Status:
    """How far a MINE has come."""
    position = wish.block_pos or (0, 0, 0)
    ticks, _ = effort(agent, world.catalogs.blocks[world.ground.block(*position)])
    done = min(work.spent, ticks)
    return round(done / ticks, 3), position, ticks - done


def effort(agent: Agent, block: Block) -> tuple[int, int]:
    """How many ticks a block takes this agent, and the stamina of each."""
    for material, ticks, stamina in TOOLS:
        if f"{material}_{block.tool}" in agent.inventory:
            return ticks, stamina
    return BARE_HANDS


def _require_block(world: World, agent: Agent, position: Position) -> Block:
    if manhattan(agent.position, position) > REACH:
        raise Refusal(codes.INVALID_TARGET, "too far").about(cell=position, reach=REACH)
    refuse_if(not world.ground.inside(*position), codes.INVALID_TARGET, "no block")
    require_room(world, position)
    enforcement.require_break(world, agent, position)
    number = world.ground.block(*position)
    block = world.catalogs.blocks[number]
    refuse_if(number == AIR, codes.INVALID_TARGET, "no block")
    refuse_if(not block.breakable, codes.INVALID_TARGET, "unbreakable")
    return block


def _require_nothing_of_others(world: World, agent: Agent, container: Container) -> None:
    """Refuse to break a container with goods that are not the miner's to take: breaking hands them
    over."""
    refuse_if(container.reserved, codes.BLOCKED, "container has reserved items")
    if any(owed for owner, owed in container.owed.items() if owner != agent.id):
        raise Refusal(codes.BLOCKED, "container holds goods owed to others")
    if container.stock and not permissions.may_take(world, agent, container):
        raise Refusal(codes.NO_PERMISSION, "withdraw denied")


def _take_over(world: WorldState, agent: Agent, container: Container) -> None:
    for stock in (container.stock, container.owed.get(agent.id, {})):
        for item in sorted(stock):
            agent.give(item, stock[item])
    container.stock = {}
    container.owed = {}
    world.containers.touch(container.position)


def _yield(world: WorldState, position: Position, block: Block) -> Iterable[Stack]:
    if block.drop_permille < 1000:
        subject = f"{position[0]},{position[1]},{position[2]}"
        drawn = world.draws.below(1000, tick=world.tick, subject=subject, purpose="yield")
        if drawn >= block.drop_permille:
            return []
    return world.catalogs.drops[world.catalogs.block_number[block.id]]
