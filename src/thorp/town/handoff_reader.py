"""Reads a handoff that a world is to execute: valid, as canonical text, and of texts that a store can keep.

Most handoffs are ordinary, and `validate_handoff` with the kernel's canonical text takes four times as long
as msgspec. So an ordinary handoff takes a fast way: msgspec checks its shape, by types that are made from the
rules of the contract, and writes it with sorted keys. That text is canonical: an ordinary handoff has only
the contract's members, whose names are ASCII, and no number that JavaScript would write otherwise. Any other
handoff takes the contract's way, which decides and says what is wrong.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from thorp.kernel.canonical import Json, canonical_bytes, read_text
from thorp.kernel.errors import ContractError, InvalidError, Violation
from thorp.kernel.identity import digest
from thorp.kernel.numbers import SAFE_INTEGER
from thorp.town import document_shape as shape
from thorp.town import handoff as contract
from thorp.town.orders import check_text
from thorp.town.proposal import ARGS, Proposal, mapped_command, proposal_id
from thorp.town.proposal import SHAPE as PROPOSAL_SHAPE

_SAFE = Annotated[int, Meta(ge=-SAFE_INTEGER, le=SAFE_INTEGER)]


def _type_of(rule: shape.Rule) -> Any:
    """The msgspec type of the ordinary values among those that a rule accepts."""
    match rule:
        case shape.Text(pattern=str(pattern)):
            return Annotated[str, Meta(pattern=rf"\A{pattern}\Z")]
        case shape.Text(may_be_empty):
            return str if may_be_empty else Annotated[str, Meta(min_length=1)]
        case shape.Number(low=0, high=None, is_whole=True):
            return Annotated[int, Meta(ge=0, le=SAFE_INTEGER)]
        case shape.Number(low=0, high=1, is_whole=False):
            # Between these a double's text has no exponent and no fraction that is 0.
            return Annotated[int, Meta(ge=0, le=1)] | Annotated[float, Meta(ge=shape.TINY, lt=1)]
        case shape.Yes():
            return bool
        case shape.Choice(among):
            return Literal[among]
        case shape.Scalar():
            return None | bool | str | _SAFE
        case shape.Items(inner, at_most=None, unique_by=None):
            return list[_type_of(inner)]  # type: ignore[misc]
        case Proposal():
            return _type_of(PROPOSAL_SHAPE)
        case shape.Record(others=shape.Others.IGNORED) if not rule.required:
            return dict[str, Any]
        case shape.Record():
            required = [(name, _type_of(each)) for name, each in rule.required.items()]
            optional = [(name, _type_of(each) | UnsetType, UNSET) for name, each in rule.optional.items()]
            return msgspec.defstruct("Members", [*required, *optional], forbid_unknown_fields=True)
    raise TypeError(f"no type for {rule}")


_HANDOFF = _type_of(contract.SHAPE)
_ARGS = {action_type: _type_of(rule) for action_type, rule in ARGS.items()}


class _Identity(msgspec.Struct):
    command: str
    proposalId: str


_identity_text = msgspec.json.Encoder().encode


def is_ordinary(handoff: Json) -> bool:
    """Whether a handoff in plain JSON types is certainly valid. A valid one may be unusual, and is not."""
    try:
        msgspec.convert(handoff, _HANDOFF)
        proposal, required = handoff["proposal"], handoff["executionRequirements"]
        msgspec.convert(proposal["args"], _ARGS[proposal["type"]])
    except (msgspec.MsgspecError, UnicodeError):
        return False
    proposed, command = handoff["proposalId"], handoff["command"]
    return (
        handoff["advisory"] is True
        and proposed == handoff["idempotencyKey"] == proposal["proposalId"]
        and handoff["snapshotHash"] == proposal["snapshotHash"] == required["expectedSnapshotHash"]
        and handoff["decisionEpoch"] == proposal["decisionEpoch"] == required["expectedDecisionEpoch"]
        and proposal.get("preconditions", []) == required["preconditions"]
        and command == mapped_command(proposal)
        and proposal_id(proposal) == proposed
        and handoff["handoffId"] == contract.ID_PREFIX + digest(_identity_text(_Identity(command, proposed)))
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
        if copy == handoff and is_ordinary(copy):
            return text.decode(), copy
    except _NOT_FAST:
        pass
    contract.validate_handoff(handoff)
    exact = canonical_bytes(handoff)
    return exact.decode(), read_text(exact)


_UNUSUAL_ESCAPE = re.compile(r"\\u(?:0000|d[89a-f])")


def storable_handoff(handoff: object) -> tuple[str, Json]:
    """The canonical text of a handoff, and the handoff read back from it. Refuses one that is invalid, or
    that no store can keep, with a `ContractError`."""
    text, own = checked_handoff(handoff)
    if _UNUSUAL_ESCAPE.search(text):
        violations = list(_unstorable(own, "$"))
        if violations:
            raise ContractError(violations)
    return text, own


def _unstorable(value: Any, path: str) -> Iterator[Violation]:
    if isinstance(value, str):
        try:
            check_text(value, "this text")
        except InvalidError as refusal:
            yield Violation("text", path, refusal.message)
    elif isinstance(value, dict):
        for key, content in value.items():
            yield from _unstorable(key, path)
            yield from _unstorable(content, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for index, content in enumerate(value):
            yield from _unstorable(content, f"{path}[{index}]")
