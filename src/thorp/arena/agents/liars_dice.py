"""Bots for liar's dice, from blind to one that weighs the odds."""

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.arena.scenarios.liars_dice import (
    WILD,
    LiarsDicePosition,
    chance_of_at_least,
)
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded


class _DiceBot(SimpleAgent):
    """The base of these bots: knows which bids are left, and makes a choice an action."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        own = tuple(observation["dice"])
        bids = tuple((quantity, face) for quantity, face in observation["bids"])
        position = LiarsDicePosition((own, own), bids)  # For the count of dice alone.
        bid = self.choose(position, ctx)
        return {"call": True} if bid is None else {"bid": list(bid)}

    def choose(self, position: LiarsDicePosition, ctx: AgentContext) -> tuple[int, int] | None:
        """The bid to make, or None to call. Both places of the position have our own dice."""
        raise NotImplementedError


class RandomDice(_DiceBot):
    """Calls one time in four if it may, and else bids any of the next few."""

    def choose(self, position: LiarsDicePosition, ctx: AgentContext) -> tuple[int, int] | None:
        left = position.bids_left()[:8]
        if position.bids and (not left or ctx.rng() < 0.25):
            return None
        return left[int(bounded(ctx.rng(), 0, len(left) - 1))]


class TruthfulDice(_DiceBot):
    """Bids only what its own dice show, and calls when it cannot."""

    def choose(self, position: LiarsDicePosition, ctx: AgentContext) -> tuple[int, int] | None:
        true = [bid for bid in position.bids_left() if count(position, bid[1]) >= bid[0]]
        if true:
            return true[0]
        return None if position.bids else position.bids_left()[0]


class OddsDice(_DiceBot):
    """Calls when the last bid is more likely false than any higher one of its own; else makes the
    likeliest higher bid. It takes the other's last bid for half a hint: one die more of that
    face."""

    def choose(self, position: LiarsDicePosition, ctx: AgentContext) -> tuple[int, int] | None:
        left = position.bids_left()
        if not position.bids:
            # Open with what is good for one more than the own dice show, which says little.
            return max(left, key=lambda bid: (_likelihood(position, bid) > 0.6, bid))
        last = position.bids[-1]
        false = 1 - _likelihood(position, last, hinted=last[1])
        if not left:
            return None
        best = max(left, key=lambda bid: (_likelihood(position, bid, hinted=last[1]), bid))
        return best if _likelihood(position, best, hinted=last[1]) > false else None


def count(position: LiarsDicePosition, face: int) -> int:
    """How many of the own dice count for a face."""
    return sum(1 for die in position.dice[0] if die in (face, WILD))


def _likelihood(
    position: LiarsDicePosition, bid: tuple[int, int], hinted: int | None = None
) -> float:
    """How likely a bid is true, when the other's dice are unknown but for the hinted face."""
    quantity, face = bid
    unseen = len(position.dice[1])
    wanted = quantity - count(position, face)
    if hinted == face and face != WILD:
        return chance_of_at_least(wanted - 1, unseen - 1, face)
    return chance_of_at_least(wanted, unseen, face)
