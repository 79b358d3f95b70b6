"""Who goes when its owner does not come back, and who stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.voxel.flat import flat_world
from tests.voxel.inline import found_flat
from tests.voxel.test_snapshot import packed
from thorp.protocol.act import Act
from thorp.protocol.actions import LoadMemory
from thorp.voxel.catalog import Catalogs
from thorp.voxel.inputs import Acted, Attach, Detach, Join
from thorp.voxel.snapshot import restore
from thorp.voxel.society.records import Claim, Contract, Org, Trade
from thorp.voxel.systems.population import GUESTS_EVERY, ROOM_MADE
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning, read_tuning
from thorp.voxel.world import Container, World

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
    assert world.joined == [4], "numbers are never given out twice"


def full_world(catalogs: Catalogs) -> World:
    """As many bodies as there may be, all of which have acted; those with even numbers left, one a tick."""
    world = flat_world(
        catalogs,
        Tuning(population_cap=CAP, day_ticks=SEASON // 2, season_length_ticks=SEASON, world_events=False),
    )
    step(world, [Join(f"a{n}", "00") for n in range(1, CAP + 1)])
    step(world, [Acted(n, Act(tick=1, instants=[LoadMemory(id="l")])) for n in range(1, CAP + 1)])
    for number in range(CAP, 0, -2):
        step(world, [Detach(number)])
    return world


def test_in_a_full_world_those_make_room_who_are_gone_for_a_season(catalogs: Catalogs) -> None:
    world = full_world(catalogs)
    kit = dict(world.agents[2].inventory)
    until(world, SEASON)
    assert len(world.agents) == CAP, "none of them was away for so long"
    until(world, SEASON + GUESTS_EVERY)
    assert [agent.number for agent in world.agents] == [*range(1, CAP, 2)]
    left = {item: sum(e.count for e in world.items if e.item == item) for item in kit}
    assert left == {item: count * CAP // 2 for item, count in kit.items()}
    step(world, [Join("new", "00")])
    assert world.joined == [CAP + 1]


def test_the_longest_gone_go_first_and_no_more_than_come_in_at_once(catalogs: Catalogs) -> None:
    world = full_world(catalogs)
    for number in range(1, CAP, 2):
        step(world, [Detach(number)])
    until(world, SEASON + GUESTS_EVERY)
    by_departure = [*range(CAP, 0, -2), *range(1, CAP, 2)]
    assert [agent.number for agent in world.agents] == sorted(by_departure[ROOM_MADE:])


def test_while_there_is_room_nobody_goes_who_acted(catalogs: Catalogs) -> None:
    world = full_world(catalogs)
    world.agents.remove(1)
    until(world, 4 * SEASON)
    assert len(world.agents) == CAP - 1


def test_who_comes_back_stays(catalogs: Catalogs) -> None:
    world = full_world(catalogs)
    step(world, [Attach(2, "00")])
    until(world, 2 * SEASON)
    assert 2 in world.agents


def own_land(world: World) -> None:
    world.claims.put(Claim("LAND_1", "A2", (0, 22, 0), 4, 10**6))


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


def put_contract(world: World, **people: str) -> None:
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


@pytest.mark.parametrize(
    "tie", [own_land, be_in_an_organisation, offer, post, accept, add_to_a_reward, be_owed_something]
)
def test_who_has_ties_stays_however_long_it_is_gone(catalogs: Catalogs, tie: Callable[[World], None]) -> None:
    world = full_world(catalogs)
    tie(world)
    world.index = None
    until(world, 2 * SEASON)
    assert [agent.number for agent in world.agents] == [1, 2, *range(3, CAP, 2)]


def test_a_full_world_goes_on_alike_after_a_restart(catalogs: Catalogs) -> None:
    world = found_flat(7, 8, full_world(catalogs).tuning)
    step(world, [Join(f"a{n}", "00") for n in range(1, CAP + 1)])
    step(world, [Acted(n, Act(tick=1, instants=[LoadMemory(id="l")])) for n in range(1, CAP + 1)])
    step(world, [Detach(number) for number in range(1, CAP + 1)])
    until(world, SEASON)
    other = restore(packed(world), found_flat)
    until(world, 2 * SEASON)
    until(other, 2 * SEASON)
    assert len(world.agents) == CAP - ROOM_MADE
    assert other.digest() == world.digest()
