"""Organisations: founding, joining, leaving, roles and the treasury. Nothing becomes nobody's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.voxel.flat import events, put_agent
from tests.voxel.society.civic import a_land, a_society, an_org, ask, local_rules, said
from tests.voxel.working import check_books
from thorp.protocol.society import (
    CreateOrg,
    DeedLand,
    InviteOrg,
    JoinOrg,
    LeaveOrg,
    OrgDeposit,
    OrgWithdraw,
    SetOrgOpen,
    SetOrgRole,
)
from thorp.voxel.agent import Agent
from thorp.voxel.society.orgs import MAX_INVITED
from thorp.voxel.society.records import Org
from thorp.voxel.systems import items
from thorp.voxel.world import World


def a_city(size: int = 3, **inventory: int) -> tuple[World, Org, list[Agent]]:
    """A leader, an officer, and members."""
    world = a_society()
    people = [put_agent(world, 2 * number, 0, **inventory) for number in range(size)]
    org = an_org(world, *people)
    if size > 1:
        assert said(world, people[0], role(org, people[1], "OFFICER")) == "ok"
    return world, org, people


def role(org: Org, agent: Agent, name: str) -> SetOrgRole:
    return SetOrgRole(org_id=org.id, member_id=agent.id, role=name)


def refused(world: World, agent: Agent, wish: Any) -> str:
    before = items.everything(world), world.orgs.digest(), agent.org
    code = said(world, agent, wish)
    assert code != "ok"
    assert before == (items.everything(world), world.orgs.digest(), agent.org)
    return code


@pytest.mark.parametrize("kind", ["GUILD", "CITY", "guild", "City"])
def test_founding(kind: str) -> None:
    world = a_society()
    agent = put_agent(world)
    (result,) = ask(world, agent, CreateOrg(id="o", org_kind=kind, org_name="  Mill Lane "))
    assert result == {
        "t": 1, "type": "ACTION_RESULT", "ref": "o", "ok": True, "org_id": "ORG000001",
    }  # fmt: skip
    org = world.orgs["ORG000001"]
    assert (org.kind, org.name, org.members, org.open) == (kind.upper(), "Mill Lane", {"A1": "LEADER"}, True)
    assert agent.org == org.id
    check_books(world)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("GUILD", ""),
        ("GUILD", "  \t "),
        ("GUILD", "é" * 21),
        ("TOWN", "x"),
        ("", "x"),
        (None, "x"),
        ("CITY", None),
    ],
)
def test_bad_names_and_kinds(kind: str | None, name: str | None) -> None:
    world = a_society()
    assert refused(world, put_agent(world), CreateOrg(org_kind=kind, org_name=name)) == "E_BAD_REQUEST"


def test_one_org_for_everyone() -> None:
    world, org, people = a_city()
    assert refused(world, people[2], CreateOrg(org_kind="GUILD", org_name="x")) == "E_CONFLICT"
    assert refused(world, people[2], JoinOrg(org_id=org.id)) == "E_CONFLICT"


def test_joining_an_open_org() -> None:
    world, org, _ = a_city()
    agent = put_agent(world)
    assert refused(world, agent, JoinOrg()) == "E_BAD_REQUEST"
    assert refused(world, agent, JoinOrg(org_id="ORG000099")) == "E_INVALID_TARGET"
    assert said(world, agent, JoinOrg(org_id=org.id)) == "ok"
    assert org.members[agent.id] == "MEMBER"
    check_books(world)


def test_a_closed_org_takes_who_was_invited_once() -> None:
    world, org, people = a_city()
    agent = put_agent(world, 9, 9)
    assert said(world, people[1], SetOrgOpen(org_id=org.id, open=False)) == "ok"
    assert refused(world, agent, JoinOrg(org_id=org.id)) == "E_NO_PERMISSION"
    assert said(world, people[1], InviteOrg(org_id=org.id, member_id=agent.id)) == "ok"
    assert events(agent, "ORG_INVITE") == [
        {"t": world.tick, "type": "ORG_INVITE", "org_id": org.id, "name": "Millbrook", "from": people[1].id}
    ]
    assert said(world, agent, JoinOrg(org_id=org.id)) == "ok"
    assert org.invited == []
    assert said(world, agent, LeaveOrg()) == "ok"
    assert refused(world, agent, JoinOrg(org_id=org.id)) == "E_NO_PERMISSION"
    assert said(world, people[0], SetOrgOpen(org_id=org.id, open=True)) == "ok"
    assert said(world, agent, JoinOrg(org_id=org.id)) == "ok"


def test_invitations_are_told_once_and_bounded() -> None:
    world, org, people = a_city()
    guests = [put_agent(world, 9, 9) for _ in range(MAX_INVITED + 1)]
    for guest in (*guests, guests[-1]):
        assert said(world, people[0], InviteOrg(org_id=org.id, member_id=guest.id)) == "ok"
    assert org.invited == [guest.id for guest in guests[1:]]
    assert len(events(guests[-1], "ORG_INVITE")) == 1


def test_who_may_do_what() -> None:
    """Role × action, in full. The stranger is in no org."""
    table = {
        #              deposit  withdraw open     invite   give a role
        "leader":   ("ok",      "ok",      "ok",      "ok",      "ok"),
        "officer":  ("ok",      "ok",      "ok",      "ok",      "denied"),
        "member":   ("ok",      "denied",  "denied",  "denied",  "denied"),
        "stranger": ("denied",  "denied",  "denied",  "denied",  "denied"),
    }  # fmt: skip
    for number, (name, expected) in enumerate(table.items()):
        world, org, people = a_city(4, COAL=5)
        stranger = put_agent(world, 9, 9, COAL=5)
        org.treasury["COAL"] = 2
        world.orgs.touch(org.id)
        actor = [*people[:3], stranger][number]
        wishes = (
            OrgDeposit(org_id=org.id, item_id="COAL", count=1),
            OrgWithdraw(org_id=org.id, item_id="COAL", count=1),
            SetOrgOpen(org_id=org.id, open=False),
            InviteOrg(org_id=org.id, member_id=stranger.id),
            role(org, people[3], "OFFICER"),
        )
        for wish, meant in zip(wishes, expected, strict=True):
            code = said(world, actor, wish) if meant == "ok" else refused(world, actor, wish)
            assert code == ("ok" if meant == "ok" else "E_NO_PERMISSION"), (name, wish)


def test_the_treasury_takes_and_gives_to_the_unit() -> None:
    world, org, people = a_city(COAL=3)
    total = items.everything(world)
    assert said(world, people[2], OrgDeposit(org_id=org.id, item_id="COAL", count=3)) == "ok"
    assert (org.treasury, people[2].inventory) == ({"COAL": 3}, {})
    assert refused(world, people[2], OrgDeposit(org_id=org.id, item_id="COAL", count=1)) == "E_NO_RESOURCE"
    assert refused(world, people[0], OrgWithdraw(org_id=org.id, item_id="COAL", count=4)) == "E_NO_RESOURCE"
    assert refused(world, people[0], OrgWithdraw(org_id=org.id, item_id="GOLD", count=1)) == "E_NO_RESOURCE"
    assert said(world, people[1], OrgWithdraw(org_id=org.id, item_id="COAL", count=3)) == "ok"
    assert (org.treasury, people[1].have("COAL")) == ({}, 6)
    assert items.everything(world) == total
    check_books(world)


@pytest.mark.parametrize("kind", [OrgDeposit, OrgWithdraw])
def test_movements_need_a_place_a_thing_and_a_count(kind: Any) -> None:
    world, org, people = a_city(COAL=3)
    for fields in ({"item_id": None}, {"count": None}, {"count": 0}, {"count": -1}, {"org_id": None}):
        wish = kind(**{"org_id": org.id, "item_id": "COAL", "count": 1, **fields})
        assert refused(world, people[0], wish) == "E_BAD_REQUEST"
    assert refused(world, people[0], kind(org_id="ORG9", item_id="COAL", count=1)) == "E_INVALID_TARGET"


def test_roles_are_given_to_members_by_their_names() -> None:
    world, org, people = a_city(4)
    stranger = put_agent(world, 9, 9)
    leader = people[0]
    for bad in (None, "", "KING"):
        wish = SetOrgRole(org_id=org.id, member_id=people[2].id, role=bad)
        assert refused(world, leader, wish) == "E_BAD_REQUEST"
    assert refused(world, leader, SetOrgRole(org_id=org.id, role="OFFICER")) == "E_BAD_REQUEST"
    assert refused(world, leader, role(org, stranger, "OFFICER")) == "E_INVALID_TARGET"
    nobody = SetOrgRole(org_id=org.id, member_id="A99", role="OFFICER")
    assert refused(world, leader, nobody) == "E_INVALID_TARGET"
    assert refused(world, leader, role(org, leader, "MEMBER")) == "E_CONFLICT"
    assert said(world, leader, role(org, people[1], "member")) == "ok"
    assert org.members[people[1].id] == "MEMBER"


def test_leadership_is_handed_over() -> None:
    world, org, people = a_city()
    assert said(world, people[0], role(org, people[2], "LEADER")) == "ok"
    assert [org.members[one.id] for one in people] == ["OFFICER", "OFFICER", "LEADER"]
    assert refused(world, people[0], role(org, people[1], "MEMBER")) == "E_NO_PERMISSION"


def test_the_leader_can_put_somebody_out() -> None:
    world, org, people = a_city()
    assert said(world, people[0], role(org, people[2], "NONE")) == "ok"
    assert people[2].org == ""
    assert list(org.members) == [people[0].id, people[1].id]
    assert refused(world, people[2], LeaveOrg()) == "E_BLOCKED"
    check_books(world)


def test_inviting_needs_somebody_who_is_no_member() -> None:
    world, org, people = a_city()
    leader = people[0]
    assert refused(world, leader, InviteOrg(org_id=org.id)) == "E_BAD_REQUEST"
    assert refused(world, leader, InviteOrg(org_id=org.id, member_id="A99")) == "E_INVALID_TARGET"
    assert refused(world, leader, InviteOrg(org_id=org.id, member_id=people[1].id)) == "E_CONFLICT"
    assert refused(world, leader, SetOrgOpen(org_id=org.id)) == "E_BAD_REQUEST"


def test_an_officer_follows_the_leader_else_the_lowest_number() -> None:
    world, org, people = a_city(12)
    first, officer = people[0], people[1]
    assert said(world, first, role(org, people[10], "OFFICER")) == "ok"
    assert said(world, first, role(org, officer, "MEMBER")) == "ok"
    assert said(world, first, LeaveOrg()) == "ok"
    assert org.members[people[10].id] == "LEADER"
    assert said(world, people[10], LeaveOrg()) == "ok"
    assert org.members[officer.id] == "LEADER", "A2 comes before A12"
    assert refused(world, first, LeaveOrg()) == "E_BLOCKED"
    assert sum(role == "LEADER" for role in org.members.values()) == 1


def test_the_last_one_out_inherits_treasury_and_land() -> None:
    world, org, people = a_city(COAL=5)
    claim = a_land(world, people[0], z=5)
    ask(
        world,
        people[0],
        DeedLand(land_id=claim.id, new_owner=org.id),
        OrgDeposit(org_id=org.id, item_id="COAL", count=5),
    )
    total = items.everything(world)
    for agent in people:
        assert said(world, agent, LeaveOrg()) == "ok"
    assert org.id not in world.orgs
    assert claim.owner == people[2].id
    assert people[2].inventory == {"COAL": 10}
    assert items.everything(world) == total
    assert local_rules(world, people[2])["role"] == "OWNER"
    check_books(world)
    assert said(world, people[2], JoinOrg(org_id=org.id)) == "E_INVALID_TARGET"
