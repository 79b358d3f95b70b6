"""`execution-handoff.v1`: a proposal on its way to the world, with what the world has to check.

Everything in it follows from the proposal: the command, the state it was made for, the
preconditions. So a handoff can be checked to the last member, and a forged one is refused:
`handoffId` and `proposalId` are recomputed, and the guards must be those of the proposal.

A world that executes a handoff reads it as canonical text, in which every string can be stored.

**Two readers.** `validate_handoff` with the kernel's canonical text takes four times as long as
msgspec. So an *ordinary* handoff takes a fast way: msgspec checks its shape, by types that are made
from the rules of the contract, and writes it with sorted keys. That text is canonical, because an
ordinary handoff has only the contract's members, whose names are ASCII, and only numbers that
JavaScript writes alike. Any other handoff is judged by the rules of the contract, which name what
is wrong.
"""

import re
from collections.abc import Iterator, Mapping
from types import GenericAlias
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from thorp.kernel.canonical import Json, canonical_bytes, read_text
from thorp.kernel.errors import ROOT, ContractError, InvalidError, Violation, contract_error
from thorp.kernel.identity import content_id, digest
from thorp.kernel.numbers import SAFE_INTEGER, as_double
from thorp.kernel.text import check_text
from thorp.town import document_shape as shape
from thorp.town import proposal as proposals
from thorp.town.proposal import EPOCH, HASH, PRECONDITIONS, PROPOSAL_ID, Proposal, mapped_command

SCHEMA_VERSION = "execution-handoff.v1"
ID_PREFIX = "handoff_"
HANDOFF_ID = shape.Text(pattern=f"{ID_PREFIX}[0-9a-f]{{64}}")

SHAPE = shape.Object(
    required={
        "schemaVersion": shape.Choice((SCHEMA_VERSION,)),
        "handoffId": HANDOFF_ID,
        "advisory": shape.Flag(only=True),
        "proposalId": PROPOSAL_ID,
        "idempotencyKey": PROPOSAL_ID,
        "snapshotHash": HASH,
        "decisionEpoch": EPOCH,
        "proposal": Proposal(),
        "command": shape.Text(),
        "executionRequirements": shape.Object(
            {
                "expectedSnapshotHash": HASH,
                "expectedDecisionEpoch": EPOCH,
                "preconditions": PRECONDITIONS,
            },
            others=shape.Others.KEPT,
        ),
    },
    others=shape.Others.KEPT,
)

_ECHOES = (
    ("idempotencyKey", "proposalId"),
    ("proposal.proposalId", "proposalId"),
    ("proposal.snapshotHash", "snapshotHash"),
    ("proposal.decisionEpoch", "decisionEpoch"),
    ("executionRequirements.expectedSnapshotHash", "snapshotHash"),
    ("executionRequirements.expectedDecisionEpoch", "decisionEpoch"),
)
"""Members that repeat another one, and so must equal it."""

# What msgspec raises about a handoff that is not ordinary.
_NOT_ORDINARY = (TypeError, ValueError, RecursionError, OverflowError, msgspec.MsgspecError)

# NUL and surrogates, the only characters that a store cannot keep. Canonical text escapes them.
_UNUSUAL_ESCAPE = re.compile(r"\\u(?:0000|d[89a-f])")

_encode_members = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder().decode


def handoff_schema() -> shape.Schema:
    """`execution-handoff.v1` as JSON Schema."""
    return shape.document_schema(SCHEMA_VERSION, SHAPE)


def validate_handoff(handoff: object) -> None:
    """Refuse anything but a valid `execution-handoff.v1`, with every violation, forged ids
    included."""
    findings = shape.Findings()
    check_handoff(handoff, ROOT, findings)
    findings.refuse()


def check_handoff(handoff: object, path: str, findings: shape.Findings) -> None:
    """Add every violation of `execution-handoff.v1` to the findings."""
    before = len(findings)
    SHAPE.check(handoff, path, findings)
    for echo, origin in _ECHOES:
        here = _at(handoff, echo)
        there = _at(handoff, origin)
        if type(here) is type(there) and here != there:
            findings.add(
                "mismatch",
                f"{path}.{echo}",
                f"expected the same as {origin}, {shape.quote(there)}",
            )
    if len(findings) == before:
        _check_derived(handoff, path, findings)


def _check_derived(handoff: Json, path: str, findings: shape.Findings) -> None:
    """Find what does not follow from the proposal in a handoff that is otherwise well formed."""
    proposal = handoff["proposal"]
    given = canonical_bytes(shape.plain_value(handoff["executionRequirements"]["preconditions"]))
    own = canonical_bytes(shape.plain_value(proposal.get("preconditions", [])))
    if given != own:
        where = f"{path}.executionRequirements.preconditions"
        findings.add("mismatch", where, "expected the preconditions of the proposal")
    mapped = mapped_command(proposal)
    if shape.plain_text(handoff["command"]) != mapped:
        findings.add("mismatch", f"{path}.command", f"expected {shape.quote(mapped)}")
    if handoff_id(handoff["proposalId"], handoff["command"]) != handoff["handoffId"]:
        findings.add(
            "id_mismatch", f"{path}.handoffId", "the id does not follow from proposal and command"
        )


def _at(document: object, place: str) -> str | float | None:
    """The string or number at a dotted place, in a form that compares as in the original; None if
    something else is there."""
    for name in place.split("."):
        document = document.get(name) if isinstance(document, Mapping) else None
    if isinstance(document, str):
        return shape.plain_text(document)
    if isinstance(document, (int, float)) and not isinstance(document, bool):
        return as_double(document)
    return None


