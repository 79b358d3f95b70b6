"""Structures: blueprints that were built, by whom, and who else used them.

`docs/society-director.md` says when one is new, what counts as use, and what it earns its builder:
creation once, if it lasts, and influence daily. A full world has tens of thousands of structures,
so influence is awarded over the first ticks of the next day, to some builders in each.
"""

from bisect import bisect_right
from collections.abc import Iterable
from math import isqrt
from typing import Final

from thorp.voxel.lookups.indexes import forget_row, index_of, note_row
from thorp.voxel.society import scores
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import Structure
from thorp.voxel.state.world import World
from thorp.voxel.systems import blueprints

# How many structures of one builder are listed; in a full world some ten megabytes.
MAX_STRUCTURES: Final = 32
# More users would change no award.
MAX_USERS: Final = 25
# How often in a day the same user is recorded again. A changed row must be hashed, and roads are
# used in every tick.
NOTES_A_DAY: Final = 20

BASE: Final = 5
FOR_A_MODULE: Final = 2
FOR_STABILITY: Final = 3
FOR_A_USER: Final = 2
MOST_FOR_USERS: Final = 10
MOST_INFLUENCE: Final = 15

# Groups of blocks that make a structure more useful; each group counts once.
MODULES: Final = (
    ("CHEST",),
    ("TORCH",),
    ("CRAFTING_BENCH", "FURNACE"),
    ("BULLETIN_BOARD", "CONTRACT_TERMINAL", "CLAIM_TOTEM", "SIGN"),
)
# How many of the first ticks of a day award influence; a builder's number says in which it is due.
INFLUENCE_TICKS: Final = 100
# The numbers of kinds from which 2 ln(1 + kinds) rounds to 1, 2, 3 and so on: a table, because
# logarithms may differ between machines. There are at most 128 kinds.
VARIETY: Final = (1, 2, 3, 5, 9, 15, 25, 42, 70, 115)


def register(
    world: World,
    agent: Agent,
    *,
    blueprint_id: str,
    anchor: Position,
    rotation: int,
    cells: Iterable[Position],
) -> bool:
    """List a structure. False if it is listed already, or if more than half of its cells belong to
    others that are."""
    name = f"{blueprint_id}@{anchor[0]},{anchor[1]},{anchor[2]}/{rotation}"
    if name in world.structures:
        return False
    xs, ys, zs = zip(*cells, strict=True)
    structure = Structure(
        id=name,
        blueprint_id=blueprint_id,
        builder=agent.id,
        anchor=anchor,
        rotation=rotation,
        low=(min(xs), min(ys), min(zs)),
        high=(max(xs), max(ys), max(zs)),
        completed_tick=world.tick,
        due_tick=world.tick + world.tuning.structure_survival_ticks,
    )
    if _is_mostly_listed(world, structure, zip(xs, ys, zs, strict=True)):
        return False
    own = [world.structures[name] for name in index_of(world).structures_of.get(agent.id, ())]
    if len(own) >= MAX_STRUCTURES:  # the oldest makes room, and awarded ones first
        forget(
            world,
            min(own, key=lambda built: (not built.awarded, built.completed_tick, built.id)),
        )
    world.structures.put(structure)
    note_row(world, structure)
    return True


def _is_mostly_listed(world: World, new: Structure, cells: Iterable[Position]) -> bool:
    """Whether more than half of its cells belong to listed structures of any builder."""
    unlisted = dict.fromkeys(cells)
    size = len(unlisted)
    by_chunk = index_of(world).structures
    chunks = dict.fromkeys((x >> 4, z >> 4) for x, _, z in unlisted)
    near = {
        structure.id: structure
        for chunk in chunks
        for structure in by_chunk.get(chunk, {}).values()
        if _touches(structure, new)
    }
    for structure in near.values():
        for cell in _plan(world, structure):
            unlisted.pop(cell, None)
    return 2 * len(unlisted) < size


def _touches(listed: Structure, new: Structure) -> bool:
    """Whether the boxes around two structures share a cell."""
    (west, bottom, north) = listed.low
    (east, top, south) = listed.high
    (w, b, n) = new.low
    (e, t, s) = new.high
    return west <= e and w <= east and north <= s and n <= south and bottom <= t and b <= top


def forget(world: World, structure: Structure) -> None:
    """Remove a structure from the list."""
    forget_row(world, structure)
    world.structures.remove(structure.id)


