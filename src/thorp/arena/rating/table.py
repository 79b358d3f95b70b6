"""Everything that a table says about a field of agents, computed from the set of their results."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec
import numpy as np

from thorp.arena.rating.bradley_terry import Model, Rating
from thorp.arena.rating.cycles import Cycles, find_cycles
from thorp.arena.rating.margins import Margins, make_margins
from thorp.arena.rating.results import Duels, Result, make_duels
from thorp.arena.rating.tiers import make_tiers
from thorp.arena.rating.variance import Shares, divide_variance
from thorp.kernel.numbers import whole

DECIMALS: Final = 4  # What is shown of a number; the arithmetic is the same on every machine.
MAX_COPIED: Final = 40
"""The largest field for which every agent's copy is tried: each takes a fit of its own."""


class RatedAgent(msgspec.Struct, frozen=True, kw_only=True):
    """One agent's row: its rating with bounds, its tier, the best and worst rank
    that its interval allows, and whether it is told apart from all others.

    `copy_shift` is how far the rating moves, at most, if one of the field were entered twice; the
    tier would not move. `group` counts from 1 the groups of agents between which nobody met
    anybody: ratings of different groups cannot be compared.
    """

    id: str
    rank: int
    rating: float
    low: float | None
    high: float | None
    tier: int
    best: int
    worst: int
    provisional: bool
    copy_shift: float | None
    group: int
    games: int
    deals: int
    met: int


class Field(NamedTuple):
    """All agents, the best first; the circles among them; and where outcomes come from."""

    agents: list[RatedAgent]
    cycles: list[tuple[list[str], float]]
    cyclic_share: float
    variance: Shares | None


def rate_all(
    results: Iterable[Result],
    agents: Sequence[str] = (),
    *,
    shared: frozenset[str] = frozenset(),
) -> Field:
    """Rate agents by all their results. In the games named by `shared` nobody plays against
    anybody: scores on the same deal are compared."""
    results = list(results)
    duels = make_duels(results, agents, shared)
    margins = make_margins(duels)
    cycles = find_cycles(margins)
    model = Model(duels)
    rows = _rows(duels, margins, model, _matches(duels, results))
    ids = duels.agents
    return Field(
        rows,
        _named(ids, cycles),
        rounded(cycles.share),
        _rounded_shares(divide_variance(duels)),
    )


def _rows(duels: Duels, margins: Margins, model: Model, matches: Sequence[int]) -> list[RatedAgent]:
    count = len(duels.agents)
    ratings = model.rate()
    tiers = _tiers(margins)
    groups = _groups(duels)
    shifts = _copy_shifts(model, ratings)
    values = [rounded(rating.value) for rating in ratings]
    lows = [None if rating.low is None else rounded(rating.low) for rating in ratings]
    highs = [None if rating.high is None else rounded(rating.high) for rating in ratings]
    order = sorted(range(count), key=lambda agent: (-values[agent], agent))
    bounds = [_rank_range(agent, order, lows, highs) for agent in range(count)]
    rows: list[RatedAgent] = []
    for place, agent in enumerate(order):
        tied = place > 0 and values[order[place - 1]] == values[agent]
        best, worst = bounds[agent]
        rows.append(
            RatedAgent(
                id=duels.agents[agent],
                rank=rows[-1].rank if tied else place + 1,
                rating=values[agent],
                low=lows[agent],
                high=highs[agent],
                tier=tiers[agent],
                best=best,
                worst=worst,
                provisional=best != worst,
                copy_shift=shifts[agent],
                group=groups[agent],
                games=matches[agent],
                deals=ratings[agent].deals,
                met=margins.met[agent],
            )
        )
    return rows


def _tiers(margins: Margins) -> list[int]:
    tier_of = {
        agent: number
        for number, tier in enumerate(make_tiers(margins.won), start=1)
        for agent in tier
    }
    return [tier_of[agent] for agent in range(len(margins.met))]


def _rank_range(
    agent: int, order: Sequence[int], lows: list[float | None], highs: list[float | None]
) -> tuple[int, int]:
    """The best and the worst rank that an agent may have: those whose interval lies wholly above
    are ahead, those whose interval lies wholly below are behind."""
    low = lows[agent]
    high = highs[agent]
    if low is None or high is None:
        return 1, len(order)
    ahead = 0
    behind = 0
    for other in order:
        other_low = lows[other]
        other_high = highs[other]
        if other_low is not None and other_low > high:
            ahead += 1
        if other_high is not None and other_high < low:
            behind += 1
    return 1 + ahead, len(order) - behind


def _copy_shifts(model: Model, ratings: Sequence[Rating]) -> list[float | None]:
    """How far each rating moves at most if one agent of the field is entered twice."""
    count = len(ratings)
    if count > MAX_COPIED:
        return [None] * count
    furthest = [0.0] * count
    for copied in range(count):
        for agent, moved in enumerate(model.rate_with_copy(copied)):
            furthest[agent] = max(furthest[agent], abs(moved - ratings[agent].value))
    return [rounded(shift) for shift in furthest]


def _groups(duels: Duels) -> list[int]:
    """The number of each agent's group: agents are in one group if a chain of duels joins them."""
    count = len(duels.agents)
    group = list(range(count))

    def root(agent: int) -> int:
        while group[agent] != agent:
            agent = group[agent]
        return agent

    for pair in np.unique(duels.of_pairs()).tolist():
        first, second = (root(agent) for agent in divmod(pair, count))
        group[max(first, second)] = min(first, second)
    roots = [root(agent) for agent in range(count)]
    numbers = {agent: number for number, agent in enumerate(sorted({*roots}), start=1)}
    return [numbers[agent] for agent in roots]


def _matches(duels: Duels, results: Iterable[Result]) -> list[int]:
    """How many matches each agent has played."""
    played = dict.fromkeys(duels.agents, 0)
    for result in results:
        for id in dict.fromkeys(result.agents):
            played[id] += 1
    return list(played.values())


def _named(ids: Sequence[str], cycles: Cycles) -> list[tuple[list[str], float]]:
    return [
        ([ids[agent] for agent in cycle.agents], rounded(cycle.margin / 1000))
        for cycle in cycles.named
    ]


def _rounded_shares(shares: Shares | None) -> Shares | None:
    return None if shares is None else Shares(*map(rounded, shares))


def rounded(value: float) -> float:
    """A number as it is shown."""
    return whole(round(value, DECIMALS))
