"""Bots for Kuhn and Leduc poker: blind, cautious, honest, and an equilibrium."""

from typing import Final

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.arena.equilibrium import EQUILIBRIA, UNIT, spot_of
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded

_STRENGTH: Final = {"J": 0, "Q": 1, "K": 2}


class RandomPoker(SimpleAgent):
    """Makes any legal move."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        legal = observation["legal"]
        return {"move": legal[int(bounded(ctx.rng(), 0, len(legal) - 1))]}


class HonestKuhn(SimpleAgent):
    """Bets the king and nothing else; calls with the king, and with the queen half the time."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        strength = _STRENGTH[observation["card"]]
        facing_bet = observation["moves"][-1:] == ["bet"]
        calls = facing_bet and strength == 1 and ctx.rng() < 0.5
        return {"move": "bet" if strength == 2 or calls else "pass"}


class HonestLeduc(SimpleAgent):
    """Raises with a pair or a king, calls with a queen, and never bluffs: a jack is folded to any
    raise, and in the second round so is a queen."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        legal = observation["legal"]
        strength = _STRENGTH[observation["card"]] + 3 * (
            observation["card"] == observation["board"]
        )
        second_round = observation["board"] is not None
        if strength >= (3 if second_round else 2) and "raise" in legal:
            return {"move": "raise"}
        if strength >= (2 if second_round else 1) or "fold" not in legal:
            return {"move": "call"}
        return {"move": "fold"}


class _EquilibriumBot(SimpleAgent):
    """Draws each move with the chances of the shipped equilibrium."""

    game: str

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        drawn = int(ctx.rng() * UNIT)
        legal = observation["legal"]
        for move, weight in zip(legal, EQUILIBRIA[self.game][spot_of(observation)], strict=True):
            drawn -= weight
            if drawn < 0:
                return {"move": move}
        raise AssertionError("the weights of a spot add up to UNIT")


class EquilibriumKuhn(_EquilibriumBot):
    """Plays the shipped equilibrium of Kuhn poker."""

    game = "kuhn-poker"


class EquilibriumLeduc(_EquilibriumBot):
    """Plays the shipped equilibrium of Leduc poker."""

    game = "leduc-poker"
