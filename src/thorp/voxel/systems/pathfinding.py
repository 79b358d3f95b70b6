"""Pathfinding: A* over the cells in which a body can rest. `docs/world-movement.md` has the steps.

A search may be interrupted after any cell (`state.agent.PathSearch`). It reads copies of the chunks
it comes into, and copies them again when it is resumed. Cells that it had reached by then are not
looked at again, though the ground may have changed: `movement` checks every step.

The inner loop decides how many agents a world can bear, so it is written for speed:

    - A cell is a number: chunk << 14 | y << 8 | z << 4 | x. The cells beside it are 1 and 16 away,
      except at the edges of a chunk.
    - Costs are small whole numbers, so the open cells are kept in one list for each estimated
      total. A heap of totals stays tiny, and a list gives its newest cell first, which goes on
      along the way that was just tried.
    - The usual neighbour, level and dry, is recognized with three reads; `landing` does the rest.

A path is one byte a step, the next step last, so that taking a step cuts off the end. The direction
is in the upper two bits; below it is the height of the cell to come to rest in.
"""

from collections.abc import Callable
from functools import cache
from heapq import heappop, heappush
from typing import Final, Literal, NamedTuple

import numpy as np

from thorp.voxel.catalog import OPEN, SOLID, WATER
from thorp.voxel.state.agent import CHUNK_BITS, PathSearch
from thorp.voxel.state.ground import CHUNK, CHUNK_CELLS, LAYER, ChunkKey, Ground, Position
from thorp.voxel.systems.bodies import SAFE_DROP, cell_index, landing, resting_heights

# Directions are quarter turns, as yaw counts them: +Z, +X, -Z, -X.
DIRECTIONS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
SOUTH, EAST, NORTH, WEST = range(4)
# The bits of a cell's number that are inverted when a chunk is left: from z = 15 to z = 0, and so
# on.
_TURNS: Final = (0xF0, 0x0F, 0xF0, 0x0F)

# What a step costs that leads into water or down more than one cell; any other costs 1.
HARD: Final = 3
# What a hazard costs on top, in a search that may take one.
DEADLY: Final = 32
# A longer way is searched in legs: the land ahead need not exist yet, and may change.
LEG: Final = 64
# When a search has reached the target's column at another height, it expands at most this many more
# cells to find the right one.
OTHER_LEVEL: Final = 256
# A place with more cells than this around it is not taken for an island. Looking at one such cell
# costs as much as expanding four cells of a search.
ISLAND_CELLS: Final = 64
ISLAND_CELL_COST: Final = 4

Outcome = Literal["arrived", "leg", "spent", "exhausted"]


class Route(NamedTuple):
    """The result of a search: a path to the goal, or to the cell that is nearest to it."""

    outcome: Outcome
    path: bytes
    end: Position
    distance: int  # Horizontal, from the end to the target.
    spent: int  # How many cells were expanded.


