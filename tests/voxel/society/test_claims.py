"""Claiming land: its price, its size, its neighbours; enlarging it, listing members, giving it
away."""

from __future__ import annotations

from typing import Any

import pytest

from tests.voxel.flat import STAND, SURFACE, events, put_agent, put_block
from tests.voxel.society.civic import (
    PRICE,
    a_land,
    a_law,
    a_society,
    act,
    add_member,
    an_org,
    ask,
    deed_land,
    local_rules,
    outcome,
    said,
    wait,
)
from tests.voxel.working import block_name, check_books, put
from thorp.protocol import actions
from thorp.protocol.actions import (
    AcceptLand,
    AddMember,
    ClaimLand,
    DeedLand,
    LeaveLand,
    RemoveMember,
    SetPermissions,
    UpgradeClaim,
    Vote,
)
from thorp.simulator.totals import count_everything
from thorp.voxel.inputs import Detach, Join
from thorp.voxel.lookups import land, permissions
from thorp.voxel.society import claims, tenure
from thorp.voxel.society.claims import MAX_MEMBERS, MAX_RADIUS, REACH
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import MILLION, Curfew
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

HERE = (1, STAND, 0)


def a_claimer(**more: int) -> tuple[World, Agent]:
    """Someone with the price of a claim, who stands beside where `a_land` puts its totem."""
    world = a_society()
    return world, put_agent(world, 0, 1, **{**PRICE, **more})


def refused(world: World, agent: Agent, wish: Any) -> tuple[str, str]:
    """Code and message of a refusal, which must have changed nothing but the events."""
    before = count_everything(world), world.claims.digest(), world.counters.land
    (result,) = ask(world, agent, wish)
    assert not result["ok"]
    assert before == (count_everything(world), world.claims.digest(), world.counters.land)
    assert not world.scratch.block_changes
    return result["code"], result["message"]


def test_claiming_puts_up_a_totem_and_costs_a_battery_and_a_shard() -> None:
    world, agent = a_claimer(BATTERY=3)
    (result,) = ask(world, agent, ClaimLand(id="c", anchor=HERE, radius=9))
    assert result == {
        "t": 1, "type": "ACTION_RESULT", "ref": "c", "ok": True, "land_id": "LAND_A1_001",
    }  # fmt: skip
    assert block_name(world, HERE) == "CLAIM_TOTEM"
    assert agent.inventory == {"BATTERY": 2}
    assert [(entry.actor, entry.reason) for entry in world.scratch.block_changes] == [
        ("A1", "CLAIM_LAND")
    ]
    assert local_rules(world, agent) == {
        "role": "OWNER",
        "land_id": "LAND_A1_001",
        "owner": "A1",
        "permissions": {
            "can_build": True,
            "can_break": True,
            "can_damage": False,
            "can_trade": True,
        },
        "tax": {"market": 0},
        "maintenance_due_tick": 1 + world.tuning.day_ticks,
        "maintenance_stage": 0,
    }
    check_books(world)


def test_land_is_a_square_at_all_heights() -> None:
    world, agent = a_claimer()
    claim = a_land(world, agent, 5, -3, radius=20)
    for x, z, inside in [
        (25, -23, True),
        (-15, 17, True),
        (26, 0, False),
        (5, 18, False),
        (5, -24, False),
    ]:
        assert (land.at(world, x, z) is claim) == inside


@pytest.mark.parametrize("radius", [None, 0])
def test_without_a_radius_it_is_32(radius: int | None) -> None:
    world, agent = a_claimer()
    ask(world, agent, ClaimLand(anchor=HERE, radius=radius))
    assert world.claims["LAND_A1_001"].radius == 32


@pytest.mark.parametrize("radius", [-1, -32, MAX_RADIUS + 1, 2**31 - 1])
def test_a_radius_out_of_bounds_is_refused(radius: int) -> None:
    world, agent = a_claimer()
    assert refused(world, agent, ClaimLand(anchor=HERE, radius=radius))[0] == "E_BAD_REQUEST"


