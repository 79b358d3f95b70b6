"""The entities in an OBS: other bodies, blocks with a state of their own, items on the ground.

A crowd of a thousand has a million pairs, too many to look at one by one. So, unless there are only
a few pairs, `pairs` finds for all agents at once what is near them. Places are sorted by squares
that are as wide as the reach: whatever is near lies in the same square or in one of the eight
around it. Squares are numbered so that three of them in a column follow each other, so each agent
needs three ranges of the sorted list. Every entity is written once in a tick, when the first agent
sees it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise, takewhile
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thorp.voxel.lookups import permissions
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.table import Placed
from thorp.voxel.state.world import ItemEntity, WorldState, block_id
from thorp.voxel.systems.conveyors import sensor_on

SIGHT: Final = 16
# An OBS lists at most this many, the nearest. Without a limit, the OBS of a crowd would grow with
# the square of its size.
MAX_SEEN: Final = 200
# More than any distance between an agent and what it sees: a cube reaches 32 cells in each
# direction.
FARTHEST: Final = 128

# Entities are looked for in regions, squares of 64 cells, and in those around them: nobody sees
# farther.
REGION_BITS: Final = 6
REGION_CHUNK_BITS: Final = REGION_BITS - 4
# Up to this product of agents and entities, looking at them one by one is faster.
FEW_PAIRS: Final = 400

# Texts of blocks are kept from tick to tick: some ten megabytes.
BLOCKS_KEPT: Final = 50_000
# Texts of what follows an agent's position, its tags and reputation: few of them differ.
ABOUTS_KEPT: Final = 10_000

_DIRECTION: Final = {(1, 0): "dir:+X", (-1, 0): "dir:-X", (0, 1): "dir:+Z", (0, -1): "dir:-Z"}
_STATE: Final = ("state:off", "state:on")

Region = tuple[int, int]
Numbers = NDArray[np.int64]
Places = NDArray[np.int64]  # A row of x, one of y, one of z.

# Pairs are computed in batches whose arrays stay in the processor's caches.
PAIRS_AT_ONCE: Final = 2**15

_COLUMNS: Final = np.array([[-1], [0], [1]])


def look(world: WorldState, agents: Sequence[Agent]) -> list[bytes]:
    """The entities in the OBS of each of these agents, without the brackets."""
    things = _Things(world, _around(agents))
    return [things.written(seen) for seen in things.seen_by_all(agents)]


def things_seen(world: WorldState, agents: Sequence[Agent]) -> list[list[Any]]:
    """The entities that each of these agents sees, as rows of the tables: agents, containers,
    signs, items and so on, in the order of an OBS."""
    things = _Things(world, _around(agents))
    return [[things.values[number] for number in seen] for seen in things.seen_by_all(agents)]


def _around(agents: Iterable[Agent]) -> set[Region]:
    """The regions that agents are in, and those around them."""
    inside = {(agent.x >> REGION_BITS, agent.z >> REGION_BITS) for agent in agents}
    return {(x + dx, z + dz) for x, z in inside for dx in (-1, 0, 1) for dz in (-1, 0, 1)}


class _Things:
    """All entities in some regions, in the order in which an OBS lists them: by kind, then by
    key."""

    def __init__(self, world: WorldState, regions: set[Region]) -> None:
        self._radius = world.tuning.obs_radius
        self.values: list[Any] = []
        self._writers: list[Callable[[Any], bytes]] = []
        self._sensors = range(0)
        for table, writer in _kinds(world):
            if not len(table):
                continue
            first = len(self.values)
            self.values += _inside(table, regions)
            self._writers += [writer] * (len(self.values) - first)
            if table is world.sensors:
                self._sensors = range(first, len(self.values))
        self._texts = [b""] * len(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def seen_by_all(self, agents: Sequence[Agent]) -> Iterable[list[int]]:
        """The numbers of the entities that each agent sees, in order."""
        if len(self) <= MAX_SEEN and len(agents) * len(self) <= FEW_PAIRS:
            return map(self.seen_by, agents)
        return self.seen_by_many(agents)

    def seen_by(self, agent: Agent) -> list[int]:
        """The entities that one agent sees, looked at one by one."""
        x, y, z = agent.position
        seen = []
        for number, thing in enumerate(self.values):
            there_x, there_y, there_z = thing.position
            away = abs(there_x - x)
            above = abs(there_y - y)
            aside = abs(there_z - z)
            if number in self._sensors:  # sensors are seen within the cube only
                near = max(away, above, aside) <= self._radius
            else:
                near = away + above + aside <= SIGHT
            if near and thing is not agent:
                seen.append(number)
        return seen

    def seen_by_many(self, agents: Sequence[Agent]) -> Iterator[list[int]]:
        """The entities that each agent sees, all that are near enough or the nearest of them,
        computed for all agents together."""
        there = places([thing.position for thing in self.values])
        own = self._numbers(agents)
        here = there.take(own, axis=1)
        for batch, viewers, things in pairs(here, there, max(SIGHT, self._radius)):
            away = np.abs(there.take(things, axis=1) - here[:, batch].take(viewers, axis=1))
            distances = away[0] + away[1] + away[2]
            near = distances <= SIGHT
            sensors = np.flatnonzero(
                (things >= self._sensors.start) & (things < self._sensors.stop)
            )
            near[sensors] = away.take(sensors, axis=1).max(axis=0) <= self._radius
            near &= things != own[batch].take(viewers)  # nobody sees itself
            seen = np.flatnonzero(near)
            yield from self._listed(
                batch.stop - batch.start, viewers[seen], things[seen], distances[seen]
            )

    def _listed(
        self, rows: int, viewers: Numbers, things: Numbers, distances: Numbers
    ) -> Iterator[list[int]]:
        """The things that each viewer sees, in order, but at most MAX_SEEN of them.

        Viewer, distance and thing are packed into one number for each pair, so that one sort of
        plain integers orders by all three.
        """
        counts = np.bincount(viewers, minlength=rows)
        if counts.max() > MAX_SEEN:
            by_distance = np.sort((viewers * FARTHEST + distances) * len(self) + things)
            # How many pairs of the same viewer come before each.
            rank = np.arange(len(viewers)) - (counts.cumsum() - counts).repeat(counts)
            nearest = by_distance[rank < MAX_SEEN]
            viewers = nearest // (FARTHEST * len(self))
            things = nearest % len(self)
        listed = np.sort(viewers * len(self) + things)
        edges = listed.searchsorted(np.arange(rows + 1) * len(self)).tolist()
        seen = (listed % len(self)).tolist()
        return (seen[begin:end] for begin, end in pairwise(edges))

    def _numbers(self, agents: Sequence[Agent]) -> Numbers:
        """The numbers that these agents have among all things."""
        are_agents = takewhile(lambda thing: isinstance(thing, Agent), self.values)
        numbers = {agent.number: number for number, agent in enumerate(are_agents)}
        return np.array([numbers[agent.number] for agent in agents])

    def written(self, seen: list[int]) -> bytes:
        """The texts of some things, separated by commas."""
        texts = self._texts
        return b",".join([texts[number] or self._write(number) for number in seen])

    def _write(self, number: int) -> bytes:
        text = self._texts[number] = self._writers[number](self.values[number])
        return text


class Pairs(NamedTuple):
    """All pairs of a batch of places, in no order."""

    batch: slice  # The places `here` that these pairs are of.
    here: Numbers  # For each pair, the place here, counted from the first of the batch.
    there: Numbers  # For each pair, the place there.


def places(positions: Sequence[tuple[int, int, int]]) -> Places:
    """Positions as three rows of x, y and z, so that distances are computed for all at once."""
    flat = np.fromiter(chain.from_iterable(positions), np.int64, 3 * len(positions))
    return np.ascontiguousarray(flat.reshape(-1, 3).T)


def pairs(here: Places, there: Places, reach: int) -> Iterator[Pairs]:
    """All pairs of places that are at most `reach` cells apart along x and along z, and some that
    are farther apart."""
    bits = (reach - 1).bit_length()
    squares = _squares(there[0] >> bits, there[2] >> bits)
    order = squares.argsort()
    squares = squares[order]
    x = (here[0] >> bits) + _COLUMNS
    z = here[2] >> bits
    # For each place here and each of three columns of squares: where its range of `order` begins,
    # and how long it is.
    begins = squares.searchsorted(_squares(x, z - 1), "left")
    counts = squares.searchsorted(_squares(x, z + 1), "right") - begins
    edges = np.flatnonzero(np.diff(counts.sum(axis=0).cumsum() // PAIRS_AT_ONCE)) + 1
    for first, last in pairwise([0, *edges.tolist(), here.shape[1]]):
        batch = slice(first, last)
        begin = begins[:, batch].ravel()
        count = counts[:, batch].ravel()
        # All ranges one after the other: the running number, moved to where its range begins.
        steps = np.arange(count.sum()) + (begin - count.cumsum() + count).repeat(count)
        viewers = np.tile(np.arange(last - first), len(_COLUMNS)).repeat(count)
        yield Pairs(batch, viewers, order.take(steps))


def _squares(x: Numbers, z: Numbers) -> Numbers:
    """One number for each square; the squares of a column have consecutive numbers."""
    return (x << 32) + z


def _inside(table: Placed[Any, Any], regions: set[Region]) -> list[Any]:
    """The things of a table in these regions, in key order."""
    items: list[tuple[Any, Any]] = []
    for (cx, cz), things in table.chunks().items():
        if (cx >> REGION_CHUNK_BITS, cz >> REGION_CHUNK_BITS) in regions:
            items += things.items()
    items.sort(key=itemgetter(0))
    return [value for _, value in items]


def _kinds(world: WorldState) -> tuple[tuple[Placed[Any, Any], Callable[[Any], bytes]], ...]:
    """Every table of entities, in the order in which an OBS lists them, and how one is written."""
    return (
        (world.agents, _agent),
        (world.containers, lambda chest: _block(chest.position, chest.kind)),
        (world.boards, lambda board: _block(board.position, "BULLETIN_BOARD")),
        (
            world.signs,
            lambda sign: _block(sign.position, "SIGN", "has_text" if sign.text.strip() else ""),
        ),
        (
            world.conveyors,
            lambda belt: _block(belt.position, "CONVEYOR", _DIRECTION[belt.dx, belt.dz]),
        ),
        (world.switches, lambda switch: _block(switch.position, "SWITCH", _STATE[switch.on])),
        (
            world.sensors,
            lambda sensor: _block(
                sensor.position, "SENSOR", _STATE[sensor_on(world, sensor.position)]
            ),
        ),
        (world.items, _item),
    )


def _agent(agent: Agent) -> bytes:
    about = _about(agent.reputation["trade"], agent.org, permissions.is_wanted(agent))
    return _written(agent.position, agent.id, "AGENT", about)


@lru_cache(maxsize=ABOUTS_KEPT)
def _about(trade: int, org: str, wanted: bool) -> str:
    hint = f',"reputation_hint":{trade / 1000:g}' if trade else ""
    tags = ",".join([f'"org:{org}"'] * bool(org) + ['"wanted"'] * wanted)
    return f',"tags":[{tags}]{hint}' if tags else hint


def _item(item: ItemEntity) -> bytes:
    return _written(item.position, item.id, "ITEM", f',"item":"{item.item}","count":{item.count}')


@lru_cache(maxsize=BLOCKS_KEPT)
def _block(at: Position, kind: str, tag: str = "") -> bytes:
    return _written(at, block_id(kind, at), kind, f',"tags":["{tag}"]' if tag else "")


def _written(at: Position, name: str, kind: str, more: str = "") -> bytes:
    return f'{{"id":"{name}","type":"{kind}","pos":[{at[0]},{at[1]},{at[2]}]{more}}}'.encode()
