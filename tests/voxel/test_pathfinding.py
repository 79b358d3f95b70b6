"""Paths are legal, as cheap as any, the same everywhere, and searches stay within their bounds."""

from __future__ import annotations

import os
import subprocess
import sys
from heapq import heappop, heappush
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, FlatTerrain, flat_world
from thorp.voxel.catalog import AIR
from thorp.voxel.load import default_catalogs
from thorp.voxel.state.agent import PathSearch
from thorp.voxel.state.ground import CHUNK_CELLS, HEIGHT, Ground, Position
from thorp.voxel.state.world import World
from thorp.voxel.systems.bodies import SAFE_DROP, cell_index, is_resting, landing, resting_heights
from thorp.voxel.systems.pathfinding import (
    DEADLY,
    DIRECTIONS,
    HARD,
    ISLAND_CELLS,
    LEG,
    OTHER_LEVEL,
    Route,
    Searcher,
    is_island,
    nearest_resting_cell,
    walk,
)
from thorp.voxel.tuning import Tuning

CATALOGS = default_catalogs()
MEDIUM = CATALOGS.medium
PLENTY = 100_000


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
    """A search in one go."""
    whole = PathSearch(start, target, want, submerged=submerged, deadly=deadly)
    route = Searcher(ground, medium, whole).advance(limit, limit)
    assert route is not None
    return route


class Rock:
    """Stone everywhere, so that a carved room is all there is."""

    def chunk(self, cx: int, cz: int) -> bytes:
        return bytes([CATALOGS.block_number["STONE"]]) * CHUNK_CELLS

    def biome(self, x: int, z: int) -> str:
        return "PLAINS"

    def of_season(self, season: int) -> Rock:
        return self


# The rules again, told cell by cell, slowly.


class Move(NamedTuple):
    to: Position
    cost: int
    falls: bool
    dives: bool


def name(ground: Ground, x: int, y: int, z: int) -> str:
    if y < 0:
        return "solid"
    block = CATALOGS.blocks[ground.block(x, y, z)]
    return "water" if block.id == "WATER" else "solid" if block.solid else "open"


def settled(ground: Ground, x: int, y: int, z: int) -> int:
    """The height at which a body that is let go comes to rest."""
    while True:
        feet, head = name(ground, x, y, z), name(ground, x, y + 1, z)
        assert "solid" not in (feet, head)
        above = name(ground, x, y + 2, z) if y + 2 < HEIGHT else "solid"
        if feet == head == "water" and above != "solid":
            y += 1
        elif feet == "open" and name(ground, x, y - 1, z) != "solid":
            y -= 1
        else:
            return y


def moves(ground: Ground, start: Position) -> list[Move]:
    found = []
    x, y, z = start
    for dx, dz in DIRECTIONS:
        entered = y
        if name(ground, x + dx, y, z + dz) == "solid":
            entered = y + 1
            if entered > HEIGHT - 2 or name(ground, x, y + 2, z) == "solid":
                continue
        if "solid" in (
            name(ground, x + dx, entered, z + dz),
            name(ground, x + dx, entered + 1, z + dz),
        ):
            continue
        if not ground.inside(x + dx, y, z + dz):
            continue
        rest = settled(ground, x + dx, entered, z + dz)
        wet = name(ground, x + dx, rest, z + dz) == "water"
        falls = entered - rest > SAFE_DROP and not wet
        dives = name(ground, x + dx, rest + 1, z + dz) == "water"
        cost = (HARD if wet or entered - rest > 1 else 1) + DEADLY * (falls + dives)
        found.append(Move((x + dx, rest, z + dz), cost, falls, dives))
    return found


def reachable(ground: Ground, start: Position, *, daring: bool) -> dict[Position, int]:
    """What every cell costs that can be reached at all: Dijkstra."""
    costs = {start: 0}
    waiting = [(0, start)]
    while waiting:
        cost, here = heappop(waiting)
        if cost > costs[here]:
            continue
        for move in moves(ground, here):
            if (daring or not (move.falls or move.dives)) and cost + move.cost < costs.get(
                move.to, PLENTY
            ):
                costs[move.to] = cost + move.cost
                heappush(waiting, (cost + move.cost, move.to))
    return costs


