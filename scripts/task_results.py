"""Makes `docs/task-results.md`: what the reference agents reach in Thorp Tasks 1.

python scripts/task_results.py                  # plays everything, and writes the page
python scripts/task_results.py --work DIR       # the same, and goes on where it stopped
python scripts/task_results.py --play NAME      # lets you play three rows, and adds yours

Bots play all rows of the split `test`. The embedded model plays those of which its replies are in
`suites/tasks-1/replies/local`, and is not asked: the rows are played again from what it said. Rows
of people are runs in `suites/tasks-1/people`, whose every action is judged again. The page is the
same on every machine.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thorp.arena.contract import Seat
from thorp.arena.service import REPLIES
from thorp.kernel.text import make_label
from thorp.store import RealDisk
from thorp.tasks import Row, Suite, default_suite
from thorp.tasks.console import interval_text
from thorp.tasks.person import PersonPlays
from thorp.tasks.plan import PERSON, plan_run
from thorp.tasks.record import Split
from thorp.tasks.report import Report, RunComparison, Summary, compare
from thorp.tasks.runs import load_run, play_recorded, run_rows
from thorp.workers import InlinePool, make_worker_pool

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/task-results.md"
RECORDED = ROOT / "suites/tasks-1/replies/local"
PEOPLE = ROOT / "suites/tasks-1/people"
SPLIT: Split = "test"
BOTS = ("idle", "random", "scripted")
MODEL = Seat("local", "local")
NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
ROWS_FOR_PEOPLE = ("live-bench-3000", "build-post-3000", "trade-coal-3000")
"""What a person is asked to play: a few minutes each, of three families."""

HEAD = """# What agents reach in the graded tasks

{suite}, version {version}, digest `{digest}`;
rows of the split `{split}`. `python scripts/task_results.py` plays all of it, in about 90 CPU seconds,
and writes this page, which is the same on every machine. Scores are from 0 to 1, with Wilson's interval at 95 %; *legal* is the share of
turns whose action was taken. [Graded tasks](tasks.md) says what is asked for, and [Results](results.md) has the open-ended matches.
"""
ALL = """## All families

`idle` does nothing, `random` anything that is possible, and `scripted` climbs the tech tree in a world, whatever was asked, and does
nothing elsewhere. The oracles, which may look behind the scenes, reach 1 in every row.
"""
LOCAL = """## The embedded model

`local` is SmolLM2-135M-Instruct with the adapter that comes with Thorp ([minds](minds.md)), asked for one letter a turn. It was tuned on the tech tree and is not
told the task, so it shows what a habit is worth, as `scripted` does. It played once; its replies are in `suites/tasks-1/replies/local`,
and the rows are played again from them. All agents are shown on the same {rows} rows of the family `live`.
"""
PEOPLE_HEAD = """## People

