"""Which rows a command of `thorp task` is about: those of a split, or fresh ones."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from thorp.cli.commands import option
from thorp.kernel.errors import InvalidError
from thorp.store import RealDisk

if TYPE_CHECKING:
    from thorp.tasks import Row, Suite
    from thorp.tasks.record import Split
    from thorp.tasks.report import Report

MAX_ROWS = 10_000
DEFAULT_SPLIT: "Split" = "dev"
FRESH_ROWS = 3
SOURCES = Path("suites/tasks-1")
SplitOption = Annotated[
    Literal["train", "dev", "test"] | None,
    option("Rows of this split; dev by default, or that of a single row."),
]
SourcesOption = Annotated[
    Path, option("Where the suite's templates and oracles are: they come with the sources.", "DIR")
]
RowsOption = Annotated[int | None, option("At most N rows of each task.", "N", min=1, max=MAX_ROWS)]


class FreshOptions(NamedTuple):
    """Whether the rows are drawn anew, and from what."""

    fresh: Annotated[bool, option("Draw rows that nobody has seen; --rows of each task.")] = False
    secret: Annotated[
        str | None, option("The secret of --fresh, as 64 digits; by default a new one.", "HEX")
    ] = None
    sources: SourcesOption = SOURCES


class RowOptions(NamedTuple):
    """Which rows a run is over, besides its ID."""

    split: SplitOption = None
    rows: RowsOption = None


class FreshDraw(NamedTuple):
    """Rows that follow from a secret, which is committed to before play."""

    secret: bytes
    commitment: str
    rows: "list[Row]"
    sources: Path

    def reveal(self, suite: "Suite", directory: Path, report: "Report") -> "Report":
        """Say the secret, let the oracle play, and judge by the rows that it solves."""
        from thorp.tasks.fresh import judge
        from thorp.tasks.plan import Revealed
        from thorp.tasks.proof import Oracles
        from thorp.tasks.runs import reveal

        print(f"thorp: the secret was {self.secret.hex()}", file=sys.stderr)
        is_judged = self.sources.is_dir()
        failed = judge(suite, self.rows, Oracles(self.sources)).failed if is_judged else {}
        if not is_judged:
            print(f"thorp: no oracle has played: {self.sources} is not here", file=sys.stderr)
        revealed = Revealed(secret=self.secret.hex(), failed=failed, is_judged=is_judged)
        return reveal(RealDisk(), directory, report, revealed)


def draw_fresh(
    options: FreshOptions, suite: "Suite", id: str | None, chosen: RowOptions
) -> FreshDraw | None:
    """Draw fresh rows, if they are wanted, and say to what secret one is committed."""
    if not options.fresh:
        if options.secret is not None:
            raise InvalidError("--secret belongs to --fresh", code="usage")
        return None
    if chosen.split is not None:
        raise InvalidError("fresh rows are of no split: leave out --split", code="splits")
    from thorp.tasks.fresh import commit, fresh_rows, new_secret, read_secret

    secret = new_secret() if options.secret is None else read_secret(options.secret)
    commitment = commit(secret)
    print(f"thorp: committed to a secret whose SHA-256 is {commitment}", file=sys.stderr)
    rows = fresh_rows(suite, secret, id, chosen.rows or FRESH_ROWS)
    return FreshDraw(secret, commitment, rows, options.sources)


def choose_rows(suite: "Suite", id: str | None, options: RowOptions) -> "list[Row]":
    """The rows that a run is over: of each task at most the number in the options."""
    from thorp.tasks.record import RowName

    is_row = id is not None and id not in _families(suite) and RowName.read(id).seed is not None
    split = options.split if is_row else options.split or DEFAULT_SPLIT
    chosen = suite.select(id, split=split)
    counts: dict[str, int] = {}
    kept = []
    for row in chosen:
        counts[row.task] = counts.get(row.task, 0) + 1
        if options.rows is None or counts[row.task] <= options.rows:
            kept.append(row)
    return kept


def _families(suite: "Suite") -> set[str]:
    return {task.family for task in suite.tasks.values()}
