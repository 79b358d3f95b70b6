"""Bots that play any exhibited game, badly."""

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded

_SPOKEN = ("[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "[0 0]", "[1 1]", "[2 2]", "[pass]", "[call]")


class RandomMoves(SimpleAgent):
    """Makes any of the moves that its observation lists."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        legal = observation["legal"]
        return {"action": legal[int(bounded(ctx.rng(), 0, len(legal) - 1))]["action"]}


class RandomTexts(SimpleAgent):
    """Says what is a move in some game of words: a number in brackets, a pass, a call."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return {"text": _SPOKEN[int(bounded(ctx.rng(), 0, len(_SPOKEN) - 1))]}
