"""Language models as agents: what a model is told of a match, and how its answer is read.

A model's prompt depends on scenario, parameters, id, turn, observations and verdicts alone, so a
re-run makes the same request and finds the recorded reply. Changing a word of it is a change of
format: recordings have a version, and for one of an older version prompts are made as they were
then. The schema of what may be answered now follows from the observations, so it is no part of a
recorded request. A seat with recorded replies needs no endpoint, key or budget: every outcome,
errors included, comes from the recording.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import NamedTuple

import msgspec

from thorp.arena.contract import (
    Agent,
    AgentConfig,
    AgentContext,
    AnswerGuide,
    Chooser,
    Limits,
    MatchTask,
    Seat,
)
from thorp.arena.external import protocol
from thorp.arena.external import spec as specs
from thorp.arena.external.choosing import ChoosingAgent
from thorp.arena.external.protocol import AgentFailure, TimeBudget
from thorp.arena.external.spec import LocalSpec, ModelSpec
from thorp.arena.registry import make_scenario, scenario_parameters
from thorp.kernel.canonical import Json, canonical_text, insertion_copy
from thorp.kernel.errors import InvalidError
from thorp.kernel.numbers import SAFE_INTEGER
from thorp.models.chat import ChatMessage, ChatRequest, ModelError, ModelTimeout, Reply
from thorp.models.choice import LISTED_BY_LLAMA, ChoiceClient
from thorp.models.client import Budget, ChatClient
from thorp.models.decode import DecodeError, find_object
from thorp.models.recording import VERSION_WITH_ALTERNATIVES, VERSION_WITH_VERDICTS, Recording

EXCHANGES_LIMIT = 16  # How many earlier turns are shown to a model.
MEMORY_CHARACTERS_LIMIT = 16_000
"""How many characters those may have, about 5,000 tokens: a call has to fit its budget on every
turn."""
VERDICT_CHARACTERS_LIMIT = 2_000
"""How many characters of its last action and the verdict are shown to a model: a verdict may repeat
the whole action."""
LOCAL_REPLY_TOKENS = 160
"""The longest answer in JSON of a model of this machine: room for an action, and no more than one
processor writes within a turn."""
_ANY_OBJECT: dict[str, Json] = {"type": "object"}
Loading = Callable[[str], AbstractContextManager[Callable[[float], None]]]
"""Shows that the model of a name is being loaded: it gives a function that hears how many seconds
that has taken."""
_RULES = (
    "You are a player in a match. Each message tells you the turn and what you observe. "
    "Answer with your action: one JSON object and nothing else."
)
_RULE_OF_VERDICTS = (
    "lastAction tells what became of your last action. One that is not valid was not carried out: "
    "read why, and send another."
)


class Prompt:
    """The conversation of one seat with its model."""

    def __init__(
        self,
        model: str,
        agent_id: str,
        task: MatchTask,
        briefing: str,
        *,
        tells_verdicts: bool = True,
    ) -> None:
        self._model = model
        rules = f"{_RULES} {_RULE_OF_VERDICTS}" if tells_verdicts else _RULES
        facts = {
            "agentId": agent_id,
            "maxTurns": task.max_turns,
            "parameters": scenario_parameters(task.scenario, task.parameters),
            "scenario": task.scenario,
        }
        parts = [rules, briefing, canonical_text(facts)]
        self._system = ChatMessage("system", "\n\n".join(part for part in parts if part))
        self._memory: deque[tuple[ChatMessage, ChatMessage]] = deque(maxlen=EXCHANGES_LIMIT)

    def request(self, turn: int, observation: Json, last_action: Json = None) -> ChatRequest:
        """The request for a turn: the rules, what is remembered, and the observation."""
        remembered = [message for exchange in self._memory for message in exchange]
        question = _observation_message(turn, observation, last_action)
        return ChatRequest(model=self._model, messages=(self._system, *remembered, question))

    def remember(
        self, turn: int, observation: Json, action: Json, last_action: Json = None
    ) -> None:
        """Remember an exchange, and drop the oldest ones beyond the limits."""
        answer = ChatMessage("assistant", canonical_text(action))
        self._memory.append((_observation_message(turn, observation, last_action), answer))
        while sum(map(_length, self._memory)) > MEMORY_CHARACTERS_LIMIT:
            self._memory.popleft()


def _observation_message(turn: int, observation: Json, last_action: Json) -> ChatMessage:
    """What a model reads in a turn: the observation's `text` if it has one, else all of it."""
    text = observation.get("text") if isinstance(observation, dict) else None
    content = observation if text is None else text
    perceived: dict[str, Json] = {"turn": turn, "observation": content}
    if last_action is not None:
        perceived["lastAction"] = last_action
    return ChatMessage("user", canonical_text(perceived))


