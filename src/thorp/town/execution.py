"""From a handoff and what a world holds to a result. Every world of ours judges in this order.

    validated → key used?  ── same content ──→ duplicate           (the prior result is named)
                           ── other content ─→ rejected  KEY_CONFLICT
              → town known? ─── no ──────────→ rejected  UNKNOWN_TOWN
              → same day, same hash? ─ no ───→ stale     STALE_DECISION_EPOCH, STALE_SNAPSHOT_HASH
              → preconditions met? ── no ────→ rejected  PRECONDITION_FAILED
              → rules allow it? ───── no ────→ rejected  RULE_REFUSED
              → applied ─────────── fails ───→ failed    APPLY_FAILED    (uses the key, changes nothing)
                                    done ────→ executed  EXECUTED        (uses the key)

Only the last two accept, so only they leave a receipt; the others are judged afresh when they come again. The
proposal is executed from its members. Its command text is never read.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError
from thorp.town.fast_results import Block, answer, failure, guards_checked, state_compared
from thorp.town.preconditions import Standing, failed_guards
from thorp.town.proposal import target_of


class RuleRefused(IllegalError):
    """Well formed, and against the town's rules as things stand. `code` names the rule."""

    code = "rule"


class Receipt(NamedTuple):
    """What an accepted handoff left behind."""

    content: str
    """The digest of the handoff's canonical text."""
    result_id: str


class Seen(NamedTuple):
    """A town as a governor sees it: the day, and the hash of its snapshot."""

    day: int
    hash: str
    contract: str | None = None
    """The contract that a command has posted, where a world has contracts."""


class Bench(Protocol):
    """A town before its judge."""

    @property
    def seen(self) -> Seen:
        """What handoffs are compared with."""

    def standing(self) -> Standing:
        """What preconditions are held against."""

    def apply(self, action_type: str, target: str) -> Seen:
        """Do it, and say how the town is seen from then on. Whatever is raised, nothing has changed: a
        `RuleRefused` where the rules do not allow it, anything else where they fail."""


def judge(handoff: Json, content: str, receipt: Receipt | None, town: Bench | None) -> dict[str, Json]:
    """The result of a valid handoff whose canonical text has the digest `content`."""
    if receipt is not None:
        return _answer_used_key(handoff, content, receipt)
    if town is None:
        return answer(handoff, "rejected", "UNKNOWN_TOWN")
    seen = town.seen
    reason = _stale_reason(handoff, seen)
    stale = state_compared(seen.day, seen.hash, passed=reason is None)
    if reason is not None:
        return answer(handoff, "stale", reason, stale=stale)
    failures = failed_guards(handoff["executionRequirements"]["preconditions"], town.standing())
    if failures:
        unmet = guards_checked(failures, passed=False)
        return answer(handoff, "rejected", "PRECONDITION_FAILED", stale=stale, guards=unmet)
    return _execute(handoff, town, stale)


def _execute(handoff: Json, town: Bench, stale: Block) -> dict[str, Json]:
    """Apply a handoff that passed every check."""
    proposal = handoff["proposal"]
    try:
        after = town.apply(proposal["type"], target_of(proposal))
    except RuleRefused as refusal:
        told = _passed_but(refusal.code, refusal.message)
        return answer(handoff, "rejected", "RULE_REFUSED", stale=stale, guards=told)
    except Exception as defect:
        told = _passed_but("apply_failed", f"{type(defect).__name__}: {defect}")
        return answer(handoff, "failed", "APPLY_FAILED", stale=stale, guards=told)
    guards = guards_checked([], passed=True)
    world: Block = {"postExecutionSnapshotHash": after.hash, "postExecutionDecisionEpoch": after.day}
    if after.contract is not None:
        world["contractId"] = after.contract
    return answer(handoff, "executed", "EXECUTED", stale=stale, guards=guards, after=world)


def _passed_but(kind: str, detail: str) -> Block:
    """The preconditions were met, and something else was not."""
    return guards_checked([failure(kind, detail)], passed=True)


def _answer_used_key(handoff: Json, content: str, receipt: Receipt) -> dict[str, Json]:
    if content != receipt.content:
        return answer(handoff, "rejected", "KEY_CONFLICT")
    return answer(handoff, "duplicate", "DUPLICATE_HANDOFF", duplicate_of=receipt.result_id)


def _stale_reason(handoff: Json, seen: Seen) -> str | None:
    expected = handoff["executionRequirements"]
    if expected["expectedDecisionEpoch"] != seen.day:
        return "STALE_DECISION_EPOCH"
    return None if expected["expectedSnapshotHash"] == seen.hash else "STALE_SNAPSHOT_HASH"
