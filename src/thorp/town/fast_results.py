"""The results of this engine: `build_result`, for a handoff and an outcome that are known to be sound.

A check that was not made has the contract's defaults. A test holds every answer against `build_result`.
"""

from __future__ import annotations

from thorp.kernel.canonical import Json
from thorp.kernel.identity import content_id
from thorp.town.result import ID_PREFIX, SCHEMA_VERSION, STATUSES

Block = dict[str, Json]


def failure(kind: str, detail: str) -> Block:
    """One thing that stood in the way."""
    return {"kind": kind, "detail": detail}


def guards_checked(failures: list[Block], *, passed: bool) -> Block:
    """The preconditions were held against the town."""
    return {"evaluated": True, "passed": passed, "failures": failures}


def state_compared(day: int, snapshot_hash: str, *, passed: bool) -> Block:
    """The town's state was compared with the one that the handoff expects."""
    return {
        "evaluated": True,
        "passed": passed,
        "actualSnapshotHash": snapshot_hash,
        "actualDecisionEpoch": day,
    }


def answer(
    handoff: Json,
    status: str,
    reason: str,
    *,
    guards: Block | None = None,
    stale: Block | None = None,
    duplicate_of: str | None = None,
    after: Block | None = None,
) -> dict[str, Json]:
    """The `execution-result.v1` of a valid handoff; `after` is the world's state when it was executed."""
    verdict = STATUSES[status]
    reported = {
        "status": status,
        "accepted": verdict.accepted,
        "executed": verdict.executed,
        "reasonCode": reason,
        "evaluation": {
            "preconditions": guards or {"evaluated": False, "passed": False, "failures": []},
            "staleCheck": stale
            or {"evaluated": False, "passed": False, "actualSnapshotHash": None, "actualDecisionEpoch": None},
            "duplicateCheck": {
                "evaluated": True,
                "duplicate": duplicate_of is not None,
                "duplicateOf": duplicate_of,
            },
        },
        **({} if after is None else {"worldState": after}),
    }
    return {
        "schemaVersion": SCHEMA_VERSION,
        "resultId": content_id(ID_PREFIX, {"handoffId": handoff["handoffId"], **reported}),
        "handoffId": handoff["handoffId"],
        "proposalId": handoff["proposalId"],
        "idempotencyKey": handoff["idempotencyKey"],
        "snapshotHash": handoff["snapshotHash"],
        "decisionEpoch": handoff["decisionEpoch"],
        "command": handoff["command"],
        **reported,
    }
