"""Decides what a governor proposes: a snapshot and a profile in, one `proposal.v2` out.

`docs/town.md` explains how: offers become candidates, memory lowers their scores, and the first of
the ranking is taken unless the policy has a chooser. The caller keeps the memory. In an inspection,
`candidates`, `selectedProposal`, `command` and `reasoning` are those of the original's
`decision-inspection.v1`; `explanation` is ours.
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ROOT, ContractError, contract_error
from thorp.kernel.numbers import as_double
from thorp.town import document_shape as shape
from thorp.town.cognition.policy import (
    MISSION,
    Candidate,
    Choice,
    Offer,
    Option,
    Policy,
    Situation,
    event_signals,
)
from thorp.town.cognition.ranked import RANKED
from thorp.town.cognition.simple import SIMPLE
from thorp.town.collation import collated
from thorp.town.profile import read_profile
from thorp.town.proposal import ACTIONS, TYPE_ORDER, ProposalOrigin, mapped_command, new_proposal
from thorp.town.snapshot import Snapshot, read_snapshot

PENALTY = 0.1  # What a candidate loses for each repetition.

_MEMORY_SHAPE = shape.Object(
    required={},
    optional={
        "lastType": shape.OrNull(shape.Text(may_be_empty=True)),
        "lastTarget": shape.OrNull(shape.Text(may_be_empty=True)),
        "repeatCount": shape.OrNull(shape.Number()),
    },
    others=shape.Others.IGNORED,
)

BUILT_IN_POLICIES: Mapping[str, Policy] = {policy.name: policy for policy in (RANKED, SIMPLE)}

SCHEMA_VERSION = "decision-inspection.v1"

_priority = attrgetter("priority")


class Memory(NamedTuple):
    """What a governor did last, and how many times in a row."""

    last_type: str = ""
    last_target: str = ""
    repeats: float = 1

    def penalty(self, action_type: str, target: str) -> float:
        """What a candidate of this type and target loses because it was chosen last time."""
        if not self.last_type or action_type != self.last_type:
            return 0
        if self.last_target and target != self.last_target:
            return 0
        return PENALTY * self.repeats


NO_MEMORY = Memory()


def read_memory(value: object, findings: shape.Findings, path: str = ROOT) -> Memory:
    """Read the memory that a caller hands in. A count that is absent, null or below one counts as
    one repetition."""
    if value is None:
        return NO_MEMORY
    before = len(findings)
    _MEMORY_SHAPE.check(value, path, findings)
    if len(findings) > before or not isinstance(value, Mapping):
        return NO_MEMORY
    return Memory(
        shape.plain_text(value.get("lastType") or ""),
        shape.plain_text(value.get("lastTarget") or ""),
        max(1, as_double(value.get("repeatCount") or 1)),
    )


class Decision(msgspec.Struct, frozen=True, gc=False):
    """A decision with everything that led to it."""

    situation: Situation
    snapshot_hash: str
    policy: Policy
    memory: Memory
    offers: Sequence[Offer]
    candidates: Sequence[Candidate]  # Best first; there is at least one.
    chosen: Candidate
    choice: Choice | None = None  # What the policy's chooser came to, if it has one.


class _Question(msgspec.Struct, frozen=True, gc=False):
    """The inputs of a decision, read and valid."""

    situation: Situation
    snapshot_hash: str
    policy: Policy
    memory: Memory


def _read_question(
    snapshot: object, profile: object, memory: object, policy: str | Policy
) -> _Question:
    """Read the inputs of a decision. Refuses invalid ones, with every violation of all of them."""
    findings = shape.Findings()
    town = read_snapshot(snapshot, findings, "$.snapshot")
    governor = read_profile(profile, findings, "$.profile")
    remembered = NO_MEMORY if memory is None else read_memory(memory, findings, "$.memory")
    chosen = BUILT_IN_POLICIES.get(policy) if isinstance(policy, str) else policy
    if not isinstance(chosen, Policy):
        names = " or ".join(BUILT_IN_POLICIES)
        findings.add("enum", "$.policy", f"expected {names} or a Policy, got {shape.quote(policy)}")
    if town is not None and governor is not None and governor.townId != town.content.townId:
        expected = f"expected the town of the snapshot, {shape.quote(town.content.townId)}"
        findings.add("town_mismatch", "$.profile.townId", expected)
    if findings or town is None or governor is None or not isinstance(chosen, Policy):
        raise ContractError(findings)
    return _Question(Situation(town.content, governor), town.hash, chosen, remembered)


def decide(snapshot: object, profile: object, memory: object, policy: str | Policy) -> Decision:
    """Decide what a governor would do, and keep everything that led to it. Refuses invalid
    input."""
    return _decide(_read_question(snapshot, profile, memory, policy))


def _decide(question: _Question) -> Decision:
    """Weigh the offers and take the first candidate, or the one that the policy's chooser takes. If
    that leaves the decision, it is made by `ranked` alone, as if there were no chooser."""
    situation = question.situation
    policy = question.policy
    offers, candidates = _weigh(policy, situation, question.memory)
    place = 0
    choice = None
    if policy.choose is not None:
        choice = _vetted_choice(policy.choose(situation, candidates), len(candidates), policy.name)
        if choice.place is None:
            offers, candidates = _weigh(RANKED, situation, question.memory)
        place = choice.place or 0
    return Decision(
        situation=situation,
        snapshot_hash=question.snapshot_hash,
        policy=policy,
        memory=question.memory,
        offers=offers,
        candidates=candidates,
        chosen=candidates[place],
        choice=choice,
    )


def _weigh(
    policy: Policy, situation: Situation, memory: Memory
) -> tuple[Sequence[Offer], list[Candidate]]:
    """The offers of a policy, and the candidates among them, best first."""
    offers = policy.offers(situation)
    if BUILT_IN_POLICIES.get(policy.name) is not policy:
        offers = _vetted(offers, situation.snapshot, policy.name)
    candidates = []
    for offer in offers:
        if offer.score > 0:
            penalty = memory.penalty(offer.type, offer.target)
            candidates.append(Candidate(offer, penalty, max(0, offer.score - penalty)))
    # Offers come in the order of types and targets, and sorting keeps that among equal priorities.
    candidates.sort(key=_priority, reverse=True)
    return offers, candidates


def _vetted(offers: Sequence[Offer], snapshot: Snapshot, policy: str) -> list[Offer]:
    """The offers of an installed policy, sorted by type and target. Refuses what no policy may
    offer."""
    if not isinstance(offers, (list, tuple)):
        raise contract_error(
            "policy",
            "$.policy",
            f"{policy} gave {shape.quote(offers)} instead of a list of offers",
        )
    findings = shape.Findings()
    for offer in offers:
        if fault := _fault(offer, snapshot):
            findings.add("policy", "$.policy", f"{policy} {fault}")
    findings.refuse()
    if len({(offer.type, offer.target) for offer in offers}) < len(offers):
        raise contract_error("policy", "$.policy", f"{policy} made one offer twice")
    if not any(offer.score > 0 for offer in offers):
        raise contract_error("policy", "$.policy", f"{policy} offered nothing")
    targets = list(dict.fromkeys(offer.target for offer in offers))
    places = {target: place for place, target in enumerate(collated(targets, targets))}
    return sorted(offers, key=lambda offer: (TYPE_ORDER[offer.type], places[offer.target]))


def _fault(offer: object, snapshot: Snapshot) -> str:
    """What is wrong with an offer, to follow the policy's name in a message; empty if nothing
    is."""
    if not isinstance(offer, Offer) or offer.type not in ACTIONS:
        return f"offered {shape.quote(offer)}, which is not an action"
    if isinstance(offer.score, bool) or not isinstance(offer.score, (int, float)):
        return f"scored {offer.type} with {shape.quote(offer.score)}"
    if not 0 <= offer.score <= 1:
        return f"scored {offer.type} {shape.quote(offer.score)}, outside 0 to 1"
    things = snapshot.sideQuests if offer.type == MISSION else snapshot.projects
    targets = ACTIONS[offer.type].targets or [thing.id for thing in things]
    if offer.score > 0 and offer.target not in targets:
        return f"offered {offer.type} for {shape.quote(offer.target)}, which is not a target"
    if not all(isinstance(tag, str) for tag in offer.tags):
        return f"tagged {offer.type} with something else than strings"
    return ""


def _vetted_choice(choice: Choice, candidates: int, policy: str) -> Choice:
    if not isinstance(choice, Choice) or (
        choice.place is not None and type(choice.place) is not int
    ):
        raise contract_error(
            "policy", "$.policy", f"{policy} gave {shape.quote(choice)} instead of a choice"
        )
    if choice.place is not None and not 0 <= choice.place < candidates:
        raise contract_error(
            "policy", "$.policy", f"{policy} chose a candidate that does not exist"
        )
    return choice


def propose(
    snapshot: object, profile: object, memory: object = None, *, policy: str | Policy = "ranked"
) -> dict[str, Json]:
    """The proposal of one governor. Refuses invalid input, with every violation of all of it."""
    question = _read_question(snapshot, profile, memory, policy)
    chosen = question.policy
    # The usual case needs no list of candidates, and none is made: proposals are asked for by the
    # thousand.
    if question.memory is NO_MEMORY and BUILT_IN_POLICIES.get(chosen.name) is chosen:
        offer = _best(chosen.offers(question.situation))
        return _proposal(question.situation, question.snapshot_hash, offer, offer.score)
    return proposal_of(_decide(question))


def _best(offers: Sequence[Offer]) -> Offer:
    """The offer that `_weigh` would put first if nothing is remembered. A built-in policy makes
    two: the role's own, which comes first among equals, and a talk, which is always possible."""
    own, talk = offers
    return own if own.score >= talk.score else talk


