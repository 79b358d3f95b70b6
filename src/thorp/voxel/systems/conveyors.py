"""Conveyor belts, and the signals that turn them on and off. See `docs/world-work.md`.

Signals are read before anything moves, so that all belts see the same signals in a tick. Only belts
that carry something or have a container at their back end are looked at. If there are more than a
tick has time for, they take turns, and all of them are slower.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, TypeVar

from thorp.voxel.lookups import permissions
from thorp.voxel.lookups.indexes import around, behind, index_of
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import Conveyor, ItemEntity, World, WorldState
from thorp.voxel.systems import items
from thorp.voxel.systems.containers import add, available

# How many items on belts may move in a tick, and how many belts may take from containers: some ten
# milliseconds each.
MOVED_PER_TICK: Final = 1_000
TAKEN_PER_TICK: Final = 1_000
# A network with more wires carries no signal. This bounds what one look at a wire can cost, to
# about a millisecond.
MAX_WIRES: Final = 1024

T = TypeVar("T", int, Position)


def step(world: World) -> None:
    """Move items along the belts that run, and out of containers beside them."""
    index = index_of(world)
    if not index.carried and not index.feeders:
        return
    runs = running(world)
    carried = [
        world.items[number] for number in round_robin(world.tick, index.carried, MOVED_PER_TICK)
    ]
    laden = [(entity, world.conveyors[entity.position]) for entity in carried]
    moving = [(entity, belt) for entity, belt in laden if runs(belt)]
    feeding = [
        world.conveyors[place] for place in round_robin(world.tick, index.feeders, TAKEN_PER_TICK)
    ]
    taking = [belt for belt in feeding if runs(belt)]
    for entity, belt in moving:
        _carry(world, entity, belt)
    for entity, _ in moving:
        if entity.number in index.carried:
            items.merge_stacks(world, entity.position)
    for belt in taking:
        if not world.items.any_at(belt.position):
            _take(world, belt)


def round_robin(tick: int, waiting: Iterable[T], limit: int) -> list[T]:
    """At most `limit` of those that wait, in order; in the next tick the next ones."""
    ordered = sorted(waiting)
    if len(ordered) <= limit:
        return ordered
    first = tick * limit % len(ordered)
    return (ordered[first:] + ordered[:first])[:limit]


def _carry(world: World, entity: ItemEntity, belt: Conveyor) -> None:
    """Move an item one cell on: into a container, onto the next belt, or off the end."""
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
    """Take one item from the container at the back end of a belt, the first in the alphabet; not
    across a border of land."""
    container = world.containers[behind(belt)]
    if permissions.same_land(world, belt.position, container.position):
        for item in sorted(container.stock):
            if available(container, item) > 0:
                add(world, container, item, -1)
                items.create(world, belt.position, item, 1)
                return


# Signals


def sensor_on(world: WorldState, position: Position) -> bool:
    """Whether items lie in a sensor or in a cell that touches it, or a container that touches it
    has something to take."""
    x, y, z = position
    beside = (*around(position), (x, y + 1, z), (x, y - 1, z))
    if any(world.items.any_at(cell) for cell in (position, *beside)):
        return True
    stores = [container for cell in beside if (container := world.containers.get(cell))]
    return any(available(store, item) > 0 for store in stores for item in store.stock)


def running(world: World) -> Callable[[Conveyor], bool]:
    """A function that says whether a belt runs at this moment. Each switch and sensor is read once,
    however many belts depend on it."""
    listening = index_of(world).listening

    @cache
    def source_on(position: Position) -> bool:
        switch = world.switches.get(position)
        return switch.on if switch is not None else sensor_on(world, position)

    @cache
    def network_on(first_wire: Position) -> bool:
        return any(map(source_on, network_of(world, first_wire)[1]))

    def runs(belt: Conveyor) -> bool:
        heard = listening.get(belt.position)
        if heard is None:
            heard = listening[belt.position] = _beside(world, belt.position)
        sources, wires = heard
        if sources:
            return any(map(source_on, sources))
        return not wires or any(network_on(network_of(world, wire)[0][0]) for wire in wires)

    return runs


def _beside(world: WorldState, position: Position) -> tuple[list[Position], list[Position]]:
    cells = around(position)
    wire = world.catalogs.block_number["WIRE"]
    sources = [cell for cell in cells if is_source(world, cell)]
    return sources, [cell for cell in cells if world.ground.block(*cell) == wire]


def is_source(world: WorldState, position: Position) -> bool:
    """Whether a cell holds a switch or a sensor."""
    return position in world.switches or position in world.sensors


def network_of(world: World, wire: Position) -> tuple[list[Position], list[Position]]:
    """All wires connected with this one, and the switches and sensors they touch.
    An overlong network carries no signal: it counts as the wire alone, without sources."""
    index = index_of(world)
    if wire not in index.networks and wire not in index.overlong:
        wires, sources = _explore(world, wire)
        if sources is None:
            index.overlong.update(dict.fromkeys(wires))
        else:
            index.networks.update(dict.fromkeys(wires, (wires, sources)))
    return index.networks.get(wire, ([wire], []))


def _explore(world: World, start: Position) -> tuple[list[Position], list[Position] | None]:
    """The wires of a network and the sources that touch them; None for the sources if the network
    is too long, and then not all of its wires."""
    number = world.catalogs.block_number["WIRE"]
    block_at = world.ground.block
    overlong = index_of(world).overlong
    wires = {start: None}
    sources = dict[Position, None]()
    open_ends = [start]
    while open_ends:
        for cell in around(open_ends.pop()):
            if is_source(world, cell):
                sources[cell] = None
            elif cell not in wires and block_at(*cell) == number:
                wires[cell] = None
                open_ends.append(cell)
                if len(wires) > MAX_WIRES or cell in overlong:
                    return list(wires), None
    return list(wires), list(sources)
