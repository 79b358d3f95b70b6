"""The search for a way: A* over the cells in which a body can rest.

From such a cell a body goes into one of the four columns beside it and comes to rest there: on the level,
one up, or wherever it falls to (`bodies.landing`). Ways chosen for it are safe: falls of at most SAFE_DROP
cells, or into water, and the head above water. A step costs 1; into water, or down where nobody can step up
again, it costs HARD.

The inner loop decides how many agents a world can bear, so it is written for speed:

    a cell is its index in `Ground.cells`: chunk << 14 | y << 8 | z << 4 | x. Its neighbours are 1 and 16
    away, but for the edges of a chunk
    costs are small whole numbers, so the open cells are kept in one list for each estimated total, and the
    newest of the cheapest is taken first; indexes depend on what is loaded, so they never decide anything
    the usual neighbour, level and dry, is seen with three reads; `landing` does the rest

A path is one byte a step, the next step last: the direction in the upper two bits, below it the height of
the cell to come to rest in.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Final, Literal, NamedTuple

from thorp.voxel.catalog import OPEN, SOLID, WATER
from thorp.voxel.ground import CHUNK_CELLS, LAYER, Ground, Position
from thorp.voxel.systems.bodies import SAFE_DROP, cell_index, landing, resting_heights

# Directions are quarter turns, as yaw counts them: +Z, +X, -Z, -X.
DIRECTIONS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
SOUTH, EAST, NORTH, WEST = range(4)
# The part of an index that turns over when a chunk is left.
_TURNS: Final = (0xF0, 0x0F, 0xF0, 0x0F)

HARD: Final = 3
# What a hazard costs on top, in a search that may take one.
DEADLY: Final = 32
# A way further than this is searched in legs: the land ahead need not exist yet, and may change.
LEG: Final = 64
# When the target's column was reached at another height, so many more cells are looked at for the right one.
OTHER_LEVEL: Final = 256
# How many cells of an island are looked at before it counts as none, and what each costs beside a search's.
ISLAND_CELLS: Final = 64
ISLAND_CELL_COST: Final = 4

Outcome = Literal["arrived", "leg", "spent", "exhausted"]


class Route(NamedTuple):
    """What a search found: a path to the goal, or to the cell that is nearest to it."""

    outcome: Outcome
    path: bytes
    end: Position
    distance: int
    """Horizontal, from the end to the target."""
    spent: int
    """How many cells were expanded."""


def search(
    ground: Ground,
    medium: bytes,
    start: Position,
    target: Position,
    want: int,
    limit: int,
    *,
    submerged: bool = False,
    deadly: bool = False,
) -> Route:
    """Look for a way from `start` to `want` cells from the target's column, near the target's height.

    A cell there at another height will do if no better one is found soon. `submerged` allows cells in which
    the head is under water, `deadly` falls of any depth.
    """
    while True:
        evictions = ground.evictions
        route = _Search(ground, medium, start, target).run(want, limit, submerged, deadly)
        if ground.evictions == evictions:
            return route


class _Search:
    """One search: the chunks it has come into, and the cells it has reached."""

    def __init__(self, ground: Ground, medium: bytes, start: Position, target: Position) -> None:
        self.ground = ground
        self.medium = medium
        self.start = start
        self.target = target
        self.chunks: dict[int, tuple[int, int]] = {}
        """Where the first cell of a chunk lies, seen from the target; by the chunk's number in the buffer."""
        self.links: dict[int, int] = {}
        """Where the chunks beside a chunk begin."""
        self.origins: dict[int, int] = {}
        """How a cell was reached: the cell before it, and the direction in the lowest two bits."""

    def run(self, want: int, limit: int, submerged: bool, deadly: bool) -> Route:
        cells, medium, chunks, across = self.ground.cells, self.medium, self.chunks, self._across
        origins, boundary = self.origins, self.ground.boundary_r
        start_x, start_y, start_z = self.start
        target_x, target_y, target_z = self.target
        first = self._enter(start_x >> 4, start_z >> 4) + (start_y << 8 | (start_z & 15) << 4 | start_x & 15)
        near_boundary = max(abs(start_x), abs(start_z)) + limit >= boundary

        best = first
        best_distance = abs(start_x - target_x) + abs(start_z - target_z)
        leg_distance = max(want, best_distance - LEG)
        same_level = max(want, SAFE_DROP)
        other_level = -1
        spent = 0
        total = max(0, best_distance - want)
        costs = {first: 0}
        totals = [total]
        open_cells = {total: [first]}
        while totals:
            total = totals[0]
            bucket = open_cells[total]
            while bucket:
                here = bucket.pop()
                x, z = chunks[here >> 14]
                x += here & 15
                z += here >> 4 & 15
                distance = abs(x) + abs(z)
                cost = costs[here]
                if cost + (distance - want if distance > want else 0) != total:
                    continue  # reached more cheaply since
                if near_boundary and (abs(x + target_x) > boundary or abs(z + target_z) > boundary):
                    continue
                if distance < best_distance:
                    best, best_distance = here, distance
                if distance <= leg_distance:
                    if distance > want:
                        return self._route("leg", here, first, spent)
                    if abs((here >> 8 & 63) - target_y) <= same_level:
                        return self._route("arrived", here, first, spent)
                    if other_level < 0:
                        other_level = here
                        limit = min(limit, spent + OTHER_LEVEL)
                if spent >= limit:
                    if other_level >= 0:
                        return self._route("arrived", other_level, first, spent)
                    return self._route("spent", best, first, spent)
                spent += 1
                cost += 1
                nearer = cost + (distance - 1 - want if distance > want else 0)
                farther = cost + (distance + 1 - want if distance >= want else 0)
                origin = here << 2
                for there, guess, direction in (
                    (here - 16 if here & 0xF0 else across(here, NORTH), nearer if z > 0 else farther, NORTH),
                    (here + 16 if ~here & 0xF0 else across(here, SOUTH), nearer if z < 0 else farther, SOUTH),
                    (here - 1 if here & 0x0F else across(here, WEST), nearer if x > 0 else farther, WEST),
                    (here + 1 if ~here & 0x0F else across(here, EAST), nearer if x < 0 else farther, EAST),
                ):
                    price = cost
                    known = costs.get(there)
                    if known is not None and known <= price:
                        continue
                    if (
                        medium[cells[there - LAYER]] != SOLID
                        or medium[cells[there]] != OPEN
                        or medium[cells[there + LAYER]] != OPEN
                    ):
                        edge = there
                        there = landing(cells, medium, here, edge)
                        fall = edge - there
                        wet = medium[cells[there]] == WATER
                        extra = HARD - 1 if wet or fall > LAYER else 0
                        if fall > SAFE_DROP * LAYER and not wet:
                            if not deadly:
                                continue
                            extra += DEADLY
                        if medium[cells[there + LAYER]] == WATER:
                            if not submerged:
                                continue
                            extra += DEADLY
                        price += extra
                        guess += extra
                        known = costs.get(there)
                        if known is not None and known <= price:
                            continue
                    costs[there] = price
                    origins[there] = origin | direction
                    if guess in open_cells:
                        open_cells[guess].append(there)
                    else:
                        open_cells[guess] = [there]
                        heappush(totals, guess)
            del open_cells[heappop(totals)]
        if other_level >= 0:
            return self._route("arrived", other_level, first, spent)
        return self._route("exhausted", best, first, spent)

    def _enter(self, cx: int, cz: int) -> int:
        base = self.ground.base(cx, cz)
        self.chunks[base >> 14] = ((cx << 4) - self.target[0], (cz << 4) - self.target[2])
        return base

    def _across(self, here: int, direction: int) -> int:
        """The cell beside one at the edge of its chunk; the same cell again at the edge of the world."""
        key = here >> 14 << 2 | direction
        base = self.links.get(key)
        if base is None:
            x, _, z = self._position(here)
            dx, dz = DIRECTIONS[direction]
            base = self.links[key] = self._enter((x >> 4) + dx, (z >> 4) + dz)
        return base + (here & CHUNK_CELLS - 1 ^ _TURNS[direction]) if base else here

    def _position(self, here: int) -> Position:
        x, z = self.chunks[here >> 14]
        return x + self.target[0] + (here & 15), here >> 8 & 63, z + self.target[2] + (here >> 4 & 15)

    def _route(self, outcome: Outcome, end: int, first: int, spent: int) -> Route:
        path = bytearray()
        at = end
        while at != first:
            origin = self.origins[at]
            path.append((origin & 3) << 6 | at >> 8 & 63)
            at = origin >> 2
        x, y, z = self._position(end)
        distance = abs(x - self.target[0]) + abs(z - self.target[2])
        return Route(outcome, bytes(path), (x, y, z), distance, spent)


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
    """The cell of the target's column nearest to its height in which a body can rest and breathe."""
    x, y, z = target
    media = ground.column(x, z).translate(medium)
    heights = [height for height in resting_heights(media) if media[height + 1] != WATER]
    return (x, min(heights, key=lambda height: (abs(height - y), -height)), z) if heights else None