Three rows, of three families: {rows}. Yours are added by `python scripts/task_results.py --play NAME`, in a terminal, in some ten
minutes; a row that is given up with `quit` is begun again by the same command. What proves it is the log, of which every action is judged
again whenever this page is made. That a person typed it is your word.
"""
NOBODY = "Nobody's rows are here yet. The agents on the same rows:\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Play the reference rows; write the page.")
    parser.add_argument("--work", type=Path, help="keep the runs here, and go on where they were")
    parser.add_argument("--workers", type=int, help="as many as there are cores by default")
    parser.add_argument("--play", metavar="NAME", help="play three rows yourself, first")
    parser.add_argument("--check", action="store_true", help="compare with the page, write nothing")
    chosen = parser.parse_args()
    suite = default_suite()
    if chosen.play:
        play(suite, chosen.play)
    with folder(chosen.work) as work:
        text = page(suite, work, chosen.workers)
    if chosen.check:
        sys.exit(0 if PAGE.read_text() == text else f"{PAGE} is not what is played now")
    PAGE.write_text(text)
    print(PAGE)


@contextmanager
def folder(given: Path | None) -> Iterator[Path]:
    """Where the runs are kept; one that goes afterwards, if none is given."""
    if given is not None:
        given.mkdir(parents=True, exist_ok=True)
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="thorp-task-results-") as made:
        yield Path(made)


def play(suite: Suite, name: str) -> None:
    """Let somebody play the rows for people, and keep the run."""
    if not NAME.fullmatch(name):
        sys.exit(f"{name!r}: a name is 1 to 40 letters, digits, - and _")
    rows = [suite.rows[row] for row in ROWS_FOR_PEOPLE]
    plays = PersonPlays(sys.stdin, sys.stdout, len(rows))
    plan = plan_run(suite, rows, Seat(name, PERSON))
    run_rows(plan, PEOPLE / name, InlinePool(), RealDisk(), play=plays)


def page(suite: Suite, work: Path, workers: int | None) -> str:
    """The whole page."""
    bots = [bot_report(suite, name, work, workers) for name in BOTS]
    local = model_report(suite, work, workers)
    people = [
        load_run(RealDisk(), path, replay=True)
        for path in sorted(PEOPLE.glob("*"))
        if path.is_dir()
    ]
    asked = [report.only(ROWS_FOR_PEOPLE) for report in bots]
    lines = [
        HEAD.format(suite=suite.name, version=suite.version, digest=suite.digest, split=SPLIT),
        ALL,
        *table(compare(bots)),
        LOCAL.format(rows=len(local.rows)),
        *table(compare([*bots, local], shared=True)),
        *row_table([*bots, local], [row.id for row in local.rows]),
        PEOPLE_HEAD.format(rows=", ".join(f"`{row}`" for row in ROWS_FOR_PEOPLE)),
        *([] if people else [NOBODY]),
        *row_table([*asked, *people], list(ROWS_FOR_PEOPLE)),
    ]
    return "\n".join(lines).rstrip() + "\n"


def bot_report(suite: Suite, name: str, work: Path, workers: int | None) -> Report:
    """Let a bot play all rows of the split."""
    plan = plan_run(suite, suite.select(split=SPLIT), Seat(name, name))
    return run_rows(plan, work / name, make_worker_pool(workers=workers), RealDisk())


def recorded_rows(suite: Suite) -> list[Row]:
    """The rows of which the model's replies are kept, in the suite's order."""
    return [row for row in suite.rows.values() if (RECORDED / f"{row.id}.{REPLIES}").is_file()]


def model_report(suite: Suite, work: Path, workers: int | None) -> Report:
    """Play the rows of the model again, from its replies."""
    plan = plan_run(suite, recorded_rows(suite), MODEL)
    again = play_recorded(plan, RECORDED)
    return run_rows(plan, work / "local", make_worker_pool(workers=workers), RealDisk(), play=again)


def table(comparison: RunComparison) -> list[str]:
    """Agents by families, the best first, each mean with its interval."""
    several = len(comparison.families) > 1
    families = comparison.families if several else ()
    headings = ["agent", "kind", "score", *families, "solved", "legal", "turns", "calls", "tokens"]
    lines = [row(headings), row(["---"] * len(headings))]
    for report in comparison.agents:
        parts = [interval_text(report.families[family].score) for family in families]
        cells = [make_label(report.agent), report.kind, interval_text(report.total.score), *parts]
        lines.append(row([*cells, *costs(report.total)]))
    return [*lines, ""]


def costs(total: Summary) -> list[str]:
    """What a run took."""
    spent = total.spent
    return [
        f"{total.solved} of {total.rows}",
        f"{100 * total.legality:.1f} %",
        f"{total.turns:,}",
        f"{spent.calls:,}",
        f"{spent.tokens_in + spent.tokens_out:,}",
    ]


def row_table(reports: list[Report], rows: list[str]) -> list[str]:
    """Scores row by row, an agent a column."""
    headings = ["row", *(f"{make_label(report.agent)} ({report.kind})" for report in reports)]
    scores = [{each.id: each.score for each in report.rows} for report in reports]
    lines = [row(headings), row(["---"] * len(headings))]
    lines += [row([name, *(f"{score[name]:.3f}" for score in scores)]) for name in rows]
    return [*lines, ""]


def row(cells: list[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
