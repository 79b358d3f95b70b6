"""The score table, for scenarios without duels: those with one seat, and those whose seats share one score.

`docs/tournaments.md` tells how entrants are ranked, and why the interval is Student's t over rounds. It is
12.7 standard errors wide with two rounds; a single entrant has the plain t-interval of its scores.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.standings import Z_95, Row, Tally, coin, rounded, row_fields

_DECIDES = ("score", "fewer errors", "fewer invalid", "coin")

_T_95 = (
    *(12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281),
    *(2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860),
    *(2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423),
)
"""Student's t for 95 %, two-sided, by degrees of freedom from 1."""


class MeanScore(msgspec.Struct, frozen=True):
    """The mean over all counted rounds, None if there are none; bounds from two rounds on."""

    value: float | None
    low: float | None
    high: float | None


class ScoreStanding(Row, frozen=True, kw_only=True):
    """One row of the table; `rounds` is over how many common seeds the mean was taken."""

    mean: MeanScore
    rounds: int


def make_score_table(
    tally: Tally, outcomes: Iterable[Outcome], seed: int, matches_a_round: int
) -> list[ScoreStanding]:
    ids = list(tally.totals)
    rounds = _round_means(ids, outcomes, matches_a_round)
    means = {id: _mean_score([means[id] for means in rounds], _deviations(id, rounds)) for id in ids}
    keys = {
        id: (-(means[id].value or 0), tally.totals[id].errors, tally.totals[id].invalid, coin(seed, id))
        for id in ids
    }
    table: list[ScoreStanding] = []
    for rank, id in enumerate(sorted(ids, key=keys.__getitem__), start=1):
        decided_by = None
        if table:
            pairs = zip(_DECIDES, keys[table[-1].id], keys[id], strict=True)
            decided_by = next(name for name, above, own in pairs if above != own)
        fields = row_fields(rank, id, decided_by, tally.totals[id])
        table.append(ScoreStanding(**fields, mean=means[id], rounds=len(rounds)))
    return table


def _round_means(
    ids: Sequence[str], outcomes: Iterable[Outcome], matches_a_round: int
) -> list[dict[str, float]]:
    """Each entrant's mean score in every complete round."""
    played: Counter[str] = Counter()
    scores: dict[str, dict[str, list[float]]] = {}
    for outcome in outcomes:
        if outcome.scores is not None:
            name = outcome.key.partition("-")[0]
            played[name] += 1
            everyone = scores.setdefault(name, {id: [] for id in ids})
            for id, score in zip(outcome.seats, outcome.scores, strict=True):
                everyone[id].append(score)
    return [
        {id: _mean(own) for id, own in everyone.items()}
        for name, everyone in scores.items()
        if played[name] == matches_a_round
    ]


def _deviations(id: str, rounds: Sequence[dict[str, float]]) -> list[float]:
    """An entrant's score less the mean of all, by round; for a single entrant the score itself."""
    return [means[id] - (_mean(list(means.values())) if len(means) > 1 else 0) for means in rounds]


def _mean_score(scores: list[float], deviations: list[float]) -> MeanScore:
    if not scores:
        return MeanScore(None, None, None)
    value, count = _mean(scores), len(scores)
    if count < 2:
        return MeanScore(rounded(value), None, None)
    middle = _mean(deviations)
    variance = math.fsum((each - middle) ** 2 for each in deviations) / (count - 1)
    reach = _t_95(count - 1) * math.sqrt(variance / count)
    return MeanScore(rounded(value), rounded(value - reach), rounded(value + reach))


def _t_95(freedom: int) -> float:
    if freedom <= len(_T_95):
        return _T_95[freedom - 1]
    z = Z_95  # the first terms of Cornish and Fisher, exact to four digits from here on
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
