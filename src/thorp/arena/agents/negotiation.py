"""Bots for the negotiation, from blind to one that learns what the other wants."""

from itertools import product

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.arena.scenarios.negotiation import WORTH, worth
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded


def _shares(pool: list[int]) -> list[tuple[int, ...]]:
    """Every way to keep some of a pool."""
    return list(product(*(range(count + 1) for count in pool)))


def _own_gain(observation: Json) -> int:
    """What accepting the other's last offer would be worth; -1 if there is none."""
    if not observation["offers"]:
        return -1
    rest = tuple(
        count - kept
        for count, kept in zip(observation["pool"], observation["offers"][-1]["keep"], strict=True)
    )
    return worth(rest, observation["values"])


class RandomNegotiator(SimpleAgent):
    """Accepts one offer in three, and else asks for anything."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        if observation["offers"] and ctx.rng() < 1 / 3:
            return {"accept": True}
        shares = _shares(observation["pool"])
        return {"keep": list(shares[int(bounded(ctx.rng(), 0, len(shares) - 1))])}


class StubbornNegotiator(SimpleAgent):
    """Asks for all that is worth anything to it, and accepts only seven points or more, or
    anything in its last move."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        gain = _own_gain(observation)
        if gain >= 7 or (observation["movesLeft"] <= 1 and gain > 0):
            return {"accept": True}
        kept = zip(observation["pool"], observation["values"], strict=True)
        return {"keep": [count if value else 0 for count, value in kept]}


class FairNegotiator(SimpleAgent):
    """Asks for the share that is worth most to it among those that leave the other half of the
    things, and accepts what is worth half of the pool to it."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        if _own_gain(observation) >= WORTH // 2:
            return {"accept": True}
        pool = observation["pool"]
        half = [share for share in _shares(pool) if 2 * sum(share) <= sum(pool)]
        best = max(half, key=lambda share: (worth(share, observation["values"]), share))
        return {"keep": list(best)}


class TradingNegotiator(SimpleAgent):
    """Learns from the other's offers what it wants, concedes step by step, and asks for what is
    worth least to the other among the shares that are worth enough to itself."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        gain = _own_gain(observation)
        wanted = self._wanted(observation)
        if gain >= wanted or (observation["movesLeft"] <= 1 and gain > 0):
            return {"accept": True}
        pool = observation["pool"]
        values = observation["values"]
        likings = _likings(observation)
        offers = [share for share in _shares(pool) if worth(share, values) >= wanted]
        best = max(
            offers,
            key=lambda share: (
                -sum(liking * n for liking, n in zip(likings, share, strict=True)),
                worth(share, values),
                share,
            ),
        )
        return {"keep": list(best)}

    def _wanted(self, observation: Json) -> int:
        """What is enough: nine points at first, one less with each own offer, and never below
        five; in the end whatever there is."""
        own_offers = len(observation["offers"]) // 2
        return max(9 - own_offers, 5 if observation["movesLeft"] > 2 else 3)


def _likings(observation: Json) -> list[float]:
    """How much of each kind the other asks for, on average, with a guess before its first offer."""
    pool = observation["pool"]
    theirs = observation["offers"][::-1][::2]
    likings = []
    for kind, count in enumerate(pool):
        asked = sum(offer["keep"][kind] for offer in theirs)
        likings.append((asked + count / 2) / (count * (len(theirs) + 1)) * WORTH / count)
    return likings
