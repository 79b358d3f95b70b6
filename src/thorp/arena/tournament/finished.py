"""A finished tournament: everything that follows from its plan and its outcomes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.plan import Plan
from thorp.arena.tournament.ratings import rate
from thorp.arena.tournament.report import make_report
from thorp.arena.tournament.standings import make_standings
from thorp.arena.tournament.tally import Tally
from thorp.kernel.canonical import canonical_bytes


class Finished:
    """The sums and the table, with ratings, of all outcomes, which must be in schedule order."""

    def __init__(self, plan: Plan, outcomes: Sequence[Outcome]) -> None:
        self.plan = plan
        self.outcomes = outcomes
        self.tally = Tally(plan.ids, outcomes)
        self.standings = make_standings(self.tally, plan.seed, rate(plan.ids, outcomes))

    def to_bytes(self) -> bytes:
        """What `standings.json` holds."""
        value = {
            "matches": self.tally.matches,
            "aborted": self.tally.aborted,
            "standings": msgspec.to_builtins(self.standings),
        }
        return canonical_bytes(value) + b"\n"

    def report(self) -> bytes:
        """What `report.html` holds."""
        return make_report(self.plan, self.standings, self.tally, self.outcomes)
