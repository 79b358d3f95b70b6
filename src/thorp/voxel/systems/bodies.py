"""Physics of bodies: where a body can rest, and how it falls, swims and drowns. See
`docs/world-movement.md`.

A body fills its cell (the feet) and the one above (the head). It rests where something solid is
below its feet, or where its feet are in water and its head is not. Pathfinding uses the function
`landing`, so both agree on every cell.

Cells are indexes into `Ground.cells`, or into a copy of some chunks: LAYER more is one cell up. The
bottom of the world holds like a block.
"""

from typing import Final

from thorp.voxel.catalog import OPEN, SOLID, WATER
from thorp.voxel.state.agent import MAX_BREATH, Agent
from thorp.voxel.state.ground import CHUNK_CELLS, HEIGHT, LAYER, Ground, Position
from thorp.voxel.state.world import World

SAFE_DROP: Final = 3
# The highest place for the feet: the head must be inside the world too.
MAX_FEET_Y: Final = HEIGHT - 2
# Cells fallen in a tick, by how many were fallen before: 1, 2, 3, then 4.
FALL_SPEEDS: Final = (1, 2, 2, 3, 3, 3)
MAX_FALL_SPEED: Final = 4

BREATH_BACK: Final = 5
DROWNING_EVERY: Final = 5

# How far around a buried body to look for a gap: near by first, then far enough to find one.
GAP_REACHES: Final = (2, 16)

Cells = memoryview | bytearray  # The ground's own cells, or copies of whole chunks.

# The bits of an index that are the height of a cell; without them it is at the bottom.
_HEIGHT_BITS: Final = CHUNK_CELLS - LAYER
_TOP: Final = MAX_FEET_Y * LAYER
_ROCK: Final = bytes([SOLID])
_AIR: Final = bytes([OPEN])


def cell_index(ground: Ground, x: int, y: int, z: int) -> int:
    """The index of a cell in `ground.cells`, valid until a chunk is evicted."""
    return ground.base(x >> 4, z >> 4) + (y << 8 | (z & 15) << 4 | x & 15)


def is_supported(cells: Cells, medium: bytes, here: int) -> bool:
    """Whether a body in a cell stands on something solid, or on the bottom of the world."""
    return medium[cells[here - LAYER]] == SOLID or not here & _HEIGHT_BITS


def can_rise(cells: Cells, medium: bytes, here: int) -> bool:
    """Whether there is room for one more cell above the head of a body."""
    return here & _HEIGHT_BITS < _TOP and medium[cells[here + 2 * LAYER]] != SOLID


def is_resting(cells: Cells, medium: bytes, here: int) -> bool:
    """Whether a body stays in the cell that it is in, instead of falling or rising in water."""
    if medium[cells[here]] == WATER:
        return medium[cells[here + LAYER]] != WATER or not can_rise(cells, medium, here)
    return is_supported(cells, medium, here)


def landing(cells: Cells, medium: bytes, here: int, beside: int) -> int:
    """Where a body that rests in `here` comes to rest when it goes into the next column.
    `beside` is the cell of that column at its height. `here` itself means that there is no way."""
    there = beside
    if medium[cells[there]] == SOLID:
        there += LAYER
        if not can_rise(cells, medium, here) or medium[cells[there]] == SOLID:
            return here
    if medium[cells[there + LAYER]] == SOLID:
        return here
    if medium[cells[there]] == WATER:
        while medium[cells[there + LAYER]] == WATER and can_rise(cells, medium, there):
            there += LAYER
        return there
    while not is_supported(cells, medium, there):
        there -= LAYER
        if medium[cells[there]] == WATER:
            break
    return there


def resting_heights(media: bytes) -> list[int]:
    """The heights at which a body can rest in a column, from the bottom up. `media` has, for each
    block of the column, whether it is open, solid or water to a body."""
    heights = []
    # Nobody rests in the rock below the lowest gap, or higher in the air than on top of everything.
    lowest_gap = len(media) - len(media.lstrip(_ROCK))
    above_all = len(media.rstrip(_AIR))
    for y in range(lowest_gap, min(above_all, MAX_FEET_Y) + 1):
        feet = media[y]
        head = media[y + 1]
        if feet == SOLID or head == SOLID:
            continue
        if feet == WATER:
            rises = head == WATER and y < MAX_FEET_Y and media[y + 2] != SOLID
            if not rises:
                heights.append(y)
        elif y == 0 or media[y - 1] == SOLID:
            heights.append(y)
    return heights


