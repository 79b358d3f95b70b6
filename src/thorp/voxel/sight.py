"""What an agent sees of others: bodies, things that are blocks, items on the ground.

Every thing is written once a tick, when the first agent sees it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final

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

_DIRECTION: Final = {(1, 0): "+X", (-1, 0): "-X", (0, 1): "+Z", (0, -1): "-Z"}


# Sensors are seen within the cube only; their place among the tables.
_SENSOR: Final = 6

# x, y, z; rank and key, which give the order in which things are listed; and what it is.
_Thing = tuple[int, int, int, int, Any, Any]


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
        self._texts: dict[tuple[int, Any], bytes] = {}
        self._counts: defaultdict[ChunkKey, int] = defaultdict(int)
        for table in self._tables:
            for chunk, inside in table.chunks().items():
                self._counts[chunk] += len(inside)

    def entities(self, agent: Agent) -> bytes:
        """The entities of an agent's OBS, without the brackets."""
        x, y, z = agent.x, agent.y, agent.z
        counts = self._counts
        rows = range((z - SIGHT) >> 4, ((z + SIGHT) >> 4) + 1)
        columns = range((x - SIGHT) >> 4, ((x + SIGHT) >> 4) + 1)
        chunks = [(cx, cz) for cx in columns for cz in rows if (cx, cz) in counts]
        if len(chunks) == 1 and counts[chunks[0]] == 1:
            return b""  # it is alone
        seen: list[tuple[int, int, Any, Any]] = []
        radius = self._world.tuning.obs_radius
        for chunk in chunks:
            for thing_x, thing_y, thing_z, rank, key, value in self._chunks.get(chunk) or self._look(chunk):
                away, above, aside = abs(thing_x - x), abs(thing_y - y), abs(thing_z - z)
                distance = away + above + aside
                if distance <= SIGHT if rank != _SENSOR else max(away, above, aside) <= radius:
                    seen.append((rank, key, distance, value))
        if len(seen) > MAX_SEEN:
            seen.sort(key=lambda thing: (thing[2], thing[0], thing[1]))
            del seen[MAX_SEEN + 1 :]  # one of them is itself
        if len(seen) > 1:
            seen.sort(key=itemgetter(0, 1))
        return b",".join([self._text(rank, key, value) for rank, key, _, value in seen if value is not agent])

    def _look(self, chunk: ChunkKey) -> list[_Thing]:
        things = self._chunks[chunk] = [
            (*value.position, rank, key, value)
            for rank, table in enumerate(self._tables)
            if chunk in table.chunks()
            for key, value in table.chunks()[chunk].items()
        ]
        return things

    def _text(self, rank: int, key: object, value: object) -> bytes:
        text = self._texts.get((rank, key))
        if text is None:
            text = self._texts[rank, key] = self._writers[rank](value)
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


def _block(at: Position, kind: str, tag: str = "") -> bytes:
    return _written(at, block_id(kind, at), kind, f',"tags":["{tag}"]' if tag else "")


def _written(at: Position, name: str, kind: str, more: str = "") -> bytes:
    return f'{{"id":"{name}","type":"{kind}","pos":[{at[0]},{at[1]},{at[2]}]{more}}}'.encode()