def test_the_anchor_is_in_the_world_within_reach_and_free() -> None:
    world, agent = a_claimer()
    assert refused(world, agent, ClaimLand()) == ("E_BAD_REQUEST", "missing anchor")
    far = (agent.x + REACH + 1, STAND, agent.z)
    assert refused(world, agent, ClaimLand(anchor=far)) == ("E_BLOCKED", "too far")
    for outside in [(0, -1, 0), (0, 64, 0), (4001, STAND, 0), (2**31 - 1, 0, 0)]:
        assert refused(world, agent, ClaimLand(anchor=outside)) == (
            "E_INVALID_TARGET",
            "outside the world",
        )
    assert refused(world, agent, ClaimLand(anchor=(1, SURFACE, 1))) == (
        "E_BLOCKED",
        "space occupied",
    )
    put_agent(world, 2, 2)
    for cell in [(2, STAND, 2), (2, STAND + 1, 2)]:
        assert refused(world, agent, ClaimLand(anchor=cell)) == ("E_UNSAFE", "A2 stands there")
    assert said(world, agent, ClaimLand(anchor=(agent.x + REACH, STAND, agent.z))) == "ok"


@pytest.mark.parametrize("up", [0, 1])
def test_a_totem_may_stand_where_its_claimer_stands(up: int) -> None:
    """The original asks for AIR only; its clients claim at their own feet."""
    world, agent = a_claimer()
    x, y, z = agent.position
    assert said(world, agent, ClaimLand(anchor=(x, y + up, z))) == "ok"
    assert block_name(world, (x, y + up, z)) == "CLAIM_TOTEM"
    assert not {agent.position, (agent.x, agent.y + 1, agent.z)} & {(x, y + up, z)}, (
        "it was pushed out"
    )
    if not up:
        assert agent.position == (x, y + 1, z), "it stands on the totem"
    assert agent.hp == 20
    check_books(world)


def test_tall_grass_gives_way() -> None:
    world, agent = a_claimer()
    put_block(world, *HERE, "TALL_GRASS")
    assert said(world, agent, ClaimLand(anchor=HERE)) == "ok"


@pytest.mark.parametrize("lacking", ["BATTERY", "CRYSTAL_SHARD"])
def test_both_parts_of_the_price_are_needed(lacking: str) -> None:
    world, agent = a_claimer()
    agent.give(lacking, -1)
    assert refused(world, agent, ClaimLand(anchor=HERE)) == (
        "E_NO_RESOURCE",
        f"missing {lacking} x1",
    )


@pytest.mark.parametrize(("away", "code"), [(14, "E_CONFLICT"), (15, "ok")])
def test_claims_touch_but_do_not_overlap(away: int, code: str) -> None:
    world, agent = a_claimer()
    a_land(world, agent, radius=8)
    other = put_agent(world, away, 0, **PRICE)
    assert said(world, other, ClaimLand(anchor=(away, STAND, 1), radius=6)) == code


def test_who_may_not_build_may_not_claim() -> None:
    world, agent = a_claimer()
    a_land(world, agent)
    other = put_agent(world, 3, 3, **PRICE)
    assert refused(world, other, ClaimLand(anchor=(3, STAND, 5))) == (
        "E_NO_PERMISSION",
        "build denied",
    )
    assert other.reputation["law"] == 500, "asking for land is no crime"


def test_of_two_claims_in_one_tick_the_first_wins() -> None:
    world, agent = a_claimer()
    other = put_agent(world, 8, 8, **PRICE)
    wishes = [
        act(other, world, ClaimLand(anchor=(8, STAND, 9))),
        act(agent, world, ClaimLand(anchor=(0, STAND, 0))),
    ]
    step(world, wishes)
    assert [claim.owner for claim in world.claims] == ["A2"]
    assert agent.inventory == PRICE


def test_a_totem_placed_by_hand_claims_nothing() -> None:
    world, agent = a_claimer(CLAIM_TOTEM=1)
    assert outcome(world, agent, actions.Place(block_pos=HERE, item_id="CLAIM_TOTEM")) == "ok"
    assert not len(world.claims)
    assert outcome(world, agent, actions.Mine(block_pos=HERE)) == "ok"


