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
from thorp.arena.agents.fireworks import (
    CautiousFireworks,
    RandomFireworks,
    SignallingFireworks,
)
from thorp.arena.agents.impostor import BluntWords, CarefulWords, RandomWords
from thorp.arena.agents.liars_dice import OddsDice, RandomDice, TruthfulDice
from thorp.arena.agents.negotiation import (
    FairNegotiator,
    RandomNegotiator,
    StubbornNegotiator,
    TradingNegotiator,
)
from thorp.arena.agents.nim import EndgameHeaps, PerfectHeaps, RandomHeaps
from thorp.arena.agents.number_guess import BaselineAgent, RandomAgent
from thorp.arena.agents.poker import (
    EquilibriumKuhn,
    EquilibriumLeduc,
    HonestKuhn,
    HonestLeduc,
    RandomPoker,
)
from thorp.arena.contract import Agent

__all__ = [
    "BUILT_IN_AGENTS",
    "Alternator",
    "BaselineAgent",
    "BluntWords",
    "CarefulWords",
    "CautiousFireworks",
    "CoinFlipper",
    "Cooperator",
    "Defector",
    "EndgameHeaps",
    "EquilibriumKuhn",
    "EquilibriumLeduc",
    "FairNegotiator",
    "GenerousTitForTat",
    "GreedyColumns",
    "Grudger",
    "HonestKuhn",
    "HonestLeduc",
    "Joss",
    "Minimax",
    "OddsDice",
    "PacingBidder",
    "Pavlov",
    "PerfectHeaps",
    "RandomAgent",
    "RandomBidder",
    "RandomColumns",
    "RandomDice",
    "RandomFireworks",
    "RandomHeaps",
    "RandomNegotiator",
    "RandomPoker",
    "RandomWords",
    "ShadingBidder",
    "SignallingFireworks",
    "StubbornNegotiator",
    "SuspiciousTitForTat",
    "TitForTat",
    "TitForTwoTats",
    "TradingNegotiator",
    "TruthfulBidder",
    "TruthfulDice",
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
    "fireworks": {
        "random": RandomFireworks,
        "cautious": CautiousFireworks,
        "signalling": SignallingFireworks,
    },
    "impostor": {"random": RandomWords, "blunt": BluntWords, "careful": CarefulWords},
    "kuhn-poker": {"random": RandomPoker, "honest": HonestKuhn, "equilibrium": EquilibriumKuhn},
    "leduc-poker": {"random": RandomPoker, "honest": HonestLeduc, "equilibrium": EquilibriumLeduc},
    "liars-dice": {"random": RandomDice, "truthful": TruthfulDice, "odds": OddsDice},
    "negotiation": {
        "random": RandomNegotiator,
        "stubborn": StubbornNegotiator,
        "fair": FairNegotiator,
        "trading": TradingNegotiator,
    },
    "nim": {"random": RandomHeaps, "endgame": EndgameHeaps, "perfect": PerfectHeaps},
    "number-guess": {"random": RandomAgent, "baseline": BaselineAgent},
}
"""Bot classes by scenario and kind."""
