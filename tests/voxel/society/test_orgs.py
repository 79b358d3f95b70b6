"""Organisations: founding, joining, leaving, roles and the treasury. Nothing becomes nobody's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.voxel.flat import events, put_agent
from tests.voxel.society.civic import a_land, a_society, act, an_org, ask, local_rules, said
from tests.voxel.working import check_books
from thorp.protocol.actions import (
    CreateOrg,
    DeedLand,
    InviteOrg,
    JoinOrg,
    LeaveOrg,
    OrgDeposit,
    OrgWithdraw,
    Say,
    SetOrgOpen,
    SetOrgRole,
)
from thorp.simulator.totals import count_everything
from thorp.voxel.society.orgs import MAX_INVITED
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Org
from thorp.voxel.state.world import World
from thorp.voxel.tick import step


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
    before = count_everything(world), world.orgs.digest(), agent.org
    code = said(world, agent, wish)
    assert code != "ok"
    assert before == (count_everything(world), world.orgs.digest(), agent.org)
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
    assert (org.kind, org.name, org.members, org.open) == (
        kind.upper(),
        "Mill Lane",
        {"A1": "LEADER"},
        True,
    )
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
    assert (
        refused(world, put_agent(world), CreateOrg(org_kind=kind, org_name=name)) == "E_BAD_REQUEST"
    )


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
        {
            "t": world.tick,
            "type": "ORG_INVITE",
            "org_id": org.id,
            "name": "Millbrook",
            "from": people[1].id,
        }
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


# + done, - E_NO_PERMISSION, x E_CONFLICT, b E_BLOCKED.
TABLE = """
             DEPOSIT WITHDRAW OPEN INVITE ROLE PUT_OUT HAND_OVER JOIN LEAVE FOUND CITY
