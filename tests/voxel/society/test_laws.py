"""Laws: from proposal to force, who counts, what each template sets, and how it is repealed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.society.civic import (
    NOTICE,
    VOTING,
    a_land,
    a_law,
    a_society,
    act,
    add_member,
    an_org,
    ask,
    local_rules,
    outcome,
    pass_law,
    said,
    wait,
)
from tests.voxel.working import check_books, put
from thorp.observer.inspection import shown_law
from thorp.protocol import actions
from thorp.protocol.actions import DeedLand, LeaveOrg, ProposeLaw, RemoveMember, Vote
from thorp.voxel.society import deeds
from thorp.voxel.society.laws import MAX_DECIDED, MAX_UNDECIDED, quorum
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Claim, Curfew, Price
from thorp.voxel.state.world import World
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

TAX: dict[str, Any] = {"template_id": "MARKET_TAX", "params": {"market_tax": 0.1}}


def a_town(members: int = 0, **tuning: Any) -> tuple[World, Claim, Agent, list[Agent]]:
    world = a_society(**tuning)
    owner = put_agent(world, 0, 1)
    claim = a_land(world, owner)
    others = [put_agent(world, 3, number) for number in range(members)]
    for other in others:
        add_member(world, owner, claim, other)
    return world, claim, owner, others


def laws_heard(agent: Agent) -> list[tuple[object, object, object]]:
    return [(one["t"], one["kind"], one["status"]) for one in events(agent, "LAW")]


def test_a_law_lives_from_notice_to_force() -> None:
    world, claim, owner, _ = a_town()
    far = put_agent(world, 900, 900)
    law = a_law(world, owner, claim, template="MARKET_TAX", market_tax=0.1)
    at = world.tick
    assert events(far, "LAW") == [
        {
            "t": at,
            "type": "LAW",
            "kind": "PROPOSED",
            "law_id": "LAW000001",
            "land_id": claim.id,
            "template_id": "MARKET_TAX",
            "title": "Market tax",
            "status": "NOTICE",
            "notice_ends_tick": at + NOTICE,
            "vote_ends_tick": at + NOTICE + VOTING,
        }
    ]
    vote = Vote(law_id=law.id, choice="YES")
    while world.tick < at + NOTICE - 1:
        assert said(world, owner, vote) == "E_BLOCKED"
    assert law.status == "NOTICE"
    assert said(world, owner, vote) == "E_BLOCKED", "voting begins behind the acts of this tick"
    assert law.status == "VOTING"
    assert said(world, owner, vote) == "ok"
    wait(world, VOTING - 2)
    assert (law.status, claim.market_tax) == ("VOTING", 0)
    wait(world)
    assert (law.status, claim.market_tax) == ("ACTIVE", 100_000)
    assert local_rules(world, far)["tax"] == {"market": 0}
    assert local_rules(world, owner)["tax"] == {"market": 0.1}
    assert laws_heard(far) == [
        (at, "PROPOSED", "NOTICE"),
        (at + NOTICE, "VOTING", "VOTING"),
        (at + NOTICE + VOTING, "ACTIVE", "ACTIVE"),
    ]
    assert said(world, owner, vote) == "E_BLOCKED"
    check_books(world)


def test_by_default_a_law_is_notice_for_half_a_day_and_voted_on_for_another() -> None:
    world, claim, owner, _ = a_town(law_notice_ticks=3000, law_vote_ticks=3000)
    assert Tuning() == Tuning(law_notice_ticks=3000, law_vote_ticks=3000)
    law = a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    began = world.tick
    assert (law.notice_ends_tick, law.vote_ends_tick) == (began + 3000, began + 6000)
    wait(world, 2999)
    assert law.status == "NOTICE"
    wait(world)
    assert law.status == "VOTING"
    assert said(world, owner, Vote(law_id=law.id, choice="YES")) == "ok"
    wait(world, 2998)
    assert (world.tick, law.status) == (began + 5999, "VOTING")
    wait(world)
    assert (law.status, claim.market_tax) == ("ACTIVE", 100_000)


def test_a_vote_in_the_last_tick_counts() -> None:
    world, claim, owner, _ = a_town()
    law = a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    wait(world, law.vote_ends_tick - world.tick - 1)
    assert said(world, owner, Vote(law_id=law.id, choice="YES")) == "ok"
    assert law.status == "ACTIVE"


@pytest.mark.parametrize(
    ("votes", "status"),
    [
        ("", "REJECTED"),
        ("Y", "ACTIVE"),
        ("N", "REJECTED"),
        ("A", "REJECTED"),
        ("YA", "ACTIVE"),
        ("YN", "REJECTED"),
        ("YYN", "ACTIVE"),
        ("AAAY", "ACTIVE"),
        ("NNYY", "REJECTED"),
    ],
)
def test_more_yes_than_no(votes: str, status: str) -> None:
    world, claim, owner, others = a_town(3)
    law = a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    wait(world, NOTICE)
    for agent, letter in zip([owner, *others], votes, strict=False):
        choice = {"Y": "yes", "N": "no", "A": "Abstain"}[letter]
        assert said(world, agent, Vote(law_id=law.id, choice=choice)) == "ok"
    wait(world, law.vote_ends_tick - world.tick)
    assert law.status == status
    assert claim.market_tax == (100_000 if status == "ACTIVE" else 0)


@pytest.mark.parametrize(
    ("share", "members", "needed"),
    [
        (0.25, 1, 1),
        (0.25, 4, 1),
        (0.25, 5, 2),
        (0.25, 9, 3),
        (0.0, 50, 1),
        (1.0, 7, 7),
        (0.1, 10, 1),
        (0.1, 11, 2),
    ],
)
def test_the_quorum_is_a_share_rounded_up_and_one_at_least(
    share: float, members: int, needed: int
) -> None:
    assert quorum(a_society(law_quorum=share), members) == needed


def test_too_few_votes_reject() -> None:
    world, claim, owner, others = a_town(4)
    law = a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    wait(world, NOTICE)
    said(world, owner, Vote(law_id=law.id, choice="YES"))
    wait(world, VOTING)
    assert law.status == "REJECTED"
    assert events(others[0], "LAW")[-1]["message"] == "1 of 5 members voted, 2 are needed"


def test_the_turnout_of_a_decided_law_does_not_change_when_somebody_joins_later() -> None:
    world, claim, owner, others = a_town(3)
    law = a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    wait(world, NOTICE)
    for voter in (owner, *others[:2]):
        assert said(world, voter, Vote(law_id=law.id, choice="YES")) == "ok"
    ask(world, owner, RemoveMember(land_id=claim.id, member_id=others[1].id))
    wait(world, law.vote_ends_tick - world.tick)
    before = shown_law(world, law)
    assert (before.voted, before.members, before.quorum) == (2, 3, 1)
    for number in range(5):
        add_member(world, owner, claim, put_agent(world, 5, number))
    assert shown_law(world, law) == before


def test_a_vote_can_be_changed() -> None:
    world, claim, owner, _ = a_town()
    law = a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    wait(world, NOTICE)
    ask(world, owner, Vote(law_id=law.id, choice="YES"), Vote(law_id=law.id, choice="NO"))
    assert law.votes == {owner.id: "NO"}


@pytest.mark.parametrize(
    ("word", "choice"),
    [(word, "YES") for word in ("yes", "Y", "1", "true", " YES ")]
    + [(word, "NO") for word in ("no", "n", "0", "FALSE")]
    + [("abstain", "ABSTAIN")],
)
def test_choices_have_many_names(word: str, choice: str) -> None:
    world, claim, owner, _ = a_town()
    law = a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    wait(world, NOTICE)
    assert said(world, owner, Vote(law_id=law.id, choice=word)) == "ok"
    assert law.votes == {owner.id: choice}


def test_votes_are_checked_in_order() -> None:
    world, claim, owner, _ = a_town()
    stranger = put_agent(world, 4, 4)
    assert said(world, owner, Vote(choice="YES")) == "E_BAD_REQUEST"
    assert said(world, owner, Vote(law_id="LAW000001")) == "E_BAD_REQUEST"
    assert said(world, owner, Vote(law_id="LAW000001", choice="YES")) == "E_INVALID_TARGET"
    law = a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    assert said(world, stranger, Vote(law_id=law.id, choice="YES")) == "E_BLOCKED"
    wait(world, NOTICE)
    assert said(world, stranger, Vote(law_id=law.id, choice="what")) == "E_NO_PERMISSION"
    assert said(world, owner, Vote(law_id=law.id, choice="what")) == "E_BAD_REQUEST"
    assert law.votes == {}


def test_who_is_no_member_any_more_has_no_vote() -> None:
    world, claim, owner, others = a_town(3)
    law = a_law(world, others[0], claim, "MARKET_TAX", market_tax=0.2)
    wait(world, NOTICE)
    step(world, [act(agent, world, Vote(law_id=law.id, choice="YES")) for agent in others])
    removals = [RemoveMember(land_id=claim.id, member_id=agent.id) for agent in others]
    ask(world, owner, Vote(law_id=law.id, choice="NO"), *removals)
    wait(world, law.vote_ends_tick - world.tick)
    assert law.status == "REJECTED"


def test_an_org_that_is_dissolved_leaves_its_law_to_the_heir() -> None:
    world, claim, owner, _ = a_town()
    friend = put_agent(world, 4, 4)
    org = an_org(world, owner, friend)
    ask(world, owner, DeedLand(land_id=claim.id, new_owner=org.id))
    law = a_law(world, friend, claim, "MARKET_TAX", market_tax=0.2)
    wait(world, NOTICE)
    ask(world, owner, Vote(law_id=law.id, choice="NO"), LeaveOrg())
    ask(world, friend, Vote(law_id=law.id, choice="YES"), LeaveOrg())
    assert org.id not in world.orgs
    wait(world, law.vote_ends_tick - world.tick)
    assert (law.status, claim.owner, claim.market_tax) == ("ACTIVE", friend.id, 200_000)


def test_a_land_that_ends_mid_law_takes_it_along() -> None:
    world, claim, owner, _ = a_town()
    a_law(world, owner, claim, "MARKET_TAX", market_tax=0.2)
    assert outcome(world, owner, actions.Mine(block_pos=(0, STAND, 0))) == "ok"
    wait(world, NOTICE + VOTING + 2)
    assert not len(world.laws)
    check_books(world)


# Proposing


def test_proposals_are_checked_in_order() -> None:
    world, claim, owner, _ = a_town()
    stranger = put_agent(world, 4, 4)

    def code(agent: Agent = owner, **fields: Any) -> str:
        before = world.laws.digest(), world.counters.law
        answer = said(world, agent, ProposeLaw(**{"land_id": claim.id, **TAX, **fields}))
        assert answer == "ok" or before == (world.laws.digest(), world.counters.law)
        return answer

    assert code(land_id=None) == "E_BAD_REQUEST"
    assert code(template_id="") == "E_BAD_REQUEST"
    assert code(land_id="LAND_A9_001", template_id="NONE") == "E_INVALID_TARGET"
    assert code(stranger, template_id="NONE") == "E_NO_PERMISSION"
    assert code(template_id="NO_SUCH", params=None) == "E_INVALID_TARGET"
    assert code(params=None) == "E_BAD_REQUEST"
    assert code(params={}) == "E_BAD_REQUEST"
    assert code(title="é" * 41) == "E_BAD_REQUEST"
    assert code(title="é" * 40) == "ok"
    assert code() == "ok"


BAD = [
    ("MARKET_TAX", {"market_tax": "0.1"}),
    ("MARKET_TAX", {"market_tax": True}),
    ("MARKET_TAX", {"market_tax": None}),
    ("MARKET_TAX", {"tax": 0.1}),
    ("CURFEW_NO_BUILD", {"start_time": 0.1}),
    ("CURFEW_NO_BUILD", {"start_time": 0.1, "end_time": [0.2]}),
    ("FINE_BREAK_PER_BLOCK", {"fine_item": "GOLD", "fine_per_block": 1}),
    ("FINE_BREAK_PER_BLOCK", {"fine_item": "COAL", "fine_per_block": 1.5}),
    ("FINE_BREAK_PER_BLOCK", {"fine_item": 7, "fine_per_block": 1}),
    ("FINE_BREAK_PER_BLOCK", {"fine_per_block": 1}),
    ("ACCESS_PASS_CORE", {"ticket_item": "COAL"}),
    ("ACCESS_PASS_CORE", {"ticket_item": ["COAL"], "ticket_cost": 1}),
    ("ACCESS_PASS_CORE", {"ticket_item": "COAL", "ticket_cost": "1"}),
]


@pytest.mark.parametrize(("template", "params"), BAD)
def test_bad_params(template: str, params: dict[str, Any]) -> None:
    world, claim, owner, _ = a_town()
    wish = ProposeLaw(land_id=claim.id, template_id=template, params=params)
    assert said(world, owner, wish) == "E_BAD_REQUEST"
    assert not len(world.laws)


CLAMPED = [
    ("MARKET_TAX", {"market_tax": 0.9}, "market_tax", 250_000),
    ("MARKET_TAX", {"market_tax": -1}, "market_tax", 0),
    ("MARKET_TAX", {"market_tax": 0.1234567}, "market_tax", 123_457),
    ("CURFEW_NO_BUILD", {"start_time": -0.5, "end_time": 7}, "curfew", Curfew(0, 1_000_000)),
    (
        "FINE_BREAK_PER_BLOCK",
        {"fine_item": "COAL", "fine_per_block": 1e300},
        "fine",
        Price("COAL", 100),
    ),
    (
        "FINE_BREAK_PER_BLOCK",
        {"fine_item": "COAL", "fine_per_block": 3.0},
        "fine",
        Price("COAL", 3),
    ),
    (
        "ACCESS_PASS_CORE",
        {"ticket_item": "COAL", "ticket_cost": 10**30},
        "ticket",
        Price("COAL", 64),
    ),
]


@pytest.mark.parametrize(("template", "params", "field", "value"), CLAMPED)
def test_params_are_clamped(
    template: str, params: dict[str, Any], field: str, value: object
) -> None:
    world, claim, owner, _ = a_town()
    pass_law(world, owner, claim, template, **params)
    assert getattr(claim, field) == value
    check_books(world)


REPEALS = [
    ("MARKET_TAX", {"market_tax": 0.2}, {"market_tax": 0}, "market_tax", 0),
    (
        "CURFEW_NO_BUILD",
        {"start_time": 0, "end_time": 0.1},
        {"start_time": 0.3, "end_time": 0.3},
        "curfew",
        None,
    ),
    (
        "FINE_BREAK_PER_BLOCK",
        {"fine_item": "COAL", "fine_per_block": 2},
        {"fine_item": "COAL", "fine_per_block": 0},
        "fine",
        None,
    ),
    (
        "ACCESS_PASS_CORE",
        {"ticket_item": "COAL", "ticket_cost": 2},
        {"ticket_item": "STONE", "ticket_cost": 0},
        "ticket",
        None,
    ),
]


@pytest.mark.parametrize(("template", "on", "off", "field", "value"), REPEALS)
def test_the_off_value_repeals(
    template: str, on: dict[str, Any], off: dict[str, Any], field: str, value: object
) -> None:
    world, claim, owner, _ = a_town()
    pass_law(world, owner, claim, template, **on)
    assert getattr(claim, field) != value
    pass_law(world, owner, claim, template, **off)
    assert getattr(claim, field) == value


def test_a_later_law_replaces_an_earlier_one() -> None:
    world, claim, owner, _ = a_town()
    pass_law(world, owner, claim, "MARKET_TAX", market_tax=0.2)
    pass_law(world, owner, claim, "MARKET_TAX", market_tax=0.05)
    assert claim.market_tax == 50_000


def test_few_laws_are_under_way_and_few_are_remembered() -> None:
    world, claim, owner, _ = a_town()
    for _ in range(MAX_UNDECIDED):
        a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    assert said(world, owner, ProposeLaw(land_id=claim.id, **TAX)) == "E_CONFLICT"
    wait(world, NOTICE + VOTING)
    for _ in range(MAX_DECIDED):
        a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
        wait(world, NOTICE + VOTING)
    assert len(world.laws) == MAX_DECIDED
    assert "LAW000001" not in world.laws
    check_books(world)


def test_a_loaded_world_goes_on_with_its_laws() -> None:
    world, claim, owner, _ = a_town()
    law = a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    fresh = check_books(world)
    for one in (world, fresh):
        wait(one, NOTICE)
        said(one, one.agents[owner.number], Vote(law_id=law.id, choice="YES"))
        wait(one, VOTING)
    assert fresh.claims[claim.id].market_tax == 100_000
    assert fresh.digest() == world.digest()


# Curfew


@settings(max_examples=60)
@given(start=st.integers(0, 24), end=st.integers(0, 24), now=st.integers(0, 23))
def test_a_curfew_holds_between_its_ends_also_over_midnight(start: int, end: int, now: int) -> None:
    world, claim, owner, _ = a_town(day_ticks=24, season_length_ticks=24)
    wish = {"start_time": start / 24, "end_time": end / 24}
    pass_law(world, owner, claim, "CURFEW_NO_BUILD", **wish)
    wait(world, (now - world.tick) % 24)
    within = start <= now <= end if start <= end else not end < now < start
    expected = within and start != end
    assert local_rules(world, owner)["permissions"]["can_build"] == (not expected)
    assert local_rules(world, owner)["permissions"]["can_break"] == (not expected)


def test_a_curfew_binds_the_owner_as_long_as_it_lasts() -> None:
    world, claim, owner, _ = a_town(day_ticks=100, season_length_ticks=100)
    pass_law(world, owner, claim, "CURFEW_NO_BUILD", start_time=0.5, end_time=0.8)
    owner.give("PLANK", 3)
    place, mine = (
        actions.Place(block_pos=(1, STAND, 2), item_id="PLANK"),
        actions.Mine(block_pos=(1, 22, 1)),
    )
    wait(world, 49 - world.tick)
    for tick, allowed in ((50, False), (80, False), (81, True), (149, True), (150, False)):
        wait(world, tick - 1 - world.tick)
        carried = owner.have("PLANK")
        assert outcome(world, owner, place) == ("ok" if allowed else "E_NO_PERMISSION"), tick
        assert owner.have("PLANK") == carried - allowed, "what was denied was not spent"
        put(world, (1, STAND, 2), "AIR")
    assert outcome(world, owner, mine) == "E_NO_PERMISSION"
    assert owner.reputation["law"] == 500 - 4
    assert not events(owner, "FINE")


def test_laws_are_reported_as_deeds(monkeypatch: pytest.MonkeyPatch) -> None:
    world, claim, owner, _ = a_town()
    reported: list[str] = []
    monkeypatch.setattr(deeds, "proposed", lambda world, law: reported.append(f"proposed {law.id}"))
    monkeypatch.setattr(
        deeds, "voted", lambda world, agent, law: reported.append(f"{agent.id} voted")
    )
    monkeypatch.setattr(deeds, "adopted", lambda world, law: reported.append(f"adopted {law.id}"))
    pass_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    assert reported == ["proposed LAW000001", "A1 voted", "adopted LAW000001"]