def proposal_of(decision: Decision) -> dict[str, Json]:
    """The `proposal.v2` of a decision."""
    chosen = decision.chosen
    return _proposal(decision.situation, decision.snapshot_hash, chosen.offer, chosen.priority)


def _proposal(
    situation: Situation, snapshot_hash: str, offer: Offer, priority: float
) -> dict[str, Json]:
    snapshot = situation.snapshot
    profile = situation.profile
    return new_proposal(
        ProposalOrigin(snapshot_hash, snapshot.day, snapshot.townId, profile.id),
        offer.type,
        offer.target,
        priority=priority,
        reason=ACTIONS[offer.type].reason(profile.traits, snapshot.pressure),
        tags=list(offer.tags),
    )


def inspect_decision(
    snapshot: object, profile: object, memory: object = None, *, policy: str | Policy = "ranked"
) -> dict[str, Json]:
    """Explain the decision that `propose` makes from the same input. Refuses what `propose`
    refuses."""
    decision = decide(snapshot, profile, memory, policy)
    proposal = proposal_of(decision)
    return {
        "schemaVersion": SCHEMA_VERSION,
        "candidates": [
            {
                "rank": rank,
                "selected": candidate is decision.chosen,
                "type": candidate.offer.type,
                "priority": candidate.priority,
                "targetId": candidate.offer.target,
                "reasonTags": list(candidate.offer.tags),
            }
            for rank, candidate in enumerate(decision.candidates, start=1)
        ],
        "selectedProposal": proposal,
        "command": mapped_command(proposal),
        "reasoning": {
            "reason": proposal["reason"],
            "reasonTags": list(proposal["reasonTags"]),
            "preconditions": [dict(precondition) for precondition in proposal["preconditions"]],
        },
        "explanation": _explanation(decision),
    }