def step(world: World) -> None:
    """Settle every body that is not at rest, or whose column has changed."""
    changed = {change.position[::2] for change in world.scratch.block_changes}
    if changed and world.agents.asleep:
        _wake_in(world, changed)
    for agent in world.agents.awake:
        if not agent.at_rest or (changed and (agent.x, agent.z) in changed):
            _settle(world, agent)


def _wake_in(world: World, columns: set[tuple[int, int]]) -> None:
    """Wake those asleep in columns that have changed: they may have to fall, or to get out of a
    block."""
    for chunk in sorted({(x >> 4, z >> 4) for x, z in columns}):
        for agent in world.agents.in_chunk(*chunk):
            if (agent.x, agent.z) in columns:
                world.agents.wake(agent)


def _settle(world: World, agent: Agent) -> None:
    """One tick of a body that may not be at rest: out of a block, up in water or down in air, then
    the damage of a fall, and breath."""
    cells = world.ground.cells
    medium = world.catalogs.medium
    here = cell_index(world.ground, agent.x, agent.y, agent.z)
    if SOLID in (medium[cells[here]], medium[cells[here + LAYER]]):
        world.relocate(agent, _nearest_gap(world, agent.position))
        here = cell_index(world.ground, agent.x, agent.y, agent.z)
    start = here
    if medium[cells[here]] == WATER:
        if medium[cells[here + LAYER]] == WATER and can_rise(cells, medium, here):
            here += LAYER
    else:
        here = _fall(cells, medium, here, agent)
    if here != start:
        world.relocate(agent, (agent.x, agent.y + (here - start) // LAYER, agent.z))
    holds = medium[cells[here]] == WATER or is_supported(cells, medium, here)
    if holds and agent.fallen:
        damage = agent.fallen - SAFE_DROP
        agent.fallen = 0
        if damage > 0 and medium[cells[here]] != WATER:
            hurt(world, agent, "FALL", damage)
    _breathe(world, agent, in_air=medium[cells[here + LAYER]] != WATER)
    agent.at_rest = holds and agent.breath == MAX_BREATH


def _fall(cells: Cells, medium: bytes, here: int, agent: Agent) -> int:
    """Fall as many cells as a tick allows, or until something holds the body."""
    speed = FALL_SPEEDS[agent.fallen] if agent.fallen < len(FALL_SPEEDS) else MAX_FALL_SPEED
    for _ in range(speed):
        if medium[cells[here]] == WATER or is_supported(cells, medium, here):
            break
        here -= LAYER
        agent.fallen += 1
    return here


def _breathe(world: World, agent: Agent, in_air: bool) -> None:
    if in_air:
        agent.breath = min(MAX_BREATH, agent.breath + BREATH_BACK)
        return
    agent.breath = max(0, agent.breath - 1)
    if agent.breath == 0 and world.tick % DROWNING_EVERY == 0:
        hurt(world, agent, "DROWNING", 1)


def hurt(world: World, agent: Agent, kind: str, damage: int) -> None:
    """Take health away, and tell the agent. `survival` handles a body that has none left."""
    world.agents.wake(agent)
    agent.hp = max(0, agent.hp - damage)
    world.emit(agent, "DAMAGE", kind=kind, hp=agent.hp)


def _nearest_gap(world: World, position: Position) -> Position:
    """The lower of the nearest two cells, one above the other, that are not solid; among equally
    near ones the highest."""
    x, y, z = position
    ground = world.ground
    medium = world.catalogs.medium
    for reach in GAP_REACHES:
        around = range(-reach, reach + 1)
        gaps = [
            (abs(dx) + abs(height - y) + abs(dz), -height, x + dx, z + dz)
            for dx in around
            for dz in around
            if ground.inside(x + dx, y, z + dz)
            for height in _gaps(ground.column(x + dx, z + dz).translate(medium))
        ]
        if gaps:
            _, down, gap_x, gap_z = min(gaps)
            return gap_x, -down, gap_z
    return position


def _gaps(media: bytes) -> list[int]:
    return [y for y in range(MAX_FEET_Y + 1) if media[y] != SOLID and media[y + 1] != SOLID]
