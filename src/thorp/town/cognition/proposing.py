"""`propose`: a snapshot and a profile in, one `proposal.v2` out."""

from __future__ import annotations

from thorp.kernel.canonical import Json
from thorp.town.action import ACTIONS
from thorp.town.cognition.decision import Decision, decide
from thorp.town.cognition.policy import Policy
from thorp.town.proposal import SCHEMA_VERSION, proposal_id


def propose(
    snapshot: object, profile: object, memory: object = None, *, policy: str | Policy = "ranked"
) -> dict[str, Json]:
    """The proposal of one governor. Refuses invalid input, with every violation of all of it."""
    return proposal_of(decide(snapshot, profile, memory, policy))


def proposal_of(decision: Decision) -> dict[str, Json]:
    """The decision as a `proposal.v2`."""
    snapshot, profile = decision.situation.snapshot, decision.situation.profile
    offer = decision.chosen.offer
    action = ACTIONS[offer.type]
    proposal = {
        "schemaVersion": SCHEMA_VERSION,
        "proposalId": "",
        "snapshotHash": decision.snapshot_hash,
        "decisionEpoch": snapshot.day,
        "type": offer.type,
        "actorId": profile.id,
        "townId": snapshot.townId,
        "priority": decision.chosen.priority,
        "reason": action.reason(profile.traits, snapshot.pressure),
        "reasonTags": list(offer.tags),
        "args": {action.argument: offer.target},
        "preconditions": action.preconditions(offer.target),
    }
    proposal["proposalId"] = proposal_id(proposal)
    return proposal
