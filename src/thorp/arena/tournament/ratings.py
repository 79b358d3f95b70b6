"""Ratings and win rates with 95 % intervals.

The rating is openskill's Plackett-Luce model: a skill `mu` (everyone starts at 25) and its uncertainty
`sigma`, updated match by match. The result depends on the order of the updates, so matches are taken in
schedule order, never in the order of completion. The model gives the interval.

The win rate is the share of duels won, a draw counting half, with Wilson's 95 % interval. That assumes
independent duels; against few or deterministic opponents the interval is too narrow.

Numbers are rounded, because the last bit of `exp` differs between machines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
from openskill.models import PlackettLuce

from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.tally import Duels
from thorp.kernel.numbers import whole

Z_95 = 1.959963984540054
"""95 % of a normal distribution lies within this many standard deviations of the mean."""

DECIMALS = 4


class Interval(msgspec.Struct, frozen=True):
    """A value and the bounds it lies in with 95 % probability."""

    value: float
    low: float
    high: float


class Rating(Interval, frozen=True):
    """A skill: `value` is mu, and `sigma` is what the bounds come from."""

    sigma: float


def rate(ids: Sequence[str], outcomes: Iterable[Outcome]) -> dict[str, Rating]:
    """The rating of every entrant after these outcomes, which must be in schedule order."""
    model = PlackettLuce()
    skills = {id: model.rating() for id in ids}
    for outcome in outcomes:
        if outcome.scores is None:
            continue
        ranks = [float(sum(other > score for other in outcome.scores)) for score in outcome.scores]
        teams = model.rate([[skills[id]] for id in outcome.seats], ranks=ranks)
        skills.update((id, team[0]) for id, team in zip(outcome.seats, teams, strict=True))
    return {id: _rating(skill.mu, skill.sigma) for id, skill in skills.items()}


def win_rate(duels: Duels) -> Interval:
    """The share of duels won, with Wilson's interval; 0 to 1 if none was played."""
    if duels.played == 0:
        return Interval(0, 0, 1)
    share = (duels.wins + duels.draws / 2) / duels.played
    spread = Z_95 * Z_95 / duels.played
    middle = (share + spread / 2) / (1 + spread)
    reach = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return Interval(_rounded(share), _rounded(middle - reach), _rounded(middle + reach))


def _rating(mu: float, sigma: float) -> Rating:
    reach = Z_95 * sigma
    return Rating(_rounded(mu), _rounded(mu - reach), _rounded(mu + reach), _rounded(sigma))


def _rounded(value: float) -> float:
    return whole(round(value, DECIMALS))
