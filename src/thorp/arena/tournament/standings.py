"""Computes the standings: each entrant's totals, who is ahead of whom, and why; by duels, or by
mean score.

`docs/tournaments.md` explains the points, the chain of tie-breaks, the ratings and the score table.
The order is total; `decided_by` names the measure that put an entrant below the one before it.
Ratings and tiers are those of `thorp.arena.rating`, and depend on the set of results alone. The
interval of the win rate assumes independent duels; against few or deterministic opponents it is too
narrow.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, permutations
from typing import Any

import msgspec

from thorp.arena.rating.bradley_terry import rate as rate_duels
from thorp.arena.rating.margins import make_margins
from thorp.arena.rating.results import Result, make_duels
from thorp.arena.rating.statistics import Z_95, half_width, mean
from thorp.arena.rating.tiers import make_tiers
from thorp.arena.tournament.outcome import Outcome
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.identity import digest
from thorp.kernel.numbers import whole

DECIMALS = 4  # In ratings.

POINTS_FOR_WIN = 3
POINTS_FOR_DRAW = 1

_Chain = dict[str, Callable[[str, Sequence[str]], float]]
"""Measures by name, in the order in which they decide. Each is a function of an entrant and of
those that it is tied with; the higher value is ahead."""


# Ratings


class Interval(msgspec.Struct, frozen=True):
    """A value, and the bounds between which it lies with 95 % probability."""

    value: float
    low: float
    high: float


class Rating(msgspec.Struct, frozen=True):
    """A rating in points with the bounds of its 95 % interval, which are None for a single deal;
    and the tier, which copies of entrants cannot move."""

    value: float
    low: float | None
    high: float | None
    tier: int


def rate(ids: Sequence[str], outcomes: Iterable[Outcome]) -> dict[str, Rating]:
    """The rating and tier of every entrant after these outcomes, in whatever order they come.
    Matches of one seed are one deal."""
    results = [
        Result("", str(outcome.seed), outcome.seats, outcome.scores)
        for outcome in outcomes
        if outcome.scores is not None
    ]
    duels = make_duels(results, ids)
    tiers = enumerate(make_tiers(make_margins(duels).won), start=1)
    tier_of = {agent: number for number, tier in tiers for agent in tier}
    return {
        id: Rating(
            rounded(rating.value, DECIMALS),
            None if rating.low is None else rounded(rating.low, DECIMALS),
            None if rating.high is None else rounded(rating.high, DECIMALS),
            tier_of[agent],
        )
        for agent, (id, rating) in enumerate(zip(duels.agents, rate_duels(duels), strict=True))
    }


def rounded(value: float, decimals: int = 6) -> float:
    """Round a total, a mean or a rate, to the decimals that are compared and shown."""
    return whole(round(value, decimals))


# Standings


class Duels(msgspec.Struct):
    """Duels won, drawn and lost, from one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def points(self) -> int:
        """Points for these duels; a duel lost gives none."""
        return POINTS_FOR_WIN * self.wins + POINTS_FOR_DRAW * self.draws

    @property
    def played(self) -> int:
        return self.wins + self.draws + self.losses

    def add(self, difference: float) -> None:
        """Count a duel that ended with this difference: own score less the opponent's."""
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


class Tally:
    """The totals of every entrant. Sums of fractions depend on the order of the outcomes: give
    them in schedule order."""

    def __init__(self, ids: Sequence[str], outcomes: Iterable[Outcome] = ()) -> None:
        self.totals = {id: EntrantTotals() for id in ids}
        self.matches = 0
        self.aborted: list[str] = []
        for outcome in outcomes:
            self.add(outcome)

    def add(self, outcome: Outcome) -> None:
        """Count a match: a duel between every two of its seats, or for all of them an abort."""
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
        seated = zip(outcome.seats, outcome.scores, strict=True)
        for (id, score), (opponent, other_score) in permutations(seated, 2):
            totals = self.totals[id]
            difference = score - other_score
            totals.difference += difference
            totals.duels.add(difference)
            totals.against.setdefault(opponent, Duels()).add(difference)


class StandingsRow(msgspec.Struct, frozen=True, kw_only=True):
    """The columns that every table has, for one entrant. Its rates are the share of its actions
    that were refused, and the share of its turns in which it failed to act."""

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


class Standing(StandingsRow, frozen=True, kw_only=True):
    """One row of a table of duels; `rating` is None before the tournament's end."""

    points: int
    wins: int
    draws: int
    losses: int
    difference: float
    score: float
    win_rate: Interval
    rating: Rating | None


def make_standings(
    tally: Tally, seed: int, ratings: dict[str, Rating] | None = None
) -> list[Standing]:
    """Rank entrants by points; ties by head-to-head, score difference, score, and a draw."""
    all_totals = tally.totals
    none = Duels()
    chain: _Chain = {
        "points": lambda id, _: all_totals[id].duels.points,
        "head-to-head": lambda id, tied: sum(
            all_totals[id].against.get(rival, none).points for rival in tied
        ),
        "score difference": lambda id, _: rounded(all_totals[id].difference),
        "score": lambda id, _: rounded(all_totals[id].score),
    }
    return [
        Standing(
            **common,
            **msgspec.structs.asdict(totals.duels),
            points=totals.duels.points,
            difference=rounded(totals.difference),
            score=rounded(totals.score),
            win_rate=win_rate(totals.duels),
            rating=None if ratings is None else ratings[common["id"]],
        )
        for common, totals in _rows(tally, chain, seed)
    ]


