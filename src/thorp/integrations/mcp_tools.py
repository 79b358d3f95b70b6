"""The tools with which an assistant lives in a world, and the agents that it lives as.

`join` makes an agent and gives a handle for it. The handle is the only identity, because an
assistant's connections come and go. Agents connect with the kit, so they live by the rules of
`/v1/ws` like any other. A handle that nobody used for `IDLE_TICKS` is forgotten and its connection
closed; the body stays, like that of any agent who left.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from importlib.resources import files
from itertools import chain
from string import ascii_lowercase
from typing import Any, Final, NamedTuple

import aiohttp
import msgspec

from thorp.client import Agent, ClientError, Outcome, Unreachable, connect
from thorp.client.connection import agent_url
from thorp.client.http import AS_IT_IS, ServerError, read_json_answer
from thorp.kernel.errors import InvalidError
from thorp.language.text import Describer, refusal
from thorp.language.tools import ACTION_SCHEMA, TOOLS, WAIT, no_tool, read_action, tool_name
from thorp.protocol.near_names import nearest
from thorp.protocol.obs import Event

# Half an hour at 5 ticks a second: an assistant may wait that long for its user.
IDLE_TICKS: Final = 9_000
SWEEP_SECONDS: Final = 5.0  # How often unused handles are looked for.
MAX_PLAYERS: Final = 100  # A hundred agents take 15 ms of every tick of their server.
# Hosts give up on a tool after 30 to 60 seconds, so each of these ends before.
JOIN_SECONDS: Final = 20.0
RESULT_SECONDS: Final = 10.0
WAIT_SECONDS: Final = 20.0
CALL_SECONDS: Final = 30.0
STORY_SECONDS: Final = 10.0
# Hosts show 8 kB of a result. Data and text together, with their JSON around them, stay below.
MAX_DATA_BYTES: Final = 2_500
MAX_TEXT_BYTES: Final = 4_500
# The end of a text that was cut: how many lines were left off, and how to read on.
MAX_READ_ON_BYTES: Final = 120
MAX_EVENTS: Final = 20  # Events kept for the data of the next result.
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


class ToolRefusal(Exception):
    """Why a tool does nothing, in a sentence that says what to send instead."""


class ToolResult(NamedTuple):
    """A tool's answer: in words for the model, and as data for its host."""

    text: str
    data: dict[str, Any] | None = None
    is_error: bool = False


class Player:
    """An agent of an assistant, and the events that no result has reported yet."""

    def __init__(
        self, agent: Agent, handle: str, leave: Callable[[], Awaitable[None]], *, is_new: bool
    ) -> None:
        self.agent = agent
        self.handle = handle
        self.leave = leave
        self.is_new = is_new  # Whether its body was made by this join.
        self.is_used = False  # Whether somebody has used its handle.
        self.lock = asyncio.Lock()  # One call at a time.
        self.used_tick = agent.tick
        self._describer = Describer(agent.catalogs.get("block_palette", ()))
        self._events: deque[Event] = deque(maxlen=MAX_EVENTS)

    async def undo_join(self) -> None:
        """Leave again, and take a body that is new out of the world: the answer to `join` reached
        nobody."""
        if self.is_used:
            return  # Somebody used the handle, so the answer did arrive.
        if self.is_new:
            with suppress(ClientError, TimeoutError):
                async with asyncio.timeout(RESULT_SECONDS):
                    await self.agent.retire()
        await self.leave()

    async def observe(self) -> list[Event]:
        """Wait for the next observation; return its events."""
        obs = await self.agent.observe()
        self._describer.take(obs)
        self._events.extend(obs.events)
        return obs.events

    async def do(self, part: Mapping[str, Any]) -> Event:
        """Do one thing; return the world's first answer, which names the task if it takes time."""
        ((_, (action,)),) = part.items()
        answer = await self._in_time(self.agent.begin(action), RESULT_SECONDS)
        return self._checked(answer, action["type"]).event

    async def open(self, target_id: str) -> Event:
        """Open something within reach; return its contents."""
        opening = self.agent.do({"type": "OPEN", "target_id": target_id})
        self._checked(await self._in_time(opening, WAIT_SECONDS), "OPEN")
        return self.agent.news.opened.get(target_id, {})

    async def _in_time(self, answer: Awaitable[Outcome], seconds: float) -> Outcome:
        try:
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            advice = "observe, and see what became of it"
            raise ToolRefusal(f"no answer came in {seconds:.0f} s; {advice}") from None

    def _checked(self, outcome: Outcome, deed: str) -> Outcome:
        """The outcome, if it is not a refusal."""
        if not outcome.ok:
            hint = str(outcome.event.get("hint", ""))
            raise ToolRefusal(refusal(outcome.code, outcome.message, deed, hint))
        return outcome

    async def describe(self, *notes: str, **more: Any) -> ToolResult:
        """The newest observation in words and as data, with all events not reported yet."""
        if self.agent.unread:
            await self.observe()
        obs = msgspec.to_builtins(self.agent.obs)
        data = {**more, "tick": obs["tick"], "agent_id": obs["agent_id"]}
        data |= {key: obs["self"][key] for key in ("pos", "hp", "hunger")}
        data |= {key: obs[key] for key in ("inventory", "tasks", "entities")} | {
            "events": [*self._events]
        }
        self._events.clear()
        return ToolResult("\n".join([*notes, self._describer.describe(self.agent.obs)]), _fit(data))


