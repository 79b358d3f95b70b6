"""Items that lie in the world: dropping, falling, merging into stacks, GATHER, and expiry.

An item lies in a cell; an item on a belt lies in the belt's own cell. Items of one kind in one cell
are merged into the oldest, which takes over the latest expiry.
"""

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.lookups import permissions
from thorp.voxel.lookups.indexes import index_of, note_item
from thorp.voxel.refusal import Refusal, refuse_if
from thorp.voxel.state.agent import Agent, Work
from thorp.voxel.state.ground import HEIGHT, Position
from thorp.voxel.state.world import ItemEntity, World, WorldState, manhattan

GATHER_REACH: Final = 2
# Every item is looked at, so this is done seldom; expiring a little late harms nobody.
EXPIRY_EVERY: Final = 50


def drop(world: World, position: Position, item: str, count: int) -> None:
    """Let items fall from a cell, onto those of the same kind that lie where they land."""
    entity = create(world, resting_place(world, position), item, count)
    merge_stacks(world, entity.position)


def create(world: World, position: Position, item: str, count: int) -> ItemEntity:
    """Put a new stack of items into a cell."""
    world.counters.item += 1
    expires = world.tick + world.tuning.item_lifetime_ticks
    entity = ItemEntity(
        number=world.counters.item,
        position=position,
        item=item,
        count=count,
        created_tick=world.tick,
        expires_tick=expires,
    )
    world.items.put(entity)
    note_item(world, entity)
    return entity


def remove(world: World, entity: ItemEntity) -> None:
    """Remove a stack from the world."""
    world.items.remove(entity.number)
    index_of(world).carried.pop(entity.number, None)


def move(world: World, entity: ItemEntity, position: Position) -> None:
    """Bring an item into a cell where it can rest. It is not merged with others there yet."""
    before = entity.position
    entity.position = position
    world.items.moved(entity.number, before)
    note_item(world, entity)


def merge_stacks(world: World, position: Position) -> None:
    """Join stacks of the same item in a cell; the oldest stays."""
    kept: dict[str, ItemEntity] = {}
    for entity in world.items.at(position):
        older = kept.setdefault(entity.item, entity)
        if older is not entity:
            older.count += entity.count
            older.expires_tick = max(older.expires_tick, entity.expires_tick)
            world.items.touch(older.number)
            remove(world, entity)


def resettle(world: World, position: Position) -> None:
    """Let the items in a cell come to rest again, because the ground in or under it has changed."""
    lying = world.items.at(position)
    if lying:
        place = resting_place(world, position)
        for entity in lying:
            move(world, entity, place)
        merge_stacks(world, place)


def resting_place(world: WorldState, position: Position) -> Position:
    """Where an item comes to rest that is dropped in a cell: up out of a solid block, up in water,
    else down."""
    x, y, z = position
    column = world.ground.column(x, z)
    solid = world.catalogs.solid
    water = world.catalogs.block_number["WATER"]
    belt = world.catalogs.block_number["CONVEYOR"]
    while y < HEIGHT - 1 and solid[column[y]] and column[y] != belt:
        y += 1
    while y < HEIGHT - 1 and column[y] == water == column[y + 1]:
        y += 1
    while (
        y > 0
        and column[y] not in (water, belt)
        and (column[y - 1] == belt or not solid[column[y - 1]])
    ):
        y -= 1
    return x, y, z


def require_carried(agent: Agent, price: dict[str, int]) -> None:
    """Refuse a price that the agent does not carry."""
    for item, count in price.items():
        refuse_if(
            agent.have(item) < count,
            codes.NO_RESOURCE,
            f"missing {item} x{count - agent.have(item)}",
        )


def step(world: World) -> None:
    """Remove items that have lain for too long."""
    if world.tick % EXPIRY_EVERY == 0:
        for entity in world.items:
            if entity.expires_tick <= world.tick:
                remove(world, entity)


def check_gather(world: WorldState, agent: Agent, wish: actions.Gather) -> None:
    """Refuse to gather what is not there."""
    _find(world, wish.target_id or "")


def gather(world: World, agent: Agent, work: Work, wish: actions.Gather) -> bool:
    """Pick up a stack within reach."""
    entity = _find(world, wish.target_id or "")
    if manhattan(agent.position, entity.position) > GATHER_REACH:
        raise Refusal(codes.BLOCKED, "too far").about(cell=entity.position, reach=GATHER_REACH)
    if not permissions.may_gather(world, agent, entity.position):
        raise Refusal(codes.NO_PERMISSION, "gather denied").about(cell=entity.position)
    agent.give(entity.item, entity.count)
    remove(world, entity)
    return True


def _find(world: WorldState, item_id: str) -> ItemEntity:
    digits = item_id[2:]
    number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 16 else 0
    entity = world.items.get(number)
    if entity is None or entity.id != item_id:
        raise Refusal(codes.INVALID_TARGET, "item not found")
    return entity