def win_rate(duels: Duels) -> Interval:
    """The share of duels won, with its interval; 0 to 1 if none was played."""
    if duels.played == 0:
        return Interval(0, 0, 1)
    return share_interval((duels.wins + duels.draws / 2) / duels.played, duels.played)


def share_interval(share: float, count: int) -> Interval:
    """A mean of `count` values from 0 to 1, with Wilson's interval. It is exact for values of 0 or
    1, and a little too wide for those between."""
    spread = Z_95 * Z_95 / count
    middle = (share + spread / 2) / (1 + spread)
    reach = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return Interval(rounded(share, 4), rounded(middle - reach, 4), rounded(middle + reach, 4))


# The order


def _rows(tally: Tally, chain: _Chain, seed: int) -> Iterator[tuple[dict[str, Any], EntrantTotals]]:
    """Yield the fields of each entrant's `Row`, with its totals: ordered by the chain, and among
    those still tied by conduct."""
    conduct: _Chain = {
        "fewer errors": lambda id, _: -tally.totals[id].errors,
        "fewer invalid": lambda id, _: -tally.totals[id].invalid,
    }
    order = _ranked(list(tally.totals), [*chain.items(), *conduct.items()], seed)
    for rank, (id, decided_by) in enumerate(order, start=1):
        totals = tally.totals[id]
        counts = {
            name: getattr(totals, name)
            for name in ("matches", "valid", "invalid", "errors", "aborted")
        }
        acted = totals.valid + totals.invalid
        invalid_rate = totals.invalid / max(1, acted)
        error_rate = totals.errors / max(1, acted + totals.errors)
        rates = {"invalid_rate": rounded(invalid_rate), "error_rate": rounded(error_rate)}
        yield {"rank": rank, "id": id, "decided_by": decided_by, **counts, **rates}, totals


def _ranked(
    tied: list[str], chain: list[tuple[str, Any]], seed: int, decided_by: str | None = None
) -> Iterator[tuple[str, str | None]]:
    """Order tied entrants by a chain of measures, and those still tied after it by `coin`. Each
    comes with the measure that put it below the entrant before it, for the first `decided_by`."""
    if len(tied) == 1 or not chain:
        for id in sorted(tied, key=lambda id: coin(seed, id)):
            yield id, decided_by
            decided_by = "coin"
        return
    (name, measure), *rest = chain
    values = {id: measure(id, tied) for id in tied}
    ordered = sorted(tied, key=lambda id: -values[id])
    parts = [list(part) for _, part in groupby(ordered, values.__getitem__)]
    # Head-to-head counts only duels among the tied, so in a smaller group it may decide again.
    again = name == "head-to-head" and len(parts) > 1
    for part in parts:
        yield from _ranked(part, chain if again else rest, seed, decided_by)
        decided_by = name


def coin(seed: int, id: str) -> str:
    """Draw lots, the last tie-break: the entrant with the smaller digest is ahead. Everyone can
    draw the same lot again from the seed."""
    return digest(canonical_bytes(["coin", seed, id]))


# The score table, for scenarios without duels


class MeanScore(msgspec.Struct, frozen=True):
    """The mean over all complete rounds, None if there are none; with bounds from two rounds on."""

    value: float | None
    low: float | None
    high: float | None


class ScoreStanding(StandingsRow, frozen=True, kw_only=True):
    """One row of a score table; `rounds` is the number of rounds in the mean."""

    mean: MeanScore
    rounds: int


def make_score_table(
    tally: Tally, outcomes: Iterable[Outcome], seed: int, matches_a_round: int
) -> list[ScoreStanding]:
    """Rank entrants by their mean score over the rounds."""
    rounds = _round_means(list(tally.totals), outcomes, matches_a_round)
    means = {
        id: _mean_score([means[id] for means in rounds], _deviations(id, rounds))
        for id in tally.totals
    }
    by_score: _Chain = {"score": lambda id, _: means[id].value or 0}
    return [
        ScoreStanding(**common, mean=means[common["id"]], rounds=len(rounds))
        for common, _ in _rows(tally, by_score, seed)
    ]


def _round_means(
    ids: Sequence[str], outcomes: Iterable[Outcome], matches: int
) -> list[dict[str, float]]:
    """Each entrant's mean score in every complete round: one in which all `matches` were played."""
    played: Counter[str] = Counter()
    scores: dict[str, dict[str, list[float]]] = {}
    for outcome in outcomes:
        if outcome.scores is not None:
            name = outcome.key.partition("-")[0]
            played[name] += 1
            everyone = scores.setdefault(name, {id: [] for id in ids})
            for id, score in zip(outcome.seats, outcome.scores, strict=True):
                everyone[id].append(score)
    complete = (everyone for name, everyone in scores.items() if played[name] == matches)
    return [{id: mean(own) for id, own in everyone.items()} for everyone in complete]


def _deviations(id: str, rounds: Sequence[dict[str, float]]) -> list[float]:
    """An entrant's score less the mean of all, by round; for a single entrant the score itself."""
    return [means[id] - (mean(list(means.values())) if len(means) > 1 else 0) for means in rounds]


def _mean_score(scores: list[float], deviations: list[float]) -> MeanScore:
    """The mean of an entrant's scores. Its bounds come from the deviations, because a round that is
    easy for everyone says nothing about who is better."""
    if not scores:
        return MeanScore(None, None, None)
    value = mean(scores)
    half = half_width(deviations)
    if half is None:
        return MeanScore(rounded(value), None, None)
    return MeanScore(rounded(value), rounded(value - half), rounded(value + half))