# The totem


def test_land_and_laws_end_with_the_totem_and_can_be_claimed_again() -> None:
    world, agent = a_claimer()
    claim = a_land(world, agent, 1, 0)
    law = a_law(world, agent, claim, "MARKET_TAX", market_tax=0.1)
    assert outcome(world, agent, actions.Mine(block_pos=(1, STAND, 0))) == "ok"
    assert not len(world.claims)
    assert not len(world.laws)
    assert said(world, agent, Vote(law_id=law.id, choice="YES")) == "E_INVALID_TARGET"
    assert local_rules(world, agent)["role"] == "WILD"
    assert agent.have("CLAIM_TOTEM") == 1
    wait(world, 10)
    assert a_land(world, agent, 1, 0).id == "LAND_A1_002"
    check_books(world)


def test_only_admins_may_end_a_claim_by_breaking_its_totem() -> None:
    world, owner = a_claimer()
    claim = a_land(world, owner, 1, 0)
    friend, guest = put_agent(world, 1, 1), put_agent(world, 2, 0)
    claim.members.append(friend.id)
    claim.flags["allow_break"] = True
    world.claims.touch(claim.id)
    for other in (friend, guest):
        assert outcome(world, other, actions.Mine(block_pos=(1, STAND, 0))) == "E_NO_PERMISSION"
    assert claim.id in world.claims
    claim.stage = land.OPEN_STAGE
    world.claims.touch(claim.id)
    assert outcome(world, guest, actions.Mine(block_pos=(1, STAND, 0))) == "ok"
    assert claim.id not in world.claims


def test_who_answers_for_a_land_hears_that_it_was_given_or_has_ended() -> None:
    world, owner = a_claimer()
    officer, member, guest = put_agent(world, 3, 3), put_agent(world, 4, 4), put_agent(world, 2, 0)
    claim = a_land(world, owner, 1, 0)
    org = an_org(world, owner, officer, member)
    org.members[officer.id] = "OFFICER"
    world.orgs.touch(org.id)
    ask(world, owner, DeedLand(land_id=claim.id, new_owner=org.id))
    told = {"type": "LAND", "land_id": claim.id, "owner": org.id}
    given = {**told, "t": world.tick, "status": "GIVEN"}
    claim.stage = land.OPEN_STAGE
    world.claims.touch(claim.id)
    assert outcome(world, guest, actions.Mine(block_pos=(1, STAND, 0))) == "ok"
    for admin in (owner, officer):
        assert events(admin, "LAND") == [given, {**told, "t": world.tick, "status": "ENDED"}]
    assert events(member, "LAND") == events(guest, "LAND") == []


def test_another_totem_on_the_land_is_only_a_block() -> None:
    world, owner = a_claimer()
    a_land(world, owner, 4, 0)
    put(world, HERE, "CLAIM_TOTEM")
    assert outcome(world, owner, actions.Mine(block_pos=HERE)) == "ok"
    assert len(world.claims) == 1


# Growing


def test_a_claim_grows_to_64_and_128() -> None:
    world, owner = a_claimer()
    claim = a_land(world, owner, radius=32)
    owner.give("BATTERY", 15)
    owner.give("CRYSTAL_SHARD", 15)
    assert said(world, owner, UpgradeClaim(land_id=claim.id, radius=64)) == "ok"
    assert (claim.radius, owner.inventory) == (64, {"BATTERY": 12 + 1, "CRYSTAL_SHARD": 12 + 1})
    assert land.at(world, 64, -64) is claim
    assert said(world, owner, UpgradeClaim(land_id=claim.id, radius=128)) == "ok"
    assert (claim.radius, owner.inventory) == (128, PRICE)
    assert land.at(world, -128, 128) is claim
    check_books(world)


