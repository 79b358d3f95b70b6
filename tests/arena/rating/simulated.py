"""Simulated fields: agents of known strength, luck that the two seatings of a deal share."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from thorp.arena.rating import Result

POINTS = 400 / math.log(10)


def fixtures(
    strengths: Sequence[float],
    deals: int,
    seed: int,
    *,
    game: str = "g",
    seat: float = 0.0,
    luck: float = 0.0,
) -> list[Result]:
    """Mirrored fixtures between all agents, `a00`, `a01` and so on, with strengths in points.

    `seat` is the advantage of the first seat in log odds, and `luck` the deviation of what a deal
    gives the agent that comes first by id, in both seatings.
    """
    rng = random.Random(seed)
    results = []
    for deal in range(deals):
        for one in range(len(strengths)):
            for other in range(one + 1, len(strengths)):
                gift = rng.gauss(0, luck) if luck else 0.0
                for first, second, given in ((one, other, gift), (other, one, -gift)):
                    odds = (strengths[first] - strengths[second]) / POINTS + seat + given
                    won = rng.random() < 1 / (1 + math.exp(-odds))
                    scores = (1.0, 0.0) if won else (0.0, 1.0)
                    agents = (f"a{first:02}", f"a{second:02}")
                    results.append(Result(game, f"{deal}:{one}:{other}", agents, scores))
    return results


def copies(results: Sequence[Result], agent: str, names: Sequence[str]) -> list[Result]:
    """The same results, and each match of `agent` once more under every one of these names."""
    more = [
        Result(
            result.game,
            f"{result.deal}:{name}",
            tuple(name if id == agent else id for id in result.agents),
            result.scores,
        )
        for result in results
        for name in names
        if agent in result.agents
    ]
    return [*results, *more]
