"""Shows a tournament on the console: a live table on a terminal, plain lines elsewhere, and the result.

Progress goes to standard error and the result to standard output, so that the result can be piped.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.cells import cell_len
from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as ProgressBar
from rich.table import Table
from rich.text import Text

from thorp.arena.tournament.report import FinishedTournament
from thorp.arena.tournament.run import Progress, ProgressCallback
from thorp.arena.tournament.score_table import ScoreStanding
from thorp.arena.tournament.standings import Standing
from thorp.kernel.numbers import number_text
from thorp.kernel.text import make_label

REFRESHES_PER_SECOND = 8
LINE_SECONDS = 5.0
"""How often a line shows the progress where there is no terminal."""

GAP = 2
"""Spaces between columns."""

LEAST_ID_WIDTH = 8

PIPE_WIDTH = 120
"""The width of the result where there is no terminal."""

MAX_LIVE_ROWS = 20
"""The live table must fit the screen, or it cannot be redrawn in place."""


def make_console(*, stderr: bool = False) -> Console:
    """Make the console for the result, or with `stderr` for progress."""
    console = Console(stderr=stderr)
    return console if console.is_terminal else Console(stderr=stderr, width=PIPE_WIDTH)


@contextmanager
def progress_display(console: Console, *, quiet: bool) -> Iterator[ProgressCallback]:
    """Show progress on the console; yields the callback for `run_tournament`."""
    if quiet:
        yield lambda _progress: None
    elif console.is_terminal:
        with _LiveTable(console) as live:
            yield live.show
    else:
        yield _Lines(console).show


def print_result(console: Console, finished: FinishedTournament) -> None:
    """Print the final table, with ratings."""
    plan, tally = finished.plan, finished.tally
    title = (
        f"{make_label(plan.scenario)}: {len(plan.entrants)} agents, {tally.matches} matches, seed {plan.seed}"
    )
    console.print(Text(title, style="bold"))
    console.print(_table(finished.standings, console.width))
    if tally.aborted:
        shown = ", ".join(tally.aborted[:3])
        more = f" and {len(tally.aborted) - 3} more" if len(tally.aborted) > 3 else ""
        console.print(Text(f"aborted, and counted for nobody: {shown}{more}", style="yellow"))


class _Display:
    """What both displays share: the failures not shown yet, matches per second, and when to show more."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = self._shown = time.monotonic()
        self._told = 0

    def new_failures(self, progress: Progress) -> list[str]:
        new = progress.failures[self._told :]
        self._told = len(progress.failures)
        return [f"aborted: {make_label(failure, 200)}" for failure in new]

    def rate(self, progress: Progress) -> float:
        return (progress.done - progress.resumed) / max(time.monotonic() - self._started, 1e-3)

    def is_due(self, seconds: float) -> bool:
        now = time.monotonic()
        if now - self._shown < seconds:
            return False
        self._shown = now
        return True


class _LiveTable(_Display):
    """The standings so far over a progress bar, redrawn in place."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._live = Live(console=console, transient=True, refresh_per_second=REFRESHES_PER_SECOND)
        self._bar = ProgressBar(
            SpinnerColumn(),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
        )
        self._task = self._bar.add_task("matches", rate="", total=None)

    def __enter__(self) -> _LiveTable:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, progress: Progress) -> None:
        for failure in self.new_failures(progress):
            self._live.console.print(Text(failure, style="yellow"))
        rate = self.rate(progress)
        self._bar.update(
            self._task,
            total=progress.total,
            completed=progress.done,
            rate=f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s",
        )
        first = progress.done == progress.resumed
        if first or progress.done == progress.total or self.is_due(1 / REFRESHES_PER_SECOND):
            height = max(1, min(MAX_LIVE_ROWS, self._console.height - 4))
            title = Text(f"{make_label(progress.plan.scenario)}, so far", style="bold")
            table = _table(progress.standings()[:height], self._console.width)
            self._live.update(Group(title, table, self._bar))


class _Lines(_Display):
    """A progress line every LINE_SECONDS."""

    def show(self, progress: Progress) -> None:
        for failure in self.new_failures(progress):
            self._say(failure)
        rate = self.rate(progress)
        if progress.done == progress.resumed and progress.resumed:
            self._say(f"resuming: {progress.done} of {progress.total} matches are done")
        elif progress.done == progress.total or self.is_due(LINE_SECONDS):
            left = (progress.total - progress.done) / rate if rate else 0
            self._say(f"{progress.done} of {progress.total} matches, {rate:,.1f}/s, {left:,.0f} s left")

    def _say(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True)


def _table(standings: Sequence[Standing | ScoreStanding], width: int) -> Table:
    """Lay out the standings as a table, with ratings if there are any."""
    if any(isinstance(row, ScoreStanding) for row in standings):
        headings = ["#", "agent", "mean score, 95 %", "rounds", "matches"]
    else:
        rated = any(isinstance(row, Standing) and row.rating is not None for row in standings)
        headings = ["#", "agent", "points", "won", "drawn", "lost", "diff"]
        headings += ["rating, 95 %"] if rated else []
    headings += ["invalid", "errors"]
    rows = [_cells(row) for row in standings]
    # Ids are cut if the table is too wide; rich would cut figures instead.
    columns = list(zip([Text(heading) for heading in headings], *rows, strict=True))
    others = sum(max(cell_len(cell.plain) for cell in column) + GAP for column in columns[:1] + columns[2:])
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "agent" else "right", no_wrap=True)
    for row in rows:
        row[1].truncate(max(LEAST_ID_WIDTH, width - others), overflow="ellipsis")
        table.add_row(*row)
    return table


def _cells(row: Standing | ScoreStanding) -> list[Text]:
    return [
        Text(str(row.rank), style="dim"),
        Text(make_label(row.id), style="bold" if row.rank == 1 else ""),
        *(_score_cells(row) if isinstance(row, ScoreStanding) else _duel_cells(row)),
        _rate(row.invalid_rate),
        _rate(row.error_rate),
    ]


def _score_cells(row: ScoreStanding) -> list[Text]:
    mean = row.mean
    value = "" if mean.value is None else f"{mean.value:.2f}"
    reach = "" if mean.value is None or mean.high is None else f" ±{mean.high - mean.value:.2f}"
    return [Text.assemble((value, "bold"), reach), Text(str(row.rounds)), Text(str(row.matches))]


def _duel_cells(row: Standing) -> list[Text]:
    cells = [Text(str(count)) for count in (row.points, row.wins, row.draws, row.losses)]
    cells.append(Text(f"{'+' if row.difference > 0 else ''}{number_text(row.difference)}"))
    rating = row.rating
    if rating is not None:
        cells.append(Text.assemble((f"{rating.value:.1f}", "bold"), f" ±{rating.high - rating.value:.1f}"))
    return cells


def _rate(share: float) -> Text:
    return Text(f"{100 * share:.1f} %", style="red" if share else "dim")
