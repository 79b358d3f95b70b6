"""`proposal.v2`: what a governor advises the world to do, named by a hash of its content.

A governor can propose four things. Everything that differs between them is in one table, `ACTIONS`;
the order of its rows is the order of types that breaks ties between equal priorities. The id is
always checked.
"""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ROOT
from thorp.kernel.identity import content_id, digest
from thorp.town import document_shape as shape
from thorp.town.profile import Traits
from thorp.town.snapshot import Pressure

SCHEMA_VERSION = "proposal.v2"
ID_PREFIX = "proposal_"
HASH = shape.Text(pattern="[0-9a-f]{64}")
EPOCH = shape.Number(low=0, is_whole=True)
PROPOSAL_ID = shape.Text(pattern=f"{ID_PREFIX}[0-9a-f]{{64}}")

PRECONDITIONS = shape.Items(
    shape.Object(
        required={"kind": shape.Text()},
        optional={"targetId": shape.Text(), "field": shape.Text(), "expected": shape.Scalar()},
        others=shape.Others.KEPT,
    )
)


class Action(NamedTuple):
    """What one type of proposal needs, and how it becomes a command."""

    argument: str  # The only key of `args`; its value is the target.
    verb: str  # The command, before town and target.
    preconditions: Callable[[str], list[Json]]
    """Makes the guards of a proposal for a target: a fresh list each time."""
    reason: Callable[[Traits, Pressure], str]
    # The only targets there are. If none is listed, a target is an id from the snapshot.
    targets: tuple[str, ...] = ()


def percent(share: float) -> int:
    """A share of one in whole percent, halves rounded up."""
    hundredths = share * 100
    below = math.floor(hundredths)
    return below + 1 if hundredths - below >= 0.5 else below


ACTIONS = {
    "MAYOR_ACCEPT_MISSION": Action(
        argument="missionId",
        verb="mission accept",
        preconditions=lambda target: [
            {"kind": "mission_absent"},
            {"kind": "side_quest_exists", "targetId": target},
        ],
        reason=lambda traits, _: (
            f"No active mission. Authority level {percent(traits.authority)}% ready to accept."
        ),
    ),
    "PROJECT_ADVANCE": Action(
        argument="projectId",
        verb="project advance",
        preconditions=lambda target: [{"kind": "project_exists", "targetId": target}],
        reason=lambda _, pressure: (
            f"Threat level {percent(pressure.threat)}% demands project advancement for defense."
        ),
    ),
    "SALVAGE_PLAN": Action(
        argument="focus",
        verb="salvage initiate",
        preconditions=lambda target: [{"kind": "salvage_focus_supported", "expected": target}],
        reason=lambda _, pressure: (
            f"Scarcity {percent(pressure.scarcity)}% and dread {percent(pressure.dread)}% "
            "require salvage response."
        ),
        targets=("scarcity", "dread", "general"),
    ),
    "TOWNSFOLK_TALK": Action(
        argument="talkType",
        verb="townsfolk talk",
        preconditions=lambda target: [{"kind": "talk_type_supported", "expected": target}],
        reason=lambda _, pressure: (
            f"Hope level {percent(pressure.hope)}%. Time to speak with townspeople."
        ),
        targets=("morale-boost", "casual"),
    ),
}
TYPE_ORDER = {action_type: place for place, action_type in enumerate(ACTIONS)}


class ProposalOrigin(msgspec.Struct, frozen=True, gc=False):
    """Who proposes, and for which state of which town."""

    snapshot_hash: str
    day: float
    town_id: str
    actor_id: str


class _Hashed(msgspec.Struct, gc=False):
    """The members that a proposal's id follows from, in the order of canonical text."""

    actorId: str
    args: dict[str, str]
    decisionEpoch: float
    priority: float
    snapshotHash: str
    townId: str
    type: str


_encode = msgspec.json.Encoder().encode


