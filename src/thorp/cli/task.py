"""`thorp task …`: graded tasks: list, run, play, check, report, export."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec
import typer

from thorp.arena.contract import Level, Limits
from thorp.cli.commands import Commands, argument, option, print_json
from thorp.cli.options import DEFAULTS, MEMORY_MIB_LIMIT, SECONDS, AsJson, Quiet, RunOptions
from thorp.cli.task_play import play_all, play_one, print_run
from thorp.cli.task_rows import (
    SOURCES,
    FreshOptions,
    RowOptions,
    RowsOption,
    SourcesOption,
    SplitOption,
    choose_rows,
    draw_fresh,
)
from thorp.kernel.errors import InvalidError
from thorp.store import RealDisk, write_atomic

if TYPE_CHECKING:
    from thorp.tasks import Row, Suite
    from thorp.tasks.plan import RunPlan
    from thorp.tasks.report import Report

app = Commands(help="Graded tasks: list, run and play them; compare agents; export rows.")


TaskId = Annotated[str, argument("A task, family or row, such as live-logs; ID@VERSION.", "ID")]
SomeTasks = Annotated[str | None, argument("A task, family or row; everything by default.", "[ID]")]


class OutputOptions(NamedTuple):
    """Where the logs and the report of a run go."""

    out: Annotated[
        Path | None, option("Keep the logs here, and go on where a run stopped.", "DIR")
    ] = None
    as_json: AsJson = False
    quiet: Quiet = False


class AgentOptions(NamedTuple):
    """How a model is asked, or what it has said already, and what an agent may use in one row."""

    level: Annotated[
        Level | None,
        option("How a model is asked: for a JSON object, or for the letter of an option."),
    ] = None
    replies: Annotated[
        Path | None,
        option("Recorded replies to play from, instead of a model: a run's logs folder.", "DIR"),
    ] = None
    turn_seconds: Annotated[float, option("Time limit of one action.", **SECONDS)] = (
        DEFAULTS.turn_seconds
    )
    match_seconds: Annotated[float, option("Time limit of all actions in a row.", **SECONDS)] = (
        DEFAULTS.match_seconds
    )
    memory_mib: Annotated[
        int, option("Memory limit of an agent's process.", min=16, max=MEMORY_MIB_LIMIT)
    ] = DEFAULTS.memory_mib
    model_calls: Annotated[int, option("Calls a model may make in a row.", min=0)] = (
        DEFAULTS.model_calls
    )
    model_tokens: Annotated[int, option("Tokens a model may use in a row.", min=0)] = (
        DEFAULTS.model_tokens
    )

    @property
    def limits(self) -> Limits:
        """The limits as a match has them."""
        return Limits(
            turn_seconds=self.turn_seconds,
            match_seconds=self.match_seconds,
            memory_mib=self.memory_mib,
            model_calls=self.model_calls,
            model_tokens=self.model_tokens,
        )


@app.command(name="list")
def list_tasks(
    id: SomeTasks = None,
    rows: Annotated[bool, option("List rows instead of tasks.")] = False,
    split: SplitOption = None,
    as_json: AsJson = False,
) -> None:
    """List tasks, with how many rows each has in every split.

    Example: thorp task list live --rows --split dev
    """
    from thorp.tasks import default_suite
    from thorp.tasks.console import print_tasks
    from thorp.workers.console import make_console

    suite = default_suite()
    chosen = suite.select(id, split=split)
    if rows:
        _print_rows(suite, chosen, as_json=as_json)
        return
    names = dict.fromkeys(row.task for row in chosen)
    tasks = [suite.tasks[name] for name in names]
    if as_json:
        listed = [task.fields for task in tasks]
        print_json({"suite": suite.name, "digest": suite.digest, "tasks": listed})
    else:
        print_tasks(make_console(), suite, tasks)


def _print_rows(suite: "Suite", rows: "list[Row]", *, as_json: bool) -> None:
    if as_json:
        listed = [row.fields for row in rows]
        print_json({"suite": suite.name, "digest": suite.digest, "rows": listed})
        return
    for row in rows:
        print(f"{row.id}  {row.split}  difficulty {row.difficulty}")


@app.command()
def show(id: TaskId, as_json: AsJson = False) -> None:
    """Show a task or a row: what is asked for, its limits, tools and goal.

    Example: thorp task show live-logs
    """
    from thorp.tasks import default_suite
    from thorp.tasks.console import task_lines
    from thorp.tasks.record import RowName

    suite = default_suite()
    task = suite.task(id)
    is_row = RowName.read(id).seed is not None
    rows = suite.select(id)
    if as_json:
        print_json(rows[0].fields if is_row else {**task.fields, "rows": [row.id for row in rows]})
        return
    for line in task_lines(task, rows):
        print(line)


@app.command()
def run(
    id: SomeTasks = None,
    agent: Annotated[str, option("Who plays.", "[ID=]SPEC")] = "",
    *,
    rows: RowOptions,
    output: OutputOptions,
    fresh: FreshOptions,
    player: AgentOptions,
    where: RunOptions,
) -> None:
    """Let an agent play tasks, and print its score with the interval.

    A SPEC is a kind of bot (idle, random, scripted), file.py:Class, cmd:COMMAND, http://… or
    model:NAME, or local: the embedded model. `thorp match verify DIR/logs/ROW.jsonl` proves the
    score of a row.

    With --fresh nobody has seen the rows: they follow from a secret, whose SHA-256 is printed
    before play, and which is revealed after it.

    Example: thorp task run live-logs --agent random --split dev --rows 2
    """
    from thorp.arena.external import parse_seats
    from thorp.tasks import default_suite
    from thorp.tasks.plan import plan_run
    from thorp.workers import Interrupted

    seats = parse_seats([agent] if agent else [])
    suite = default_suite()
    draw = draw_fresh(fresh, suite, id, rows)
    plan = plan_run(
        suite,
        choose_rows(suite, id, rows) if draw is None else draw.rows,
        seats[0],
        limits=player.limits,
        commitment="" if draw is None else draw.commitment,
        level=msgspec.UNSET if player.level is None else player.level,
    )
    try:
        with _directory(output.out) as directory:
            report = _play_plan(plan, directory, player.replies, where, quiet=output.quiet)
            if draw is not None:
                report = draw.reveal(suite, directory, report)
    except Interrupted as stopped:
        if output.out is not None:
            where.say_how_to_go_on(stopped)
            if draw is not None:
                print(f"thorp: with --secret {draw.secret.hex()}", file=sys.stderr)
        raise
    print_run(report, output.out, as_json=output.as_json)


def _play_plan(
    plan: "RunPlan", directory: Path, replies: Path | None, where: RunOptions, *, quiet: bool
) -> "Report":
    """Play the rows of a plan, or its recorded replies again."""
    from thorp.tasks.console import progress_display
    from thorp.tasks.runs import play_recorded, run_rows
    from thorp.workers import make_worker_pool
    from thorp.workers.console import make_console

    with progress_display(make_console(stderr=True), quiet=quiet) as show:
        return run_rows(
            plan,
            directory,
            make_worker_pool(where.on, where.workers),
            RealDisk(),
            force=where.force,
            play=None if replies is None else play_recorded(plan, replies),
            on_progress=show,
        )


@contextmanager
def _directory(out: Path | None) -> Iterator[Path]:
    """Where the logs go: a directory of its own that is removed at the end, if none is given."""
    if out is not None:
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="thorp-task-") as made:
        yield Path(made) / "run"


@app.command()
def play(
    id: TaskId,
    name: Annotated[str, option("What you are called in the log.")] = "person",
    out: Annotated[
        Path | None,
        option("Keep the log in this file, or a directory of runs.", "FILE.jsonl|DIR"),
    ] = None,
    split: SplitOption = None,
    rows: RowsOption = None,
    force: Annotated[bool, option("Replace files that exist.")] = False,
) -> None:
    """Play yourself, here in the terminal. The score comes at the end.

    One row is played. With a directory it is all rows of the ID, one after another, and what is
    kept there is a run, which `thorp task report` puts beside those of agents, as a person's.

    Example: thorp task play live --rows 1 --name ann --out ann
    """
    from thorp.tasks import default_suite

    suite = default_suite()
    chosen = choose_rows(suite, id, RowOptions(split, rows))
    if out is None or out.suffix == ".jsonl":
        play_one(chosen[0], name, out, replace=force)
    else:
        play_all(suite, chosen, name, out, force=force)


@app.command()
def check(
    id: SomeTasks = None,
    sample: Annotated[bool, option("One row of each task instead of all.")] = False,
    sources: SourcesOption = SOURCES,
    out: Annotated[
        Path | None, option("Keep what was found here, and go on where a check stopped.", "DIR")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    *,
    where: RunOptions,
) -> None:
    """Prove the suite again: oracles solve every row, and nothing else pays. Exit code 1 if not.

    Needs the sources of the suite, with its oracles.

    Example: thorp task check live-logs --sample
    """
    from thorp.tasks import default_suite
    from thorp.tasks.check import check_suite, sample_rows
    from thorp.tasks.console import check_display
    from thorp.workers import Interrupted, make_worker_pool
    from thorp.workers.console import make_console

    suite = default_suite()
    rows = [row.id for row in suite.select(id)]
    if sample:
        sampled = set(sample_rows(suite))
        rows = [row for row in rows if row in sampled] or rows[:1]
    if where.force:
        raise InvalidError("a check has nothing to start over: leave out --force", code="usage")
    try:
        with check_display(make_console(stderr=True), quiet=quiet) as on_progress:
            checked = check_suite(
                sources,
                rows,
                make_worker_pool(where.on, where.workers),
                directory=None if out is None else (RealDisk(), out),
                on_progress=on_progress,
            )
    except Interrupted as stopped:
        if out is not None:
            where.say_how_to_go_on(stopped)
        raise
    if as_json:
        print_json(
            {
                "suite": suite.name,
                "digest": suite.digest,
                "problems": checked.problems,
                "findings": checked.findings,
            }
        )
    else:
        for problem in checked.problems:
            print(problem)
        bad = len(checked.problems)
        ending = f"problems: {bad}" if bad else "all are proven"
        print(f"{suite.name}, rows checked: {len(rows)}; {ending}")
    raise typer.Exit(1 if checked.problems else 0)


@app.command()
def report(
    directory: Annotated[list[Path], argument("Directories of finished runs.", "DIR…")],
    html: Annotated[Path | None, option("Write the table as a page.", "FILE")] = None,
    shared: Annotated[bool, option("Only rows that all of them played.")] = False,
    prove: Annotated[
        bool, option("Judge every action of every log again, and the choice of fresh rows.")
    ] = False,
    sources: SourcesOption = SOURCES,
    as_json: AsJson = False,
) -> None:
    """Put agents side by side: scores by family with intervals, what they took, legality.

    A run whose results are not what its logs say is refused, and one whose rows are not the
    suite's, or do not follow from the secret that was committed to.

    Example: thorp task report idle-dev random-dev
    """
    from thorp.tasks.console import print_comparison
    from thorp.tasks.page import comparison_page
    from thorp.tasks.proof import Oracles
    from thorp.tasks.report import compare
    from thorp.tasks.runs import load_run
    from thorp.workers.console import make_console

    oracles = Oracles(sources) if sources.is_dir() else None
    loaded = [load_run(RealDisk(), each, replay=prove, oracles=oracles) for each in directory]
    comparison = compare(loaded, shared=shared)
    if html is not None:
        write_atomic(RealDisk(), html, comparison_page(comparison), replace=True)
    if as_json:
        print_json(comparison.to_json())
        return
    print_comparison(make_console(), comparison)
    if html is not None:
        print(f"\n{html}")


@app.command()
def export(
    id: SomeTasks = None,
    to: Annotated[Literal["jsonl"], option("The format: JSON Lines.")] = "jsonl",
    split: SplitOption = None,
    out: Annotated[Path | None, option("A file instead of standard output.", "FILE")] = None,
    force: Annotated[bool, option("Replace a file that exists.")] = False,
) -> None:
    """Write rows for other tools: prompt, tools, limits and the Start of each, one a line.

    Example: thorp task export live --split train --out live.jsonl
    """
    from thorp.kernel.canonical import canonical_bytes
    from thorp.tasks import default_suite
    from thorp.tasks.export import exported

    suite = default_suite()
    chosen = suite.select(id, split=split)
    lines = [
        canonical_bytes(exported(suite, row, index)) + b"\n" for index, row in enumerate(chosen)
    ]
    if out is None:
        sys.stdout.buffer.write(b"".join(lines))
        return
    if out.exists() and not force:
        raise InvalidError(f"{out}: exists already; give another path, or --force", code="exists")
    write_atomic(RealDisk(), out, b"".join(lines), replace=force)
    print(f"{out}: {len(lines)} rows of {suite.name}, {to}")
