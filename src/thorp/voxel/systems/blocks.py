"""Changing blocks: the only way in which rules change the ground.

Some blocks have a state of their own: the contents of a chest, the text of a sign, the direction of a belt,
the tick in which a sprout is ripe. The state is created and removed with the block. Nothing is lost with a
container: what is still in it drops to the ground. A claim ends with its totem.
"""

from collections.abc import Callable
from typing import Any, Final

from thorp.voxel.catalog import Block
from thorp.voxel.society import boards, escrow, land
from thorp.voxel.state.ground import HEIGHT, Position
from thorp.voxel.state.unsaved import BlockChange
from thorp.voxel.state.world import Board, Container, Conveyor, Due, Sensor, Sign, Switch, World
from thorp.voxel.systems import items
from thorp.voxel.systems.indexes import note_belts, note_due, note_wires

Heading = tuple[int, int]
"""Which way a belt runs, as a step in x and z."""

PLUS_X: Final[Heading] = (1, 0)

CONTAINERS: Final = ("CHEST", "CONTRACT_TERMINAL", "FURNACE")
_SIGNALS: Final = ("SENSOR", "SWITCH", "WIRE")

# The table that holds the state of such a block, and how that state begins.
_STATE: Final[dict[str, tuple[str, Callable[[str, Position, Heading], Any]]]] = {
    **{
        kind: ("containers", lambda kind, position, heading: Container(kind, position)) for kind in CONTAINERS
    },
    "BULLETIN_BOARD": ("boards", lambda kind, position, heading: Board(position)),
    "SIGN": ("signs", lambda kind, position, heading: Sign(position)),
    "CONVEYOR": ("conveyors", lambda kind, position, heading: Conveyor(position, *heading)),
    "SWITCH": ("switches", lambda kind, position, heading: Switch(position)),
    "SENSOR": ("sensors", lambda kind, position, heading: Sensor(position)),
}


def change_block(
    world: World, position: Position, block: int, *, actor: str, reason: str, heading: Heading = PLUS_X
) -> None:
    """Put a block into a cell inside the world, and keep everything that is bound to blocks in step."""
    before = world.ground.block(*position)
    if before == block:
        return
    world.ground.put(*position, block)
    world.scratch.block_changes.append(BlockChange(actor, reason, position, before, block))
    old, new = world.catalogs.blocks[before], world.catalogs.blocks[block]
    _take_state(world, position, old)
    _give_state(world, position, new, heading)
    for name in (old.id, new.id):
        if name == "CONVEYOR" or name in CONTAINERS:
            note_belts(world, position)
        if name in _SIGNALS:
            note_wires(world, position)
    if old.id == "CLAIM_TOTEM":
        land.end_claim_at(world, position)
    _unsettle(world, position)


def grow_at(world: World, position: Position, block: int, tick: int) -> None:
    """Let a block turn into what it grows into, in some later tick."""
    note_due(world, world.growth.put(Due(position, tick, block)))


def _take_state(world: World, position: Position, old: Block) -> None:
    if position in world.growth:
        world.growth.remove(position)
    if old.id not in _STATE:
        return
    table = getattr(world, _STATE[old.id][0])
    if position not in table:
        return
    if old.id == "CONTRACT_TERMINAL":
        escrow.close_terminal(world, world.containers[position])
    if old.id == "BULLETIN_BOARD":
        boards.remove_board(world, position)
    thing = table.remove(position)
    if isinstance(thing, Container):
        for stock in (thing.stock, *thing.owed.values()):
            for item in sorted(stock):
                items.drop(world, position, item, stock[item])


def _give_state(world: World, position: Position, new: Block, heading: Heading) -> None:
    if new.id in _STATE:
        table, begin = _STATE[new.id]
        getattr(world, table).put(begin(new.id, position, heading))
    if new.grows is not None:
        subject = f"{position[0]},{position[1]},{position[2]}"
        spread = world.draws.below(new.grows.spread + 1, tick=world.tick, subject=subject, purpose="growth")
        grow_at(world, position, world.catalogs.block_number[new.id], world.tick + new.grows.ticks + spread)


def _unsettle(world: World, position: Position) -> None:
    """What lies in or on this cell may have lost its support: items settle now, blocks fall later."""
    x, y, z = position
    for cell in (position, (x, y + 1, z)) if y + 1 < HEIGHT else (position,):
        world.unsettled[cell] = None
        items.resettle(world, cell)
