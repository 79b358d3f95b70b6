"""A bot that expects the other to do what it has done most."""

from __future__ import annotations

from typing import Any

from thorp.arena import AgentConfig, AgentContext
from thorp_roshambo.scenario import BEATS


class Counter:
    """Plays the hand that beats the other's commonest one; draws between hands that are equally
    common."""

    def __init__(self, id: str) -> None:
        self.id = id

    def init(self, config: AgentConfig) -> None:
        """Nothing to prepare: everything it needs is in the observation."""

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        seen = observation["opponentHands"]
        most = max(seen.count(hand) for hand in BEATS)
        # All randomness comes from ctx.rng(), so that a match can be played again.
        common = [hand for hand in BEATS if seen.count(hand) == most]
        expected = common[int(ctx.rng() * len(common))]
        return {"hand": next(hand for hand in BEATS if BEATS[hand] == expected)}
