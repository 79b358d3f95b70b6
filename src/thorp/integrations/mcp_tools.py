"""The tools with which an assistant lives in a world, as a table: names, fields and what they do.

Their descriptions for models are in `mcp.json`, under the same names. `mcp_toolbox` calls them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.resources import files
from itertools import chain
from string import ascii_lowercase
from typing import Any, Final, NamedTuple

import msgspec

from thorp.client import Agent
from thorp.integrations.mcp_player import WAIT_SECONDS, Player
from thorp.integrations.mcp_result import ToolRefusal, ToolResult, list_result
from thorp.language.tools import ACTION_SCHEMA, TOOLS, WAIT, no_tool, read_action, tool_name
from thorp.protocol.near_names import nearest
from thorp.protocol.obs import Event

MAP_RADIUS: Final = 7
MAX_FOUND: Final = 8
# Events that do not end a wait: they only answer what the agent just did.
_QUIET: Final = ("ACTION_RESULT", "FUN")

Asked = dict[str, Any]  # The arguments of a call.

_WORDS: Final = msgspec.json.decode((files(__package__) / "mcp.json").read_bytes())
_FIELDS: Final[dict[str, dict[str, Any]]] = _WORDS["fields"]
_TYPES: Final = {"string": str, "integer": int, "boolean": bool, "object": dict}

_RULES: Final = (files(__package__) / "mcp_rules.md").read_text("utf-8")
_ACTION_FIELDS: Final = {tool.name: tuple(tool.parameters["properties"]) for tool in (*TOOLS, WAIT)}
_ACTIONS: Final = "\n".join(f"- `{tool.name}`: {tool.description}" for tool in TOOLS)
RESOURCES: Final = {
    "thorp://rules": ("The rules of the world in short.", _RULES),
    "thorp://actions": (
        "Every action of act: what it does, and an example of its fields.",
        _ACTIONS,
    ),
}
"""Texts that a host can read, by address, each after a line on its subject."""


def _ends(task_id: Any, event: Event) -> bool:
    return event["type"] in ("TASK_DONE", "TASK_FAIL") and event.get("task_id") == task_id


async def _observe(player: Player, asked: Asked) -> ToolResult:
    return await player.describe()


async def _look_at(player: Player, asked: Asked) -> ToolResult:
    """Look for a block by name, at an entity by id, or at a cell: the first that is given."""
    agent = player.agent
    if "block" in asked:
        name = asked["block"].upper()
        places = [place for place, _ in zip(agent.find_all(name), range(MAX_FOUND), strict=False)]
        text = ", ".join(" ".join(map(str, place)) for place in places) or "nowhere in sight"
        return ToolResult(f"{name}: {text}", {"block": name, "found": places})
    if "id" in asked:
        entity = next((each for each in agent.entities if each.id == asked["id"]), None)
        if entity is None:
            seen = ", ".join(each.id for each in agent.entities[:20]) or "nobody and nothing"
            raise ToolRefusal(f"id: it is not in sight; in sight: {seen}")
        return list_result(msgspec.to_builtins(entity), "observe, and see the rest of it there")
    if not {"x", "y", "z"} <= asked.keys():
        raise ToolRefusal("give x, y and z of a cell, or block, or id")
    block = agent.block(asked["x"], asked["y"], asked["z"])
    return ToolResult(block or f"out of sight; you are at {agent.position}", {"block": block})


async def _map(player: Player, asked: Asked) -> ToolResult:
    """Draw the land around the agent from above, a letter for each kind of block: if it is free,
    one of the block's own name."""
    agent = player.agent
    letters = {"AIR": " "}
    x, y, z = agent.position
    span = range(-MAP_RADIUS, MAP_RADIUS + 1)
    tops = [[_top(agent, x + dx, y, z + dz) for dx in span] for dz in span]
    for block in dict.fromkeys(chain(*tops)):
        free = (each for each in (*block, *ascii_lowercase, "?") if each not in letters.values())
        letters.setdefault(block, next(free, "?"))
    rows = [[letters[block] for block in row] for row in tops]
    for mark, (mark_x, _, mark_z) in (
        *(("*", each.pos) for each in agent.entities),
        ("@", agent.position),
    ):
        if mark_x - x in span and mark_z - z in span:
            rows[mark_z - z + MAP_RADIUS][mark_x - x + MAP_RADIUS] = mark
    head = (
        f"You (@) are at {x} {y} {z}; x grows to the right and z downwards; * is somebody or "
        "something."
    )
    key = ", ".join(f"{letter} {block}" for block, letter in letters.items())
    lines = ["".join(row) for row in rows]
    return list_result(
        {"center": [x, y, z], "rows": lines, "legend": key},
        "walk on and look again",
        [head, *lines, key],
    )


