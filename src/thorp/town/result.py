"""`execution-result.v1`: the world's answer to a handoff, with the checks that led to it.

Extra members of a failure, a check or the world state pass, and are hashed.
"""

from collections.abc import Mapping
from typing import NamedTuple

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ROOT
from thorp.kernel.identity import content_id
from thorp.town import document_shape as shape
from thorp.town.handoff import HANDOFF_ID, check_handoff, handoff_id
from thorp.town.proposal import EPOCH, HASH, PROPOSAL_ID

SCHEMA_VERSION = "execution-result.v1"
ID_PREFIX = "result_"
ECHOED = ("handoffId", "proposalId", "idempotencyKey", "snapshotHash", "decisionEpoch", "command")
"""Members that a result repeats from its handoff."""

# A member of a result that is an object: one of its checks, or the world's state.
Block = dict[str, Json]

_FAILURE = shape.Object({"kind": shape.Text(), "detail": shape.Text()}, others=shape.Others.KEPT)
_BLOCKS: dict[str, dict[str, shape.Rule]] = {
    "preconditions": {
        "evaluated": shape.Flag(),
        "passed": shape.Flag(),
        "failures": shape.Items(_FAILURE),
    },
    "staleCheck": {
        "evaluated": shape.Flag(),
        "passed": shape.Flag(),
        "actualSnapshotHash": shape.OrNull(HASH),
        "actualDecisionEpoch": shape.OrNull(EPOCH),
    },
    "duplicateCheck": {
        "evaluated": shape.Flag(),
        "duplicate": shape.Flag(),
        "duplicateOf": shape.OrNull(shape.Text()),
    },
}
_WORLD_STATE: dict[str, shape.Rule] = {
    "postExecutionSnapshotHash": shape.OrNull(HASH),
    "postExecutionDecisionEpoch": shape.OrNull(EPOCH),
}
# What a member is that was not reported, by its rule; under any other rule it is null.
_DEFAULTS: dict[type, Json] = {shape.Flag: False, shape.Items: []}


class StatusFlags(NamedTuple):
    """Whether the engine accepted a handoff of some status, and whether that changed the world."""

    accepted: bool
    executed: bool


STATUSES = {
    "executed": StatusFlags(accepted=True, executed=True),
    "failed": StatusFlags(accepted=True, executed=False),
    "rejected": StatusFlags(accepted=False, executed=False),
    "stale": StatusFlags(accepted=False, executed=False),
    "duplicate": StatusFlags(accepted=False, executed=False),
}
"""Every status of a handoff. A result must carry the flags of its status."""


def _reported(members: Mapping[str, shape.Rule]) -> shape.Rule:
    """The rule for a block as an engine may report it: any member, or the whole block, may be
    missing or null."""
    rules = {name: shape.OrNull(rule) for name, rule in members.items()}
    return shape.OrNull(shape.Object(required={}, optional=rules, others=shape.Others.IGNORED))


_CORE: dict[str, shape.Rule] = {
    "status": shape.Choice(tuple(STATUSES)),
    "accepted": shape.Flag(),
    "executed": shape.Flag(),
    "reasonCode": shape.Text(),
}

_OUTCOME = shape.Object(
    required=_CORE,
    optional={
        name: _reported(members)
        for name, members in {**_BLOCKS, "worldState": _WORLD_STATE}.items()
    },
    others=shape.Others.IGNORED,
)

_SHAPE = shape.Object(
    required={
        "schemaVersion": shape.Choice((SCHEMA_VERSION,)),
        "resultId": shape.Text(pattern=f"{ID_PREFIX}[0-9a-f]{{64}}"),
        "handoffId": HANDOFF_ID,
        "proposalId": PROPOSAL_ID,
        "idempotencyKey": PROPOSAL_ID,
        "snapshotHash": HASH,
        "decisionEpoch": EPOCH,
        "command": shape.Text(),
        **_CORE,
        "evaluation": shape.Object(
            {
                "preconditions": shape.Object(_BLOCKS["preconditions"]),
                "staleCheck": shape.Object(_BLOCKS["staleCheck"], others=shape.Others.KEPT),
                "duplicateCheck": shape.Object(_BLOCKS["duplicateCheck"], others=shape.Others.KEPT),
            }
        ),
    },
    optional={"worldState": shape.Object(_WORLD_STATE, others=shape.Others.KEPT)},
    others=shape.Others.KEPT,
)


class Result:
    """The rule for a whole result: its shape, its status table, and the ids."""

    def check(self, value: object, path: str, findings: shape.Findings) -> None:
        before = len(findings)
        _SHAPE.check(value, path, findings)
        _check_status(value, path, findings)
        if len(findings) == before:
            _check_ids(value, path, findings)

    def schema(self) -> shape.Schema:
        conditions = []
        for status, verdict in STATUSES.items():
            members = {name: {"const": value} for name, value in verdict._asdict().items()}
            conditions.append(shape.when("status", status, **members))
        return {**_SHAPE.schema(), "allOf": conditions}


