"""`proposal.v2` and its command: every rule broken once, and no forged id passes."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.town.samples import ABSENT, Document, proposal, refusals, with_change
from thorp.town import build_handoff, proposal_to_command, validate_proposal
from thorp.town.proposal import proposal_id

ARGS = "$.args"
BROKEN: list[tuple[str, Any, list[tuple[str, str]]]] = [
    ("schemaVersion", "proposal.v1", [("enum", "$.schemaVersion")]),
    ("proposalId", "proposal_" + "A" * 64, [("pattern", "$.proposalId")]),
    ("proposalId", "proposal_" + "0" * 64 + "\n", [("pattern", "$.proposalId")]),
    ("proposalId", "proposal_" + "0" * 64, [("id_mismatch", "$.proposalId")]),
    ("proposalId", "", [("empty", "$.proposalId")]),
    ("proposalId", ABSENT, [("missing", "$.proposalId")]),
    ("snapshotHash", "0" * 63, [("pattern", "$.snapshotHash")]),
    ("snapshotHash", "0" * 64 + "\n", [("pattern", "$.snapshotHash")]),
    ("snapshotHash", None, [("type", "$.snapshotHash")]),
    ("snapshotHash", "0" * 64, [("id_mismatch", "$.proposalId")]),
    ("decisionEpoch", -1, [("range", "$.decisionEpoch")]),
    ("decisionEpoch", 1.5, [("not_whole", "$.decisionEpoch")]),
    ("decisionEpoch", "4", [("type", "$.decisionEpoch")]),
    ("decisionEpoch", 5, [("id_mismatch", "$.proposalId")]),
    ("preconditions", None, [("type", "$.preconditions")]),
    ("preconditions", {}, [("type", "$.preconditions")]),
    ("preconditions.0", "mission_absent", [("type", "$.preconditions[0]")]),
    ("preconditions.0.kind", ABSENT, [("missing", "$.preconditions[0].kind")]),
    ("preconditions.0.kind", "", [("empty", "$.preconditions[0].kind")]),
    ("preconditions.1.targetId", "", [("empty", "$.preconditions[1].targetId")]),
    ("preconditions.1.targetId", 3, [("type", "$.preconditions[1].targetId")]),
    ("preconditions.1.field", "", [("empty", "$.preconditions[1].field")]),
    ("preconditions.1.expected", [], [("type", "$.preconditions[1].expected")]),
    ("preconditions.1.expected", math.inf, [("non_finite", "$.preconditions[1].expected")]),
    ("preconditions.1.note", {1, 2}, [("not_json", "$.preconditions[1].note")]),
    ("type", "MAYOR_RESIGN", [("enum", "$.type")]),
    ("type", ["PROJECT_ADVANCE"], [("enum", "$.type")]),
    (
        "type",
        "PROJECT_ADVANCE",
        [("missing", f"{ARGS}.projectId"), ("unknown_key", f"{ARGS}.missionId")],
    ),
    ("actorId", "", [("empty", "$.actorId")]),
    ("actorId", "mayor-2", [("id_mismatch", "$.proposalId")]),
    ("townId", None, [("type", "$.townId")]),
    ("townId", "town-2", [("id_mismatch", "$.proposalId")]),
    ("priority", -0.1, [("range", "$.priority")]),
    ("priority", 1.1, [("range", "$.priority")]),
    ("priority", math.nan, [("non_finite", "$.priority")]),
    ("priority", True, [("type", "$.priority")]),
    ("priority", 0.5, [("id_mismatch", "$.proposalId")]),
    ("reason", "", [("empty", "$.reason")]),
    ("reason", ABSENT, [("missing", "$.reason")]),
    ("reasonTags", "calm", [("type", "$.reasonTags")]),
    ("reasonTags", ["calm", 3], [("type", "$.reasonTags[1]")]),
    ("args", ABSENT, [("missing", "$.args")]),
    ("args", [], [("type", "$.args")]),
    ("args", {}, [("missing", f"{ARGS}.missionId")]),
    ("args.missionId", "", [("empty", f"{ARGS}.missionId")]),
    ("args.missionId", 7, [("type", f"{ARGS}.missionId")]),
    ("args.missionId", "sq-ford", [("id_mismatch", "$.proposalId")]),
    ("args.bonus", 1, [("unknown_key", f"{ARGS}.bonus")]),
    ("note", math.inf, [("non_finite", "$.note")]),
    ("note", {"a": [object()]}, [("not_json", "$.note.a[0]")]),
    ("note", {3: 1}, [("not_json", "$.note")]),
]

ACCEPTED: list[tuple[str, Any]] = [
    ("preconditions", ABSENT),
    ("preconditions", []),
    ("preconditions.0.kind", "moon_is_full"),
    ("preconditions.0.expected", None),
    ("preconditions.0.expected", 1.5),
    ("preconditions.0.note", {"any": ["thing", None]}),
    ("reason", "Because."),
    ("reasonTags", []),
    ("reasonTags", [""]),
    ("decisionEpoch", 4.0),
    ("note", "hello"),
    ("note", "\ud800"),
]


@pytest.mark.parametrize(("place", "value", "expected"), BROKEN)
def test_a_broken_rule_is_named_with_its_path(
    place: str, value: Any, expected: list[tuple[str, str]]
) -> None:
    document = with_change(proposal(), place, value)
    assert refusals(lambda: validate_proposal(document)) == expected
    assert refusals(lambda: proposal_to_command(document)) == expected
    inside = [(code, path.replace("$", "$.proposal", 1)) for code, path in expected]
    assert refusals(lambda: build_handoff(document)) == inside


@pytest.mark.parametrize(("place", "value"), ACCEPTED)
def test_what_looks_odd_and_is_valid(place: str, value: Any) -> None:
    document = with_change(proposal(), place, value)
    validate_proposal(document)
    assert build_handoff(document)["proposal"] == document


@pytest.mark.parametrize("nothing", [None, 0, "", [], proposal_to_command])
def test_what_is_no_object(nothing: Any) -> None:
    assert refusals(lambda: proposal_to_command(nothing)) == [("type", "$")]


def renamed(document: Document) -> Document:
    return {**document, "proposalId": proposal_id(document)}


COMMANDS = [
    ("MAYOR_ACCEPT_MISSION", {"missionId": 'sq "1"'}, 'mission accept town-1 sq "1"'),
    ("PROJECT_ADVANCE", {"projectId": "wall"}, "project advance town-1 wall"),
    ("SALVAGE_PLAN", {"focus": "general"}, "salvage initiate town-1 general"),
    ("TOWNSFOLK_TALK", {"talkType": "casual"}, "townsfolk talk town-1 casual"),
]


@pytest.mark.parametrize(("action_type", "args", "command"), COMMANDS)
def test_the_command_of_each_type(action_type: str, args: Document, command: str) -> None:
    assert proposal_to_command(renamed(proposal(type=action_type, args=args))) == command


@pytest.mark.parametrize(
    ("action_type", "args"),
    [
        ("SALVAGE_PLAN", {"focus": "gold"}),
        ("TOWNSFOLK_TALK", {"talkType": "Casual"}),
        ("TOWNSFOLK_TALK", {"talkType": None}),
    ],
)
def test_a_target_that_is_not_listed(action_type: str, args: Document) -> None:
    (argument,) = args
    found = refusals(lambda: proposal_to_command(renamed(proposal(type=action_type, args=args))))
    assert found == [("enum", f"{ARGS}.{argument}")]


@pytest.mark.parametrize("priority", [0, 1, 0.0, 1.0, 0.5, 1e-4, 9e-5, 1e-7, 5e-324, 0.1 + 0.2])
@pytest.mark.parametrize("epoch", [0, 4.0, 2**53, 2**60, 1e21])
def test_the_id_follows_from_the_numbers_as_doubles(priority: float, epoch: float) -> None:
    document = renamed(proposal(priority=priority, decisionEpoch=epoch))
    validate_proposal(document)
    assert proposal_id(document) == proposal_id(
        {**document, "priority": float(priority), "decisionEpoch": float(epoch)}
    )
