"""Good documents to start from, and ways to spoil them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from thorp.kernel.errors import ContractError
from thorp.town import build_handoff, build_result, built_in_profile, propose

Document = dict[str, Any]
ABSENT = object()


def snapshot(**changes: Any) -> Document:
    document: Document = {
        "schemaVersion": "snapshot.v1",
        "day": 4,
        "townId": "town-1",
        "mission": None,
        "sideQuests": [
            {"id": "sq-ford", "title": "Mend the ford", "complexity": 2},
            {"id": "sq-mill", "title": "Escort the miller"},
        ],
        "pressure": {"threat": 0.6, "scarcity": 0.3, "hope": 0.7, "dread": 0.2},
        "projects": [
            {"id": "wall", "name": "North wall", "progress": 0.5, "status": "active"},
            {"id": "well", "name": "Deep well", "progress": 0.25, "status": "planning"},
            {"id": "gate", "name": "East gate", "progress": 0.75, "status": "blocked"},
        ],
        "latestNetherEvent": None,
    }
    return {**document, **changes}


def profile(role: str = "mayor", **changes: Any) -> Document:
    return {**built_in_profile(role), **changes}


def proposal(role: str = "mayor", **changes: Any) -> Document:
    return {**propose(snapshot(), profile(role)), **changes}


def handoff(**changes: Any) -> Document:
    return {**build_handoff(proposal()), **changes}


def outcome(**changes: Any) -> Document:
    document: Document = {
        "status": "executed",
        "accepted": True,
        "executed": True,
        "reasonCode": "EXECUTED",
        "preconditions": {"evaluated": True, "passed": True, "failures": []},
        "staleCheck": {
            "evaluated": True,
            "passed": True,
            "actualSnapshotHash": "0" * 64,
            "actualDecisionEpoch": 4,
        },
        "duplicateCheck": {"evaluated": True, "duplicate": False, "duplicateOf": None},
        "worldState": {"postExecutionSnapshotHash": "1" * 64, "postExecutionDecisionEpoch": 5},
    }
    return {**document, **changes}


def result(**changes: Any) -> Document:
    return {**build_result(handoff(), outcome()), **changes}


def with_change(document: Document, place: str, value: Any) -> Document:
    """A copy with one member set, or taken away: `place` is dotted, list items by number."""
    changed = copy.deepcopy(document)
    *way, last = [int(step) if step.isdigit() else step for step in place.split(".")]
    inner: Any = changed
    for step in way:
        inner = inner[step]
    if value is ABSENT:
        del inner[last]
    else:
        inner[last] = value
    return changed


def refusals(work: Callable[[], object]) -> list[tuple[str, str]]:
    """Code and path of every violation; the work must be refused."""
    with pytest.raises(ContractError) as refused:
        work()
    error = refused.value
    assert (error.code, error.path) == (error.violations[0].code, error.violations[0].path)
    assert all(violation.message for violation in error.violations)
    return [(violation.code, violation.path) for violation in error.violations]
