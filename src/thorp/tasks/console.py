"""Shows tasks, runs and comparisons on the console, and lets a person play a row there."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final

import msgspec
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from thorp.arena.tournament.standings import Interval
from thorp.kernel.text import make_label
from thorp.tasks.record import SPLITS, Row, Task
from thorp.tasks.report import Report, RunComparison, Summary
from thorp.tasks.runs import TaskProgress
from thorp.tasks.suite import Suite
from thorp.workers import RunProgress
from thorp.workers.console import show_progress

GAP: Final = 2  # Spaces between columns.
WORDS: Final = ("title", "kind", "family")  # Columns that are no numbers.


def progress_display(
    console: Console, *, quiet: bool
) -> AbstractContextManager[Callable[[TaskProgress], None]]:
    """Show how far a run has come; yields the callback for `run_rows`."""
    return show_progress(console, _so_far, quiet=quiet)


def check_display(
    console: Console, *, quiet: bool
) -> AbstractContextManager[Callable[[RunProgress], None]]:
    """Show how far a check has come; yields the callback for `check_suite`."""
    return show_progress(console, lambda progress, _rows, _width: Text(""), quiet=quiet)


def _so_far(progress: TaskProgress, rows: int, width: int) -> RenderableType:
    scores = progress.scores
    mean = f"{sum(scores) / len(scores):.3f}" if scores else "nothing yet"
    return Text(f"{make_label(progress.plan.agent.id)}, so far: {mean}", style="bold")


def print_tasks(console: Console, suite: Suite, tasks: Sequence[Task]) -> None:
    """List tasks, with how many rows each has in every split."""
    table = _table("task", "difficulty", *SPLITS, "turns", "title")
    for task in tasks:
        splits = [row.split for row in suite.rows.values() if row.task == task.id]
        counts = [str(splits.count(split)) for split in SPLITS]
        table.add_row(
            task.name, str(task.difficulty), *counts, str(task.max_turns), Text(task.title)
        )
    console.print(Text(f"{suite.name}, {len(tasks)} tasks, {suite.digest}", style="bold"))
    console.print(table)


def task_lines(task: Task, rows: Sequence[Row]) -> list[str]:
    """A task or one of its rows in words."""
    prompt = rows[0].prompt if len(rows) == 1 else task.prompt
    splits = [row.split for row in rows]
    counts = ", ".join(f"{splits.count(split)} {split}" for split in SPLITS)
    goal = rows[0].goal if len(rows) == 1 else task.goal
    return [
        f"{task.name}  {task.title}",
        f"  family      {task.family}, difficulty {task.difficulty}, engine {task.engine}",
        f"  limits      {task.max_turns} turns, {task.max_ticks} ticks",
        f"  reward      {task.reward}",
        f"  tools       {', '.join(task.tools) or 'any'}",
        f"  rows        {counts}",
        f"  goal        {msgspec.json.encode(goal).decode()}",
        f"  digest      {rows[0].digest if len(rows) == 1 else task.digest}",
        "",
        prompt,
    ]


def print_report(console: Console, report: Report) -> None:
    """Print the result of a run: the score, by family and difficulty, and what it took."""
    where = f"{report.suite}, {report.split}, {len(report.rows)} rows"
    console.print(Text(f"{make_label(report.agent)}: {where}", style="bold"))
    table = _table("", "score, 95 %", "solved", "rows", "legal", "turns", "calls", "tokens")
    parts = [("all", report.total), *report.families.items()]
    parts += [(f"difficulty {level}", summary) for level, summary in report.difficulties.items()]
    for name, summary in parts:
        table.add_row(name, *_cells(summary))
    console.print(table)
    if report.dropped:
        dropped = ", ".join(report.dropped)
        console.print(Text(f"the oracle fails, and nobody is judged by: {dropped}", style="yellow"))
    for row in report.failures:
        console.print(Text(f"failed, and counted as 0: {row.id}: {row.failure}", style="yellow"))


def print_comparison(console: Console, comparison: RunComparison) -> None:
    """Print agents by families, the best first."""
    where = f"{comparison.suite}, {comparison.split}, {comparison.rows} rows"
    console.print(Text(where, style="bold"))
    headings = ("score, 95 %", "solved", "rows", "legal", "turns", "calls", "tokens")
    table = _table("agent", "kind", "family", *headings)
    for report in comparison.agents:
        name = Text(make_label(report.agent))
        table.add_row(name, report.kind, "all", *_cells(report.total))
        # Each with its interval, which would not fit beside each other.
        families = comparison.families if len(comparison.families) > 1 else ()
        for family in families:
            table.add_row("", "", family, *_cells(report.families[family]))
    console.print(table)


def interval_text(interval: Interval) -> str:
    """A score and its bounds, such as `0.500 (0.366 to 0.634)`."""
    return f"{interval.value:.3f} ({interval.low:.3f} to {interval.high:.3f})"


def _cells(summary: Summary) -> list[str]:
    spent = summary.spent
    return [
        interval_text(summary.score),
        str(summary.solved),
        str(summary.rows),
        f"{100 * summary.legality:.1f} %",
        str(summary.turns),
        str(spent.calls),
        str(spent.tokens_in + spent.tokens_out),
    ]


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="left" if name in WORDS else "right", no_wrap=True)
    return table
