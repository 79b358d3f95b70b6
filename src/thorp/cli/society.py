"""`thorp society …`: how the people of a world fare, and what makes a difference."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from thorp.bridges.voxel_town import new_city_world
from thorp.cli.commands import Commands, argument, option, print_json
from thorp.cli.options import AsJson, DataOption, Quiet, RunOptions, data_directory, world_directory
from thorp.cli.plan_file import read_plan_file
from thorp.cli.tick_progress import show_ticks
from thorp.kernel.text import make_label
from thorp.store import RealDisk, write_atomic
from thorp.voxel.persistence.directory import summarize

if TYPE_CHECKING:
    from thorp.society.comparison import CompareProgress
    from thorp.society.contrasts import Contrast
    from thorp.society.counterfactual import PairProgress, Question
    from thorp.society.report import SocietyReport
    from thorp.workers import RunProgress

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
TERMINAL_COLUMNS: Final = (
    "figure", "without", "with", "difference", "interval", "spread", "p, corrected",
)  # fmt: skip
"""Those of a table of differences for which a terminal has room; pages have all."""
MAX_CELL: Final = 400  # Characters of a cell of a table, or of a line.
TICKS_A_LINE: Final = 20  # Ticks between two looks at the clock.


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


@app.command()
def compare(
    plan: Annotated[Path, argument("The plan: seeds and [[condition]] tables.", "PLAN.toml")],
    where: RunOptions,
    *,
    out: Annotated[
        Path | None, option("Where results go; else PLAN.compared beside the plan.", "DIR")
    ] = None,
    html: Html = None,
    replay: Annotated[
        Path | None, option("Models reply as in the run in DIR, and nobody is asked.", "DIR")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Let societies live under several conditions, from the same seeds, and tell what differs.

    Every seed lives under every condition, as it is and with each perturbation. Ctrl-C keeps
    finished lives; the same command again continues. Exit code 1: lives failed.

    Example: thorp society compare examples/studies/tithe.toml --html tithe.html
    """
    from thorp.society.comparison import run_comparison
    from thorp.society.comparison_page import comparison_page, facts
    from thorp.society.plan_reader import read_plan
    from thorp.workers import Interrupted, make_worker_pool, run_tip
    from thorp.workers.console import make_console, show_progress

    read = read_plan_file(plan, read_plan)
    out = out or plan.with_suffix(".compared")
    try:
        with show_progress(make_console(stderr=True), _so_far, quiet=quiet) as show:
            pool = make_worker_pool(where.on, where.workers)
            comparison = run_comparison(
                read,
                out,
                pool,
                RealDisk(),
                force=where.force,
                replay=replay,
                on_progress=show,
            )
    except Interrupted as stopped:
        where.say_how_to_go_on(stopped)
        raise
    if html is not None:
        write_atomic(RealDisk(), html, comparison_page(comparison), replace=True)
    tip = run_tip(RealDisk(), out)
    if as_json:
        print_json({**msgspec.to_builtins(comparison), "tip": tip})
        raise typer.Exit(1 if comparison.failed else 0)
    for line in facts(comparison):
        print(make_label(line, MAX_CELL))
    for each in comparison.contrasts:
        _print_contrast(each, f"{each.name}, compared with {each.against}")
    for each in comparison.perturbations:
        _print_contrast(each, f"{each.name}, which ought not to matter")
    print(f"\n{html or out / 'comparison.json'}\ntip {tip}")
    raise typer.Exit(1 if comparison.failed else 0)


class ForkOptions(NamedTuple):
    """How long the forks of a question live, and how many of them there are."""

    days: Annotated[int, option("How long the forks live.", min=1, max=100)] = 2
    noise: Annotated[
        int, option("Pairs with other draws, which say how far chance goes.", min=0, max=99)
    ] = 2


class AnswerOptions(NamedTuple):
    """Where a question's world is, and where its answer goes."""

    html: Html = None
    data: DataOption = None
    force: Annotated[bool, option("Move an existing DIR aside to DIR.old-N and start over.")] = (
        False
    )
    as_json: AsJson = False
    quiet: Quiet = False


