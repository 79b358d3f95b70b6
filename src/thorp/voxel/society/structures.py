"""Structures: blueprints that were built, by whom, and who else used them.

A structure is known by its plan and its place, so the same one is not built twice: who mends it mends what
is there. Somebody uses it who steps into the box around it, or onto it. What it is worth to its builder is
said by `society.creation`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from thorp.voxel.agent import Agent
from thorp.voxel.ground import Position
from thorp.voxel.society.records import Structure
from thorp.voxel.systems.index import forget_structure, index_of, note_structure
from thorp.voxel.world import World

# Of one builder: those that are known. All together some ten megabytes in a full world.
MAX_STRUCTURES: Final = 32
# More change no award.
MAX_USERS: Final = 25
# So often a day a use is noted again. A row that changed is hashed, and roads are used in every tick.
NOTES_A_DAY: Final = 20


def structure_id(blueprint_id: str, anchor: Position, rotation: int) -> str:
    return f"{blueprint_id}@{anchor[0]},{anchor[1]},{anchor[2]}/{rotation}"


def register(
    world: World,
    agent: Agent,
    blueprint_id: str,
    anchor: Position,
    rotation: int,
    cells: Iterable[Position],
) -> bool:
    """Remember a structure. False if it is known already."""
    name = structure_id(blueprint_id, anchor, rotation)
    if name in world.structures:
        return False
    _make_room(world, agent.id)
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
    world.structures.put(structure)
    note_structure(world, structure)
    return True


def forget(world: World, structure: Structure) -> None:
    forget_structure(world, structure)
    world.structures.remove(structure.id)


def _make_room(world: World, builder: str) -> None:
    """The oldest makes room, before it those that have had their award."""
    own = [world.structures[name] for name in index_of(world).structures_of.get(builder, ())]
    if len(own) >= MAX_STRUCTURES:
        forget(world, min(own, key=lambda one: (not one.awarded, one.completed_tick, one.id)))


def use(world: World, agent: Agent) -> None:
    """Note that an agent is in or on whatever stands where it is."""
    for structure in index_of(world).structures.get((agent.x >> 4, agent.z >> 4), ()):
        if structure.builder != agent.id and is_at(structure, agent):
            _note(world, structure, agent)


def is_at(structure: Structure, agent: Agent) -> bool:
    """Whether an agent is in the box around a structure, or stands on it."""
    (west, bottom, north), (east, top, south) = structure.low, structure.high
    return west <= agent.x <= east and north <= agent.z <= south and bottom <= agent.y <= top + 1


def _note(world: World, structure: Structure, agent: Agent) -> None:
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
    """Let go of those who were not there for a day."""
    since = world.tick - world.tuning.day_ticks
    recent = {user: tick for user, tick in structure.users.items() if tick > since}
    if len(recent) < len(structure.users):
        structure.users = recent
        world.structures.touch(structure.id)


def users(world: World, structure: Structure) -> int:
    """How many others were there within the last day, or are there now."""
    x, _, z = structure.low
    reach = max(structure.high[0] - x, structure.high[2] - z)
    for agent in world.agents.near(x, z, reach):
        if agent.id != structure.builder and is_at(structure, agent):
            _note(world, structure, agent)
    _forget_users(world, structure)
    return len(structure.users)