def test_who_skips_a_size_pays_for_the_whole_area() -> None:
    world, owner = a_claimer()
    claim = a_land(world, owner, radius=10)
    wish = UpgradeClaim(land_id=claim.id, radius=128)
    owner.give("BATTERY", 14)
    owner.give("CRYSTAL_SHARD", 13)
    assert refused(world, owner, wish) == ("E_NO_RESOURCE", "missing CRYSTAL_SHARD x1")
    owner.give("CRYSTAL_SHARD", 1)
    assert said(world, owner, wish) == "ok"
    assert owner.inventory == {}


@pytest.mark.parametrize(("radius", "price"), [(1, 1), (32, 1), (33, 2), (64, 4), (128, 16)])
def test_beyond_the_usual_size_land_costs_by_its_area(radius: int, price: int) -> None:
    world, owner = a_claimer()
    owner.inventory.clear()
    for item in PRICE:
        owner.give(item, price - 1)
    wish = ClaimLand(anchor=(0, STAND, 0), radius=radius)
    assert refused(world, owner, wish)[0] == "E_NO_RESOURCE"
    for item in PRICE:
        owner.give(item, 1)
    assert said(world, owner, wish) == "ok"
    assert owner.inventory == {}


def test_nobody_claims_the_home_of_another_who_lives_there() -> None:
    world, owner = a_claimer()
    neighbour = put_agent(world, 40, 0)
    wish = ClaimLand(anchor=(0, STAND, 0), radius=33)
    owner.give("BATTERY", 9)
    owner.give("CRYSTAL_SHARD", 9)
    neighbour.acted = True
    assert refused(world, owner, wish) == ("E_CONFLICT", "the home of A2 at 40, 0 is too near")
    claim = a_land(world, owner, radius=32)
    assert refused(world, owner, UpgradeClaim(land_id=claim.id, radius=64))[0] == "E_CONFLICT"
    an_org(world, owner, neighbour)
    owner.give("BATTERY", 9)
    owner.give("CRYSTAL_SHARD", 9)
    assert said(world, owner, UpgradeClaim(land_id=claim.id, radius=64)) == "ok"


def test_who_never_acted_keeps_nobody_from_claiming() -> None:
    world, owner = a_claimer()
    put_agent(world, 4, 0)
    assert a_land(world, owner, radius=33).radius == 33


def test_growing_has_its_conditions() -> None:
    world, owner = a_claimer()
    claim = a_land(world, owner, radius=8)
    stranger = put_agent(world, 60, 0, **PRICE)
    for item, count in {"BATTERY": 9, "CRYSTAL_SHARD": 9}.items():
        owner.give(item, count)
        stranger.give(item, count)
    assert (
        refused(world, stranger, UpgradeClaim(land_id=claim.id, radius=64))[0] == "E_NO_PERMISSION"
    )
    for radius in (None, 0, -64, 32, 65, 256):
        assert (
            refused(world, owner, UpgradeClaim(land_id=claim.id, radius=radius))[0]
            == "E_BAD_REQUEST"
        )
    assert refused(world, owner, UpgradeClaim(radius=64))[0] == "E_BAD_REQUEST"
    assert (
        refused(world, owner, UpgradeClaim(land_id="LAND_A1_009", radius=64))[0]
        == "E_INVALID_TARGET"
    )
    a_land(world, stranger, 60, 2, radius=4)
    assert refused(world, owner, UpgradeClaim(land_id=claim.id, radius=64))[0] == "E_CONFLICT"
    claim.stage = 1
    world.claims.touch(claim.id)
    assert refused(world, owner, UpgradeClaim(land_id=claim.id, radius=64))[0] == "E_NO_PERMISSION"


def test_a_claim_does_not_shrink() -> None:
    world, owner = a_claimer(BATTERY=9, CRYSTAL_SHARD=9)
    claim = a_land(world, owner, radius=100)
    assert refused(world, owner, UpgradeClaim(land_id=claim.id, radius=64))[0] == "E_CONFLICT"


# Ruling