class Searcher:
    """Runs a search. `suspend` turns it back into state when the budget of the tick is spent."""

    def __init__(self, ground: Ground, medium: bytes, search: PathSearch) -> None:
        self.search = search
        self._medium = medium
        self._land = land = _ChunkCopies(ground, search)
        # What the cheapest way to each reached cell costs.
        self._costs: dict[int, int] = {}
        # On that way, the cell before, shifted left by the two bits that hold the direction.
        self._origins: dict[int, int] = {}
        self._open = dict(search.open_cells)
        if search.reached:
            cells, costs, origins = np.frombuffer(search.reached, "<i8").reshape(3, -1).tolist()
            self._costs = dict(zip(cells, costs, strict=True))
            self._origins = dict(zip(cells, origins, strict=True))
        else:
            search.best = land.first
            self._costs[land.first] = self._origins[land.first] = 0
            self._open[max(0, land.distance(land.first) - search.want)] = [land.first]

    def suspend(self) -> PathSearch:
        """The search as state, to be resumed later."""
        columns = (self._costs, self._costs.values(), self._origins.values())
        count = len(self._costs)
        self.search.reached = b"".join(
            np.fromiter(column, "<i8", count).tobytes() for column in columns
        )
        self.search.open_cells = sorted(self._open.items())
        return self.search

    def advance(self, limit: int, budget: int) -> Route | None:
        """Search until the end, or until `limit` cells in all were expanded, but at most `budget`
        now. None means that the budget was too small. A search that has spent its limit may be
        advanced again with a larger one."""
        search = self.search
        land = self._land
        open_cells = self._open
        costs = self._costs
        totals = sorted(open_cells)
        expand = self._expander(totals)
        offsets = land.offsets
        want = search.want
        target_y = search.target[1]
        same_level = max(want, SAFE_DROP)
        leg_distance = max(want, horizontal(search.start, search.target) - LEG)
        best_distance = land.distance(search.best)
        near_boundary = land.is_near_boundary(limit)
        spent = search.spent
        allowed = search.spent + budget
        limit = self._with_other_level(limit)
        while totals:
            total = totals[0]
            bucket = open_cells[total]
            while bucket:
                here = bucket.pop()
                x, z = offsets[here >> CHUNK_BITS]
                x += here & 15
                z += here >> 4 & 15
                distance = abs(x) + abs(z)
                cost = costs[here]
                # Nothing is removed from the lists when a cheaper way to a cell is found: the cell
                # is entered again under its new total, and its old entry is skipped here.
                if cost + (distance - want if distance > want else 0) != total:
                    continue
                if near_boundary and not land.is_inside(here):
                    continue
                if distance < best_distance:
                    search.best = here
                    best_distance = distance
                if distance <= leg_distance:
                    if distance > want:
                        return self._route("leg", here, spent)
                    if abs((here >> 8 & 63) - target_y) <= same_level:
                        return self._route("arrived", here, spent)
                    if search.other_level is None:
                        search.other_level = here, spent
                        limit = self._with_other_level(limit)
                if spent >= limit or spent >= allowed:
                    bucket.append(here)
                    search.spent = spent
                    return self._last_resort("spent") if spent >= limit else None
                spent += 1
                expand(here, x, z, cost + 1)
            del open_cells[heappop(totals)]
        search.spent = spent
        return self._last_resort("exhausted")

    def _with_other_level(self, limit: int) -> int:
        """How many cells may be expanded in all. Once the column was reached at another height,
        only OTHER_LEVEL more for the right one."""
        other = self.search.other_level
        return limit if other is None else min(limit, other[1] + OTHER_LEVEL)

    def _expander(self, totals: list[int]) -> Callable[[int, int, int, int], None]:
        """A function that reaches the four neighbours of a cell. It is a closure so that whatever
        it needs for each of thousands of cells is a local name, and no attribute is looked up."""
        land = self._land
        medium = self._medium
        want = self.search.want
        cells = land.cells
        across = land.across
        costs = self._costs
        origins = self._origins
        open_cells = self._open
        submerged = self.search.submerged
        deadly = self.search.deadly

        def extra_cost(edge: int, there: int) -> int | None:
            """What it costs, beyond an easy step, to go over an edge and come to rest in a cell.
            None if the way is a deadly fall or under water and the search does not allow that."""
            fall = edge - there
            wet = medium[cells[there]] == WATER
            extra = HARD - 1 if wet or fall > LAYER else 0
            if fall > SAFE_DROP * LAYER and not wet:
                if not deadly:
                    return None
                extra += DEADLY
            if medium[cells[there + LAYER]] == WATER:
                if not submerged:
                    return None
                extra += DEADLY
            return extra

        def expand(here: int, x: int, z: int, cost: int) -> None:
            """Reach the neighbours of `here`, whose column is `x` and `z` relative to the target.
            `cost` is that of an easy step out of the cell."""
            distance = abs(x) + abs(z)
            nearer = cost + (distance - 1 - want if distance > want else 0)
            farther = cost + (distance + 1 - want if distance >= want else 0)
            origin = here << 2
            for there, guess, direction in (
                (
                    here - 16 if here & 0xF0 else across(here, NORTH),
                    nearer if z > 0 else farther,
                    NORTH,
                ),
                (
                    here + 16 if ~here & 0xF0 else across(here, SOUTH),
                    nearer if z < 0 else farther,
                    SOUTH,
                ),
                (
                    here - 1 if here & 0x0F else across(here, WEST),
                    nearer if x > 0 else farther,
                    WEST,
                ),
                (
                    here + 1 if ~here & 0x0F else across(here, EAST),
                    nearer if x < 0 else farther,
                    EAST,
                ),
            ):
                price = cost
                cheapest = costs.get(there)
                if cheapest is not None and cheapest <= price:
                    continue
                if (
                    medium[cells[there - LAYER]] != SOLID
                    or medium[cells[there]] != OPEN
                    or medium[cells[there + LAYER]] != OPEN
                ):
                    edge = there
                    there = landing(cells, medium, here, edge)
                    if there == here:
                        continue  # blocked
                    extra = extra_cost(edge, there)
                    if extra is None:
                        continue
                    price += extra
                    guess += extra
                    cheapest = costs.get(there)
                    if cheapest is not None and cheapest <= price:
                        continue
                costs[there] = price
                origins[there] = origin | direction
                if guess in open_cells:
                    open_cells[guess].append(there)
                else:
                    open_cells[guess] = [there]
                    heappush(totals, guess)

        return expand

    def _last_resort(self, outcome: Outcome) -> Route:
        """The route of a search that ended before the goal: to the target's column at another
        height if it came there, else to the nearest cell."""
        search = self.search
        if search.other_level is not None:
            return self._route("arrived", search.other_level[0], search.spent)
        return self._route(outcome, search.best, search.spent)

    def _route(self, outcome: Outcome, end: int, spent: int) -> Route:
        self.search.spent = spent
        path = bytearray()
        at = end
        # The second condition ends it if a forged search has its cells in a circle.
        while at != self._land.first and len(path) < len(self._origins):
            origin = self._origins[at]
            path.append((origin & 3) << 6 | at >> 8 & 63)
            at = origin >> 2
        return Route(
            outcome=outcome,
            path=bytes(path),
            end=self._land.position(end),
            distance=self._land.distance(end),
            spent=spent,
        )