def _short_verdict(verdict: dict[str, Json], action: Json) -> Json:
    """A verdict as it is shown to a model: with the action if that was refused, since a refused
    action is not remembered."""
    if not verdict["valid"] and action is not None:
        verdict = {**verdict, "action": action}
    text = canonical_text(verdict)
    if len(text) <= VERDICT_CHARACTERS_LIMIT:
        return verdict
    return f"{text[:VERDICT_CHARACTERS_LIMIT]}… (cut)"


class _Exchange(NamedTuple):
    """What a model saw and answered in one turn; `last_action` is what it was told about the turn
    before."""

    turn: int
    observation: Json
    action: Json
    last_action: Json


def _length(exchange: tuple[ChatMessage, ChatMessage]) -> int:
    return sum(len(message.content) for message in exchange)


class ModelAgent:
    """A language model as an agent: prompts an endpoint, or replays replies that were recorded."""

    def __init__(
        self,
        id: str,
        spec: ModelSpec,
        task: MatchTask,
        replies: Recording,
        client: ChatClient | None,
    ) -> None:
        """Without a client every reply must be in the recording."""
        self.id = id
        self.diagnostics = ""
        self._replies = replies
        self._client = client
        limits = _limits(spec, task)
        self._time = TimeBudget(limits, "reply")
        self._budget = Budget(calls=limits.model_calls, tokens=limits.model_tokens)
        scenario = make_scenario(task.scenario, task.parameters)
        briefing = getattr(scenario, "briefing", "")
        make_guide = getattr(scenario, "answer_guide", None)
        self._guide: AnswerGuide | None = None if make_guide is None else make_guide()
        # Left to itself a small model answers in prose.
        self._schema = _ANY_OBJECT if isinstance(spec, LocalSpec) else None
        self._tells_verdicts = self._replies.version >= VERSION_WITH_VERDICTS
        self._tells_alternatives = self._replies.version >= VERSION_WITH_ALTERNATIVES
        self._prompt = Prompt(spec.model, id, task, briefing, tells_verdicts=self._tells_verdicts)
        self._last: _Exchange | None = None

    def init(self, config: AgentConfig) -> None:
        """Does nothing: a model learns about the match with its first request."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        verdict = ctx.feedback if self._tells_verdicts else None
        action = self._settle_last(verdict)
        if self._guide is not None:
            self._guide.take(observation)
        last_action = None if verdict is None else self._told_verdict(verdict, action)
        request = self._prompt.request(ctx.turn, observation, last_action)
        reply = self._replies.ask(self.id, request.digest, lambda: self._call(request))
        # A refusal is shown once. If it were remembered, the model would take it for an example.
        kept = last_action if verdict is not None and verdict["valid"] else None
        self._last = _Exchange(ctx.turn, observation, read_action(reply.text), kept)
        return self._last.action

    def _told_verdict(self, verdict: dict[str, Json], action: Json) -> Json:
        """The verdict on its last action, as it is told: if that was refused, with what is possible
        instead."""
        if self._tells_alternatives and self._guide is not None and not verdict["valid"]:
            instead = self._guide.instead_of(action)
            verdict = {**verdict, "instead": instead} if instead else verdict
        return _short_verdict(verdict, action)

    def _settle_last(self, verdict: dict[str, Json] | None) -> Json:
        """Return the action of the turn before, if there was one, and remember it unless it was
        refused."""
        last = self._last
        self._last = None
        if last is None:
            return None
        if verdict is None or verdict["valid"]:
            self._prompt.remember(last.turn, last.observation, last.action, last.last_action)
        return last.action

    def _call(self, request: ChatRequest) -> Reply:
        assert self._client is not None, "a recording that answers never calls"
        with self._time.turn() as deadline:
            try:
                left = deadline - time.monotonic()
                schema = self._schema if self._guide is None else self._guide.schema()
                return self._client.complete(
                    request, seconds=left, budget=self._budget, schema=schema
                )
            except ModelTimeout as failure:
                self.diagnostics = failure.detail
                raise TimeoutError from None
            except ModelError as failure:
                self.diagnostics = failure.detail
                raise


def _limits(spec: ModelSpec, task: MatchTask) -> Limits:
    """What a model may use. One of this machine costs nothing: only its turns are limited."""
    if not isinstance(spec, LocalSpec):
        return task.limits
    return msgspec.structs.replace(
        task.limits,
        match_seconds=protocol.SECONDS_LIMIT,
        model_calls=SAFE_INTEGER,
        model_tokens=SAFE_INTEGER,
    )


def chooser_of(spec: ModelSpec, task: MatchTask) -> Chooser | None:
    """What makes choices of a seat's turns; None if its model answers in JSON. Refuses choices that
    were asked for where the scenario offers none."""
    usual = "choices" if isinstance(spec, LocalSpec) else "json"
    if "json" in (task.level, usual) and task.level != "choices":
        return None
    scenario = make_scenario(task.scenario, task.parameters)
    make: Callable[[], Chooser] | None = getattr(scenario, "chooser", None)
    if make is not None:
        return make()
    if task.level == "choices":
        raise InvalidError(
            f"{task.scenario} offers no choices; leave --level out", code="no_choices"
        )
    return None


def is_local_without_choices(seat: Seat, task: MatchTask) -> bool:
    """Whether a seat is the embedded model's, and the scenario has none of the choices that it
    would be asked for."""
    spec = specs.parse_spec(seat.spec)
    if not isinstance(spec, LocalSpec) or task.level == "json":
        return False
    return chooser_of(spec, task) is None


def model_agent(
    seat: Seat, spec: ModelSpec, task: MatchTask, replies: Recording, client: ChatClient | None
) -> Agent:
    """The agent of a model's seat. Without a client every reply must be in the recording."""
    chooser = chooser_of(spec, task)
    if chooser is None:
        return ModelAgent(seat.id, spec, task, replies, client)
    assert client is None or isinstance(client, ChoiceClient), "opened for choices"
    limits = _limits(spec, task)
    return ChoosingAgent(
        seat.id,
        spec.model,
        chooser,
        client,
        replies,
        time=TimeBudget(limits, "reply"),
        budget=Budget(calls=limits.model_calls, tokens=limits.model_tokens),
    )


