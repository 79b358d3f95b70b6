"""The fast way to yes for a handoff: msgspec checks the shape, and what must agree is compared.

`is_sound` may say no to a valid handoff (one with further members, or with unusual numbers); then
`validate_handoff` decides, and says what is wrong if something is. It never says yes to an invalid one; a
test tries that with every member of a handoff bent in every way.

The canonical text of a handoff, and a copy of it that shares nothing with it.

The fast way is msgspec's own text with sorted keys. It is canonical for every handoff that `soundness`
vouches for: those have no members but the contract's, whose names are ASCII, and no number that JavaScript
would write otherwise. Whatever is unusual goes the contract's and the kernel's way.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from thorp.kernel.canonical import Json, canonical_bytes, read_text
from thorp.kernel.identity import digest
from thorp.kernel.numbers import SAFE_INTEGER
from thorp.town.action import ACTIONS, command
from thorp.town.handoff import ID_PREFIX, validate_handoff
from thorp.town.plain_json import TINY
from thorp.town.proposal import proposal_id

_Text = Annotated[str, Meta(min_length=1)]
_Epoch = Annotated[int, Meta(ge=0, le=SAFE_INTEGER)]
# Between these a double's text has no exponent and is no whole number: msgspec writes it as JavaScript would.
_Share = Annotated[int, Meta(ge=0, le=1)] | Annotated[float, Meta(ge=TINY, lt=1)]
_Scalar = None | bool | str | Annotated[int, Meta(ge=-SAFE_INTEGER, le=SAFE_INTEGER)]


class _Part(msgspec.Struct, forbid_unknown_fields=True):
    pass


class _Precondition(_Part):
    kind: _Text
    targetId: _Text | UnsetType = UNSET
    field: _Text | UnsetType = UNSET
    expected: _Scalar | UnsetType = UNSET


class _Proposal(_Part):
    schemaVersion: Literal["proposal.v2"]
    proposalId: str
    snapshotHash: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    decisionEpoch: _Epoch
    type: Literal["MAYOR_ACCEPT_MISSION", "PROJECT_ADVANCE", "SALVAGE_PLAN", "TOWNSFOLK_TALK"]
    actorId: _Text
    townId: _Text
    priority: _Share
    reason: _Text
    reasonTags: list[str]
    args: dict[str, _Text]
    preconditions: list[_Precondition]


class _Requirements(_Part):
    expectedSnapshotHash: str
    expectedDecisionEpoch: _Epoch
    preconditions: list[_Precondition]


class _Handoff(_Part):
    schemaVersion: Literal["execution-handoff.v1"]
    handoffId: str
    advisory: bool
    proposalId: str
    idempotencyKey: str
    snapshotHash: str
    decisionEpoch: _Epoch
    proposal: _Proposal
    command: str
    executionRequirements: _Requirements


class _Identity(msgspec.Struct):
    command: str
    proposalId: str


_identity_text = msgspec.json.Encoder().encode


def is_sound(handoff: Json) -> bool:
    """Whether a handoff in plain JSON types is certainly valid."""
    try:
        read = msgspec.convert(handoff, _Handoff)
    except (msgspec.MsgspecError, UnicodeError):
        return False
    proposal, required = read.proposal, read.executionRequirements
    action = ACTIONS[proposal.type]
    target = proposal.args.get(action.argument)
    if target is None or len(proposal.args) != 1 or (action.targets and target not in action.targets):
        return False
    return (
        read.advisory is True
        and read.proposalId == read.idempotencyKey == proposal.proposalId
        and read.snapshotHash == proposal.snapshotHash == required.expectedSnapshotHash
        and read.decisionEpoch == proposal.decisionEpoch == required.expectedDecisionEpoch
        and handoff["proposal"]["preconditions"] == handoff["executionRequirements"]["preconditions"]
        and read.command == command(proposal.type, proposal.townId, target)
        and proposal_id(handoff["proposal"]) == read.proposalId
        and read.handoffId == ID_PREFIX + digest(_identity_text(_Identity(read.command, read.proposalId)))
    )


_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder().decode
_NOT_FAST = (TypeError, ValueError, RecursionError, OverflowError, msgspec.MsgspecError)


def checked_handoff(handoff: object) -> tuple[str, Json]:
    """The canonical text of a handoff, and the handoff read back from it. Refuses an invalid one."""
    try:
        text = _encode(handoff)
        copy = _decode(text)
        # Equal, so nothing was coerced on the way: msgspec writes sets, dates and NaN as other JSON.
        if copy == handoff and is_sound(copy):
            return text.decode(), copy
    except _NOT_FAST:
        pass
    validate_handoff(handoff)
    exact = canonical_bytes(handoff)
    return exact.decode(), read_text(exact)