def is_island(ground: Ground, medium: bytes, start: Position, target: Position, want: int) -> bool:
    """Whether it is sure that nothing leads from `start` to the target, whatever a body dares.

    Looks backwards from every cell that would do. An answer takes at most ISLAND_CELLS cells; beyond that
    the answer is no.
    """
    if 2 * want * (want + 1) >= ISLAND_CELLS:
        return False
    while True:
        evictions = ground.evictions
        answer = _Island(ground, medium).is_cut_off(start, target, want)
        if ground.evictions == evictions:
            return answer


class _Island:
    def __init__(self, ground: Ground, medium: bytes) -> None:
        self.ground = ground
        self.medium = medium
        self.columns: dict[tuple[int, int], list[int]] = {}

    def is_cut_off(self, start: Position, target: Position, want: int) -> bool:
        x, _, z = target
        found = dict.fromkeys(
            (x + dx, y, z + dz)
            for dx in range(-want, want + 1)
            for dz in range(abs(dx) - want, want - abs(dx) + 1)
            for y in self._heights(x + dx, z + dz)
        )
        waiting = list(found)
        while waiting:
            if len(found) > ISLAND_CELLS:
                return False
            for cell in self._before(waiting.pop()):
                if cell not in found:
                    found[cell] = None
                    waiting.append(cell)
        return start not in found

    def _heights(self, x: int, z: int) -> list[int]:
        heights = self.columns.get((x, z))
        if heights is None:
            inside = self.ground.inside(x, 0, z)
            media = self.ground.column(x, z).translate(self.medium) if inside else b""
            heights = self.columns[x, z] = resting_heights(media) if inside else []
        return heights

    def _before(self, cell: Position) -> list[Position]:
        """The cells from which one step leads into this one."""
        ground, cells, medium = self.ground, self.ground.cells, self.medium
        x, y, z = cell
        there = cell_index(ground, x, y, z)
        return [
            (x - dx, height, z - dz)
            for dx, dz in DIRECTIONS
            for height in self._heights(x - dx, z - dz)
            if landing(
                cells, medium, cell_index(ground, x - dx, height, z - dz), there + (height - y) * LAYER
            )
            == there
        ]