@contextmanager
def load_silently(name: str) -> Iterator[Callable[[float], None]]:
    """Show nothing of a model that is being loaded."""
    yield lambda seconds: None


@contextmanager
def opened_client(spec: ModelSpec, task: MatchTask, loading: Loading) -> Iterator[ChatClient]:
    """A client of a model's endpoint, which is started here if it is one of this machine."""
    if not isinstance(spec, LocalSpec):
        yield ChoiceClient.from_environment()
        return
    from thorp.models.embedded.local import open_local

    chooses = chooser_of(spec, task) is not None
    with ExitStack() as stack:
        with loading(spec.name or spec.kind) as waiting:
            opened = open_local(spec.name, chooses=chooses, waiting=waiting)
            endpoint = stack.enter_context(opened)
        client = ChoiceClient(
            endpoint.url,
            endpoint.key,
            parameters=None if chooses else {"max_tokens": LOCAL_REPLY_TOKENS},
        )
        client.listed = LISTED_BY_LLAMA
        client.trouble = endpoint.trouble
        yield client


def read_action(text: str) -> Json:
    """Find the action in a model's text: the first JSON object, or the object under its
    `action`."""
    try:
        answer = find_object(text)
    except DecodeError:
        raise AgentFailure("the reply holds no JSON action") from None
    # A copy as the log will have it, so that the remembered action is the logged one.
    return insertion_copy(answer["action"] if isinstance(answer.get("action"), dict) else answer)[1]