leader       +       +        +    +      +    +       +         x    +     x     +
officer      +       +        +    +      -    -       -         x    +     x     +
member       +       -        -    -      -    -       -         x    +     x     +
stranger     -       -        -    -      -    -       -         +    b     +     -
uninvited    -       -        -    -      -    -       -         -    b     +     -
invited      -       -        -    -      -    -       -         +    b     +     -
put_out      -       -        -    -      -    -       -         -    b     +     -
foreigner    -       -        -    -      -    -       -         x    +     x     +
"""
HEADS, *ROWS = [line.split() for line in TABLE.strip().splitlines()]
CODES = {"+": "ok", "-": "E_NO_PERMISSION", "x": "E_CONFLICT", "b": "E_BLOCKED"}
WISHES: dict[str, Callable[[Org], Any]] = {
    "DEPOSIT": lambda org: OrgDeposit(org_id=org.id, item_id="COAL", count=1),
    "WITHDRAW": lambda org: OrgWithdraw(org_id=org.id, item_id="COAL", count=1),
    "OPEN": lambda org: SetOrgOpen(org_id=org.id, open=False),
    "INVITE": lambda org: InviteOrg(org_id=org.id, member_id="A5"),
    "ROLE": lambda org: SetOrgRole(org_id=org.id, member_id="A4", role="OFFICER"),
    "PUT_OUT": lambda org: SetOrgRole(org_id=org.id, member_id="A4", role="NONE"),
    "HAND_OVER": lambda org: SetOrgRole(org_id=org.id, member_id="A4", role="LEADER"),
    "JOIN": lambda org: JoinOrg(org_id=org.id),
    "LEAVE": lambda org: LeaveOrg(),
    "FOUND": lambda org: CreateOrg(org_kind="GUILD", org_name="x"),
    "CITY": lambda org: Say(channel="CITY", text="hear, hear"),
}


def as_role(name: str) -> tuple[World, Org, Agent]:
    """A1 leads, A2 is an officer, A3 and A4 are members, A5 is a stranger; and whoever is meant."""
    world, org, people = a_city(4, COAL=5)
    put_agent(world, 9, 9)
    if name in ("leader", "officer", "member"):
        actor = people[("leader", "officer", "member").index(name)]
    elif name == "put_out":
        actor = people[2]
        assert said(world, people[0], role(org, actor, "NONE")) == "ok"
    else:
        actor = put_agent(world, 9, 8, COAL=5)
    assert said(world, people[0], OrgDeposit(org_id=org.id, item_id="COAL", count=2)) == "ok"
    if name in ("uninvited", "invited", "put_out"):
        assert said(world, people[0], SetOrgOpen(org_id=org.id, open=False)) == "ok"
    if name == "invited":
        assert said(world, people[1], InviteOrg(org_id=org.id, member_id=actor.id)) == "ok"
    if name == "foreigner":
        an_org(world, actor)
    return world, org, actor


@pytest.mark.parametrize(
    ("name", "marks"), [(row[0], row[1:]) for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_who_may_do_what(name: str, marks: list[str]) -> None:
    """Role × action × expected code, in full."""
    assert list(WISHES) == HEADS
    for what, mark in zip(HEADS, marks, strict=True):
        world, org, actor = as_role(name)
        wish = WISHES[what](org)
        assert (said if mark == "+" else refused)(world, actor, wish) == CODES[mark], what
        assert sum(one == "LEADER" for one in org.members.values()) == 1
        check_books(world)


def test_the_treasury_takes_and_gives_to_the_unit() -> None:
    world, org, people = a_city(COAL=3)
    total = count_everything(world)
    assert said(world, people[2], OrgDeposit(org_id=org.id, item_id="COAL", count=3)) == "ok"
    assert (org.treasury, people[2].inventory) == ({"COAL": 3}, {})
    assert (
        refused(world, people[2], OrgDeposit(org_id=org.id, item_id="COAL", count=1))
        == "E_NO_RESOURCE"
    )
    assert (
        refused(world, people[0], OrgWithdraw(org_id=org.id, item_id="COAL", count=4))
        == "E_NO_RESOURCE"
    )
    assert (
        refused(world, people[0], OrgWithdraw(org_id=org.id, item_id="GOLD", count=1))
        == "E_NO_RESOURCE"
    )
    assert said(world, people[1], OrgWithdraw(org_id=org.id, item_id="COAL", count=3)) == "ok"
    assert (org.treasury, people[1].have("COAL")) == ({}, 6)
    assert count_everything(world) == total
    check_books(world)


@pytest.mark.parametrize("kind", [OrgDeposit, OrgWithdraw])
def test_movements_need_a_place_a_thing_and_a_count(kind: Any) -> None:
    world, org, people = a_city(COAL=3)
    for fields in (
        {"item_id": None},
        {"count": None},
        {"count": 0},
        {"count": -1},
        {"org_id": None},
    ):
        wish = kind(**{"org_id": org.id, "item_id": "COAL", "count": 1, **fields})
        assert refused(world, people[0], wish) == "E_BAD_REQUEST"
    assert (
        refused(world, people[0], kind(org_id="ORG9", item_id="COAL", count=1))
        == "E_INVALID_TARGET"
    )


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


def test_who_gets_a_role_or_loses_it_is_told() -> None:
    world, org, people = a_city(4)
    leader, officer, member, other = people
    told = {"type": "ORG_ROLE", "org_id": org.id}
    assert events(officer, "ORG_ROLE") == [
        {**told, "t": world.tick, "role": "OFFICER", "from": leader.id}
    ]
    ask(world, leader, role(org, other, "NONE"))
    assert events(other, "ORG_ROLE") == [
        {**told, "t": world.tick, "role": "NONE", "from": leader.id}
    ]
    ask(world, leader, LeaveOrg())
    assert events(officer, "ORG_ROLE")[1:] == [
        {**told, "t": world.tick, "role": "LEADER", "from": leader.id}
    ]
    assert events(member, "ORG_ROLE") == events(leader, "ORG_ROLE") == []


def test_who_is_put_out_is_no_member_for_the_rest_of_the_tick() -> None:
    world, org, people = a_city(COAL=5)
    leader, officer, _ = people
    ask(world, leader, OrgDeposit(org_id=org.id, item_id="COAL", count=4))
    claim = a_land(world, leader, z=5)
    ask(
        world,
        leader,
        DeedLand(land_id=claim.id, new_owner=org.id),
        SetOrgOpen(org_id=org.id, open=False),
    )
    inputs = [
        act(leader, world, role(org, officer, "NONE")),
        act(
            officer,
            world,
            OrgWithdraw(org_id=org.id, item_id="COAL", count=4),
            OrgDeposit(org_id=org.id, item_id="COAL", count=1),
            SetOrgRole(org_id=org.id, member_id=leader.id, role="NONE"),
            DeedLand(land_id=claim.id, new_owner=officer.id),
            JoinOrg(org_id=org.id),
            LeaveOrg(),
        ),
    ]
    step(world, inputs)
    codes = [one.get("code") for one in events(officer, "ACTION_RESULT") if one["t"] == world.tick]
    assert codes == ["E_NO_PERMISSION"] * 5 + ["E_BLOCKED"]
    assert (org.treasury, officer.have("COAL"), claim.owner) == ({"COAL": 4}, 5, org.id)
    check_books(world)


def test_two_leaders_who_put_each_other_out_in_one_tick() -> None:
    world, org, people = a_city()
    old, new, _ = people
    step(
        world,
        [
            act(old, world, role(org, new, "LEADER"), role(org, new, "NONE")),
            act(new, world, role(org, old, "NONE")),
        ],
    )
    assert org.members == {new.id: "LEADER", people[2].id: "MEMBER"}
    assert old.org == ""


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
    total = count_everything(world)
    for agent in people:
        assert said(world, agent, LeaveOrg()) == "ok"
    assert org.id not in world.orgs
    assert claim.owner == people[2].id
    assert people[2].inventory == {"COAL": 10}
    assert count_everything(world) == total
    given = {
        "t": world.tick,
        "type": "LAND",
        "land_id": claim.id,
        "status": "GIVEN",
        "owner": people[2].id,
    }
    assert events(people[2], "LAND") == [given]
    assert local_rules(world, people[2])["role"] == "OWNER"
    check_books(world)
    assert said(world, people[2], JoinOrg(org_id=org.id)) == "E_INVALID_TARGET"