def handoff_id(proposal_id: str, command: str) -> str:
    """The id of the handoff of a proposal and its command."""
    return content_id(ID_PREFIX, {"proposalId": proposal_id, "command": command})


def build_handoff(proposal: object, command: object = None) -> dict[str, Json]:
    """The handoff of a proposal. Refuses an invalid proposal, and a command that is not its own."""
    findings = shape.Findings()
    Proposal().check(proposal, "$.proposal", findings)
    if command is not None:
        shape.Text().check(command, "$.command", findings)
    findings.refuse()
    envelope: Json = shape.plain_value(proposal)
    mapped = mapped_command(envelope)
    if isinstance(command, str) and shape.plain_text(command) != mapped:
        expected = f"expected {shape.quote(mapped)}, got {shape.quote(command)}"
        raise contract_error("mismatch", "$.command", expected)
    return {
        "schemaVersion": SCHEMA_VERSION,
        "handoffId": handoff_id(envelope["proposalId"], mapped),
        "advisory": True,
        "proposalId": envelope["proposalId"],
        "idempotencyKey": envelope["proposalId"],
        "snapshotHash": envelope["snapshotHash"],
        "decisionEpoch": envelope["decisionEpoch"],
        "proposal": envelope,
        "command": mapped,
        "executionRequirements": {
            "expectedSnapshotHash": envelope["snapshotHash"],
            "expectedDecisionEpoch": envelope["decisionEpoch"],
            "preconditions": shape.plain_value(envelope.get("preconditions", [])),
        },
    }


def _ordinary_type(rule: shape.Rule) -> Any:
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
        case shape.Flag():
            return bool
        case shape.Choice(among):
            return Literal[among]
        case shape.Scalar():
            return None | bool | str | Annotated[int, Meta(ge=-SAFE_INTEGER, le=SAFE_INTEGER)]
        case shape.Items(inner, at_most=None, unique_by=None):
            return GenericAlias(list, _ordinary_type(inner))
        case Proposal():
            return _ordinary_type(proposals.SHAPE)
        case shape.Object(others=shape.Others.IGNORED) if not rule.required:
            return dict[str, Any]
        case shape.Object():
            members: list[Any] = [
                (name, _ordinary_type(each)) for name, each in rule.required.items()
            ]
            members += [
                (name, _ordinary_type(each) | UnsetType, UNSET)
                for name, each in rule.optional.items()
            ]
            return msgspec.defstruct("Members", members, forbid_unknown_fields=True)
    raise TypeError(f"no type for {rule}")


_ORDINARY_HANDOFF = _ordinary_type(SHAPE)
_ORDINARY_ARGS = {action_type: _ordinary_type(rule) for action_type, rule in proposals.ARGS.items()}


class _Identity(msgspec.Struct, gc=False):
    """The members that a handoff's id follows from, in the order of canonical text."""

    command: str
    proposalId: str


def is_ordinary(handoff: Json) -> bool:
    """Whether a handoff in plain JSON types is ordinary, and so certainly valid. A valid handoff
    that is unusual is not ordinary."""
    try:
        msgspec.convert(handoff, _ORDINARY_HANDOFF)
        proposal = handoff["proposal"]
        msgspec.convert(proposal["args"], _ORDINARY_ARGS[proposal["type"]])
    except _NOT_ORDINARY:
        return False
    required = handoff["executionRequirements"]
    proposal_id = handoff["proposalId"]
    command = handoff["command"]
    return (
        handoff["advisory"] is True
        and proposal_id == handoff["idempotencyKey"] == proposal["proposalId"]
        and handoff["snapshotHash"] == proposal["snapshotHash"] == required["expectedSnapshotHash"]
        and handoff["decisionEpoch"]
        == proposal["decisionEpoch"]
        == required["expectedDecisionEpoch"]
        and _same_guards(proposal.get("preconditions", []), required["preconditions"])
        and command == mapped_command(proposal)
        and proposals.proposal_id(proposal) == proposal_id
        and handoff["handoffId"]
        == ID_PREFIX + digest(_encode_members(_Identity(command, proposal_id)))
    )


def _same_guards(own: list[Json], required: list[Json]) -> bool:
    """Whether two lists of guards are written alike; in Python, unlike in JSON, true equals 1."""
    return own == required and _encode_sorted(own) == _encode_sorted(required)


def checked_handoff(handoff: object) -> tuple[str, Json]:
    """The canonical text of a handoff, and the handoff read back from it. Refuses an invalid
    one."""
    try:
        text = _encode_sorted(handoff)
        copy = _decode(text)
        # Equal, so nothing was coerced on the way: msgspec writes sets, dates and NaN as other
        # JSON.
        if copy == handoff and is_ordinary(copy):
            return text.decode(), copy
    except _NOT_ORDINARY:
        pass
    validate_handoff(handoff)
    exact = canonical_bytes(handoff)
    return exact.decode(), read_text(exact)


def storable_handoff(handoff: object) -> tuple[str, Json]:
    """The same as `checked_handoff`. Also refuses a handoff with a string that no store can
    keep."""
    text, copy = checked_handoff(handoff)
    if _UNUSUAL_ESCAPE.search(text) and (violations := list(_unstorable(copy, ROOT))):
        raise ContractError(violations)
    return text, copy


def _unstorable(value: Any, path: str) -> Iterator[Violation]:
    """Every string inside a value that no store can keep."""
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
