"""Games of other projects as scenarios: `open-spiel:chess`, `textarena:Othello-v0`.

They are an exhibition: they play, are recorded and verified like any scenario, and never count in a
league's table, because we do not hold their rules. A game's package is imported when the game is
asked for; what cannot be played the same way twice is refused by name, with the reason, and its
code is never imported.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

from thorp.arena.contract import Agent, Scenario
from thorp.arena.exhibition import open_spiel, textarena
from thorp.arena.exhibition.bots import RandomMoves, RandomTexts
from thorp.kernel.errors import IllegalError

__all__ = ["BOTS", "bots_of", "is_exhibited", "scenario_factory"]

_ADAPTERS: Final[dict[str, Callable[[str], Callable[..., Scenario]]]] = {
    "open-spiel": open_spiel.scenario_factory,
    "textarena": textarena.scenario_factory,
}
BOTS: Final[dict[str, dict[str, Callable[[str], Agent]]]] = {
    "open-spiel": {"random": RandomMoves},
    "textarena": {"random": RandomTexts},
}
"""Bots by the project whose games they play."""


def is_exhibited(scenario: str) -> bool:
    """Whether a scenario's name is one of another project's game."""
    return scenario.partition(":")[0] in _ADAPTERS


def bots_of(scenario: str) -> dict[str, Callable[[str], Agent]]:
    """The bots that play an exhibited game; none for any other scenario."""
    return BOTS.get(scenario.partition(":")[0], {}) if ":" in scenario else {}


@cache
def scenario_factory(scenario: str) -> Callable[..., Scenario]:
    """The class of an exhibited game, to be called with the game's parameters. Refuses a game that
    is not played here, and one whose package is not installed."""
    project, _, game = scenario.partition(":")
    try:
        factory: Callable[..., Scenario] = _ADAPTERS[project](game)
    except ImportError as failure:
        raise IllegalError(
            f"{scenario} needs another package ({failure}): pip install 'thorp[{project}]'",
            code="extra",
        ) from failure
    return factory
