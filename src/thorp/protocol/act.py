"""Reads an ACT, the message of an agent: in one pass if it is valid, else field by field.

A frame that is not an ACT, or whose top level cannot be read, is refused as a whole with an
`ActError`. If the top level can be read, a malformed or unknown action becomes a `BadInstant` or
`BadTask` that names the field, and the other actions are executed. See `docs/protocol.md`.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta, Raw, structs

from thorp.kernel.errors import InvalidError
from thorp.protocol import actions
from thorp.protocol.actions import BadInstant, BadTask, Ref, SoundInstant, SoundTask, Text
from thorp.protocol.frame import (
    PROTOCOL_VERSION,
    FieldError,
    Outline,
    clip,
    description,
    is_plain,
    items,
    members,
    outline,
    quoted,
    read,
)

# More than an agent can want in 200 ms; all results must fit into one OBS.
MAX_ACTIONS: Final = 16
# How many actions beyond the limit are refused one by one; any more are only counted.
MAX_REFUSED: Final = 64
MAX_INTENT_BYTES: Final = 140  # Two lines on a page.
# What the journal keeps of an action that cannot be read, for whoever traces its agent.
MAX_SENT_BYTES: Final = 120
MAX_TICK: Final = 2**53  # JavaScript counts no further.

Tick = Annotated[int, Meta(ge=0, le=MAX_TICK, description=f"an integer from 0 to {MAX_TICK}")]

_PARTS: Final = ("cancel", "instants", "tasks")  # In the order in which they are executed.
# Fields whose text is cut when it is longer, not refused.
_CUT: Final = {Ref: actions.MAX_REF_LENGTH, actions.Note | None: actions.MAX_TEXT_LENGTH + 1}
_HEAD: Final = (("type", "ACT"), ("protocol_version", PROTOCOL_VERSION))


class Act(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An ACT that was read. `instants`, `tasks` and `cancel` together hold at most MAX_ACTIONS."""

    tick: Tick
    instants: Sequence[actions.AnyInstant] = []
    tasks: Sequence[actions.AnyTask] = []
    cancel: Sequence[Ref] = []
    refused: Sequence[Ref] = []  # The ids of up to MAX_REFUSED actions beyond that.
    unread: int = 0  # How many more came after those.
    # Why, in the agent's own words, for spectators; long ones are cut. No rule uses it.
    intent: str = ""


class ActError(InvalidError):
    """A frame that is not an ACT, or whose top level cannot be read. It names the field."""

    code = "bad_act"


class _SoundAct(msgspec.Struct, tag_field="type", tag="ACT", kw_only=True):
    """An ACT without any mistake, as the decoder reads it in one pass."""

    protocol_version: Literal["0.9"]
    tick: Tick | None = None
    instants: list[SoundInstant] = []
    tasks: list[SoundTask] = []
    cancel: list[Ref] = []
    intent: Text | None = None


class _ActionKind(NamedTuple):
    """A type of action, and the form of each of its fields."""

    make: type[actions.Action]
    forms: dict[str, Any]


class _Family(NamedTuple):
    """Instants or tasks: their types by name, and the type that stands for an unreadable one."""

    kinds: dict[str, _ActionKind]
    bad: type[BadInstant] | type[BadTask]
    unknown: str


def _by_tag(union: Any) -> dict[str, _ActionKind]:
    return {
        kind.__struct_config__.tag: _ActionKind(
            kind, {field.name: field.type for field in structs.fields(kind)}
        )
        for kind in get_args(union)
    }


_INSTANTS: Final = _Family(_by_tag(SoundInstant), BadInstant, "unknown instant type")
_TASKS: Final = _Family(_by_tag(SoundTask), BadTask, "unknown task type")

_decode_sound: Final = msgspec.json.Decoder(_SoundAct).decode


