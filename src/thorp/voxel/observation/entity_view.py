"""What agents see of others: bodies, things that are blocks, items on the ground.

A crowd of a thousand is a million pairs, too many to look at one by one. So `pairs` finds for all
agents at once what is near them, unless there are few. Places are sorted by the squares they lie
in, as wide as the reach: what is near lies in the same square or in one of the eight beside it, and
three squares of a column lie side by side in that order, too. Every thing is written once a tick,
when the first agent sees it.
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
# Only this many of the nearest. A crowd must not make everyone's OBS grow with the square of its
# size.
MAX_SEEN: Final = 200
# No distance is as far: a cube reaches 32 cells in each direction.
FARTHEST: Final = 128

# Where things are looked for: in squares of 64 cells, with those beside them. Nobody sees farther.
REGION_BITS: Final = 6
REGION_CHUNK_BITS: Final = REGION_BITS - 4
# Up to this product of agents and things, looking at them one by one is faster.
FEW_PAIRS: Final = 400

# Texts of blocks are kept from tick to tick: some ten megabytes.
BLOCKS_KEPT: Final = 50_000
# What stands behind an agent's place: few of them differ.
ABOUTS_KEPT: Final = 10_000

_DIRECTION: Final = {(1, 0): "dir:+X", (-1, 0): "dir:-X", (0, 1): "dir:+Z", (0, -1): "dir:-Z"}
_STATE: Final = ("state:off", "state:on")

Region = tuple[int, int]
Numbers = NDArray[np.int64]
Places = NDArray[np.int64]  # A row of x, one of y, one of z.

# As many at once as let what is computed of them stay in the processor's caches.
PAIRS_AT_ONCE: Final = 2**15

_COLUMNS: Final = np.array([[-1], [0], [1]])


def look(world: WorldState, agents: Sequence[Agent]) -> list[bytes]:
    """The entities in the OBS of each of these agents, without the brackets."""
    things = _Things(world, _around(agents))
    return [things.written(seen) for seen in things.seen_by_all(agents)]


def things_seen(world: WorldState, agents: Sequence[Agent]) -> list[list[Any]]:
    """The same as the things themselves: agents, containers, signs, items and so on, in the same
    order."""
    things = _Things(world, _around(agents))
    return [[things.values[number] for number in seen] for seen in things.seen_by_all(agents)]


def _around(agents: Iterable[Agent]) -> set[Region]:
    """The regions that agents are in, and those that can be seen into from there."""
    inside = {(agent.x >> REGION_BITS, agent.z >> REGION_BITS) for agent in agents}
    return {(x + dx, z + dz) for x, z in inside for dx in (-1, 0, 1) for dz in (-1, 0, 1)}


class _Things:
    """All that can be seen in some regions, in the order in which it is listed: by its kind, then
    its key."""

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
        if len(self) <= MAX_SEEN and len(agents) * len(self) <= FEW_PAIRS:
            return map(self.seen_by, agents)
        return self.seen_by_many(agents)

    def seen_by(self, agent: Agent) -> list[int]:
        x, y, z = agent.position
        seen = []
        for number, thing in enumerate(self.values):
            there_x, there_y, there_z = thing.position
            away = abs(there_x - x)
            above = abs(there_y - y)
            aside = abs(there_z - z)
            if number in self._sensors:  # these are seen within the cube only
                near = max(away, above, aside) <= self._radius
            else:
                near = away + above + aside <= SIGHT
            if near and thing is not agent:
                seen.append(number)
        return seen

    def seen_by_many(self, agents: Sequence[Agent]) -> Iterator[list[int]]:
        """What each of them sees: all that is near enough, or the nearest of it."""
        there = places([thing.position for thing in self.values])
        own = self._numbers(agents)
        here = there.take(own, axis=1)
        for some, who, what in pairs(here, there, max(SIGHT, self._radius)):
            away = np.abs(there.take(what, axis=1) - here[:, some].take(who, axis=1))
            distances = away[0] + away[1] + away[2]
            near = distances <= SIGHT
            sensors = np.flatnonzero((what >= self._sensors.start) & (what < self._sensors.stop))
            near[sensors] = away.take(sensors, axis=1).max(axis=0) <= self._radius
            near &= what != own[some].take(who)
            seen = np.flatnonzero(near)
            yield from self._listed(some.stop - some.start, who[seen], what[seen], distances[seen])

    def _listed(
        self, rows: int, who: Numbers, what: Numbers, distances: Numbers
    ) -> Iterator[list[int]]:
        """What each row sees, in order, but no more than MAX_SEEN."""
        counts = np.bincount(who, minlength=rows)
        if counts.max() > MAX_SEEN:
            by_distance = np.sort((who * FARTHEST + distances) * len(self) + what)
            rank = np.arange(len(who)) - (counts.cumsum() - counts).repeat(counts)
            nearest = by_distance[rank < MAX_SEEN]
            who = nearest // (FARTHEST * len(self))
            what = nearest % len(self)
        listed = np.sort(who * len(self) + what)
        edges = listed.searchsorted(np.arange(rows + 1) * len(self)).tolist()
        seen = (listed % len(self)).tolist()
        return (seen[begin:end] for begin, end in pairwise(edges))

    def _numbers(self, agents: Sequence[Agent]) -> Numbers:
        """Which of the things these agents are."""
        are_agents = takewhile(lambda thing: isinstance(thing, Agent), self.values)
        numbers = {agent.number: number for number, agent in enumerate(are_agents)}
        return np.array([numbers[agent.number] for agent in agents])

    def written(self, seen: list[int]) -> bytes:
        texts = self._texts
        return b",".join([texts[number] or self._write(number) for number in seen])

    def _write(self, number: int) -> bytes:
        text = self._texts[number] = self._writers[number](self.values[number])
        return text


class Pairs(NamedTuple):
    """All pairs of some places `here`, in no order."""

    some: slice
    here: Numbers  # Counted from the first of them.
    there: Numbers


def places(positions: Sequence[tuple[int, int, int]]) -> Places:
    """Positions as three rows of x, y and z, so that distances are computed for all at once."""
    flat = np.fromiter(chain.from_iterable(positions), np.int64, 3 * len(positions))
    return np.ascontiguousarray(flat.reshape(-1, 3).T)


def pairs(here: Places, there: Places, reach: int) -> Iterator[Pairs]:
    """All that are at most `reach` cells apart along x and along z, and some that are farther
    apart."""
    bits = (reach - 1).bit_length()
    squares = _squares(there[0] >> bits, there[2] >> bits)
    order = squares.argsort()
    squares = squares[order]
    x = (here[0] >> bits) + _COLUMNS
    z = here[2] >> bits
    begins = squares.searchsorted(_squares(x, z - 1), "left")
    counts = squares.searchsorted(_squares(x, z + 1), "right") - begins
    edges = np.flatnonzero(np.diff(counts.sum(axis=0).cumsum() // PAIRS_AT_ONCE)) + 1
    for first, last in pairwise([0, *edges.tolist(), here.shape[1]]):
        some = slice(first, last)
        begin = begins[:, some].ravel()
        count = counts[:, some].ravel()
        steps = np.arange(count.sum()) + (begin - count.cumsum() + count).repeat(count)
        who = np.tile(np.arange(last - first), len(_COLUMNS)).repeat(count)
        yield Pairs(some, who, order.take(steps))


def _squares(x: Numbers, z: Numbers) -> Numbers:
    """One number for each square; those of a column follow each other."""
    return (x << 32) + z


def _inside(table: Placed[Any, Any], regions: set[Region]) -> list[Any]:
    """The things of a table in these regions, in key order."""
    found: list[tuple[Any, Any]] = []
    for (cx, cz), things in table.chunks().items():
        if (cx >> REGION_CHUNK_BITS, cz >> REGION_CHUNK_BITS) in regions:
            found += things.items()
    found.sort(key=itemgetter(0))
    return [value for _, value in found]


def _kinds(world: WorldState) -> tuple[tuple[Placed[Any, Any], Callable[[Any], bytes]], ...]:
    """Everything that can be seen, in the order in which it is listed, and how it is written."""
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
            lambda one: _block(one.position, "SENSOR", _STATE[sensor_on(world, one.position)]),
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
