"""Who goes when its owner does not come back, and who stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.voxel.flat import QUIET, STAND, flat_world
from tests.voxel.test_snapshot import packed
from thorp.observer.spectator_frames import SelfDescriptions, tick_text
from thorp.protocol.act import Act
from thorp.protocol.actions import LoadMemory
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.totals import count_everything
from thorp.voxel.catalog import AIR, Catalogs
from thorp.voxel.inputs import Acted, AnyInput, Attach, Detach, Join, Retire
from thorp.voxel.lookups.residence import is_resident
from thorp.voxel.persistence.snapshot import restore
from thorp.voxel.society import scores, structures
from thorp.voxel.state.agent import MAX_HUNGER, Agent, Bodies, agent_bytes
from thorp.voxel.state.records import Claim, Contract, Org, Trade
from thorp.voxel.state.world import Container, World
from thorp.voxel.systems import bodies
from thorp.voxel.systems.blocks import change_block
from thorp.voxel.systems.population import (
    GUESTS_EVERY,
    SLEEP_AFTER,
    SLEEP_EVERY,
    dispensable,
    reason_to_keep,
    retirement,
)
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning, read_tuning

CAP = 20
SEASON = 2 * GUESTS_EVERY


def until(world: World, tick: int) -> None:
    while world.tick < tick:
        step(world, [])


def names(world: World) -> list[str]:
    return [agent.name for agent in world.agents]


def test_guests_who_never_acted_go_and_others_stay(catalogs: Catalogs) -> None:
    world = flat_world(catalogs, read_tuning({"guest_ticks": 10}))
    step(world, [Join("guest", "00"), Join("settler", "00"), Join("reader", "00")])
    step(world, [Acted(2, Act(tick=1, instants=[LoadMemory(id="l")]))])
    step(world, [Detach(1), Detach(2)])
    until(world, 2 * GUESTS_EVERY)
    assert names(world) == ["settler", "reader"]
    step(world, [Join("next", "00")])
    assert world.scratch.joined == [4], "numbers are never given out twice"


def full_world(catalogs: Catalogs) -> World:
    """As many bodies as there may be, all of which have acted; those with even numbers left, one a
    tick."""
    world = flat_world(
        catalogs,
        Tuning(
            population_cap=CAP,
            day_ticks=SEASON // 2,
            season_length_ticks=SEASON,
            world_events=False,
        ),
    )
    step(world, [Join(f"a{n}", "00") for n in range(1, CAP + 1)])
    step(world, [Acted(n, Act(tick=1, instants=[LoadMemory(id="l")])) for n in range(1, CAP + 1)])
    for number in range(CAP, 0, -2):
        step(world, [Detach(number)])
    return world


def test_nobody_who_acted_goes_by_itself(catalogs: Catalogs) -> None:
    world = full_world(catalogs)
    until(world, 4 * SEASON)
    assert len(world.agents) == CAP


def test_in_a_full_world_a_stranger_who_is_away_gives_its_place(catalogs: Catalogs) -> None:
    world = full_world(catalogs)
    before = count_everything(world)
    step(world, [Retire(2, for_room=True)])
    assert 2 not in world.agents
    assert count_everything(world) == before, "what it carried stays where it stood"
    assert {
        "kind": "LEAVE",
        "agent": "A2",
        "name": "a2",
        "retired": True,
    } in world.scratch.public_events
    step(world, [Join("new", "00"), Join("one too many", "00")])
    assert world.scratch.joined == [CAP + 1, 0]


def test_who_is_there_or_has_come_back_keeps_its_place(catalogs: Catalogs) -> None:
    world = full_world(catalogs)
    step(world, [Attach(2, "00")])
    step(world, [Retire(1, for_room=True), Retire(2, for_room=True)])
    assert len(world.agents) == CAP
    assert [agent.number for agent in dispensable(world)] == list(range(4, CAP + 1, 2))


def own_land(world: World) -> None:
    world.claims.put(Claim("LAND_1", "A2", (0, 22, 0), 4, 10**6, 0))


def be_in_an_organisation(world: World) -> None:
    world.orgs.put(Org("ORG1", "GUILD", "moles", 1, {"A2": "LEADER"}))
    world.agents[2].org = "ORG1"


def offer(world: World) -> None:
    world.trades.put(Trade("TR1", "A2", "A1", {}, {}, 10**6))


def post(world: World) -> None:
    put_contract(world, poster="A2", acceptor="A1")


def accept(world: World) -> None:
    put_contract(world, poster="A1", acceptor="A2")


def add_to_a_reward(world: World) -> None:
    put_contract(world, poster="A1", acceptor="A3", backer="A2")


def put_contract(world: World, **people: Any) -> None:
    terminal = world.containers.put(Container("CONTRACT_TERMINAL", (30, 23, 30)))
    world.contracts.put(
        Contract(
            id="C1",
            kind="GATHER",
            state="ACCEPTED",
            terminal=terminal.position,
            requirements={"COAL": 1},
            reward={},
            deposit={},
            created_tick=1,
            deadline_tick=10**6,
            **people,
        )
    )


def be_owed_something(world: World) -> None:
    world.containers.put(Container("CONTRACT_TERMINAL", (30, 23, 30), owed={"A2": {"COAL": 1}}))


def be_a_member_of_a_land(world: World) -> None:
    world.claims.put(Claim("LAND_1", "A1", (0, 22, 0), 4, 10**6, 0, members=["A2"]))


def have_a_home(world: World) -> None:
    structures.register(
        world,
        world.agents[2],
        blueprint_id="hut_small",
        anchor=(40, STAND, 40),
        rotation=0,
        cells=[(40, STAND, 40)],
    )


def have_been_there_for_a_day(world: World) -> None:
    step(world, [Attach(2, "00")])
    until(world, world.tick + world.tuning.day_ticks)
    step(world, [Detach(2)])


TIES = (own_land, be_in_an_organisation, offer, post, accept, add_to_a_reward, be_owed_something)
RESIDENCE = (
    own_land,
    be_in_an_organisation,
    be_a_member_of_a_land,
    have_a_home,
    have_been_there_for_a_day,
)


@pytest.mark.parametrize("tie", TIES)
def test_who_has_ties_stays_however_long_it_is_gone(
    catalogs: Catalogs, tie: Callable[[World], None]
) -> None:
    world = full_world(catalogs)
    tie(world)
    world.derived.index = None
    until(world, 2 * SEASON)
    step(world, [Retire(2), Retire(2, for_room=True)])
    assert 2 in world.agents
    assert reason_to_keep(world, world.agents[2]) is not None
    assert world.agents[2] not in dispensable(world)


@pytest.mark.parametrize("settle", RESIDENCE)
def test_residents_keep_their_places(catalogs: Catalogs, settle: Callable[[World], None]) -> None:
    world = full_world(catalogs)
    assert not is_resident(world, world.agents[2])
    settle(world)
    world.derived.index = None
    until(world, 2 * SEASON)
    assert is_resident(world, world.agents[2])
    step(world, [Retire(2, for_room=True)])
    assert 2 in world.agents
    assert [agent.number for agent in dispensable(world)] == list(range(4, CAP + 1, 2))


def test_a_road_makes_nobody_a_resident(catalogs: Catalogs) -> None:
    world = full_world(catalogs)
    structures.register(
        world,
        world.agents[2],
        blueprint_id="road_segment",
        anchor=(40, STAND, 40),
        rotation=0,
        cells=[(40, STAND, 40)],
    )
    assert not is_resident(world, world.agents[2])


DAY = 200
LIMITED = msgspec.structs.replace(
    QUIET, starter_goods_per_day=60, day_ticks=DAY, season_length_ticks=DAY
)


def test_a_limited_kit_goes_with_a_retired_body(catalogs: Catalogs) -> None:
    """By its owner's wish and for room, what it made of the kit included; what it found stays."""
    world = flat_world(catalogs, LIMITED)
    step(world, [Join("mole", "00"), Join("vole", "00")])
    assert world.agents[1].inventory
    for number in (1, 2):
        world.agents[number].give("STICK", 4)
        world.agents[number].give("CRYSTAL_SHARD", 3)
    step(world, [Detach(2)])
    step(world, [retirement(world, 1), retirement(world, 2, for_room=True)])
    assert names(world) == []
    assert count_everything(world) == {"CRYSTAL_SHARD": 6}