class Caller(NamedTuple):
    """The one who calls a tool, as its transport knows it, and the hooks of that transport."""

    token: str | None = None  # The access token with which it reads the story.
    # Counts a new agent, and says whether that many may join.
    may_join: Callable[[], bool] = lambda: True
    # Called with each agent that joined, before the answer with its handle is sent.
    joined: Callable[[Player], None] = lambda _: None


def _ends(task_id: Any, event: Event) -> bool:
    return event["type"] in ("TASK_DONE", "TASK_FAIL") and event.get("task_id") == task_id


def _fit(data: dict[str, Any]) -> dict[str, Any]:
    """Shorten data to `MAX_DATA_BYTES`: drop the last item of the longest list until it fits."""
    while len(msgspec.json.encode(data)) > MAX_DATA_BYTES:
        lists = [key for key, value in data.items() if isinstance(value, list) and value]
        if not lists:
            return {"left_off": len(data)}
        longest = max(lists, key=lambda key: len(msgspec.json.encode(data[key])))
        data = {**data, longest: data[longest][:-1], "left_off": data.get("left_off", 0) + 1}
    return data


def _listed(data: dict[str, Any], read_on: str, lines: Sequence[str] = ()) -> ToolResult:
    """A result with data, and with `lines` as its text, or without lines the data as JSON. Items
    that do not fit are left off as a whole; the text then ends with their number and `read_on`."""
    fitting = _fit(data)
    kept = list(lines)
    room = MAX_TEXT_BYTES - MAX_READ_ON_BYTES
    while kept and len("\n".join(kept).encode()) > room:
        kept.pop()
    text = "\n".join(kept) if lines else msgspec.json.encode(fitting).decode()
    left_off = len(lines) - len(kept) if lines else fitting.get("left_off", 0)
    return ToolResult(
        f"{text}\n{left_off} more were left off; {read_on}" if left_off else text, fitting
    )


