"""The results of runs: an agent's score by family and difficulty, and several agents side by side.

Intervals are Wilson's at 95 %. The rows of one task are alike, so an interval says how well this
suite knows an agent, not how the agent would do at tasks of another kind.
"""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from thorp.arena.tournament.standings import Interval, rounded, share_interval
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.errors import InvalidError
from thorp.models.recording import Spent
from thorp.tasks.plan import PlayerKind
from thorp.tasks.record import Family, Split

MAX_AGENTS = 200
"""The most runs in one table: more cannot be read."""


class RowScore(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent did in one row."""

    id: str
    task: str
    family: Family
    difficulty: int
    score: float
    turns: int
    valid: int
    invalid: int
    errors: int
    spent: Spent
    failure: str = ""
    """Why the row could not be scored, if it could not; it counts as 0."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent did in several rows. `legality` is the share of its turns whose action was
    taken."""

    rows: int
    score: Interval
    solved: int
    legality: float
    turns: int
    spent: Spent


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run."""

    suite: str
    suite_digest: str
    split: Split
    commitment: str
    agent: str
    kind: PlayerKind
    total: Summary
    families: dict[str, Summary]
    difficulties: dict[str, Summary]
    rows: tuple[RowScore, ...]
    dropped: tuple[str, ...] = ()
    """Fresh rows that the oracle failed: they count for nobody."""

    def without(self, dropped: Collection[str]) -> "Report":
        """The same run without the rows that the oracle failed."""
        kept = [row for row in self.rows if row.id not in dropped]
        if not kept:
            raise InvalidError("the oracle solves none of these rows; draw others", code="oracle")
        return msgspec.structs.replace(self._of(kept), dropped=tuple(sorted(dropped)))

    def only(self, wanted: Collection[str]) -> "Report":
        """The same run, of some of its rows."""
        return self._of([row for row in self.rows if row.id in wanted])

    def _of(self, rows: Sequence[RowScore]) -> "Report":
        return make_report(
            suite=self.suite,
            suite_digest=self.suite_digest,
            split=self.split,
            commitment=self.commitment,
            agent=self.agent,
            kind=self.kind,
            rows=rows,
        )

    @property
    def failures(self) -> list[RowScore]:
        """Rows that could not be scored."""
        return [row for row in self.rows if row.failure]

    def to_bytes(self) -> bytes:
        """The content of `report.json`."""
        return canonical_bytes(msgspec.json.decode(msgspec.json.encode(self))) + b"\n"


def make_report(
    *,
    suite: str,
    suite_digest: str,
    split: Split,
    commitment: str,
    agent: str,
    kind: PlayerKind,
    rows: Sequence[RowScore],
) -> Report:
    """Sum up the rows of a run."""
    families = dict.fromkeys(row.family for row in rows)
    difficulties = sorted({row.difficulty for row in rows})
    return Report(
        suite=suite,
        suite_digest=suite_digest,
        split=split,
        commitment=commitment,
        agent=agent,
        kind=kind,
        total=summarize(rows),
        families={
            family: summarize([row for row in rows if row.family == family]) for family in families
        },
        difficulties={
            str(level): summarize([row for row in rows if row.difficulty == level])
            for level in difficulties
        },
        rows=tuple(rows),
    )


def summarize(rows: Sequence[RowScore]) -> Summary:
    """The mean score of some rows, and what it took."""
    mean = sum(row.score for row in rows) / len(rows)
    judged = sum(row.valid + row.invalid + row.errors for row in rows)
    spent = [row.spent for row in rows]
    return Summary(
        rows=len(rows),
        score=share_interval(mean, len(rows)),
        solved=sum(row.score == 1 for row in rows),
        legality=rounded(sum(row.valid for row in rows) / max(1, judged), 4),
        turns=sum(row.turns for row in rows),
        spent=Spent(
            calls=sum(each.calls for each in spent),
            tokens_in=sum(each.tokens_in for each in spent),
            tokens_out=sum(each.tokens_out for each in spent),
        ),
    )


class RunComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Agents side by side, by families: the best first."""

    suite: str
    suite_digest: str
    split: Split
    rows: int
    families: tuple[str, ...]
    agents: tuple[Report, ...]

    def to_json(self) -> dict[str, object]:
        """The table without its single rows."""
        agents = [
            {
                "agent": report.agent,
                "kind": report.kind,
                "total": msgspec.to_builtins(report.total),
                "families": msgspec.to_builtins(report.families),
                "difficulties": msgspec.to_builtins(report.difficulties),
            }
            for report in self.agents
        ]
        return {
            "suite": self.suite,
            "suite_digest": self.suite_digest,
            "split": self.split,
            "rows": self.rows,
            "agents": agents,
        }


def compare(reports: Sequence[Report], *, shared: bool = False) -> RunComparison:
    """Put runs side by side. Refuses runs of different suites, splits or rows: their means cannot
    be compared. With `shared` only the rows count that all of them played."""
    if not 1 <= len(reports) <= MAX_AGENTS:
        raise InvalidError(f"a table has 1 to {MAX_AGENTS} runs, not {len(reports)}", code="runs")
    first = reports[0]
    for other in reports[1:]:
        if other.suite_digest != first.suite_digest:
            raise InvalidError(
                f"{other.agent} played suite {other.suite_digest[:12]}…, and {first.agent} "
                f"{first.suite_digest[:12]}…",
                code="suites",
            )
        if other.split != first.split or other.commitment != first.commitment:
            raise InvalidError(
                f"{other.agent} played {_where(other)}, and {first.agent} {_where(first)}",
                code="splits",
            )
        if not shared and _ids(other.rows) != _ids(first.rows):
            raise InvalidError(
                f"{other.agent} and {first.agent} played different rows; run both with the same "
                "ID, --split and --rows, or compare the --shared ones",
                code="rows",
            )
    if shared:
        reports = _shared_rows(reports)
        first = reports[0]
    ranked = sorted(reports, key=lambda report: (-report.total.score.value, report.agent))
    return RunComparison(
        suite=first.suite,
        suite_digest=first.suite_digest,
        split=first.split,
        rows=len(first.rows),
        families=tuple(first.families),
        agents=tuple(ranked),
    )


def _shared_rows(reports: Sequence[Report]) -> list[Report]:
    """The same runs, of the rows that are in all of them."""
    common = set.intersection(*({row.id for row in report.rows} for report in reports))
    if not common:
        raise InvalidError("these runs have no row in common", code="rows")
    return [report.only(common) for report in reports]


def _where(report: Report) -> str:
    return f"fresh rows {report.commitment[:12]}…" if report.commitment else report.split


def _ids(rows: Iterable[RowScore]) -> list[str]:
    return sorted(row.id for row in rows)
