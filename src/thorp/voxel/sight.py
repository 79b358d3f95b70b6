"""What agents see of others: bodies, things that are blocks, items on the ground.

A crowd of a thousand is a million pairs, too many to look at one by one. So everybody of a region looks at
once, at all that is in it or near it. Every thing is written once a tick, when the first agent sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from thorp.voxel.agent import Agent
from thorp.voxel.ground import Position
from thorp.voxel.society import sanctions
from thorp.voxel.systems import signals
from thorp.voxel.table import Placed
from thorp.voxel.world import (
    Board,
    Container,
    Conveyor,
    ItemEntity,
    Sensor,
    Sign,
    Switch,
    World,
    block_id,
)

SIGHT: Final = 16
# The nearest so many. A crowd must not make everyone's OBS grow with the square of its size.
MAX_SEEN: Final = 200

# A region is a square of 64 cells: nobody sees farther than into the next one. So many of its agents look at
# once that what they need stays small.
REGION_BITS: Final = 6
REGION_CHUNK_BITS: Final = REGION_BITS - 4
LOOKING_AT_ONCE: Final = 64
# Up to so many of agents times things, looking at one after the other is faster.
FEW_PAIRS: Final = 400

# Texts of blocks are kept from tick to tick: some ten megabytes.
BLOCKS_KEPT: Final = 50_000
# What stands behind an agent's place: few of them differ.
ABOUTS_KEPT: Final = 10_000

_DIRECTION: Final = {(1, 0): "+X", (-1, 0): "-X", (0, 1): "+Z", (0, -1): "-Z"}

Region = tuple[int, int]
Places = NDArray[np.int32]


def look(world: World, agents: Sequence[Agent]) -> list[bytes]:
    """The entities in the OBS of each of these agents, without the brackets."""
    regions = _by_region(agents)
    things = _Things(world, _with_those_beside(regions))
    texts = dict.fromkeys([agent.number for agent in agents], b"")
    for region, inside in regions.items():
        around = things.around(region)
        for first in range(0, len(inside), LOOKING_AT_ONCE):
            some = inside[first : first + LOOKING_AT_ONCE]
            for agent, seen in zip(some, things.seen_by(some, around), strict=True):
                texts[agent.number] = things.written(seen, but=agent)
    return [texts[agent.number] for agent in agents]


def _by_region(agents: Sequence[Agent]) -> dict[Region, list[Agent]]:
    regions: dict[Region, list[Agent]] = {}
    for agent in agents:
        regions.setdefault((agent.x >> REGION_BITS, agent.z >> REGION_BITS), []).append(agent)
    return regions


class _Things:
    """All that can be seen in some regions, in the order in which it is listed: by its kind, then its key."""

    def __init__(self, world: World, regions: dict[Region, None]) -> None:
        self._radius = world.tuning.obs_radius
        self._reach = max(SIGHT, self._radius)
        self._values: list[Any] = []
        self._writers: list[Callable[[Any], bytes]] = []
        self._sensors = (0, 0)
        for table, writer in _kinds(world):
            first = len(self._values)
            self._values += _inside(table, regions)
            self._writers += [writer] * (len(self._values) - first)
            if table is world.sensors:
                self._sensors = (first, len(self._values))
        self._texts = [b""] * len(self._values)
        self._places: list[Position] = [value.position for value in self._values]
        self._regions: dict[Region, list[int]] = {}
        for number, (x, _, z) in enumerate(self._places):
            self._regions.setdefault((x >> REGION_BITS, z >> REGION_BITS), []).append(number)

    def around(self, region: Region) -> list[int]:
        """The things in a region, and in those beside it."""
        found: list[int] = []
        for beside in _with_those_beside([region]):
            found += self._regions.get(beside, ())
        found.sort()
        return found

    def seen_by(self, agents: Sequence[Agent], around: list[int]) -> Iterable[list[int]]:
        """What each agent of a region sees, itself too: all that is near enough, or the nearest of it."""
        if len(around) <= MAX_SEEN and len(agents) * len(around) <= FEW_PAIRS:
            return [self._seen_from(agent.position, around) for agent in agents]
        return self._seen_by_many(agents, np.array(around))

    def _seen_from(self, here: Position, around: list[int]) -> list[int]:
        x, y, z = here
        first_sensor, behind_sensors = self._sensors
        seen = []
        for number in around:
            there_x, there_y, there_z = self._places[number]
            away, above, aside = abs(there_x - x), abs(there_y - y), abs(there_z - z)
            if first_sensor <= number < behind_sensors:
                near = max(away, above, aside) <= self._radius
            else:
                near = away + above + aside <= SIGHT
            if near:
                seen.append(number)
        return seen

    def _seen_by_many(self, agents: Sequence[Agent], around: NDArray[np.intp]) -> Iterator[list[int]]:
        """The same for all at once."""
        here: Places = np.array([agent.position for agent in agents], np.int32).T
        around = around[self._in_box(self._columns[:, around], here)]
        away = np.abs(here[:, :, None] - self._columns[:, None, around])
        distances = away[0] + away[1] + away[2]
        near = distances <= SIGHT
        sensors = slice(*around.searchsorted(self._sensors))  # these are seen within the cube only
        near[:, sensors] = away[:, :, sensors].max(axis=0) <= self._radius
        rows, columns = near.nonzero()
        edges = rows.searchsorted(range(len(agents) + 1)).tolist()
        seen = around[columns].tolist()
        for row, (begin, end) in enumerate(pairwise(edges)):
            if end - begin > MAX_SEEN:
                crowd = columns[begin:end]
                nearest = np.argsort(distances[row, crowd], kind="stable")[: MAX_SEEN + 1]  # one is itself
                yield around[np.sort(crowd[nearest])].tolist()
            else:
                yield seen[begin:end]

    @cached_property
    def _columns(self) -> Places:
        """All places: a row of x, one of y, one of z."""
        return np.array(self._places, np.int32).T

    def _in_box(self, places: Places, here: Places) -> NDArray[np.intp]:
        """Which places lie in the square that can be seen from somewhere `here`."""
        (x, _, z), low, high = places, here.min(axis=1) - self._reach, here.max(axis=1) + self._reach
        return np.flatnonzero((x >= low[0]) & (x <= high[0]) & (z >= low[2]) & (z <= high[2]))

    def written(self, seen: list[int], but: Agent) -> bytes:
        texts, values = self._texts, self._values
        return b",".join([texts[n] or self._write(n) for n in seen if values[n] is not but])

    def _write(self, number: int) -> bytes:
        text = self._texts[number] = self._writers[number](self._values[number])
        return text


def _with_those_beside(regions: Iterable[Region]) -> dict[Region, None]:
    """Regions, and those that can be seen into from there."""
    steps = [(dx, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
    return dict.fromkeys([(x + dx, z + dz) for x, z in regions for dx, dz in steps])


def _inside(table: Placed[Any, Any], regions: dict[Region, None]) -> list[Any]:
    """The things of a table in these regions, in key order."""
    found: list[tuple[Any, Any]] = []
    for (cx, cz), things in table.chunks().items():
        if (cx >> REGION_CHUNK_BITS, cz >> REGION_CHUNK_BITS) in regions:
            found += things.items()
    found.sort(key=itemgetter(0))
    return [value for _, value in found]


def _kinds(world: World) -> tuple[tuple[Placed[Any, Any], Callable[[Any], bytes]], ...]:
    """Everything that can be seen, in the order in which it is listed, and how it is written."""

    def sensor(sensor: Sensor) -> bytes:
        return _block(sensor.position, "SENSOR", _state(signals.sensor_on(world, sensor.position)))

    return (
        (world.agents, _agent),
        (world.containers, _container),
        (world.boards, _board),
        (world.signs, _sign),
        (world.conveyors, _conveyor),
        (world.switches, _switch),
        (world.sensors, sensor),
        (world.items, _item),
    )


def _agent(agent: Agent) -> bytes:
    about = _about(agent.reputation["trade"], agent.org, sanctions.is_wanted(agent))
    return _written(agent.position, agent.id, "AGENT", about)


@lru_cache(maxsize=ABOUTS_KEPT)
def _about(trade: int, org: str, wanted: bool) -> str:
    hint = f',"reputation_hint":{trade / 1000:g}' if trade else ""
    tags = ",".join([f'"org:{org}"'] * bool(org) + ['"wanted"'] * wanted)
    return f',"tags":[{tags}]{hint}' if tags else hint


def _container(container: Container) -> bytes:
    return _block(container.position, container.kind)


def _board(board: Board) -> bytes:
    return _block(board.position, "BULLETIN_BOARD")


def _sign(sign: Sign) -> bytes:
    return _block(sign.position, "SIGN", "has_text" if sign.text.strip() else "")


def _conveyor(belt: Conveyor) -> bytes:
    return _block(belt.position, "CONVEYOR", f"dir:{_DIRECTION[belt.dx, belt.dz]}")


def _switch(switch: Switch) -> bytes:
    return _block(switch.position, "SWITCH", _state(switch.on))


def _item(item: ItemEntity) -> bytes:
    return _written(item.position, item.id, "ITEM", f',"item":"{item.item}","count":{item.count}')


def _state(on: bool) -> str:
    return "state:on" if on else "state:off"


@lru_cache(maxsize=BLOCKS_KEPT)
def _block(at: Position, kind: str, tag: str = "") -> bytes:
    return _written(at, block_id(kind, at), kind, f',"tags":["{tag}"]' if tag else "")


def _written(at: Position, name: str, kind: str, more: str = "") -> bytes:
    return f'{{"id":"{name}","type":"{kind}","pos":[{at[0]},{at[1]},{at[2]}]{more}}}'.encode()