def test_flags_are_set_one_by_one_and_others_ignored() -> None:
    world, owner = a_claimer()
    claim = a_land(world, owner)
    wish = SetPermissions(land_id=claim.id, policy={"allow_build": True, "allow_fly": True})
    assert said(world, owner, wish) == "ok"
    assert claim.flags == {
        "allow_build": True, "allow_break": False, "allow_damage": False, "allow_trade": False,
    }  # fmt: skip
    guest = put_agent(world, 3, 3)
    assert local_rules(world, guest)["permissions"] == {
        "can_build": True, "can_break": False, "can_damage": False, "can_trade": False,
    }  # fmt: skip
    check_books(world)


RULING = [
    lambda land_id, other: SetPermissions(land_id=land_id, policy={"allow_build": True}),
    lambda land_id, other: AddMember(land_id=land_id, member_id=other),
    lambda land_id, other: RemoveMember(land_id=land_id, member_id=other),
    lambda land_id, other: DeedLand(land_id=land_id, new_owner=other),
]


@pytest.mark.parametrize("wish", RULING)
def test_ruling_needs_the_ids_the_land_and_the_right(wish: Any) -> None:
    world, owner = a_claimer()
    claim, other = a_land(world, owner), put_agent(world, 3, 3)
    assert refused(world, owner, wish("", other.id))[0] == "E_BAD_REQUEST"
    assert refused(world, owner, wish("LAND_A1_007", other.id)) == (
        "E_INVALID_TARGET",
        "land not found",
    )
    assert refused(world, other, wish(claim.id, other.id)) == ("E_NO_PERMISSION", "not land admin")
    assert said(world, owner, wish(claim.id, other.id)) == "ok"


@pytest.mark.parametrize("wish", RULING[1:])
@pytest.mark.parametrize("nobody", ["A77", "A0", "A02", "ORG000009", "A", "nobody", "A²"])
def test_ids_must_be_somebodys(wish: Any, nobody: str) -> None:
    world, owner = a_claimer()
    claim = a_land(world, owner)
    assert refused(world, owner, wish(claim.id, nobody))[0] == "E_INVALID_TARGET"
    assert refused(world, owner, wish(claim.id, ""))[0] == "E_BAD_REQUEST"


def test_missing_policies_are_refused() -> None:
    world, owner = a_claimer()
    claim = a_land(world, owner)
    no_rights: dict[str, bool] = {}
    for policy in (None, no_rights):
        assert (
            refused(world, owner, SetPermissions(land_id=claim.id, policy=policy))[0]
            == "E_BAD_REQUEST"
        )


def test_members_are_listed_once_they_accept_and_struck_off() -> None:
    world, owner = a_claimer()
    claim, friend = a_land(world, owner), put_agent(world, 3, 3)
    for _ in range(2):
        assert said(world, owner, AddMember(land_id=claim.id, member_id=friend.id)) == "ok"
    assert (claim.members, len(claim.offered)) == ([], 1)
    assert local_rules(world, friend)["role"] == "VISITOR"
    assert said(world, friend, AcceptLand(land_id=claim.id)) == "ok"
    assert said(world, owner, AddMember(land_id=claim.id, member_id=friend.id)) == "ok"
    assert (claim.members, claim.offered) == ([friend.id], [])
    assert local_rules(world, friend)["role"] == "MEMBER"
    assert events(owner, "LAND")[-1]["status"] == "JOINED"
    for _ in range(2):
        assert said(world, owner, RemoveMember(land_id=claim.id, member_id=friend.id)) == "ok"
    assert claim.members == []
    assert local_rules(world, friend)["role"] == "VISITOR"
    check_books(world)


def test_membership_under_a_curfew_takes_no_glade_away_without_consent() -> None:
    world, owner = a_claimer()
    resident = put_agent(world, 3, 3, PLANK=1)
    claim = a_land(world, owner)
    claim.newest_resident, claim.curfew = resident.number, Curfew(0, MILLION)
    world.claims.touch(claim.id)
    assert permissions.may_build(world, resident, resident.position)
    assert said(world, owner, AddMember(land_id=claim.id, member_id=resident.id)) == "ok"
    assert permissions.may_build(world, resident, resident.position), "it has not accepted"
    assert said(world, resident, AcceptLand(land_id=claim.id, role="member")) == "ok"
    assert not permissions.may_build(world, resident, resident.position)
    assert said(world, resident, LeaveLand(land_id=claim.id)) == "ok"
    assert permissions.may_build(world, resident, resident.position), "it may leave"
    assert events(owner, "LAND")[-1]["status"] == "LEFT"
    assert refused(world, resident, LeaveLand(land_id=claim.id)) == (
        "E_BLOCKED",
        "not a listed member",
    )


