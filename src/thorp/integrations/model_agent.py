"""A language model that lives in a world. `docs/models.md` explains what a turn is, and when an
agent idles.

Except in lockstep the world does not wait: the connection reads on while the model thinks, and an
answer that comes too late is dropped. The conversation keeps its system prompt and tools byte for
byte, because endpoints cache the beginning of a prompt, and forgets its oldest turns as a whole.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from thorp.client import Agent
from thorp.integrations.model_run import ModelRun
from thorp.integrations.transcript import VERSION_WITH_ALTERNATIVES, EndOfTape
from thorp.kernel.canonical import Json, canonical_text
from thorp.kernel.errors import InvalidError
from thorp.kernel.text import one_line
from thorp.language.event_text import RESULT_FIELDS, refusal
from thorp.language.possibilities import Moment, read_recipes
from thorp.language.text import Describer
from thorp.language.tools import WAIT, Tool, read_call, tool_name
from thorp.models import BudgetError, ModelError
from thorp.models.chat import REPLY_TOKENS, estimate_size
from thorp.models.tool_chat import EndpointRefused, ToolCall, ToolClient, ToolReply
from thorp.protocol.obs import Obs

HISTORY_TOKENS: Final = {"full": 6_000, "simple": 2_000}
"""How long the conversation grows before half of it is forgotten: all of it is paid for with every
request. Servers of small models often have contexts of 4,096 tokens, and silently cut off the
beginning of a longer prompt."""
# Further calls of the same reply are refused: the model decided on them without seeing the results
# of these.
MAX_CALLS_A_TURN: Final = 4
# The longest wait for a call, a minute at 5 ticks a second: some tasks, such as following, never
# end.
TASK_TICKS: Final = 300
MAX_AGE_TICKS: Final = 300  # How many ticks late an answer may come and still be carried out.
# The agent idles after this many answers in a row without a call, or failures of the same call.
MAX_PROSE: Final = 3
MAX_SAME_FAILURES: Final = 5
WARN_SAME_FAILURES: Final = 3
IDLE_TICKS: Final = 25
MAX_IDLE_DOUBLINGS: Final = 5
# Notes that are shown again, and how much of each: together about as long as an observation.
NOTES_SHOWN: Final = 16
NOTE_CHARACTERS: Final = 240
DETAIL_CHARACTERS: Final = 200  # How much of an endpoint's error message is shown: a sentence.
RESULT_CHARACTERS: Final = 600  # How much of a call's result the model sees.
# How far the endpoint's count of a prompt may move our estimate of the next one.
SCALES: Final = (0.25, 4.0)

RULES: Final = (
    "You live in a world of blocks, as one of its people. Each message tells you what you see "
    "and what has happened. Answer by calling tools. A call that takes time is waited for, and "
    "you are told how it ended; a refusal says what to send instead. You forget old messages: "
    "keep what matters with save_memory."
)

_ANSWERS: Final = ("ACTION_RESULT", "TASK_DONE", "TASK_FAIL")
_UNBILLED: Final = ("status", "connection", EndpointRefused.code)

Message = dict[str, Json]


class Conversation:
    """The messages of one agent and its model, bounded by forgetting the oldest turns."""

    def __init__(self, system: str, max_tokens: int) -> None:
        self._max_tokens = max_tokens
        self._system: Message = {"role": "system", "content": system}
        self._turns: deque[list[Message]] = deque()
        self._scale = 1.0

    def messages(self, said: Message) -> list[Message]:
        return [self._system, *(message for turn in self._turns for message in turn), said]

    def add(self, turn: list[Message]) -> bool:
        """Add a turn; return whether others were forgotten for it."""
        self._turns.append(turn)
        return self._tokens() > self._max_tokens and self.forget()

    def forget(self) -> bool:
        """Forget the older half of the turns; return whether there were any. Each time something is
        forgotten the endpoint's cache of the prompt is lost, so it is much at a time."""
        before = len(self._turns)
        half = min(self._tokens(), self._max_tokens) / 2
        while self._turns and self._tokens() > half:
            self._turns.popleft()
        return len(self._turns) < before

    def learn(self, estimate: int, counted: int) -> None:
        """Correct later estimates by the endpoint's count of the tokens of a prompt."""
        self._scale = min(max(counted / estimate, SCALES[0]), SCALES[1])

    def _tokens(self) -> float:
        return self._scale * sum(estimate_size(turn) for turn in self._turns)


class Deeds(msgspec.Struct):
    """Counts for the report of how an agent's calls ended. `prose` are replies without a call,
    `failures` are requests without a reply."""

    done: int = 0
    refused: int = 0
    late: int = 0
    prose: int = 0
    idled: int = 0
    failures: int = 0
    retries: int = 0