def record_use(world: World, agent: Agent) -> None:
    """Note that an agent is inside structures that others built."""
    for structure in index_of(world).structures.get((agent.x >> 4, agent.z >> 4), {}).values():
        if structure.builder != agent.id and is_at(structure, agent):
            _record_user(world, structure, agent)


def is_at(structure: Structure, agent: Agent) -> bool:
    """Whether an agent is in the box around a structure, or stands on it."""
    (west, bottom, north) = structure.low
    (east, top, south) = structure.high
    return west <= agent.x <= east and north <= agent.z <= south and bottom <= agent.y <= top + 1


def _record_user(world: World, structure: Structure, agent: Agent) -> None:
    last = structure.users.get(agent.id)
    if last is not None and world.tick - last < world.tuning.day_ticks // NOTES_A_DAY:
        return
    if last is None and len(structure.users) >= MAX_USERS:
        _forget_users(world, structure)
        if len(structure.users) >= MAX_USERS:
            return
    structure.users[agent.id] = world.tick
    world.structures.touch(structure.id)


def _forget_users(world: World, structure: Structure) -> None:
    since = world.tick - world.tuning.day_ticks
    recent = {user: tick for user, tick in structure.users.items() if tick > since}
    if len(recent) < len(structure.users):
        structure.users = recent
        world.structures.touch(structure.id)


def count_users(world: World, structure: Structure) -> int:
    """How many agents, besides the builder, were in a structure within the last day, or are now."""
    x, _, z = structure.low
    reach = max(structure.high[0] - x, structure.high[2] - z)
    for agent in world.agents.near(x, z, reach):
        if agent.id != structure.builder and is_at(structure, agent):
            _record_user(world, structure, agent)
    _forget_users(world, structure)
    return len(structure.users)


def step(world: World) -> None:
    """Award structures that have lasted, and the influence of the past day."""
    for name in sorted(index_of(world).structures_due.pop(world.tick, {})):
        structure = world.structures.get(name)
        if structure is None or structure.due_tick != world.tick:
            continue
        if (builder := _standing_builder(world, structure)) is not None:
            structure.awarded = True
            world.structures.touch(structure.id)
            points = points_for(world, structure)
            scores.award_fun(
                world, builder, "creation", points, reason="STRUCTURE", key="creation:structure"
            )
    for structure in _due_for_influence(world):
        if structure.users:
            _award_influence(world, structure)


def _due_for_influence(world: World) -> list[Structure]:
    """The structures of the builders whose turn it is in this tick, in order of their ids."""
    day = world.tuning.day_ticks
    turns = min(INFLUENCE_TICKS, day)
    turn = world.tick % day
    if turn >= turns or world.tick < day:
        return []
    built = index_of(world).structures_of
    builders = [f"A{number}" for number in range(turn, world.counters.agent + 1, turns)]
    names = sorted(name for builder in builders for name in built.get(builder, ()))
    return [world.structures[name] for name in names]


def _award_influence(world: World, structure: Structure) -> None:
    if (builder := _standing_builder(world, structure)) is not None:
        points = influence(count_users(world, structure))
        key = "influence:infra_usage_day"
        scores.award_fun(world, builder, "influence", points, reason="INFRASTRUCTURE", key=key)


def _standing_builder(world: World, structure: Structure) -> Agent | None:
    """The builder of a structure that still stands; a structure that does not is forgotten."""
    builder = world.agent_by_id(structure.builder)
    plan = _plan(world, structure)
    if builder is None or blueprints.blocks_standing(world, plan) < len(plan):
        forget(world, structure)
        return None
    return builder


def points_for(world: World, structure: Structure) -> int:
    """What a structure earns its builder: for variety, modules, stability and users."""
    plan = _plan(world, structure)
    kinds = {world.catalogs.blocks[block].id for block in plan.values()}
    points = BASE + variety(len(kinds))
    points += FOR_A_MODULE * sum(any(name in kinds for name in module) for module in MODULES)
    points += FOR_STABILITY * blueprints.is_stable(world, plan)
    return points + min(MOST_FOR_USERS, FOR_A_USER * count_users(world, structure))


def variety(kinds: int) -> int:
    """2 ln(1 + kinds), rounded."""
    return bisect_right(VARIETY, kinds)


def influence(users: int) -> int:
    """3 √users, rounded, up to a limit."""
    return min(MOST_INFLUENCE, (isqrt(36 * users) + 1) // 2)


def _plan(world: World, structure: Structure) -> blueprints.Plan:
    return blueprints.plan_of(world, structure.blueprint_id, structure.anchor, structure.rotation)
