"""Whether what a blueprint asks for stands, and whether it holds."""

from __future__ import annotations

from typing import Final

from thorp.protocol.actions import BuildBlueprint
from thorp.voxel.catalog import AIR
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.systems.building import layout

Plan = dict[Position, int]
"""Cells and the blocks that belong into them."""

# So much of a structure must be connected with what carries it. The rest may be trimmings in the air.
STABLE_PERCENT: Final = 95
# Below this everything rests on the bottom of the world.
BOTTOM: Final = 1


def plan_of(world: World, blueprint_id: str, anchor: Position, rotation: int) -> Plan:
    """The cells of a blueprint; refused if there is none of that name."""
    parts = layout(world, BuildBlueprint(blueprint_id=blueprint_id, rotation=rotation))
    x, y, z = anchor
    return {(x + dx, y + dy, z + dz): part.block for part in parts for dx, dy, dz in [part.offset]}


def standing(world: World, plan: Plan) -> int:
    """How many cells hold what they should."""
    block = world.ground.block
    return sum(block(*cell) == wanted for cell, wanted in plan.items())


def is_stable(world: World, plan: Plan) -> bool:
    """Whether nearly all cells are connected, side by side, with one that rests on something else."""
    reached = {cell: None for cell in plan if _rests(world, plan, cell)}
    edge = list(reached)
    while edge:
        x, y, z = edge.pop()
        for cell in (
            (x + 1, y, z),
            (x - 1, y, z),
            (x, y + 1, z),
            (x, y - 1, z),
            (x, y, z + 1),
            (x, y, z - 1),
        ):
            if cell in plan and cell not in reached:
                reached[cell] = None
                edge.append(cell)
    return 100 * len(reached) >= STABLE_PERCENT * len(plan)


def _rests(world: World, plan: Plan, cell: Position) -> bool:
    x, y, z = cell
    below = (x, y - 1, z)
    return y <= BOTTOM or (below not in plan and world.ground.block(*below) != AIR)
