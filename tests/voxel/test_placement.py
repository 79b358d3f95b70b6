"""PLACE: reach, rights, room, soil, bodies; nothing is spent in vain."""

from __future__ import annotations

import pytest

from tests.voxel.flat import STAND, SURFACE, put_agent
from tests.voxel.working import (
    a_world,
    block_name,
    check_bodies,
    check_books,
    done,
    failed,
    put,
    refused,
)
from thorp.protocol.actions import Place
from thorp.voxel.lookups import permissions
from thorp.voxel.systems.placement import heading_of


def test_a_thing_becomes_a_block() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=2)
    assert done(world, agent, Place(block_pos=(2, STAND, 0), item_id="PLANK")) == 1
    assert agent.inventory == {"PLANK": 1}
    assert block_name(world, (2, STAND, 0)) == "PLANK"
    change = world.scratch.block_changes[0]
    assert (change.actor, change.reason) == (agent.id, "PLACE")
    check_books(world)


def test_it_must_be_asked_for_whole() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=2)
    assert refused(world, agent, Place(item_id="PLANK")) == ("E_BAD_REQUEST", "missing block_pos")
    assert refused(world, agent, Place(block_pos=(2, STAND, 0))) == (
        "E_BAD_REQUEST",
        "missing item_id",
    )


@pytest.mark.parametrize("reach", [6, 3])
def test_reach(reach: int) -> None:
    world = a_world(place_reach=reach)
    agent = put_agent(world, PLANK=2)
    far = Place(block_pos=(reach, STAND + 1, 0), item_id="PLANK")
    assert failed(world, agent, far) == ("E_BLOCKED", "too far")
    assert agent.inventory == {"PLANK": 2}
    done(world, agent, Place(block_pos=(reach - 1, STAND + 1, 0), item_id="PLANK"))


def test_outside_the_world_nothing_is_spent_and_no_chunk_is_made() -> None:
    world = a_world(world_boundary_r=64)
    agent = put_agent(world, 64, 0, PLANK=1)
    agent.y = 62
    loaded = world.ground.loaded
    for position in ((65, 62, 0), (64, 64, 0), (5000, 62, 5000), (64, -1, 0), (2**31 - 1, 0, 0)):
        assert failed(world, agent, Place(block_pos=position, item_id="PLANK")) == (
            "E_INVALID_TARGET",
            "outside the world",
        )
    assert agent.inventory == {"PLANK": 1}
    assert world.ground.loaded == loaded
    done(world, agent, Place(block_pos=(64, 60, 0), item_id="PLANK"))


@pytest.mark.parametrize(
    "block", ["STONE", "WATER", "TORCH", "SAPLING", "WHEAT_RIPE", "BERRY_BUSH"]
)
def test_the_cell_must_be_free(block: str) -> None:
    world = a_world()
    agent = put_agent(world, PLANK=1)
    put(world, (2, STAND, 0), block)
    end = failed(world, agent, Place(block_pos=(2, STAND, 0), item_id="PLANK"))
    assert end == ("E_BLOCKED", "space occupied")
    assert agent.inventory == {"PLANK": 1}


def test_tall_grass_gives_way() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=1)
    put(world, (2, STAND, 0), "TALL_GRASS")
    done(world, agent, Place(block_pos=(2, STAND, 0), item_id="PLANK"))


def test_what_is_not_there_or_is_no_block() -> None:
    world = a_world()
    agent = put_agent(world, STICK=1)
    where = (2, STAND, 0)
    for item in ("PLANK", "NO_SUCH_THING"):
        assert failed(world, agent, Place(block_pos=where, item_id=item)) == (
            "E_NO_RESOURCE",
            "missing item",
        )
    end = failed(world, agent, Place(block_pos=where, item_id="STICK"))
    assert end == ("E_INVALID_TARGET", "item not placeable")


def test_ores_can_be_put_back() -> None:
    world = a_world()
    agent = put_agent(world, IRON_ORE=1)
    done(world, agent, Place(block_pos=(2, STAND, 0), item_id="IRON_ORE"))
    assert block_name(world, (2, STAND, 0)) == "IRON_ORE"


@pytest.mark.parametrize(("item", "block"), [("SEEDS", "WHEAT_SPROUT"), ("SAPLING", "SAPLING")])
def test_plants_need_soil(item: str, block: str) -> None:
    world = a_world()
    agent = put_agent(world, **{item: 1})
    where = (2, STAND, 0)
    put(world, (2, SURFACE, 0), "STONE")
    end = failed(world, agent, Place(block_pos=where, item_id=item))
    assert end == ("E_INVALID_TARGET", "needs DIRT or GRASS below")
    put(world, (2, SURFACE, 0), "DIRT")
    done(world, agent, Place(block_pos=where, item_id=item))
    assert block_name(world, where) == block
    assert where in world.growth


@pytest.mark.parametrize("dy", [0, 1])
def test_no_body_is_walled_in(dy: int) -> None:
    world = a_world()
    agent, other = put_agent(world, PLANK=1, TORCH=1), put_agent(world, 2, 0)
    for body in (agent, other):
        end = failed(world, agent, Place(block_pos=(body.x, STAND + dy, 0), item_id="PLANK"))
        assert end == ("E_UNSAFE", f"{body.id} stands there")
    assert agent.have("PLANK") == 1
    check_bodies(world)
    done(world, agent, Place(block_pos=(2, STAND + dy, 0), item_id="TORCH"))


def test_above_a_head_there_is_room() -> None:
    world = a_world()
    agent = put_agent(world, PLANK=1)
    done(world, agent, Place(block_pos=(0, STAND + 2, 0), item_id="PLANK"))


def test_rights_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_world()
    agent = put_agent(world, PLANK=1)
    monkeypatch.setattr(permissions, "may_build", lambda world, agent, position: False)
    end = failed(world, agent, Place(block_pos=(2, STAND, 0), item_id="PLANK"))
    assert end == ("E_NO_PERMISSION", "build denied")
    assert agent.have("PLANK") == 1


@pytest.mark.parametrize(
    ("yaw", "heading"),
    [
        (0, (0, 1)),
        (90, (1, 0)),
        (180, (0, -1)),
        (270, (-1, 0)),
        (359, (0, 1)),
        (44, (0, 1)),
        (45, (1, 0)),
    ],
)
def test_a_belt_faces_as_its_placer_does(yaw: int, heading: tuple[int, int]) -> None:
    world = a_world()
    agent = put_agent(world, CONVEYOR=1)
    agent.yaw = yaw
    done(world, agent, Place(block_pos=(2, STAND, 0), item_id="CONVEYOR"))
    belt = world.conveyors[2, STAND, 0]
    assert (belt.dx, belt.dz) == heading == heading_of(yaw)


@pytest.mark.parametrize("item", ["CHEST", "FURNACE", "CONTRACT_TERMINAL"])
def test_a_container_begins_empty(item: str) -> None:
    world = a_world()
    agent = put_agent(world, **{item: 1})
    done(world, agent, Place(block_pos=(2, STAND, 0), item_id=item))
    assert world.containers[2, STAND, 0].id == f"{item}@2,{STAND},0"
    assert not world.containers[2, STAND, 0].stock
