"""Changing blocks: the only way in which rules change the ground. See `docs/world-work.md`.

Some blocks have a state of their own: the contents of a chest, the text of a sign, the direction of
a belt, the tick in which a sprout is ripe. The state is created and removed with the block. Nothing
is lost with a container: what is still in it drops to the ground. A claim ends with its totem.

The memory of the ground is bounded. An evicted chunk comes back when it is read, from the seeds or
from its changes, so eviction cannot be observed; the limit of changed chunks is a rule that agents
meet.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from thorp.protocol import codes
from thorp.voxel.catalog import AIR, Block
from thorp.voxel.lookups.indexes import index_of, note_belts, note_due, note_wires
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.ground import CHUNK, HEIGHT, Position, chunks_around
from thorp.voxel.state.unsaved import BlockChange
from thorp.voxel.state.world import (
    Board,
    Container,
    Conveyor,
    Due,
    Sensor,
    Sign,
    Switch,
    World,
    WorldState,
)
from thorp.voxel.systems import items

Heading = tuple[int, int]  # Which way a belt runs, as a step in x and z.

PLUS_X: Final[Heading] = (1, 0)

REPLACEABLE: Final = ("AIR", "TALL_GRASS")  # What a placed block may replace.
CONTAINERS: Final = ("CHEST", "CONTRACT_TERMINAL", "FURNACE")
_SIGNALS: Final = ("SENSOR", "SWITCH", "WIRE")

# For each block that has a state: the table that holds it, and how it begins.
_STATE: Final[dict[str, tuple[str, Callable[[str, Position, Heading], Any]]]] = {
    **dict.fromkeys(
        CONTAINERS,
        ("containers", lambda kind, position, heading: Container(kind=kind, position=position)),
    ),
    "BULLETIN_BOARD": ("boards", lambda kind, position, heading: Board(position)),
    "SIGN": ("signs", lambda kind, position, heading: Sign(position)),
    "CONVEYOR": ("conveyors", lambda kind, position, heading: Conveyor(position, *heading)),
    "SWITCH": ("switches", lambda kind, position, heading: Switch(position)),
    "SENSOR": ("sensors", lambda kind, position, heading: Sensor(position)),
}

# At most a millisecond of looking and five of falling. A thousand miners unsettle some 200 cells a
# tick.
CELLS_PER_TICK: Final = 2_000
FALLS_PER_TICK: Final = 200

# Blocks that give way to a falling one.
YIELDING: Final = ("AIR", "TALL_GRASS", "WATER")

# Ten seconds, in which 500 wanderers bring 120 chunks into use; swept less often, memory would
# grow. Evicting a changed chunk costs a tenth of a millisecond, because it is packed.
SWEEP_EVERY: Final = 50
SWEPT_AT_ONCE: Final = 256
# Chunks stay in memory up to this many around a body: what it sees, and what it can walk to within
# a minute.
NEAR: Final = 2

# A block without room to grow tries again after a minute.
RETRY_TICKS: Final = 300
# Some three milliseconds. The rest grows a tick later.
GROWN_PER_TICK: Final = 100

_TRUNK: Final = [(0, height, 0) for height in range(4)]
_CROWN: Final = [
    *((x, 3, z) for x in (-1, 0, 1) for z in (-1, 0, 1) if (x, z) != (0, 0)),
    *((x, 4, z) for x, z in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))),
]


def change_block(
    world: World,
    position: Position,
    block: int,
    *,
    actor: str,
    reason: str,
    heading: Heading = PLUS_X,
) -> None:
    """Put a block into a cell inside the world, and keep in step whatever depends on blocks: their
    state, the indexes, what lies in or on the cell."""
    before = world.ground.block(*position)
    if before == block:
        return
    world.ground.put(*position, block)
    world.scratch.block_changes.append(
        BlockChange(actor=actor, reason=reason, position=position, before=before, after=block)
    )
    old = world.catalogs.blocks[before]
    new = world.catalogs.blocks[block]
    _take_state(world, position, old)
    _give_state(world, position, new, heading)
    for name in (old.id, new.id):
        if name == "CONVEYOR" or name in CONTAINERS:
            note_belts(world, position)
        if name in _SIGNALS:
            note_wires(world, position)
    if old.id == "CLAIM_TOTEM":
        world.listeners.on_totem_removed(world, position)
    _unsettle(world, position)


def grow_at(world: World, position: Position, block: int, tick: int) -> None:
    """Have a block turn into what it grows into, in a later tick."""
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
        world.listeners.on_terminal_removed(world, world.containers[position])
    if old.id == "BULLETIN_BOARD":
        world.listeners.on_board_removed(world, position)
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
        spread = world.draws.below(
            new.grows.spread + 1, tick=world.tick, subject=subject, purpose="growth"
        )
        grow_at(
            world,
            position,
            world.catalogs.block_number[new.id],
            world.tick + new.grows.ticks + spread,
        )


def _unsettle(world: World, position: Position) -> None:
    """Note that whatever lies in or on this cell may have lost its support: items settle now,
    blocks fall later in the tick."""
    x, y, z = position
    for cell in (position, (x, y + 1, z)) if y + 1 < HEIGHT else (position,):
        world.unsettled[cell] = None
        items.resettle(world, cell)


# Falling


def let_fall(world: World) -> None:
    """Let blocks fall that have lost their support, within the tick's bounds."""
    unsettled = world.unsettled
    if not unsettled:
        return
    blocks = world.catalogs.blocks
    block_at = world.ground.block
    fallen = 0
    for position in list(islice(unsettled, CELLS_PER_TICK)):
        if fallen == FALLS_PER_TICK:
            return
        del unsettled[position]
        if blocks[block_at(*position)].falls:
            fallen += _fall(world, position)


