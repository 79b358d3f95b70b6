"""Signals: switches, sensors and wires that turn belts on and off. A signal stays on its level (y).

A belt listens to the switches and sensors beside it; if there are none, to those that touch the wires beside
it; if there are no wires either, it just runs. One source that is on is enough.
"""

from __future__ import annotations

from typing import Final

from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import Conveyor, World
from thorp.voxel.systems.containers import has_available
from thorp.voxel.systems.indexes import around, index_of

# A longer network carries nothing. It bounds what one look at a wire can cost, to about a millisecond.
MAX_WIRES: Final = 1024


def sensor_on(world: World, position: Position) -> bool:
    """Whether things lie in or right beside a sensor, or a container there has something to take."""
    x, y, z = position
    beside = (*around(position), (x, y + 1, z), (x, y - 1, z))
    if any(world.items.any_at(cell) for cell in (position, *beside)):
        return True
    stores = [container for cell in beside if (container := world.containers.get(cell))]
    return any(has_available(container) for container in stores)


class Reading:
    """All signals at one moment. Each source is read once, however many belts depend on it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._listening = index_of(world).listening
        self._sources: dict[Position, bool] = {}
        self._networks: dict[Position, bool] = {}

    def runs(self, belt: Conveyor) -> bool:
        """Whether a belt is enabled."""
        position = belt.position
        heard = self._listening.get(position)
        if heard is None:
            heard = self._listening[position] = _beside(self._world, position)
        sources, wires = heard
        if sources:
            return any(map(self._source_on, sources))
        return not wires or any(map(self._wire_on, wires))

    def _source_on(self, position: Position) -> bool:
        on = self._sources.get(position)
        if on is None:
            switch = self._world.switches.get(position)
            on = switch.on if switch is not None else sensor_on(self._world, position)
            self._sources[position] = on
        return on

    def _wire_on(self, position: Position) -> bool:
        wires, sources = network_of(self._world, position)
        on = self._networks.get(wires[0])
        if on is None:
            on = self._networks[wires[0]] = any(map(self._source_on, sources))
        return on


def _beside(world: World, position: Position) -> tuple[list[Position], list[Position]]:
    cells, wire = around(position), world.catalogs.block_number["WIRE"]
    sources = [cell for cell in cells if is_source(world, cell)]
    return sources, [cell for cell in cells if world.ground.block(*cell) == wire]


def is_source(world: World, position: Position) -> bool:
    return position in world.switches or position in world.sensors


def network_of(world: World, wire: Position) -> tuple[list[Position], list[Position]]:
    """All wires connected with this one, and the switches and sensors they touch.

    An overlong network carries no signal: it counts as the wire alone, without sources.
    """
    index = index_of(world)
    if wire not in index.networks and wire not in index.overlong:
        wires, sources = _explore(world, wire)
        if sources is None:
            index.overlong.update(dict.fromkeys(wires))
        else:
            index.networks.update(dict.fromkeys(wires, (wires, sources)))
    return index.networks.get(wire, ([wire], []))


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
