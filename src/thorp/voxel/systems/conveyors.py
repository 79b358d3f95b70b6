"""Belts: each that runs moves what lies on it by a cell, then takes one thing from the container behind.

Signals are read before anything moves, so that all belts of a tick see the same. What a belt pushes into a
container is put in, whole; what it pushes over an edge falls. What cannot go on waits. Containers of another
land than the belt's own neither give nor take. Whatever has moved,
things of one kind on one belt then become one, so that a belt never holds more than one of each kind.
"""

from __future__ import annotations

from thorp.voxel.ground import Position
from thorp.voxel.systems import items, rights
from thorp.voxel.systems.containers import add, available
from thorp.voxel.systems.index import behind, index_of
from thorp.voxel.systems.signals import runs
from thorp.voxel.world import Conveyor, ItemEntity, World


def step(world: World) -> None:
    index = index_of(world)
    if not index.carried and not index.feeders:
        return
    carried = [world.items[number] for number in sorted(index.carried)]
    laden = [(entity, world.conveyors[entity.position]) for entity in carried]
    moving = [(entity, belt) for entity, belt in laden if runs(world, belt)]
    taking = [belt for place in sorted(index.feeders) if runs(world, belt := world.conveyors[place])]
    for entity, belt in moving:
        _carry(world, entity, belt)
    taken = _stack(world)
    for belt in taking:
        if belt.position not in taken:
            _take(world, belt)


def _carry(world: World, entity: ItemEntity, belt: Conveyor) -> None:
    x, y, z = belt.position
    ahead = x + belt.dx, y, z + belt.dz
    container = world.containers.get(ahead)
    if container is not None:
        if rights.same_land(world, belt.position, ahead):
            add(world, container, entity.item, entity.count)
            items.remove(world, entity)
    elif ahead in world.conveyors:
        items.move(world, entity, ahead)
    elif world.ground.inside(*ahead) and not world.catalogs.solid[world.ground.block(*ahead)]:
        items.move(world, entity, items.rest(world, ahead))
        if entity.position not in world.conveyors:
            items.join(world, entity.position)


def _stack(world: World) -> dict[Position, None]:
    """Join what lies on the belts, kind by kind. Returns the belts that are not empty."""
    first: dict[tuple[Position, str], ItemEntity] = {}
    for number in sorted(index_of(world).carried):
        entity = world.items[number]
        older = first.setdefault((entity.position, entity.item), entity)
        if older is not entity:
            items.absorb(world, older, entity)
    return {position: None for position, _ in first}


def _take(world: World, belt: Conveyor) -> None:
    """Take one thing from the container behind, the first in the alphabet; not across a border of land."""
    container = world.containers[behind(belt)]
    if rights.same_land(world, belt.position, container.position):
        for item in sorted(container.stock):
            if available(container, item) > 0:
                add(world, container, item, -1)
                items.create(world, belt.position, item, 1)
                return