def _check_status(document: object, path: str, findings: shape.Findings) -> None:
    status = document.get("status") if isinstance(document, Mapping) else None
    if not isinstance(document, Mapping) or not isinstance(status, str) or status not in STATUSES:
        return
    for name, expected in STATUSES[status]._asdict().items():
        given = document.get(name)
        if isinstance(given, bool) and given is not expected:
            where = f"{path}.{name}"
            wanted = shape.quote(expected)
            findings.add("status", where, f"{status} requires {wanted}, got {shape.quote(given)}")


def _check_ids(result: Json, path: str, findings: shape.Findings) -> None:
    """Find ids that do not follow from the content of a result that is otherwise well formed."""
    if shape.plain_text(result["idempotencyKey"]) != shape.plain_text(result["proposalId"]):
        findings.add("mismatch", f"{path}.idempotencyKey", "expected the same as proposalId")
    if handoff_id(result["proposalId"], result["command"]) != result["handoffId"]:
        findings.add(
            "id_mismatch", f"{path}.handoffId", "the id does not follow from proposal and command"
        )
    if result_id(result) != result["resultId"]:
        findings.add("id_mismatch", f"{path}.resultId", "the id does not follow from the content")


def result_schema() -> shape.Schema:
    """`execution-result.v1` as JSON Schema."""
    return shape.document_schema(SCHEMA_VERSION, Result())


def validate_result(result: object) -> None:
    """Refuse anything but a valid `execution-result.v1`, with every violation, forged ids
    included."""
    findings = shape.Findings()
    Result().check(result, ROOT, findings)
    findings.refuse()


def result_id(result: Json) -> str:
    """The id of a result, from its content."""
    hashed = ("handoffId", *_CORE, "evaluation", "worldState")
    return content_id(
        ID_PREFIX, shape.plain_value({name: result[name] for name in hashed if name in result})
    )


def build_result(handoff: object, outcome: object) -> dict[str, Json]:
    """The result of a handoff, from what an engine reports. Refuses either if it is invalid."""
    findings = shape.Findings()
    check_handoff(handoff, "$.handoff", findings)
    _OUTCOME.check(outcome, "$.outcome", findings)
    _check_status(outcome, "$.outcome", findings)
    findings.refuse()
    blocks: Json = outcome
    reported = {name: blocks[name] for name in _CORE}
    reported["evaluation"] = {
        name: _filled(blocks.get(name), members) for name, members in _BLOCKS.items()
    }
    if "worldState" in blocks:
        reported["worldState"] = _filled(blocks["worldState"], _WORLD_STATE)
    given: Json = handoff
    echoed = {name: given[name] for name in ECHOED}
    return _assembled(shape.plain_value(echoed), shape.plain_value(reported))


def engine_result(
    handoff: Json,
    status: str,
    reason: str,
    *,
    preconditions: Block | None = None,
    stale_check: Block | None = None,
    duplicate_of: str | None = None,
    world_state: Block | None = None,
) -> dict[str, Json]:
    """`build_result` without checks, for a valid handoff in plain JSON types and an outcome of our
    own engines. A check that was not made gets the contract's defaults."""
    verdict = STATUSES[status]
    duplicate = {
        "evaluated": True,
        "duplicate": duplicate_of is not None,
        "duplicateOf": duplicate_of,
    }
    reported = {
        "status": status,
        "accepted": verdict.accepted,
        "executed": verdict.executed,
        "reasonCode": reason,
        "evaluation": {
            "preconditions": preconditions or _filled(None, _BLOCKS["preconditions"]),
            "staleCheck": stale_check or _filled(None, _BLOCKS["staleCheck"]),
            "duplicateCheck": duplicate,
        },
    }
    if world_state is not None:
        reported["worldState"] = world_state
    return _assembled(handoff, reported)


def _assembled(handoff: Json, reported: Block) -> dict[str, Json]:
    """Put a result together from a valid handoff and a reported outcome, both in plain values."""
    echoed = {name: handoff[name] for name in ECHOED}
    name = content_id(ID_PREFIX, {"handoffId": echoed["handoffId"], **reported})
    return {"schemaVersion": SCHEMA_VERSION, "resultId": name, **echoed, **reported}


def _filled(block: Json, members: Mapping[str, shape.Rule]) -> dict[str, Json]:
    """The block with all its members; one that is missing or null gets its default."""
    given = block or {}
    return {
        name: shape.plain_value(_DEFAULTS.get(type(rule)))
        if given.get(name) is None
        else given[name]
        for name, rule in members.items()
    }
