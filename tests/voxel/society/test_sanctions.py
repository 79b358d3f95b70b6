"""Denials cost law reputation, some a fine; entering a core may cost a ticket, or be closed to the
wanted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.society.civic import (
    a_land,
    a_society,
    add_member,
    an_org,
    ask,
    move,
    outcome,
    pass_law,
    wait,
)
from tests.voxel.working import block_name, check_books, put
from thorp.protocol import actions
from thorp.protocol.actions import DeedLand, RemoveMember
from thorp.simulator.totals import count_everything
from thorp.voxel.lookups import land, permissions
from thorp.voxel.observation import entity_view
from thorp.voxel.society import scores
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Claim
from thorp.voxel.state.world import World, block_id

WALL = (5, STAND, 4)


def a_trespass(**inventory: int) -> tuple[World, Claim, Agent, Agent]:
    """Land of A1, and a visitor beside a block of stone."""
    world = a_society()
    owner, visitor = put_agent(world, 0, 1), put_agent(world, 4, 4, **inventory)
    claim = a_land(world, owner)
    put(world, WALL, "STONE")
    return world, claim, owner, visitor


def law_of(agent: Agent) -> int:
    return agent.reputation["law"]


SIGN, SWITCH = (4, STAND, 5), (4, STAND, 3)


@pytest.mark.parametrize(
    "wish",
    [
        actions.Place(block_pos=(3, STAND, 4), item_id="PLANK"),
        actions.Mine(block_pos=WALL),
        actions.BuildBlueprint(blueprint_id="road_segment", anchor=(-5, STAND, -5)),
        actions.SetSign(target_id=block_id("SIGN", SIGN), text="mine"),
        actions.ToggleSwitch(target_id=block_id("SWITCH", SWITCH)),
    ],
)
def test_a_denied_attempt_costs_a_point_of_law_and_nothing_else(wish: Any) -> None:
    world, _, owner, visitor = a_trespass(PLANK=9)
    put(world, SIGN, "SIGN")
    put(world, SWITCH, "SWITCH")
    before = count_everything(world)
    assert outcome(world, visitor, wish) == "E_NO_PERMISSION"
    assert (law_of(visitor), law_of(owner)) == (499, 500)
    assert count_everything(world) == before
    assert not world.scratch.block_changes
    assert (world.signs[SIGN].text, world.switches[SWITCH].on) == ("", False)
    check_books(world)


def test_a_bad_request_is_no_crime() -> None:
    world, _, _, visitor = a_trespass(PLANK=9)
    for wish in (
        actions.Place(block_pos=(9, 99, 4), item_id="PLANK"),
        actions.Mine(block_pos=(0, STAND, 0)),
        actions.SetSign(target_id="SIGN@4,23,5", text="x"),
    ):
        assert outcome(world, visitor, wish) != "ok"
    assert law_of(visitor) == 500


# Fines


@pytest.mark.parametrize(("owned", "paid"), [(9, 3), (3, 3), (2, 2), (0, 0)])
def test_a_denied_mine_pays_the_fine_as_far_as_it_can(owned: int, paid: int) -> None:
    world, claim, owner, visitor = a_trespass(**({"COAL": owned} if owned else {}))
    pass_law(world, owner, claim, "FINE_BREAK_PER_BLOCK", fine_item="COAL", fine_per_block=3)
    assert outcome(world, visitor, actions.Mine(block_pos=WALL)) == "E_NO_PERMISSION"
    assert (visitor.have("COAL"), owner.have("COAL")) == (owned - paid, paid)
    fine = {"land_id": claim.id, "item": "COAL", "count": paid, "reason": "BREAK_DENIED"}
    assert events(visitor, "FINE") == ([{"t": world.tick, "type": "FINE", **fine}] if paid else [])
    assert block_name(world, WALL) == "STONE"
    check_books(world)


def test_each_attempt_is_fined_and_an_org_keeps_it_in_its_treasury() -> None:
    world, claim, owner, visitor = a_trespass(COAL=5)
    org = an_org(world, owner)
    ask(world, owner, DeedLand(land_id=claim.id, new_owner=org.id))
    pass_law(world, owner, claim, "FINE_BREAK_PER_BLOCK", fine_item="COAL", fine_per_block=2)
    for _ in range(3):
        outcome(world, visitor, actions.Mine(block_pos=WALL))
    assert (visitor.have("COAL"), org.treasury) == (0, {"COAL": 5})
    assert law_of(visitor) == 497


def test_only_mining_is_fined_and_not_during_curfew_nor_members() -> None:
    world, claim, owner, visitor = a_trespass(COAL=5, PLANK=1)
    member = put_agent(world, 4, 3, COAL=5)
    add_member(world, owner, claim, member)
    pass_law(world, owner, claim, "FINE_BREAK_PER_BLOCK", fine_item="COAL", fine_per_block=2)
    outcome(world, visitor, actions.Place(block_pos=(3, STAND, 4), item_id="PLANK"))
    assert visitor.have("COAL") == 5
    pass_law(world, owner, claim, "CURFEW_NO_BUILD", start_time=0, end_time=1)
    for agent in (visitor, member):
        assert outcome(world, agent, actions.Mine(block_pos=WALL)) == "E_NO_PERMISSION"
        assert agent.have("COAL") == 5
    assert (law_of(visitor), law_of(member)) == (498, 499)


def test_a_right_taken_away_stops_work_under_way() -> None:
    world, claim, owner, friend = a_trespass(PLANK=9)
    add_member(world, owner, claim, friend)
    ask(world, friend, actions.Mine(block_pos=WALL))
    assert friend.work is not None
    ask(world, owner, RemoveMember(land_id=claim.id, member_id=friend.id))
    assert friend.work is None
    assert events(friend, "TASK_FAIL")[-1]["code"] == "E_NO_PERMISSION"
    assert block_name(world, WALL) == "STONE"


def test_a_build_stops_where_the_right_ends() -> None:
    world, claim, owner, friend = a_trespass(PLANK=9)
    add_member(world, owner, claim, friend)
    wish = actions.BuildBlueprint(blueprint_id="road_segment", anchor=(3, STAND, -4))
    ask(world, friend, wish)
    assert friend.have("PLANK") == 7, "two blocks a tick"
    ask(world, owner, RemoveMember(land_id=claim.id, member_id=friend.id))
    assert friend.work is None
    assert friend.have("PLANK") == 7, "what stands is paid, and nothing more"


# Entering


def a_gate(core: int = 4, **inventory: int) -> tuple[World, Claim, Agent, Agent]:
    """A land with a small core, and a visitor one step before it."""
    world = a_society(access_pass_core_radius=core)
    owner = put_agent(world, 0, 1)
    claim = a_land(world, owner)
    return world, claim, owner, put_agent(world, core + 1, 0, **inventory)


def test_entering_a_core_costs_the_ticket_each_time() -> None:
    world, claim, owner, visitor = a_gate(COAL=3)
    pass_law(world, owner, claim, "ACCESS_PASS_CORE", ticket_item="COAL", ticket_cost=2)
    assert outcome(world, visitor, move((2, STAND, 0))) == "ok"
    assert (visitor.have("COAL"), owner.have("COAL")) == (1, 2)
    ticket = {"land_id": claim.id, "item": "COAL", "count": 2}
    assert [{**one, "t": 0} for one in events(visitor, "ACCESS_PASS")] == [
        {"t": 0, "type": "ACCESS_PASS", **ticket}
    ], "once, at the border"
    assert outcome(world, visitor, move((7, STAND, 0))) == "ok"
    assert visitor.have("COAL") == 1, "leaving is free"
    before = visitor.position
    assert outcome(world, visitor, move((1, STAND, 0))) == "E_NO_RESOURCE"
    assert visitor.have("COAL") == 1
    assert not land.in_core(world, claim, visitor.x, visitor.z)
    assert abs(visitor.x - before[0]) <= 2
    assert visitor.move is None
    check_books(world)


def test_who_cannot_pay_stays_where_it_is() -> None:
    world, claim, owner, visitor = a_gate(COAL=1)
    pass_law(world, owner, claim, "ACCESS_PASS_CORE", ticket_item="COAL", ticket_cost=2)
    here = visitor.position
    (result,) = ask(world, visitor, move((0, STAND, 2)))
    assert result["ok"]
    (failed,) = events(visitor, "TASK_FAIL")
    assert (failed["code"], failed["kind"]) == ("E_NO_RESOURCE", "MOVE_TO")
    assert (visitor.position, visitor.move, visitor.have("COAL")) == (here, None, 1)
    assert law_of(visitor) == 500


def test_the_usual_core_begins_16_cells_from_the_totem() -> None:
    world = a_society()
    owner = put_agent(world, 0, 1)
    claim = a_land(world, owner, radius=32)
    visitor = put_agent(world, 18, 0, COAL=5)
    pass_law(world, owner, claim, "ACCESS_PASS_CORE", ticket_item="COAL", ticket_cost=2)
    for x, left in ((17, 5), (16, 3), (14, 3)):
        assert outcome(world, visitor, move((x - 1, STAND, 0))) == "ok"
        assert (visitor.x, visitor.have("COAL"), owner.have("COAL")) == (x, left, 5 - left)


@pytest.mark.parametrize("radius", [2, 8])
def test_the_core_is_no_larger_than_the_land(radius: int) -> None:
    world = a_society(access_pass_core_radius=4)
    claim = a_land(world, put_agent(world, 0, 1), radius=radius)
    reach = min(4, radius)
    assert land.in_core(world, claim, reach, -reach)
    assert not land.in_core(world, claim, reach + 1, 0)


def test_members_enter_freely_and_followers_pay() -> None:
    world, claim, owner, visitor = a_gate()
    pass_law(world, owner, claim, "ACCESS_PASS_CORE", ticket_item="COAL", ticket_cost=1)
    ask(world, visitor, actions.Follow(target_id=owner.id, distance=1))
    wait(world, 3)
    assert events(visitor, "TASK_FAIL")[-1]["kind"] == "FOLLOW"
    add_member(world, owner, claim, visitor)
    assert outcome(world, visitor, move((2, STAND, 0))) == "ok"
    assert not events(visitor, "ACCESS_PASS")


def test_tickets_of_an_org_go_to_its_treasury() -> None:
    world, claim, owner, visitor = a_gate(COAL=3)
    org = an_org(world, owner)
    ask(world, owner, DeedLand(land_id=claim.id, new_owner=org.id))
    pass_law(world, owner, claim, "ACCESS_PASS_CORE", ticket_item="COAL", ticket_cost=2)
    assert outcome(world, visitor, move((2, STAND, 0))) == "ok"
    assert (org.treasury, visitor.have("COAL")) == ({"COAL": 2}, 1)


# The wanted


def wanted(world: World, agent: Agent, law: int = 100) -> None:
    agent.reputation["law"] = law
    agent.changed()


@pytest.mark.parametrize(
    ("kind", "law", "code"),
    [
        ("CITY", 500, "ok"),
        ("CITY", 200, "ok"),
        ("CITY", 199, "E_NO_PERMISSION"),
        ("CITY", 0, "E_NO_PERMISSION"),
        ("GUILD", 100, "ok"),
        (None, 100, "ok"),
    ],
)
def test_the_core_of_a_city_is_closed_to_the_wanted(kind: str | None, law: int, code: str) -> None:
    world, claim, owner, visitor = a_gate()
    if kind:
        org = an_org(world, owner, kind=kind)
        ask(world, owner, DeedLand(land_id=claim.id, new_owner=org.id))
    wanted(world, visitor, law)
    assert outcome(world, visitor, move((2, STAND, 0))) == code
    assert land.in_core(world, claim, visitor.x, visitor.z) == (code == "ok")


def test_citizens_are_let_in_though_wanted() -> None:
    world, claim, owner, citizen = a_gate()
    org = an_org(world, owner, citizen)
    ask(world, owner, DeedLand(land_id=claim.id, new_owner=org.id))
    wanted(world, citizen)
    assert outcome(world, citizen, move((2, STAND, 0))) == "ok"


def test_others_see_who_is_wanted_and_whose_member() -> None:
    world = a_society()
    looker, plain, both = put_agent(world), put_agent(world, 2, 0), put_agent(world, 3, 0)
    org = an_org(world, both)
    assert entity_view.look(world, [looker])[0].count(b'"tags"') == 1
    wanted(world, both, permissions.WANTED_BELOW - 1)
    seen = entity_view.look(world, [looker])[0].decode()
    assert f'"tags":["org:{org.id}","wanted"],"reputation_hint":0.5' in seen
    assert f'"id":"{plain.id}","type":"AGENT","pos":[2,{STAND},0],"reputation_hint"' in seen


def test_denials_are_counted_as_deeds() -> None:
    world, claim, owner, visitor = a_gate(COAL=1)
    pass_law(world, owner, claim, "ACCESS_PASS_CORE", ticket_item="COAL", ticket_cost=2)
    counted = [scores.total(world, "denials")]
    for wish in (
        actions.Place(block_pos=(6, STAND, 0), item_id="COAL"),
        actions.Mine(block_pos=(6, STAND - 1, 0)),
        actions.BuildBlueprint(blueprint_id="road_segment", anchor=(6, STAND, 3)),
        move((0, STAND, 2)),
    ):
        outcome(world, visitor, wish)
        counted.append(scores.total(world, "denials"))
    assert counted == [0, 1, 2, 3, 4]


# A way out


def walled_in(world: World, x: int, z: int) -> None:
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for y in (STAND, STAND + 1):
            put(world, (x + dx, y, z + dz), "BRICK")


def walk(world: World, agent: Agent, x: int, z: int, ticks: int = 60) -> dict[str, Any]:
    (result,) = ask(world, agent, actions.MoveTo(target=(x, STAND, z)))
    wait(world, ticks)
    ended = [
        one for one in events(agent) if one.get("task_id") == result["task_id"] and "kind" in one
    ]
    return ended[-1]


def test_who_is_walled_in_on_anothers_land_and_wants_to_leave_is_put_outside() -> None:
    world, claim, _, visitor = a_trespass()
    walled_in(world, 4, 4)
    assert walk(world, visitor, 7, 4)["type"] == "TASK_FAIL", "beyond the wall is still that land"
    assert visitor.position == (4, STAND, 4)
    assert walk(world, visitor, 30, 4)["type"] == "TASK_DONE"
    assert abs(visitor.x - 30) <= 1
    (told,) = [one for one in events(visitor) if one["type"] == "LET_OUT"]
    assert (told["land_id"], told["from"], told["pos"]) == (claim.id, [4, STAND, 4], [9, STAND, 4])


@pytest.mark.parametrize("why", ["member", "may break", "wild"])
def test_who_can_dig_is_not_let_out(why: str) -> None:
    world, claim, _, visitor = a_trespass()
    walled_in(world, 4, 4)
    if why == "member":
        claim.members.append(visitor.id)
    elif why == "may break":
        claim.flags["allow_break"] = True
    else:
        claim.stage = land.OPEN_STAGE
    assert walk(world, visitor, 30, 4)["type"] == "TASK_FAIL"
    assert visitor.position == (4, STAND, 4)


def a_yard() -> tuple[World, Agent]:
    """A visitor in a walled yard that is larger than what a patient search may look at."""
    world = a_society(path_expansions_per_search=40)
    owner, visitor = put_agent(world, 0, 1), put_agent(world, 20, 20)
    a_land(world, owner, radius=30)
    for along in range(-28, 29):
        for x, z in ((along, -28), (along, 28), (-28, along), (28, along)):
            for y in (STAND, STAND + 1):
                put(world, (x, y, z), "BRICK")
    return world, visitor


def test_who_is_in_a_yard_too_large_to_search_is_let_out_too() -> None:
    world, visitor = a_yard()
    assert walk(world, visitor, 45, 20, ticks=120)["type"] == "TASK_DONE"
    (told,) = [one for one in events(visitor) if one["type"] == "LET_OUT"]
    came_from: Any = told["from"]
    assert told["pos"] == [31, STAND, came_from[2]]


def test_a_way_out_is_no_way_in() -> None:
    world, visitor = a_yard()
    visitor.home = (45, 20)
    world.relocate(visitor, (45, STAND, 20))
    assert walk(world, visitor, 20, 20, ticks=200)["type"] == "TASK_FAIL"
    assert visitor.x > 28
    assert "LET_OUT" not in {one["type"] for one in events(visitor)}


def test_who_is_let_out_is_put_on_nobodys_land() -> None:
    world, _, owner, visitor = a_trespass()
    for x, z in ((17, 0), (-17, 0), (0, 17), (0, -17)):
        world.relocate(owner, (x + 1, STAND, z))
        a_land(world, owner, x, z)
    walled_in(world, 4, 4)
    assert walk(world, visitor, 40, 4)["type"] == "TASK_DONE"
    (told,) = [one for one in events(visitor) if one["type"] == "LET_OUT"]
    assert told["pos"] == [26, STAND, 4], "beyond the land behind it"


@pytest.mark.parametrize("why", ["ticket", "wanted"])
def test_a_closed_core_keeps_nobody_on_the_land(why: str) -> None:
    """A visitor in a pocket whose only way out leads through the core."""
    world, claim, owner, visitor = a_gate()
    for dx, dz in ((1, 0), (0, 1), (0, -1)):
        for y in (STAND, STAND + 1):
            put(world, (5 + dx, y, dz), "BRICK")
    if why == "ticket":
        pass_law(world, owner, claim, "ACCESS_PASS_CORE", ticket_item="COAL", ticket_cost=2)
    else:
        ask(world, owner, DeedLand(land_id=claim.id, new_owner=an_org(world, owner).id))
        wanted(world, visitor)
    assert walk(world, visitor, 2, 0)["type"] == "TASK_FAIL", "into the core"
    assert walk(world, visitor, 30, 0)["type"] == "TASK_DONE"
    (told,) = [one for one in events(visitor) if one["type"] == "LET_OUT"]
    assert told["pos"] == [9, STAND, 0]


def test_a_movement_leaves_a_land_only_once() -> None:
    """It leads back into a dead end; the second time it ends there."""
    world, claim, owner, visitor = a_gate()
    world.relocate(visitor, (-6, STAND, 0))
    pass_law(world, owner, claim, "ACCESS_PASS_CORE", ticket_item="COAL", ticket_cost=2)
    assert walk(world, visitor, 30, 0, ticks=200)["type"] == "TASK_FAIL"
    assert len([one for one in events(visitor) if one["type"] == "LET_OUT"]) == 1