def _explanation(decision: Decision) -> dict[str, Json]:
    last_type, last_target, repeats = decision.memory
    choice = {} if decision.choice is None else {"choice": dict(decision.choice.report)}
    return {
        "policy": decision.policy.name,
        **choice,
        "eventSignals": event_signals(decision.situation.snapshot.latestNetherEvent),
        "memory": {
            "lastType": last_type or None,
            "lastTarget": last_target or None,
            "repeats": repeats,
        },
        "decidedBy": _decider(decision),
        "offers": [_offer(offer, decision) for offer in decision.offers],
    }


def _decider(decision: Decision) -> str:
    """What put the first candidate before the second: `priority`, or the order that breaks ties; or
    that a chooser decided."""
    if decision.choice is not None and decision.choice.place is not None:
        return "choice"
    if len(decision.candidates) == 1:
        return "only_candidate"
    first, second = decision.candidates[:2]
    if first.priority != second.priority:
        return "priority"
    return "type_order" if first.offer.type != second.offer.type else "target_order"


def _offer(offer: Offer, decision: Decision) -> dict[str, Json]:
    options = offer.options(decision.situation)
    explained: dict[str, Json] = {
        "type": offer.type,
        "options": [_option(option) for option in options],
    }
    candidate = next(
        (candidate for candidate in decision.candidates if candidate.offer is offer), None
    )
    if candidate is None:
        return {**explained, "withheld": offer.withheld or "score_is_zero"}
    rivals = [option for option in options if option.score == offer.score and not option.skipped]
    return {
        **explained,
        "targetId": offer.target,
        "score": offer.score,
        "memoryPenalty": candidate.penalty,
        "priority": candidate.priority,
        "chosenBy": "score" if len(rivals) < 2 else "lowest_id",
    }


def _option(option: Option) -> dict[str, Json]:
    if option.skipped:
        return {"targetId": option.target, "skipped": option.skipped}
    return {"targetId": option.target, "score": option.score, "parts": dict(option.parts)}
