"""Checks that a scenario or an agent keeps the contract, for authors to call or to inherit.

Each function checks every rule in turn, and raises BrokenRule with the rule and what was seen. For
pytest, `ScenarioSuite` and `AgentSuite` have a test for each of these rules. See
`docs/writing-scenarios.md`.
"""

from thorp.arena.testing.rules import AGENT_RULES, SCENARIO_RULES
from thorp.arena.testing.suites import (
    AgentSuite,
    ScenarioSuite,
    check_agent,
    check_hash_seeds,
    check_scenario,
)
from thorp.arena.testing.trial import ODD_VALUES, BrokenRule

__all__ = [
    "AGENT_RULES",
    "ODD_VALUES",
    "SCENARIO_RULES",
    "AgentSuite",
    "BrokenRule",
    "ScenarioSuite",
    "check_agent",
    "check_hash_seeds",
    "check_scenario",
]
