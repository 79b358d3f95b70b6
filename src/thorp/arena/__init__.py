"""The arena plays matches between agents, and verifies their logs.

`run_match` plays a scenario between agents and returns a log, which is the same to the byte for the
same seed. Scenarios are in `scenarios`, bots in `agents`, checks for authors in `testing`, round
robins in `tournament`.
"""

from thorp.arena.contract import (
    Adjudication,
    Agent,
    AgentConfig,
    AgentContext,
    Limits,
    MatchConfig,
    MatchResult,
    MatchTask,
    Scenario,
    Seat,
)
from thorp.arena.registry import make_agent, make_scenario
from thorp.arena.runner import MatchInterrupted, run_match

__all__ = [
    "Adjudication",
    "Agent",
    "AgentConfig",
    "AgentContext",
    "Limits",
    "MatchConfig",
    "MatchInterrupted",
    "MatchResult",
    "MatchTask",
    "Scenario",
    "Seat",
    "make_agent",
    "make_scenario",
    "run_match",
    "scale",
    "suite",
]