def _top(agent: Agent, x: int, y: int, z: int) -> str:
    """The highest block in sight of a column."""
    column = (agent.block(x, height, z) for height in range(y + MAP_RADIUS, y - MAP_RADIUS - 1, -1))
    return next((block for block in column if block not in (None, "AIR")), None) or "AIR"


async def _act(player: Player, asked: Asked) -> ToolResult:
    part = read_action(asked, player.agent)
    return await (_do(player, part) if any(part.values()) else _wait(player, asked))


async def _do(player: Player, part: Mapping[str, Any]) -> ToolResult:
    result = await player.do(part)
    fields = {
        key: value for key, value in result.items() if key not in ("type", "ref", "t", "message")
    }
    task_id = result.get("task_id")
    text = (
        f"begun; wait with task_id {task_id}" if task_id else msgspec.json.encode(fields).decode()
    )
    return ToolResult(text, fields)


async def _wait(player: Player, asked: Asked) -> ToolResult:
    """Wait until a task ends, or without one until something happens; not longer than asked for,
    nor than `WAIT_SECONDS`."""
    agent = player.agent
    task_id = asked.get("task_id")
    until = agent.tick + asked.get("ticks", 25)
    if task_id and task_id not in [task.task_id for task in agent.obs.tasks]:
        return await player.describe(f"no task {task_id} is running")

    wanted = partial(_ends, task_id) if task_id else lambda event: event["type"] not in _QUIET
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            while agent.tick < until and not any(map(wanted, await player.observe())):
                pass
    except TimeoutError:
        return await player.describe(
            f"waited for {WAIT_SECONDS:.0f} s; call wait again to wait longer"
        )
    return await player.describe()


async def _say(player: Player, asked: Asked) -> ToolResult:
    if "to" in asked and "channel" in asked:
        raise ToolRefusal("channel: a whisper has none; leave out channel or to")
    kind = "WHISPER" if "to" in asked else "SAY"
    return await _do(player, {"instants": [{"type": kind, **asked}]})


async def _recipes(player: Player, asked: Asked) -> ToolResult:
    item = asked.get("item", "").upper()
    lines = []
    for recipe in player.agent.catalogs.get("recipes", []):
        needs, makes = (
            [f"{stack['count']} {stack['item']}" for stack in recipe[side]]
            for side in ("inputs", "outputs")
        )
        if not item or any(each.endswith(f" {item}") for each in (*needs, *makes)):
            where = f"{recipe['recipe_id']} ({recipe['station']})"
            lines.append(f"{where}: {', '.join(needs)} -> {', '.join(makes)}")
    if not lines:
        raise ToolRefusal(f"item: no recipe makes or needs {item}; leave it out for all")
    return list_result({"recipes": lines}, "name an item to see its recipes alone", lines)


async def _boards(player: Player, asked: Asked) -> ToolResult:
    """Search a board for a text; or open one in the world, whose id has an @; or list the public
    ones."""
    board_id = asked.get("board_id", "")
    text = asked.get("text")
    if text is not None:
        await player.do(
            {"instants": [{"type": "SEARCH_BOARD", "board_id": board_id, "text": text}]}
        )
        notices = player.agent.news.opened.get(board_id, {}).get("results", [])
        return list_result({"found": notices}, "search for more words of the notice")
    if "@" in board_id:
        return list_result(
            await player.open(board_id), "search this board by text: a word of the notice"
        )
    boards = msgspec.to_builtins(player.agent.obs).get("public_boards", [])
    listed = [each for each in boards if board_id in ("", each["board_id"])]
    return list_result({"boards": listed}, "read one board by its board_id, or search it by text")


async def _contracts(player: Player, asked: Asked) -> ToolResult:
    if "terminal_id" in asked:
        return list_result(
            await player.open(asked["terminal_id"]), "take one of these first, and open it again"
        )
    contracts = [*player.agent.news.contracts.values()]
    return list_result({"contracts": contracts}, "open one terminal by its terminal_id")


async def _laws(player: Player, asked: Asked) -> ToolResult:
    agent = player.agent
    kinds = [
        f"{each['id']}: {each['description']}"
        for each in agent.catalogs["law_templates"]["templates"]
    ]
    here = msgspec.to_builtins(agent.obs.local_rules)
    laws = [*agent.news.laws.values()]
    data = {"here": here, "laws": laws, "templates": kinds}
    return list_result(data, "observe, and see the rules of this land there")


async def _memory(player: Player, asked: Asked) -> ToolResult:
    if "value" in asked:
        return await _do(player, {"instants": [{"type": "SAVE_MEMORY", **asked}]})
    await player.do({"instants": [{"type": "LOAD_MEMORY", "prefix": asked.get("key", "")}]})
    notes = msgspec.to_builtins(player.agent.obs).get("memory", [])
    return list_result(
        {"notes": notes}, "name a key, or the beginning of one, to read its notes alone"
    )


