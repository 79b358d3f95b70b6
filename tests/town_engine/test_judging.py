"""Every reason code, the order of the checks, and the answers' agreement with the contract."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.town_engine.worlds import TOWN, MemoryTown, handoff_for
from thorp.town import (
    build_handoff,
    build_result,
    built_in_profile,
    propose,
    snapshot_hash,
    validate_result,
)
from thorp.town.embedded import judgement
from thorp.town.embedded.judgement import judge
from thorp.town.embedded.town import BrokenTown, Mission
from thorp.town.handoff_judge import Receipt
from thorp.town.profile import ROLES

NOTHING = {"evaluated": False, "passed": False, "failures": []}
PASSED = {"evaluated": True, "passed": True, "failures": []}
NOT_COMPARED = {
    "evaluated": False,
    "passed": False,
    "actualSnapshotHash": None,
    "actualDecisionEpoch": None,
}
FIRST = {"evaluated": True, "duplicate": False, "duplicateOf": None}


def check_against_the_contract(handoff: Any, result: Any) -> None:
    """The answer is valid, and is what `build_result` makes of its own outcome."""
    validate_result(result)
    outcome = {**result, **result["evaluation"]}
    assert build_result(handoff, outcome) == result
    assert list(build_result(handoff, outcome)) == list(result)


def executed(world: MemoryTown, handoff: Any) -> Any:
    result = world.execute(handoff)
    check_against_the_contract(handoff, result)
    return result


@pytest.fixture
def world() -> MemoryTown:
    return MemoryTown()


def test_executed(world: MemoryTown) -> None:
    before = world.snapshot()
    result = executed(world, handoff_for(before))
    after = world.snapshot()
    assert (result["status"], result["reasonCode"]) == ("executed", "EXECUTED")
    assert result["evaluation"]["preconditions"] == PASSED
    assert result["evaluation"]["staleCheck"] == {
        "evaluated": True,
        "passed": True,
        "actualSnapshotHash": snapshot_hash(before),
        "actualDecisionEpoch": 0,
    }
    assert result["evaluation"]["duplicateCheck"] == FIRST
    assert result["worldState"] == {
        "postExecutionSnapshotHash": snapshot_hash(after),
        "postExecutionDecisionEpoch": 0,
    }
    assert snapshot_hash(after) != snapshot_hash(before)


def test_duplicate_names_the_prior_result_and_changes_nothing(world: MemoryTown) -> None:
    handoff = handoff_for(world.snapshot())
    first = executed(world, handoff)
    kept = world.kept
    for _ in range(2):
        again = executed(world, copy.deepcopy(handoff))
        assert (again["status"], again["reasonCode"]) == ("duplicate", "DUPLICATE_HANDOFF")
        assert again["evaluation"] == {
            "preconditions": NOTHING,
            "staleCheck": NOT_COMPARED,
            "duplicateCheck": {
                "evaluated": True,
                "duplicate": True,
                "duplicateOf": first["resultId"],
            },
        }
        assert "worldState" not in again
        assert world.kept == kept


@pytest.mark.parametrize("change", ["reason", "tags", "guards", "extra"])
def test_a_used_key_with_other_content_is_a_conflict(world: MemoryTown, change: str) -> None:
    seen = world.snapshot()
    changes: dict[str, dict[str, Any]] = {
        "reason": {"reason": "another"},
        "tags": {"reasonTags": ["x"]},
        "guards": {"preconditions": []},
        "extra": {"note": 1},
    }
    executed(world, handoff_for(seen))
    kept = world.kept
    other = handoff_for(seen, **changes[change])
    result = executed(world, other)
    assert (result["status"], result["reasonCode"]) == ("rejected", "KEY_CONFLICT")
    assert result["evaluation"]["staleCheck"] == NOT_COMPARED
    assert world.kept == kept


def test_another_spelling_of_the_same_content_is_a_duplicate(world: MemoryTown) -> None:
    handoff = handoff_for(world.snapshot())
    executed(world, handoff)
    spelled = {name: handoff[name] for name in reversed(handoff)}
    spelled["decisionEpoch"] = 0.0
    assert world.execute(spelled)["status"] == "duplicate"


def test_stale_by_day_comes_before_stale_by_hash(world: MemoryTown) -> None:
    old = handoff_for(world.snapshot())
    world.order("set_pressure", meter="hope", level=123)
    result = executed(world, old)
    assert (result["status"], result["reasonCode"]) == ("stale", "STALE_SNAPSHOT_HASH")
    assert result["evaluation"]["staleCheck"] == {
        "evaluated": True,
        "passed": False,
        "actualSnapshotHash": snapshot_hash(world.snapshot()),
        "actualDecisionEpoch": 0,
    }
    assert result["evaluation"]["preconditions"] == NOTHING
    assert executed(world, old) == result, "stale is repeatable"
    world.dawn()
    assert executed(world, old)["reasonCode"] == "STALE_DECISION_EPOCH"


def test_a_refused_handoff_is_judged_afresh(world: MemoryTown) -> None:
    level = world.town.meters.hope
    handoff = handoff_for(world.snapshot())
    world.order("set_pressure", meter="hope", level=1)
    assert executed(world, handoff)["status"] == "stale"
    world.order("set_pressure", meter="hope", level=level)
    assert executed(world, handoff)["status"] == "executed"


def test_unknown_town(world: MemoryTown) -> None:
    handoff = handoff_for(world.snapshot())
    result = judge(handoff, "x", None, None).result
    check_against_the_contract(handoff, result)
    assert (result["status"], result["reasonCode"]) == ("rejected", "UNKNOWN_TOWN")
    assert result["evaluation"]["staleCheck"] == NOT_COMPARED


MISSION = Mission("m", "M", "", "hope", 1, 10, 0, 99)
FAILING_GUARDS: dict[str, tuple[Any, str]] = {
    "mission_absent": ({"kind": "mission_absent"}, "Mission is already active"),
    "side_quest_exists": (
        {"kind": "side_quest_exists", "targetId": "sq-99"},
        "Missing side quest: sq-99",
    ),
    "side quest unnamed": ({"kind": "side_quest_exists"}, "Missing side quest: undefined"),
    "project_exists": ({"kind": "project_exists", "targetId": "moat"}, "Missing project: moat"),
    "salvage_focus_supported": (
        {"kind": "salvage_focus_supported", "expected": "gold"},
        "Unsupported salvage focus: gold",
    ),
    "a focus that is no text": (
        {"kind": "salvage_focus_supported", "expected": 5},
        "Unsupported salvage focus: 5",
    ),
    "talk_type_supported": (
        {"kind": "talk_type_supported", "expected": None},
        "Unsupported talk type: null",
    ),
    "unknown": ({"kind": "moon_is_full"}, "Unsupported precondition kind"),
}


@pytest.mark.parametrize("case", FAILING_GUARDS)
def test_a_precondition_that_is_not_met(world: MemoryTown, case: str) -> None:
    guard, detail = FAILING_GUARDS[case]
    world.change(mission=MISSION)
    handoff = handoff_for(world.snapshot(), preconditions=[guard])
    kept = world.kept
    result = executed(world, handoff)
    assert (result["status"], result["reasonCode"]) == ("rejected", "PRECONDITION_FAILED")
    assert result["evaluation"]["preconditions"] == {
        "evaluated": True,
        "passed": False,
        "failures": [{"kind": guard["kind"], "detail": detail}],
    }
    assert result["evaluation"]["staleCheck"]["passed"]
    assert world.kept == kept


def test_all_failures_are_listed_in_order(world: MemoryTown) -> None:
    guards = [guard for guard, _ in FAILING_GUARDS.values()]
    world.change(mission=MISSION)
    result = executed(world, handoff_for(world.snapshot(), preconditions=guards))
    listed = [each["detail"] for each in result["evaluation"]["preconditions"]["failures"]]
    assert listed == [detail for _, detail in FAILING_GUARDS.values()]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("busy", [False, True], ids=["no mission", "mission"])
@pytest.mark.parametrize("level", [50, 450, 950])
def test_what_governors_propose_passes_in_the_state_they_saw(
    role: str, busy: bool, level: int
) -> None:
    """Role by state: the guards that come with a proposal are met when nothing has changed."""
    world = MemoryTown()
    if busy:
        world.change(mission=MISSION)
    for meter in ("threat", "scarcity", "hope", "dread"):
        world.order("set_pressure", meter=meter, level=level)
    handoff = build_handoff(propose(world.snapshot(), built_in_profile(role, TOWN)))
    assert executed(world, handoff)["reasonCode"] == "EXECUTED"


RULES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "mission_active": ("MAYOR_ACCEPT_MISSION", "sq-1", {"mission": MISSION}),
    "quest_unknown": ("MAYOR_ACCEPT_MISSION", "sq-99", {}),
    "project_unknown": ("PROJECT_ADVANCE", "moat-1", {}),
}


@pytest.mark.parametrize("rule", RULES)
def test_the_rules_hold_without_preconditions(world: MemoryTown, rule: str) -> None:
    action_type, target, members = RULES[rule]
    world.change(**members)
    kept = world.kept
    result = executed(world, handoff_for(world.snapshot(), action_type, target, preconditions=[]))
    assert (result["status"], result["reasonCode"]) == ("rejected", "RULE_REFUSED")
    guards = result["evaluation"]["preconditions"]
    assert (guards["passed"], guards["failures"][0]["kind"]) == (True, rule)
    assert world.kept == kept


def test_a_blocked_or_complete_project_cannot_be_advanced(world: MemoryTown) -> None:
    town = world.town
    town.stocks.iron = 0
    world.change(stocks=town.stocks)
    refused = executed(world, handoff_for(world.snapshot(), "PROJECT_ADVANCE", "wall-1"))
    assert refused["evaluation"]["preconditions"]["failures"][0]["kind"] == "project_blocked"
    town = world.town
    town.projects[0].step = town.projects[0].steps
    world.change(projects=town.projects)
    refused = executed(world, handoff_for(world.snapshot(), "PROJECT_ADVANCE", "wall-1"))
    assert refused["evaluation"]["preconditions"]["failures"][0]["kind"] == "project_complete"


@pytest.mark.parametrize("defect", [BrokenTown("a meter left its range"), ZeroDivisionError("oh")])
def test_a_failure_to_apply_uses_the_key_and_changes_nothing(
    world: MemoryTown, monkeypatch: pytest.MonkeyPatch, defect: Exception
) -> None:
    def fail(town: Any, action_type: str, target: str) -> Any:
        town.meters.hope = 0
        raise defect

    handoff = handoff_for(world.snapshot())
    kept = world.kept
    with monkeypatch.context() as patch:
        patch.setattr(judgement, "apply_action", fail)
        result = executed(world, handoff)
    assert (result["status"], result["reasonCode"]) == ("failed", "APPLY_FAILED")
    assert (result["accepted"], result["executed"], "worldState" in result) == (True, False, False)
    assert world.kept == kept
    again = executed(world, handoff)
    assert (again["status"], again["evaluation"]["duplicateCheck"]["duplicateOf"]) == (
        "duplicate",
        result["resultId"],
    )


def test_the_key_is_looked_at_before_the_state(world: MemoryTown) -> None:
    handoff = handoff_for(world.snapshot())
    prior = Receipt("other content", "result_x")
    assert judge(handoff, "this content", prior, world.kept).result["reasonCode"] == "KEY_CONFLICT"
    assert judge(handoff, "this content", prior, None).result["reasonCode"] == "KEY_CONFLICT"
    same = judge(handoff, "other content", prior, None).result
    assert same["evaluation"]["duplicateCheck"]["duplicateOf"] == "result_x"
