"""Blueprints in the world: their cells, how many of these are built, and whether the structure is
stable."""

from collections import Counter
from typing import Final

from thorp.voxel.catalog import AIR, Blueprint, turned
from thorp.voxel.lookups.indexes import around, index_of
from thorp.voxel.refusal import known
from thorp.voxel.state.ground import Position
from thorp.voxel.state.unsaved import BlueprintPart
from thorp.voxel.state.world import World, WorldState

Plan = dict[Position, int]  # Cells and the blocks that belong into them.

# A larger rotation can only be meant in degrees.
MOST_TURNS: Final = 3
# This share of a structure must be connected with the ground. The rest may be trimmings in the air.
STABLE_PERCENT: Final = 95
# Below this everything rests on the bottom of the world.
BOTTOM: Final = 1


def turns_of(rotation: int | None) -> int:
    """Quarter turns, 0 to 3, from a rotation that is given in quarter turns or in degrees, with
    either sign."""
    turns = rotation or 0
    if abs(turns) > MOST_TURNS and turns % 90 == 0:
        turns //= 90
    return turns % 4


def layout(world: World, blueprint_id: str, rotation: int | None) -> list[BlueprintPart]:
    """The blocks of a blueprint that was turned, in its order. They follow from the catalog, so
    they are made once and kept."""
    key = blueprint_id, turns_of(rotation)
    layouts = index_of(world).layouts
    if key not in layouts:
        blueprint = known(world.catalogs.blueprints.get(key[0]), "unknown blueprint")
        layouts[key] = _lay_out(world, blueprint, key[1])
    return layouts[key]


def _lay_out(world: WorldState, blueprint: Blueprint, turns: int) -> list[BlueprintPart]:
    """Share the cost of a blueprint among its blocks: each costs the item it is made of, and the
    first one also everything that is not the item of any block."""
    numbers = world.catalogs.block_number
    places = world.catalogs.places
    made_of = {places[stack.item]: stack.item for stack in blueprint.cost if stack.item in places}
    rest = Counter({stack.item: stack.count for stack in blueprint.cost})
    parts = []
    for cell in blueprint.blocks:
        block = numbers[cell.block]
        (x, y, z) = cell.pos
        dx, dz = turned(x, z, turns)
        price = ((made_of[block], 1),) if block in made_of else ()
        rest.subtract(dict(price))
        parts.append(BlueprintPart((dx, y, dz), block, price))
    first = Counter(dict(parts[0].price)) + rest
    return [parts[0]._replace(price=tuple(sorted(first.items()))), *parts[1:]]


def plan_of(world: World, blueprint_id: str, anchor: Position, rotation: int) -> Plan:
    """The cells of a blueprint at an anchor; refused if there is no blueprint of that name."""
    parts = layout(world, blueprint_id, rotation)
    x, y, z = anchor
    return {(x + dx, y + dy, z + dz): part.block for part in parts for dx, dy, dz in [part.offset]}


def blocks_standing(world: WorldState, plan: Plan) -> int:
    """How many cells of a plan hold the block that belongs there."""
    block = world.ground.block
    return sum(block(*cell) == wanted for cell, wanted in plan.items())


def is_stable(world: WorldState, plan: Plan) -> bool:
    """Whether nearly all cells are connected, side by side, with one that rests on something
    else."""
    reached = {cell: None for cell in plan if _rests(world, plan, cell)}
    edge = list(reached)
    while edge:
        x, y, z = edge.pop()
        for cell in (*around((x, y, z)), (x, y + 1, z), (x, y - 1, z)):
            if cell in plan and cell not in reached:
                reached[cell] = None
                edge.append(cell)
    return 100 * len(reached) >= STABLE_PERCENT * len(plan)


def _rests(world: WorldState, plan: Plan, cell: Position) -> bool:
    x, y, z = cell
    below = (x, y - 1, z)
    return y <= BOTTOM or (below not in plan and world.ground.block(*below) != AIR)
