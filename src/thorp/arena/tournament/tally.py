"""Totals of a tournament: each entrant's duels, scores, and invalid or failed actions.

A match is counted as duels: everyone at the table against everyone else; the higher score wins. At a
table of two a match is one duel; at a table of `n` each entrant has `n - 1`. A duel won is worth 3 points,
a draw 1. An aborted match counts for nobody's score; what its agents did in it counts towards their rates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import msgspec

from thorp.arena.tournament.outcome import Outcome

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
        """Count one duel by the difference of its scores."""
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
        """Count one match."""
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
