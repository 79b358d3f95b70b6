"""The agents that come with Thorp, by the scenario they play."""

from thorp.arena.agents.number_guess import BaselineAgent, RandomAgent

__all__ = ["BUILT_IN_AGENTS", "BaselineAgent", "RandomAgent"]

BUILT_IN_AGENTS = {
    "number-guess": {"random": RandomAgent, "baseline": BaselineAgent},
}
"""Bot classes by scenario and kind."""
