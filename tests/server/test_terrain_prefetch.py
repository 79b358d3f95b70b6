"""Terrain is generated ahead of agents in spare time, and the state does not depend on it."""

from __future__ import annotations

from tests.voxel.flat import flat_world, put_agent
from thorp.server.live.terrain_prefetch import AHEAD_CHUNKS, TerrainPrefetch
from thorp.voxel.inputs import Join
from thorp.voxel.load import default_catalogs
from thorp.voxel.new_world import create_world
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning


def test_terrain_around_everyone_is_generated_and_the_state_stays_the_same() -> None:
    world = flat_world(default_catalogs())
    put_agent(world)
    put_agent(world, 500, 500)
    before = world.digest()
    foresight = TerrainPrefetch(world)
    for _ in range(200):
        foresight.look_ahead(1.0)
    assert world.ground.loaded == 2 * (2 * AHEAD_CHUNKS + 1) ** 2
    assert world.digest() == before


def test_evicted_terrain_is_generated_again_and_so_is_that_of_agents_who_moved() -> None:
    world = flat_world(default_catalogs())
    agent, around = put_agent(world), (2 * AHEAD_CHUNKS + 1) ** 2
    foresight = TerrainPrefetch(world)
    for _ in range(100):
        foresight.look_ahead(1.0)
    world.ground.keep((), at_most=3)
    assert world.ground.loaded == around - 3
    for _ in range(100):
        foresight.look_ahead(1.0)
    assert world.ground.loaded == around
    world.relocate(agent, (agent.x + 1_000, agent.y, agent.z))
    for _ in range(100):
        foresight.look_ahead(1.0)
    assert world.ground.loaded == 2 * around


def test_without_time_nothing_is_done() -> None:
    world = flat_world(default_catalogs())
    put_agent(world)
    for _ in range(10):
        TerrainPrefetch(world).look_ahead(0.0)
    assert world.ground.loaded == 0


def test_a_season_begins_alike_whether_its_terrain_was_prefetched_or_not() -> None:
    """All of it, some of it, none of it, and in a season that is over before it is all made."""
    tuning = Tuning(seasons=True, day_ticks=24, season_length_ticks=24)
    worlds = [create_world(7, 8, tuning) for _ in range(3)]
    prepared, hurried, unprepared = worlds
    foresights = {id(world): TerrainPrefetch(world) for world in (prepared, hurried)}
    sessions = [[Session(number) for number in range(1, 7)] for _ in worlds]
    for tick in range(1, 60):
        for world in worlds:
            step(
                world,
                [Join(f"someone {number}", "00" * 32) for number in range(6)] if tick == 1 else [],
            )
        assert prepared.digest() == hurried.digest() == unprepared.digest()
        frames = []
        for world, own in zip(worlds, sessions, strict=True):
            compose(world, own)
            frames.append([session.take() for session in own])
        assert frames[0] == frames[1] == frames[2]
        foresights[id(prepared)].look_ahead(1.0)
        foresights[id(hurried)].look_ahead(1e-6)
    assert prepared.season == 3


def test_no_terrain_has_to_be_generated_when_a_season_begins() -> None:
    world = create_world(7, 8, Tuning(seasons=True, day_ticks=24, season_length_ticks=24))
    step(world, [Join(f"someone {number}", "00" * 32) for number in range(5)])
    foresight = TerrainPrefetch(world)
    while world.tick < 23:
        step(world, [])
        foresight.look_ahead(1.0)
    ahead = world.derived.land_ahead
    assert ahead is not None
    made = ahead.loaded
    step(world, [])
    compose(world, [Session(number) for number in range(1, 6)])
    assert (world.season, world.ground.loaded, world.derived.land_ahead) == (2, made, None)


def test_a_world_without_seasons_prefetches_no_other_terrain() -> None:
    world = create_world(7, 8, Tuning(day_ticks=24, season_length_ticks=24))
    TerrainPrefetch(world).look_ahead(1.0)
    assert world.derived.land_ahead is None
