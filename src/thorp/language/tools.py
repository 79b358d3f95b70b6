"""The actions as tools: a name, a description, and a flat JSON Schema of the arguments.

Fields and their types are those of the protocol's actions; only the words are written by hand, in
`tools.json`. A call is as flat as small models need it: a place is x, y and z, and goods are one
item and its count. `read_call` makes an action of it, and has the protocol read that, so that a
call is refused for the same reasons as an action. The world decides whether the action succeeds.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from typing import Any, Final, NamedTuple, Protocol, get_args

import msgspec
from msgspec import Raw, structs

from thorp.kernel.errors import InvalidError
from thorp.protocol import actions
from thorp.protocol.act import read_act
from thorp.protocol.frame import PROTOCOL_VERSION, FieldError, quoted, read
from thorp.protocol.near_names import nearest
from thorp.protocol.obs import Position

MINE_REACH: Final = 2  # How far one can mine, in cells along the axes.
MAX_WAIT_TICKS: Final = 600  # How long one `wait` may last: two minutes at five ticks a second.

Schema = dict[str, Any]
Values = dict[str, Any]
Forms = dict[str, Any]  # The types of flat fields, by name.
Part = dict[str, Any]  # What a call adds to an ACT: `{"tasks": […]}` or `{"instants": […]}`.

# Fields that repeat another one: in a flat call there is one way to say a thing.
_LEFT_OUT: Final = {
    "id": (actions.Action,),
    "deadline_tick": (actions.PostContract,),
    "target_id": (actions.PostBoard, actions.RemovePost, actions.SearchBoard),
}
_PLACE: Final = dict.fromkeys("xyz", actions.Whole)
_POLICY: Final = dict.fromkeys(
    ("allow_build", "allow_break", "allow_damage", "allow_trade"), actions.Flag
)
_PARAMS: Final = {
    **dict.fromkeys(("market_tax", "start_time", "end_time"), actions.Amount),
    **dict.fromkeys(("fine_item", "ticket_item"), actions.Name),
    **dict.fromkeys(("fine_per_block", "ticket_cost"), actions.Whole),
}


class Tool(NamedTuple):
    """An action or question of the protocol, as it is offered to a language model."""

    name: str
    description: str
    parameters: Schema


class Sight(Protocol):
    """What an agent sees of the ground: a `text.Describer` or a `thorp.client.Agent`."""

    @property
    def position(self) -> Position:
        """Where the agent stands."""

    def find_all(self, *names: str) -> Iterable[Position]:
        """Where blocks of these names are, the nearest first."""


FieldNote = tuple[Any, str]  # About a field: a value to show in examples, and what it means.


class _About(msgspec.Struct):
    """What the types do not say about a tool: what it does, which fields may be left out, what some
    mean."""

    does: str
    optional: list[str] = []
    fields: dict[str, FieldNote] = {}


class _ToolWords(msgspec.Struct):
    """The content of `tools.json`."""

    tools: dict[str, _About]
    fields: dict[str, FieldNote]
    # The values of a field from which models may choose; the world refuses any other.
    choices: dict[str, list[str]]


_WORDS: Final = msgspec.json.decode(
    (files(__package__) / "tools.json").read_bytes(), type=_ToolWords
)


class _Flat(NamedTuple):
    """How a field that holds several values is split into flat fields, and put together again."""

    leaves: Callable[[str], Forms]
    join: Callable[[Values], object]
    whole: bool = True  # Whether it needs all of its leaves.


def _goods(field: str) -> Forms:
    """The flat fields of a field that holds goods: an item and its count."""
    stem = field.removesuffix("s")
    return {f"{stem}_item": actions.Name, f"{stem}_count": actions.Whole}


_FLAT: Final = (
    (actions.Vector, _Flat(lambda _: _PLACE, lambda each: list(each.values()))),
    (actions.Pairs, _Flat(_goods, lambda each: [list(each.values())])),
    (
        actions.Stacks,
        _Flat(_goods, lambda each: [dict(zip(("item", "count"), each.values(), strict=True))]),
    ),
    (actions.Policy, _Flat(lambda _: _POLICY, dict, whole=False)),
    (actions.Params, _Flat(lambda _: _PARAMS, dict, whole=False)),
)

Make = Callable[[Values, Sight | None], Part]


class _ToolRow(NamedTuple):
    """One tool, the types of its flat fields, and the function that makes actions of their
    values."""

    tool: Tool
    forms: Forms
    make: Make


def _row(name: str, forms: Forms, make: Make) -> _ToolRow:
    """A tool with its schema and an example, from its types and the words about it."""
    about = _WORDS.tools[name]
    fields = {field: about.fields.get(field) or _WORDS.fields[field] for field in forms}
    required = [field for field in forms if field not in about.optional]
    properties = {
        field: _schema_of(field, forms[field], words) for field, (_, words) in fields.items()
    }
    parameters = {"type": "object", "properties": properties, "required": required}
    example = msgspec.json.encode({field: fields[field][0] for field in required}).decode()
    tool = Tool(
        name, f"{about.does} Example: {example}", {**parameters, "additionalProperties": False}
    )
    return _ToolRow(tool, forms, make)


def _schema_of(field: str, form: Any, words: str) -> Schema:
    choices = {"enum": _WORDS.choices[field]} if field in _WORDS.choices else {}
    return {"type": msgspec.json.schema(form)["type"], "description": words, **choices}


def _action_row(kind: type[actions.Action]) -> _ToolRow:
    """The tool of one action of the protocol."""
    tag = str(kind.__struct_config__.tag)
    part = "tasks" if issubclass(kind, actions.Task) else "instants"
    flats = {
        field.name: _flat(field.name, get_args(field.type)[0])
        for field in structs.fields(kind)
        if not issubclass(kind, _LEFT_OUT.get(field.name, ()))
    }

    def make(values: Values, sight: Sight | None) -> Part:
        action: Values = {"type": tag}
        for name, (leaves, flat) in flats.items():
            given = {leaf: values[leaf] for leaf in leaves if leaf in values}
            lacking = next((leaf for leaf in leaves if leaf not in given), None)
            if given and flat is not None:
                if lacking and flat.whole:
                    raise _wrong(tag.lower(), lacking, f"{lacking} is missing")
                given = {name: flat.join(given)}
            action |= given
        return {part: [action]}

    forms = {leaf: form for leaves, _ in flats.values() for leaf, form in leaves.items()}
    return _row(tag.lower(), forms, make)


def _flat(name: str, form: Any) -> tuple[Forms, _Flat | None]:
    """The flat fields of a field of this type, and how to put them together; None if it is flat
    already."""
    flat = next((flat for compound, flat in _FLAT if form == compound), None)
    return ({name: form}, None) if flat is None else (flat.leaves(name), flat)


# Tools that are not one action


def _wait(values: Values, sight: Sight | None) -> Part:
    """Do nothing. The integration that reads the call waits for that many ticks."""
    if not 1 <= values.get("ticks", 1) <= MAX_WAIT_TICKS:
        raise _wrong("wait", "ticks", f"ticks must be 1 to {MAX_WAIT_TICKS}, got {values['ticks']}")
    return {"instants": []}


def _go_to(values: Values, sight: Sight | None) -> Part:
    """Walk to a place. A walk under way is stopped first, or the new one would be refused."""
    return {
        "tasks": [{"type": "STOP"}, {"type": "MOVE_TO", "target": [values[axis] for axis in "xyz"]}]
    }


def _mine_nearest(values: Values, sight: Sight | None) -> Part:
    """Mine the nearest block of a kind if it is in reach, else walk to it. Blocks right above or
    below that are out of reach are skipped."""
    if sight is None:
        raise InvalidError(
            "mine_nearest needs to see the ground; use mine with x, y and z", code="sight"
        )
    for place in sight.find_all(values["block"]):
        if _cells_between(place, sight.position) <= MINE_REACH:
            return {"tasks": [{"type": "MINE", "block_pos": list(place)}]}
        if can_reach(place, sight.position):
            return _go_to(dict(zip("xyz", place, strict=True)), sight)
    raise _wrong(
        "mine_nearest", "block", "no such block that you can reach is in sight; call go_to first"
    )


def can_reach(place: Position, position: Position) -> bool:
    """Whether `mine_nearest` mines a block or walks to it: not if it is right above or below, and
    out of reach."""
    x, _, z = (abs(there - here) for there, here in zip(place, position, strict=True))
    return _cells_between(place, position) <= MINE_REACH or x + z > 1


def _cells_between(place: Position, position: Position) -> int:
    return sum(abs(there - here) for there, here in zip(place, position, strict=True))


_ACTIONS: Final = [_action_row(kind) for kind in get_args(actions.SoundTask | actions.SoundInstant)]
_PASS: Final = _row("wait", {"ticks": actions.Whole}, _wait)
_WALK: Final = _row("go_to", _PLACE, _go_to)
_MINE: Final = _row("mine_nearest", {"block": actions.Name}, _mine_nearest)
_ROWS: Final = {row.tool.name: row for row in (*_ACTIONS, _PASS, _WALK, _MINE)}

TOOLS: Final = tuple(row.tool for row in _ACTIONS)
"""One for each action of the protocol, tasks first."""
WAIT: Final = _PASS.tool
"""Does nothing. It is not an action, and an integration that waits for the world by itself need not
offer it."""
SIMPLE: Final = tuple(
    _ROWS[name].tool
    for name in ("go_to", "mine_nearest", "place", "craft", "eat", "say", "accept_trade", "wait")
)
"""The few tools that are enough for a small model; `mine_nearest` needs to see the ground."""


def tool_name(name: str) -> str:
    """The name of a tool, which may also be written like an action of the protocol: MINE is
    mine."""
    return name.lower() if name.isupper() else name


def read_call(name: str, arguments: object, sight: Sight | None = None) -> Part:
    """The part of an ACT that a call asks for, as on the wire; an InvalidError says which field is
    wrong, and what to send."""
    row = _ROWS.get(tool_name(name)) if isinstance(name, str) else None
    if row is None:
        raise InvalidError(no_tool(name), code="tool")
    part = row.make(_read_fields(row, arguments), sight)
    act = read_act(
        msgspec.json.encode({"type": "ACT", "protocol_version": PROTOCOL_VERSION, **part})
    )
    for action in (*act.instants, *act.tasks):
        if isinstance(action, actions.BadInstant | actions.BadTask):
            raise InvalidError(f"{name}: {action.problem}", code="field")
    return part


def no_tool(name: object) -> str:
    """That a tool or an action is called otherwise: the nearest name, and all."""
    names = tuple(tool.name for tool in (*TOOLS, WAIT))
    near = nearest(name, names) if isinstance(name, str) else ""
    meant = f"did you mean {near}? The" if near else "the"
    return f"there is no tool {_quoted(name)}; {meant} tools are {', '.join(names)}"


def _read_fields(row: _ToolRow, arguments: object) -> Values:
    """The arguments of a call, each checked against its type; null counts as left out."""
    name = row.tool.name
    if not isinstance(arguments, Mapping):
        raise InvalidError(
            f"{name}: expected an object of fields, got {_quoted(arguments)}", code="fields"
        )
    for field in arguments:
        if field not in row.forms:
            advice = f"its fields are {', '.join(row.forms)}" if row.forms else "it has none"
            raise InvalidError(f"{name} has no field {_quoted(field)}; {advice}", code="field")
    given = {field: arguments[field] for field in row.forms if arguments.get(field) is not None}
    for field in row.tool.parameters["required"]:
        if field not in given:
            raise _wrong(name, field, f"{field} is missing")
    return {field: _read_field(row, field, value) for field, value in given.items()}


def _read_field(row: _ToolRow, field: str, value: object) -> object:
    try:
        reading = read(Raw(_json(value)), row.forms[field], field)
    except FieldError as problem:
        raise _wrong(row.tool.name, field, problem.message) from None
    if reading is None:
        raise _wrong(row.tool.name, field, f"{field} cannot be written as JSON")
    return reading


def _json(value: object) -> bytes:
    """A value as JSON; null if that cannot hold it."""
    try:
        return msgspec.json.encode(value)
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError):
        return b"null"


def _quoted(value: object) -> str:
    return quoted(_json(value))


def _wrong(name: str, field: str, problem: str) -> InvalidError:
    words = _ROWS[name].tool.parameters["properties"][field]["description"]
    return InvalidError(
        f"{name}: {problem}. Send {field}: {words}", code="field", path=f"$.{field}"
    )


def _action_schema() -> Schema:
    """The schema of an object that names a tool and has its arguments beside it."""
    tools = (*TOOLS, WAIT)
    forms = {field: form for row in (*_ACTIONS, _PASS) for field, form in row.forms.items()}
    action = {
        "type": "string",
        "enum": [tool.name for tool in tools],
        "description": "What to do, and its fields (? may be left out): "
        f"{'; '.join(map(signature, tools))}",
    }
    fields = {
        field: _schema_of(field, form, _WORDS.fields[field][1]) for field, form in forms.items()
    }
    schema = {"type": "object", "properties": {"action": action, **fields}, "required": ["action"]}
    return {**schema, "additionalProperties": False}


def signature(tool: Tool) -> str:
    """Its name and fields in short; a question mark follows a field that may be left out."""
    required = tool.parameters["required"]
    fields = (
        field if field in required else f"{field}?" for field in tool.parameters["properties"]
    )
    return f"{tool.name}({', '.join(fields)})"


ACTION_SCHEMA: Final = _action_schema()
"""Every tool in one flat object: `action` names it, the other fields are its arguments."""


def read_action(action: object, sight: Sight | None = None) -> Part:
    """`read_call` for an object whose `action` names the tool, with the arguments beside it."""
    if not isinstance(action, Mapping) or not isinstance(action.get("action"), str):
        example = '{"action": "say", "text": "Good morning."}'
        raise InvalidError(
            f"expected an object whose action names a tool: {example}", code="action"
        )
    fields = {
        name: value for name, value in action.items() if name != "action" and value is not None
    }
    return read_call(action["action"], fields, sight)
