"""`thorp tournament …`: play a round robin, show or prove a finished one."""

import sys
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from thorp.arena import tournament
from thorp.arena.external import parse_seats
from thorp.arena.tournament import Interrupted
from thorp.arena.tournament.console import print_result, progress_display
from thorp.arena.tournament.run import TOURNAMENT
from thorp.cli.announcing import LogOption, announced, announcing
from thorp.cli.commands import Commands, argument, option, print_answer
from thorp.cli.options import (
    Agents,
    AsJson,
    DataOption,
    ExactTip,
    MatchOptions,
    Quiet,
    RunOptions,
    ScenarioName,
    data_directory,
)
from thorp.cli.proofs import ProofOptions, exit_1
from thorp.kernel.errors import ThorpError
from thorp.store import RealDisk
from thorp.workers.console import make_console

app = Commands(help="Play a round robin between agents; show or prove a finished one.")

Directory = Annotated[Path, argument("The directory of a finished tournament.", "DIR")]


class TournamentOptions(NamedTuple):
    """How often agents meet, and where the results go."""

    rounds: Annotated[
        int, option("How often every pair meets; a multiple of --table balances seats.", min=1)
    ] = 2
    table: Annotated[
        int | None, option("Seats at a table; by default the scenario's fewest.", min=1)
    ] = None
    out: Annotated[
        Path | None,
        option("Its directory; else in DATA/tournaments with --data; else ./tournament.", "DIR"),
    ] = None
    mirrored: Annotated[
        bool, option("Play every deal from every seat, so that luck is the same for all.")
    ] = False
    logs: Annotated[bool, option("Keep the log of every match.", name="--logs/--no-logs")] = True
    replies: Annotated[
        Path | None,
        option("Recorded replies to play from, instead of models: a run's logs folder.", "DIR"),
    ] = None
    publish: LogOption = False
    data: DataOption = None
    as_json: AsJson = False
    quiet: Quiet = False

    def directory(self, name: str) -> Path:
        """Where the tournament is kept, in a directory of this name if none was given."""
        if self.out is not None:
            return self.out
        if self.data is not None and not self.publish:
            return data_directory(self.data) / "tournaments" / name
        return Path("tournament")


@app.command()
def run(
    scenario: ScenarioName,
    agent: Agents,
    options: TournamentOptions,
    rules: MatchOptions,
    where: RunOptions,
) -> None:
    """Play every agent against every other, with rotating seats, and rank them.

    A SPEC is a kind of bot (random), file.py:Class, cmd:COMMAND, ws:COMMAND, http://…,
    model:NAME, or local: the embedded model.

    Ctrl-C keeps finished matches; the same command again continues.

    Example: thorp tournament run connect-four --agent random --agent greedy --agent minimax
    --rounds 10
    """
    plan = tournament.make_plan(
        scenario,
        parse_seats(agent),
        seed=rules.seed,
        rounds=options.rounds,
        table=options.table,
        max_turns=rules.max_turns,
        parameters=rules.parameters(),
        limits=rules.limits,
        logs=options.logs,
        secret=rules.secret,
        mirrored=options.mirrored,
    )
    out = options.directory(f"{scenario}-{rules.seed}")
    disk = RealDisk()
    try:
        with (
            announcing(options.data, wanted=options.publish) as event,
            progress_display(make_console(stderr=True), quiet=options.quiet) as show,
        ):
            pool = tournament.make_worker_pool(where.on, where.workers)
            finished = tournament.run_tournament(
                plan,
                out,
                pool,
                disk,
                force=where.force,
                recorded=options.replies,
                on_progress=show,
                announce=event.open_tournament,
            )
            tip = tournament.tournament_tip(disk, out)
            event.close_tournament(tip, finished)
    except Interrupted as stopped:
        where.say_how_to_go_on(stopped)
        raise
    if options.as_json:
        sys.stdout.buffer.write(finished.to_bytes())
        if not options.quiet:
            print(f"tip {tip}", file=sys.stderr)
    else:
        _print_finished(finished, out, tip, event.id)


def _print_finished(
    finished: tournament.FinishedTournament, out: Path, tip: str, announcement: str | None
) -> None:
    """Print the table of a tournament, and where everything about it is."""
    print_result(make_console(), finished)
    _print_whereabouts(out, tip)
    if announcement is not None:
        print(announced(announcement, len(finished.outcomes)))


def _print_whereabouts(directory: Path, tip: str) -> None:
    """Say where the report of a tournament is, and the tip that names it."""
    print()
    print(directory / "report.html")
    print(f"tip {tip}")


@app.command()
def show(directory: Directory, as_json: AsJson = False) -> None:
    """Show the standings of a finished tournament, computed again from its results.

    Example: thorp tournament show tournament --json
    """
    finished = tournament.load_tournament(RealDisk(), directory)
    if as_json:
        sys.stdout.buffer.write(finished.to_bytes())
    else:
        print_result(make_console(), finished)


@app.command()
def verify(
    directory: Directory, proof: ProofOptions, tip: ExactTip = None, as_json: AsJson = False
) -> None:
    """Judge every log and compute every table again; all must be reproduced. Exit code 1 if not.

    Example: thorp tournament verify tournament
    """
    with exit_1(ThorpError, as_json=as_json):
        tip = proof.tip("tournament", tip)
        event = proof.event("tournament", lambda: TOURNAMENT.read_manifest(RealDisk(), directory))
    verdict = tournament.verify_tournament(RealDisk(), directory, tip)
    logs = f"{verdict.logs} logs reproduced to the byte" if verdict.logs else "no logs were kept"
    good = [
        f"{directory}: {verdict.matches} matches, {logs}; the table follows from them",
        f"tip {verdict.tip}",
    ]
    if event is not None:
        good.append(announced(event, verdict.matches))
    print_answer(as_json, verdict, *(verdict.differences or good))
    raise typer.Exit(1 if verdict.differences else 0)
