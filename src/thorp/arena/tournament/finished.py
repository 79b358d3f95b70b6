"""A finished tournament: tables and report, computed from its plan and outcomes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.plan import Plan
from thorp.arena.tournament.ratings import rate
from thorp.arena.tournament.report import make_report
from thorp.arena.tournament.schedule import count_matches
from thorp.arena.tournament.score_table import ScoreStanding, make_score_table
from thorp.arena.tournament.standings import Standing, make_standings
from thorp.arena.tournament.tally import Tally
from thorp.kernel.canonical import canonical_bytes


def make_table(
    plan: Plan, tally: Tally, outcomes: Sequence[Outcome], *, rated: bool
) -> list[Standing] | list[ScoreStanding]:
    """Make the table of a plan's ranking; ratings need the outcomes in schedule order."""
    if plan.ranking == "score":
        matches_a_round = count_matches(len(plan.ids), 1, plan.table)
        return make_score_table(tally, outcomes, plan.seed, matches_a_round)
    return make_standings(tally, plan.seed, rate(plan.ids, outcomes) if rated else None)


class FinishedTournament:
    """All outcomes, which must be in schedule order, with their totals and their table."""

    def __init__(self, plan: Plan, outcomes: Sequence[Outcome]) -> None:
        self.plan = plan
        self.outcomes = outcomes
        self.tally = Tally(plan.ids, outcomes)
        self.standings = make_table(plan, self.tally, outcomes, rated=True)

    def to_bytes(self) -> bytes:
        """The content of `standings.json`."""
        value = {
            "matches": self.tally.matches,
            "aborted": self.tally.aborted,
            "ranking": self.plan.ranking,
            "standings": msgspec.to_builtins(self.standings),
        }
        return canonical_bytes(value) + b"\n"

    def report(self) -> bytes:
        """The content of `report.html`."""
        return make_report(self.plan, self.standings, self.tally, self.outcomes)
