"""Upkeep: paid or late, once a day, and what each stage takes away and gives back."""

from __future__ import annotations

import pytest

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.society.civic import (
    a_land,
    a_society,
    an_org,
    ask,
    local_rules,
    outcome,
    said,
    wait,
)
from tests.voxel.working import check_books
from thorp.protocol import actions
from thorp.protocol.actions import ClaimLand, DeedLand, OrgDeposit, UpgradeClaim
from thorp.simulator.totals import count_everything
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Claim
from thorp.voxel.state.world import World

DAY = 24
COST = {"IRON_INGOT": 1, "COAL": 1}


def a_homestead(**inventory: int) -> tuple[World, Agent, Claim]:
    world = a_society(day_ticks=DAY, season_length_ticks=DAY)
    owner = put_agent(world, 0, 1, **inventory)
    return world, owner, a_land(world, owner)


def test_paid_upkeep_costs_its_goods_and_moves_the_day_on() -> None:
    world, owner, claim = a_homestead(IRON_INGOT=2, COAL=3)
    due = claim.due_tick
    assert due == 1 + DAY
    wait(world, DAY - 1)
    assert (owner.have("IRON_INGOT"), events(owner, "MAINTENANCE")) == (2, [])
    wait(world)
    assert owner.inventory == {"IRON_INGOT": 1, "COAL": 2}
    told = {"land_id": claim.id, "status": "PAID", "stage": 0, "next_due_tick": due + DAY}
    assert events(owner, "MAINTENANCE") == [{"t": due, "type": "MAINTENANCE", **told}]
    assert (claim.stage, claim.due_tick) == (0, due + DAY)
    check_books(world)


@pytest.mark.parametrize("inventory", [{}, {"COAL": 9}, {"IRON_INGOT": 9}])
def test_half_a_price_is_no_price(inventory: dict[str, int]) -> None:
    world, owner, claim = a_homestead(**inventory)
    wait(world, DAY)
    assert owner.inventory == inventory
    (told,) = events(owner, "MAINTENANCE")
    assert (told["status"], told["stage"], claim.stage) == ("LATE", 1, 1)
    assert local_rules(world, owner)["maintenance_stage"] == 1


def test_twice_late_opens_the_land_and_one_payment_closes_it() -> None:
    world, owner, claim = a_homestead()
    guest = put_agent(world, 4, 4, PLANK=9)
    place = actions.Place(block_pos=(5, STAND, 4), item_id="PLANK")
    stages = []
    for _ in range(3):
        stages.append((claim.stage, outcome(world, guest, place)))
        wait(world, claim.due_tick - world.tick)
    assert stages == [(0, "E_NO_PERMISSION"), (1, "E_NO_PERMISSION"), (2, "ok")]
    assert claim.stage == 2, "it goes no further"
    assert local_rules(world, guest)["permissions"] == {
        "can_build": True, "can_break": True, "can_damage": False, "can_trade": True,
    }  # fmt: skip
    for item, count in COST.items():
        owner.give(item, count)
    wait(world, claim.due_tick - world.tick)
    assert (claim.stage, owner.inventory) == (0, {})
    assert outcome(world, guest, actions.Mine(block_pos=(5, STAND, 4))) == "E_NO_PERMISSION"
    check_books(world)


def test_a_late_land_does_not_grow() -> None:
    world, owner, claim = a_homestead(BATTERY=3, CRYSTAL_SHARD=3)
    wait(world, DAY)
    assert said(world, owner, UpgradeClaim(land_id=claim.id, radius=64)) == "E_NO_PERMISSION"
    for item, count in COST.items():
        owner.give(item, count)
    wait(world, claim.due_tick - world.tick)
    assert said(world, owner, UpgradeClaim(land_id=claim.id, radius=64)) == "ok"


def test_an_org_pays_from_its_treasury_and_its_admins_are_told() -> None:
    world, owner, claim = a_homestead(**COST)
    officer, member = put_agent(world, 3, 3), put_agent(world, 4, 4, **COST)
    org = an_org(world, owner, officer, member)
    org.members[officer.id] = "OFFICER"
    world.orgs.touch(org.id)
    ask(
        world,
        owner,
        DeedLand(land_id=claim.id, new_owner=org.id),
        OrgDeposit(org_id=org.id, item_id="COAL", count=1),
        OrgDeposit(org_id=org.id, item_id="IRON_INGOT", count=1),
    )
    wait(world, claim.due_tick - world.tick)
    assert (claim.stage, org.treasury, member.inventory) == (0, {}, COST)
    wait(world, DAY)
    assert claim.stage == 1
    for agent, times in ((owner, 2), (officer, 2), (member, 0)):
        assert len(events(agent, "MAINTENANCE")) == times


def test_lands_of_one_owner_pay_in_order_as_long_as_it_lasts() -> None:
    world = a_society(day_ticks=DAY, season_length_ticks=DAY)
    owner = put_agent(world, 0, 1, **COST)
    for item, count in {"BATTERY": 2, "CRYSTAL_SHARD": 2}.items():
        owner.give(item, count)
    ask(
        world,
        owner,
        ClaimLand(anchor=(0, STAND, 0), radius=2),
        ClaimLand(anchor=(9, STAND, 0), radius=2),
    )
    wait(world, DAY)
    assert [claim.stage for claim in world.claims] == [0, 1]


def test_upkeep_is_used_up_and_nothing_else_is() -> None:
    world, _, _ = a_homestead(IRON_INGOT=5, COAL=5)
    before = count_everything(world)
    wait(world, 2 * DAY)
    assert before - count_everything(world) == {"IRON_INGOT": 2, "COAL": 2}


def test_upkeep_ends_with_the_land() -> None:
    world, owner, claim = a_homestead(IRON_INGOT=5, COAL=5)
    assert outcome(world, owner, actions.Mine(block_pos=(0, STAND, 0))) == "ok"
    wait(world, DAY)
    assert claim.id not in world.claims
    assert owner.have("COAL") == 5
    assert not events(owner, "MAINTENANCE")


def test_it_is_due_before_anyone_acts() -> None:
    world, owner, claim = a_homestead(**COST)
    other = an_org(world, owner)
    wait(world, claim.due_tick - world.tick - 1)
    (result,) = ask(world, owner, OrgDeposit(org_id=other.id, item_id="COAL", count=1))
    assert (world.tick, result["ok"], claim.stage) == (claim.due_tick - DAY, False, 0)


def test_a_loaded_world_still_knows_when() -> None:
    world, _, claim = a_homestead()
    fresh = check_books(world)
    wait(world, DAY)
    wait(fresh, DAY)
    assert fresh.claims[claim.id].stage == 1
    assert fresh.digest() == world.digest()
