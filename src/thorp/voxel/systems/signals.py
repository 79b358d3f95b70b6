"""Switches, sensors and the wires that carry what they say. A signal is on or off, and stays on its level.

A belt listens to the switches and sensors beside it; if there are none, to those that touch the wires beside
it; if there are no wires either, it just runs. One source that is on is enough.
"""

from __future__ import annotations

from typing import Final

from thorp.voxel.ground import Position
from thorp.voxel.systems.containers import has_available
from thorp.voxel.systems.index import around, index_of
from thorp.voxel.world import Conveyor, World, manhattan

# A longer network carries nothing. It bounds what one look at a wire can cost, to about a millisecond.
MAX_WIRES: Final = 1024


def sensor_on(world: World, position: Position) -> bool:
    """Whether things lie in or right beside a sensor, or a container there has something to take."""
    x, y, z = position
    if any(manhattan(position, entity.position) <= 1 for entity in world.items.near(x, z, 1)):
        return True
    beside = (*around(position), (x, y + 1, z), (x, y - 1, z))
    stores = [container for cell in beside if (container := world.containers.get(cell))]
    return any(has_available(container) for container in stores)


def runs(world: World, belt: Conveyor) -> bool:
    """Whether a belt is enabled."""
    listening = index_of(world).listening
    if belt.position not in listening:
        listening[belt.position] = _beside(world, belt.position)
    sources, wires = listening[belt.position]
    if sources:
        return any(source_on(world, cell) for cell in sources)
    return not wires or any(source_on(world, source) for cell in wires for source in wired_to(world, cell))


def _beside(world: World, position: Position) -> tuple[list[Position], list[Position]]:
    cells, wire = around(position), world.catalogs.block_number["WIRE"]
    sources = [cell for cell in cells if is_source(world, cell)]
    return sources, [cell for cell in cells if world.ground.block(*cell) == wire]


def is_source(world: World, position: Position) -> bool:
    return position in world.switches or position in world.sensors


def source_on(world: World, position: Position) -> bool:
    switch = world.switches.get(position)
    return switch.on if switch is not None else sensor_on(world, position)


def wired_to(world: World, wire: Position) -> list[Position]:
    """The switches and sensors that touch the wires connected with this one. An overlong network has none."""
    index = index_of(world)
    if wire not in index.networks and wire not in index.overlong:
        wires, sources = _explore(world, wire)
        if sources is None:
            index.overlong.update(dict.fromkeys(wires))
        else:
            index.networks.update(dict.fromkeys(wires, (wires, sources)))
    return index.networks[wire][1] if wire in index.networks else []


def _explore(world: World, start: Position) -> tuple[list[Position], list[Position] | None]:
    """The wires of a network and the sources that touch them; no sources if it is found to be too long."""
    number, block_at = world.catalogs.block_number["WIRE"], world.ground.block
    overlong = index_of(world).overlong
    wires, sources = {start: None}, dict[Position, None]()
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
