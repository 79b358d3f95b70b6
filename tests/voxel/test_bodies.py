"""Bodies fall, land, swim, drown, and are never left inside a block."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, SURFACE, events, flat_world, put_agent, put_block
from thorp.voxel.load import default_catalogs
from thorp.voxel.state.agent import MAX_BREATH, MAX_HP, Agent
from thorp.voxel.state.ground import CHUNK_CELLS, HEIGHT
from thorp.voxel.state.unsaved import TickScratch
from thorp.voxel.state.world import World
from thorp.voxel.systems import bodies
from thorp.voxel.tick import step

CATALOGS = default_catalogs()


def dig(world: World, depth: int, x: int = 0, z: int = 0, fill: str = "AIR") -> None:
    """A shaft so many cells deep under a body that stands on the grass."""
    for y in range(SURFACE, SURFACE - depth, -1):
        put_block(world, x, y, z, fill)


def tick(world: World) -> None:
    """The bodies' part of a tick in which the ground changed before."""
    world.tick += 1
    bodies.step(world)
    world.scratch = TickScratch()


def heights(world: World, agent: Agent, ticks: int) -> Iterator[int]:
    for _ in range(ticks):
        tick(world)
        yield agent.y


def test_a_body_falls_faster_and_faster(world: World) -> None:
    agent = put_agent(world)
    dig(world, 18)
    fallen = [STAND - y for y in heights(world, agent, 8)]
    assert fallen == [1, 3, 6, 10, 14, 18, 18, 18]
    assert agent.fallen == 0


@pytest.mark.parametrize(
    ("depth", "damage"), [(1, 0), (2, 0), (3, 0), (4, 1), (5, 2), (10, 7), (18, 15)]
)
def test_every_cell_beyond_a_safe_drop_costs_one_hp(world: World, depth: int, damage: int) -> None:
    agent = put_agent(world)
    dig(world, depth)
    list(heights(world, agent, 8))
    assert agent.y == STAND - depth
    assert agent.hp == MAX_HP - damage
    assert [event["hp"] for event in events(agent, "DAMAGE")] == ([agent.hp] if damage else [])
    assert all(event["kind"] == "FALL" for event in events(agent, "DAMAGE"))


def test_a_deadly_fall_ends_in_a_new_body_in_the_same_tick(world: World) -> None:
    agent = put_agent(world, y=STAND + 35)
    while not events(agent, "RESPAWN"):
        assert world.tick < 20
        step(world, [])
    assert events(agent, "DAMAGE")[-1] == {
        "t": world.tick,
        "type": "DAMAGE",
        "kind": "FALL",
        "hp": 0,
    }
    assert (agent.hp, agent.fallen, agent.position) == (MAX_HP, 0, (0, STAND, 0))
    step(world, [])
    assert agent.hp == MAX_HP


def test_water_breaks_a_fall(world: World) -> None:
    agent = put_agent(world, y=STAND + 30)
    dig(world, 1, fill="WATER")
    list(heights(world, agent, 12))
    assert (agent.y, agent.hp, agent.fallen) == (SURFACE, MAX_HP, 0)
    assert agent.at_rest


def test_falls_do_not_add_up(world: World) -> None:
    agent = put_agent(world)
    for depth in (3, 6, 9):
        dig(world, depth)
        list(heights(world, agent, 4))
    assert (agent.y, agent.hp) == (STAND - 9, MAX_HP)


def test_the_bottom_of_the_world_holds(world: World) -> None:
    agent = put_agent(world, y=1)
    agent.hp = MAX_HP
    for y in (0, 1, 2):
        put_block(world, 0, y, 0, "AIR")
    list(heights(world, agent, 5))
    assert agent.y == 0
    assert agent.at_rest


def test_a_body_swims_up_one_cell_a_tick_and_floats_with_its_head_out(world: World) -> None:
    dig(world, 6, fill="WATER")
    agent = put_agent(world, y=STAND - 6)
    assert list(heights(world, agent, 7)) == [
        STAND - 5,
        STAND - 4,
        STAND - 3,
        STAND - 2,
        *[SURFACE] * 3,
    ]
    assert agent.hp == MAX_HP


def test_nobody_swims_out_of_the_top_of_the_world(world: World) -> None:
    ground = world.ground
    for y in range(STAND, HEIGHT):
        put_block(world, 0, y, 0, "WATER")
    # Behind the chunk lies another one in memory, whose lowest layer must not pass for the sky.
    assert ground.base(1, 0) == ground.base(0, 0) + CHUNK_CELLS
    put_block(world, 16, 0, 0, "WATER")
    agent = put_agent(world, y=HEIGHT - 4)
    assert list(heights(world, agent, 4)) == [HEIGHT - 3, HEIGHT - 2, HEIGHT - 2, HEIGHT - 2]
    assert agent.breath == MAX_BREATH - 4


