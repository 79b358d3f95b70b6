"""`inspect_decision`: the same decision, with everything that went into it.

`candidates`, `selectedProposal`, `command` and `reasoning` are those of the original's
`decision-inspection.v1`. `explanation` is ours: every offer of the policy, each target that was weighed
with the parts of its score, what memory took, and which tie-break or chooser decided.
"""

from thorp.kernel.canonical import Json
from thorp.town.cognition.decision import Decision, decide, proposal_of
from thorp.town.cognition.policy import Offer, Option, Policy, dread_signal, scarcity_signal, threat_signal
from thorp.town.proposal import mapped_command

SCHEMA_VERSION = "decision-inspection.v1"


def inspect_decision(
    snapshot: object, profile: object, memory: object = None, *, policy: str | Policy = "ranked"
) -> dict[str, Json]:
    """The decision that `propose` makes of the same input, explained. Refuses what `propose` refuses."""
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
    memory = decision.memory
    event = decision.situation.snapshot.latestNetherEvent
    choice = {} if decision.choice is None else {"choice": dict(decision.choice.told)}
    return {
        "policy": decision.policy.name,
        **choice,
        "eventSignals": {
            "threat": threat_signal(event),
            "scarcity": scarcity_signal(event),
            "dread": dread_signal(event),
        },
        "memory": {
            "lastType": memory.last_type or None,
            "lastTarget": memory.last_target or None,
            "repeats": memory.repeats,
        },
        "decidedBy": _decider(decision),
        "offers": [_offer(offer, decision) for offer in decision.offers],
    }


def _decider(decision: Decision) -> str:
    """What put the first candidate before the second, or that a chooser decided."""
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
    explained: dict[str, Json] = {"type": offer.type, "options": [_option(option) for option in options]}
    candidate = next((candidate for candidate in decision.candidates if candidate.offer is offer), None)
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