# The tools. Their descriptions for models are in mcp.json, under the same names.


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
        return _listed(msgspec.to_builtins(entity), "observe, and see the rest of it there")
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
    return _listed(
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
    return _listed({"recipes": lines}, "name an item to see its recipes alone", lines)


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
        return _listed({"found": notices}, "search for more words of the notice")
    if "@" in board_id:
        return _listed(
            await player.open(board_id), "search this board by text: a word of the notice"
        )
    boards = msgspec.to_builtins(player.agent.obs).get("public_boards", [])
    listed = [each for each in boards if board_id in ("", each["board_id"])]
    return _listed({"boards": listed}, "read one board by its board_id, or search it by text")


async def _contracts(player: Player, asked: Asked) -> ToolResult:
    if "terminal_id" in asked:
        return _listed(
            await player.open(asked["terminal_id"]), "take one of these first, and open it again"
        )
    contracts = [*player.agent.news.contracts.values()]
    return _listed({"contracts": contracts}, "open one terminal by its terminal_id")


async def _laws(player: Player, asked: Asked) -> ToolResult:
    agent = player.agent
    kinds = [
        f"{each['id']}: {each['description']}"
        for each in agent.catalogs["law_templates"]["templates"]
    ]
    here = msgspec.to_builtins(agent.obs.local_rules)
    laws = [*agent.news.laws.values()]
    data = {"here": here, "laws": laws, "templates": kinds}
    return _listed(data, "observe, and see the rules of this land there")


async def _memory(player: Player, asked: Asked) -> ToolResult:
    if "value" in asked:
        return await _do(player, {"instants": [{"type": "SAVE_MEMORY", **asked}]})
    await player.do({"instants": [{"type": "LOAD_MEMORY", "prefix": asked.get("key", "")}]})
    notes = msgspec.to_builtins(player.agent.obs).get("memory", [])
    return _listed({"notes": notes}, "name a key, or the beginning of one, to read its notes alone")


async def _leave(player: Player, asked: Asked) -> ToolResult:
    gone = bool(asked.get("retire")) and await player.agent.retire()
    await player.leave()
    stays = "you left; your body stays, and join with its token brings you back"
    return ToolResult("your body is out of the world" if gone else stays, {"retired": gone})


class Gate:
    """The connection to one server. With a `connector`, a server connects to itself without a
    socket of the network."""

    def __init__(
        self, url: str, token: str | None, connector: aiohttp.BaseConnector | None = None
    ) -> None:
        self._url = agent_url(url)
        self._token = token
        self._connector = connector

    async def join(self, stack: AsyncExitStack, name: str, token: str | None) -> Agent:
        """Join as an agent, until the stack is closed. Every observation brings the whole cube."""
        options: dict[str, Any] = {"access_token": self._token, "connector": self._connector}
        connection = connect(str(self._url), name, token, fresh=True, delta_voxels=False, **options)
        return await stack.enter_async_context(connection)

    async def story(self, token: str | None, last: int) -> list[dict[str, Any]]:
        """The last entries of the story that the holder of this token may read."""
        url = self._url.with_scheme("https" if self._url.scheme in ("wss", "https") else "http")
        url = url.with_path("/v1/story/stream").with_query(last=str(last))
        headers = {**AS_IT_IS, "Authorization": f"Bearer {token}"} if token else AS_IT_IS
        options: dict[str, Any] = {
            "connector": self._connector,
            "connector_owner": self._connector is None,
        }
        options["auto_decompress"] = False
        limit = aiohttp.ClientTimeout(total=STORY_SECONDS)
        try:
            async with (
                aiohttp.ClientSession(headers=headers, timeout=limit, **options) as http,
                http.get(url) as answer,
            ):
                page: dict[str, Any] = await read_json_answer(answer)
        except (aiohttp.ClientError, ServerError, TimeoutError):
            raise Unreachable("the story cannot be read now") from None
        if answer.status not in (200, 404):  # 404: there is no entry yet.
            raise InvalidError(
                "the story cannot be read with the token that you came with", code="story"
            )
        return list(page["stream"]["entries"]) if answer.status == 200 else []


class Toolbox:
    """The tools for one server, and the players who joined it through them."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._players: dict[str, Player] = {}
        self._joining = 0
        self._sweeping: asyncio.Task[None] | None = None
        self._undoing: set[asyncio.Task[None]] = set()

    async def call(self, name: str, arguments: Mapping[str, Any], caller: Caller) -> ToolResult:
        """Call a tool; calls of one player take turns. Raises ToolRefusal, also for everything
        that goes wrong with the connection."""
        tool = _TOOLS.get(tool_name(name))
        if tool is None:
            raise ToolRefusal(_no_tool(name))
        asked = tool.read(arguments)
        try:
            if tool.opens is not None:
                return await tool.opens(self, asked, caller)
            player = self._players.get(asked.pop("handle"))
            if player is None:
                raise ToolRefusal(
                    "handle: nobody has this one, or it was not used for too long; call join"
                )
            async with asyncio.timeout(CALL_SECONDS), player.lock:
                player.is_used = True
                player.used_tick = player.agent.tick
                return await tool.work(player, asked)
        except TimeoutError:
            raise ToolRefusal(
                f"no answer came in {CALL_SECONDS:.0f} s; try the same again"
            ) from None
        except InvalidError as problem:
            raise ToolRefusal(problem.message) from None
        except ClientError as problem:
            why = problem.message.rpartition("/v1/ws: ")[2]  # without the address
            raise ToolRefusal(
                f"there is no connection to the world: {why}; call join again"
            ) from None

    async def join(self, asked: Asked, caller: Caller) -> ToolResult:
        if len(self._players) + self._joining >= MAX_PLAYERS:
            raise ToolRefusal(f"{MAX_PLAYERS} agents live here through assistants; try again later")
        if not caller.may_join():
            raise ToolRefusal("too many new agents came from your address; try again in a minute")
        arriving = asyncio.create_task(self._arrive(asked))
        try:
            # A request that is cancelled does not cancel this: half a join could not be undone.
            player = await asyncio.shield(arriving)
            greeting = f"You are {player.agent.id}. Your handle is {player.handle}"
            answer = await player.describe(greeting, handle=player.handle, token=player.agent.token)
        except BaseException:
            self._undo(arriving)
            raise
        caller.joined(player)
        return answer

    async def _arrive(self, asked: Asked) -> Player:
        """Connect an agent, give it a handle, and let `_sweep` watch over it."""
        stack = AsyncExitStack()
        self._joining += 1
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                agent = await self._gate.join(stack, asked["name"], asked.get("token"))
        except TimeoutError:
            raise ToolRefusal(
                f"nobody was let in for {JOIN_SECONDS:.0f} s; call join again"
            ) from None
        finally:
            self._joining -= 1
        handle = secrets.token_urlsafe(24)

        async def leave() -> None:
            self._players.pop(handle, None)
            with suppress(ClientError):
                await stack.aclose()

        player = Player(agent, handle, leave, is_new="token" not in asked)
        self._players[handle] = player
        if self._sweeping is None or self._sweeping.done():
            self._sweeping = asyncio.create_task(self._sweep())
        return player

    def _undo(self, arriving: asyncio.Task[Player]) -> None:
        """Let an agent leave again, once it has arrived: its assistant will never learn of it."""

        async def undo() -> None:
            with suppress(ToolRefusal, ClientError, InvalidError):
                await (await arriving).undo_join()

        task = asyncio.create_task(undo())
        self._undoing.add(task)
        task.add_done_callback(self._undoing.discard)

    async def story(self, asked: Asked, caller: Caller) -> ToolResult:
        lines = [
            f"{entry['created_at_world']} {entry['author_label'] or 'The world'}: {entry['text']}"
            for entry in await self._gate.story(caller.token, asked.get("last", 8))
        ]
        return _listed(
            {"entries": lines}, "ask for fewer with last", lines or ["nothing was told yet"]
        )

    async def _sweep(self) -> None:
        """Remove players that nobody used for `IDLE_TICKS`, and those whose connection ended.
        Runs only while there are players; the next join starts it again."""
        while self._players:
            await asyncio.sleep(SWEEP_SECONDS)
            for player in [*self._players.values()]:
                unused_ticks = 0 if player.lock.locked() else player.agent.tick - player.used_tick
                if unused_ticks > IDLE_TICKS or player.agent.over is not None:
                    await player.leave()

    async def close(self) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
        for task in self._undoing:
            task.cancel()
        await asyncio.gather(*(player.leave() for player in [*self._players.values()]))


# The table of tools


class McpTool(NamedTuple):
    """A tool as hosts list it, and the function that does its work."""

    name: str
    takes: str  # Names of its fields; one with a question mark may be left out.
    about: str
    reads: bool = False
    work: Callable[[Player, Asked], Awaitable[ToolResult]] = _observe
    # Instead of `work`, for a tool that needs no handle.
    opens: Callable[[Toolbox, Asked, Caller], Awaitable[ToolResult]] | None = None
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
_TOOLS["join"] = _TOOLS["join"]._replace(opens=Toolbox.join)
_TOOLS["story"] = _TOOLS["story"]._replace(opens=Toolbox.story)
TABLE: Final = (*_TOOLS.values(),)
# Always in the same order, so that a host's cache of its prompt holds.
LISTED: Final = [tool.listing for tool in TABLE]
