"""The interface of a world of towns, and the judge of handoffs that all our worlds share.

A world shows a town (`snapshot.v1`) and takes handoffs (`execution-handoff.v1`), which it answers
with results (`execution-result.v1`). `docs/town-engine.md` has the order of the checks. Only
`executed` and `failed` accept a handoff, so only they leave a receipt; any other is judged afresh
when it comes again. The proposal is executed from its members. Its command text is never parsed.
"""

from collections.abc import Callable, Container, Sequence
from typing import Final, NamedTuple, Protocol, runtime_checkable

from thorp.kernel.canonical import Json, canonical_text
from thorp.kernel.errors import IllegalError, UnknownError
from thorp.town.proposal import ACTIONS, target_of
from thorp.town.result import Block, engine_result

_FOCUSES: Final = ACTIONS["SALVAGE_PLAN"].targets
_TALK_TYPES: Final = ACTIONS["TOWNSFOLK_TALK"].targets


class UnknownTown(UnknownError):
    """There is no town of that id in this world."""

    code = "unknown_town"

    def __init__(self, town_id: str) -> None:
        super().__init__(
            f"there is no town {town_id!r} here; `god town list` names those there are"
        )


@runtime_checkable
class TownWorld(Protocol):
    """The interface of an authoritative world of towns."""

    def snapshot(self, town_id: str) -> dict[str, Json]:
        """The town as it is now. Reads only; two calls without a change between them are equal.
        Refuses an unknown town with `UnknownTown`."""

    def execute(self, handoff: object) -> dict[str, Json]:
        """The result of a handoff, durable before it is returned.

        Executes an accepted key once; the same handoff again is a duplicate of the first answer. A
        handoff that was not accepted is judged afresh when it comes again. Refuses a malformed or
        forged one with a `ContractError`, and then nothing has changed.
        """


class RuleRefused(IllegalError):
    """Well formed, and against the town's rules as things stand. `code` names the rule."""

    code = "rule"


class Receipt(NamedTuple):
    """The trace of an accepted handoff, by which it is recognised when it comes again."""

    content: str  # The digest of the handoff's canonical text.
    result_id: str


class TownVersion(NamedTuple):
    """The state of a town as a handoff names it: the day, and the hash of its snapshot."""

    day: int
    hash: str
    contract: str | None = None
    """The contract that the executed command posted, where a world has contracts."""


class Standing(NamedTuple):
    """The facts about a town that preconditions are checked against."""

    has_mission: bool
    quest_ids: Container[str]
    project_ids: Container[str]


class TownUnderJudgement(Protocol):
    """A town as the judge uses it: two questions about it, and the one change."""

    @property
    def version(self) -> TownVersion:
        """The version that a handoff must have been made for."""

    def standing(self) -> Standing:
        """The facts that preconditions are checked against."""

    def apply(self, action_type: str, target: str) -> TownVersion:
        """Execute the action, and return the version of the town afterwards. An exception means
        that nothing has changed: `RuleRefused` if the rules do not allow the action, anything else
        if they fail."""


def judge(
    handoff: Json, content: str, receipt: Receipt | None, town: TownUnderJudgement | None
) -> dict[str, Json]:
    """The result of a valid handoff whose canonical text has the digest `content`.

    The checks run from what never changes to what may: a used key is answered as it was, even if
    its town has gone or has changed since; then the town must exist, must be the one that the
    governor saw, must meet the preconditions, and its rules must allow the action.
    """
    if receipt is not None and content != receipt.content:
        return engine_result(handoff, "rejected", "KEY_CONFLICT")
    if receipt is not None:
        return engine_result(
            handoff, "duplicate", "DUPLICATE_HANDOFF", duplicate_of=receipt.result_id
        )
    if town is None:
        return engine_result(handoff, "rejected", "UNKNOWN_TOWN")
    version = town.version
    expected = handoff["executionRequirements"]
    stale_reason = _stale_reason(expected, version)
    stale_check: Block = {
        "evaluated": True,
        "passed": stale_reason is None,
        "actualSnapshotHash": version.hash,
        "actualDecisionEpoch": version.day,
    }
    if stale_reason is not None:
        return engine_result(handoff, "stale", stale_reason, stale_check=stale_check)
    if failures := unmet_preconditions(expected["preconditions"], town.standing()):
        guards = _guards(*failures, passed=False)
        return engine_result(
            handoff,
            "rejected",
            "PRECONDITION_FAILED",
            preconditions=guards,
            stale_check=stale_check,
        )
    return _execute(handoff, town, stale_check)


