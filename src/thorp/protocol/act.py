"""ACT: what an agent sends. Read in one pass when it is right, and piece by piece when it is not.

A frame that is no ACT at all, or whose top level cannot be read, is refused whole: `ActError`. Inside one
that can be read, an action that is malformed or unknown becomes a `BadInstant` or `BadTask`, which names
the field; the others stand.

Fields that no action uses are not looked at, `agent_id` among them: whose ACT it is, the connection knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta, Raw, structs

from thorp.kernel.errors import InvalidError
from thorp.protocol.actions import (
    Action,
    AnyInstant,
    AnyTask,
    BadInstant,
    BadTask,
    Name,
    SoundInstant,
    SoundTask,
    Text,
)
from thorp.protocol.frame import (
    PROTOCOL_VERSION,
    FieldError,
    Outline,
    description,
    is_plain,
    items,
    members,
    outline,
    quoted,
    read,
)

# What one agent can want in 200 ms, with room. Results of all of them must fit into one OBS.
MAX_ACTIONS: Final = 16
# JavaScript counts no further.
MAX_TICK: Final = 2**53

Tick = Annotated[int, Meta(ge=0, le=MAX_TICK, description=f"an integer from 0 to {MAX_TICK}")]


class Act(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`instants`, `tasks` and `cancel` together hold at most MAX_ACTIONS."""

    tick: Tick
    instants: Sequence[AnyInstant] = []
    tasks: Sequence[AnyTask] = []
    cancel: Sequence[Name] = []


class ActError(InvalidError):
    """A frame that is no ACT, or an ACT that cannot be taken apart. The message names the field."""

    code = "bad_act"


class _SoundAct(msgspec.Struct, tag_field="type", tag="ACT", kw_only=True):
    """An ACT in which everything is right."""

    protocol_version: Literal["0.9"]
    tick: Tick
    instants: list[SoundInstant] = []
    tasks: list[SoundTask] = []
    cancel: list[Name] = []


class _Kind(NamedTuple):
    make: type[Action]
    forms: dict[str, Any]


class _Family(NamedTuple):
    """Instants or tasks: their types by name, and what becomes of one that cannot be read."""

    kinds: dict[str, _Kind]
    bad: type[BadInstant] | type[BadTask]
    unknown: str


def _by_tag(union: Any) -> dict[str, _Kind]:
    return {
        kind.__struct_config__.tag: _Kind(kind, {field.name: field.type for field in structs.fields(kind)})
        for kind in get_args(union)
    }


_INSTANTS: Final = _Family(_by_tag(SoundInstant), BadInstant, "unknown instant type")
_TASKS: Final = _Family(_by_tag(SoundTask), BadTask, "unknown task type")
_HEAD: Final = (("type", "ACT"), ("protocol_version", PROTOCOL_VERSION))

_decode_sound: Final = msgspec.json.Decoder(_SoundAct).decode


def read_act(frame: bytes) -> Act:
    """The ACT in a frame; raises ActError, and nothing else, when there is none."""
    try:
        if is_plain(frame):
            act = _decode_sound(frame)
            _check_number(len(act.instants) + len(act.tasks) + len(act.cancel))
            return Act(tick=act.tick, instants=act.instants, tasks=act.tasks, cancel=act.cancel)
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
    tick = _required(fields.get("tick"), Tick, "tick")
    instants, tasks, cancel = (items(fields.get(name), name) for name in ("instants", "tasks", "cancel"))
    _check_number(len(instants) + len(tasks) + len(cancel))
    return Act(
        tick=tick,
        instants=[_read_action(text, f"instants[{at}]", _INSTANTS) for at, text in enumerate(instants)],
        tasks=[_read_action(text, f"tasks[{at}]", _TASKS) for at, text in enumerate(tasks)],
        cancel=[_required(text, Name, f"cancel[{at}]") for at, text in enumerate(cancel)],
    )


def _read_action(text: Raw, path: str, family: _Family) -> Any:
    """One action of that family, or the bad one that says why there is none."""
    ref = ""
    try:
        fields = members(text, path)
        ref = read(fields.get("id"), Name, f"{path}.id") or ""
        kind = family.kinds.get(read(fields.get("type"), Text, f"{path}.type"))
        if kind is None:
            raise FieldError(family.unknown)
        values = {
            name: value
            for name, form in kind.forms.items()
            if (value := read(fields.get(name), form, f"{path}.{name}")) is not None
        }
        return kind.make(**values)
    except FieldError as problem:
        return family.bad(id=ref, problem=problem.message)


def _required(text: Raw | None, form: Any, path: str) -> Any:
    value = read(text, form, path)
    if value is None:
        raise FieldError(f"{path}: expected {description(form)}, got {'null' if text else 'nothing'}")
    return value


def _check_number(actions: int) -> None:
    if actions > MAX_ACTIONS:
        raise ActError(
            f"ACT: expected at most {MAX_ACTIONS} instants, tasks and cancels together, got {actions}"
        )


__all__ = ["MAX_ACTIONS", "MAX_TICK", "Act", "ActError", "Tick", "read_act"]
