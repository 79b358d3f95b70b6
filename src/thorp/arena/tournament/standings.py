"""The standings: who is ahead of whom, and why.

Entrants are ordered by points. Ties are broken by the next measure of this chain, remaining ties by the one
after it, and so on:

    points              3 for a duel won, 1 for a draw
    head-to-head        points from the duels among the tied entrants only; where that breaks only part of
                        the tie, it is applied again among those still tied
    score difference    own score less the opponent's, over all duels
    score               the sum of own scores
    fewer errors        times the agent failed to act
    fewer invalid       actions that were refused
    coin                the SHA-256 of the tournament's seed and the id: unpredictable without the seed,
                        and the same every time

so the order is total. `decided_by` says which measure put an entrant below the one before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

import msgspec

from thorp.arena.tournament.ratings import Interval, Rating, win_rate
from thorp.arena.tournament.tally import Duels, EntrantTotals, Tally
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.identity import digest
from thorp.kernel.numbers import whole

DECIMALS = 6
"""To how many decimals totals of fractional scores are compared and shown, and rates are given."""


class Standing(msgspec.Struct, frozen=True):
    """One row of the table. Rates are shares from 0 to 1; `rating` is None before the tournament's end."""

    rank: int
    id: str
    points: int
    matches: int
    wins: int
    draws: int
    losses: int
    difference: float
    score: float
    decided_by: str | None
    invalid_rate: float
    error_rate: float
    valid: int
    invalid: int
    errors: int
    aborted: int
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
    """The table of a tally, best first."""
    order = _Order(tally, seed)
    order.place(list(tally.totals), 0)
    return [
        _row(rank, id, decided_by, tally.totals[id], None if ratings is None else ratings[id])
        for rank, (id, decided_by) in enumerate(order.placed, start=1)
    ]


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


def _row(
    rank: int, id: str, decided_by: str | None, totals: EntrantTotals, rating: Rating | None
) -> Standing:
    return Standing(
        rank=rank,
        id=id,
        points=totals.duels.points,
        matches=totals.matches,
        wins=totals.duels.wins,
        draws=totals.duels.draws,
        losses=totals.duels.losses,
        difference=rounded(totals.difference),
        score=rounded(totals.score),
        decided_by=decided_by,
        invalid_rate=rounded(totals.invalid_rate),
        error_rate=rounded(totals.error_rate),
        valid=totals.valid,
        invalid=totals.invalid,
        errors=totals.errors,
        aborted=totals.aborted,
        win_rate=win_rate(totals.duels),
        rating=rating,
    )


def coin(seed: int, id: str) -> str:
    """The last tie-break."""
    return digest(canonical_bytes(["coin", seed, id]))


def rounded(value: float) -> float:
    """Round a total or rate to DECIMALS."""
    return whole(round(value, DECIMALS))
