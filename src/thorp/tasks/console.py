"""Shows tasks, runs and comparisons on the console, and lets a person play a row there."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Final, TextIO

import msgspec
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.arena.tournament.standings import Interval
from thorp.kernel.canonical import Json
from thorp.kernel.text import make_label, printable
from thorp.tasks.record import SPLITS, Row, Task
from thorp.tasks.report import Comparison, Report, Summary
from thorp.tasks.runs import Progress
from thorp.tasks.suite import Suite
from thorp.workers import RunProgress
from thorp.workers.console import show_progress

GAP: Final = 2  # Spaces between columns.
HELP: Final = (
    "Type an action and its fields, such as: mine_nearest block=LOG. Or JSON. An empty line waits; "
    "quit ends it."
)


def progress_display(
    console: Console, *, quiet: bool
) -> AbstractContextManager[Callable[[Progress], None]]:
    """Show how far a run has come; yields the callback for `run_rows`."""
    return show_progress(console, _so_far, quiet=quiet)


def check_display(
    console: Console, *, quiet: bool
) -> AbstractContextManager[Callable[[RunProgress], None]]:
    """Show how far a check has come; yields the callback for `check_suite`."""
    return show_progress(console, lambda progress, _rows, _width: Text(""), quiet=quiet)


def _so_far(progress: Progress, rows: int, width: int) -> RenderableType:
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


def print_comparison(console: Console, comparison: Comparison) -> None:
    """Print agents by families, the best first."""
    where = f"{comparison.suite}, {comparison.split}, {comparison.rows} rows"
    console.print(Text(where, style="bold"))
    table = _table("agent", "score, 95 %", *comparison.families, "legal", "turns", "tokens")
    for report in comparison.agents:
        families = [f"{report.families[name].score.value:.3f}" for name in comparison.families]
        score, _, _, legal, turns, _, tokens = _cells(report.total)
        table.add_row(Text(make_label(report.agent)), score, *families, legal, turns, tokens)
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
        table.add_column(name, justify="left" if name == "title" else "right", no_wrap=True)
    return table


# Playing


class Person(SimpleAgent):
    """An agent that is a person at a terminal."""

    def __init__(self, id: str, lines: Iterable[str], screen: TextIO) -> None:
        super().__init__(id)
        self._lines = iter(lines)
        self._screen = screen

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        if ctx.turn == 1:
            self._say(HELP)
        self._say(f"\n{observation['text']}\n> ", end="")
        line = next(self._lines, "quit").strip()
        if line == "quit":
            raise KeyboardInterrupt
        return read_line(line)

    def _say(self, text: str, end: str = "\n") -> None:
        print("\n".join(map(printable, text.split("\n"))), file=self._screen, end=end, flush=True)


def read_line(line: str) -> Json:
    """The action that a typed line stands for: JSON, or a name with fields. What it means is for
    the task to judge."""
    if not line:
        return {"action": "wait"}
    if line.startswith("{"):
        return _value(line)
    name, *fields = line.split()
    action: dict[str, Json] = {"action": name}
    for position, field in enumerate(fields):
        key, equals, value = field.partition("=")
        if not equals:
            # The rest is text: `say Good morning`.
            action["text"] = " ".join(fields[position:])
            break
        action[key] = _value(value)
    return action


def _value(text: str) -> Json:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return text