def horizontal(a: Position, b: Position) -> int:
    return abs(a[0] - b[0]) + abs(a[2] - b[2])


def check_route(ground: Ground, start: Position, route: Route, *, daring: bool) -> int:
    """Every step is legal; returns what all of them cost."""
    here, cost = start, 0
    for cell in walk(start, route.path):
        (move,) = [move for move in moves(ground, here) if move.to == cell]
        assert daring or not (move.falls or move.dives)
        cost += move.cost
        here = cell
    assert here == route.end
    return cost


# Small random worlds: a room in the rock across the corner of four chunks

SIDE, TALL, LOW = 6, 7, 20
NEAR = range(-SIDE // 2, SIDE // 2)
BLOCKS = ("AIR", "AIR", "AIR", "STONE", "WATER", "TORCH", "SAND")


@st.composite
def rooms(draw: st.DrawFn) -> Ground:
    # Mostly air above mostly stone, so that there is something to walk on.
    names = draw(
        st.lists(st.sampled_from(BLOCKS), min_size=SIDE * SIDE * TALL, max_size=SIDE * SIDE * TALL)
    )
    ground = Ground(Rock(), 4000, capacity=64)
    cells = iter(names)
    for x in NEAR:
        for z in NEAR:
            for y in range(LOW, LOW + TALL):
                ground.put(x, y, z, CATALOGS.block_number[next(cells)])
    return ground


def resting_cells(ground: Ground) -> list[Position]:
    return [
        (x, y, z)
        for x in NEAR
        for z in NEAR
        for y in resting_heights(ground.column(x, z).translate(MEDIUM))
        if name(ground, x, y + 1, z) != "water"
    ]


@settings(max_examples=120)
@given(ground=rooms(), data=st.data(), want=st.integers(1, 2), daring=st.booleans())
def test_a_search_finds_the_cheapest_way_or_the_nearest_cell(
    ground: Ground, data: st.DataObject, want: int, daring: bool
) -> None:
    cells = resting_cells(ground)
    if not cells:
        return
    start, target = data.draw(st.sampled_from(cells)), data.draw(st.sampled_from(cells))
    route = search(ground, MEDIUM, start, target, want, PLENTY, submerged=daring, deadly=daring)
    cost = check_route(ground, start, route, daring=daring)
    costs = reachable(ground, start, daring=daring)
    there = [cell for cell in costs if horizontal(cell, target) <= want]
    level = [cell for cell in there if abs(cell[1] - target[1]) <= max(want, SAFE_DROP)]
    assert route.distance == horizontal(route.end, target)
    if level:
        assert route.outcome == "arrived"
        assert cost == min(costs[cell] for cell in level)
    elif there:
        assert route.outcome == "arrived"
        assert route.end in there
    else:
        assert route.outcome == "exhausted"
        assert route.distance == min(horizontal(cell, target) for cell in costs)
        assert route.spent == len(costs)


@settings(max_examples=120)
@given(ground=rooms(), data=st.data())
def test_an_island_is_what_no_daring_reaches(ground: Ground, data: st.DataObject) -> None:
    cells = resting_cells(ground)
    if not cells:
        return
    start, target = data.draw(st.sampled_from(cells)), data.draw(st.sampled_from(cells))
    reached = any(horizontal(cell, target) <= 1 for cell in reachable(ground, start, daring=True))
    assert is_island(ground, MEDIUM, start, target, 1) is not reached or len(cells) > ISLAND_CELLS


@settings(max_examples=120)
@given(ground=rooms())
def test_bodies_and_paths_agree_on_every_cell(ground: Ground) -> None:
    for x in NEAR:
        for z in NEAR:
            media = ground.column(x, z).translate(MEDIUM)
            heights = resting_heights(media)
            for y in range(LOW, LOW + TALL):
                if "solid" in (name(ground, x, y, z), name(ground, x, y + 1, z)):
                    assert y not in heights
                    continue
                rests = settled(ground, x, y, z) == y
                assert (y in heights) is rests
                assert is_resting(ground.cells, MEDIUM, cell_index(ground, x, y, z)) is rests
                if rests:
                    check_landings(ground, (x, y, z))


def check_landings(ground: Ground, start: Position) -> None:
    x, y, z = start
    here = cell_index(ground, *start)
    expected = {move.to for move in moves(ground, start)}
    for dx, dz in DIRECTIONS:
        there = landing(ground.cells, MEDIUM, here, cell_index(ground, x + dx, y, z + dz))
        if there == here:
            assert all((to[0], to[2]) != (x + dx, z + dz) for to in expected)
        else:
            assert (x + dx, there >> 8 & 63, z + dz) in expected


# Single rules


@pytest.fixture
def flat() -> Ground:
    return flat_world(CATALOGS).ground


def put(ground: Ground, x: int, y: int, z: int, block: str = "STONE") -> None:
    ground.put(x, y, z, CATALOGS.block_number[block])


def go(
    ground: Ground, start: Position, target: Position, want: int = 1, limit: int = PLENTY
) -> Route:
    return search(ground, MEDIUM, start, target, want, limit)


def corridor(ground: Ground, heights: list[int | None]) -> None:
    """A passage one cell wide along +X from x 0 whose floor is so high above the grass; None is a
    shaft."""
    for x, height in enumerate(heights):
        for y in range(HEIGHT):
            for z in (-1, 1):
                put(ground, x, y, z)
            floor = -15 if height is None else height
            put(ground, x, y, 0, "STONE" if y < STAND + floor else "AIR")
    for y in range(HEIGHT):
        put(ground, -1, y, 0)
        put(ground, len(heights), y, 0)


def test_a_straight_way_needs_no_more_cells_than_steps(flat: Ground) -> None:
    route = go(flat, (0, STAND, 0), (40, STAND, 0))
    assert (len(route.path), route.spent, route.end) == (39, 39, (39, STAND, 0))


def test_the_first_steps_close_the_gap_in_x(flat: Ground) -> None:
    assert walk((0, STAND, 0), go(flat, (0, STAND, 0), (3, STAND, 3)).path)[:3] == [
        (1, STAND, 0),
        (2, STAND, 0),
        (3, STAND, 0),
    ]


@pytest.mark.parametrize(
    ("heights", "passable", "passable_daring"),
    [
        ([0, 0, 1, 2, 3, 4], True, True),
        ([0, 0, 2, 2, 2, 2], False, False),
        ([0, 0, -1, -2, -3], True, True),
        ([0, 0, -3, -3, -3], True, True),
        ([0, 0, -4, -4, -4], False, True),
        ([0, 0, -3, -6, -9, -9], True, True),
        ([0, None, 0, 0, 0], False, False),
    ],
)
def test_up_one_and_down_three(
    flat: Ground, heights: list[int | None], passable: bool, passable_daring: bool
) -> None:
    corridor(flat, heights)
    start, target = (0, STAND, 0), (len(heights) - 1, STAND + (heights[-1] or 0), 0)
    assert (go(flat, start, target).outcome == "arrived") is passable
    dared = search(flat, MEDIUM, start, target, 1, PLENTY, deadly=True)
    assert (dared.outcome == "arrived") is passable_daring


@pytest.mark.parametrize(("stair_z", "used"), [(1, True), (-2, False)])
def test_a_drop_that_cannot_be_climbed_is_worth_a_small_detour(
    flat: Ground, stair_z: int, used: bool
) -> None:
    for x in range(-3, 3):
        for z in range(-3, 4):
            put(flat, x, STAND, z)
            put(flat, x, STAND + 1, z)
    put(flat, 3, STAND, stair_z)
    start = (0, STAND + 2, 0)
    cells = walk(start, go(flat, start, (8, STAND, 2)).path)
    assert ((3, STAND + 1, stair_z) in cells) is used


def test_a_step_up_needs_room_above_the_head(flat: Ground) -> None:
    corridor(flat, [0, 0, 1, 1, 1])
    assert go(flat, (0, STAND, 0), (4, STAND + 1, 0)).outcome == "arrived"
    put(flat, 1, STAND + 2, 0)
    assert go(flat, (0, STAND, 0), (4, STAND + 1, 0)).outcome == "exhausted"


def test_a_passage_must_be_two_high(flat: Ground) -> None:
    corridor(flat, [0, 0, 0, 0, 0])
    put(flat, 2, STAND + 1, 0)
    for y in range(STAND + 2, HEIGHT):
        put(flat, 2, y, 0)
    assert go(flat, (0, STAND, 0), (4, STAND, 0)).outcome == "exhausted"
    put(flat, 2, STAND + 1, 0, "AIR")
    assert go(flat, (0, STAND, 0), (4, STAND, 0)).outcome == "arrived"


def test_a_fall_into_water_is_safe_from_any_height(flat: Ground) -> None:
    corridor(flat, [0, 0, None, -14, -13, -13])
    assert go(flat, (0, STAND, 0), (5, STAND - 13, 0)).outcome == "exhausted"
    put(flat, 2, STAND - 15, 0, "WATER")
    assert go(flat, (0, STAND, 0), (5, STAND - 13, 0)).outcome == "arrived"


def pond(ground: Ground, depth: int) -> None:
    """Water across the way, from x 2 to 7, for 40 cells to both sides."""
    for x in range(2, 8):
        for z in range(-40, 41):
            for y in range(STAND - depth, STAND):
                put(ground, x, y, z, "WATER")


def test_water_is_swum_but_a_short_way_round_is_better(flat: Ground) -> None:
    pond(flat, 4)
    route = go(flat, (0, STAND, 0), (10, STAND, 0))
    assert check_route(flat, (0, STAND, 0), route, daring=False) == 3 + 6 * HARD
    for x in range(2, 8):
        put(flat, x, STAND - 1, 4)
    route = go(flat, (0, STAND, 0), (10, STAND, 0))
    assert check_route(flat, (0, STAND, 0), route, daring=False) == 9 + 2 * 4


def test_nobody_goes_under_water_by_choice(flat: Ground) -> None:
    corridor(flat, [0, 0, -1, -1, -1, 0, 0])
    for x in (2, 3, 4):
        for y in range(STAND - 1, HEIGHT):
            put(flat, x, y, 0, "WATER" if y < STAND + 2 else "STONE")
    start, target = (0, STAND, 0), (6, STAND, 0)
    assert go(flat, start, target).outcome == "exhausted"
    assert search(flat, MEDIUM, start, target, 1, PLENTY, submerged=True).outcome == "arrived"


def deck(ground: Ground, *, stair: bool) -> tuple[Position, Position]:
    """A platform five above the grass; returns a cell on it and the one below."""
    for x in range(10, 14):
        for z in range(-1, 2):
            put(ground, x, STAND + 4, z)
    for height in range(4 if stair else 0):
        put(ground, 17 - height, STAND + height, 0)
    return (12, STAND + 5, 0), (12, STAND, 0)


def test_the_target_height_picks_the_floor(flat: Ground) -> None:
    above, below = deck(flat, stair=True)
    assert nearest_resting_cell(flat, MEDIUM, (12, STAND + 9, 0)) == above
    assert nearest_resting_cell(flat, MEDIUM, (12, 0, 0)) == below
    assert go(flat, (5, STAND, 0), above).end == (13, STAND + 5, 0)
    assert go(flat, (5, STAND, 0), below).end == (11, STAND, 0)


def test_another_height_will_do_if_the_right_one_cannot_be_reached(flat: Ground) -> None:
    above, _ = deck(flat, stair=False)
    route = go(flat, (5, STAND, 0), above)
    assert (route.outcome, route.end) == ("arrived", (11, STAND, 0))
    assert 0 < route.spent - 6 <= OTHER_LEVEL


def test_a_search_is_bounded_and_leads_to_the_nearest_cell(flat: Ground) -> None:
    for z in range(-60, 61):
        for y in (STAND, STAND + 1):
            put(flat, 10, y, z)
    route = go(flat, (0, STAND, 0), (20, STAND, 0), limit=100)
    assert (route.outcome, route.spent, route.end) == ("spent", 100, (9, STAND, 0))


def test_no_cell_is_expanded_twice() -> None:
    """The last cell is found by two drops first, and more cheaply by four steps down later."""
    ground = Ground(Rock(), 4000, capacity=64)
    for (x, z), floor in {
        (0, 0): 24,
        (1, 0): 22,
        (2, 0): 20,
        (0, 1): 23,
        (1, 1): 22,
        (2, 1): 21,
    }.items():
        for y in range(floor, 28):
            put(ground, x, y, z, "AIR")
    route = go(ground, (0, 24, 0), (12, 20, 0))
    assert (route.outcome, route.end, route.spent) == ("exhausted", (2, 20, 0), 6)
    assert len(route.path) == 4


def test_a_far_way_is_searched_in_legs(flat: Ground) -> None:
    route = go(flat, (0, STAND, 0), (3000, 0, 3000))
    assert (route.outcome, len(route.path), route.spent) == ("leg", LEG, LEG)
    assert route.distance == 6000 - LEG
    assert flat.loaded <= 10


def test_nobody_leaves_the_world() -> None:
    ground = flat_world(CATALOGS, Tuning(world_boundary_r=70)).ground
    for z in range(-69, 71):
        for y in (STAND, STAND + 1):
            put(ground, 65, y, z)
    route = go(ground, (60, STAND, 70), (70, STAND, 70))
    assert route.outcome == "arrived"
    assert len(route.path) == 2 * 140 + 9
    assert all(ground.inside(*cell) for cell in walk((60, STAND, 70), route.path))
    for y in (STAND, STAND + 1):
        put(ground, 65, y, -70)
    assert go(ground, (60, STAND, 70), (70, STAND, 70)).outcome == "exhausted"


def test_the_lowest_and_the_highest_cells(flat: Ground) -> None:
    for x in range(8):
        for y in range(HEIGHT):
            put(flat, x, y, 0, "AIR" if y in (0, 1) else "STONE")
            put(flat, x, y, 20, "STONE" if y < HEIGHT - 2 else "AIR")
    assert go(flat, (0, 0, 0), (7, 0, 0)).outcome == "arrived"
    assert go(flat, (0, HEIGHT - 2, 20), (7, HEIGHT - 2, 20)).outcome == "arrived"
    put(flat, 3, HEIGHT - 2, 20)
    assert go(flat, (0, HEIGHT - 2, 20), (7, HEIGHT - 2, 20), limit=50).distance > 1


# The same everywhere


def hills(ground: Ground) -> None:
    """A rough country that needs no draw."""
    for x in range(-40, 40):
        for z in range(-40, 40):
            for y in range(STAND, STAND + (x * x * 7 + z * z * 3 + x * z) % 4):
                put(ground, x, y, z)
            if (x * 5 + z * 3) % 11 == 0:
                put(ground, x, STAND - 1, z, "WATER")


def journeys(ground: Ground) -> list[Route]:
    medium = MEDIUM
    starts = [(x, z) for x in range(-36, 40, 12) for z in range(-36, 40, 12)]
    found = []
    for x, z in starts:
        start = nearest_resting_cell(ground, medium, (x, STAND, z))
        target = nearest_resting_cell(ground, medium, (-z, STAND, x))
        assert start is not None
        assert target is not None
        found.append(search(ground, medium, start, target, 1, 300))
    return found


def test_what_is_loaded_where_decides_nothing() -> None:
    usual = flat_world(CATALOGS).ground
    hills(usual)
    other = Ground(FlatTerrain(CATALOGS), 4000)
    for cx in range(5, -6, -1):
        for cz in range(-6, 6):
            other.base(cx, -cz)
    hills(other)
    small = Ground(FlatTerrain(CATALOGS), 4000, capacity=16)
    hills(small)
    routes = journeys(usual)
    assert {route.outcome for route in routes} == {"arrived", "exhausted"}
    assert journeys(other) == routes
    assert journeys(small) == routes
    assert small.evictions > 0


PROGRAM = """
from tests.voxel.test_pathfinding import CATALOGS, flat_world, hills, journeys
world = flat_world(CATALOGS)
hills(world.ground)
print(journeys(world.ground))
"""


def test_hash_seeds_decide_nothing() -> None:
    root = Path(__file__).parent.parent.parent
    texts = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
    assert "arrived" in texts.pop()


def test_a_search_changes_nothing() -> None:
    world: World = flat_world(CATALOGS)
    hills(world.ground)
    before = world.digest()
    journeys(world.ground)
    assert world.digest() == before
    assert world.ground.block(0, HEIGHT - 1, 0) == AIR
