"""The actions as tools: a name, a description, and a flat JSON Schema of the arguments.

Fields and their types are those of the protocol's actions; only the words are written here. A call is as flat
as small models need it: a place is x, y and z, and goods are one item and its count. `read_call` makes the
action of it, and has the protocol read it, so that a call is refused for what an action is refused for.
Whether the action succeeds, the world decides.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, Protocol, get_args

import msgspec
from msgspec import Raw, structs

from thorp.kernel.errors import InvalidError
from thorp.protocol import actions
from thorp.protocol.act import read_act
from thorp.protocol.frame import PROTOCOL_VERSION, FieldError, quoted, read
from thorp.protocol.obs import Position

# How far one can mine, in cells along the axes.
MINE_REACH: Final = 2
# How long one `wait` may last: two minutes of a world that ticks five times a second.
MAX_WAIT_TICKS: Final = 600

Schema = dict[str, Any]
Values = dict[str, Any]
Forms = dict[str, Any]
"""The types of flat fields, by name."""
Part = dict[str, Any]
"""What a call adds to an ACT: `{"tasks": […]}` or `{"instants": […]}`."""


class Tool(NamedTuple):
    name: str
    description: str
    parameters: Schema


class Sight(Protocol):
    """What an agent sees of the ground: a `text.Describer` or a `thorp.client.Agent`."""

    @property
    def position(self) -> Position: ...

    def find_all(self, *names: str) -> Iterable[Position]: ...


Told = tuple[object, str]
"""Of a field: a value to show in examples, and what it means."""


class _About(NamedTuple):
    """What the types do not say of an action: what it does, which fields may be left out, what some mean."""

    does: str
    optional: str = ""
    fields: Mapping[str, Told] = {}


# fmt: off
_ABOUT: Final[dict[type[actions.Action], _About]] = {
    actions.MoveTo: _About("Walk to a place. The walk goes on by itself until you arrive.", "tolerance"),
    actions.Follow: _About("Keep walking after an agent or to a container, until you stop.", "distance",
        fields={"target_id": ("A3", "the agent or container to follow")}),
    actions.Mine: _About("Break a block at most 2 cells away (along the axes) and keep what it yields."),
    actions.Gather: _About("Pick up an item that lies on the ground, at most 2 cells away.",
        fields={"target_id": ("IT000012", "the id of the item on the ground")}),
    actions.Place: _About("Put a block that you carry into a free cell, at most 6 cells away."),
    actions.Open: _About("Look into a container, board or sign within 3 cells. What it holds comes as news."),
    actions.Transfer: _About("Move goods between you (SELF) and a container within 3 cells."),
    actions.Craft: _About("Make things by a recipe; many need a CRAFTING_BENCH within 2 cells.", "count"),
    actions.Smelt: _About("Melt or cook something in a FURNACE within 2 cells.", "count",
        fields={"item_id": ("IRON_ORE", "what goes into the furnace")}),
    actions.BuildBlueprint: _About("Build a whole structure, its lowest corner at a place within 32 cells. "
        "Materials come from you and from chests near by.", "rotation"),
    actions.Stop: _About("Stop walking or following."),
    actions.ClaimLand: _About("Own the square of land around a place, for 1 BATTERY and 1 CRYSTAL_SHARD, "
        "more beyond radius 32. Gives land_id.", "radius"),
    actions.Say: _About("Say something aloud.", "channel"),
    actions.Whisper: _About("Say something to one agent alone, however far away."),
    actions.Eat: _About("Eat food that you carry. It stills hunger; nothing else brings health back.",
        "count", fields={"item_id": ("BERRIES", "the food")}),
    actions.SaveMemory: _About("Keep a note for yourself in the world. It outlives this talk.", "ttl_ticks"),
    actions.LoadMemory: _About("Read your notes whose keys begin with a prefix.", "prefix limit"),
    actions.SetSign: _About("Write on a sign within 3 cells; an empty text wipes it.",
        fields={"target_id": ("SIGN@4,20,-9", "the sign's id"), "text": ("Coal", "at most 200 bytes")}),
    actions.ToggleSwitch: _About("Turn a switch within 3 cells on or off.",
        fields={"target_id": ("SWITCH@4,20,-9", "the switch's id")}),
    actions.OfferTrade: _About("Offer an agent goods for goods. Both must have them when it accepts. "
        "Gives trade_id."),
    actions.AcceptTrade: _About("Accept a trade that was offered to you."),
    actions.DeclineTrade: _About("Decline a trade that was offered to you."),
    actions.CancelTrade: _About("Take back your own offer."),
    actions.PostBoard: _About("Put up a notice, once in 600 ticks: on a BULLETIN_BOARD@x,y,z within 3 cells, "
        "or, under any other name, on a board that is everywhere."),
    actions.RemovePost: _About("Take down your own notice, or anyone's from a board on your land."),
    actions.SearchBoard: _About("Find notices on a board by words in them. They come as news.", "limit",
        fields={"text": ("coal", "the words to look for, at most 120 bytes")}),
    actions.SetPermissions: _About("Say what visitors may do on your land.",
        "allow_build allow_break allow_damage allow_trade"),
    actions.AddMember: _About("Make an agent a member of your land."),
    actions.RemoveMember: _About("Strike a member off your land."),
    actions.UpgradeClaim: _About("Enlarge your land, for the price.", fields={"radius": (64, "64 or 128")}),
    actions.DeedLand: _About("Give your land to an agent or an organisation."),
    actions.CreateOrg: _About("Found an organisation and lead it. Gives org_id."),
    actions.JoinOrg: _About("Join an organisation that is open or has invited you."),
    actions.LeaveOrg: _About("Leave your organisation."),
    actions.OrgDeposit: _About("Put goods into your organisation's treasury."),
    actions.OrgWithdraw: _About("Take goods out of the treasury; for its leader and officers."),
    actions.SetOrgOpen: _About("Say whether anyone may join your organisation."),
    actions.InviteOrg: _About("Invite an agent into your organisation."),
    actions.SetOrgRole: _About("Give a member of the organisation that you lead a role; NONE puts it out."),
    actions.ProposeLaw: _About("Propose a law for a land whose member you are, with its template's fields: "
        "market_tax; start_time, end_time; fine_item, fine_per_block; ticket_item, ticket_cost.",
        "market_tax start_time end_time fine_item fine_per_block ticket_item ticket_cost title"),
    actions.Vote: _About("Vote on a law of a land whose member you are, while its voting lasts."),
    actions.PostContract: _About("Promise a reward, taken at once, at a CONTRACT_TERMINAL within 3 cells, to "
        "whoever brings goods (DELIVER, with requirement_item and requirement_count) or builds (BUILD, with "
        "blueprint_id, x, y, z). Gives contract_id.", "requirement_item requirement_count deposit_item "
        "deposit_count duration_ticks blueprint_id x y z rotation"),
    actions.AcceptContract: _About("Take on a contract at a terminal within 3 cells, and pay its deposit."),
    actions.SubmitContract: _About("Hand in a contract that you have fulfilled, and be paid."),
    actions.CancelContract: _About("Take back your own contract that nobody has accepted."),
    actions.ClaimOwed: _About("Take what a terminal or container within 3 cells keeps for you."),
}

_FIELDS: Final[dict[str, Told]] = {
    "x": (4, "x of the cell, an integer"), "y": (20, "y of the cell, its height"), "z": (-9, "z of the cell"),
    "tolerance": (1, "how near is near enough, in cells; 1 if left out"),
    "distance": (2, "how near to stay, 1 to 32 cells; 2 if left out"),
    "target_id": ("CHEST@4,20,-9", "the id of the thing, as the observation names it"),
    "src_container": ("SELF", "where from: SELF or a container's id"),
    "dst_container": ("CHEST@4,20,-9", "where to: SELF or a container's id"),
    "item_id": ("PLANK", "the item, as the inventory names it"), "text": ("Good morning.", "the words"),
    "count": (2, "how many; 1 if it may be left out and is"), "to": ("A3", "the agent's id"),
    "recipe_id": ("plank_from_log", "the recipe: plank_from_log, stick_from_plank, crafting_bench, torch, …"),
    "blueprint_id": ("hut_small", "the blueprint: hut_small, cottage, lamp_post, well, …"),
    "rotation": (0, "quarter turns, 0 to 3; 0 if left out"), "key": ("home", "the note's name"),
    "radius": (16, "half the side of the square, 1 to 128; 32 if left out"),
    "channel": ("LOCAL", "LOCAL: within 32 cells (if left out); CITY: your organisation; MARKET: everyone"),
    "value": ("hut at 4 20 -9", "the note"), "prefix": ("home", "how the keys begin; all notes if left out"),
    "ttl_ticks": (6000, "after how many ticks to forget it; never if left out"),
    "limit": (20, "how many at most"), "board_id": ("market", "the board's name"),
    "post_id": ("P000003", "the notice's id"), "title": ("Coal", "at most 80 bytes"),
    "body": ("Two planks for one coal.", "the text below the title, at most 2,000 bytes"),
    "land_id": ("LAND_A1_001", "the land's id"), "member_id": ("A3", "the agent's id"),
    "new_owner": ("A3", "the id of the agent or organisation"), "org_kind": ("GUILD", "what it is"),
    "allow_build": (False, "whether visitors may build"), "allow_trade": (True, "whether visitors may trade"),
    "allow_break": (False, "whether visitors may break blocks"), "role": ("OFFICER", "the role"),
    "allow_damage": (False, "whether visitors may do damage"), "law_id": ("LAW000001", "the law's id"),
    "org_id": ("ORG000001", "the organisation's id"), "org_name": ("Masons", "its name, at most 40 bytes"),
    "open": (False, "true: anyone may join; false: only the invited"),
    "choice": ("YES", "your vote; a later one replaces it"), "template_id": ("MARKET_TAX", "the kind of law"),
    "market_tax": (0.1, "the owner's share of what is traded, 0 to 0.25"),
    "start_time": (0.8, "when the curfew begins, a time of day from 0 to 1"),
    "end_time": (0.2, "when it ends; the same as start_time ends the law"),
    "fine_item": ("COAL", "the item in which a fine is paid"), "trade_id": ("TR000012", "the trade's id"),
    "fine_per_block": (1, "how many for each block, 0 to 100"), "offer_count": (1, "how many you give"),
    "ticket_item": ("COAL", "the item in which entry is paid"), "request_count": (2, "how many you get"),
    "ticket_cost": (1, "how many for each entry, 0 to 64"), "offer_item": ("COAL", "the item that you give"),
    "request_item": ("PLANK", "the item that you get"), "contract_id": ("C000012", "the contract's id"),
    "terminal_id": ("CONTRACT_TERMINAL@4,20,-9", "the id of the terminal"),
    "contract_kind": ("DELIVER", "DELIVER or GATHER for goods, BUILD for a structure"),
    "requirement_item": ("COAL", "the item to be brought"), "reward_item": ("PLANK", "the item that you pay"),
    "requirement_count": (3, "how many are to be brought"), "reward_count": (8, "how many you pay"),
    "deposit_item": ("STONE", "an item that whoever accepts must leave as security"),
    "deposit_count": (2, "how many of it"),
    "duration_ticks": (3000, "how long it is open; a day if left out"),
    "block": ("LOG", "the kind of block, as the observation names it"),
    "ticks": (10, f"how many ticks to let pass, 1 to {MAX_WAIT_TICKS}; 1 if left out"),
}

_CHOICES: Final = {
    "channel": ["LOCAL", "CITY", "MARKET"], "choice": ["YES", "NO", "ABSTAIN"], "org_kind": ["CITY", "GUILD"],
    "role": ["LEADER", "OFFICER", "MEMBER", "NONE"], "contract_kind": ["GATHER", "DELIVER", "BUILD"],
    "template_id": ["ACCESS_PASS_CORE", "CURFEW_NO_BUILD", "FINE_BREAK_PER_BLOCK", "MARKET_TAX"],
}
"""What models are told to choose from. The world is the one to refuse anything else."""
# fmt: on

# Fields that say what another one says: a flat call has one way to say a thing.
_LEFT_OUT: Final = {
    "id": (actions.Action,),
    "deadline_tick": (actions.PostContract,),
    "target_id": (actions.PostBoard, actions.RemovePost, actions.SearchBoard),
}
_PLACE: Final = dict.fromkeys("xyz", actions.Whole)
_POLICY: Final = dict.fromkeys(("allow_build", "allow_break", "allow_damage", "allow_trade"), actions.Flag)
_PARAMS: Final = {
    **dict.fromkeys(("market_tax", "start_time", "end_time"), actions.Amount),
    **dict.fromkeys(("fine_item", "ticket_item"), actions.Name),
    **dict.fromkeys(("fine_per_block", "ticket_cost"), actions.Whole),
}


class _Flat(NamedTuple):
    """How a field that holds several values is written flat, and made again."""

    leaves: Callable[[str], Forms]
    join: Callable[[Values], object]
    whole: bool = True
    """Whether it needs all of its leaves."""


def _goods(field: str) -> Forms:
    stem = field.removesuffix("s")
    return {f"{stem}_item": actions.Name, f"{stem}_count": actions.Whole}


_FLAT: Final = (
    (actions.Vector, _Flat(lambda _: _PLACE, lambda each: list(each.values()))),
    (actions.Pairs, _Flat(_goods, lambda each: [list(each.values())])),
    (actions.Stacks, _Flat(_goods, lambda each: [dict(zip(("item", "count"), each.values(), strict=True))])),
    (actions.Policy, _Flat(lambda _: _POLICY, dict, whole=False)),
    (actions.Params, _Flat(lambda _: _PARAMS, dict, whole=False)),
)

Make = Callable[[Values, Sight | None], Part]


class _Row(NamedTuple):
    """One tool: the types of its flat fields, and what it makes of their values."""

    tool: Tool
    forms: Forms
    make: Make


def _row(name: str, about: _About, forms: Forms, make: Make) -> _Row:
    fields = {field: about.fields.get(field) or _FIELDS[field] for field in forms}
    required = [field for field in forms if field not in about.optional.split()]
    properties = {field: _schema_of(field, forms[field], words) for field, (_, words) in fields.items()}
    parameters = {"type": "object", "properties": properties, "required": required}
    example = msgspec.json.encode({field: fields[field][0] for field in required}).decode()
    tool = Tool(name, f"{about.does} Example: {example}", {**parameters, "additionalProperties": False})
    return _Row(tool, forms, make)


def _schema_of(field: str, form: Any, words: str) -> Schema:
    choices = {"enum": _CHOICES[field]} if field in _CHOICES else {}
    return {"type": msgspec.json.schema(form)["type"], "description": words, **choices}


def _action_row(kind: type[actions.Action]) -> _Row:
    """The row of one action of the protocol."""
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
    return _row(tag.lower(), _ABOUT[kind], forms, make)


def _flat(name: str, form: Any) -> tuple[Forms, _Flat | None]:
    flat = next((flat for compound, flat in _FLAT if form == compound), None)
    return ({name: form}, None) if flat is None else (flat.leaves(name), flat)


# Tools that are not one action


def _wait(values: Values, sight: Sight | None) -> Part:
    """Pass. How long, the door that was asked sees to."""
    if not 1 <= values.get("ticks", 1) <= MAX_WAIT_TICKS:
        raise _wrong("wait", "ticks", f"ticks must be 1 to {MAX_WAIT_TICKS}, got {values['ticks']}")
    return {"instants": []}


def _go_to(values: Values, sight: Sight | None) -> Part:
    """Leave whatever walk is under way, so that no second one is refused."""
    return {"tasks": [{"type": "STOP"}, {"type": "MOVE_TO", "target": [values[axis] for axis in "xyz"]}]}


def _mine_nearest(values: Values, sight: Sight | None) -> Part:
    """Mine a block of a kind if it is in reach, else walk to it; pass over what is too high or too deep."""
    if sight is None:
        raise InvalidError("mine_nearest needs to see the ground; use mine with x, y and z", code="sight")
    for place in sight.find_all(values["block"]):
        away = [abs(there - here) for there, here in zip(place, sight.position, strict=True)]
        if sum(away) <= MINE_REACH:
            return {"tasks": [{"type": "MINE", "block_pos": list(place)}]}
        if away[0] + away[2] > 1:
            return _go_to(dict(zip("xyz", place, strict=True)), sight)
    raise _wrong("mine_nearest", "block", "no such block that you can reach is in sight; call go_to first")


_ACTIONS: Final = [
    _action_row(kind) for kind in (*get_args(actions.SoundTask), *get_args(actions.SoundInstant))
]
_PASS: Final = _row("wait", _About("Do nothing for a while.", "ticks"), {"ticks": actions.Whole}, _wait)
_MINES: Final = "Mine the nearest block of a kind. If it is too far off, walk there; then call it again."
_COMPOUND: Final = [
    _row("go_to", _About("Walk to a place, and no longer to another."), _PLACE, _go_to),
    _row("mine_nearest", _About(_MINES), {"block": actions.Name}, _mine_nearest),
]
_ROWS: Final = {row.tool.name: row for row in (*_ACTIONS, _PASS, *_COMPOUND)}

TOOLS: Final = tuple(row.tool for row in _ACTIONS)
"""One for each action of the protocol, tasks first."""
WAIT: Final = _PASS.tool
"""A pass. It is no action; a door that waits for the world by itself need not offer it."""
SIMPLE: Final = tuple(
    _ROWS[name].tool
    for name in ("go_to", "mine_nearest", "place", "craft", "eat", "say", "accept_trade", "wait")
)
"""The few with which a small model lives; `mine_nearest` needs a sight of the ground."""


def read_call(name: str, arguments: object, sight: Sight | None = None) -> Part:
    """What a call adds to an ACT, as on the wire; an InvalidError says which field to send otherwise."""
    row = _ROWS.get(name) if isinstance(name, str) else None
    if row is None:
        known = ", ".join(tool.name for tool in (*TOOLS, WAIT))
        raise InvalidError(f"there is no tool {_quoted(name)}; the tools are {known}", code="tool")
    part = row.make(_read_fields(row, arguments), sight)
    act = read_act(msgspec.json.encode({"type": "ACT", "protocol_version": PROTOCOL_VERSION, **part}))
    for action in (*act.instants, *act.tasks):
        if isinstance(action, actions.BadInstant | actions.BadTask):
            raise InvalidError(f"{name}: {action.problem}", code="field")
    return part


def _read_fields(row: _Row, arguments: object) -> Values:
    name = row.tool.name
    if not isinstance(arguments, Mapping):
        raise InvalidError(f"{name}: expected an object of fields, got {_quoted(arguments)}", code="fields")
    for field in arguments:
        if field not in row.forms:
            known = f"its fields are {', '.join(row.forms)}" if row.forms else "it has none"
            raise InvalidError(f"{name} has no field {_quoted(field)}; {known}", code="field")
    given = {field: arguments[field] for field in row.forms if arguments.get(field) is not None}
    for field in row.tool.parameters["required"]:
        if field not in given:
            raise _wrong(name, field, f"{field} is missing")
    return {field: _read_field(row, field, value) for field, value in given.items()}


def _read_field(row: _Row, field: str, value: object) -> object:
    try:
        found = read(Raw(_json(value)), row.forms[field], field)
    except FieldError as problem:
        raise _wrong(row.tool.name, field, problem.message) from None
    if found is None:
        raise _wrong(row.tool.name, field, f"{field} cannot be written as JSON")
    return found


def _json(value: object) -> bytes:
    """As JSON; null if it has no such form."""
    try:
        return msgspec.json.encode(value)
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError):
        return b"null"


def _quoted(value: object) -> str:
    return quoted(_json(value))


def _wrong(name: str, field: str, problem: str) -> InvalidError:
    words = _ROWS[name].tool.parameters["properties"][field]["description"]
    return InvalidError(f"{name}: {problem}. Send {field}: {words}", code="field", path=f"$.{field}")


def _action_schema() -> Schema:
    tools = (*TOOLS, WAIT)
    forms = {field: form for row in (*_ACTIONS, _PASS) for field, form in row.forms.items()}
    action = {
        "type": "string",
        "enum": [tool.name for tool in tools],
        "description": f"What to do, and its fields (? may be left out): {'; '.join(map(signature, tools))}",
    }
    fields = {field: _schema_of(field, form, _FIELDS[field][1]) for field, form in forms.items()}
    schema = {"type": "object", "properties": {"action": action, **fields}, "required": ["action"]}
    return {**schema, "additionalProperties": False}


def signature(tool: Tool) -> str:
    """Its name and fields in short; a question mark follows a field that may be left out."""
    required = tool.parameters["required"]
    fields = (field if field in required else f"{field}?" for field in tool.parameters["properties"])
    return f"{tool.name}({', '.join(fields)})"


ACTION_SCHEMA: Final = _action_schema()
"""Every tool in one flat object: `action` names it, the other fields are its arguments."""


def read_action(action: object, sight: Sight | None = None) -> Part:
    """As `read_call`, of an object whose `action` names the tool."""
    if not isinstance(action, Mapping) or not isinstance(action.get("action"), str):
        example = '{"action": "say", "text": "Good morning."}'
        raise InvalidError(f"expected an object whose action names a tool: {example}", code="action")
    fields = {name: value for name, value in action.items() if name != "action" and value is not None}
    return read_call(action["action"], fields, sight)