class _ChunkCopies:
    """The ground as a search sees it: copies of the chunks it has come into, one after the other
    in one buffer. The ground's own buffer would not do: loading a chunk may evict another in the
    middle of a search."""

    def __init__(self, ground: Ground, search: PathSearch) -> None:
        self._ground = ground
        self._search = search
        self.cells = bytearray()
        # The column of each chunk's first cell, relative to the target.
        self.offsets: list[tuple[int, int]] = []
        self._bases: dict[ChunkKey, int] = {}
        # Where the chunk beside a chunk begins, by chunk and direction; below 0 outside the world.
        self._links: dict[int, int] = {}
        for key in search.chunks:
            self._copy(key)
        x, y, z = search.start
        self.first = self._enter((x >> 4, z >> 4)) + (y << 8 | (z & 15) << 4 | x & 15)

    def across(self, here: int, direction: int) -> int:
        """The cell beside one at the edge of its chunk. At the edge of the world it is the same
        cell again, which is never cheaper, so the search does not go on there."""
        number = here >> CHUNK_BITS
        key = number << 2 | direction
        base = self._links.get(key)
        if base is None:
            cx, cz = self._search.chunks[number]
            dx, dz = DIRECTIONS[direction]
            base = self._links[key] = self._enter((cx + dx, cz + dz))
        return here if base < 0 else base + (here & CHUNK_CELLS - 1 ^ _TURNS[direction])

    def position(self, here: int) -> Position:
        """Where a cell is in the world."""
        x, z = self.offsets[here >> CHUNK_BITS]
        target_x, _, target_z = self._search.target
        return x + target_x + (here & 15), here >> 8 & 63, z + target_z + (here >> 4 & 15)

    def distance(self, here: int) -> int:
        """From a cell to the target, horizontally."""
        return horizontal(self.position(here), self._search.target)

    def is_near_boundary(self, steps: int) -> bool:
        """Whether this many steps may lead out of the world."""
        x, _, z = self._search.start
        return max(abs(x), abs(z)) + steps >= self._ground.boundary_r

    def is_inside(self, here: int) -> bool:
        """Whether a cell is inside the world: a chunk at the boundary may reach beyond it."""
        return self._ground.inside(*self.position(here))

    def _enter(self, key: ChunkKey) -> int:
        base = self._bases.get(key)
        if base is None:
            if not self._ground.base(*key):
                return -1
            self._search.chunks.append(key)
            base = self._copy(key)
        return base

    def _copy(self, key: ChunkKey) -> int:
        base = len(self.cells)
        source = self._ground.base(*key)
        target_x, _, target_z = self._search.target
        self._bases[key] = base
        self.cells += self._ground.cells[source : source + CHUNK_CELLS]
        self.offsets.append((key[0] * CHUNK - target_x, key[1] * CHUNK - target_z))
        return base


