"""Structures: blueprints that were built, by whom, and who else used them.

A structure is known by its plan and its place, so the same one is not built twice: who mends it mends what
is there. Nor is one new that is made of others for the most part, such as one moved by a cell. Somebody uses
it who steps into the box around it, or onto it. What it is worth to its builder is said by
`society.creation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from thorp.voxel.agent import Agent
from thorp.voxel.catalog import turned
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
    """Remember a structure. False if it is known already, or more than half of it is."""
    name = structure_id(blueprint_id, anchor, rotation)
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
    if _is_mostly_known(world, structure, zip(xs, ys, zs, strict=True)):
        return False
    _make_room(world, agent.id)
    world.structures.put(structure)
    note_structure(world, structure)
    return True


def _is_mostly_known(world: World, new: Structure, cells: Iterable[Position]) -> bool:
    """Whether more than half of its cells belong to structures that are known, whoever built them."""
    unknown = dict.fromkeys(cells)
    size, known = len(unknown), index_of(world).structures
    chunks = dict.fromkeys((x >> 4, z >> 4) for x, _, z in unknown)
    near = {one.id: one for chunk in chunks for one in known.get(chunk, ()) if _touches(one, new)}
    for one in near.values():
        for cell in cells_of(world, one):
            unknown.pop(cell, None)
    return 2 * len(unknown) < size


def _touches(one: Structure, other: Structure) -> bool:
    """Whether the boxes around two structures have a cell in common."""
    (west, bottom, north), (east, top, south) = one.low, one.high
    (w, b, n), (e, t, s) = other.low, other.high
    return west <= e and w <= east and north <= s and n <= south and bottom <= t and b <= top


def cells_of(world: World, structure: Structure) -> Iterator[Position]:
    """Its cells, as `standing.plan_of` has them, which stands above those who report what was built."""
    ax, ay, az = structure.anchor
    for part in world.catalogs.blueprints[structure.blueprint_id].blocks:
        x, y, z = part.pos
        dx, dz = turned(x, z, structure.rotation)
        yield ax + dx, ay + y, az + dz


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
