"""Land is made ahead of those who walk, in the time that is left, and nothing of it can be seen."""

from __future__ import annotations

from tests.voxel.flat import flat_world, put_agent
from thorp.server.foresight import AHEAD_CHUNKS, Foresight
from thorp.voxel.load import default_catalogs


def test_the_land_around_everyone_is_made_and_the_state_stays_the_same() -> None:
    world = flat_world(default_catalogs())
    put_agent(world)
    put_agent(world, 500, 500)
    before = world.digest()
    foresight = Foresight(world)
    for _ in range(200):
        foresight.look_ahead(1.0)
    assert world.ground.loaded == 2 * (2 * AHEAD_CHUNKS + 1) ** 2
    assert world.digest() == before


def test_without_time_nothing_is_done() -> None:
    world = flat_world(default_catalogs())
    put_agent(world)
    for _ in range(10):
        Foresight(world).look_ahead(0.0)
    assert world.ground.loaded == 0
