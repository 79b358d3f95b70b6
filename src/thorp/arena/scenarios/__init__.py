"""The scenarios that come with Thorp."""

from collections.abc import Callable

from thorp.arena.contract import Scenario
from thorp.arena.scenarios.auction import Auction
from thorp.arena.scenarios.connect_four import ConnectFour
from thorp.arena.scenarios.dilemma import Dilemma
from thorp.arena.scenarios.fireworks import Fireworks
from thorp.arena.scenarios.impostor import Impostor
from thorp.arena.scenarios.kuhn_poker import KuhnPoker
from thorp.arena.scenarios.leduc_poker import LeducPoker
from thorp.arena.scenarios.liars_dice import LiarsDice
from thorp.arena.scenarios.negotiation import Negotiation
from thorp.arena.scenarios.nim import Nim
from thorp.arena.scenarios.number_guess import NumberGuess

__all__ = [
    "BUILT_IN_SCENARIOS",
    "Auction",
    "ConnectFour",
    "Dilemma",
    "Fireworks",
    "Impostor",
    "KuhnPoker",
    "LeducPoker",
    "LiarsDice",
    "Negotiation",
    "Nim",
    "NumberGuess",
]

BUILT_IN_SCENARIOS: dict[str, Callable[..., Scenario]] = {
    "auction": Auction,
    "connect-four": ConnectFour,
    "dilemma": Dilemma,
    "fireworks": Fireworks,
    "impostor": Impostor,
    "kuhn-poker": KuhnPoker,
    "leduc-poker": LeducPoker,
    "liars-dice": LiarsDice,
    "negotiation": Negotiation,
    "nim": Nim,
    "number-guess": NumberGuess,
}
"""Scenario classes by their names on the command line."""