def _fall(world: World, position: Position) -> bool:
    """Let a block fall. False if it rests where it is."""
    x, y, z = position
    column = world.ground.column(x, z)
    yielding = [world.catalogs.block_number[name] for name in YIELDING]
    heads = [
        agent.y + 1
        for agent in world.agents.in_chunk(x >> 4, z >> 4)
        if (agent.x, agent.z) == (x, z)
    ]
    floor = max((head for head in heads if head < y), default=-1)
    landing = y
    while landing > floor + 1 and column[landing - 1] in yielding:
        landing -= 1
    block = column[y]
    if landing < y:
        change_block(world, position, AIR, actor="WORLD", reason="FALL")
        change_block(world, (x, landing, z), block, actor="WORLD", reason="FALL")
    # Held up by a body's head: it is looked at again until the body goes away.
    if landing == floor + 1 and floor >= 0:
        world.unsettled[x, landing, z] = None
    return landing < y


# The memory of the ground


def evict_chunks(world: WorldState) -> None:
    """Evict chunks that nobody is near, every SWEEP_EVERY ticks."""
    if world.tick % SWEEP_EVERY:
        return
    wanted = {
        key for agent in world.agents.awake for key in chunks_around(agent.position, NEAR * CHUNK)
    }
    world.ground.keep(wanted, SWEPT_AT_ONCE)


def require_room(world: WorldState, position: Position) -> None:
    """Refuse to change one chunk more than a world may keep changed."""
    ground = world.ground
    is_new = not ground.is_changed(position[0] >> 4, position[2] >> 4)
    if is_new and len(ground.changed) >= world.tuning.changed_chunks_cap:
        raise Refusal(
            codes.NO_RESOURCE, "the world keeps no more changed ground; work where others have"
        )


# Growth: each growing block has a row with the tick it is due in. A block that has no room then
# tries again later.


def grow(world: World) -> None:
    """Let the blocks grow that are due in this tick, GROWN_PER_TICK at most."""
    due = index_of(world).due.pop(world.tick, None)
    for number, position in enumerate(sorted(due or ())):
        row = world.growth.get(position)
        if row is None or row.tick != world.tick:
            continue
        if number >= GROWN_PER_TICK:
            grow_at(world, position, row.block, world.tick + 1)
        elif not _grow(world, position):
            grow_at(world, position, row.block, world.tick + RETRY_TICKS)


def _grow(world: World, position: Position) -> bool:
    catalogs = world.catalogs
    block = catalogs.blocks[world.ground.block(*position)]
    if block.grows is None or not soil_suits(world, position, block.needs):
        return False
    if block.id == "SAPLING":
        return _grow_tree(world, position)
    into = catalogs.block_number[block.grows.into]
    if catalogs.solid[into] and world.bodies_in(position):
        return False
    change_block(world, position, into, actor="WORLD", reason="GROW")
    return True


def soil_suits(world: WorldState, position: Position, needs: list[str] | None) -> bool:
    """Whether one of the blocks that something needs lies below a cell."""
    x, y, z = position
    return needs is None or world.catalogs.blocks[world.ground.block(x, y - 1, z)].id in needs


def _grow_tree(world: World, position: Position) -> bool:
    """A trunk needs all its cells, a crown takes those that are free; neither grows into a body."""
    ground = world.ground
    numbers = world.catalogs.block_number
    log = numbers["LOG"]
    leaves = numbers["LEAVES"]
    trunk = _shifted(_TRUNK, position)
    crown = [
        cell
        for cell in _shifted(_CROWN, position)
        if ground.inside(*cell) and ground.block(*cell) == AIR
    ]
    room = all(ground.inside(*cell) and ground.block(*cell) in (AIR, leaves) for cell in trunk[1:])
    if not room or any(world.bodies_in(cell) for cell in (*trunk, *crown)):
        return False
    for cell in trunk:
        change_block(world, cell, log, actor="WORLD", reason="GROW")
    for cell in crown:
        change_block(world, cell, leaves, actor="WORLD", reason="GROW")
    return True


def _shifted(shape: list[Position], position: Position) -> list[Position]:
    x, y, z = position
    return [(x + dx, y + dy, z + dz) for dx, dy, dz in shape]
