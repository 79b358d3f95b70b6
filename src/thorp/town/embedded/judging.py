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
from thorp.town.embedded.answers import Duplicate, Failure, Guards, Stale, WorldState, answer
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
    stale = Stale(town.day, town.hash, evaluated=True, passed=reason is None)
    if reason is not None:
        return Judgement(answer(handoff, "stale", reason, stale=stale))
    state = decode(town.text)
    failures = failed_guards(handoff["executionRequirements"]["preconditions"], state)
    if failures:
        unmet = Guards(evaluated=True, failures=failures, passed=False)
        return Judgement(answer(handoff, "rejected", "PRECONDITION_FAILED", stale=stale, guards=unmet))
    return _execute(handoff, state, stale)


def _execute(handoff: Json, town: Town, stale: Stale) -> Judgement:
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
    guards, world = Guards(evaluated=True, passed=True), WorldState(after.day, after.hash)
    result = answer(handoff, "executed", "EXECUTED", stale=stale, guards=guards, after=world)
    return Judgement(result, after, happenings)


def _passed_but(kind: str, detail: str) -> Guards:
    """The preconditions were met, and something else was not."""
    return Guards(evaluated=True, failures=[Failure(detail, kind)], passed=True)


def _answer_used_key(handoff: Json, content: str, receipt: Receipt) -> dict[str, Json]:
    if content != receipt.content:
        return answer(handoff, "rejected", "KEY_CONFLICT")
    again = Duplicate(duplicate=True, duplicateOf=receipt.result_id)
    return answer(handoff, "duplicate", "DUPLICATE_HANDOFF", duplicate=again)


def _stale_reason(handoff: Json, town: KeptTown) -> str | None:
    expected = handoff["executionRequirements"]
    if expected["expectedDecisionEpoch"] != town.day:
        return "STALE_DECISION_EPOCH"
    return None if expected["expectedSnapshotHash"] == town.hash else "STALE_SNAPSHOT_HASH"
