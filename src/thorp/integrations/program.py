"""Programs that live in a world in the way they play matches: one observation, one action.
`docs/agents.md` describes both.

An answer that cannot be read is refused by an event of the next observation, as on the wire.
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
"""Asks the program for its answer, given the number of the turn and the observation. May block,
and raise a ThorpError."""


class ProgramAgent:
    """An agent that a program decides for. `opened` starts the program, and stops it on exit. The
    program blocks, so it gets one thread of its own, in which it is started, asked and stopped."""

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
        """Start the program. Raises its ThorpError if it cannot be started."""
        self._act: Act = await self._in_thread(self._stack.enter_context, self._opened)

    async def stop(self) -> None:
        """Stop the program, once it has answered: the thread does one thing after another."""
        await self._in_thread(self._stack.close)
        self._thread.shutdown()

    async def live(self, agent: Agent) -> None:
        """Live until the program has failed `MAX_FAILURES` times in a row; `ended` says how."""
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
                refusal: dict[str, Json] = {
                    "t": obs.tick,
                    "type": "ACTION_RESULT",
                    "ref": "ACT",
                    "ok": False,
                    "code": codes.BAD_REQUEST,
                    "message": str(problem),
                }
                wrong = [refusal]

    async def _in_thread(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call, *arguments)