def _stale_reason(expected: Json, version: TownVersion) -> str | None:
    """Why a handoff was made for another state of the town; None if it was made for this one.

    The day is part of the snapshot, so a new day changes the hash too; of the two reasons the day
    says more to a governor.
    """
    if expected["expectedDecisionEpoch"] != version.day:
        return "STALE_DECISION_EPOCH"
    if expected["expectedSnapshotHash"] != version.hash:
        return "STALE_SNAPSHOT_HASH"
    return None


def _execute(handoff: Json, town: TownUnderJudgement, stale_check: Block) -> dict[str, Json]:
    """Let the town's own rules decide, and change the town if they allow the action."""

    def answer(
        status: str, reason: str, guards: Block, world_state: Block | None = None
    ) -> dict[str, Json]:
        return engine_result(
            handoff,
            status,
            reason,
            preconditions=guards,
            stale_check=stale_check,
            world_state=world_state,
        )

    proposal = handoff["proposal"]
    try:
        after = town.apply(proposal["type"], target_of(proposal))
    except RuleRefused as refusal:
        failure = {"kind": refusal.code, "detail": refusal.message}
        return answer("rejected", "RULE_REFUSED", _guards(failure))
    except Exception as defect:  # a fault of the rules: the key is used up, and the town unchanged
        failure = {"kind": "apply_failed", "detail": f"{type(defect).__name__}: {defect}"}
        return answer("failed", "APPLY_FAILED", _guards(failure))
    world_state: Block = {
        "postExecutionSnapshotHash": after.hash,
        "postExecutionDecisionEpoch": after.day,
    }
    if after.contract is not None:
        world_state["contractId"] = after.contract
    return answer("executed", "EXECUTED", _guards(), world_state)


def _guards(*failures: Block, passed: bool = True) -> Block:
    """The block `preconditions` of a result. If all of them were met, a failure in it names what
    else prevented the action."""
    return {"evaluated": True, "passed": passed, "failures": list(failures)}


_PRECONDITIONS: Final[dict[str, tuple[str, Callable[[Standing], Container[str]], str]]] = {
    "side_quest_exists": ("targetId", lambda town: town.quest_ids, "Missing side quest"),
    "project_exists": ("targetId", lambda town: town.project_ids, "Missing project"),
    "salvage_focus_supported": ("expected", lambda _: _FOCUSES, "Unsupported salvage focus"),
    "talk_type_supported": ("expected", lambda _: _TALK_TYPES, "Unsupported talk type"),
}
"""By kind: the member of the precondition, the values it may have, and the complaint about any
other. The complaint is hashed with the result, so its text is part of the interface."""


def unmet_preconditions(preconditions: Sequence[Json], town: Standing) -> list[Block]:
    """Every precondition that is not met, in order, with what is missing. One of an unknown kind
    counts as not met, because nobody can tell whether it is."""
    unmet = [(each["kind"], _complaint(each, town)) for each in preconditions]
    return [{"kind": kind, "detail": detail} for kind, detail in unmet if detail is not None]


def _complaint(precondition: Json, town: Standing) -> str | None:
    """What is missing for a precondition, or None if it is met."""
    kind = precondition["kind"]
    if kind == "mission_absent":
        return "Mission is already active" if town.has_mission else None
    if kind not in _PRECONDITIONS:
        return "Unsupported precondition kind"
    member, allowed, complaint = _PRECONDITIONS[kind]
    value = precondition.get(member)
    if value in allowed(town):
        return None
    if member not in precondition:
        value = "undefined"  # as the original's text has it
    return f"{complaint}: {value if isinstance(value, str) else canonical_text(value)}"
