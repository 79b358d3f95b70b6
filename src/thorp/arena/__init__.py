"""The arena: run and prove matches between agents."""

from thorp.arena.contract import (
    Adjudication,
    Agent,
    AgentConfig,
    AgentContext,
    MatchConfig,
    MatchResult,
    Scenario,
)
from thorp.arena.runner import run_match

__all__ = [
    "Adjudication",
    "Agent",
    "AgentConfig",
    "AgentContext",
    "MatchConfig",
    "MatchResult",
    "Scenario",
    "registry",
    "run_match",
    "task",
]
