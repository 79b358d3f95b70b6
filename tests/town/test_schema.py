"""Each contract as JSON Schema, judged by a library that knows nothing of ours: what the schema
refuses, the validator refuses. What the validator refuses beyond that is listed here, rule by rule.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.town import samples
from tests.town.samples import ABSENT, Document, refusals, with_change
from thorp.kernel.errors import ContractError
from thorp.town import (
    SCHEMAS,
    document_shape,
    validate_handoff,
    validate_profile,
    validate_proposal,
    validate_result,
    validate_snapshot,
)

VALIDATORS: dict[str, Callable[[object], None]] = {
    "snapshot.v1": validate_snapshot,
    "profile.v1": validate_profile,
    "proposal.v2": validate_proposal,
    "execution-handoff.v1": validate_handoff,
    "execution-result.v1": validate_result,
}
MISSION = {"id": "m-1", "title": "Hold the ford", "description": "Hard", "reward": 5}
GOOD: dict[str, list[Document]] = {
    "snapshot.v1": [
        samples.snapshot(),
        samples.snapshot(mission=MISSION, latestNetherEvent="raid"),
    ],
    "profile.v1": [samples.profile("mayor"), samples.profile("warden", motto="slowly")],
    "proposal.v2": [samples.proposal(role) for role in ("mayor", "captain", "warden")],
    "execution-handoff.v1": [samples.handoff(), samples.handoff(note=[1])],
    "execution-result.v1": [samples.result(), with_change(samples.result(), "note", {"a": None})],
}
JUNK = [None, True, 0, -1, 1.5, 11, "", "x", "0" * 64, [], {}, [None], {"kind": ""}, {"kind": "k"}]


def by_schema(name: str, document: object) -> bool:
    return bool(jsonschema.Draft202012Validator(SCHEMAS[name]()).is_valid(document))


def by_validator(name: str, document: object) -> bool:
    try:
        VALIDATORS[name](document)
    except ContractError:
        return False
    return True


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_a_schema_and_accepts_what_is_good(name: str) -> None:
    schema = SCHEMAS[name]()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"] == name
    for document in GOOD[name]:
        assert by_schema(name, document)
        assert by_validator(name, document)


def places(document: Any) -> list[list[Any]]:
    """The way to every member and item."""
    if not isinstance(document, (dict, list)):
        return []
    steps = list(document) if isinstance(document, dict) else list(range(len(document)))
    return [[step, *rest] for step in steps for rest in ([], *places(document[step]))]


def spoil(document: Any, way: list[Any], change: str, junk: Any) -> None:
    *outer, last = way
    for step in outer:
        document = document[step]
    if change == "drop":
        del document[last]
    elif change == "add" and isinstance(document, dict):
        document["unheardOf"] = junk
    else:
        document[last] = junk


@pytest.mark.parametrize("name", SCHEMAS)
def test_whatever_the_schema_refuses_the_validator_refuses(name: str) -> None:
    refused = 0
    for good in GOOD[name]:
        for way in places(good):
            for change, junk in [("drop", None), ("add", 1), *(("set", junk) for junk in JUNK)]:
                document = copy.deepcopy(good)
                spoil(document, way, change, copy.deepcopy(junk))
                if not by_schema(name, document):
                    refused += 1
                    assert not by_validator(name, document), (way, change, junk)
    assert refused > 100


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("name", SCHEMAS)
@given(data=st.data())
def test_the_same_for_random_documents(name: str, data: st.DataObject) -> None:
    chance = data.draw(st.randoms(use_true_random=False))
    document = copy.deepcopy(chance.choice(GOOD[name]))
    for _ in range(data.draw(st.integers(0, 2))):
        way = chance.choice(places(document) or [["x"]])
        spoil(document, way, chance.choice(["drop", "add", "set"]), data.draw(json_values))
    if not by_schema(name, document):
        assert not by_validator(name, document)


OTHER = "proposal_" + "0" * 64
BEYOND: list[tuple[str, str, Any, str]] = [
    ("snapshot.v1", "sideQuests.1.id", "sq-ford", "unique"),
    ("snapshot.v1", "projects.1.id", "wall", "unique"),
    ("snapshot.v1", "day", 10**400, "non_finite"),
    ("proposal.v2", "proposalId", OTHER, "id_mismatch"),
    ("proposal.v2", "actorId", "mayor-2", "id_mismatch"),
    ("proposal.v2", "snapshotHash", "0" * 64 + "\n", "pattern"),
    ("proposal.v2", "note", math.nan, "non_finite"),
    ("proposal.v2", "note", {1}, "not_json"),
    ("proposal.v2", "note", json.loads("[" * 70 + "]" * 70), "depth"),
    ("execution-handoff.v1", "idempotencyKey", OTHER, "mismatch"),
    ("execution-handoff.v1", "proposalId", OTHER, "mismatch"),
    ("execution-handoff.v1", "snapshotHash", "0" * 64, "mismatch"),
    ("execution-handoff.v1", "decisionEpoch", 9, "mismatch"),
    ("execution-handoff.v1", "executionRequirements.expectedSnapshotHash", "0" * 64, "mismatch"),
    ("execution-handoff.v1", "executionRequirements.expectedDecisionEpoch", 9, "mismatch"),
    ("execution-handoff.v1", "executionRequirements.preconditions", [], "mismatch"),
    ("execution-handoff.v1", "command", "townsfolk talk town-1 casual", "mismatch"),
    ("execution-handoff.v1", "handoffId", "handoff_" + "0" * 64, "id_mismatch"),
    ("execution-handoff.v1", "proposal.priority", 0.25, "id_mismatch"),
    ("execution-result.v1", "idempotencyKey", OTHER, "mismatch"),
    ("execution-result.v1", "handoffId", "handoff_" + "0" * 64, "id_mismatch"),
    ("execution-result.v1", "command", "townsfolk talk town-1 casual", "id_mismatch"),
    ("execution-result.v1", "resultId", "result_" + "0" * 64, "id_mismatch"),
    ("execution-result.v1", "worldState", ABSENT, "id_mismatch"),
]


@pytest.mark.parametrize(("name", "place", "value", "code"), BEYOND)
def test_a_rule_beyond_the_schema(name: str, place: str, value: Any, code: str) -> None:
    document = with_change(GOOD[name][0], place, value)
    if not isinstance(value, set):
        assert by_schema(name, document)
    with pytest.raises(ContractError) as refused:
        VALIDATORS[name](document)
    assert refused.value.code == code


def test_content_that_is_passed_on_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    document = samples.proposal(note=list(range(100)))
    validate_proposal(document)
    monkeypatch.setattr(document_shape, "CONTENT_LIMIT", 100)
    assert refusals(lambda: validate_proposal(document)) == [("limit", "$.note")]
