"""What a structure brings its builder: once, if it lasts; and daily, if others use it.

A while after it was built every block of it must still be there, or it is forgotten. Then it is worth

    5  + 2 ln(1 + kinds of blocks), rounded
       + 2 for each of: storage, light, a workshop, a place of government
       + 3 if it is stable
       + 2 for every other agent who used it within a day, up to 10

After a day in which u others used it, it brings 3 √u of influence, rounded, up to 15. Builders take turns for
that, in the first ticks of the next day: a full world has ten thousands of structures.
"""

from __future__ import annotations

from bisect import bisect_right
from math import isqrt
from typing import Final

from thorp.voxel.agent import Agent
from thorp.voxel.society import fun, standing, structures
from thorp.voxel.society.records import Structure
from thorp.voxel.systems.index import index_of
from thorp.voxel.world import World

BASE: Final = 5
FOR_A_MODULE: Final = 2
FOR_STABILITY: Final = 3
FOR_A_USER: Final = 2
MOST_FOR_USERS: Final = 10
MOST_INFLUENCE: Final = 15

MODULES: Final = (
    ("CHEST",),
    ("TORCH",),
    ("CRAFTING_BENCH", "FURNACE"),
    ("BULLETIN_BOARD", "CONTRACT_TERMINAL", "CLAIM_TOTEM", "SIGN"),
)
# So many ticks a day are builders thanked in, each in one of them, by their numbers.
THANKING_TICKS: Final = 100
# From so many kinds of blocks on, 2 ln(1 + kinds) rounds to 1, 2, 3 and so on. There are at most 128 kinds.
VARIETY: Final = (1, 2, 3, 5, 9, 15, 25, 42, 70, 115)


def step(world: World) -> None:
    for name in sorted(index_of(world).structures_due.pop(world.tick, {})):
        structure = world.structures.get(name)
        if structure is not None and structure.due_tick == world.tick:
            _judge(world, structure)
    for structure in _to_thank_for(world):
        if structure.users:
            _thank(world, structure)


def _to_thank_for(world: World) -> list[Structure]:
    """The structures of those whose turn it is, in order of their ids."""
    day = world.tuning.day_ticks
    turns, turn = min(THANKING_TICKS, day), world.tick % day
    if turn >= turns or world.tick < day:
        return []
    built = index_of(world).structures_of
    builders = [f"A{number}" for number in range(turn, world.counters.agent + 1, turns)]
    return [
        world.structures[name] for name in sorted(name for one in builders for name in built.get(one, ()))
    ]


def _judge(world: World, structure: Structure) -> None:
    """See whether a structure has lasted."""
    builder = _standing_builder(world, structure)
    if builder is not None:
        structure.awarded = True
        world.structures.touch(structure.id)
        points = worth(world, structure)
        fun.award(world, builder, "creation", points, reason="STRUCTURE", key="creation:structure")


def _thank(world: World, structure: Structure) -> None:
    """The end of a day on which a structure may have been used."""
    builder = _standing_builder(world, structure)
    if builder is not None:
        points = influence(structures.users(world, structure))
        key = "influence:infra_usage_day"
        fun.award(world, builder, "influence", points, reason="INFRASTRUCTURE", key=key)


def _standing_builder(world: World, structure: Structure) -> Agent | None:
    """The builder of a structure that stands; one that does not is forgotten."""
    builder, plan = world.agent_by_id(structure.builder), _plan(world, structure)
    if builder is None or standing.standing(world, plan) < len(plan):
        structures.forget(world, structure)
        return None
    return builder


def worth(world: World, structure: Structure) -> int:
    """The points for a structure that stands."""
    plan = _plan(world, structure)
    kinds = {world.catalogs.blocks[block].id for block in plan.values()}
    points = BASE + variety(len(kinds))
    points += FOR_A_MODULE * sum(any(name in kinds for name in module) for module in MODULES)
    points += FOR_STABILITY * standing.is_stable(world, plan)
    return points + min(MOST_FOR_USERS, FOR_A_USER * structures.users(world, structure))


def variety(kinds: int) -> int:
    """2 ln(1 + kinds), rounded."""
    return bisect_right(VARIETY, kinds)


def influence(users: int) -> int:
    """3 √users, rounded, up to a limit."""
    return min(MOST_INFLUENCE, (isqrt(36 * users) + 1) // 2)


def _plan(world: World, structure: Structure) -> standing.Plan:
    return standing.plan_of(world, structure.blueprint_id, structure.anchor, structure.rotation)
