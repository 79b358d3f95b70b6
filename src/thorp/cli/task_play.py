"""Lets a person play tasks in the terminal, and prints what a run came to."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from thorp.cli.options import DEFAULTS
from thorp.store import RealDisk

if TYPE_CHECKING:
    from thorp.tasks import Row, Suite
    from thorp.tasks.report import Report


def print_run(report: "Report", out: Path | None, *, as_json: bool) -> None:
    """Print what a run came to. Rows that failed are status 1."""
    from thorp.tasks.console import print_report
    from thorp.workers.console import make_console

    if as_json:
        sys.stdout.buffer.write(report.to_bytes())
    else:
        print_report(make_console(), report)
        if out is not None:
            print(f"\n{out / 'report.json'}")
    if report.failures:
        raise typer.Exit(1)


def play_all(suite: "Suite", rows: "list[Row]", name: str, out: Path, *, force: bool) -> None:
    """Let a person play rows, and keep them as a run."""
    from thorp.arena.contract import Seat
    from thorp.tasks.person import PersonPlays
    from thorp.tasks.plan import PERSON, plan_run
    from thorp.tasks.runs import run_rows
    from thorp.workers import InlinePool, Interrupted

    plan = plan_run(suite, rows, Seat(name, PERSON))
    plays = PersonPlays(sys.stdin, sys.stdout, len(rows))
    try:
        report = run_rows(plan, out, InlinePool(), RealDisk(), force=force, play=plays)
    except Interrupted as stopped:
        print(f"\n{out}: {stopped}; the same command goes on", file=sys.stderr)
        raise
    print_run(report, out, as_json=False)


def play_one(row: "Row", name: str, out: Path | None, *, replace: bool) -> None:
    """Let a person play a row, and keep its log, finished or not."""
    from thorp.arena import MatchInterrupted, service
    from thorp.arena.contract import Seat
    from thorp.arena.registry import make_scenario
    from thorp.arena.runner import run_match
    from thorp.tasks.person import PersonAgent, match_briefing
    from thorp.tasks.plan import PERSON, place_of, row_match

    if out is not None:
        service.refuse_existing(out, replace=replace)
    match = row_match(place_of(row), Seat(name, PERSON), DEFAULTS)
    scenario = make_scenario(match.scenario, match.parameters)
    person = PersonAgent(name, sys.stdin, sys.stdout, match_briefing(match))
    try:
        result = run_match(scenario, [person], service.match_config(match))
    except MatchInterrupted as stopped:
        if out is not None:
            tip = service.save_match(RealDisk(), out, match, stopped.result, None, replace=replace)
            print(f"\n{out}: not finished\ntip {tip}")
        raise
    score = result.scores.get(name, 0.0)
    print(f"\n{row.id}: {score:.3f} after {result.turns} turns")
    if out is not None:
        tip = service.save_match(RealDisk(), out, match, result, None, replace=replace)
        print(f"{out}\ntip {tip}")
    if result.error is not None:
        print(f"thorp: the task failed: {result.error}", file=sys.stderr)
        raise typer.Exit(1)
