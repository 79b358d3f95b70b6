"""Agents that are HTTP servers: one POST for `init`, one for each turn, each complete in itself."""

from __future__ import annotations

import time

from thorp.arena.contract import AgentConfig, AgentContext
from thorp.arena.external import limits
from thorp.arena.external.limits import ThinkingTime
from thorp.arena.external.protocol import AgentFailure, Introduction, check_ready, read_message, take_action
from thorp.arena.external.spec import RemoteSpec
from thorp.arena.task import MatchTask
from thorp.kernel.canonical import Json
from thorp.models.http_post import OK, PostError, post


class RemoteAgent:
    """An agent behind a URL."""

    def __init__(self, id: str, spec: RemoteSpec, task: MatchTask) -> None:
        self.id = id
        self.diagnostics = ""
        self._url = spec.url
        self._introduction = Introduction(task)
        self._time = ThinkingTime(task.limits, "reply")
        self._config = AgentConfig(id, 0)

    def init(self, config: AgentConfig) -> None:
        self._config = config
        try:
            answer = self._post(self._introduction.init(config), limits.START_SECONDS)
        except TimeoutError:
            raise AgentFailure(f"not ready within {limits.START_SECONDS:g} s") from None
        check_ready({"type": "ready", **answer})

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        body = self._introduction.act_alone(self._config, ctx.turn, observation)
        with self._time.turn() as deadline:
            answer = self._post(body, deadline - time.monotonic())
        # One question, one answer: what kind of message it is goes without saying.
        return take_action({"type": "action", **answer}, ctx.turn)

    def _post(self, body: bytes, seconds: float) -> dict[str, Json]:
        try:
            answer = post(self._url, body, seconds=seconds)
        except PostError as failure:
            raise AgentFailure(str(failure)) from None
        if answer.status != OK:
            self.diagnostics = answer.body.decode("utf-8", "replace")
            raise AgentFailure(f"HTTP {answer.status}")
        return read_message(answer.body)
