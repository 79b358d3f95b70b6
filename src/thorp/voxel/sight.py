"""What an agent sees of others: bodies, things that are blocks, items on the ground.

Every thing is written once a tick, when the first agent sees it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from thorp.voxel.agent import Agent
from thorp.voxel.ground import ChunkKey, Position
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

# Texts of blocks are kept from tick to tick: some ten megabytes.
BLOCKS_KEPT: Final = 50_000

_DIRECTION: Final = {(1, 0): "+X", (-1, 0): "-X", (0, 1): "+Z", (0, -1): "-Z"}


# Sensors are seen within the cube only; their place among the tables.
_SENSOR: Final = 6

# x, y, z; rank and key, which give the order in which things are listed; and what it is.
_Thing = tuple[int, int, int, int, Any, Any]
_LISTED: Final = itemgetter(3, 4)


class _Surroundings:
    """What can be seen from somewhere in a chunk."""

    def __init__(self, things: list[_Thing]) -> None:
        self.things = things
        self._places: NDArray[np.int32] | None = None
        if len(things) > MAX_SEEN:
            things.sort(key=_LISTED)
            self._places = np.array([thing[:3] for thing in things], np.int32)
            ranks = [thing[3] for thing in things]
            self._sensors = slice(bisect_left(ranks, _SENSOR), bisect_left(ranks, _SENSOR + 1))

    def seen_from(self, x: int, y: int, z: int, radius: int) -> list[_Thing]:
        """The things that are near enough, in order; the nearest of them if they are too many."""
        if self._places is not None:
            return self._seen_among_many(self._places, (x, y, z), radius)
        seen = []
        for thing in self.things:
            thing_x, thing_y, thing_z, rank, _, _ = thing
            away, above, aside = abs(thing_x - x), abs(thing_y - y), abs(thing_z - z)
            if away + above + aside <= SIGHT if rank != _SENSOR else max(away, above, aside) <= radius:
                seen.append(thing)
        if len(seen) > 1:
            seen.sort(key=_LISTED)
        return seen

    def _seen_among_many(self, places: NDArray[np.int32], here: Position, radius: int) -> list[_Thing]:
        """As above. A crowd of a thousand is a million pairs, too many to look at one by one."""
        away = np.abs(places - np.array(here, np.int32))
        distances = away.sum(axis=1)
        near = distances <= SIGHT
        near[self._sensors] = away[self._sensors].max(axis=1) <= radius
        (seen,) = near.nonzero()
        if len(seen) > MAX_SEEN:
            nearest = np.argsort(distances[seen], kind="stable")
            seen = np.sort(seen[nearest[: MAX_SEEN + 1]])  # one of them is itself
        things = self.things
        return [things[number] for number in seen.tolist()]


class Sight:
    """The eyes of one tick."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._tables: tuple[Placed[Any, Any], ...] = (
            world.agents,
            world.containers,
            world.boards,
            world.signs,
            world.conveyors,
            world.switches,
            world.sensors,
            world.items,
        )
        self._writers: tuple[Callable[[Any], bytes], ...] = (
            _agent,
            _container,
            _board,
            _sign,
            _conveyor,
            _switch,
            self._sensor,
            _item,
        )
        self._chunks: dict[ChunkKey, list[_Thing]] = {}
        self._around: dict[ChunkKey, _Surroundings] = {}
        self._texts: tuple[dict[Any, bytes], ...] = tuple({} for _ in self._tables)
        self._occupied = {chunk: None for table in self._tables for chunk in table.chunks()}

    def entities(self, agent: Agent) -> bytes:
        """The entities of an agent's OBS, without the brackets."""
        chunk = (agent.x >> 4, agent.z >> 4)
        around = self._around.get(chunk)
        if around is None:
            around = self._around[chunk] = self._look_around(chunk)
        if len(around.things) == 1:
            return b""  # it is alone
        seen = around.seen_from(agent.x, agent.y, agent.z, self._world.tuning.obs_radius)
        texts, write = self._texts, self._write
        return b",".join(
            [
                texts[rank].get(key) or write(rank, key, it)
                for _, _, _, rank, key, it in seen
                if it is not agent
            ]
        )

    def _look_around(self, chunk: ChunkKey) -> _Surroundings:
        """What is in a chunk or beside it: nothing farther off is seen from anywhere in it."""
        cx, cz = chunk
        things: list[_Thing] = []
        for x in (cx - 1, cx, cx + 1):
            for z in (cz - 1, cz, cz + 1):
                if (x, z) in self._occupied:
                    things += self._chunks.get((x, z)) or self._look((x, z))
        return _Surroundings(things)

    def _look(self, chunk: ChunkKey) -> list[_Thing]:
        things = self._chunks[chunk] = [
            (*value.position, rank, key, value)
            for rank, table in enumerate(self._tables)
            if chunk in table.chunks()
            for key, value in table.chunks()[chunk].items()
        ]
        return things

    def _write(self, rank: int, key: object, value: object) -> bytes:
        text = self._texts[rank][key] = self._writers[rank](value)
        return text

    def _sensor(self, sensor: Sensor) -> bytes:
        on = signals.sensor_on(self._world, sensor.position)
        return _block(sensor.position, "SENSOR", _state(on))


def _agent(agent: Agent) -> bytes:
    trade = agent.reputation["trade"]
    hint = f',"reputation_hint":{trade / 1000:g}' if trade else ""
    tags = ",".join([f'"org:{agent.org}"'] * bool(agent.org) + ['"wanted"'] * sanctions.is_wanted(agent))
    about = f',"tags":[{tags}]{hint}' if tags else hint
    return _written(agent.position, agent.id, "AGENT", about)


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
