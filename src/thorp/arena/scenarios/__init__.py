"""The scenarios that come with Thorp."""

from thorp.arena.scenarios.number_guess import NumberGuess

__all__ = ["BUILT_IN_SCENARIOS", "NumberGuess"]

BUILT_IN_SCENARIOS = {
    "number-guess": NumberGuess,
}
"""Scenario classes by the name the command line knows them by."""