def test_who_was_present_for_a_day_leaves_all_of_it(catalogs: Catalogs) -> None:
    world = flat_world(catalogs, LIMITED)
    step(world, [Join("mole", "00")])
    until(world, world.tick + DAY)
    before = count_everything(world)
    step(world, [retirement(world, 1)])
    assert names(world) == []
    assert count_everything(world) == before


def test_a_journal_from_before_kits_went_along_replays_as_it_was(catalogs: Catalogs) -> None:
    world = flat_world(catalogs, LIMITED)
    step(world, [Join("mole", "00")])
    before = count_everything(world)
    old: AnyInput = msgspec.json.decode(b'{"in":"retire","agent":1}', type=AnyInput)
    step(world, [old])
    assert names(world) == []
    assert count_everything(world) == before


def test_without_a_limit_the_input_is_what_it_always_was(catalogs: Catalogs) -> None:
    world = flat_world(catalogs)
    assert retirement(world, 7) == Retire(7)
    assert msgspec.json.encode(retirement(world, 7)) == b'{"in":"retire","agent":7}'
    limited = flat_world(catalogs, LIMITED)
    text = b'{"in":"retire","agent":7,"for_room":true,"with_kit":true}'
    assert msgspec.json.encode(retirement(limited, 7, for_room=True)) == text


