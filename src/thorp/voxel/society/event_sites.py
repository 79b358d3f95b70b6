"""Where an event takes place: near people, where they can get to in time, and where nobody is in its way.

A place is drawn around somebody who is there, some way off. It must suit the event (`society.events` says
what it puts where), be nobody's land, and be untouched: events never build on what somebody made. An event
that hurts keeps its whole zone clear of bodies, homes and land; where people live so close that there is no
such place, it keeps some distance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thorp.voxel.society import land
from thorp.voxel.state.agent import MAX_STAMINA
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.systems.movement import STEP_STAMINA
from thorp.voxel.systems.survival import RECOVERY
from thorp.voxel.terrain.spawn_points import standing

Plan = dict[Position, int]
"""What an event puts where."""
Layout = Callable[[World, Position], Plan | None]
"""The plan of an event around a centre; None if it does not fit there."""

# Each looks at a few columns, seldom at a chunk that must be made.
TRIES: Final = 32
# No nearer than this to the one it is drawn around.
NEAR: Final = 16
# So far does what hurts keep away from everyone, with its zone if it can be.
CLEARANCE: Final = 8
SPREAD: Final = 112
# Ways are longer than they look, and there is something to be done at their end.
SHARE_OF_WALK: Final = 4


def find(
    world: World, event_id: str, *, ticks: int, radius: int, hurts: bool, layout: Layout
) -> tuple[Position, Plan] | None:
    """A place for an event that lasts so long, and what it changes there; None if none was found."""
    people = [agent for agent in world.agents if agent.attached] or list(world.agents)
    around = [(agent.x, agent.z) for agent in people] or [(0, 0)]
    far = walk(ticks) // SHARE_OF_WALK
    for number in range(TRIES):
        kept = (radius if number < TRIES // 2 else 0) + CLEARANCE if hurts else 0
        near = min(max(NEAR, kept), far)
        x, z = _drawn(world, event_id, number, around, near, min(near + SPREAD, far))
        if max(abs(x), abs(z)) + radius <= world.tuning.world_boundary_r and _is_deserted(world, x, z, kept):
            center = _center(world, x, z)
            plan = None if center is None else layout(world, center)
            if center is not None and plan is not None and _is_free(world, plan):
                return center, plan
    return None


def walk(ticks: int) -> int:
    """How many steps a rested body can take in so many ticks."""
    return min(ticks, (MAX_STAMINA + RECOVERY * ticks) // STEP_STAMINA)


def _drawn(
    world: World, event_id: str, number: int, around: list[tuple[int, int]], near: int, far: int
) -> tuple[int, int]:
    """A column whose distance along the axes from one of those is between near and far."""

    def draw(bound: int, index: int) -> int:
        purpose = "event place"
        return world.draws.below(
            bound, tick=world.tick, subject=event_id, purpose=purpose, index=4 * number + index
        )

    x, z = around[draw(len(around), 0)]
    distance = near + draw(far - near + 1, 1)
    dx = draw(2 * distance + 1, 2) - distance
    dz = distance - abs(dx)
    return x + dx, z + (dz if draw(2, 3) else -dz)


def _is_deserted(world: World, x: int, z: int, reach: int) -> bool:
    """Whether nobody is so near, lives so near or owns land so near."""
    if not reach:
        return True
    places = [place for agent in world.agents for place in ((agent.x, agent.z), agent.home)]
    if any(abs(px - x) + abs(pz - z) < reach for px, pz in places):
        return False
    return land.overlapping(world, (x, 0, z), reach) is None


def _center(world: World, x: int, z: int) -> Position | None:
    y = standing(world, x, z)
    return None if y is None else (x, y, z)


def _is_free(world: World, plan: Plan) -> bool:
    """Whether all cells are inside, nobody's and as they were made, and no body is where a block comes."""
    solid = world.catalogs.solid
    for cell, block in plan.items():
        if not world.ground.inside(*cell) or land.at(world, cell[0], cell[2]) is not None:
            return False
        if solid[block] and world.bodies_in(cell):
            return False
    return world.ground.is_untouched(plan)
