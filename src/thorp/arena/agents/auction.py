"""Bots for the sealed-bid auction, from careless to careful.

What makes the match more than one lot many times over is the budget: money spent on a poor lot is missing
when a good one comes. Truth is the best bid for a single lot at second prices; the careful bots bid less.
"""

from __future__ import annotations

from thorp.arena.contract import AgentConfig, AgentContext
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded


class _Bidder:
    """The part all share: no preparation, and an id."""

    def __init__(self, id: str) -> None:
        self.id = id

    def init(self, config: AgentConfig) -> None:
        """Nothing to prepare: all there is to know comes with the observation."""


class RandomBidder(_Bidder):
    """Bids anything up to its whole budget, whatever the lot is worth."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return {"bid": bounded(ctx.rng(), 0, observation["budget"])}


class _Planner(_Bidder):
    """A bidder that follows a rule, as far as its budget goes."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return {"bid": min(self.bid(observation), observation["budget"])}

    def bid(self, observation: Json) -> int:
        """What the rule says."""
        raise NotImplementedError


class TruthfulBidder(_Planner):
    """Bids what the lot is worth to it."""

    def bid(self, observation: Json) -> int:
        value: int = observation["value"]
        return value


class ShadingBidder(_Planner):
    """Bids (n - 1) / n of the value among n bidders: the equilibrium of a single lot at first prices."""

    def bid(self, observation: Json) -> int:
        bidders = len(observation["bidders"])
        value: int = observation["value"]
        return value * (bidders - 1) // bidders


class PacingBidder(ShadingBidder):
    """Makes its budget last, and shades only where it would pay its own bid.

    Among n bidders a seat wins one lot in n, so it may spend n shares of the budget on a lot, a share being
    what is left of it for each lot that is left. At second prices it pays less than it bids, and bids up to
    half as much again.
    """

    def bid(self, observation: Json) -> int:
        lots_left = observation["lots"] - observation["lot"] + 1
        affordable: int = len(observation["bidders"]) * observation["budget"] // lots_left
        if observation["pricing"] == "first":
            return min(super().bid(observation), affordable)
        value: int = observation["value"]
        return min(value, affordable * 3 // 2)
