"""Conveyor belts: a running belt moves its items by a cell, then takes one item from the container behind it.

Signals are read before anything moves, so that all belts of a tick see the same. What a belt pushes into a
container is put in, whole; what it pushes over an edge falls. What cannot go on waits. Containers of another
land than the belt's own neither give nor take. Stacks of one kind on one belt are merged after each move.

Only belts that carry something or have a container behind them are looked at. If there are more than a tick
has time for, they take turns, and all of them are slower.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import Conveyor, ItemEntity, World
from thorp.voxel.systems import items, permissions
from thorp.voxel.systems.containers import add, available
from thorp.voxel.systems.indexes import behind, index_of
from thorp.voxel.systems.signals import Reading

# Things on belts that may move in a tick, and belts that may take: some ten milliseconds of each.
MOVED_PER_TICK: Final = 1_000
TAKEN_PER_TICK: Final = 1_000

T = TypeVar("T", int, Position)


def step(world: World) -> None:
    index = index_of(world)
    if not index.carried and not index.feeders:
        return
    reading = Reading(world)
    carried = [world.items[number] for number in round_robin(world.tick, index.carried, MOVED_PER_TICK)]
    laden = [(entity, world.conveyors[entity.position]) for entity in carried]
    moving = [(entity, belt) for entity, belt in laden if reading.runs(belt)]
    feeding = [world.conveyors[place] for place in round_robin(world.tick, index.feeders, TAKEN_PER_TICK)]
    taking = [belt for belt in feeding if reading.runs(belt)]
    for entity, belt in moving:
        _carry(world, entity, belt)
    for entity, _ in moving:
        if entity.number in index.carried:
            items.merge_stacks(world, entity.position)
    for belt in taking:
        if not world.items.any_at(belt.position):
            _take(world, belt)


def round_robin(tick: int, waiting: Iterable[T], limit: int) -> list[T]:
    """At most `limit` of those that wait, in order; the next ones in the next tick."""
    ordered = sorted(waiting)
    if len(ordered) <= limit:
        return ordered
    first = tick * limit % len(ordered)
    return (ordered[first:] + ordered[:first])[:limit]


def _carry(world: World, entity: ItemEntity, belt: Conveyor) -> None:
    x, y, z = belt.position
    ahead = x + belt.dx, y, z + belt.dz
    container = world.containers.get(ahead)
    if container is not None:
        if permissions.same_land(world, belt.position, ahead):
            add(world, container, entity.item, entity.count)
            items.remove(world, entity)
    elif ahead in world.conveyors:
        items.move(world, entity, ahead)
    elif world.ground.inside(*ahead) and not world.catalogs.solid[world.ground.block(*ahead)]:
        items.move(world, entity, items.resting_place(world, ahead))
        if entity.position not in world.conveyors:
            items.merge_stacks(world, entity.position)


def _take(world: World, belt: Conveyor) -> None:
    """Take one thing from the container behind, the first in the alphabet; not across a border of land."""
    container = world.containers[behind(belt)]
    if permissions.same_land(world, belt.position, container.position):
        for item in sorted(container.stock):
            if available(container, item) > 0:
                add(world, container, item, -1)
                items.create(world, belt.position, item, 1)
                return
