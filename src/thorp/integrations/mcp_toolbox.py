"""The tools for one server, and the agents that assistants live as through them.

`join` makes an agent and gives a handle for it. The handle is the only identity, because an
assistant's connections come and go. Agents connect with the kit, so they live by the rules of
`/v1/ws` like any other. A handle that nobody used for `IDLE_TICKS` is forgotten and its connection
closed; the body stays, like that of any agent who left.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, suppress
from typing import Any, Final, NamedTuple

import aiohttp

from thorp.client import Agent, ClientError, Unreachable, connect
from thorp.client.connection import agent_url
from thorp.client.http import AS_IT_IS, ServerError, read_json_answer
from thorp.integrations.mcp_player import Player
from thorp.integrations.mcp_result import ToolRefusal, ToolResult, list_result
from thorp.integrations.mcp_tools import Asked, find_tool
from thorp.kernel.errors import InvalidError

# Half an hour at 5 ticks a second: an assistant may wait that long for its user.
IDLE_TICKS: Final = 9_000
SWEEP_SECONDS: Final = 5.0  # How often unused handles are looked for.
MAX_PLAYERS: Final = 100  # A hundred agents take 15 ms of every tick of their server.
# Hosts give up on a tool after 30 to 60 seconds, so each of these ends before.
JOIN_SECONDS: Final = 20.0
CALL_SECONDS: Final = 30.0
STORY_SECONDS: Final = 10.0


class Caller(NamedTuple):
    """The one who calls a tool, as its transport knows it, and the hooks of that transport."""

    token: str | None = None  # The access token with which it reads the story.
    # Counts a new agent, and says whether that many may join.
    may_join: Callable[[], bool] = lambda: True
    # Called with each agent that joined, before the answer with its handle is sent.
    joined: Callable[[Player], None] = lambda _: None


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
        self._without_handle = {"join": self._join, "story": self._story}

    async def call(self, name: str, arguments: Mapping[str, Any], caller: Caller) -> ToolResult:
        """Call a tool; calls of one player take turns. Raises ToolRefusal, also for everything
        that goes wrong with the connection."""
        tool = find_tool(name)
        asked = tool.read(arguments)
        opening = self._without_handle.get(tool.name)
        try:
            if opening is not None:
                return await opening(asked, caller)
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

    async def _join(self, asked: Asked, caller: Caller) -> ToolResult:
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

    async def _story(self, asked: Asked, caller: Caller) -> ToolResult:
        lines = [
            f"{entry['created_at_world']} {entry['author_label'] or 'The world'}: {entry['text']}"
            for entry in await self._gate.story(caller.token, asked.get("last", 8))
        ]
        return list_result(
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
