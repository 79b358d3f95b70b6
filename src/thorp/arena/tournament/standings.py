"""The standings: each entrant's totals, who is ahead of whom, and why.

`docs/tournaments.md` tells the points, the chain of tie-breaks and the ratings. The order is total;
`decided_by` says which measure put an entrant below the one before it. Ratings depend on the order of the
updates, so matches are taken in schedule order. Numbers are rounded, because the last bit of `exp` differs
between machines. The interval of the win rate assumes independent duels; against few or deterministic
opponents it is too narrow.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, groupby
from typing import Any

import msgspec
from openskill.models import PlackettLuce

from thorp.arena.tournament.outcome import Outcome
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.identity import digest
from thorp.kernel.numbers import whole

# Ratings

Z_95 = 1.959963984540054
"""95 % of a normal distribution lies within this many standard deviations of the mean."""

DECIMALS = 4  # Of ratings.


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


# Standings

POINTS_FOR_WIN = 3
POINTS_FOR_DRAW = 1


class Duels(msgspec.Struct):
    """Duels won, drawn and lost, from one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def points(self) -> int:
        return POINTS_FOR_WIN * self.wins + POINTS_FOR_DRAW * self.draws

    @property
    def played(self) -> int:
        return self.wins + self.draws + self.losses

    def add(self, difference: float) -> None:
        if difference > 0:
            self.wins += 1
        elif difference < 0:
            self.losses += 1
        else:
            self.draws += 1


class EntrantTotals(msgspec.Struct):
    """The totals of one entrant. `difference` is its score less its opponent's, over all duels."""

    duels: Duels = msgspec.field(default_factory=Duels)
    against: dict[str, Duels] = msgspec.field(default_factory=dict)
    matches: int = 0
    aborted: int = 0
    score: float = 0
    difference: float = 0
    valid: int = 0
    invalid: int = 0
    errors: int = 0

    @property
    def invalid_rate(self) -> float:
        """The share of its actions that were refused."""
        return self.invalid / max(1, self.valid + self.invalid)

    @property
    def error_rate(self) -> float:
        """The share of its turns in which it failed to act."""
        return self.errors / max(1, self.valid + self.invalid + self.errors)


class Tally:
    """Sums of every entrant. Fractions add up in the order the outcomes come: give them in schedule order."""

    def __init__(self, ids: Sequence[str], outcomes: Iterable[Outcome] = ()) -> None:
        self.totals = {id: EntrantTotals() for id in ids}
        self.matches = 0
        self.aborted: list[str] = []
        for outcome in outcomes:
            self.add(outcome)

    def add(self, outcome: Outcome) -> None:
        self.matches += 1
        for place, id in enumerate(outcome.seats):
            totals = self.totals[id]
            totals.valid += outcome.valid[place]
            totals.invalid += outcome.invalid[place]
            totals.errors += outcome.errors[place]
            if outcome.scores is None:
                totals.aborted += 1
            else:
                totals.matches += 1
                totals.score += outcome.scores[place]
        if outcome.scores is None:
            self.aborted.append(outcome.key)
            return
        for (one, score), (other, other_score) in combinations(
            zip(outcome.seats, outcome.scores, strict=True), 2
        ):
            self._add_duel(one, other, score - other_score)
            self._add_duel(other, one, other_score - score)

    def _add_duel(self, id: str, opponent: str, difference: float) -> None:
        totals = self.totals[id]
        totals.difference += difference
        totals.duels.add(difference)
        totals.against.setdefault(opponent, Duels()).add(difference)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What every table says of an entrant. Rates are shares from 0 to 1."""

    rank: int
    id: str
    matches: int
    decided_by: str | None
    invalid_rate: float
    error_rate: float
    valid: int
    invalid: int
    errors: int
    aborted: int


class Standing(Row, frozen=True, kw_only=True):
    """One row of a table of duels; `rating` is None before the tournament's end."""

    points: int
    wins: int
    draws: int
    losses: int
    difference: float
    score: float
    win_rate: Interval
    rating: Rating | None


_Measure = Callable[[EntrantTotals], float]

_MEASURES: dict[str, _Measure | None] = {
    "points": lambda totals: totals.duels.points,
    "head-to-head": None,
    "score difference": lambda totals: rounded(totals.difference),
    "score": lambda totals: rounded(totals.score),
    "fewer errors": lambda totals: -totals.errors,
    "fewer invalid": lambda totals: -totals.invalid,
}
"""The chain before the coin; the higher measure is ahead. Only head-to-head depends on who is tied."""

_CHAIN = tuple(_MEASURES)


def make_standings(tally: Tally, seed: int, ratings: dict[str, Rating] | None = None) -> list[Standing]:
    order = _Order(tally, seed)
    order.place(list(tally.totals), 0)
    table = []
    for rank, (id, decided_by) in enumerate(order.placed, start=1):
        totals = tally.totals[id]
        duels = totals.duels
        table.append(
            Standing(
                **row_fields(rank, id, decided_by, totals),
                points=duels.points,
                wins=duels.wins,
                draws=duels.draws,
                losses=duels.losses,
                difference=rounded(totals.difference),
                score=rounded(totals.score),
                win_rate=win_rate(duels),
                rating=None if ratings is None else ratings[id],
            )
        )
    return table


def row_fields(rank: int, id: str, decided_by: str | None, totals: EntrantTotals) -> dict[str, Any]:
    counts = {name: getattr(totals, name) for name in ("matches", "valid", "invalid", "errors", "aborted")}
    rates = {name: rounded(getattr(totals, name)) for name in ("invalid_rate", "error_rate")}
    return {"rank": rank, "id": id, "decided_by": decided_by, **counts, **rates}


def win_rate(duels: Duels) -> Interval:
    """The share of duels won, with its interval; 0 to 1 if none was played."""
    if duels.played == 0:
        return Interval(0, 0, 1)
    share = (duels.wins + duels.draws / 2) / duels.played
    spread = Z_95 * Z_95 / duels.played
    middle = (share + spread / 2) / (1 + spread)
    reach = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return Interval(rounded(share, 4), rounded(middle - reach, 4), rounded(middle + reach, 4))


class _Order:
    """Orders entrants, noting for each which measure put it below the one before."""

    def __init__(self, tally: Tally, seed: int) -> None:
        self.placed: list[tuple[str, str | None]] = []
        self._tally = tally
        self._seed = seed

    def place(self, tied: list[str], step: int, decided_by: str | None = None) -> None:
        """Order entrants that are tied in every measure before `step`; `decided_by` put them below the
        last."""
        if len(tied) == 1 or step == len(_CHAIN):
            for id in sorted(tied, key=lambda id: coin(self._seed, id)):
                self.placed.append((id, decided_by))
                decided_by = "coin"
            return
        name = _CHAIN[step]
        values = self._measure(name, tied)
        ordered = sorted(tied, key=lambda id: -values[id])
        parts = [list(part) for _, part in groupby(ordered, values.__getitem__)]
        again = name == "head-to-head" and len(parts) > 1
        for part in parts:
            self.place(part, step if again else step + 1, decided_by)
            decided_by = name

    def _measure(self, name: str, tied: Sequence[str]) -> dict[str, float]:
        measure = _MEASURES[name]
        if measure is not None:
            return {id: measure(self._tally.totals[id]) for id in tied}
        none = Duels()
        return {
            id: sum(self._tally.totals[id].against.get(opponent, none).points for opponent in tied)
            for id in tied
        }


def coin(seed: int, id: str) -> str:
    """The last tie-break."""
    return digest(canonical_bytes(["coin", seed, id]))
