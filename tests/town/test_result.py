"""`execution-result.v1` and the outcome it is built from: every rule broken once."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from tests.town.samples import ABSENT, handoff, outcome, refusals, result, with_change
from thorp.town import build_result, validate_result
from thorp.town.result import STATUSES, result_id

EVALUATION = "$.evaluation"
BROKEN: list[tuple[str, Any, list[tuple[str, str]]]] = [
    ("schemaVersion", 1, [("enum", "$.schemaVersion")]),
    ("resultId", "result_", [("pattern", "$.resultId")]),
    ("resultId", "result_" + "0" * 64, [("id_mismatch", "$.resultId")]),
    ("handoffId", "handoff_x", [("pattern", "$.handoffId")]),
    (
        "handoffId",
        "handoff_" + "0" * 64,
        [("id_mismatch", "$.handoffId"), ("id_mismatch", "$.resultId")],
    ),
    ("proposalId", ABSENT, [("missing", "$.proposalId")]),
    (
        "proposalId",
        "proposal_" + "0" * 64,
        [("mismatch", "$.idempotencyKey"), ("id_mismatch", "$.handoffId")],
    ),
    ("idempotencyKey", "key", [("pattern", "$.idempotencyKey")]),
    ("idempotencyKey", "proposal_" + "0" * 64, [("mismatch", "$.idempotencyKey")]),
    ("snapshotHash", "0", [("pattern", "$.snapshotHash")]),
    ("decisionEpoch", 0.5, [("not_whole", "$.decisionEpoch")]),
    ("command", "", [("empty", "$.command")]),
    ("command", "rm -r town-1", [("id_mismatch", "$.handoffId")]),
    ("status", "done", [("enum", "$.status")]),
    ("status", "failed", [("status", "$.executed")]),
    ("accepted", 1, [("type", "$.accepted")]),
    ("accepted", False, [("status", "$.accepted")]),
    ("executed", None, [("type", "$.executed")]),
    ("executed", False, [("status", "$.executed")]),
    ("reasonCode", "", [("empty", "$.reasonCode")]),
    ("reasonCode", "OTHER", [("id_mismatch", "$.resultId")]),
    ("evaluation", ABSENT, [("missing", EVALUATION)]),
    ("evaluation", None, [("type", EVALUATION)]),
    ("evaluation.mood", {}, [("unknown_key", f"{EVALUATION}.mood")]),
    ("evaluation.preconditions", ABSENT, [("missing", f"{EVALUATION}.preconditions")]),
    ("evaluation.preconditions.note", 1, [("unknown_key", f"{EVALUATION}.preconditions.note")]),
    ("evaluation.preconditions.passed", None, [("type", f"{EVALUATION}.preconditions.passed")]),
    (
        "evaluation.preconditions.evaluated",
        ABSENT,
        [("missing", f"{EVALUATION}.preconditions.evaluated")],
    ),
    ("evaluation.preconditions.failures", {}, [("type", f"{EVALUATION}.preconditions.failures")]),
    ("evaluation.staleCheck", [], [("type", f"{EVALUATION}.staleCheck")]),
    (
        "evaluation.staleCheck.actualSnapshotHash",
        "F" * 64,
        [("pattern", f"{EVALUATION}.staleCheck.actualSnapshotHash")],
    ),
    (
        "evaluation.staleCheck.actualDecisionEpoch",
        -1,
        [("range", f"{EVALUATION}.staleCheck.actualDecisionEpoch")],
    ),
    ("evaluation.staleCheck.note", math.nan, [("non_finite", f"{EVALUATION}.staleCheck.note")]),
    ("evaluation.staleCheck.note", "more", [("id_mismatch", "$.resultId")]),
    (
        "evaluation.duplicateCheck.duplicate",
        0,
        [("type", f"{EVALUATION}.duplicateCheck.duplicate")],
    ),
    (
        "evaluation.duplicateCheck.duplicateOf",
        "",
        [("empty", f"{EVALUATION}.duplicateCheck.duplicateOf")],
    ),
    ("worldState", None, [("type", "$.worldState")]),
    ("worldState", ABSENT, [("id_mismatch", "$.resultId")]),
    (
        "worldState.postExecutionSnapshotHash",
        3,
        [("type", "$.worldState.postExecutionSnapshotHash")],
    ),
    (
        "worldState.postExecutionDecisionEpoch",
        ABSENT,
        [("missing", "$.worldState.postExecutionDecisionEpoch")],
    ),
    ("note", [{1}], [("not_json", "$.note[0]")]),
]


@pytest.mark.parametrize(("place", "value", "expected"), BROKEN)
def test_a_broken_rule_is_named_with_its_path(
    place: str, value: Any, expected: list[tuple[str, str]]
) -> None:
    document = with_change(result(), place, value)
    assert refusals(lambda: validate_result(document)) == expected


OUTCOME = "$.outcome"
OUTCOME_BROKEN: list[tuple[str, Any, list[tuple[str, str]]]] = [
    ("status", ABSENT, [("missing", f"{OUTCOME}.status")]),
    ("status", "Executed", [("enum", f"{OUTCOME}.status")]),
    ("accepted", ABSENT, [("missing", f"{OUTCOME}.accepted")]),
    ("accepted", False, [("status", f"{OUTCOME}.accepted")]),
    ("executed", "yes", [("type", f"{OUTCOME}.executed")]),
    ("reasonCode", "", [("empty", f"{OUTCOME}.reasonCode")]),
    ("reasonCode", None, [("type", f"{OUTCOME}.reasonCode")]),
    ("preconditions", "passed", [("type", f"{OUTCOME}.preconditions")]),
    ("preconditions.evaluated", 1, [("type", f"{OUTCOME}.preconditions.evaluated")]),
    ("preconditions.failures", {}, [("type", f"{OUTCOME}.preconditions.failures")]),
    ("preconditions.failures", [None], [("type", f"{OUTCOME}.preconditions.failures[0]")]),
    (
        "preconditions.failures",
        [{"kind": "k"}],
        [("missing", f"{OUTCOME}.preconditions.failures[0].detail")],
    ),
    (
        "preconditions.failures",
        [{"kind": "", "detail": "d"}],
        [("empty", f"{OUTCOME}.preconditions.failures[0].kind")],
    ),
    (
        "preconditions.failures",
        [{"kind": "k", "detail": "d", "more": {"a": 10**400}}],
        [("non_finite", f"{OUTCOME}.preconditions.failures[0].more.a")],
    ),
    ("staleCheck.passed", "no", [("type", f"{OUTCOME}.staleCheck.passed")]),
    (
        "staleCheck.actualSnapshotHash",
        "abc",
        [("pattern", f"{OUTCOME}.staleCheck.actualSnapshotHash")],
    ),
    (
        "staleCheck.actualDecisionEpoch",
        1.5,
        [("not_whole", f"{OUTCOME}.staleCheck.actualDecisionEpoch")],
    ),
    ("duplicateCheck.duplicateOf", "", [("empty", f"{OUTCOME}.duplicateCheck.duplicateOf")]),
    ("worldState", "same", [("type", f"{OUTCOME}.worldState")]),
    (
        "worldState.postExecutionDecisionEpoch",
        -2,
        [("range", f"{OUTCOME}.worldState.postExecutionDecisionEpoch")],
    ),
]


@pytest.mark.parametrize(("place", "value", "expected"), OUTCOME_BROKEN)
def test_a_broken_rule_of_the_outcome(
    place: str, value: Any, expected: list[tuple[str, str]]
) -> None:
    document = with_change(outcome(), place, value)
    assert refusals(lambda: build_result(handoff(), document)) == expected


@pytest.mark.parametrize("nothing", [None, 0, "", [], "executed"])
def test_an_outcome_that_is_no_object(nothing: Any) -> None:
    assert refusals(lambda: build_result(handoff(), nothing)) == [("type", OUTCOME)]


@pytest.mark.parametrize("accepted", [True, False])
@pytest.mark.parametrize("executed", [True, False])
@pytest.mark.parametrize("status", STATUSES)
def test_the_status_table(status: str, accepted: bool, executed: bool) -> None:
    given = {"status": status, "accepted": accepted, "executed": executed, "reasonCode": "R"}
    if STATUSES[status] == (accepted, executed):
        validate_result(build_result(handoff(), given))
        return
    found = refusals(lambda: build_result(handoff(), given))
    assert {code for code, _ in found} == {"status"}
    built = build_result(handoff(), {**given, **STATUSES[status]._asdict()})
    forged = {**built, "accepted": accepted, "executed": executed}
    forged["resultId"] = result_id(forged)
    assert {code for code, _ in refusals(lambda: validate_result(forged))} == {"status"}


def test_missing_and_null_members_have_defaults() -> None:
    bare = {"status": "stale", "accepted": False, "executed": False, "reasonCode": "S"}
    nulls = {
        **bare,
        "preconditions": {"evaluated": None, "passed": None, "failures": None},
        "staleCheck": None,
        "duplicateCheck": {},
        "more": object(),
    }
    assert build_result(handoff(), bare) == build_result(handoff(), nulls)
    assert "worldState" not in build_result(handoff(), bare)
    assert build_result(handoff(), {**bare, "worldState": None})["worldState"] == {
        "postExecutionSnapshotHash": None,
        "postExecutionDecisionEpoch": None,
    }


def test_extra_members_of_a_check_pass_and_are_hashed() -> None:
    for place in (
        "evaluation.staleCheck.note",
        "evaluation.duplicateCheck.note",
        "worldState.note",
    ):
        document = with_change(result(), place, {"by": "clerk"})
        document["resultId"] = result_id(document)
        validate_result(document)
        assert document["resultId"] != result()["resultId"]
    validate_result(result(note="not hashed"))


def test_a_result_shares_nothing_with_its_outcome() -> None:
    failure: dict[str, Any] = {"kind": "k", "detail": "d", "seen": [1]}
    given = outcome(status="failed", executed=False, reasonCode="F")
    given["preconditions"]["failures"] = [failure]
    before = copy.deepcopy(given)
    document = build_result(handoff(), given)
    assert given == before
    failure["seen"].append(2)
    document["evaluation"]["staleCheck"]["passed"] = False
    assert document["evaluation"]["preconditions"]["failures"] == [
        {"kind": "k", "detail": "d", "seen": [1]}
    ]
    assert given["staleCheck"]["passed"] is True
    assert build_result(handoff(), outcome()) == build_result(handoff(), outcome())
