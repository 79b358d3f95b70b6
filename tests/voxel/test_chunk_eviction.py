"""Memory: chunks that nobody is near go, and come back as they were; changed ones are not without
number."""

from __future__ import annotations

from tests.voxel.flat import STAND, SURFACE, events, flat_world, put_agent, put_block
from thorp.protocol.act import Act
from thorp.protocol.actions import Mine, Place
from thorp.voxel.catalog import Catalogs
from thorp.voxel.inputs import Acted
from thorp.voxel.state.world import World
from thorp.voxel.systems import blocks
from thorp.voxel.tick import step
from thorp.voxel.tuning import read_tuning


def test_what_nobody_is_near_goes_and_comes_back(world: World) -> None:
    put_agent(world)
    put_block(world, 500, SURFACE, 500, "PLANK")
    before = world.digest()
    for cx in range(40):
        world.ground.base(cx, 7)
    world.tick = blocks.SWEEP_EVERY
    blocks.evict_chunks(world)
    assert world.ground.loaded <= (2 * blocks.NEAR + 1) ** 2
    assert world.ground.block(500, SURFACE, 500) == world.catalogs.block_number["PLANK"]
    world.tick = 0
    assert world.digest() == before


def test_only_so_many_at_once(world: World) -> None:
    for number in range(blocks.SWEPT_AT_ONCE + 10):
        world.ground.base(*divmod(number, 100))
    blocks.evict_chunks(world)
    assert world.ground.loaded == 10


def test_a_world_keeps_only_so_much_changed_ground(catalogs: Catalogs) -> None:
    world = flat_world(catalogs, read_tuning({"changed_chunks_cap": 1}))
    put_block(world, 0, SURFACE, 0, "PLANK")
    agent = put_agent(world, 16, 0, PLANK=2)
    for wish in (
        Place(id="p", block_pos=(17, STAND, 0), item_id="PLANK"),
        Mine(id="m", block_pos=(17, SURFACE, 0)),
        Place(id="q", block_pos=(15, STAND, 0), item_id="PLANK"),
    ):
        step(world, [Acted(1, Act(tick=world.tick, tasks=[wish]))])
    assert [event["code"] for event in events(agent, "TASK_FAIL")] == [
        "E_NO_RESOURCE",
        "E_NO_RESOURCE",
    ]
    assert len(events(agent, "TASK_DONE")) == 1
    assert agent.have("PLANK") == 1
