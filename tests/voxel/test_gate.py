"""Waking places at the gate of a city: where they lie, what is there, and when there are none."""

from __future__ import annotations

import json

import msgspec
import pytest

from tests.voxel.flat import STAND, flat_world, put_agent, put_block
from tests.voxel.test_mine_gather import LONGEST_TICKS, LOOKED_FOR, MineGather
from tests.voxel.test_snapshot import packed
from thorp import env
from thorp.observer.spectator_frames import SelfDescriptions, tick_text
from thorp.simulator.flat_world import create_flat_world
from thorp.voxel.catalog import AIR, Catalogs
from thorp.voxel.inputs import Attach, Detach, Join
from thorp.voxel.lookups import land, spawn_points
from thorp.voxel.lookups.spawn_points import find_spawn
from thorp.voxel.observation import entity_view
from thorp.voxel.observation.session import Session
from thorp.voxel.persistence.snapshot import restore
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import claims, tenure
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import Claim, Org
from thorp.voxel.state.world import World
from thorp.voxel.systems.population import SLEEP_AFTER, SLEEP_EVERY
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

GATE = Tuning(newcomers="gate", world_events=False)
RADIUS = 32


def add_city(
    world: World, founder: int, anchor: Position, name: str = "Thorp", kind: str = "CITY"
) -> Claim:
    """A city or guild with land, whose only member is its founder."""
    world.counters.org += 1
    org = Org(f"ORG{world.counters.org:06d}", kind, name, 0, {f"A{founder}": "LEADER"})  # type: ignore[arg-type]
    world.orgs.put(org)
    world.agents[founder].org = org.id
    world.agents[founder].changed()
    claim = Claim(f"LAND{org.id}", org.id, anchor, RADIUS, 10**6, world.counters.agent)
    tenure.add_claim(world, claim)
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


@pytest.mark.parametrize("spoilt", ["walls", "water"])
def test_where_no_place_is_good_they_wake_at_the_sites(catalogs: Catalogs, spoilt: str) -> None:
    world = a_city(catalogs)
    for x in range(-52, 53):
        for z in range(-52, 53):
            if max(abs(x), abs(z)) > RADIUS:
                _spoil(world, x, z, spoilt)
    assert not at_gate(come_in(world)[0])


def _spoil(world: World, x: int, z: int, how: str) -> None:
    if how == "walls" and (x % 10 == 5 or z % 10 == 5):
        for y in (STAND, STAND + 1):
            put_block(world, x, y, z, "STONE")
    elif how == "water":
        put_block(world, x, STAND, z, "WATER")


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

    def is_at_gate(self, place: Position) -> bool:
        gate = spawn_points.gate_of(self._world)
        assert gate is not None
        x, _, z = gate.anchor
        return (place[0] - x) ** 2 + (place[2] - z) ** 2 <= spawn_points.REACH**2


@pytest.mark.parametrize("seed", [1, 7, 41, 1337, 2024, 99_991])
def test_the_first_clients_mine_at_the_gate_too(seed: int) -> None:
    world = CityWorld(seed, tuning=GATE)
    world.reset()
    world.open_gate(spawn_points.PLACES)
    seen = world.step({})
    clients = {agent_id: MineGather() for agent_id in seen}
    assert all(world.is_at_gate(tuple(obs["self"]["pos"])) for obs in seen.values())
    for _ in range(LONGEST_TICKS):
        acts = {agent_id: clients[agent_id].act(obs) for agent_id, obs in seen.items()}
        if all(client.done for client in clients.values()):
            break
        seen = world.step({agent_id: act for agent_id, act in acts.items() if act is not None})
    assert all(client.done for client in clients.values())


def fall_asleep(world: World, number: int) -> None:
    """Let the owner of a body leave, and wait until nothing in the world waits for it any more."""
    step(world, [Detach(number)])
    for _ in range(SLEEP_AFTER + 2 * SLEEP_EVERY):
        step(world, [])
    assert world.agents[number].asleep


def who_is_seen(world: World, viewer: Agent) -> list[str]:
    (text,) = entity_view.look(world, [viewer])
    return [
        entity["id"]
        for entity in msgspec.json.decode(b"[" + text + b"]")
        if entity["type"] == "AGENT"
    ]


def test_an_absent_stranger_is_unseen_and_wakes_at_the_gate_again(catalogs: Catalogs) -> None:
    world = a_city(catalogs)
    (woke_at,) = come_in(world)
    stranger = world.agents[2]
    stranger.give("IRON_INGOT", 3)
    world.relocate(stranger, (70, STAND, 70))
    world.relocate(world.agents[1], (68, STAND, 70))
    assert who_is_seen(world, world.agents[1]) == ["A2"]
    fall_asleep(world, 2)
    kept = (dict(stranger.inventory), stranger.token)
    assert who_is_seen(world, world.agents[1]) == []
    assert json.loads(tick_text(world, [], SelfDescriptions()))["agents"][0]["id"] == "A1"
    assert len(json.loads(tick_text(world, [], SelfDescriptions()))["agents"]) == 1
    assert not world.bodies_in((70, STAND, 70))
    step(world, [Attach(2, "ab" * 32)])
    assert stranger.position == woke_at
    assert stranger.home == woke_at[::2]
    assert (dict(stranger.inventory), stranger.token) == kept
    world.relocate(world.agents[1], (woke_at[0] + 1, STAND, woke_at[2]))
    assert who_is_seen(world, world.agents[1]) == ["A2"]


