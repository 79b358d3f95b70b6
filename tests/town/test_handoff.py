"""`execution-handoff.v1`: every rule broken once, and whatever does not follow from the
proposal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.town.samples import ABSENT, handoff, proposal, refusals, with_change
from thorp.town import build_handoff, build_result, validate_handoff
from thorp.town.handoff import handoff_id

OTHER_PROPOSAL = "proposal_" + "0" * 64
REQUIRED = "$.executionRequirements"

BROKEN: list[tuple[str, Any, list[tuple[str, str]]]] = [
    ("schemaVersion", "execution-handoff.v2", [("enum", "$.schemaVersion")]),
    ("handoffId", "handoff_" + "F" * 64, [("pattern", "$.handoffId")]),
    ("handoffId", "handoff_" + "f" * 64, [("id_mismatch", "$.handoffId")]),
    ("advisory", False, [("enum", "$.advisory")]),
    ("advisory", 1, [("enum", "$.advisory")]),
    ("advisory", ABSENT, [("missing", "$.advisory")]),
    (
        "proposalId",
        OTHER_PROPOSAL,
        [("mismatch", "$.idempotencyKey"), ("mismatch", "$.proposal.proposalId")],
    ),
    ("proposalId", 3, [("type", "$.proposalId")]),
    ("idempotencyKey", OTHER_PROPOSAL, [("mismatch", "$.idempotencyKey")]),
    ("idempotencyKey", ABSENT, [("missing", "$.idempotencyKey")]),
    (
        "snapshotHash",
        "0" * 64,
        [("mismatch", "$.proposal.snapshotHash"), ("mismatch", f"{REQUIRED}.expectedSnapshotHash")],
    ),
    (
        "snapshotHash",
        "x",
        [
            ("pattern", "$.snapshotHash"),
            ("mismatch", "$.proposal.snapshotHash"),
            ("mismatch", f"{REQUIRED}.expectedSnapshotHash"),
        ],
    ),
    (
        "decisionEpoch",
        5,
        [
            ("mismatch", "$.proposal.decisionEpoch"),
            ("mismatch", f"{REQUIRED}.expectedDecisionEpoch"),
        ],
    ),
    ("decisionEpoch", True, [("type", "$.decisionEpoch")]),
    ("proposal", None, [("type", "$.proposal")]),
    ("proposal.reason", "", [("empty", "$.proposal.reason")]),
    ("proposal.priority", 0.5, [("id_mismatch", "$.proposal.proposalId")]),
    ("command", "", [("empty", "$.command")]),
    (
        "command",
        "mission accept town-1 sq-mill ",
        [("mismatch", "$.command"), ("id_mismatch", "$.handoffId")],
    ),
    ("executionRequirements", ABSENT, [("missing", REQUIRED)]),
    (
        "executionRequirements.expectedSnapshotHash",
        "1" * 64,
        [("mismatch", f"{REQUIRED}.expectedSnapshotHash")],
    ),
    (
        "executionRequirements.expectedDecisionEpoch",
        9,
        [("mismatch", f"{REQUIRED}.expectedDecisionEpoch")],
    ),
    ("executionRequirements.preconditions", ABSENT, [("missing", f"{REQUIRED}.preconditions")]),
    ("executionRequirements.preconditions", None, [("type", f"{REQUIRED}.preconditions")]),
    ("executionRequirements.preconditions", [], [("mismatch", f"{REQUIRED}.preconditions")]),
    (
        "executionRequirements.preconditions.0.kind",
        "x",
        [("mismatch", f"{REQUIRED}.preconditions")],
    ),
    (
        "executionRequirements.preconditions.0.kind",
        "",
        [("empty", f"{REQUIRED}.preconditions[0].kind")],
    ),
    (
        "executionRequirements.preconditions.0.expected",
        None,
        [("mismatch", f"{REQUIRED}.preconditions")],
    ),
    ("note", {"a": {1}}, [("not_json", "$.note.a")]),
]


@pytest.mark.parametrize(("place", "value", "expected"), BROKEN)
def test_a_broken_rule_is_named_with_its_path(
    place: str, value: Any, expected: list[tuple[str, str]]
) -> None:
    document = with_change(handoff(), place, value)
    assert refusals(lambda: validate_handoff(document)) == expected
    inside = [(code, path.replace("$", "$.handoff", 1)) for code, path in expected]
    good = {"status": "stale", "accepted": False, "executed": False, "reasonCode": "S"}
    assert refusals(lambda: build_result(document, good)) == inside


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("note", "hello"),
        ("executionRequirements.deadline", [1, {"a": None}]),
        ("proposal.note", "hello"),
        ("decisionEpoch", 4.0),
    ],
)
def test_what_looks_odd_and_is_valid(place: str, value: Any) -> None:
    validate_handoff(with_change(handoff(), place, value))


def test_true_is_not_one_among_the_preconditions() -> None:
    document = build_handoff(proposal(preconditions=[{"kind": "k", "expected": 1}]))
    same = with_change(document, "executionRequirements.preconditions.0.expected", 1.0)
    validate_handoff(same)
    other = with_change(document, "executionRequirements.preconditions.0.expected", True)
    assert refusals(lambda: validate_handoff(other)) == [("mismatch", f"{REQUIRED}.preconditions")]


def test_a_proposal_without_preconditions_has_an_empty_list_of_guards() -> None:
    document = build_handoff(with_change(proposal(), "preconditions", ABSENT))
    assert document["executionRequirements"]["preconditions"] == []
    validate_handoff(document)


def test_a_given_command_must_be_the_mapped_one() -> None:
    given = proposal()
    command = build_handoff(given)["command"]
    assert build_handoff(given, command) == build_handoff(given)
    assert refusals(lambda: build_handoff(given, command + " ")) == [("mismatch", "$.command")]
    assert refusals(lambda: build_handoff(given, "")) == [("empty", "$.command")]
    assert refusals(lambda: build_handoff(given, 7)) == [("type", "$.command")]


def test_a_forged_command_with_its_own_id_is_refused() -> None:
    forged = handoff(command="project advance town-1 wall")
    forged["handoffId"] = handoff_id(forged["proposalId"], forged["command"])
    assert refusals(lambda: validate_handoff(forged)) == [("mismatch", "$.command")]


def test_a_handoff_shares_nothing_with_its_proposal() -> None:
    given = proposal(note={"list": [1]})
    document = build_handoff(given)
    given["preconditions"].clear()
    given["args"]["missionId"] = "x"
    given["note"]["list"].append(2)
    document["proposal"]["preconditions"].append({"kind": "k"})
    assert document["executionRequirements"]["preconditions"] == proposal()["preconditions"]
    assert document["proposal"]["note"] == {"list": [1]}
