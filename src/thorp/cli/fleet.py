"""`thorp fleet …`: run hundreds of worlds, villages, matches, tournaments or episodes by a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from thorp.cli.commands import Commands, argument, option, print_json
from thorp.cli.options import AsJson, Quiet, RunOptions
from thorp.cli.plan_file import read_plan_file
from thorp.kernel.text import make_label
from thorp.store import RealDisk

if TYPE_CHECKING:
    from thorp.fleet import Fleet, FleetProgress

app = Commands(help="Run many worlds, villages, matches or episodes by a plan.")

MAX_CELL: Final = 1000  # Characters of a cell of the table.


@app.command()
def run(
    plan: Annotated[Path, argument("The plan: [[job]] tables.", "PLAN.toml")],
    where: RunOptions,
    out: Annotated[
        Path | None, option("Where results go; else PLAN.fleet beside the plan.", "DIR")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run every job of a plan, on this machine or a Ray cluster; the results are the same.

    Ctrl-C keeps finished jobs; the same command again continues. Exit code 1: jobs failed.

    Example: thorp fleet run night.toml --on ray
    """
    from thorp.fleet import run_fleet
    from thorp.workers import Interrupted, make_worker_pool, run_tip
    from thorp.workers.console import make_console, show_progress

    fleet = _read(plan)
    out = out or plan.with_suffix(".fleet")
    try:
        with show_progress(make_console(stderr=True), _so_far, quiet=quiet) as show:
            pool = make_worker_pool(where.on, where.workers)
            finished = run_fleet(fleet, out, pool, RealDisk(), force=where.force, on_progress=show)
    except Interrupted as stopped:
        where.say_how_to_go_on(stopped)
        raise
    tip = run_tip(RealDisk(), out)
    if as_json:
        print_json({**msgspec.to_builtins(finished), "tip": tip})
    else:
        rows = [(row.kind, row.jobs, row.failed, row.means_text) for row in finished.tables]
        make_console().print(_table(("kind", "jobs", "failed", "means"), rows))
        print(f"\n{out / 'results.jsonl'}\ntip {tip}")
    raise typer.Exit(1 if finished.failed else 0)


def _read(plan: Path) -> Fleet:
    from thorp.fleet import read_fleet

    return read_plan_file(plan, read_fleet)


def _so_far(progress: FleetProgress, most: int, _width: int) -> Table:
    rows = []
    for group in progress.groups[:most]:
        done = sum(job.number in progress.lines for job in group)
        failed = sum(job.number in progress.failed for job in group)
        rows.append((group[0].kind, f"{done} of {len(group)}", failed))
    return _table(("kind", "done", "failed"), rows)


def _table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("#", *headings):
        table.add_column(
            name, justify="left" if name in ("kind", "means") else "right", overflow="fold"
        )
    for number, row in enumerate(rows, start=1):
        table.add_row(*(Text(make_label(str(cell), MAX_CELL)) for cell in (number, *row)))
    return table
