"""Homes on claimed land: the glade around the home of a body that is older than the claim stays its
own."""

from __future__ import annotations

from tests.voxel.flat import STAND, put_agent
from tests.voxel.society.civic import PRICE, a_society, an_org, ask, local_rules, outcome, said
from tests.voxel.working import put
from thorp.protocol import actions
from thorp.voxel.lookups import permissions
from thorp.voxel.society import tenure
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Claim, Curfew, Price
from thorp.voxel.state.world import World
from thorp.voxel.systems import enforcement


def a_resident() -> tuple[World, Agent, Agent, Claim]:
    """A land of radius 32 around the home, at 12, 0, of somebody who is no member of it."""
    world = a_society()
    owner = put_agent(world, 0, 1, **PRICE)
    resident = put_agent(world, 12, 0, PLANK=9, CONVEYOR=1, **PRICE)
    assert said(world, resident, actions.CreateOrg(org_kind="GUILD", org_name="Hut")) == "ok"
    assert said(world, owner, actions.ClaimLand(anchor=(0, STAND, 0), radius=32)) == "ok"
    (claim,) = world.claims
    return world, owner, resident, claim


def test_a_claim_does_not_extend_over_the_glade_of_anothers_home() -> None:
    world, owner, resident, _claim = a_resident()
    stranger = put_agent(world, 12, 0)
    put(world, (13, STAND, 0), "CHEST")
    for may in (
        permissions.may_build,
        permissions.may_break,
        permissions.may_gather,
        permissions.may_trade,
    ):
        inside = [x for x in range(40) if may(world, resident, (x, STAND, 7))]
        assert inside == [*range(5, 20), *range(33, 40)], "the glade, and the wild beyond the land"
        assert not may(world, resident, (12, STAND, 8))
        assert not may(world, stranger, (12, STAND, 7))
        assert may(world, owner, (12, STAND, 7))
    assert permissions.may_take(world, resident, world.containers[13, STAND, 0])
    assert (
        outcome(world, resident, actions.Place(block_pos=(12, STAND, 1), item_id="PLANK")) == "ok"
    )
    assert outcome(world, resident, actions.Mine(block_pos=(12, STAND, 1))) == "ok"
    assert outcome(world, stranger, actions.Mine(block_pos=(13, STAND, 0))) == "E_NO_PERMISSION"
    assert said(world, resident, actions.ClaimLand(anchor=(12, STAND, 1), radius=1)) == "E_CONFLICT"
    assert (local_rules(world, resident)["role"], local_rules(world, stranger)["role"]) == (
        "WILD",
        "VISITOR",
    )
    world.relocate(resident, (20, STAND, 0))
    assert local_rules(world, resident)["role"] == "VISITOR"


def test_who_came_after_the_claim_has_no_glade_in_it_until_it_is_enlarged() -> None:
    world, _owner, _resident, claim = a_resident()
    newcomer = put_agent(world, -12, 0)
    assert not permissions.may_build(world, newcomer, (-12, STAND, 1))
    tenure.enlarge(world, claim, 64)
    assert permissions.may_build(world, newcomer, (-12, STAND, 1))


def test_in_ones_glade_totems_and_belts_are_as_on_the_land() -> None:
    """A totem is the whole claim, and a belt would carry goods out of chests beyond the glade."""
    world = a_society()
    owner = put_agent(world, 0, 1, **PRICE)
    resident = put_agent(world, 4, 0, CONVEYOR=1)
    assert said(world, owner, actions.ClaimLand(anchor=(0, STAND, 0), radius=32)) == "ok"
    world.relocate(resident, (1, STAND, 0))
    assert outcome(world, resident, actions.Mine(block_pos=(0, STAND, 0))) == "E_NO_PERMISSION"
    assert (
        outcome(world, resident, actions.Place(block_pos=(1, STAND, 1), item_id="CONVEYOR"))
        == "E_NO_PERMISSION"
    )


def test_members_live_by_the_rules_of_the_land_and_those_who_leave_by_their_own_again() -> None:
    world, owner, resident, claim = a_resident()
    assert said(world, resident, actions.LeaveOrg()) == "ok"
    org = an_org(world, owner, resident)
    tenure.transfer(world, claim, org.id)
    assert local_rules(world, resident)["role"] == "MEMBER"
    claim.curfew = Curfew(0, 1_000_000)
    assert not permissions.may_build(world, resident, (12, STAND, 1))
    assert said(world, resident, actions.LeaveOrg()) == "ok"
    assert local_rules(world, resident)["role"] == "WILD"
    assert permissions.may_build(world, resident, (12, STAND, 1))
    assert not permissions.may_build(world, resident, (20, STAND, 1))


def test_a_resident_pays_neither_tickets_for_its_glade_nor_taxes_in_it() -> None:
    world, owner, resident, claim = a_resident()
    claim.ticket, claim.market_tax = Price("PLANK", 3), 250_000
    enforcement.enter(world, resident, 12, 0)
    assert resident.have("PLANK") == 9
    owner.give("COAL", 8)
    world.relocate(owner, (13, STAND, 0))
    (offered,) = ask(
        world,
        owner,
        actions.OfferTrade(to=resident.id, offer=[("COAL", 8)], request=[("PLANK", 4)]),
    )
    assert said(world, resident, actions.AcceptTrade(trade_id=offered["trade_id"])) == "ok"
    assert (resident.have("COAL"), owner.have("PLANK")) == (8, 4)