def test_who_is_back_at_once_is_where_it_was(catalogs: Catalogs) -> None:
    world = a_city(catalogs)
    come_in(world)
    world.relocate(world.agents[2], (70, STAND, 70))
    step(world, [Detach(2)])
    for _ in range(SLEEP_AFTER - 1):
        step(world, [])
    step(world, [Attach(2, "ab" * 32)])
    assert world.agents[2].position == (70, STAND, 70)


def test_a_resident_sleeps_where_it_is_and_everybody_sees_it(catalogs: Catalogs) -> None:
    world = a_city(catalogs)
    come_in(world)
    world.agents[2].org = world.agents[1].org
    world.relocate(world.agents[2], (70, STAND, 70))
    world.relocate(world.agents[1], (68, STAND, 70))
    fall_asleep(world, 2)
    assert who_is_seen(world, world.agents[1]) == ["A2"]
    step(world, [Attach(2, "ab" * 32)])
    assert world.agents[2].position == (70, STAND, 70)


def test_without_a_gate_strangers_sleep_where_they_are(catalogs: Catalogs) -> None:
    world = a_city(catalogs, Tuning(world_events=False))
    come_in(world)
    fall_asleep(world, 2)
    assert not world.agents[2].hidden


def test_absent_strangers_hold_no_place(catalogs: Catalogs) -> None:
    world = a_city(catalogs)
    first = come_in(world, spawn_points.PLACES)
    step(world, [Detach(agent.number) for agent in world.agents if agent.number > 1])
    assert come_in(world, spawn_points.PLACES) == first, "they are free at once"
    assert not at_gate(come_in(world)[0])


def test_a_stranger_who_comes_back_to_a_full_gate_wakes_apart(catalogs: Catalogs) -> None:
    world = a_city(catalogs)
    come_in(world)
    fall_asleep(world, 2)
    come_in(world, spawn_points.PLACES)
    step(world, [Attach(2, "ab" * 32)])
    assert not at_gate(world.agents[2].position)
    assert spawn_points.standing(world, *world.agents[2].home) == world.agents[2].y


def test_where_there_is_nothing_to_mine_a_boulder_is_set_down(catalogs: Catalogs) -> None:
    world = flat_world(catalogs, GATE)
    put_agent(world)
    add_city(world, 1, (0, STAND, 0))
    for x, y, z in come_in(world, spawn_points.PLACES):
        assert at_gate((x, y, z))
        near = [
            (x + dx, y, z + dz) for dx in range(-2, 3) for dz in range(abs(dx) - 2, 3 - abs(dx))
        ]
        stones = [cell for cell in near if catalogs.blocks[world.ground.block(*cell)].id == "STONE"]
        assert len(stones) == 1
        room = [(x + dx, y, z + dz) for dx, dz in spawn_points.ROOM]
        assert all(world.ground.block(*cell) == AIR for cell in room)


@pytest.mark.parametrize("beside", ["LEAVES", "TALL_GRASS", "PLANK", "BERRY_BUSH"])
def test_a_block_that_the_first_clients_pass_over_does_not_count(
    catalogs: Catalogs, beside: str
) -> None:
    world = flat_world(catalogs, GATE)
    put_agent(world)
    add_city(world, 1, (0, STAND, 0))
    for dx, dz in spawn_points._columns(RADIUS):
        put_block(world, dx - 1, STAND, dz, beside)
    (woken,) = come_in(world)
    feet = woken[0], woken[1], woken[2]
    nearest = spawn_points._nearest_block(world, feet)
    assert nearest is not None
    assert catalogs.blocks[world.ground.block(*nearest)].id in LOOKED_FOR


def test_what_is_hidden_is_in_the_digest_and_in_a_snapshot(catalogs: Catalogs) -> None:
    world = create_flat_world(7, 8, GATE)
    put_agent(world)
    add_city(world, 1, (0, STAND, 0))
    come_in(world, 2)
    fall_asleep(world, 2)
    assert world.agents[2].hidden
    other = restore(packed(world), create_flat_world)
    assert other.digest() == world.digest()
    assert who_is_seen(other, other.agents[3]) == who_is_seen(world, world.agents[3])
    for each in (world, other):
        step(each, [Attach(2, "ab" * 32), Join("another", "cd" * 32)])
    assert other.digest() == world.digest()
    world.agents[2].hidden = True
    world.agents[2].changed()
    assert other.digest() != world.digest()


def test_a_hidden_stranger_keeps_no_land_from_growing(catalogs: Catalogs) -> None:
    world = a_city(catalogs)
    come_in(world)
    world.agents[2].acted = True
    claim = world.claims["LANDORG000001"]
    with pytest.raises(Refusal):
        claims._require_room(world, world.agents[1], claim.anchor, 64, claim)
    fall_asleep(world, 2)
    claims._require_room(world, world.agents[1], claim.anchor, 64, claim)