def read_act(frame: bytes) -> Act:
    """Read the ACT in a frame; raises ActError, and nothing else."""
    try:
        if is_plain(frame):
            act = _decode_sound(frame)
            if len(act.instants) + len(act.tasks) + len(act.cancel) <= MAX_ACTIONS:
                tick = act.tick or 0
                intent = clip(act.intent, MAX_INTENT_BYTES) if act.intent else ""
                return Act(
                    tick=tick,
                    instants=act.instants,
                    tasks=act.tasks,
                    cancel=act.cancel,
                    intent=intent,
                )
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return _read_by_piece(outline(frame))
    except FieldError as problem:
        raise ActError(problem.message) from None


def _read_by_piece(fields: Outline) -> Act:
    for name, constant in _HEAD:
        text = fields.get(name)
        if read(text, Text, name) != constant:
            raise FieldError(f'{name}: expected "{constant}", got {quoted(bytes(text or b""))}')
    tick = read(fields.get("tick"), Tick, "tick")
    parts = {name: items(fields.get(name), name) for name in _PARTS}
    wanted = (
        (name, f"{name}[{at}]", text) for name in _PARTS for at, text in enumerate(parts[name])
    )
    taken: dict[str, list[Any]] = {name: [] for name in _PARTS}
    for name, path, text in islice(wanted, MAX_ACTIONS):
        taken[name].append(_read_part(name, path, text))
    return Act(
        tick=tick or 0,  # an ACT without a tick counts as one for tick 0, which is stale
        instants=taken["instants"],
        tasks=taken["tasks"],
        cancel=taken["cancel"],
        refused=[_id_of(*entry) for entry in islice(wanted, MAX_REFUSED)],
        unread=max(0, sum(map(len, parts.values())) - MAX_ACTIONS - MAX_REFUSED),
        intent=clip(read(fields.get("intent"), Text, "intent") or "", MAX_INTENT_BYTES),
    )


def _read_part(name: str, path: str, text: Raw) -> Any:
    if name != "cancel":
        return _read_action(text, path, _INSTANTS if name == "instants" else _TASKS)
    task_id = _read_field(text, Ref, path)
    if task_id is None:
        raise FieldError(f"{path}: expected {description(Ref)}, got null")
    return task_id


def _id_of(name: str, path: str, text: Raw) -> str:
    """The id of an action that is not executed; empty if it has none."""
    try:
        return (
            _read_field(text if name == "cancel" else members(text, path).get("id"), Ref, path)
            or ""
        )
    except FieldError:
        return ""


def _read_action(text: Raw, path: str, family: _Family) -> Any:
    """Read one action of a family; if it cannot be read, return the bad action that says why."""
    ref = ""
    name = ""
    try:
        fields = members(text, path)
        ref = _read_field(fields.get("id"), Ref, f"{path}.id") or ""
        name = read(fields.get("type"), Text, f"{path}.type") or ""
        kind = family.kinds.get(name)
        if kind is None:
            raise FieldError(family.unknown)
        values = {
            name: value
            for name, form in kind.forms.items()
            if (value := _read_field(fields.get(name), form, f"{path}.{name}")) is not None
        }
        return _made(kind, values, path)
    except FieldError as problem:
        return family.bad(
            id=ref,
            problem=problem.message,
            name=name[: actions.MAX_ID_LENGTH],
            sent=quoted(bytes(text), MAX_SENT_BYTES),
        )


def _made(kind: _ActionKind, values: dict[str, Any], path: str) -> actions.Action:
    """The action; raises FieldError if a field breaks a rule that its type alone cannot express."""
    try:
        return kind.make(**values)
    except ValueError as problem:
        raise FieldError(f"{path}.{problem}") from None


def _read_field(text: Raw | None, form: Any, path: str) -> Any:
    length = _CUT.get(form)
    if length is None:
        return read(text, form, path)
    value = read(text, Text, path)
    return value and value[:length]


__all__ = ["MAX_ACTIONS", "MAX_REFUSED", "MAX_TICK", "Act", "ActError", "Tick", "read_act"]