def test_a_retired_body_goes_at_once_and_leaves_what_it_carries(catalogs: Catalogs) -> None:
    world = flat_world(catalogs)
    step(world, [Join("mole", "00"), Join("vole", "00")])
    before = count_everything(world)
    step(world, [Retire(1), Retire(7)])
    assert names(world) == ["vole"]
    assert count_everything(world) == before
    assert {
        "kind": "LEAVE",
        "agent": "A1",
        "name": "mole",
        "retired": True,
    } in world.scratch.public_events
    step(world, [Detach(2)])
    assert {"kind": "LEAVE", "agent": "A2", "name": "vole"} in world.scratch.public_events, (
        "this body stays"
    )


def asleep_world(catalogs: Catalogs, absent: int, present: int = 1) -> World:
    """A world with bodies asleep, in which the digest was just taken."""
    world = create_flat_world(7, 8, Tuning(guest_ticks=100_000, world_events=False))
    count = absent + present
    step(world, [Join(f"a{n}", "00") for n in range(1, count + 1)])
    step(world, [Acted(n, Act(tick=1, instants=[LoadMemory(id="l")])) for n in range(1, count + 1)])
    step(world, [Detach(n) for n in range(1, absent + 1)])
    until(world, SLEEP_AFTER + 2 * SLEEP_EVERY)
    assert world.agents.asleep == absent
    world.digest()
    return world


