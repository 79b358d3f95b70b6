"""The scenarios that come with Thorp."""

from collections.abc import Callable

from thorp.arena.contract import Scenario
from thorp.arena.scenarios.auction import Auction
from thorp.arena.scenarios.connect_four import ConnectFour
from thorp.arena.scenarios.dilemma import Dilemma
from thorp.arena.scenarios.number_guess import NumberGuess

__all__ = ["BUILT_IN_SCENARIOS", "Auction", "ConnectFour", "Dilemma", "NumberGuess"]

BUILT_IN_SCENARIOS: dict[str, Callable[..., Scenario]] = {
    "auction": Auction,
    "connect-four": ConnectFour,
    "dilemma": Dilemma,
    "number-guess": NumberGuess,
}
"""Scenario classes by their names on the command line."""