@app.command("what-if")
def what_if(
    at: Annotated[int, option("The tick at which the world is forked.", "TICK", min=1)],
    change: Annotated[
        str,
        option("One change: 'weather weather=STORM', 'goal person=Bram goal=office', …", "CHANGE"),
    ],
    out: Annotated[Path, option("Where forks and results go; a new directory.", "DIR")],
    forks: ForkOptions,
    options: AnswerOptions,
) -> None:
    """Fork a village's world at a tick, change one thing, and compare with the same fork unchanged.

    Each fork is a data directory in DIR. Ctrl-C keeps finished forks; the same command again
    continues. The page is DIR/report.html, unless --html says otherwise.

    Example: thorp society what-if --data thorp-data --at 12000 --change 'weather weather=STORM'
    --days 2 --out storm
    """
    from thorp.society.counterfactual import Question, run_counterfactual
    from thorp.society.what_if import facts, noise_seeds, what_if
    from thorp.society.what_if_page import what_if_page
    from thorp.village.changes import read_change_text

    question = Question(at_tick=at, days=forks.days, change=read_change_text(change))
    meter = _ForkMeter(question, forks.noise)
    with meter.shown(quiet=options.quiet) as tell:
        counterfactual = run_counterfactual(
            data_directory(options.data),
            question,
            out,
            draw_seeds=noise_seeds(forks.noise),
            force=options.force,
            show=tell,
        )
    answer = what_if(counterfactual)
    page = options.html or out / "report.html"
    write_atomic(RealDisk(), page, what_if_page(answer), replace=True)
    if options.as_json:
        print_json(answer)
        return
    for line in facts(answer):
        print(make_label(line, MAX_CELL))
    _print_contrast(answer.contrast, "changed, compared with the control")
    print(f"\n{page}")


class _ForkMeter:
    """Shows how far the forks of a question have come."""

    def __init__(self, question: Question, noise: int) -> None:
        self._at_tick = question.at_tick
        self._arms = 2 * (1 + noise)
        self._arm = ""

    @contextmanager
    def shown(self, *, quiet: bool) -> Iterator[Callable[[PairProgress], None]]:
        """Show progress meanwhile; yields what takes it. A signal keeps finished forks, and says
        how to go on."""
        from thorp.workers import RunProgress
        from thorp.workers.console import make_console, show_progress
        from thorp.workers.signals import signals_as_interrupts

        progress = RunProgress(0, 0)
        progress.noun = "ticks"
        with show_progress(make_console(stderr=True), self._table, quiet=quiet) as show:

            def tell(came: PairProgress) -> None:
                self._arm = came.arm
                progress.total = self._arms * max(0, came.last_tick - self._at_tick)
                progress.done = round(came.done * progress.total)
                if progress.total and came.tick % TICKS_A_LINE == 0:
                    show(progress)

            try:
                with signals_as_interrupts():
                    yield tell
            except KeyboardInterrupt:
                how = "finished forks are kept: run the same command again to go on"
                print(f"thorp: stopped; {how}", file=sys.stderr)
                raise

    def _table(self, _progress: RunProgress, _most: int, _width: int) -> Text:
        return Text(make_label(self._arm, MAX_CELL))


def _so_far(progress: CompareProgress, most: int, _width: int) -> Table:
    names = list(dict.fromkeys(life.condition for life in progress.lives))[:most]
    rows = []
    for name in names:
        lives = [life.number for life in progress.lives if life.condition == name]
        done = sum(number in progress.lines for number in lives)
        rows.append((name, f"{done} of {len(lives)}"))
    return _table(("condition", "done"), rows)


def _print_contrast(contrast: Contrast, heading: str) -> None:
    """A table of the figures that vary; the others are named below it."""
    from thorp.society.contrast_page import cells, is_same, may_be_chance
    from thorp.workers.console import make_console

    print(f"\n{make_label(heading, MAX_CELL)}")
    rows = []
    for each in contrast.figures:
        if not is_same(each):
            row = cells(each)
            rows.append([*(row[name] for name in TERMINAL_COLUMNS), each.verdict])
    if rows:
        make_console().print(_table((*TERMINAL_COLUMNS, "verdict"), rows))
    same = [each.key for each in contrast.figures if is_same(each)]
    if same:
        print(f"the same in every pair: {', '.join(same)}")
    alone = [each.key for each in contrast.figures if may_be_chance(each)]
    if alone:
        print(f"a difference if nothing else had been looked at: {', '.join(alone)}")


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in headings:
        is_text = name in ("figure", "condition", "verdict")
        table.add_column(
            name, justify="left" if is_text else "right", no_wrap=name != "verdict", overflow="fold"
        )
    for row in rows:
        table.add_row(*(Text(make_label(cell, MAX_CELL)) for cell in row))
    return table
