"""The interface of a world of towns, and how every world of ours judges a handoff.

A world shows a town (`snapshot.v1`) and takes handoffs (`execution-handoff.v1`), which it answers
with what became of them (`execution-result.v1`). `docs/town-engine.md` has the order of the checks.
Only `executed` and `failed` accept, so only they leave a receipt; the others are judged afresh when
they come again. The proposal is executed from its members. Its command text is never read.
"""

from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import Final, NamedTuple, Protocol, runtime_checkable

from thorp.kernel.canonical import Json, canonical_text
from thorp.kernel.errors import IllegalError, UnknownError
from thorp.town.proposal import ACTIONS, target_of
from thorp.town.result import Block, engine_result

_FOCUSES = ACTIONS["SALVAGE_PLAN"].targets
_TALK_TYPES = ACTIONS["TOWNSFOLK_TALK"].targets


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
    """What is kept of an accepted handoff, to recognise it when it comes again."""

    content: str  # The digest of the handoff's canonical text.
    result_id: str


class Seen(NamedTuple):
    """A town as a governor sees it: the day, and the hash of its snapshot."""

    day: int
    hash: str
    contract: str | None = None
    """The contract that a command has posted, where a world has contracts."""


class Standing(NamedTuple):
    """The facts about a town that preconditions are checked against."""

    has_mission: bool
    quest_ids: Container[str]
    project_ids: Container[str]


class TownUnderJudgement(Protocol):
    """A town as the judge uses it: questions about it, and the one change."""

    @property
    def seen(self) -> Seen:
        """What handoffs are compared with."""

    def standing(self) -> Standing:
        """What preconditions are held against."""

    def apply(self, action_type: str, target: str) -> Seen:
        """Execute the action, and say how the town is seen afterwards. An exception means that
        nothing has changed: `RuleRefused` if the rules do not allow the action, anything else if
        they fail."""


def judge(
    handoff: Json, content: str, receipt: Receipt | None, town: TownUnderJudgement | None
) -> dict[str, Json]:
    """The result of a valid handoff whose canonical text has the digest `content`."""
    if receipt is not None and content != receipt.content:
        return engine_result(handoff, "rejected", "KEY_CONFLICT")
    if receipt is not None:
        return engine_result(
            handoff, "duplicate", "DUPLICATE_HANDOFF", duplicate_of=receipt.result_id
        )
    if town is None:
        return engine_result(handoff, "rejected", "UNKNOWN_TOWN")
    seen = town.seen
    expected = handoff["executionRequirements"]
    stale: Block = {"evaluated": True, "passed": False}
    stale |= {"actualSnapshotHash": seen.hash, "actualDecisionEpoch": seen.day}
    answer = partial(engine_result, handoff, stale_check=stale)
    if expected["expectedDecisionEpoch"] != seen.day:
        return answer("stale", "STALE_DECISION_EPOCH")
    if expected["expectedSnapshotHash"] != seen.hash:
        return answer("stale", "STALE_SNAPSHOT_HASH")
    stale["passed"] = True
    if failures := unmet_preconditions(expected["preconditions"], town.standing()):
        return answer(
            "rejected", "PRECONDITION_FAILED", preconditions=_guards(*failures, passed=False)
        )
    proposal = handoff["proposal"]
    try:
        after = town.apply(proposal["type"], target_of(proposal))
    except RuleRefused as refusal:
        guards = _guards({"kind": refusal.code, "detail": refusal.message})
        return answer("rejected", "RULE_REFUSED", preconditions=guards)
    except Exception as defect:
        guards = _guards({"kind": "apply_failed", "detail": f"{type(defect).__name__}: {defect}"})
        return answer("failed", "APPLY_FAILED", preconditions=guards)
    world: Block = {
        "postExecutionSnapshotHash": after.hash,
        "postExecutionDecisionEpoch": after.day,
    }
    if after.contract is not None:
        world["contractId"] = after.contract
    return answer("executed", "EXECUTED", preconditions=_guards(), world_state=world)


def _guards(*failures: Block, passed: bool = True) -> Block:
    """The report on the preconditions. If all were met, a failure says what else stood in the
    way."""
    return {"evaluated": True, "passed": passed, "failures": list(failures)}


# A precondition of a kind that is not in the table counts as not met, because nobody can tell
# whether it is. The details are part of a result's id, so their text is part of the interface.

_PRECONDITIONS: Final[dict[str, tuple[str, Callable[[Standing], Container[str]], str]]] = {
    "side_quest_exists": ("targetId", lambda town: town.quest_ids, "Missing side quest"),
    "project_exists": ("targetId", lambda town: town.project_ids, "Missing project"),
    "salvage_focus_supported": ("expected", lambda _: _FOCUSES, "Unsupported salvage focus"),
    "talk_type_supported": ("expected", lambda _: _TALK_TYPES, "Unsupported talk type"),
}
"""By kind: the member of the precondition, its allowed values, and the complaint about another."""


def unmet_preconditions(preconditions: Sequence[Json], town: Standing) -> list[Block]:
    """Every precondition that is not met, in order, with what is missing."""
    unmet = [(each["kind"], _unmet(each, town)) for each in preconditions]
    return [{"kind": kind, "detail": detail} for kind, detail in unmet if detail is not None]


def _unmet(precondition: Json, town: Standing) -> str | None:
    kind = precondition["kind"]
    if kind == "mission_absent":
        return "Mission is already active" if town.has_mission else None
    if kind not in _PRECONDITIONS:
        return "Unsupported precondition kind"
    member, among, complaint = _PRECONDITIONS[kind]
    value = precondition.get(member)
    if value in among(town):
        return None
    if member not in precondition:
        value = "undefined"  # as the original's text has it
    return f"{complaint}: {value if isinstance(value, str) else canonical_text(value)}"