async def _leave(player: Player, asked: Asked) -> ToolResult:
    gone = bool(asked.get("retire")) and await player.agent.retire()
    await player.leave()
    stays = "you left; your body stays, and join with its token brings you back"
    return ToolResult("your body is out of the world" if gone else stays, {"retired": gone})


class McpTool(NamedTuple):
    """A tool as hosts list it, and the function that does its work."""

    name: str
    takes: str  # Names of its fields; one with a question mark may be left out.
    about: str
    reads: bool = False
    # Not called for `join` and `story`, which need no handle: the toolbox itself does these.
    work: Callable[[Player, Asked], Awaitable[ToolResult]] = _observe
    rest: Mapping[str, Any] = {"properties": {}, "required": []}

    @property
    def listing(self) -> dict[str, Any]:
        """The tool as `tools/list` shows it."""
        names = self.takes.split()
        own = {name.rstrip("?"): _FIELDS[name.rstrip("?")] for name in names}
        required = [each for each in names if each[-1] != "?"] + self.rest["required"]
        schema = {
            "type": "object",
            "properties": own | self.rest["properties"],
            "required": required,
        }
        hints = {"readOnlyHint": self.reads, "destructiveHint": self.name in ("act", "leave")}
        hints |= {"idempotentHint": self.reads, "openWorldHint": False}
        row = {"name": self.name, "description": self.about, "annotations": hints}
        return row | {"inputSchema": schema | {"additionalProperties": False}}

    def read(self, arguments: Mapping[str, Any]) -> Asked:
        """Check the arguments of a call, and return those that are not null. A refusal names the
        argument."""
        schema = self.listing["inputSchema"]
        own = self.takes.replace("?", "").split()
        properties = schema["properties"]
        given = {}
        for name, value in arguments.items():
            if name not in properties:
                taker, fields = self._fields_for(arguments)
                raise ToolRefusal(f"{name[:40]}: {taker} takes no such field; it takes {fields}")
            if value is not None:
                # Fields of `rest` belong to an action, which `read_action` checks.
                given[name] = _checked(name, value) if name in own else value
        for name in own:
            if name in schema["required"] and name not in given:
                raise ToolRefusal(f"{self.name} needs {name}: {properties[name]['description']}")
        return given

    def _fields_for(self, arguments: Mapping[str, Any]) -> tuple[str, str]:
        """Who takes fields, and which: of `act` those of the action that was named."""
        own = [name.rstrip("?") for name in self.takes.split()]
        if not self.rest["properties"]:
            return self.name, ", ".join(own)
        action = _ACTION_FIELDS.get(tool_name(str(arguments.get("action"))))
        if action is None:
            raise ToolRefusal(no_tool(arguments.get("action")))
        return tool_name(str(arguments["action"])), ", ".join(["handle", "action", *action])


def find_tool(name: str) -> McpTool:
    """The tool of this name, however it is spelled. Raises ToolRefusal if there is none."""
    tool = _TOOLS.get(tool_name(name))
    if tool is None:
        raise ToolRefusal(_no_tool(name))
    return tool


def _no_tool(name: str) -> str:
    """What to call instead: an action is a tool of other doors, and here one of `act`."""
    near = nearest(name, tuple(_TOOLS))
    advice = "there"
    if tool_name(name) in _ACTION_FIELDS:
        advice = f'call act with action="{tool_name(name)}"; there'
    elif near:
        advice = f"did you mean {near}? There"
    return f"there is no tool {name[:40]!r}; {advice} are {', '.join(_TOOLS)}"


def _checked(name: str, value: Any) -> Any:
    """The value of a field, if its schema allows it. Numbers are compared with `minimum` and
    `maximum`, texts by their length with `minLength` and `maxLength`."""
    field = _FIELDS[name]
    right = type(value) is _TYPES[field["type"]] and value in field.get("enum", [value])
    size = len(value) if isinstance(value, str | dict) else value
    least, most = (
        field.get(f"{end}Length", field.get(f"{end}imum", size)) for end in ("min", "max")
    )
    if right and least <= size <= most:
        return value
    beginning = msgspec.json.encode(value)[:40].decode("utf-8", "ignore")
    raise ToolRefusal(
        f"{name}: got {beginning}. Send {name}: {field['type']}, {field['description']}"
    )


_WORK: Final = {
    "look_at": _look_at,
    "map": _map,
    "act": _act,
    "wait": _wait,
    "say": _say,
    "recipes": _recipes,
    "boards": _boards,
    "contracts": _contracts,
    "laws": _laws,
    "memory": _memory,
    "leave": _leave,
}
_TOOLS: Final = {
    row["name"]: McpTool(**row, work=_WORK.get(row["name"], _observe)) for row in _WORDS["tools"]
}
_TOOLS["act"] = _TOOLS["act"]._replace(rest=ACTION_SCHEMA)
TABLE: Final = (*_TOOLS.values(),)
# Always in the same order, so that a host's cache of its prompt holds.
LISTED: Final = [tool.listing for tool in TABLE]
