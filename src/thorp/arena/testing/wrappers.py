"""Scenarios and agents seen through a glass: every call passes a function that may look, refuse or replace.

That function gets the real object, the member called and its arguments, and returns what the caller sees;
`pass_on` is the one that does nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from thorp.arena.contract import Adjudication, Agent, AgentConfig, AgentContext, Scenario, State
from thorp.kernel.canonical import Json

Around: TypeAlias = Callable[[Any, str, tuple[Any, ...]], Any]


def pass_on(subject: object, member: str, arguments: tuple[Any, ...]) -> Any:
    """Make the call."""
    return getattr(subject, member)(*arguments)


class WatchedScenario:
    """A scenario whose every call goes through `around`."""

    def __init__(self, scenario: Scenario, around: Around) -> None:
        self._scenario = scenario
        self._around = around
        self.name = scenario.name
        self.observation_log = getattr(scenario, "observation_log", "full")
        if hasattr(scenario, "end_turn"):
            self.end_turn = self._end_turn

    def init(self, seed: int, agent_ids: Sequence[str]) -> State:
        return self._around(self._scenario, "init", (seed, agent_ids))

    def observe(self, state: State, agent_id: str) -> Json:
        return self._around(self._scenario, "observe", (state, agent_id))

    def adjudicate(self, state: State, agent_id: str, action: Json) -> Adjudication:
        verdict: Adjudication = self._around(self._scenario, "adjudicate", (state, agent_id, action))
        return verdict

    def is_terminal(self, state: State) -> bool:
        terminal: bool = self._around(self._scenario, "is_terminal", (state,))
        return terminal

    def score(self, state: State) -> dict[str, float]:
        scores: dict[str, float] = self._around(self._scenario, "score", (state,))
        return scores

    def summarize(self, state: State) -> Json:
        return self._around(self._scenario, "summarize", (state,))

    def _end_turn(self, state: State) -> State:
        return self._around(self._scenario, "end_turn", (state,))


class WatchedAgent:
    """An agent whose every call goes through `around`."""

    def __init__(self, agent: Agent, around: Around) -> None:
        self.id = agent.id
        self._agent = agent
        self._around = around

    def init(self, config: AgentConfig) -> None:
        self._around(self._agent, "init", (config,))

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return self._around(self._agent, "act", (observation, ctx))
