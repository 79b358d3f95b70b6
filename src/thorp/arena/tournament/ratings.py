"""Ratings with 95 % intervals.

The rating is openskill's Plackett-Luce model: a skill `mu` (everyone starts at 25) and its uncertainty
`sigma`, updated match by match. The result depends on the order of the updates, so matches are taken in
schedule order, never in the order of completion. The model gives the interval.

Numbers are rounded, because the last bit of `exp` differs between machines.
"""

from collections.abc import Iterable, Sequence

import msgspec
from openskill.models import PlackettLuce

from thorp.arena.tournament.outcome import Outcome
from thorp.kernel.numbers import whole

Z_95 = 1.959963984540054
"""95 % of a normal distribution lies within this many standard deviations of the mean."""

DECIMALS = 4
"""Of ratings."""


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


def _rating(mu: float, sigma: float) -> Rating:
    reach = Z_95 * sigma
    return Rating(*(rounded(value, DECIMALS) for value in (mu, mu - reach, mu + reach, sigma)))


def rounded(value: float, decimals: int = 6) -> float:
    """Round a total, a mean or a rate, to the decimals that are compared and shown."""
    return whole(round(value, decimals))
