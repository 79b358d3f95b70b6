"""From a handoff and what the world holds to a result, and the town that follows.

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

from typing import NamedTuple

from thorp.kernel.canonical import Json
from thorp.town.embedded.actions import RuleRefused, apply_action
from thorp.town.embedded.answers import Block, answer, failure, guards_checked, state_compared
from thorp.town.embedded.guards import failed_guards
from thorp.town.embedded.projection import town_hash
from thorp.town.embedded.town import Happening, Town, check_town, decode, encode
from thorp.town.proposal import target_of


class KeptTown(NamedTuple):
    """A town as it is kept: its text, the day, and the hash of its snapshot."""

    text: str
    day: int
    hash: str


class Receipt(NamedTuple):
    """What an accepted handoff left behind."""

    content: str
    """The digest of the handoff's canonical text."""
    result_id: str


class Judgement(NamedTuple):
    """The answer; and where the handoff was accepted, the town that follows and what happened in it."""

    result: dict[str, Json]
    town: KeptTown | None = None
    happenings: list[Happening] = []  # noqa: RUF012  (never changed)

    @property
    def accepted(self) -> bool:
        return bool(self.result["accepted"])


def kept(town: Town) -> KeptTown:
    """A town made ready to be kept. Refuses one that cannot be, with `BrokenTown`."""
    check_town(town)
    return KeptTown(encode(town), town.day, town_hash(town))


def judge(handoff: Json, content: str, receipt: Receipt | None, town: KeptTown | None) -> Judgement:
    """Judge a valid handoff whose canonical text has the digest `content`."""
    if receipt is not None:
        return Judgement(_answer_used_key(handoff, content, receipt))
    if town is None:
        return Judgement(answer(handoff, "rejected", "UNKNOWN_TOWN"))
    reason = _stale_reason(handoff, town)
    stale = state_compared(town.day, town.hash, passed=reason is None)
    if reason is not None:
        return Judgement(answer(handoff, "stale", reason, stale=stale))
    state = decode(town.text)
    failures = failed_guards(handoff["executionRequirements"]["preconditions"], state)
    if failures:
        unmet = guards_checked(failures, passed=False)
        return Judgement(answer(handoff, "rejected", "PRECONDITION_FAILED", stale=stale, guards=unmet))
    return _execute(handoff, state, stale)


def _execute(handoff: Json, town: Town, stale: Block) -> Judgement:
    """Apply a handoff that passed every check, to a town that nobody else holds."""
    proposal = handoff["proposal"]
    try:
        happenings = apply_action(town, proposal["type"], target_of(proposal))
        after = kept(town)
    except RuleRefused as refusal:
        told = _passed_but(refusal.code, refusal.message)
        return Judgement(answer(handoff, "rejected", "RULE_REFUSED", stale=stale, guards=told))
    except Exception as defect:
        told = _passed_but("apply_failed", f"{type(defect).__name__}: {defect}")
        return Judgement(answer(handoff, "failed", "APPLY_FAILED", stale=stale, guards=told))
    guards = guards_checked([], passed=True)
    world = {"postExecutionSnapshotHash": after.hash, "postExecutionDecisionEpoch": after.day}
    result = answer(handoff, "executed", "EXECUTED", stale=stale, guards=guards, after=world)
    return Judgement(result, after, happenings)


def _passed_but(kind: str, detail: str) -> Block:
    """The preconditions were met, and something else was not."""
    return guards_checked([failure(kind, detail)], passed=True)


def _answer_used_key(handoff: Json, content: str, receipt: Receipt) -> dict[str, Json]:
    if content != receipt.content:
        return answer(handoff, "rejected", "KEY_CONFLICT")
    return answer(handoff, "duplicate", "DUPLICATE_HANDOFF", duplicate_of=receipt.result_id)


def _stale_reason(handoff: Json, town: KeptTown) -> str | None:
    expected = handoff["executionRequirements"]
    if expected["expectedDecisionEpoch"] != town.day:
        return "STALE_DECISION_EPOCH"
    return None if expected["expectedSnapshotHash"] == town.hash else "STALE_SNAPSHOT_HASH"
