"""The town: contracts for its state, for what a governor proposes, and for what became of a
proposal.

Every function takes plain dicts and gives plain dicts; bad input is a `ContractError` that lists
every violation, each with a code and a path. A function of one document counts paths from `$`, the
document; a function of several names them: `$.snapshot.day`, `$.profile.role`.
"""

from thorp.town.cognition import inspect_decision, propose
from thorp.town.handoff import build_handoff, handoff_schema, validate_handoff
from thorp.town.handoff_judge import TownWorld, UnknownTown
from thorp.town.profile import built_in_profile, profile_schema, validate_profile
from thorp.town.proposal import proposal_schema, proposal_to_command, validate_proposal
from thorp.town.result import build_result, result_schema, validate_result
from thorp.town.service import EmbeddedTown
from thorp.town.snapshot import snapshot_hash, snapshot_schema, validate_snapshot

SCHEMAS = {
    "snapshot.v1": snapshot_schema,
    "profile.v1": profile_schema,
    "proposal.v2": proposal_schema,
    "execution-handoff.v1": handoff_schema,
    "execution-result.v1": result_schema,
}
"""Each contract's name, and what describes it as JSON Schema."""

__all__ = [
    "SCHEMAS",
    "EmbeddedTown",
    "TownWorld",
    "UnknownTown",
    "build_handoff",
    "build_result",
    "built_in_profile",
    "handoff_schema",
    "inspect_decision",
    "model",
    "profile_schema",
    "proposal_schema",
    "proposal_to_command",
    "propose",
    "result_schema",
    "snapshot_hash",
    "snapshot_schema",
    "testing",
    "validate_handoff",
    "validate_profile",
    "validate_proposal",
    "validate_result",
    "validate_snapshot",
]
