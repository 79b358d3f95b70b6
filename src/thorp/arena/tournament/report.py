"""A finished tournament: its table, and its report for people.

The report is one HTML file that fetches nothing: the script from `web/` draws it from data in the
file. The same outcomes give the same bytes.
"""

from collections.abc import Sequence

import msgspec

from thorp import __version__
from thorp.arena.tournament import standings
from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.plan import STANDINGS_VERSION, Plan
from thorp.arena.tournament.schedule import count_matches
from thorp.arena.tournament.standings import ScoreStanding, Standing, Tally
from thorp.kernel.canonical import Json, canonical_bytes, canonical_text, insertion_bytes
from thorp.kernel.text import make_label
from thorp.pages.standalone import single_page

MAX_CROSS_ENTRANTS = 50  # The most entrants in a cross table; a larger one is unreadable.
MAX_LISTED_MATCHES = 2000  # The most matches listed; all of them are in results.jsonl.


def make_table(
    plan: Plan, tally: Tally, outcomes: Sequence[Outcome], *, rated: bool
) -> list[Standing] | list[ScoreStanding]:
    """Make the table of a plan's ranking, with ratings if it shall be rated."""
    if plan.ranking == "score":
        matches_a_round = count_matches(len(plan.ids), 1, plan.table)
        return standings.make_score_table(tally, outcomes, plan.seed, matches_a_round)
    return standings.make_standings(
        tally, plan.seed, standings.rate(plan.ids, outcomes) if rated else None
    )


class _OldRow(msgspec.Struct):
    rating: dict[str, float] | None = None


class _FirstFormat(msgspec.Struct):
    """What is read of a `standings.json` with openskill's ratings."""

    standings: list[_OldRow]


class FinishedTournament:
    """All outcomes, which must be in schedule order, with their totals and their table."""

    def __init__(self, plan: Plan, outcomes: Sequence[Outcome]) -> None:
        self.plan = plan
        self.outcomes = outcomes
        self.tally = Tally(plan.ids, outcomes)
        self.standings = make_table(plan, self.tally, outcomes, rated=True)

    def to_bytes(self) -> bytes:
        """The content of `standings.json`."""
        return canonical_bytes({"format": STANDINGS_VERSION, **self._document()}) + b"\n"

    def is_followed_by(self, standings: bytes) -> bool:
        """Whether a `standings.json` of the first format follows from the outcomes. Its ratings are
        openskill's and are taken as they stand: what made them is not here any more."""
        try:
            rows = msgspec.json.decode(standings, type=_FirstFormat).standings
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return False
        document = self._document()
        for row, old in zip(document["standings"], rows, strict=False):
            if "rating" in row:
                row["rating"] = old.rating
        return canonical_bytes(document) + b"\n" == standings

    def _document(self) -> dict[str, Json]:
        return {
            "matches": self.tally.matches,
            "aborted": self.tally.aborted,
            "ranking": self.plan.ranking,
            "standings": msgspec.to_builtins(self.standings),
        }

    def report(self) -> bytes:
        """The content of `report.html`."""
        plan = self.plan
        listed = self.outcomes[:MAX_LISTED_MATCHES]
        has_cross = plan.ranking == "points" and len(plan.ids) <= MAX_CROSS_ENTRANTS
        held = {
            "id": "",
            "scenario": plan.scenario,
            "entrants": plan.ids,
            "seed": plan.seed,
            "rounds": plan.rounds,
            "ranking": plan.ranking,
            "total": len(self.outcomes),
            "played": len(listed),
            "finished": True,
            "logs": plan.logs,
            "when": "",
            "standings": self.standings,
            "cross": {id: totals.against for id, totals in self.tally.totals.items()}
            if has_cross
            else None,
            "outcomes": listed,
            "next": None,
            "aborted": self.tally.aborted[:MAX_LISTED_MATCHES],
            "given": self._given(),
        }
        return single_page(
            "A tournament of Thorp", report=insertion_bytes(msgspec.to_builtins(held))
        )

    def _given(self) -> list[tuple[str, str]]:
        """The inputs of the tournament, as names and values for people."""
        plan = self.plan
        facts: list[tuple[str, object]] = [
            ("scenario", plan.scenario),
            *((f"with {name}", canonical_text(value)) for name, value in plan.parameters.items()),
            ("seats at a table", plan.table),
            ("turns at most", plan.max_turns),
            ("seed", plan.seed),
            ("thorp", __version__),
            *((f"agent {entrant.id}", entrant.spec) for entrant in plan.entrants),
        ]
        return [(make_label(name), make_label(str(value), 200)) for name, value in facts]