def test_what_is_offered_can_be_declined_and_withdrawn_and_is_taken_once() -> None:
    world, owner = a_claimer()
    claim, friend, other = a_land(world, owner), put_agent(world, 3, 3), put_agent(world, 4, 4)
    join, take = AcceptLand(land_id=claim.id), AcceptLand(land_id=claim.id, role="OWNER")
    for wish in (join, take):
        assert refused(world, friend, wish)[0] == "E_NO_PERMISSION"
    ask(world, owner, AddMember(land_id=claim.id, member_id=friend.id))
    assert refused(world, friend, take)[0] == "E_NO_PERMISSION", "membership is no deed"
    assert refused(world, other, join)[0] == "E_NO_PERMISSION"
    ask(world, owner, RemoveMember(land_id=claim.id, member_id=friend.id))
    assert refused(world, friend, join)[0] == "E_NO_PERMISSION"
    ask(world, owner, DeedLand(land_id=claim.id, new_owner=friend.id))
    assert refused(world, friend, join)[0] == "E_NO_PERMISSION", "a deed is no membership"
    assert said(world, friend, LeaveLand(land_id=claim.id)) == "ok"
    assert refused(world, friend, take)[0] == "E_NO_PERMISSION", "it was declined"
    ask(world, owner, DeedLand(land_id=claim.id, new_owner=friend.id))
    ask(world, owner, DeedLand(land_id=claim.id, new_owner=owner.id))
    assert refused(world, friend, take)[0] == "E_NO_PERMISSION", "it was withdrawn"
    assert refused(world, friend, AcceptLand(land_id=claim.id, role="KING"))[0] == "E_BAD_REQUEST"
    assert refused(world, friend, AcceptLand())[0] == "E_BAD_REQUEST"
    assert refused(world, friend, AcceptLand(land_id="LAND_A9_009"))[0] == "E_INVALID_TARGET"
    assert refused(world, friend, LeaveLand(land_id="LAND_A9_009"))[0] == "E_INVALID_TARGET"


def test_offers_of_a_land_are_bounded_and_end_with_their_giver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(claims, "MAX_OFFERED", 3)
    world, owner = a_claimer()
    claim, heir = a_land(world, owner), put_agent(world, 9, 9)
    crowd = [put_agent(world, 3, 3) for _ in range(5)]
    for guest in crowd:
        assert said(world, owner, AddMember(land_id=claim.id, member_id=guest.id)) == "ok"
    assert [offer.addressee for offer in claim.offered] == [guest.id for guest in crowd[2:]]
    tenure.remove_member_everywhere(world, crowd[2].id)
    assert len(claim.offered) == 2
    deed_land(world, owner, claim, heir)
    assert (claim.owner, claim.offered, claim.deed) == (heir.id, [], None)


def test_an_organisation_accepts_land_by_its_leader_and_officers() -> None:
    world, owner = a_claimer()
    claim, leader, member = a_land(world, owner), put_agent(world, 3, 3), put_agent(world, 4, 4)
    org = an_org(world, leader, member)
    take = AcceptLand(land_id=claim.id, role="OWNER")
    assert said(world, owner, DeedLand(land_id=claim.id, new_owner=org.id)) == "ok"
    assert claim.owner == owner.id
    assert events(leader, "LAND_OFFER")[-1]["to"] == org.id
    assert not events(member, "LAND_OFFER")
    assert refused(world, member, take)[0] == "E_NO_PERMISSION"
    assert said(world, leader, take) == "ok"
    assert claim.owner == org.id


