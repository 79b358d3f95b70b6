"""Programs that live in a world as they play matches: one observation, one action, as
`docs/agents.md` tells.

What cannot be read is answered among the events of the next observation, as on the wire.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Final

import msgspec

from thorp.client import Agent
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, LimitError, ThorpError
from thorp.language.answers import read_answer
from thorp.language.text import Describer
from thorp.protocol import codes

MAX_FAILURES: Final = 20  # Failed turns in a row: a program that has ended will not come back.

Act = Callable[[int, Json], Json]
"""What the program answers in a turn to an observation; it may block, and raise a ThorpError."""


class ProgramAgent:
    """`opened` starts the program and stops it; everything of it runs in one thread of its own."""

    def __init__(
        self,
        name: str,
        opened: AbstractContextManager[Act],
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.name = self.title = name
        self.ended = ""
        self.turns = self.failures = 0
        self._opened = opened
        self._say = say
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._stack = ExitStack()

    async def start(self) -> None:
        """Start the program; refuses one that cannot work."""
        self._act: Act = await self._in_thread(self._stack.enter_context, self._opened)

    async def stop(self) -> None:
        """Stop it, once its turn is over."""
        await self._in_thread(self._stack.close)
        self._thread.shutdown()

    async def live(self, agent: Agent) -> None:
        describer = Describer(agent.catalogs.get("block_palette", ()))
        failed = 0
        wrong = list[Json]()
        while failed < MAX_FAILURES:
            obs = await agent.observe()
            observation = {
                "text": describer.describe(obs),
                "palette": agent.catalogs.get("block_palette", []),
            }
            seen = msgspec.to_builtins(obs) | observation
            seen["events"] += wrong
            self.turns = self.turns + 1
            wrong = []
            try:
                action = await self._in_thread(self._act, self.turns, seen)
            except ThorpError as failure:
                failed = failed + 1
                self.failures = self.failures + 1
                self.ended = str(failure)
                if failed == 1:
                    self._say(f"{self.name}: {failure}")
                continue
            failed = 0
            self.ended = ""
            try:
                await agent.act(**read_answer(action, agent))
            except (InvalidError, LimitError) as problem:
                wrong = [{"t": obs.tick, "type": "ACTION_RESULT", "ref": "ACT", "ok": False,
                          "code": codes.BAD_REQUEST, "message": str(problem)}]  # fmt: skip

    async def _in_thread(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call, *arguments)
