"""`execution-handoff.v1`: a proposal on its way to the world, with what the world has to check.

Everything in it follows from the proposal: the command, the state it was made for, the preconditions. So a
handoff can be checked to the last member, and a forged one is refused: `handoffId` and `proposalId` are
recomputed, and the guards must be those of the proposal.

A world that is to execute a handoff reads it as canonical text, of texts that a store can keep. Most handoffs
are ordinary, and `validate_handoff` with the kernel's canonical text takes four times as long as msgspec. So
an ordinary handoff takes a fast way: msgspec checks its shape, by types that are made from the rules of the
contract, and writes it with sorted keys. That text is canonical: an ordinary handoff has only the contract's
members, whose names are ASCII, and no number that JavaScript would write otherwise. Any other handoff takes
the contract's way, which decides and says what is wrong.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from thorp.kernel.canonical import Json, canonical_bytes, read_text
from thorp.kernel.errors import ROOT, ContractError, InvalidError, Violation
from thorp.kernel.identity import content_id, digest
from thorp.kernel.numbers import SAFE_INTEGER, as_double
from thorp.kernel.text import check_text
from thorp.town import document_shape as shape
from thorp.town import proposal as proposals
from thorp.town.proposal import EPOCH, HASH, PRECONDITIONS, PROPOSAL_ID, Proposal, mapped_command

SCHEMA_VERSION = "execution-handoff.v1"
ID_PREFIX = "handoff_"
HANDOFF_ID = shape.Text(pattern=f"{ID_PREFIX}[0-9a-f]{{64}}")

SHAPE = shape.Record(
    required={
        "schemaVersion": shape.Choice((SCHEMA_VERSION,)),
        "handoffId": HANDOFF_ID,
        "advisory": shape.Yes(),
        "proposalId": PROPOSAL_ID,
        "idempotencyKey": PROPOSAL_ID,
        "snapshotHash": HASH,
        "decisionEpoch": EPOCH,
        "proposal": Proposal(),
        "command": shape.Text(),
        "executionRequirements": shape.Record(
            required={
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


def handoff_schema() -> shape.Schema:
    """`execution-handoff.v1` as JSON Schema."""
    return shape.document_schema(SCHEMA_VERSION, SHAPE)


def validate_handoff(handoff: object) -> None:
    """Refuse what is not a valid `execution-handoff.v1`, with every violation; a forged id is one."""
    found = shape.Findings()
    check_handoff(handoff, ROOT, found)
    found.refuse()


def check_handoff(handoff: object, path: str, found: shape.Findings) -> None:
    """Find everything that is wrong with a handoff."""
    before = len(found)
    SHAPE.check(handoff, path, found)
    for echo, origin in _ECHOES:
        here, there = _at(handoff, echo), _at(handoff, origin)
        if type(here) is type(there) and here != there:
            found.add("mismatch", f"{path}.{echo}", f"expected the same as {origin}, {shape.shown(there)}")
    if len(found) == before:
        _check_derived(handoff, path, found)


def _check_derived(handoff: Json, path: str, found: shape.Findings) -> None:
    """Of a handoff that is well formed: find what does not follow from its proposal."""
    proposal = handoff["proposal"]
    guards = handoff["executionRequirements"]["preconditions"]
    if canonical_bytes(shape.plain_value(guards)) != canonical_bytes(
        shape.plain_value(proposal.get("preconditions", []))
    ):
        where = f"{path}.executionRequirements.preconditions"
        found.add("mismatch", where, "expected the preconditions of the proposal")
    mapped = mapped_command(proposal)
    if shape.plain_text(handoff["command"]) != mapped:
        found.add("mismatch", f"{path}.command", f"expected {shape.shown(mapped)}")
    if handoff_id(handoff["proposalId"], handoff["command"]) != handoff["handoffId"]:
        found.add("id_mismatch", f"{path}.handoffId", "the id does not follow from proposal and command")


def _at(document: object, place: str) -> str | float | None:
    """The string or number at a dotted place, in a form that compares as the original would; else None."""
    for name in place.split("."):
        document = document.get(name) if isinstance(document, Mapping) else None
    if isinstance(document, str):
        return shape.plain_text(document)
    if isinstance(document, (int, float)) and not isinstance(document, bool):
        return as_double(document)
    return None


def handoff_id(proposal_id: str, command: str) -> str:
    """The id that a proposal and its command give."""
    return content_id(ID_PREFIX, {"proposalId": proposal_id, "command": command})


def build_handoff(proposal: object, command: object = None) -> dict[str, Json]:
    """The handoff of a proposal. Refuses an invalid proposal, and a command that is not its own."""
    found = shape.Findings()
    Proposal().check(proposal, f"{ROOT}.proposal", found)
    if command is not None:
        shape.Text().check(command, f"{ROOT}.command", found)
    found.refuse()
    envelope: Json = shape.plain_value(proposal)
    mapped = mapped_command(envelope)
    if isinstance(command, str) and shape.plain_text(command) != mapped:
        found.add(
            "mismatch", f"{ROOT}.command", f"expected {shape.shown(mapped)}, got {shape.shown(command)}"
        )
        found.refuse()
    guards = shape.plain_value(envelope.get("preconditions", []))
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
            "preconditions": guards,
        },
    }


# The reader of what is to be executed.

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
            return _type_of(proposals.SHAPE)
        case shape.Record(others=shape.Others.IGNORED) if not rule.required:
            return dict[str, Any]
        case shape.Record():
            required = [(name, _type_of(each)) for name, each in rule.required.items()]
            optional = [(name, _type_of(each) | UnsetType, UNSET) for name, each in rule.optional.items()]
            return msgspec.defstruct("Members", [*required, *optional], forbid_unknown_fields=True)
    raise TypeError(f"no type for {rule}")


_HANDOFF = _type_of(SHAPE)
_ARGS = {action_type: _type_of(rule) for action_type, rule in proposals.ARGS.items()}


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
        and proposals.proposal_id(proposal) == proposed
        and handoff["handoffId"] == ID_PREFIX + digest(_identity_text(_Identity(command, proposed)))
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
    validate_handoff(handoff)
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
