"""Bots for the sealed-bid auction, from careless to careful.

The budget ties the lots together: money spent on a poor lot is missing when a good one comes.
Bidding the true value is best for a single lot at second prices; the careful bots bid less.
"""

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded


class RandomBidder(SimpleAgent):
    """Bids anything up to its whole budget, whatever the lot is worth."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return {"bid": bounded(ctx.rng(), 0, observation["budget"])}


class _RuleBidder(SimpleAgent):
    """Bids by a rule, but never more than its budget."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return {"bid": min(self.bid(observation), observation["budget"])}

    def bid(self, observation: Json) -> Json:
        """Return the bid of the rule, which may exceed the budget."""
        raise NotImplementedError


class TruthfulBidder(_RuleBidder):
    """Bids the lot's value."""

    def bid(self, observation: Json) -> Json:
        return observation["value"]


class ShadingBidder(_RuleBidder):
    """Bids (n - 1) / n of the value among n bidders: the equilibrium of a single lot at first
    prices."""

    def bid(self, observation: Json) -> Json:
        bidders = len(observation["bidders"])
        return observation["value"] * (bidders - 1) // bidders


class PacingBidder(ShadingBidder):
    """Makes its budget last, and shades only where it would pay its own bid.

    Among n bidders a seat wins one lot in n, so it may spend n times the budget left for each
    remaining lot. At second prices it pays less than it bids, and bids up to half as much again.
    """

    def bid(self, observation: Json) -> Json:
        lots_left = observation["lots"] - observation["lot"] + 1
        affordable = len(observation["bidders"]) * observation["budget"] // lots_left
        if observation["pricing"] == "first":
            return min(super().bid(observation), affordable)
        return min(observation["value"], affordable * 3 // 2)
