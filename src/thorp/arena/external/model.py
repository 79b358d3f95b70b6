"""Agents that are language models: the prompt, the call, and the action in the reply, see `docs/agents.md`.

A live seat calls the endpoint, within its budget of time, calls and tokens. A seat with recorded replies
needs no endpoint, key or budget: every outcome, errors included, comes from the recording.

The prompt follows from scenario, parameters, id, turn and observations alone, so a re-run makes the same
request and finds the recorded reply. Changing a word of it is a change of format: older recordings no longer
match.
"""

import time
from collections import deque

from thorp.arena.contract import AgentConfig, AgentContext, MatchTask
from thorp.arena.external.limits import TimeBudget
from thorp.arena.external.protocol import AgentFailure
from thorp.arena.external.spec import ModelSpec
from thorp.arena.registry import make_scenario, scenario_parameters
from thorp.kernel.canonical import Json, canonical_text, freeze
from thorp.models.chat import ChatRequest, Message, ModelError, ModelTimeout, Reply
from thorp.models.client import Budget, ChatClient
from thorp.models.decode import DecodeError, find_object
from thorp.models.recording import Recording

EXCHANGES_LIMIT = 16  # How many earlier turns a model is shown.

MEMORY_CHARACTERS_LIMIT = 16_000
"""How many characters those may take, about 5,000 tokens: a call has to fit its budget on every turn."""

_RULES = (
    "You are a player in a match. Each message tells you the turn and what you observe. "
    "Answer with your action: one JSON object and nothing else."
)


class Prompt:
    """The conversation of one seat with its model."""

    def __init__(self, model: str, agent_id: str, task: MatchTask, briefing: str) -> None:
        self._model = model
        facts = {
            "agentId": agent_id,
            "maxTurns": task.max_turns,
            "parameters": scenario_parameters(task.scenario, task.parameters),
            "scenario": task.scenario,
        }
        parts = [_RULES, briefing, canonical_text(facts)]
        self._system = Message("system", "\n\n".join(part for part in parts if part))
        self._memory: deque[tuple[Message, Message]] = deque(maxlen=EXCHANGES_LIMIT)

    def request(self, turn: int, observation: Json) -> ChatRequest:
        remembered = [message for exchange in self._memory for message in exchange]
        return ChatRequest(self._model, (self._system, *remembered, _observation_message(turn, observation)))

    def remember(self, turn: int, observation: Json, action: Json) -> None:
        """Remember an exchange, and drop the oldest ones beyond the limits."""
        self._memory.append(
            (_observation_message(turn, observation), Message("assistant", canonical_text(action)))
        )
        while sum(map(_length, self._memory)) > MEMORY_CHARACTERS_LIMIT:
            self._memory.popleft()


def _observation_message(turn: int, observation: Json) -> Message:
    text = observation.get("text") if isinstance(observation, dict) else None
    shown = observation if text is None else text
    return Message("user", canonical_text({"turn": turn, "observation": shown}))


def _length(exchange: tuple[Message, Message]) -> int:
    return sum(len(message.content) for message in exchange)


class ModelAgent:
    def __init__(self, id: str, spec: ModelSpec, task: MatchTask, replies: Recording | None) -> None:
        """Refuses a live seat if the environment names no endpoint."""
        self.id = id
        self.diagnostics = ""
        self._replies = replies if replies is not None else Recording()
        self._client = None if self._replies.replaying else ChatClient.from_environment()
        self._time = TimeBudget(task.limits, "reply")
        self._budget = Budget(calls=task.limits.model_calls, tokens=task.limits.model_tokens)
        briefing = getattr(make_scenario(task.scenario, task.parameters), "briefing", "")
        self._prompt = Prompt(spec.model, id, task, briefing)

    def init(self, config: AgentConfig) -> None:
        """Does nothing: a model learns of the match with its first request."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        request = self._prompt.request(ctx.turn, observation)
        reply = self._replies.ask(self.id, request.digest, lambda: self._call(request))
        action = read_action(reply.text)
        self._prompt.remember(ctx.turn, observation, action)
        return action

    def _call(self, request: ChatRequest) -> Reply:
        assert self._client is not None, "a recording that answers never calls"
        with self._time.turn() as deadline:
            try:
                return self._client.complete(
                    request, seconds=deadline - time.monotonic(), budget=self._budget
                )
            except ModelTimeout:
                raise TimeoutError from None
            except ModelError as failure:
                self.diagnostics = failure.detail
                raise


def read_action(text: str) -> Json:
    """Find the action in a model's text: the first JSON object, or the object under its `action`."""
    try:
        found = find_object(text)
    except DecodeError:
        raise AgentFailure("the reply holds no JSON action") from None
    # Frozen, so that the remembered action is the logged one.
    return freeze(found["action"] if isinstance(found.get("action"), dict) else found)[1]
