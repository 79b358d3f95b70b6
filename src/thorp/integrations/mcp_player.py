"""An agent that an assistant lives as, and the events that no result has reported yet."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from thorp.client import Agent, ClientError, Outcome
from thorp.integrations.mcp_result import ToolRefusal, ToolResult, fit_data
from thorp.language.event_text import refusal
from thorp.language.text import Describer
from thorp.protocol.obs import Event

# Hosts give up on a tool after 30 to 60 seconds, so both end before.
RESULT_SECONDS: Final = 10.0
WAIT_SECONDS: Final = 20.0
MAX_EVENTS: Final = 20  # Events kept for the data of the next result.


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
        return ToolResult(
            "\n".join([*notes, self._describer.describe(self.agent.obs)]), fit_data(data)
        )