def horizontal(a: Position, b: Position) -> int:
    """Manhattan distance between two columns."""
    return abs(a[0] - b[0]) + abs(a[2] - b[2])


def walk(start: Position, path: bytes) -> list[Position]:
    """The cells that a path comes to rest in, in the order they are reached."""
    x, _, z = start
    reached = []
    for step in reversed(path):
        dx, dz = DIRECTIONS[step >> 6]
        x += dx
        z += dz
        reached.append((x, step & 63, z))
    return reached


def nearest_resting_cell(ground: Ground, medium: bytes, target: Position) -> Position | None:
    """The cell of the target's column nearest to its height in which a body can rest and
    breathe."""
    x, y, z = target
    media = ground.column(x, z).translate(medium)
    heights = [height for height in resting_heights(media) if media[height + 1] != WATER]
    return (x, min(heights, key=lambda height: (abs(height - y), -height)), z) if heights else None


def is_island(
    ground: Ground,
    medium: bytes,
    start: Position,
    target: Position,
    want: int,
    most: int = ISLAND_CELLS,
) -> bool:
    """Whether it is certain that no path leads from `start` to the target, not even a dangerous
    one. Searches backwards from every cell that would do, which is quick where the target is a
    small island: the search forwards would have to look at everything else. If more than `most`
    cells lead there the answer is no."""
    if 2 * want * (want + 1) >= most:
        return False
    # Cells are indexes into the ground's buffer, which are void when a chunk is evicted: then the
    # answer counts for nothing, and the search is repeated.
    while True:
        evictions = ground.evictions
        answer = _is_cut_off(ground, medium, start, target, want=want, most=most)
        if ground.evictions == evictions:
            return answer


def _is_cut_off(
    ground: Ground, medium: bytes, start: Position, target: Position, *, want: int, most: int
) -> bool:
    @cache
    def heights_at(x: int, z: int) -> list[int]:
        inside = ground.inside(x, 0, z)
        return resting_heights(ground.column(x, z).translate(medium)) if inside else []

    def before(cell: Position) -> list[Position]:
        """The cells from which one step leads into this one."""
        x, y, z = cell
        there = cell_index(ground, x, y, z)
        return [
            (x - dx, height, z - dz)
            for dx, dz in DIRECTIONS
            for height in heights_at(x - dx, z - dz)
            for here in [cell_index(ground, x - dx, height, z - dz)]
            if landing(ground.cells, medium, here, there + (height - y) * LAYER) == there
        ]

    x, _, z = target
    leading_there = dict.fromkeys(
        (x + dx, y, z + dz)
        for dx in range(-want, want + 1)
        for dz in range(abs(dx) - want, want - abs(dx) + 1)
        for y in heights_at(x + dx, z + dz)
    )
    waiting = list(leading_there)
    while waiting:
        if len(leading_there) > most:
            return False
        for cell in before(waiting.pop()):
            if cell not in leading_there:
                leading_there[cell] = None
                waiting.append(cell)
    return start not in leading_there