SHAPE = shape.Object(
    required={
        "schemaVersion": shape.Choice((SCHEMA_VERSION,)),
        "proposalId": PROPOSAL_ID,
        "snapshotHash": HASH,
        "decisionEpoch": EPOCH,
        "type": shape.Choice(tuple(ACTIONS)),
        "actorId": shape.Text(),
        "townId": shape.Text(),
        "priority": shape.Number(low=0, high=1),
        "reason": shape.Text(),
        "reasonTags": shape.Items(shape.Text(may_be_empty=True)),
        "args": shape.Object(required={}, others=shape.Others.IGNORED),
    },
    optional={"preconditions": PRECONDITIONS},
    others=shape.Others.KEPT,
)

ARGS = {
    action_type: shape.Object(
        required={action.argument: shape.Choice(action.targets) if action.targets else shape.Text()}
    )
    for action_type, action in ACTIONS.items()
}


class Proposal:
    """The rule for a whole proposal: its shape, the args of its type, and its id."""

    def check(self, value: object, path: str, findings: shape.Findings) -> None:
        before = len(findings)
        SHAPE.check(value, path, findings)
        if not isinstance(value, Mapping):
            return
        action_type = value.get("type")
        args = value.get("args")
        if isinstance(action_type, str) and action_type in ARGS and isinstance(args, Mapping):
            ARGS[action_type].check(args, f"{path}.args", findings)
        if len(findings) == before and proposal_id(value) != value["proposalId"]:
            findings.add(
                "id_mismatch", f"{path}.proposalId", "the id does not follow from the content"
            )

    def schema(self) -> shape.Schema:
        conditions = [shape.when("type", each, args=args.schema()) for each, args in ARGS.items()]
        return {**SHAPE.schema(), "allOf": conditions}


def proposal_schema() -> shape.Schema:
    """`proposal.v2` as JSON Schema."""
    return shape.document_schema(SCHEMA_VERSION, Proposal())


def validate_proposal(proposal: object) -> None:
    """Refuse anything but a valid `proposal.v2`, with every violation, forged ids included."""
    findings = shape.Findings()
    Proposal().check(proposal, ROOT, findings)
    findings.refuse()


def proposal_id(proposal: Json) -> str:
    """The id of a proposal, from its content."""
    try:
        hashed = _Hashed(
            actorId=proposal["actorId"],
            args=proposal["args"],
            decisionEpoch=shape.spelled(proposal["decisionEpoch"]),
            priority=shape.spelled(proposal["priority"]),
            snapshotHash=proposal["snapshotHash"],
            townId=proposal["townId"],
            type=proposal["type"],
        )
        return ID_PREFIX + digest(_encode(hashed))
    except (TypeError, ValueError):
        # Unusual: numbers of odd size, unpaired surrogates, types that msgspec does not know.
        content = {name: proposal[name] for name in _Hashed.__struct_fields__}
        return content_id(ID_PREFIX, shape.plain_value(content))


def new_proposal(
    origin: ProposalOrigin,
    action_type: str,
    target: str,
    *,
    priority: float,
    reason: str,
    tags: list[str],
) -> dict[str, Json]:
    """Make a proposal, with the preconditions of its type and its id."""
    action = ACTIONS[action_type]
    proposal: dict[str, Json] = {
        "schemaVersion": SCHEMA_VERSION,
        "proposalId": "",
        "snapshotHash": origin.snapshot_hash,
        "decisionEpoch": origin.day,
        "type": action_type,
        "actorId": origin.actor_id,
        "townId": origin.town_id,
        "priority": priority,
        "reason": reason,
        "reasonTags": tags,
        "args": {action.argument: target},
        "preconditions": action.preconditions(target),
    }
    proposal["proposalId"] = proposal_id(proposal)
    return proposal


def target_of(proposal: Json) -> str:
    """The target of a valid proposal: the only value of its args."""
    target: str = proposal["args"][ACTIONS[proposal["type"]].argument]
    return shape.plain_text(target)


def proposal_to_command(proposal: object) -> str:
    """The command text of a proposal. Refuses an invalid one."""
    validate_proposal(proposal)
    return mapped_command(proposal)


def mapped_command(proposal: Json) -> str:
    """The command text of a valid proposal. Nothing in it is quoted: it is hashed and shown, never
    parsed."""
    verb = ACTIONS[proposal["type"]].verb
    town_id = shape.plain_text(proposal["townId"])
    return f"{verb} {town_id} {target_of(proposal)}"
