"""What agents see of others: everybody looks at once, and sees what each would see alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, flat_world, put_agent
from tests.voxel.working import put
from thorp.voxel.load import default_catalogs
from thorp.voxel.observation import entity_view
from thorp.voxel.observation.entity_view import MAX_SEEN, SIGHT
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World, block_id
from thorp.voxel.systems import items
from thorp.voxel.tuning import Tuning

KINDS = st.sampled_from(
    ["agent", "item", "CHEST", "SIGN", "CONVEYOR", "SENSOR", "SWITCH", "BULLETIN_BOARD"]
)
PLACES = st.tuples(st.integers(-20, 20), st.integers(0, 3), st.integers(-20, 20))


def furnished(things: dict[Position, str]) -> World:
    world = flat_world(default_catalogs())
    put_agent(world)
    for (x, up, z), kind in things.items():
        if kind == "agent":
            put_agent(world, x, z, STAND + up)
        elif kind == "item":
            items.create(world, (x, STAND + up, z), "COAL", 1)
        else:
            put(world, (x, STAND + up, z), kind)
    return world


def ids_seen(world: World, agents: Sequence[Agent]) -> list[list[str]]:
    """The ids that each of these agents sees."""
    texts = entity_view.look(world, agents)
    return [[entity["id"] for entity in msgspec.json.decode(b"[" + text + b"]")] for text in texts]


def ids_that_should_be(world: World, agent: Agent, most: int) -> list[str]:
    """The same, told plainly."""
    tables: tuple[Any, ...] = (
        world.agents,
        world.containers,
        world.boards,
        world.signs,
        world.conveyors,
        world.switches,
        world.sensors,
        world.items,
    )
    near = []
    for rank, table in enumerate(tables):
        for thing in table:
            away = [abs(a - b) for a, b in zip(thing.position, agent.position, strict=True)]
            is_near = (
                max(away) <= world.tuning.obs_radius
                if table is world.sensors
                else sum(away) <= SIGHT
            )
            key = getattr(thing, "number", thing.position)
            if is_near:
                near.append((sum(away), rank, key, thing))
    near.sort(key=lambda found: found[:3])
    listed = sorted(near[: most + 1], key=lambda found: found[1:3])
    names = dict(
        zip(
            range(8),
            ("", "", "BULLETIN_BOARD", "SIGN", "CONVEYOR", "SWITCH", "SENSOR", ""),
            strict=True,
        )
    )
    return [
        block_id(names[rank], thing.position) if names[rank] else thing.id
        for _, rank, _, thing in listed
        if thing is not agent
    ]


@settings(max_examples=60)
@given(st.dictionaries(PLACES, KINDS, max_size=40), st.sampled_from([1, 3, 10, 30, MAX_SEEN]))
def test_the_nearest_are_seen_and_listed_in_order(things: dict[Position, str], most: int) -> None:
    world = furnished(things)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entity_view, "MAX_SEEN", most)
        everyone = list(world.agents)
        expected = [ids_that_should_be(world, agent, most) for agent in everyone]
        assert ids_seen(world, everyone) == expected
        assert ids_seen(world, everyone[::2]) == expected[::2], "whoever else looks"


def test_everyone_in_a_crowd_sees_the_nearest() -> None:
    world = flat_world(default_catalogs())
    for number in range(2 * MAX_SEEN):
        put_agent(world, number % 20, number // 20)
    put(world, (7, STAND + 2, 7), "SENSOR")
    everyone, crowded = list(world.agents), 0
    seen = ids_seen(world, everyone)
    for agent, names in list(zip(everyone, seen, strict=True))[::37]:
        assert names == ids_that_should_be(world, agent, MAX_SEEN)
        crowded += len(names) == MAX_SEEN
    assert crowded, "in the middle there are more than can be seen"


@pytest.mark.parametrize("radius", [7, 16, 24, 32])
def test_a_sensor_is_seen_as_far_as_the_cube_reaches_whoever_else_looks(radius: int) -> None:
    world = flat_world(default_catalogs(), tuning=Tuning(obs_radius=radius))
    near, far = put_agent(world), put_agent(world, 40, 0)
    put(world, (radius, STAND, -radius), "SENSOR")
    put(world, (-radius - 1, STAND, 0), "SENSOR")
    expected = [block_id("SENSOR", (radius, STAND, -radius))]
    assert [name for name in ids_seen(world, [near])[0] if "SENSOR" in name] == expected
    assert [name for name in ids_seen(world, [near, far])[0] if "SENSOR" in name] == expected


def test_those_on_both_sides_of_a_border_of_regions_see_each_other() -> None:
    world = flat_world(default_catalogs())
    border = 1 << entity_view.REGION_BITS
    everyone = [put_agent(world, x, z) for x in (-1, 0, border - 1, border) for z in (-1, 0)]
    far = put_agent(world, 20 * border, 0)
    for agent, names in zip([*everyone, far], ids_seen(world, [*everyone, far]), strict=True):
        assert names == ids_that_should_be(world, agent, MAX_SEEN)
        assert bool(names) == (agent is not far)
