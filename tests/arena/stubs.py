"""Small agents and scenarios that misbehave in one way each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from thorp.arena import Adjudication, AgentConfig, AgentContext


class Answering:
    """Answers what a function says."""

    def __init__(self, id: str, answer: Callable[[Any, AgentContext], Any]) -> None:
        self.id = id
        self.answer = answer

    def init(self, config: AgentConfig) -> None:
        self.config = config

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        return self.answer(observation, ctx)


def always(id: str, action: Any) -> Answering:
    return Answering(id, lambda _observation, _ctx: action)


class Echo:
    """A scenario that accepts everything, never ends by itself, and shows all it was given."""

    name = "Echo"

    def init(self, seed: int, agent_ids: Sequence[str]) -> dict[str, Any]:
        return {"ids": list(agent_ids), "seen": []}

    def observe(self, state: dict[str, Any], agent_id: str) -> Any:
        return {"seen": state["seen"]}

    def adjudicate(self, state: dict[str, Any], agent_id: str, action: Any) -> Adjudication:
        state["seen"].append(action)
        return Adjudication(True, {"got": action}, state)

    def is_terminal(self, state: dict[str, Any]) -> bool:
        return False

    def score(self, state: dict[str, Any]) -> dict[str, float]:
        return dict.fromkeys(state["ids"], len(state["seen"]))

    def summarize(self, state: dict[str, Any]) -> Any:
        return {"seen": state["seen"]}


class Failing(Echo):
    """Fails in one method, from some call on."""

    def __init__(self, method: str, call: int = 1) -> None:
        self.method = method
        self.calls_left = call

    def _fail(self, method: str) -> None:
        if method == self.method:
            self.calls_left -= 1
            if self.calls_left <= 0:
                raise ValueError(f"{method} broke")

    def init(self, seed: int, agent_ids: Sequence[str]) -> Any:
        self._fail("init")
        return super().init(seed, agent_ids)

    def observe(self, state: Any, agent_id: str) -> Any:
        self._fail("observe")
        return super().observe(state, agent_id)

    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Adjudication:
        self._fail("adjudicate")
        return super().adjudicate(state, agent_id, action)

    def is_terminal(self, state: Any) -> bool:
        self._fail("is_terminal")
        return super().is_terminal(state)

    def score(self, state: Any) -> Any:
        self._fail("score")
        return super().score(state)

    def summarize(self, state: Any) -> Any:
        self._fail("summarize")
        return super().summarize(state)
