"""Agents that are language models.

A live seat asks the endpoint, within its time, its calls and its tokens. A seat whose replies were
recorded needs no endpoint, key or budget: every outcome, errors included, comes from the recording.
"""

from __future__ import annotations

import time

from thorp.arena.contract import AgentConfig, AgentContext
from thorp.arena.external.limits import ThinkingTime
from thorp.arena.external.prompt import Prompt
from thorp.arena.external.protocol import AgentFailure
from thorp.arena.external.spec import ModelSpec
from thorp.arena.registry import make_scenario
from thorp.arena.task import MatchTask
from thorp.kernel.canonical import Json, freeze
from thorp.models.budget import Budget
from thorp.models.chat import ChatRequest, ModelError, ModelTimeout, Reply
from thorp.models.client import ChatClient
from thorp.models.decode import DecodeError, find_object
from thorp.models.recording import Recording


class ModelAgent:
    """A seat played by a model."""

    def __init__(self, id: str, spec: ModelSpec, task: MatchTask, replies: Recording | None) -> None:
        """Refuses a live seat when the environment names no endpoint."""
        self.id = id
        self.diagnostics = ""
        self._replies = replies if replies is not None else Recording()
        self._client = None if self._replies.replaying else ChatClient.from_environment()
        self._time = ThinkingTime(task.limits, "reply")
        self._budget = Budget(calls=task.limits.model_calls, tokens=task.limits.model_tokens)
        briefing = getattr(make_scenario(task.scenario, task.parameters), "briefing", "")
        self._prompt = Prompt(spec.model, id, task, briefing)

    def init(self, config: AgentConfig) -> None:
        """Nothing is asked before the first turn: a model learns of the match with its first question."""

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
    """The action in a model's text: the first JSON object, or the object that it holds under `action`."""
    try:
        found = find_object(text)
    except DecodeError:
        raise AgentFailure("the reply holds no JSON action") from None
    # Frozen, so that what is remembered is what the log says.
    return freeze(found["action"] if isinstance(found.get("action"), dict) else found)[1]
