"""What an agent sees of others: bodies, things that are blocks, items on the ground.

Every thing is written once a tick, when the first agent looks into its chunk.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final, NamedTuple

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


class _Thing(NamedTuple):
    """`rank` and `key` give the order in which things are listed."""

    rank: int
    key: int | Position
    x: int
    y: int
    z: int
    text: bytes


_AGENT, _CONTAINER, _BOARD, _SIGN, _CONVEYOR, _SWITCH, _SENSOR, _ITEM = range(8)


class Sight:
    """The eyes of one tick."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._chunks: dict[ChunkKey, list[_Thing]] = {}
        self._writers: tuple[tuple[Placed[Any, Any], Callable[[Any], _Thing]], ...] = (
            (world.agents, _agent),
            (world.containers, _container),
            (world.boards, _board),
            (world.signs, _sign),
            (world.conveyors, _conveyor),
            (world.switches, _switch),
            (world.sensors, self._sensor),
            (world.items, _item),
        )
        self._counts: defaultdict[ChunkKey, int] = defaultdict(int)
        for table, _ in self._writers:
            for chunk, inside in table.chunks().items():
                self._counts[chunk] += len(inside)

    def entities(self, agent: Agent) -> bytes:
        """The entities of an agent's OBS, without the brackets."""
        x, y, z = agent.x, agent.y, agent.z
        number = agent.number
        radius = self._world.tuning.obs_radius
        counts = self._counts
        rows = range((z - SIGHT) >> 4, ((z + SIGHT) >> 4) + 1)
        columns = range((x - SIGHT) >> 4, ((x + SIGHT) >> 4) + 1)
        chunks = [(cx, cz) for cx in columns for cz in rows if (cx, cz) in counts]
        if len(chunks) == 1 and counts[chunks[0]] == 1:
            return b""  # it is alone
        seen: list[tuple[int, _Thing]] = []
        for chunk in chunks:
            for thing in self._chunks.get(chunk) or self._look(chunk):
                rank, key, thing_x, thing_y, thing_z, _ = thing
                away, above, aside = abs(thing_x - x), abs(thing_y - y), abs(thing_z - z)
                if rank == _SENSOR:
                    visible = max(away, above, aside) <= radius
                else:
                    visible = away + above + aside <= SIGHT and (rank != _AGENT or key != number)
                if visible:
                    seen.append((away + above + aside, thing))
        if not seen:
            return b""
        if len(seen) > MAX_SEEN:
            seen.sort()
            del seen[MAX_SEEN:]
        return b",".join([thing.text for thing in sorted([thing for _, thing in seen])])

    def _look(self, chunk: ChunkKey) -> list[_Thing]:
        things = [
            write(value)
            for table, write in self._writers
            if chunk in table.chunks()
            for value in table.in_chunk(*chunk)
        ]
        self._chunks[chunk] = things
        return things

    def _sensor(self, sensor: Sensor) -> _Thing:
        on = signals.sensor_on(self._world, sensor.position)
        return _block(_SENSOR, sensor.position, "SENSOR", _state(on))


def _agent(agent: Agent) -> _Thing:
    trade = agent.reputation["trade"]
    hint = f',"reputation_hint":{trade / 1000:g}' if trade else ""
    tags = ",".join([f'"org:{agent.org}"'] * bool(agent.org) + ['"wanted"'] * sanctions.is_wanted(agent))
    about = f',"tags":[{tags}]{hint}' if tags else hint
    return _thing(_AGENT, agent.number, agent.position, agent.id, "AGENT", about)


def _container(container: Container) -> _Thing:
    return _block(_CONTAINER, container.position, container.kind)


def _board(board: Board) -> _Thing:
    return _block(_BOARD, board.position, "BULLETIN_BOARD")


def _sign(sign: Sign) -> _Thing:
    return _block(_SIGN, sign.position, "SIGN", "has_text" if sign.text.strip() else "")


def _conveyor(belt: Conveyor) -> _Thing:
    return _block(_CONVEYOR, belt.position, "CONVEYOR", f"dir:{_DIRECTION[belt.dx, belt.dz]}")


def _switch(switch: Switch) -> _Thing:
    return _block(_SWITCH, switch.position, "SWITCH", _state(switch.on))


def _item(item: ItemEntity) -> _Thing:
    what = f',"item":"{item.item}","count":{item.count}'
    return _thing(_ITEM, item.number, item.position, item.id, "ITEM", what)


def _state(on: bool) -> str:
    return "state:on" if on else "state:off"


def _block(rank: int, at: Position, kind: str, tag: str = "") -> _Thing:
    tags = f',"tags":["{tag}"]' if tag else ""
    return _thing(rank, at, at, block_id(kind, at), kind, tags)


def _thing(rank: int, key: int | Position, at: Position, name: str, kind: str, more: str = "") -> _Thing:
    x, y, z = at
    return _Thing(rank, key, x, y, z, f'{{"id":"{name}","type":"{kind}","pos":[{x},{y},{z}]{more}}}'.encode())
