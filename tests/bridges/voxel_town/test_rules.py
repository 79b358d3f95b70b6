"""What each command does in the world, when it is refused, and which meter it moves."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.bridges.voxel_town.settled import (
    DAY,
    FIRST,
    QUIET,
    SECOND,
    a_settled_world,
    ask_for,
    hand,
    place,
    propose,
    snapshot_of,
    town_of,
    wait,
)
from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.society.civic import ask, said
from thorp.bridges.voxel_town import commands, orders, records, snapshot_text, town_snapshot, works
from thorp.bridges.voxel_town.territory import domain_of
from thorp.protocol import actions
from thorp.simulator.totals import count_everything
from thorp.town import validate_result, validate_snapshot
from thorp.town.testing import handoff_for
from thorp.voxel.state.records import WorldEvent
from thorp.voxel.state.world import World, block_id
from thorp.voxel.tick import step

TERMINAL = (3, STAND, 0)
TERMINAL_ID = block_id("CONTRACT_TERMINAL", TERMINAL)
CHEST = (-3, STAND, 0)


@pytest.fixture
def world() -> World:
    return a_settled_world()


def executed(world: World, action: str, target: str, **members: Any) -> dict[str, Any]:
    result = propose(world, action, target, **members)
    validate_result(result)
    assert result["reasonCode"] == "EXECUTED", result["evaluation"]
    return result


def refused(world: World, action: str, target: str) -> str:
    """The rule that does not allow it, whatever the handoff guards."""
    before = count_everything(world), snapshot_of(world), town_of(world)
    result = propose(world, action, target, preconditions=[])
    assert (result["status"], result["reasonCode"]) == ("rejected", "RULE_REFUSED")
    assert (count_everything(world), snapshot_of(world), town_of(world)) == before
    (failure,) = result["evaluation"]["preconditions"]["failures"]
    assert len(failure["detail"]) > 10
    return str(failure["kind"])


def take(world: World, number: int, contract: str) -> None:
    wish = actions.AcceptContract(terminal_id=TERMINAL_ID, contract_id=contract)
    assert said(world, world.agents[number], wish) == "ok"


def bring(world: World, number: int, item: str, count: int) -> None:
    wish = actions.Transfer(
        src_container="SELF", dst_container=TERMINAL_ID, item_id=item, count=count
    )
    ask(world, world.agents[number], wish)
    wait(world)


def treasury(world: World) -> dict[str, int]:
    return world.orgs[FIRST].treasury


def pressure(world: World) -> dict[str, float]:
    level: dict[str, float] = snapshot_of(world)["pressure"]
    return level


# MAYOR_ACCEPT_MISSION


def test_a_contract_becomes_the_mission_and_gets_a_bonus(world: World) -> None:
    hope, planks = pressure(world)["hope"], treasury(world)["PLANK"]
    executed(world, "MAYOR_ACCEPT_MISSION", "C000001")
    contract, seen = world.contracts["C000001"], snapshot_of(world)
    assert (contract.backer, contract.bonus) == (FIRST, {"PLANK": 4})
    assert treasury(world)["PLANK"] == planks - 4
    assert seen["mission"] == {
        "id": "C000001",
        "title": "Gather 5 stone for 6 planks",
        "description": "test3 (A3) asks for it; the treasury adds 4 planks.",
        "reward": 10,
    }
    assert seen["sideQuests"] == [], "it is no side quest any more"
    assert pressure(world)["hope"] > hope


def test_who_fulfils_the_mission_is_paid_and_the_town_is_glad(world: World) -> None:
    executed(world, "MAYOR_ACCEPT_MISSION", "C000001")
    world.agents[2].give("STONE", 5)
    take(world, 2, "C000001")
    bring(world, 2, "STONE", 5)
    assert world.contracts["C000001"].state == "COMPLETED"
    assert world.agents[2].have("PLANK") == 10 + 6 + 4
    assert town_of(world).mission is None
    assert town_of(world).successes == [0]
    assert snapshot_of(world)["mission"] is None, "governors see it at once"
    wait(world, DAY - world.tick)
    assert snapshot_of(world)["mission"] is None


def test_a_mission_that_nobody_fulfils_fails_and_the_bonus_comes_back(world: World) -> None:
    before = dict(treasury(world))
    contract = ask_for(world, "A3", TERMINAL, {"COAL": 1}, {"PLANK": 1})
    contract.deadline_tick = world.tick + 3
    world.derived.index = None
    step(world, [])
    executed(world, "MAYOR_ACCEPT_MISSION", contract.id)
    wait(world, 3)
    town = town_of(world)
    assert (contract.state, town.mission, town.failures) == ("FAILED", None, [0])
    assert treasury(world) == before


def test_what_a_mission_may_not_be(world: World) -> None:
    assert refused(world, "MAYOR_ACCEPT_MISSION", "C999999") == "quest_unknown"
    assert refused(world, "MAYOR_ACCEPT_MISSION", "C000002") == "quest_unknown", "of the other city"
    treasury(world).clear()
    treasury(world).update({"IRON_INGOT": 3, "COAL": 3})
    assert refused(world, "MAYOR_ACCEPT_MISSION", "C000001") == "treasury_empty", (
        "upkeep is kept back"
    )
    treasury(world)["PLANK"] = 4
    executed(world, "MAYOR_ACCEPT_MISSION", "C000001")
    assert refused(world, "MAYOR_ACCEPT_MISSION", "C000001") == "mission_active"


def an_event(world: World, name: str = "RUINS_GATE", x: int = 30) -> str:
    """Let an event be going on near the first city."""
    world.director.event = WorldEvent(name, world.tick, world.tick + 50, (x, STAND, 0), 24)
    return f"D{world.tick:09d}"


def test_an_event_can_be_the_mission_and_has_a_prize(world: World) -> None:
    offer = an_event(world)
    wait(world)
    executed(world, "MAYOR_ACCEPT_MISSION", offer)
    assert snapshot_of(world)["mission"]["title"] == "Gate to the ruins: take part"
    before = dict(treasury(world))
    _reach_goal(world, 3)
    assert town_of(world).mission is not None, "a stranger"
    _reach_goal(world, 2)
    assert (town_of(world).mission, town_of(world).successes) == (None, [0])
    assert treasury(world)["PLANK"] == before["PLANK"] - 4
    assert world.agents[2].have("PLANK") == 14


def _reach_goal(world: World, number: int) -> None:
    """A tick in which an agent opens the chest of the ruins."""
    event = world.director.event
    assert event is not None
    assert event.center is not None
    place(world, event.center, "CHEST")
    world.relocate(world.agents[number], (event.center[0] - 1, STAND, 0))
    ask(world, world.agents[number], actions.Open(target_id=block_id("CHEST", event.center)))


def test_an_event_that_ends_unvisited_is_a_mission_failed(world: World) -> None:
    offer = an_event(world)
    wait(world)
    executed(world, "MAYOR_ACCEPT_MISSION", offer)
    wait(world, 60)
    assert (town_of(world).mission, town_of(world).failures) == (None, [0])


def test_events_are_offered_where_they_reach_the_land(world: World) -> None:
    offer = an_event(world, x=40)
    wait(world)
    domain = domain_of(world, FIRST)
    assert domain is not None
    wait(world, DAY - world.tick)
    ids = [quest["id"] for quest in snapshot_of(world, SECOND)["sideQuests"]]
    assert offer not in ids


def test_the_first_hundred_are_shown_and_any_can_be_taken_up(world: World) -> None:
    asked = []
    for number in range(10):
        terminal = (5 + number, STAND, 5)
        place(world, terminal, "CONTRACT_TERMINAL")
        stranger = put_agent(world, 5 + number, 1, PLANK=12)
        asked += [
            ask_for(world, stranger.id, terminal, {"STONE": 5}, {"PLANK": 1}) for _ in range(12)
        ]
    wait(world, DAY - world.tick + 1)
    snapshot = snapshot_of(world)
    validate_snapshot(snapshot)
    ids = [quest["id"] for quest in snapshot["sideQuests"]]
    assert ids == sorted(["C000001", *(contract.id for contract in asked)])[:100]
    executed(world, "MAYOR_ACCEPT_MISSION", asked[-1].id)


def test_a_snapshot_is_written_as_the_contract_writes_it(world: World) -> None:
    executed(world, "MAYOR_ACCEPT_MISSION", "C000001")
    ask_for(world, world.agents[3].id, TERMINAL, {"STONE": 5}, {"PLANK": 1})
    wait(world, DAY - world.tick + 1)
    snapshot: Any = town_snapshot(world, FIRST)
    assert snapshot == snapshot_of(world)
    assert list(snapshot) == [
        *("schemaVersion", "day", "townId", "mission", "sideQuests", "pressure", "projects"),
        "latestNetherEvent",
    ]
    assert list(snapshot["mission"]) == ["id", "title", "description", "reward"]
    assert list(snapshot["sideQuests"][0]) == ["id", "title", "complexity"]
    assert list(snapshot["pressure"]) == ["threat", "scarcity", "hope", "dread"]
    assert list(snapshot["projects"][0]) == ["id", "name", "progress", "status"]
    assert town_snapshot(world, "ORG000009") is None


# PROJECT_ADVANCE


def test_a_project_is_ordered_built_and_paid(world: World) -> None:
    threat, planks = pressure(world)["threat"], treasury(world)["PLANK"]
    (project,) = snapshot_of(world)["projects"]
    assert (project["id"], project["progress"], project["status"]) == ("W000001", 0, "planning")
    result = executed(world, "PROJECT_ADVANCE", "W000001")
    (contract,) = [one for one in world.contracts if one.poster == FIRST]
    assert result["worldState"]["contractId"] == contract.id
    work = town_of(world).works[0]
    assert (contract.kind, contract.blueprint_id, contract.anchor) == (
        "BUILD",
        work.blueprint,
        work.anchor,
    )
    assert contract.reward == {"PLANK": 4 + 10 // 2}
    assert treasury(world)["PLANK"] == planks - 9
    assert snapshot_of(world)["projects"][0]["status"] == "blocked", "its order is out"
    ordered = pressure(world)["threat"]
    assert ordered < threat
    builder = world.agents[2]
    builder.give("STONE", 10)
    take(world, 2, contract.id)
    wish = actions.BuildBlueprint(
        blueprint_id=work.blueprint, anchor=work.anchor, rotation=work.rotation
    )
    ask(world, builder, wish)
    wait(world, 10)
    assert contract.state == "COMPLETED"
    assert builder.have("PLANK") == 10 + 9
    assert (town_of(world).orders, town_of(world).successes) == ([], [0])
    (first,) = snapshot_of(world)["projects"]
    assert (first["progress"], first["status"]) == (1, "complete"), "governors see it at once"
    wait(world, DAY - world.tick)
    first, second = snapshot_of(world)["projects"]
    assert (first["progress"], first["status"]) == (1, "complete")
    assert (second["id"], second["status"]) == ("W000002", "planning")
    assert pressure(world)["threat"] < ordered, "what stands counts more than what is ordered"
    assert refused(world, "PROJECT_ADVANCE", "W000001") == "project_complete"


def test_a_work_that_somebody_builds_unasked_is_seen_at_once(world: World) -> None:
    work = town_of(world).works[0]
    builder = world.agents[2]
    builder.give("STONE", 10)
    wish = actions.BuildBlueprint(
        blueprint_id=work.blueprint, anchor=work.anchor, rotation=work.rotation
    )
    ask(world, builder, wish)
    wait(world, 10)
    assert snapshot_of(world)["projects"][0]["status"] == "complete"
    assert "contractId" not in executed(world, "TOWNSFOLK_TALK", "casual")["worldState"]


def test_progress_is_what_stands(world: World) -> None:
    work = town_of(world).works[0]
    cells = list(works.plan(world, work))
    for cell in cells[:3]:
        place(world, cell, "STONE")
    wait(world, DAY)
    (project, _) = snapshot_of(world)["projects"]
    assert (project["progress"], project["status"]) == (0.3, "active")
    place(world, cells[0], "AIR")
    place(world, cells[9], "BRICK")
    wait(world, DAY)
    project = snapshot_of(world)["projects"][0]
    assert (project["progress"], project["status"]) == (0.2, "blocked"), (
        "something else is in its place"
    )
    assert refused(world, "PROJECT_ADVANCE", "W000001") == "project_blocked"


def test_what_a_project_may_not_be(world: World) -> None:
    assert refused(world, "PROJECT_ADVANCE", "W000009") == "project_unknown"
    executed(world, "PROJECT_ADVANCE", "W000001")
    assert refused(world, "PROJECT_ADVANCE", "W000001") == "project_blocked"


def test_without_a_terminal_nothing_is_ordered(world: World) -> None:
    place(world, TERMINAL, "AIR")
    wait(world)
    assert refused(world, "PROJECT_ADVANCE", "W000001") == "no_terminal"
    assert refused(world, "SALVAGE_PLAN", "scarcity") == "no_terminal"
    executed(world, "TOWNSFOLK_TALK", "casual")


# SALVAGE_PLAN


@pytest.mark.parametrize(
    ("focus", "item", "meter"),
    [
        ("scarcity", "BERRIES", "scarcity"),
        ("dread", "COAL", "dread"),
        ("general", "STONE", "scarcity"),
    ],
)
def test_salvage_orders_what_the_focus_is_about(
    world: World, focus: str, item: str, meter: str
) -> None:
    treasury(world).clear()
    treasury(world).update({"PLANK": 12, "COAL": 6, "IRON_INGOT": 9})
    wait(world, DAY)
    before = pressure(world)[meter]
    executed(world, "SALVAGE_PLAN", focus)
    ordered = pressure(world)[meter]
    assert ordered < before
    (contract,) = [one for one in world.contracts if one.poster == FIRST]
    assert (contract.kind, contract.requirements) == ("GATHER", {item: 3})
    held = treasury(world).get(item, 0)
    world.agents[2].give(item, 3)
    take(world, 2, contract.id)
    bring(world, 2, item, 3)
    assert treasury(world)[item] == held + 3
    treasury(world)["COAL"] += 1  # the upkeep of the second day
    wait(world, 2 * DAY - world.tick)
    assert pressure(world)[meter] < ordered, "delivered counts more than ordered"


def test_what_is_on_order_or_in_store_is_not_ordered_again(world: World) -> None:
    for _ in range(2):
        executed(world, "SALVAGE_PLAN", "scarcity")
    goods = [one.requirements for one in world.contracts if one.poster == FIRST]
    assert goods == [{"BERRIES": 3}, {"BREAD": 3}], "stone there is enough, in the treasury"
    assert refused(world, "SALVAGE_PLAN", "scarcity") == "enough"
    assert refused(world, "SALVAGE_PLAN", "dread") == "enough", "coal too"


def test_an_empty_treasury_orders_nothing(world: World) -> None:
    treasury(world).clear()
    assert refused(world, "SALVAGE_PLAN", "scarcity") == "treasury_empty"
    assert refused(world, "PROJECT_ADVANCE", "W000001") == "treasury_empty"


def test_so_many_orders_at_a_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "MAX_ORDERS", 1)
    executed(world, "SALVAGE_PLAN", "scarcity")
    assert refused(world, "PROJECT_ADVANCE", "W000001") == "orders_full"


def test_an_order_that_nobody_takes_comes_back(world: World) -> None:
    before = dict(treasury(world))
    executed(world, "SALVAGE_PLAN", "scarcity")
    for _ in range(3):
        treasury(world)["IRON_INGOT"] = before["IRON_INGOT"]
        treasury(world)["COAL"] = before["COAL"]
        wait(world, DAY)
    assert town_of(world).orders == []
    assert treasury(world)["PLANK"] == before["PLANK"]


# TOWNSFOLK_TALK


def test_talking_is_posted_and_cheers_people_up(world: World) -> None:
    place(world, (5, STAND, 5), "BULLETIN_BOARD")
    before = pressure(world)
    executed(world, "TOWNSFOLK_TALK", "casual")
    after = pressure(world)
    assert after["hope"] > before["hope"]
    assert after["dread"] < before["dread"]
    (post,) = world.notices[block_id("BULLETIN_BOARD", (5, STAND, 5))].posts
    assert (post.author, post.title) == (FIRST, "News from the square")


def test_without_a_board_the_town_has_one_that_is_everywhere(world: World) -> None:
    executed(world, "TOWNSFOLK_TALK", "morale-boost")
    assert [post.title for post in world.notices[FIRST].posts] == ["A word from the council"]


def test_hungry_members_who_are_there_get_a_meal(world: World) -> None:
    leader, member, stranger = (world.agents[number] for number in (1, 2, 3))
    for agent in (leader, member, stranger, world.agents[4]):
        agent.hunger = 8
    leader.hunger = 18
    treasury(world)["BREAD"] = 3
    executed(world, "TOWNSFOLK_TALK", "morale-boost")
    assert (leader.have("BREAD"), member.have("BREAD"), stranger.have("BREAD")) == (0, 1, 0)
    assert treasury(world)["BREAD"] == 2
    (told,) = events(member, "MEAL")
    assert (told["org_id"], told["item"]) == (FIRST, "BREAD")
    assert world.agents[4].have("BREAD") == 0, "of the other city"


def test_the_second_word_of_a_day_does_less_and_fades(world: World) -> None:
    gains = []
    for _ in range(3):
        hope = pressure(world)["hope"]
        executed(world, "TOWNSFOLK_TALK", "morale-boost")
        gains.append(pressure(world)["hope"] - hope)
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > gains[2]
    cheer = town_of(world).cheer
    wait(world, DAY - world.tick)
    assert (town_of(world).cheer, town_of(world).talks) == (cheer // 2, 0)


# What all commands have in common


def test_a_day_has_so_many_commands(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "COMMANDS_A_DAY", 2)
    for _ in range(2):
        executed(world, "TOWNSFOLK_TALK", "casual")
    assert refused(world, "TOWNSFOLK_TALK", "casual") == "commands_spent"
    wait(world, DAY - world.tick)
    executed(world, "TOWNSFOLK_TALK", "casual")


def test_receipts_last_their_time_and_no_key_is_opened_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "RECEIPT_DAYS", 2)
    handoff = handoff_for(snapshot_of(world))
    assert hand(world, handoff)["status"] == "executed"
    for day in range(4):
        result = hand(world, handoff)
        if day < 2:
            assert (result["status"], result["reasonCode"]) == ("duplicate", "DUPLICATE_HANDOFF"), (
                day
            )
        else:
            assert (result["status"], result["reasonCode"]) == ("stale", "STALE_DECISION_EPOCH"), (
                day
            )
        wait(world, DAY - world.tick % DAY)


def test_drift_makes_no_handoff_stale_and_preconditions_read_the_world(world: World) -> None:
    seen = snapshot_of(world)
    treasury(world)["PLANK"] += 7
    ask_for(world, "A3", TERMINAL, {"COAL": 1}, {"PLANK": 1})
    wait(world, 5)
    assert snapshot_of(world) == seen, "sealed"
    fresh = handoff_for(seen, "MAYOR_ACCEPT_MISSION", "C000003")
    assert hand(world, fresh)["reasonCode"] == "EXECUTED", (
        "it is open now, though the seal does not say so"
    )
    gone = handoff_for(
        snapshot_of(world), preconditions=[{"kind": "side_quest_exists", "targetId": "C000001"}]
    )
    take(world, 2, "C000001")
    result = hand(world, gone)
    assert result["reasonCode"] == "PRECONDITION_FAILED"


def test_dawn_makes_yesterdays_handoffs_stale(world: World) -> None:
    handoff = handoff_for(snapshot_of(world))
    wait(world, DAY)
    assert hand(world, handoff)["reasonCode"] == "STALE_DECISION_EPOCH"


def test_what_a_handoff_came_to_is_told_to_spectators(world: World) -> None:
    handoff = handoff_for(snapshot_of(world), actor="x" * 500)
    hand(world, handoff)
    (told,) = [one for one in world.scratch.public_events if one["kind"] == "TOWN_RESULT"]
    assert (told["town_id"], told["status"], told["reason"]) == (FIRST, "executed", "EXECUTED")
    assert told["command"] == "townsfolk talk ORG000001 casual"
    assert len(str(told["actor"])) == 120


# Towns come and go


def test_a_city_without_land_is_no_town(world: World) -> None:
    ask(world, world.agents[1], actions.Mine(block_pos=(0, STAND, 0)))
    wait(world, 60)
    assert not [claim for claim in world.claims if claim.owner == FIRST]
    assert snapshot_text(world, FIRST) is None
    assert snapshot_text(world, SECOND) is not None
    handoff = handoff_for(snapshot_of(world, SECOND) | {"townId": FIRST})
    assert hand(world, handoff)["reasonCode"] == "UNKNOWN_TOWN"


def test_a_guild_with_land_is_no_town(world: World) -> None:
    world.orgs[FIRST].kind = "GUILD"
    wait(world, DAY)
    assert snapshot_text(world, FIRST) is None


def test_land_that_is_deeded_makes_a_town_at_once(world: World) -> None:
    founder = world.agents[3]
    (made,) = ask(world, founder, actions.CreateOrg(org_kind="CITY", org_name="Newtown"))
    for item in ("BATTERY", "CRYSTAL_SHARD"):
        founder.give(item, 1)
    world.relocate(founder, (50, STAND, 1))
    (claimed,) = ask(world, founder, actions.ClaimLand(anchor=(50, STAND, 0), radius=8))
    assert snapshot_text(world, made["org_id"]) is None, "the land is an agent's yet"
    ask(world, founder, actions.DeedLand(land_id=claimed["land_id"], new_owner=made["org_id"]))
    seen = snapshot_of(world, made["org_id"])
    validate_snapshot(seen)
    assert (seen["townId"], seen["day"]) == (made["org_id"], 0)


def test_a_season_ends_towns_and_keeps_receipts() -> None:
    tuning = msgspec.structs.replace(QUIET, seasons=True, season_length_ticks=2 * DAY)
    world = a_settled_world(tuning)
    handoff = handoff_for(snapshot_of(world))
    hand(world, handoff)
    wait(world, 2 * DAY)
    assert world.season == 2
    assert snapshot_text(world, FIRST) is None
    assert hand(world, handoff)["status"] == "duplicate"
