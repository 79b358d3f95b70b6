"""The agents that come with Thorp, by the scenario they play."""

from collections.abc import Callable

from thorp.arena.agents.auction import PacingBidder, RandomBidder, ShadingBidder, TruthfulBidder
from thorp.arena.agents.connect_four import GreedyColumns, Minimax, RandomColumns
from thorp.arena.agents.dilemma import (
    Alternator,
    CoinFlipper,
    Cooperator,
    Defector,
    GenerousTitForTat,
    Grudger,
    Joss,
    Pavlov,
    SuspiciousTitForTat,
    TitForTat,
    TitForTwoTats,
)
from thorp.arena.agents.number_guess import BaselineAgent, RandomAgent
from thorp.arena.contract import Agent

__all__ = [
    "BUILT_IN_AGENTS",
    "Alternator",
    "BaselineAgent",
    "CoinFlipper",
    "Cooperator",
    "Defector",
    "GenerousTitForTat",
    "GreedyColumns",
    "Grudger",
    "Joss",
    "Minimax",
    "PacingBidder",
    "Pavlov",
    "RandomAgent",
    "RandomBidder",
    "RandomColumns",
    "ShadingBidder",
    "SuspiciousTitForTat",
    "TitForTat",
    "TitForTwoTats",
    "TruthfulBidder",
]

BUILT_IN_AGENTS: dict[str, dict[str, Callable[[str], Agent]]] = {
    "auction": {
        "random": RandomBidder,
        "truthful": TruthfulBidder,
        "shading": ShadingBidder,
        "pacing": PacingBidder,
    },
    "connect-four": {"random": RandomColumns, "greedy": GreedyColumns, "minimax": Minimax},
    "dilemma": {
        "alternator": Alternator,
        "cooperator": Cooperator,
        "defector": Defector,
        "generous-tit-for-tat": GenerousTitForTat,
        "grudger": Grudger,
        "joss": Joss,
        "pavlov": Pavlov,
        "random": CoinFlipper,
        "suspicious-tit-for-tat": SuspiciousTitForTat,
        "tit-for-tat": TitForTat,
        "tit-for-two-tats": TitForTwoTats,
    },
    "number-guess": {"random": RandomAgent, "baseline": BaselineAgent},
}
"""Bot classes by scenario and kind."""
