"""Sand and gravel."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, SURFACE, put_agent
from tests.voxel.working import a_world, block_name, check_bodies, check_books, done, put, tick
from thorp.protocol.actions import Mine, Place
from thorp.voxel.state.world import World
from thorp.voxel.systems import blocks, items


def heights(world: World, x: int = 0, z: int = 0) -> list[int]:
    """Where sand and gravel are in a column."""
    return [y for y in range(64) if block_name(world, (x, y, z)) in ("SAND", "GRAVEL")]


@pytest.mark.parametrize("block", ["SAND", "GRAVEL"])
def test_what_nothing_holds_falls(block: str) -> None:
    world = a_world()
    agent = put_agent(world, 2, 0, **{block: 1})
    done(world, agent, Place(block_pos=(0, STAND + 3, 0), item_id=block))
    assert heights(world) == [STAND]
    assert [audit.reason for audit in world.scratch.block_changes] == ["PLACE", "FALL", "FALL"]
    check_books(world)


def test_what_is_held_stays() -> None:
    world = a_world()
    put(world, (0, STAND, 0), "TORCH")
    put(world, (0, STAND + 1, 0), "SAND")
    put(world, (5, STAND, 0), "SAND")
    tick(world, 3)
    assert heights(world) == [STAND + 1]
    assert heights(world, 5) == [STAND]
    assert not world.unsettled


def test_stone_does_not_fall() -> None:
    world = a_world()
    put(world, (0, STAND + 5, 0), "STONE")
    tick(world, 3)
    assert block_name(world, (0, STAND + 5, 0)) == "STONE"


def test_a_heap_falls_when_its_ground_is_mined() -> None:
    world = a_world()
    put(world, (0, STAND, 0), "STONE")
    for y in range(4):
        put(world, (0, STAND + 1 + y, 0), "SAND")
    agent = put_agent(world, 1, 0)
    done(world, agent, Mine(block_pos=(0, STAND, 0)))
    tick(world, 4)
    assert heights(world) == [STAND, STAND + 1, STAND + 2, STAND + 3]
    check_books(world)


@pytest.mark.parametrize("block", ["WATER", "TALL_GRASS"])
def test_water_and_grass_give_way(block: str) -> None:
    world = a_world()
    put(world, (0, STAND, 0), block)
    put(world, (0, STAND + 3, 0), "SAND")
    tick(world)
    assert heights(world) == [STAND]


def test_a_body_holds_what_falls_on_it_until_it_goes() -> None:
    world = a_world()
    agent = put_agent(world)
    put(world, (0, STAND + 8, 0), "SAND")
    put(world, (0, STAND + 9, 0), "GRAVEL")
    tick(world, 5)
    assert heights(world) == [STAND + 2, STAND + 3]
    check_bodies(world)
    fresh = check_books(world)
    for each in (world, fresh):
        each.relocate(each.agents[agent.number], (3, STAND, 0))
        tick(each, 3)
        assert heights(each) == [STAND, STAND + 1]
    assert fresh.digest() == world.digest()


def test_things_under_falling_sand_come_to_lie_on_it() -> None:
    world = a_world()
    items.drop(world, (0, STAND, 0), "COAL", 2)
    put(world, (0, STAND + 5, 0), "SAND")
    tick(world)
    assert [entity.position for entity in world.items] == [(0, STAND + 1, 0)]


def test_a_tick_does_so_much_and_the_next_ones_do_the_rest() -> None:
    world = a_world()
    wide = 17
    for x in range(wide):
        for z in range(wide):
            put(world, (x, STAND + 3, z), "SAND")
    tick(world)
    assert len(world.scratch.block_changes) == 2 * blocks.FALLS_PER_TICK
    tick(world)
    tick(world)
    assert all(heights(world, x, z) == [STAND] for x in range(wide) for z in range(wide))
    assert not world.unsettled


def test_cells_that_nothing_falls_from_are_bounded_too() -> None:
    world = a_world()
    for n in range(blocks.CELLS_PER_TICK + 5):
        world.unsettled[n % 400, SURFACE, n // 400] = None
    tick(world)
    assert len(world.unsettled) == 5


HEAPS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.integers(STAND, 40),
        st.sampled_from(["SAND", "AIR", "WATER", "TORCH"]),
    ),
    max_size=14,
)


@settings(max_examples=60)
@given(HEAPS, st.integers(STAND, STAND + 6))
def test_in_the_end_all_sand_is_held_and_none_is_lost(
    heap: list[tuple[int, int, str]], feet: int
) -> None:
    world = a_world()
    agent = put_agent(world, 0, 0, y=feet)
    sand: dict[tuple[int, int], bool] = {}
    for x, y, name in heap:
        if not (x == 0 and feet <= y <= feet + 1):
            put(world, (x, y, 0), name)
            sand[x, y] = name == "SAND"
    tick(world, 30)
    assert len(heights(world, 0)) + len(heights(world, 1)) == sum(sand.values())
    for x in (0, 1):
        for y in heights(world, x):
            below = block_name(world, (x, y - 1, 0))
            assert below not in blocks.YIELDING or (x == 0 and y - 1 == agent.y + 1)
    check_bodies(world)
    check_books(world)
