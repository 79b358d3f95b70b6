"""Mean scores over common deals, for games of a single seat and games that are won together.

The bounds come from an agent's deviations from the mean of all on the same deal, because a deal
that is easy for everyone says nothing about who is better: the intervals of two agents part where
the paired t-test tells them apart. A deal that an agent has not played counts as the worst score.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from thorp.arena.rating.results import Result
from thorp.arena.rating.statistics import half_width, mean


class MeanScore(msgspec.Struct, frozen=True):
    """A mean score: None if there is no deal; with bounds from two deals on. `missing` deals of all
    were not played, and counted as the worst."""

    value: float | None
    low: float | None
    high: float | None
    deals: int = 0
    missing: int = 0


def mean_scores(
    results: Iterable[Result], agents: Sequence[str], worst: float
) -> dict[str, MeanScore]:
    """The mean score of each agent over all deals of one game."""
    by_deal: dict[str, dict[str, list[float]]] = {}
    for result in results:
        deal = by_deal.setdefault(result.deal, {})
        for id, score in zip(result.agents, result.scores, strict=True):
            deal.setdefault(id, []).append(score)
    deals = [by_deal[name] for name in sorted(by_deal)]
    complete = [
        {id: mean(scores[id]) if id in scores else worst for id in agents} for scores in deals
    ]
    deviations = deviations_from_mean(agents, complete)
    means = {}
    for id in agents:
        played = sum(id in scores for scores in deals)
        half = half_width(deviations[id])
        value = mean([scores[id] for scores in complete]) if complete else None
        bounds = (None, None) if value is None or half is None else (value - half, value + half)
        means[id] = MeanScore(
            value=value,
            low=bounds[0],
            high=bounds[1],
            deals=played,
            missing=len(deals) - played,
        )
    return means


def deviations_from_mean(
    agents: Sequence[str], deals: Sequence[Mapping[str, float]]
) -> dict[str, list[float]]:
    """Each agent's score less the mean of all, deal by deal; of a single agent the score itself."""
    middles = [mean([scores[id] for id in agents]) if len(agents) > 1 else 0.0 for scores in deals]
    return {
        id: [scores[id] - middle for scores, middle in zip(deals, middles, strict=True)]
        for id in agents
    }