def test_no_tick_looks_at_who_is_asleep(
    catalogs: Catalogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = asleep_world(catalogs, absent=20)
    hashed: list[int] = []
    monkeypatch.setattr(Bodies, "__iter__", lambda table: pytest.fail("a tick looked at everyone"))

    def encode(agent: Agent) -> bytes:
        hashed.append(agent.number)
        return agent_bytes(agent)

    monkeypatch.setattr(world.agents, "_encode", encode)
    for _ in range(600):
        step(world, [])
        world.digest()
    assert dict.fromkeys(hashed) == {21: None}


def test_a_sleeping_body_stays_as_it_is_until_its_owner_comes_back(catalogs: Catalogs) -> None:
    world = asleep_world(catalogs, absent=1)
    sleeper, other = world.agents[1], world.agents[2]
    before = agent_bytes(sleeper)
    until(world, world.tick + 1000)
    assert agent_bytes(sleeper) == before
    assert other.hunger < sleeper.hunger == MAX_HUNGER
    step(world, [Attach(1, "00")])
    until(world, world.tick + 200)
    assert not sleeper.asleep
    assert sleeper.hunger == MAX_HUNGER - 1


def test_who_hangs_up_for_a_moment_is_spared_nothing(catalogs: Catalogs) -> None:
    world = create_flat_world(7, 8, Tuning(world_events=False))
    step(world, [Join("mole", "00")])
    until(world, 199)
    step(world, [Detach(1)])
    step(world, [Attach(1, "00")])
    assert world.agents[1].hunger == MAX_HUNGER - 1


def test_who_is_asleep_falls_when_the_ground_goes(catalogs: Catalogs) -> None:
    world = asleep_world(catalogs, absent=1)
    sleeper = world.agents[1]
    x, y, z = sleeper.position
    change_block(world, (x, y - 1, z), AIR, actor="WORLD", reason="TEST")
    bodies.step(world)
    until(world, world.tick + 2)
    assert sleeper.y == y - 1
    until(world, world.tick + 2 * SLEEP_EVERY)
    assert sleeper.asleep


def test_what_happens_to_who_is_asleep_is_in_the_digest(catalogs: Catalogs) -> None:
    def told(world: World, sleeper: Agent) -> None:
        world.emit(sleeper, "CHAT", text="hello")

    def given(world: World, sleeper: Agent) -> None:
        sleeper.give("COAL", 1)

    def judged(world: World, sleeper: Agent) -> None:
        scores.change_reputation(sleeper, "law", -1)

    def hit(world: World, sleeper: Agent) -> None:
        bodies.hurt(world, sleeper, "FALL", 1)

    for happens in (told, given, judged, hit):
        world = asleep_world(catalogs, absent=2)
        before = world.digest()
        happens(world, world.agents[1])
        digest = world.digest()
        assert digest != before
        other = restore(packed(world), create_flat_world)
        assert other.digest() == digest
        for each in (world, other):
            until(each, world.tick + 2 * SLEEP_EVERY if each is world else world.tick)
        assert other.digest() == world.digest()
        assert other.agents.asleep == world.agents.asleep == 2


def test_spectators_see_who_is_asleep_as_before(catalogs: Catalogs) -> None:
    world = asleep_world(catalogs, absent=1)
    world.agents[1].org = "ORG1"
    (asleep, _) = json.loads(tick_text(world, [], SelfDescriptions()))["agents"]
    world.agents.wake(world.agents[1])
    (awake, _) = json.loads(tick_text(world, [], SelfDescriptions()))["agents"]
    assert asleep == awake
    assert (awake["id"], awake["connected"], awake["org_id"]) == ("A1", False, "ORG1")


def test_presence_is_the_time_for_which_an_owner_was_connected(catalogs: Catalogs) -> None:
    world = flat_world(catalogs)
    step(world, [Join("mole", "00")])
    until(world, 11)
    assert world.agents[1].presence(world.tick) == 10
    step(world, [Detach(1)])
    step(world, [Detach(1)])
    until(world, 30)
    assert world.agents[1].presence(world.tick) == 11, "absence does not count"
    step(world, [Attach(1, "01")])
    until(world, 36)
    step(world, [Attach(1, "02")])  # the same owner on another connection
    until(world, 41)
    assert world.agents[1].presence(world.tick) == 21
    assert restore(packed(world), create_flat_world).agents[1].presence(world.tick) == 21