class ModelAgent:
    """An agent that a model decides for. `ended` says why the model is no longer asked. Without a
    client, every reply must be on the tape."""

    def __init__(
        self,
        run: ModelRun,
        client: ToolClient | None,
        *,
        tools: Sequence[Tool],
        persona: str = "",
        goal: str = "",
        history_tokens: int = HISTORY_TOKENS["full"],
    ) -> None:
        self.name = run.name
        self.title = run.model
        self.account = run.account
        self.tape = run.tape
        self.deeds = Deeds()
        self.ended = ""
        self._model = run.model
        self._client = client
        self._reply_seconds = run.reply_seconds
        self._say = run.say
        self._tools: list[Json] = [
            {"type": "function", "function": tool._asdict()} for tool in tools
        ]
        self._offered = tuple(tools)
        self._names = [tool.name for tool in tools]
        self._system = "\n\n".join(
            part for part in (RULES, persona, goal and f"Your goal: {goal}") if part
        )
        self._talk = Conversation(self._system, history_tokens)
        self._remarks: list[str] = []
        self._wants_notes = True
        self._prose = self._idles = self._failures = 0
        self._failed: object = None

    async def live(self, agent: Agent) -> None:
        """Live until the budget or the recording ends. Raises EndpointRefused if no model ever
        answers."""
        self._agent = agent
        self._describer = Describer(agent.catalogs.get("block_palette", ()))
        self._recipes = read_recipes(agent.catalogs.get("recipes"))
        self.tape.begin(agent=self.name, model=self._model, system=self._system, tools=self._tools)
        try:
            while True:
                await self._take_turn()
        except BudgetError as refused:
            self.ended = str(refused)
        except EndOfTape:
            self.ended = "the recording is over"
        self._say(f"{self.name}: {self.ended}; it idles from now on")

    async def _take_turn(self) -> None:
        said: Message = {"role": "user", "content": await self._look()}
        request = {
            "model": self._model,
            "messages": self._talk.messages(said),
            "tools": self._tools,
        }
        size = estimate_size(request)
        tick = self._agent.tick
        try:
            reply = await self.tape.ask(tick, request, lambda: self._ask(request, size))
        except EndpointRefused:
            raise
        except ModelError as failure:
            self.deeds.failures += 1
            detail = f" ({one_line(failure.detail)[:DETAIL_CHARACTERS]})" if failure.detail else ""
            self._say(f"{self.name}: the model gave no reply: {failure}{detail}")
            # Endpoints refuse a prompt that is too long with an error status, so shorten it.
            self._wants_notes |= failure.code == "status" and self._talk.forget()
            await self._idle()
            return
        self._talk.learn(size, reply.tokens_in)
        self.deeds.retries += reply.attempts - 1
        answers = await self._carry_out(reply, self._agent.tick - tick)
        self._wants_notes |= self._talk.add([said, _assistant(reply), *answers])
        if self._prose >= MAX_PROSE or self._failures >= MAX_SAME_FAILURES:
            self._prose = self._failures = 0
            await self._idle()

    async def _ask(self, request: dict[str, Json], size: int) -> ToolReply:
        """Ask the endpoint, within the budget."""
        assert self._client is not None, "a recording that answers never calls"
        longest = self._client.reply_tokens(REPLY_TOKENS)
        self.account.reserve(size, longest)
        # The endpoint bills also a reply that gets lost on the way.
        used = (size, longest)
        estimated = True
        try:
            reply = await self._client.ask(
                request,
                seconds=self._reply_seconds,
                schema=lambda: self._moment().call_schema(),
            )
            used = (reply.tokens_in, reply.tokens_out)
            estimated = reply.estimated
        except ModelError as failure:
            if failure.code in _UNBILLED:
                used = (0, 0)
                estimated = False
            raise
        finally:
            self.account.settle((size, longest), used, estimated=estimated)
        return reply

    # Observations

    async def _look(self) -> str:
        """The next observation as text, after remarks on the last answer and, if they were
        forgotten, the agent's notes."""
        if self._wants_notes:
            self._wants_notes = False
            await self._agent.do({"type": "LOAD_MEMORY", "limit": NOTES_SHOWN})
            notes = self._notes()
            self._remarks += ["Your notes:", *notes] if notes else []
        paragraphs = [*self._remarks, self._describer.describe(await self._see())]
        self._remarks = []
        return "\n".join(paragraphs)

    async def _see(self) -> Obs:
        """The next observation, without the events that are in the answers to calls anyway."""
        obs = await self._agent.observe()
        obs.events = [event for event in obs.events if event.get("type") not in _ANSWERS]
        self._describer.take(obs)
        return obs

    def _notes(self) -> list[str]:
        notes = self._agent.obs.memory
        if not isinstance(notes, list):
            return []
        more = [f"and {len(notes) - NOTES_SHOWN} more"] if len(notes) > NOTES_SHOWN else []
        return [
            *(f"- {each.key}: {each.value}"[:NOTE_CHARACTERS] for each in notes[:NOTES_SHOWN]),
            *more,
        ]

    async def _pass(self, ticks: int, *, wakeful: bool) -> int:
        """Let ticks pass, until something happens if `wakeful`; return how many passed."""
        began = self._agent.tick
        while self._agent.tick - began < ticks:
            obs = await self._see()
            if wakeful and any(event.get("type") != "FUN" for event in obs.events):
                break
        return self._agent.tick - began

    async def _idle(self) -> None:
        """Let ticks pass, twice as many each time until a call succeeds: a model that cannot go on
        should not cost money."""
        self.deeds.idled += 1
        await self._pass(IDLE_TICKS << min(self._idles, MAX_IDLE_DOUBLINGS), wakeful=False)
        self._idles += 1

    def _moment(self) -> Moment:
        """What its tools can be called with now."""
        return Moment(self._offered, self._describer.possibilities(self._recipes))

    # Calls

    async def _carry_out(self, reply: ToolReply, age: int) -> list[Message]:
        """Make the calls of a reply; return a message for each, as endpoints demand."""
        self._agent.intent = reply.text or self._agent.intent  # Shown to spectators.
        self._prose = 0 if reply.calls else self._prose + 1
        if not reply.calls:
            self.deeds.prose += 1
            self._remarks.append(
                "Your last answer called no tool, so nothing was done. Call a tool."
            )
        if age > MAX_AGE_TICKS:
            self.deeds.late += 1
        answers = []
        for number, call in enumerate(reply.calls):
            if age > MAX_AGE_TICKS:
                said = f"not done: you answered {age} ticks after what you saw; decide anew"
            elif number >= MAX_CALLS_A_TURN:
                said = f"not executed: at most {MAX_CALLS_A_TURN} calls at a time"
            else:
                said = await self._call(call)
            answers.append({"role": "tool", "tool_call_id": call.id, "content": said})
        return answers

    async def _call(self, call: ToolCall) -> str:
        """Make a call; return how it ended, in words for the model."""
        part: dict[str, Any] | None = None
        call = msgspec.structs.replace(call, name=tool_name(call.name))
        try:
            if call.name not in self._names:
                raise InvalidError(
                    f"there is no tool {call.name!r}; the tools are {', '.join(self._names)}"
                )
            if call.wrong:
                raise InvalidError(call.wrong)
            part = read_call(call.name, call.arguments, self._agent)
            ok, said = await self._do(call, part)
        except InvalidError as wrong:
            ok = False
            said = f"not done: {wrong.message}"
        if not ok and self.tape.version >= VERSION_WITH_ALTERNATIVES:
            said = f"{said} {self._moment().instead_of(call.name, call.arguments)}".rstrip()
        self.tape.acted(call.name, part, said)
        if ok:
            self.deeds.done += 1
            self._failures = self._idles = 0
            return said
        self.deeds.refused += 1
        attempt = call.name, call.arguments, call.wrong
        self._failures = self._failures + 1 if self._failed == attempt else 1
        self._failed = attempt
        again = f" This same call has failed {self._failures} times now: do something else."
        return said + again if self._failures >= WARN_SAME_FAILURES else said

    async def _do(self, call: ToolCall, part: dict[str, Any]) -> tuple[bool, str]:
        if call.name == WAIT.name:
            ticks = int(call.arguments.get("ticks") or 1)
            return True, f"{await self._pass(ticks, wakeful=True)} ticks have passed"
        said = "done"
        for action in (*part.get("instants", ()), *part.get("tasks", ())):
            outcome = await self._agent.do(action, ticks=TASK_TICKS)
            if not outcome:
                return False, refusal(outcome.code, outcome.message, outcome.deed, outcome.hint)
            gave = {
                name: value for name, value in outcome.event.items() if name not in RESULT_FIELDS
            }
            if action["type"] == "LOAD_MEMORY":
                said = "\n".join(["done", *self._notes()])
            elif gave:
                text = canonical_text(gave)
                cut = " … (cut here; ask for less)" if len(text) > RESULT_CHARACTERS else ""
                said = f"done: {text[:RESULT_CHARACTERS]}{cut}"
            elif outcome.hint:
                said = f"done ({outcome.hint})"
        return True, said


def _assistant(reply: ToolReply) -> Message:
    """A reply as it goes back to the model: no thoughts, and nothing that a strict endpoint
    refuses."""
    if not reply.calls:
        return {"role": "assistant", "content": reply.text or "(nothing)"}
    calls = []
    for call in reply.calls:
        function = {"name": call.name or "none", "arguments": canonical_text(call.arguments)}
        calls.append({"id": call.id, "type": "function", "function": function})
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}
