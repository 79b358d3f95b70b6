"""Shows a tournament on the console: a live table on a terminal, plain lines elsewhere, and the
result.

Progress goes to standard error and the result to standard output, so that the result can be piped.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from thorp.arena.tournament.report import FinishedTournament
from thorp.arena.tournament.run import Progress
from thorp.arena.tournament.standings import ScoreStanding, Standing
from thorp.kernel.numbers import number_text
from thorp.kernel.text import make_label
from thorp.workers.console import show_progress

GAP = 2  # Spaces between columns.
LEAST_ID_WIDTH = 8


def progress_display(
    console: Console, *, quiet: bool
) -> AbstractContextManager[Callable[[Progress], None]]:
    """Show progress on the console; yields the callback for `run_tournament`."""
    return show_progress(console, _so_far, quiet=quiet)


def _so_far(progress: Progress, rows: int, width: int) -> RenderableType:
    """The table of a tournament that is being played."""
    title = Text(f"{make_label(progress.plan.scenario)}, so far", style="bold")
    return Group(title, _table(progress.standings()[:rows], width))


def print_result(console: Console, finished: FinishedTournament) -> None:
    """Print a finished tournament: its table, and the matches that count for nobody."""
    plan = finished.plan
    tally = finished.tally
    played = f"{len(plan.entrants)} agents, {tally.matches} matches, seed {plan.seed}"
    console.print(Text(f"{make_label(plan.scenario)}: {played}", style="bold"))
    console.print(_table(finished.standings, console.width))
    if tally.aborted:
        keys = ", ".join(tally.aborted[:3])
        more = f" and {len(tally.aborted) - 3} more" if len(tally.aborted) > 3 else ""
        console.print(Text(f"aborted, and counted for nobody: {keys}{more}", style="yellow"))


def _table(standings: Sequence[Standing | ScoreStanding], width: int) -> Table:
    """Lay out the standings as a table, with ratings if there are any."""
    if any(isinstance(row, ScoreStanding) for row in standings):
        headings = ["#", "agent", "mean score, 95 %", "rounds", "matches"]
    else:
        rated = any(isinstance(row, Standing) and row.rating is not None for row in standings)
        headings = ["#", "agent", "points", "won", "drawn", "lost", "diff"]
        headings += ["rating, 95 %", "tier"] if rated else []
    headings += ["invalid", "errors"]
    rows = [_cells(row) for row in standings]
    # Ids are cut if the table is too wide; rich would cut figures instead.
    columns = list(zip([Text(heading) for heading in headings], *rows, strict=True))
    others = sum(
        max(cell_len(cell.plain) for cell in column) + GAP for column in columns[:1] + columns[2:]
    )
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
        reach = "" if rating.high is None else f" ±{rating.high - rating.value:.0f}"
        cells.append(Text.assemble((f"{rating.value:.0f}", "bold"), reach))
        cells.append(Text(str(rating.tier)))
    return cells


def _rate(share: float) -> Text:
    return Text(f"{100 * share:.1f} %", style="red" if share else "dim")
