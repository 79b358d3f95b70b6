"""PLACE and BUILD_BLUEPRINT: everything is checked before anything is spent. See
`docs/world-work.md`.

Each block of a blueprint is paid when it is placed, so a task that ends early loses nothing, and
the same request goes on where it stopped.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.achievements import note_deed
from thorp.voxel.catalog import OPEN, turned
from thorp.voxel.lookups import permissions
from thorp.voxel.refusal import Refusal, given, known, refuse_if
from thorp.voxel.state.agent import Agent, Status, Work
from thorp.voxel.state.ground import Position
from thorp.voxel.state.unsaved import BlueprintPart
from thorp.voxel.state.world import Container, World, WorldState, manhattan
from thorp.voxel.systems import blueprints, enforcement
from thorp.voxel.systems.blocks import (
    PLUS_X,
    REPLACEABLE,
    Heading,
    change_block,
    require_room,
    soil_suits,
)
from thorp.voxel.systems.containers import add, available
from thorp.voxel.systems.items import require_carried
from thorp.voxel.systems.pathfinding import DIRECTIONS

# The containers from which a builder takes what it lacks.
PULLED_FROM: Final = ("CHEST", "CONTRACT_TERMINAL")


def place(world: World, agent: Agent, work: Work, wish: actions.Place) -> bool:
    """Place a block out of the inventory."""
    position = wish.block_pos or (0, 0, 0)
    item = wish.item_id or ""
    require_inside(world, position)
    reach = world.tuning.place_reach
    if manhattan(agent.position, position) > reach:
        raise Refusal(codes.BLOCKED, "too far").about(cell=position, reach=reach)
    require_free(world, agent, position)
    refuse_if(agent.have(item) < 1, codes.NO_RESOURCE, "missing item")
    block = known(world.catalogs.places.get(item), "item not placeable")
    needs = world.catalogs.blocks[block].needs
    if needs is not None and not soil_suits(world, position, needs):
        raise Refusal(codes.INVALID_TARGET, f"needs {' or '.join(needs)} below")
    enforcement.require_belts(world, agent, position, block)
    require_nobody(world, position, block)
    agent.give(item, -1)
    change_block(
        world, position, block, actor=agent.id, reason="PLACE", heading=heading_of(agent.yaw)
    )
    note_deed(world, agent, "place", item)
    return True


def heading_of(yaw: int) -> Heading:
    """The direction that a body faces, to a quarter turn: 0 is +Z, 90 is +X."""
    return DIRECTIONS[(yaw + 45) % 360 // 90]


def require_inside(world: WorldState, position: Position) -> None:
    """Refuse a cell outside the world."""
    if not world.ground.inside(*position):
        raise Refusal(codes.INVALID_TARGET, "outside the world").about(cell=position)


def require_placeable(world: World, agent: Agent, position: Position, block: int) -> None:
    """Refuse a block that the agent may not put into a cell, or for which there is no room, or
    with somebody in the way."""
    require_free(world, agent, position)
    enforcement.require_belts(world, agent, position, block)
    require_nobody(world, position, block)


def require_free(world: World, agent: Agent, position: Position) -> None:
    """Refuse a cell in which the agent may not build, or in which there is no room."""
    require_room(world, position)
    enforcement.require_build(world, agent, position)
    if world.catalogs.blocks[world.ground.block(*position)].id not in REPLACEABLE:
        raise Refusal(codes.BLOCKED, "space occupied").about(cell=position)


def require_nobody(
    world: WorldState, position: Position, block: int, but: Agent | None = None
) -> None:
    """Refuse a solid block, or water, in a cell that holds a body, other than the body `but`."""
    if world.catalogs.medium[block] != OPEN:
        for body in world.bodies_in(position):
            if body is not but:
                raise Refusal(codes.UNSAFE, f"{body.id} stands there").about(cell=position)


# BUILD_BLUEPRINT


def check_build(world: World, agent: Agent, wish: actions.BuildBlueprint) -> None:
    """Refuse an unknown blueprint, or a missing anchor."""
    blueprints.layout(world, given(wish.blueprint_id, "blueprint_id"), wish.rotation)
    given(wish.anchor, "anchor")


def build(world: World, agent: Agent, work: Work, wish: actions.BuildBlueprint) -> bool:
    """Place the next blocks of a blueprint. `work.made` is how far in the plan the builder is,
    `work.spent` counts the ticks on the block in hand."""
    parts = blueprints.layout(world, wish.blueprint_id or "", wish.rotation)
    anchor = wish.anchor or (0, 0, 0)
    here = agent.position
    reach = world.tuning.build_reach
    if not any(manhattan(here, _cell(anchor, part)) <= reach for part in parts):
        cells = [_cell(anchor, part) for part in parts]
        nearest = min(cells, key=lambda cell: manhattan(here, cell))
        raise Refusal(codes.BLOCKED, "too far").about(cell=nearest, reach=reach)
    if not work.total:
        _prepare(world, agent, parts, anchor)
        work.total = len(parts)
    turns = blueprints.turns_of(wish.rotation)
    left = _blocks_now(world, work)
    while work.made < len(parts):
        part = parts[work.made]
        if world.ground.block(*_cell(anchor, part)) != part.block:
            if not left:
                return False
            heading = turned(*PLUS_X, turns)
            _place_part(world, agent, part, anchor, heading)
            left -= 1
            work.laid += 1
        work.made += 1
    if work.laid:
        cells = [_cell(anchor, part) for part in parts]
        world.listeners.on_build(world, agent, wish.blueprint_id or "", anchor, turns, cells)
    return True


def _blocks_now(world: World, work: Work) -> int:
    """How many blocks may be placed in this tick."""
    pace = world.tuning.blueprint_ticks_per_block
    if not pace:
        return world.tuning.blueprint_blocks_per_tick
    work.spent = (work.spent + 1) % pace
    return int(work.spent == 0)


def build_status(world: World, agent: Agent, work: Work, wish: actions.BuildBlueprint) -> Status:
    """How far a BUILD_BLUEPRINT has come, by the blocks that stand."""
    parts = blueprints.layout(world, wish.blueprint_id or "", wish.rotation)
    anchor = wish.anchor or (0, 0, 0)
    block_at = world.ground.block
    missing = sum(block_at(*_cell(anchor, part)) != part.block for part in parts[work.made :])
    pace = world.tuning.blueprint_ticks_per_block
    ticks = (
        missing * pace - work.spent
        if pace
        else -(-missing // world.tuning.blueprint_blocks_per_tick)
    )
    return round(1 - missing / len(parts), 3), anchor, ticks


def _cell(anchor: Position, part: BlueprintPart) -> Position:
    (ax, ay, az) = anchor
    (dx, dy, dz) = part.offset
    return ax + dx, ay + dy, az + dz


def _prepare(world: World, agent: Agent, parts: list[BlueprintPart], anchor: Position) -> None:
    """Check every cell, then take from containers near by whatever the agent lacks to pay for the
    blocks that are missing."""
    bill: Counter[str] = Counter()
    for part in parts:
        position = _cell(anchor, part)
        require_inside(world, position)
        if world.ground.block(*position) != part.block:
            require_placeable(world, agent, position, part.block)
            bill.update(dict(part.price))
    lacking = Counter({item: bill[item] - agent.have(item) for item in bill})
    for container, item, count in _pulls(world, agent, anchor, +lacking):
        add(world, container, item, -count)
        agent.give(item, count)
        world.note_fixture(agent.id, "BUILD_BLUEPRINT", container.position)


def _pulls(
    world: World, agent: Agent, anchor: Position, lacking: Counter[str]
) -> list[tuple[Container, str, int]]:
    """What to take out of which container, nearest first, so that nothing is lacking. Refused if
    something still is; nothing has been taken by then."""
    pulls = []
    for container in _stores(world, agent, anchor) if lacking else ():
        for item in sorted(lacking):
            count = min(lacking[item], available(container, item))
            if count > 0:
                pulls.append((container, item, count))
                lacking[item] -= count
    for item in sorted(+lacking):
        no = Refusal(codes.NO_RESOURCE, f"missing {item} x{lacking[item]}")
        raise no.about(lacking=dict(+lacking))
    return pulls


def _stores(world: World, agent: Agent, anchor: Position) -> Iterator[Container]:
    """The containers from which an agent may pull for a blueprint at an anchor, nearest first."""
    reach = world.tuning.blueprint_auto_pull_range
    near = [
        (manhattan(anchor, container.position), container.position)
        for container in world.containers.near(anchor[0], anchor[2], reach)
        if container.kind in PULLED_FROM
    ]
    for distance, position in sorted(near):
        container = world.containers[position]
        same = distance <= reach and permissions.same_land(world, anchor, position)
        if same and permissions.may_take(world, agent, container):
            yield container


def _place_part(
    world: World, agent: Agent, part: BlueprintPart, anchor: Position, heading: Heading
) -> None:
    position = _cell(anchor, part)
    require_placeable(world, agent, position, part.block)
    require_carried(agent, dict(part.price))
    for item, count in part.price:
        agent.give(item, -count)
    change_block(
        world, position, part.block, actor=agent.id, reason="BUILD_BLUEPRINT", heading=heading
    )
