"""The agents that the golden match records are made of, beside the two built-in ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thorp.arena import Agent, AgentConfig, AgentContext
from thorp.arena.agents import BaselineAgent, RandomAgent

BUILT_IN: dict[str, Callable[[str], Agent]] = {"random": RandomAgent, "baseline": BaselineAgent}


class Script:
    """Plays its steps in order and then repeats the last one."""

    def __init__(self, id: str, steps: list[dict[str, Any]]) -> None:
        self.id = id
        self.steps = steps
        self.calls = 0

    def init(self, config: AgentConfig) -> None:
        self.calls = 0

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        step = self.steps[min(self.calls, len(self.steps) - 1)]
        self.calls += 1
        if "throw" in step:
            raise RuntimeError(step["throw"])
        return step["return"]


class Probe:
    """Returns everything it was told, so that a log shows it."""

    def __init__(self, id: str, guess: Any, draws: int) -> None:
        self.id = id
        self.guess = guess
        self.draws = draws

    def init(self, config: AgentConfig) -> None:
        self.config = config

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        return {
            "guess": self.guess,
            "initId": self.config.agent_id,
            "initSeed": self.config.seed,
            "ctxId": ctx.agent_id,
            "ctxTurn": ctx.turn,
            "draws": [ctx.rng() for _ in range(self.draws)],
        }


class Flaky:
    """Another agent that fails on some turns, before or after having thought."""

    def __init__(self, inner: Agent, fail_turns: list[int], when: str, message: str) -> None:
        self.id = inner.id
        self.inner = inner
        self.fail_turns = fail_turns
        self.when = when
        self.message = message

    def init(self, config: AgentConfig) -> None:
        self.inner.init(config)

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        failing = ctx.turn in self.fail_turns
        if failing and self.when == "before":
            raise RuntimeError(self.message)
        action = self.inner.act(observation, ctx)
        if failing:
            raise RuntimeError(self.message)
        return action


def build(spec: dict[str, Any]) -> Agent:
    kind = spec["kind"]
    if kind == "script":
        return Script(spec["id"], spec["steps"])
    if kind == "probe":
        return Probe(spec["id"], spec["guess"], spec["draws"])
    if kind == "flaky":
        inner = BUILT_IN[spec["inner"]["kind"]](spec["id"])
        return Flaky(inner, spec["failTurns"], spec["when"], spec["message"])
    return BUILT_IN[kind](spec["id"])
