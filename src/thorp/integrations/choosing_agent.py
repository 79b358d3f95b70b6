"""A language model that lives in a world by choosing: one letter of a menu at a time.

It is asked when its body has nothing to do, and at most once a second of the world. Except in
lockstep the world does not wait: the connection reads on while the model thinks. What it is told is
the moment alone (`thorp.mind`), so there is no talk to remember.
"""

import asyncio
from typing import Any, Final

import msgspec

from thorp.client import Agent
from thorp.integrations.model_run import ModelRun
from thorp.integrations.transcript import EndOfTape
from thorp.kernel.canonical import Json, insertion_copy
from thorp.kernel.errors import UnknownError
from thorp.kernel.text import one_line
from thorp.mind import RULES, Menu, Notes, Sight, describe
from thorp.models import BudgetError, ChatMessage, ChatRequest, ModelError
from thorp.models.choice import REPLY_TOKENS, ChoiceClient
from thorp.models.tool_chat import ToolReply

DECISION_TICKS: Final = 5
"""The least time from one decision to the next: a second, as in matches."""
# The longest wait for a task, a minute at 5 ticks a second.
TASK_TICKS: Final = 300
MAX_FAILURES: Final = 5
"""After so many questions in a row without an answer the model is not asked any more."""
IDLE_TICKS: Final = 25
MAX_IDLE_DOUBLINGS: Final = 5
MAX_ASKED_AT_ONCE: Final = 4
"""Questions that are under way at the same time, of all agents: a model that computes one after
another would else spend the time of the last ones on the first."""
DETAIL_CHARACTERS: Final = 200  # How much of an endpoint's error message is shown: a sentence.
_UNBILLED: Final = ("status", "connection", "gone")


class Choices(msgspec.Struct):
    """Counts for the report of how an agent's choices ended. `failures` are questions without an
    answer."""

    done: int = 0
    refused: int = 0
    idled: int = 0
    failures: int = 0


class ChoosingAgent:
    """An agent that a model decides for, letter by letter. `ended` says why the model is no longer
    asked. Without a client every answer must be on the tape."""

    def __init__(
        self, run: ModelRun, client: ChoiceClient | None, *, turns: asyncio.Semaphore
    ) -> None:
        """`turns` is shared by all agents of an endpoint."""
        self.name = run.name
        self.title = run.model
        self.account = run.account
        self.tape = run.tape
        self.deeds = Choices()
        self.ended = ""
        self._model = run.model
        self._client = client
        self._turns = turns
        self._reply_seconds = run.reply_seconds
        self._say = run.say
        self._notes = Notes()
        self._failures = 0
        self._rules: dict[str, Json] = {"role": "system", "content": RULES}

    async def live(self, agent: Agent) -> None:
        """Live until the model is gone, or the budget or the recording ends."""
        sight = Sight(agent.catalogs.get("block_palette", ()))
        self.tape.begin(agent=self.name, model=self._model, system=RULES, tools=[])
        try:
            while self._failures < MAX_FAILURES:
                sight.take(await agent.observe())
                self._notes.take(sight)
                if not sight.is_busy:
                    await self._take_turn(agent, sight)
        except BudgetError as refused:
            self.ended = str(refused)
        except EndOfTape:
            self.ended = "the recording is over"
        else:
            self.ended = self.ended or f"the model gave no answer {MAX_FAILURES} times in a row"
        self._say(f"{self.name}: {self.ended}; it idles from now on")

    async def _take_turn(self, agent: Agent, sight: Sight) -> None:
        """Decide once, and wait until that is done."""
        began = agent.tick
        menu = Menu(sight)
        letter = self._notes.offered(menu)
        if len(letter) > 1:
            try:
                letter = await self._choose(began, describe(sight, self._notes, menu), letter)
            except ModelError as failure:
                await self._fail(agent, failure)
                return
        try:
            option = menu.option(letter)
        except UnknownError:  # a recording of another world
            self.deeds.refused += 1
            await _pass(agent, began + DECISION_TICKS)
            return
        self._failures = 0
        self._notes.took(option, menu)
        part: dict[str, Any] = menu.act(option)
        said = "done"
        for action in (*part.get("instants", ()), *part.get("tasks", ())):
            outcome = await agent.do(action, ticks=TASK_TICKS)
            if not outcome:
                said = f"{outcome.code} {outcome.message}".rstrip()
        self.tape.acted(option.name, insertion_copy(part)[1] or None, said)
        if said == "done":
            self.deeds.done += 1
        else:
            self.deeds.refused += 1
        await _pass(agent, began + DECISION_TICKS)

    async def _choose(self, tick: int, prompt: str, letters: str) -> str:
        """The letter of the model, or of the tape."""
        question: dict[str, Json] = {"role": "user", "content": prompt}
        request: dict[str, Json] = {"model": self._model, "messages": [self._rules, question]}
        reply = await self.tape.ask(tick, request, lambda: self._ask(prompt, letters))
        return reply.text

    async def _ask(self, prompt: str, letters: str) -> ToolReply:
        """Ask the endpoint, within the budget, when it is this agent's turn."""
        assert self._client is not None, "a recording that answers never calls"
        messages = (ChatMessage("system", RULES), ChatMessage("user", prompt))
        request = ChatRequest(model=self._model, messages=messages, max_tokens=REPLY_TOKENS)
        reserved = (request.prompt_tokens(), self._client.reply_tokens(REPLY_TOKENS))
        used = reserved  # The endpoint bills also a reply that gets lost on the way.
        estimated = True
        async with self._turns:
            self.account.reserve(*reserved)
            try:
                choice = await self._client.choose_async(
                    request, letters, seconds=self._reply_seconds
                )
                used = (choice.tokens_in, choice.tokens_out)
                estimated = choice.estimated
            except ModelError as failure:
                if failure.code in _UNBILLED:
                    used = (0, 0)
                    estimated = False
                raise
            finally:
                self.account.settle(reserved, used, estimated=estimated)
        return ToolReply(
            text=choice.letter,
            calls=(),
            tokens_in=choice.tokens_in,
            tokens_out=choice.tokens_out,
            estimated=estimated,
        )

    async def _fail(self, agent: Agent, failure: ModelError) -> None:
        """Count a question without an answer, and let ticks pass, twice as many each time."""
        self.deeds.failures += 1
        self._failures += 1
        if failure.code == "gone":
            self._failures = MAX_FAILURES
            self.ended = failure.detail
            return
        if self._failures == 1:
            detail = f" ({one_line(failure.detail)[:DETAIL_CHARACTERS]})" if failure.detail else ""
            self._say(f"{self.name}: the model gave no answer: {failure}{detail}")
        self.deeds.idled += 1
        doublings = min(self._failures - 1, MAX_IDLE_DOUBLINGS)
        await _pass(agent, agent.tick + (IDLE_TICKS << doublings))


async def _pass(agent: Agent, until: int) -> None:
    """Let ticks pass. The newest observation is left for whoever looks next."""
    if agent.tick < until:
        await agent.pause(until - agent.tick)
