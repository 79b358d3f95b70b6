"""The results of this engine: `build_result`, for a handoff and an outcome that are known to be sound.

The members are declared in the order of canonical text and hold integers and texts only, so encoding them
writes what is hashed. A test holds every answer against `build_result`.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from thorp.kernel.canonical import Json
from thorp.kernel.identity import digest
from thorp.town.result import ID_PREFIX, SCHEMA_VERSION, STATUSES


class Failure(msgspec.Struct, gc=False):
    detail: str
    kind: str


class Duplicate(msgspec.Struct, gc=False):
    duplicate: bool = False
    duplicateOf: str | None = None
    evaluated: bool = True


class Guards(msgspec.Struct):
    evaluated: bool = False
    failures: list[Failure] = []
    passed: bool = False


class Stale(msgspec.Struct, gc=False):
    actualDecisionEpoch: int | None = None
    actualSnapshotHash: str | None = None
    evaluated: bool = False
    passed: bool = False


class WorldState(msgspec.Struct, gc=False):
    postExecutionDecisionEpoch: int
    postExecutionSnapshotHash: str


class _Evaluation(msgspec.Struct):
    duplicateCheck: Duplicate
    preconditions: Guards
    staleCheck: Stale


class _Hashed(msgspec.Struct):
    accepted: bool
    evaluation: _Evaluation
    executed: bool
    handoffId: str
    reasonCode: str
    status: str
    worldState: WorldState | UnsetType


_encode = msgspec.json.Encoder().encode


def answer(
    handoff: Json,
    status: str,
    reason: str,
    *,
    stale: Stale | None = None,
    guards: Guards | None = None,
    duplicate: Duplicate | None = None,
    after: WorldState | None = None,
) -> dict[str, Json]:
    """The `execution-result.v1` of a valid handoff."""
    verdict = STATUSES[status]
    stale, guards, duplicate = stale or Stale(), guards or Guards(), duplicate or Duplicate()
    evaluation = _Evaluation(duplicate, guards, stale)
    hashed = _Hashed(
        verdict.accepted, evaluation, verdict.executed, handoff["handoffId"], reason, status, after or UNSET
    )
    result = {
        "schemaVersion": SCHEMA_VERSION,
        "resultId": ID_PREFIX + digest(_encode(hashed)),
        "handoffId": handoff["handoffId"],
        "proposalId": handoff["proposalId"],
        "idempotencyKey": handoff["idempotencyKey"],
        "snapshotHash": handoff["snapshotHash"],
        "decisionEpoch": handoff["decisionEpoch"],
        "command": handoff["command"],
        "status": status,
        "accepted": verdict.accepted,
        "executed": verdict.executed,
        "reasonCode": reason,
        "evaluation": _evaluation(guards, stale, duplicate),
    }
    if after is not None:
        result["worldState"] = {
            "postExecutionSnapshotHash": after.postExecutionSnapshotHash,
            "postExecutionDecisionEpoch": after.postExecutionDecisionEpoch,
        }
    return result


def _evaluation(guards: Guards, stale: Stale, duplicate: Duplicate) -> dict[str, Json]:
    return {
        "preconditions": {
            "evaluated": guards.evaluated,
            "passed": guards.passed,
            "failures": [{"kind": each.kind, "detail": each.detail} for each in guards.failures],
        },
        "staleCheck": {
            "evaluated": stale.evaluated,
            "passed": stale.passed,
            "actualSnapshotHash": stale.actualSnapshotHash,
            "actualDecisionEpoch": stale.actualDecisionEpoch,
        },
        "duplicateCheck": {
            "evaluated": duplicate.evaluated,
            "duplicate": duplicate.duplicate,
            "duplicateOf": duplicate.duplicateOf,
        },
    }
