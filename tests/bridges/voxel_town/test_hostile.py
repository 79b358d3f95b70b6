"""Players who mean harm: what they do costs a tick no more than it must, and leaves no town in a
bad way."""

from __future__ import annotations

import pytest

from tests.bridges.voxel_town.settled import (
    DAY,
    FIRST,
    RADIUS,
    SECOND,
    a_settled_world,
    ask_for,
    build_city,
    place,
    propose,
    town_of,
    wait,
)
from tests.voxel.flat import STAND
from thorp.bridges.voxel_town import match_towns_to_cities, records, snapshot_text
from thorp.bridges.voxel_town.extension import PLANNING_AT_DAWN
from thorp.bridges.voxel_town.town import town_ids
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.protocol.actions import Transfer
from thorp.simulator.totals import count_everything
from thorp.voxel.inputs import Acted
from thorp.voxel.society import tenure
from thorp.voxel.state.agent import START_REPUTATION
from thorp.voxel.state.records import Claim
from thorp.voxel.state.world import World, block_id
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

STRANGER = "A3"
SEASONS = Tuning(
    world_events=False,
    day_ticks=DAY,
    season_length_ticks=2 * DAY,
    seasons=True,
    starter_items={"BATTERY": 1, "CRYSTAL_SHARD": 1},
)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[World]:
    """Every time that all rows are looked through."""
    taken: list[World] = []
    keys = records.keys

    def counted(world: World) -> list[str]:
        taken.append(world)
        return keys(world)

    monkeypatch.setattr(records, "keys", counted)
    return taken


def test_however_many_contracts_end_at_once_rows_are_looked_through_once(
    looks: list[World],
) -> None:
    world = a_settled_world()
    for _ in range(8):
        ask_for(world, STRANGER, (3, STAND, 0), {"STONE": 1}, {"PLANK": 1})
    last = max(contract.deadline_tick for contract in world.contracts)
    wait(world, last - world.tick)
    looks.clear()
    wait(world)
    assert sum(one.get("state") == "FAILED" for one in world.scratch.public_events) >= 8
    assert len(looks) <= 1


def test_however_often_land_is_made_over_in_a_tick_rows_are_looked_through_once(
    looks: list[World],
) -> None:
    world = a_settled_world()
    (land_id,) = [claim.id for claim in world.claims if claim.owner == FIRST]
    owners = (world.agents[1].id, FIRST)
    deeds = [
        actions.DeedLand(id=str(each), land_id=land_id, new_owner=owners[each % 2])
        for each in range(16)
    ]
    looks.clear()
    step(world, [Acted(1, Act(tick=world.tick, instants=deeds))])
    assert sum(one["kind"] == "DEED_LAND" for one in world.scratch.public_events) == 16
    assert len(looks) <= 1


def test_a_town_that_has_land_again_in_the_first_tick_of_a_season_begins_anew() -> None:
    """Its contracts are gone with the season: nothing would ever end its orders and its mission."""
    world = a_settled_world(SEASONS)
    wait(world, 2 * DAY - 3 - world.tick)
    assert propose(world, "SALVAGE_PLAN", "scarcity")["status"] == "executed"
    assert propose(world, "MAYOR_ACCEPT_MISSION", "C000001")["status"] == "executed"
    land_id = f"LAND_A1_{world.counters.land + 1:03d}"
    claim = actions.ClaimLand(id="1", anchor=(2, STAND, 0), radius=16)
    deed = actions.DeedLand(id="2", land_id=land_id, new_owner=FIRST)
    step(
        world,
        [
            Acted(1, Act(tick=world.tick, tasks=[claim])),
            Acted(1, Act(tick=world.tick, instants=[deed])),
        ],
    )
    assert world.season == 2
    assert town_ids(world) == [FIRST]
    town = town_of(world)
    assert (town.mission, town.orders, town.works_planned) == (None, [], len(town.works))


def test_what_a_town_planned_on_land_that_it_lost_is_not_ordered_and_given_up() -> None:
    """Else its treasury would pay others for building on their own land."""
    world = a_settled_world()
    (planned,) = town_of(world).works
    (lost,) = [claim.id for claim in world.claims if claim.owner == FIRST]
    place(world, (0, STAND, 60), "CLAIM_TOTEM")
    place(world, (3, STAND, 60), "CONTRACT_TERMINAL")
    tenure.add_claim(world, Claim("LAND_100", FIRST, (0, STAND, 60), RADIUS, world.tick + DAY, 0))
    tenure.transfer(world, world.claims[lost], SECOND)
    world.publish("DEED_LAND", agent="A1", land_id=lost, new_owner=SECOND)
    step(world, [])
    result = propose(world, "PROJECT_ADVANCE", planned.id)
    assert result["evaluation"]["preconditions"]["failures"][0]["kind"] == "project_blocked"
    wait(world, DAY)
    assert planned.id not in [work.id for work in town_of(world).works]


def test_of_cities_that_get_land_in_one_tick_few_look_for_sites_at_once() -> None:
    """On rough land looking takes many milliseconds, and land can be made over and back without
    end."""
    world = a_settled_world()
    cities = [build_city(world, x).org.id for x in (200, 300, 400, 500)]
    match_towns_to_cities(world)
    assert all(snapshot_text(world, city) for city in cities)
    assert [len(town_of(world, city).works) for city in cities] == [1, 1, 0, 0]
    for days in (1, 2):  # two other towns are there already, and four plan at a dawn
        wait(world, days * DAY - world.tick)
    assert all(town_of(world, city).works for city in cities)


def test_of_many_towns_a_few_plan_at_each_dawn_in_turn() -> None:
    world = a_settled_world()
    cities = [build_city(world, x).org.id for x in range(200, 1_000, 100)]
    match_towns_to_cities(world)
    before = {town_id: town_of(world, town_id).works_planned for town_id in town_ids(world)}
    assert len(before) == len(cities) + 2
    for day in (1, 2, 3):
        wait(world, day * DAY - world.tick)
        planned = {town_id: town_of(world, town_id).works_planned for town_id in town_ids(world)}
        assert 0 < sum(planned.values()) - sum(before.values()) <= PLANNING_AT_DAWN
        before = planned
    assert all(before.values())


def test_whoever_inherits_a_contract_that_it_has_accepted_earns_no_name_by_it() -> None:
    """Nobody may accept a contract of its own; this one became its own later."""
    world = a_settled_world()
    terminal = block_id("CONTRACT_TERMINAL", (3, STAND, 0))
    propose(world, "SALVAGE_PLAN", "scarcity")
    accept = actions.AcceptContract(id="1", terminal_id=terminal, contract_id="C000003")
    bring = Transfer(
        id="3", src_container="SELF", dst_container=terminal, item_id="BERRIES", count=3
    )
    before = count_everything(world)
    for number, act in (
        (2, Act(tick=world.tick, instants=[accept])),
        (1, Act(tick=world.tick + 1, instants=[actions.LeaveOrg(id="2")])),
        (2, Act(tick=world.tick + 2, instants=[actions.LeaveOrg(id="2")], tasks=[bring])),
    ):
        step(world, [Acted(number, act)])
    wait(world)
    contract, heir = world.contracts["C000003"], world.agents[2]
    assert (contract.poster, contract.acceptor, contract.state) == (heir.id, heir.id, "COMPLETED")
    assert count_everything(world) == before
    assert heir.reputation["trade"] == START_REPUTATION
