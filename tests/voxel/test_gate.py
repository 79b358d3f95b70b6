"""Waking places at the gate of a city: where they lie, what is there, and when there are none."""

from __future__ import annotations

import pytest

from tests.voxel.flat import STAND, flat_world, put_agent, put_block
from tests.voxel.test_mine_gather import LONGEST_TICKS, MineGather
from thorp import env
from thorp.voxel.catalog import Catalogs
from thorp.voxel.inputs import Join
from thorp.voxel.observation.session import Session
from thorp.voxel.society import land
from thorp.voxel.society.records import Claim, Org
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.terrain import spawn_points
from thorp.voxel.terrain.spawn_points import find_spawn
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

GATE = Tuning(newcomers="gate", world_events=False)
RADIUS = 32


def add_city(world: World, founder: int, anchor: Position, name: str = "Thorp", kind: str = "CITY") -> Claim:
    """A city or guild with land, whose only member is its founder."""
    world.counters.org += 1
    org = Org(f"ORG{world.counters.org:06d}", kind, name, 0, {f"A{founder}": "LEADER"})  # type: ignore[arg-type]
    world.orgs.put(org)
    world.agents[founder].org = org.id
    world.agents[founder].changed()
    claim = Claim(f"LAND{org.id}", org.id, anchor, RADIUS, 10**6, world.counters.agent)
    land.add_claim(world, claim)
    return claim


def a_city(catalogs: Catalogs, tuning: Tuning = GATE) -> World:
    """A flat world with a city in its middle, and a stone every ten cells."""
    world = flat_world(catalogs, tuning)
    put_agent(world)
    add_city(world, 1, (0, STAND, 0))
    for x in range(-50, 51, 10):
        for z in range(-50, 51, 10):
            put_block(world, x, STAND, z, "STONE")
    return world


def come_in(world: World, count: int = 1) -> list[Position]:
    first = world.counters.agent
    step(world, [Join(f"newcomer {first + n}", f"{first + n:064x}") for n in range(count)])
    return [world.agents[number].position for number in world.scratch.joined]


def at_gate(place: Position) -> bool:
    return max(abs(place[0]), abs(place[2])) <= spawn_points.REACH


def test_newcomers_wake_near_the_city_and_outside_all_land(catalogs: Catalogs) -> None:
    world = a_city(catalogs)
    other = put_agent(world, 60, 0)
    add_city(world, other.number, (70, STAND, 0), kind="GUILD")
    places = come_in(world, spawn_points.PLACES)
    for x, y, z in places:
        assert max(abs(x), abs(z)) > RADIUS
        assert x * x + z * z <= 48**2
        assert land.at(world, x, z) is None
        assert y == STAND
    assert len({(x // 4, z // 4) for x, _, z in places}) == spawn_points.PLACES, (
        "nobody stands in another's way"
    )


def test_by_default_and_without_a_city_they_wake_at_the_sites(catalogs: Catalogs) -> None:
    for world in (a_city(catalogs, Tuning(world_events=False)), flat_world(catalogs, GATE)):
        expected = find_spawn(world, world.counters.agent + 1)
        assert come_in(world) == [expected]


def test_only_the_first_bodys_city_has_the_gate(catalogs: Catalogs) -> None:
    world = flat_world(catalogs, GATE)
    put_agent(world)
    squatter = put_agent(world, 200, 0)
    add_city(world, squatter.number, (200, STAND, 0))
    assert spawn_points.gate_of(world) is None
    add_city(world, 1, (0, STAND, 0), kind="GUILD")
    assert spawn_points.gate_of(world) is None, "a guild is no city"
    world.agents[1].org = ""
    own = add_city(world, 1, (90, STAND, 0))
    assert spawn_points.gate_of(world) is own


def test_a_crowd_wakes_apart_and_citizens_make_room(catalogs: Catalogs) -> None:
    world = a_city(catalogs)
    assert all(map(at_gate, come_in(world, spawn_points.PLACES)))
    (beyond,) = come_in(world)
    assert not at_gate(beyond)
    world.agents[2].org = world.agents[1].org
    assert at_gate(come_in(world)[0])


@pytest.mark.parametrize("spoilt", ["no blocks", "bedrock", "walls", "water"])
def test_where_no_place_is_good_they_wake_at_the_sites(catalogs: Catalogs, spoilt: str) -> None:
    world = a_city(catalogs)
    for x in range(-52, 53):
        for z in range(-52, 53):
            if max(abs(x), abs(z)) > RADIUS:
                _spoil(world, x, z, spoilt)
    assert not at_gate(come_in(world)[0])


def _spoil(world: World, x: int, z: int, how: str) -> None:
    is_stone = x % 10 == z % 10 == 0
    if how == "walls" and (x % 10 == 5 or z % 10 == 5):
        for y in (STAND, STAND + 1):
            put_block(world, x, y, z, "STONE")
    elif how == "water":
        put_block(world, x, STAND, z, "WATER")
    elif is_stone and how != "walls":
        put_block(world, x, STAND, z, "AIR" if how == "no blocks" else "BEDROCK")


def test_a_place_is_a_function_of_the_state(catalogs: Catalogs) -> None:
    one, other = a_city(catalogs), a_city(catalogs)
    other.ground.keep(())
    before = one.digest()
    assert spawn_points.waking_place(one) == spawn_points.waking_place(other)
    assert one.digest() == before
    assert come_in(one, 10) == come_in(other, 10)
    assert one.digest() == other.digest()


class CityWorld(env.World):
    """A world in process whose first agent has a city, and where the others come in at its gate."""

    def open_gate(self, count: int) -> None:
        world = self._world
        x, y, z = world.agents[1].position
        add_city(world, 1, (x, y, z - 3))
        come_in(world, count)
        self._sessions = {world.agents[n].id: Session(n) for n in world.scratch.joined}


@pytest.mark.parametrize("seed", [1, 7, 41, 1337, 2024, 99_991])
def test_the_first_clients_mine_at_the_gate_too(seed: int) -> None:
    world = CityWorld(seed, tuning=GATE)
    world.reset()
    world.open_gate(spawn_points.PLACES)
    seen = world.step({})
    clients = {agent_id: MineGather() for agent_id in seen}
    assert sum(at_gate(tuple(obs["self"]["pos"])) for obs in seen.values()) >= spawn_points.PLACES // 2
    for _ in range(LONGEST_TICKS):
        acts = {agent_id: clients[agent_id].act(obs) for agent_id, obs in seen.items()}
        if all(client.done for client in clients.values()):
            break
        seen = world.step({agent_id: act for agent_id, act in acts.items() if act is not None})
    assert all(client.done for client in clients.values())