def test_an_admin_takes_and_joins_land_of_its_own_organisation_at_once() -> None:
    world, owner = a_claimer()
    claim = a_land(world, owner)
    org = an_org(world, owner)
    assert said(world, owner, DeedLand(land_id=claim.id, new_owner=org.id)) == "ok"
    assert claim.owner == org.id
    assert said(world, owner, AddMember(land_id=claim.id, member_id=owner.id)) == "ok"
    assert claim.members == [owner.id]
    assert said(world, owner, DeedLand(land_id=claim.id, new_owner=owner.id)) == "ok"
    assert claim.owner == owner.id


def test_the_list_is_bounded() -> None:
    world, owner = a_claimer()
    claim = a_land(world, owner)
    crowd = [put_agent(world, 3, 3) for _ in range(MAX_MEMBERS + 1)]
    claim.members = [agent.id for agent in crowd[1:]]
    world.claims.touch(claim.id)
    assert (
        refused(world, owner, AddMember(land_id=claim.id, member_id=crowd[0].id))[0] == "E_CONFLICT"
    )
    assert said(world, owner, AddMember(land_id=claim.id, member_id=crowd[1].id)) == "ok"


def test_a_deed_changes_the_owner_and_nothing_else() -> None:
    world, owner = a_claimer()
    claim, friend, heir = a_land(world, owner), put_agent(world, 3, 3), put_agent(world, 4, 4)
    claim.members, claim.market_tax = [friend.id], 50_000
    claim.flags["allow_trade"] = True
    world.claims.touch(claim.id)
    assert said(world, owner, DeedLand(land_id=claim.id, new_owner=heir.id)) == "ok"
    assert claim.owner == owner.id, "upkeep is nobody's without consent"
    assert said(world, heir, AcceptLand(land_id=claim.id, role="OWNER")) == "ok"
    assert (claim.owner, claim.members, claim.market_tax) == (heir.id, [friend.id], 50_000)
    assert claim.flags["allow_trade"]
    assert local_rules(world, owner)["role"] == "VISITOR"
    assert local_rules(world, heir)["role"] == "OWNER"
    assert said(world, owner, DeedLand(land_id=claim.id, new_owner=owner.id)) == "E_NO_PERMISSION"


def test_land_of_an_org_is_ruled_by_its_leader_and_officers() -> None:
    world, owner = a_claimer()
    claim, officer, member = a_land(world, owner), put_agent(world, 3, 3), put_agent(world, 4, 4)
    org = an_org(world, owner, officer, member)
    org.members[officer.id] = "OFFICER"
    world.orgs.touch(org.id)
    assert said(world, owner, DeedLand(land_id=claim.id, new_owner=org.id)) == "ok"
    assert [local_rules(world, one)["role"] for one in (owner, officer, member)] == ["MEMBER"] * 3
    wish = SetPermissions(land_id=claim.id, policy={"allow_trade": True})
    assert [said(world, one, wish) for one in (owner, officer, member)] == [
        "ok",
        "ok",
        "E_NO_PERMISSION",
    ]


def test_who_was_given_land_is_no_guest_and_who_goes_is_struck_off() -> None:
    world = a_society(guest_ticks=10)
    owner, heir, friend = put_agent(world, 0, 1), put_agent(world, 3, 3), put_agent(world, 4, 4)
    given, kept = a_land(world, owner, radius=2), a_land(world, owner, 8, 0, radius=2)
    deed_land(world, owner, given, heir)
    add_member(world, owner, kept, friend)
    heir.acted = friend.acted = False
    step(world, [Detach(heir.number), Detach(friend.number)])
    wait(world, 60)
    assert world.agent_by_id(heir.id) is heir
    assert world.agent_by_id(friend.id) is None
    assert kept.members == []
    check_books(world)


def test_newcomers_do_not_begin_on_claimed_land() -> None:
    world = a_society()
    step(world, [Join("first", "00" * 32)])
    first = world.agents[1]
    a_land(world, first, first.x + 1, first.z, radius=64)
    step(world, [Join(f"other {number}", "00" * 32) for number in range(8)])
    assert len(world.agents) == 9
    assert [land.at(world, agent.x, agent.z) is None for agent in world.agents] == [False] + [
        True
    ] * 8