def test_breath_comes_back_in_the_air(world: World) -> None:
    dig(world, 4, fill="WATER")
    agent = put_agent(world, y=STAND - 4)
    agent.breath = 20
    list(heights(world, agent, 2))
    assert agent.breath == 18
    assert not agent.at_rest
    list(heights(world, agent, 20))
    assert agent.breath == MAX_BREATH
    assert agent.at_rest


def drowning(world: World) -> Agent:
    """A body in a flooded cell of rock, without air."""
    put_block(world, 0, 10, 0, "WATER")
    put_block(world, 0, 11, 0, "WATER")
    return put_agent(world, y=10)


def test_under_a_roof_the_breath_runs_out_and_then_the_hp(world: World) -> None:
    agent = drowning(world)
    for breath in range(MAX_BREATH - 1, -1, -1):
        assert agent.hp == MAX_HP
        tick(world)
        assert agent.breath == breath
    list(heights(world, agent, 50))
    hurts = events(agent, "DAMAGE")
    assert {event["kind"] for event in hurts} == {"DROWNING"}
    ticks = [int(str(event["t"])) for event in hurts]
    assert {later - earlier for earlier, later in pairwise(ticks)} == {5}
    assert agent.hp == MAX_HP - len(hurts) <= MAX_HP - 10
    assert agent.y == 10


def test_a_drowning_body_is_saved_by_a_way_up(world: World) -> None:
    agent = drowning(world)
    list(heights(world, agent, 40))
    for y in range(12, SURFACE + 1):
        put_block(world, 0, y, 0, "WATER")
    list(heights(world, agent, 60))
    assert (agent.y, agent.breath, agent.hp) == (SURFACE, MAX_BREATH, MAX_HP)


def test_a_head_in_water_over_dry_feet_breathes_nothing(world: World) -> None:
    agent = put_agent(world)
    put_block(world, 0, STAND + 1, 0, "WATER")
    tick(world)
    assert (agent.y, agent.breath) == (STAND, MAX_BREATH - 1)


def test_a_body_is_put_out_of_a_block_into_the_nearest_gap(world: World) -> None:
    agent = put_agent(world)
    put_block(world, 0, STAND, 0, "STONE")
    tick(world)
    assert agent.position == (0, STAND + 1, 0)
    put_block(world, 0, STAND + 2, 0, "STONE")
    tick(world)
    assert world.catalogs.medium[world.ground.block(*agent.position)] == 0
    list(heights(world, agent, 3))
    assert agent.position[1] == STAND


def test_a_body_deep_in_rock_comes_out_somewhere(world: World) -> None:
    agent = put_agent(world, y=5)
    tick(world)
    assert agent.y >= STAND


def test_resting_bodies_are_passed_over_and_woken_by_their_own_column_only(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, far = put_agent(world), put_agent(world, 5, 5)
    tick(world)
    assert here.at_rest
    assert far.at_rest
    looked_at: list[Agent] = []
    settle = bodies._settle

    def watched(world: World, agent: Agent) -> None:
        looked_at.append(agent)
        settle(world, agent)

    monkeypatch.setattr(bodies, "_settle", watched)
    tick(world)
    assert looked_at == []
    dig(world, 1)
    tick(world)
    assert looked_at == [here]
    world.relocate(far, (6, STAND, 5))
    tick(world)
    assert looked_at == [here, far]


def test_looking_again_at_a_body_at_rest_changes_nothing(world: World) -> None:
    dig(world, 3, x=4, fill="WATER")
    stands, floats = put_agent(world), put_agent(world, 4, y=SURFACE)
    list(heights(world, stands, 3))
    before = world.digest()
    world.agents[stands.number].at_rest = world.agents[floats.number].at_rest = False
    bodies.step(world)
    assert world.digest() == before


MEDIA = st.sampled_from(["AIR", "STONE", "WATER", "TORCH", "SAND"])


@settings(max_examples=60)
@given(
    column=st.lists(MEDIA, min_size=12, max_size=12),
    y=st.integers(0, 11),
    later=st.lists(st.tuples(st.integers(0, 11), MEDIA), max_size=6),
)
def test_no_body_is_ever_in_a_block_and_all_come_to_rest(
    column: list[str], y: int, later: list[tuple[int, str]]
) -> None:
    world = flat_world(CATALOGS)
    for height, name in enumerate(column):
        put_block(world, 0, SURFACE - 6 + height, 0, name)
    agent = put_agent(world, y=SURFACE - 6 + y)
    solid = world.catalogs.solid
    for height, name in [*later, (0, column[0])]:
        put_block(world, 0, SURFACE - 6 + height, 0, name)
        for _ in range(15):
            tick(world)
            assert 0 <= agent.y <= HEIGHT - 2
            assert not solid[world.ground.block(agent.x, agent.y, agent.z)]
            assert not solid[world.ground.block(agent.x, agent.y + 1, agent.z)]
    media = world.ground.column(agent.x, agent.z).translate(world.catalogs.medium)
    assert agent.y in bodies.resting_heights(media)
    assert agent.fallen == 0
