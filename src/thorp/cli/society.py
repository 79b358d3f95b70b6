"""`thorp society …`: how the people of a world fare, and what makes a difference."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from rich.table import Table

from thorp.bridges.voxel_town import new_city_world
from thorp.cli.commands import Commands, argument, option, print_json
from thorp.cli.options import AsJson, Quiet, world_directory
from thorp.cli.tick_progress import show_ticks
from thorp.store import RealDisk, write_atomic
from thorp.voxel.persistence.directory import summarize

if TYPE_CHECKING:
    from thorp.society.report import SocietyReport

app = Commands(help="Measure a society by day, and compare societies.")

Html = Annotated[Path | None, option("Write a page with plots, which needs no network.", "FILE")]
DAY_COLUMNS: Final = {
    "people": "people", "downed": "falls", "starving": "hungry", "gini": "gini",
    "wealth.median": "median\nwealth", "wealth.richest_tenth": "top\ntenth",
    "wealth.common": "common\nwealth", "trades": "trades", "tax": "tax",
    "laws.ACTIVE": "laws", "votes": "votes",
    "buildings.standing": "stand", "buildings.today": "built",
    "contracts.completed": "kept", "contracts.failed": "broken", "partners": "pairs",
}  # fmt: skip
"""The figures of the table, and their headings; --json and --html have all figures."""


@app.command()
def report(
    data: Annotated[
        Path | None, argument("A data directory; else $THORP_DATA, else ./thorp-data.", "DATA")
    ] = None,
    html: Html = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show how a society fared, by day: survival, wealth, trade, law, building, cooperation.

    Everything is measured by executing the journal again. A server may go on meanwhile.

    Example: thorp society report thorp-data --html report.html
    """
    from thorp.society.report import report as measure
    from thorp.society.report_page import report_page

    path = world_directory(data)
    shows = not quiet and sys.stderr.isatty()
    total = summarize(RealDisk(), path).last_tick if shows else 0
    with show_ticks(total, quiet=quiet) as watch:
        measured = measure(RealDisk(), path, new_city_world, watch=watch)
    if html is not None:
        write_atomic(RealDisk(), html, report_page(measured), replace=True)
    if as_json:
        print_json(measured)
        return
    _print_report(measured)
    if html is not None:
        print(f"\n{html}")


def _print_report(measured: SocietyReport) -> None:
    from thorp.society.plots import number_text
    from thorp.society.report_page import all_days, facts
    from thorp.village.bounds import figure
    from thorp.workers.console import make_console

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("day", *DAY_COLUMNS.values()):
        table.add_column(heading, justify="right", vertical="bottom")
    for line in all_days(measured):
        cells = [number_text(figure(line, key) or 0.0) for key in DAY_COLUMNS]
        table.add_row(str(line["day"]), *cells)
    make_console().print(table)
    print()
    for fact in facts(measured):
        print(fact)
