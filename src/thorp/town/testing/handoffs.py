"""Handoffs that a world must be ready to judge: valid ones of any type, target and preconditions, whether or
not a governor would make them; and forged ones."""

import json
from collections.abc import Sequence
from typing import Any

from thorp.kernel.canonical import Json
from thorp.town.handoff import build_handoff
from thorp.town.proposal import new_proposal, proposal_id
from thorp.town.snapshot import snapshot_hash


def proposal_for(
    snapshot: dict[str, Json],
    action_type: str,
    target: str,
    *,
    actor: str = "tester",
    preconditions: Sequence[Json] | None = None,
    **members: Json,
) -> dict[str, Json]:
    """A proposal about this state of a town; without `preconditions` it has those of its type."""
    about = (snapshot_hash(snapshot), snapshot["day"], snapshot["townId"], actor, action_type, target)
    proposal = {**new_proposal(*about, priority=0.5, reason="because", tags=[]), **members}
    if preconditions is not None:
        proposal["preconditions"] = list(preconditions)
    proposal["proposalId"] = proposal_id(proposal)
    return proposal


def handoff_for(
    snapshot: dict[str, Json],
    action_type: str = "TOWNSFOLK_TALK",
    target: str = "casual",
    **members: Any,
) -> dict[str, Json]:
    """The handoff of such a proposal; `members` as for `proposal_for`."""
    return build_handoff(proposal_for(snapshot, action_type, target, **members))


def spelled_otherwise(handoff: dict[str, Json]) -> dict[str, Json]:
    """The same handoff, its keys in another order and its whole numbers as floats."""
    turned: dict[str, Json] = json.loads(
        json.dumps(handoff), object_pairs_hook=lambda pairs: dict(pairs[::-1]), parse_int=float
    )
    return turned


def forgeries(good: dict[str, Json]) -> dict[str, Json]:
    """What is no handoff, by what is wrong with it."""
    proposal, required = good["proposal"], good["executionRequirements"]
    return {
        "no content": None,
        "a list for an object": [],
        "no members": {},
        "a member missing": {name: good[name] for name in good if name != "command"},
        "another command": {**good, "command": f"{good['command']} and more"},
        "another id": {**good, "handoffId": "handoff_" + "0" * 64},
        "another key": {**good, "idempotencyKey": "proposal_" + "0" * 64},
        "no advice": {**good, "advisory": False},
        "another priority": {**good, "proposal": {**proposal, "priority": 0.75}},
        "another target": {**good, "proposal": {**proposal, "args": dict.fromkeys(proposal["args"], "x")}},
        "guards taken away": {**good, "executionRequirements": {**required, "preconditions": []}},
        "another expected day": {
            **good,
            "executionRequirements": {**required, "expectedDecisionEpoch": good["decisionEpoch"] + 1},
        },
        "a number that is none": {**good, "note": float("nan")},
    }
