"""Bots for number guess: random guesses, and binary search."""

from thorp.arena.contract import AgentConfig, AgentContext, SimpleAgent
from thorp.kernel.canonical import Json
from thorp.kernel.numbers import floor, plus, whole
from thorp.kernel.rng import bounded


class RandomAgent(SimpleAgent):
    """Guesses anywhere in the range, every time."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return {"guess": bounded(ctx.rng(), observation["rangeMin"], observation["rangeMax"])}


class BaselineAgent(SimpleAgent):
    """Binary search, without randomness. If its interval shrinks to exactly 0..0 it starts over."""

    _low: float = 0
    _high: float = 0

    def init(self, config: AgentConfig) -> None:
        self._low = self._high = 0

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        if self._low == 0 and self._high == 0:
            self._low = observation["rangeMin"]
            self._high = observation["rangeMax"]
        feedback = observation["feedback"]
        if feedback == "higher":
            above = plus(observation["lastGuess"], 1)
            if above > self._low:
                self._low = above
        elif feedback == "lower":
            below = plus(observation["lastGuess"], -1)
            if below < self._high:
                self._high = below
        total = plus(self._low, self._high)
        return {"guess": total // 2 if type(total) is int else whole(floor(total / 2))}
