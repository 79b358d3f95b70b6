"""Exploration: how an agent finds what is not in sight.

An agent sees a cube of some cells around itself. To search an area it walks from stop to stop along
squares around the place where it began, and looks after every step. The squares are far enough
apart that the views from one just touch the views from the next. Every second square is walked
first, because woods and lakes are larger than one view, and then those between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from thorp.client.actions import move_to
from thorp.protocol.obs import Position

if TYPE_CHECKING:
    from thorp.client.agent import Agent

NEAR_STOP: Final = 2
"""Cells from a stop at which it counts as reached."""
WALK_TICKS: Final = 150
"""A walk between two stops that takes longer is given up."""
REACH: Final = 2
"""How far an agent can reach to mine, along the axes. The protocol does not tell it."""
PASSABLE: Final = frozenset(
    {
        *("AIR", "TALL_GRASS", "SAPLING", "TORCH", "SIGN", "WIRE"),
        *("BERRY_BUSH", "BERRY_BUSH_BARE", "WHEAT_SPROUT", "WHEAT_RIPE"),
    }
)
"""Blocks that a body walks through."""
SIDES: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
STEP_HEIGHT: Final = 3
"""How far above or below a block its neighbouring columns are searched for ground to stand on."""


class Walk:
    """A walk through an area, which can be broken off after every step."""

    def __init__(self, agent: Agent, within: int) -> None:
        self._agent = agent
        self._stops = stops(agent.position, within, max(1, 2 * agent.sight - NEAR_STOP))
        self._task_id = ""
        self._until = 0

    async def go_on(self) -> bool:
        """Walk for a tick; False when every stop was visited, or could not be reached."""
        agent = self._agent
        if not self._is_walking():
            await self.stop()
            stop = next(self._stops, None)
            if stop is None:
                return False
            self._until = agent.tick + WALK_TICKS
            x, z = stop
            started = await agent.begin(move_to((x, agent.position[1], z), tolerance=NEAR_STOP))
            self._task_id = started.task_id
        await agent.next_tick()
        return True

    async def stop(self) -> None:
        """Stand still."""
        if self._task_id and any(task.task_id == self._task_id for task in self._agent.obs.tasks):
            await self._agent.act(cancel=[self._task_id])
            await self._agent.next_tick()
        self._task_id = ""

    def _is_walking(self) -> bool:
        is_running = any(task.task_id == self._task_id for task in self._agent.obs.tasks)
        return bool(self._task_id) and is_running and self._agent.tick < self._until


def stops(start: Position, within: int, stride: int) -> Iterator[tuple[int, int]]:
    """Columns on squares around a start, one after the other around each."""
    x, _, z = start
    sizes = range(stride, within + 1, stride)
    for size in (*sizes[::2], *sizes[1::2]):
        side = range(-size, size, stride)
        for along in side:
            yield x + along, z - size
        for along in side:
            yield x + size, z + along
        for along in side:
            yield x - along, z + size
        for along in side:
            yield x - size, z - along


async def seek(agent: Agent, *names: str, within: int, ticks: int | None = None) -> Position | None:
    """Walk and look until a block of these names is in sight to which an arm can reach."""
    start = agent.position
    until = None if ticks is None else agent.tick + ticks
    walk = Walk(agent, within)
    try:
        while True:
            place = _nearest_in_reach(agent, names, start, within)
            if place is not None or (until is not None and agent.tick >= until):
                return place
            if not await walk.go_on():
                return None
    finally:
        if agent.over is None:
            await walk.stop()


def _nearest_in_reach(
    agent: Agent, names: tuple[str, ...], start: Position, within: int
) -> Position | None:
    for place in agent.find_all(*names):
        is_near = abs(place[0] - start[0]) <= within and abs(place[2] - start[2]) <= within
        if is_near and is_in_reach(agent, place):
            return place
    return None


def is_in_reach(agent: Agent, place: Position) -> bool:
    """Whether an arm reaches a block from beside it, on whichever side a walk to it ends."""
    x, y, z = place
    heights = [_ground_beside(agent, (x + dx, y, z + dz)) for dx, dz in SIDES]
    feet = [height for height in heights if height is not None]
    return bool(feet) and all(abs(height - y) < REACH for height in feet)


def _ground_beside(agent: Agent, cell: Position) -> int | None:
    """The height, near that of a cell, at which a body stands in its column; None if it cannot."""
    x, y, z = cell
    nearest_first = sorted(range(-STEP_HEIGHT, STEP_HEIGHT + 1), key=abs)
    return next((y + dy for dy in nearest_first if _can_stand(agent, (x, y + dy, z))), None)


def _can_stand(agent: Agent, feet: Position) -> bool:
    x, y, z = feet
    below = agent.block(x, y - 1, z)
    is_open = agent.block(x, y, z) in PASSABLE and agent.block(x, y + 1, z) in PASSABLE
    return is_open and below is not None and below not in PASSABLE and below != "WATER"
