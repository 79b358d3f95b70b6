"""The screen: a live table on a terminal, lines elsewhere, and no id that gains control over
either."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from tests.arena.tournament.small import FIELD, outcome, small_plan
from thorp.arena.contract import Seat
from thorp.arena.tournament import InlinePool, Progress, run_tournament
from thorp.arena.tournament.console import print_result, progress_display
from thorp.arena.tournament.report import FinishedTournament
from thorp.arena.tournament.run import PlayedMatch
from thorp.store import RealDisk


def console(*, terminal: bool, width: int = 100) -> tuple[Console, io.StringIO]:
    file = io.StringIO()
    return Console(file=file, force_terminal=terminal, width=width, height=30), file


def test_a_terminal_gets_a_live_table_that_is_wiped_at_the_end(tmp_path: Path) -> None:
    screen, file = console(terminal=True)
    with progress_display(screen, quiet=False) as show:
        run_tournament(small_plan(), tmp_path / "t", InlinePool(), RealDisk(), on_progress=show)
    shown = file.getvalue()
    assert "number-guess, so far" in shown
    assert "6/6" in shown
    assert "alice" in shown
    assert shown.count("\x1b[2K") > 3  # drawn over itself


def test_without_a_terminal_progress_is_plain_lines(tmp_path: Path) -> None:
    screen, file = console(terminal=False)
    with progress_display(screen, quiet=False) as show:
        run_tournament(small_plan(), tmp_path / "t", InlinePool(), RealDisk(), on_progress=show)
    (line,) = file.getvalue().splitlines()
    assert line.startswith("6 of 6 matches, ")
    assert "\x1b" not in line


def test_resuming_is_told(tmp_path: Path) -> None:
    screen, file = console(terminal=False)
    run_tournament(small_plan(), tmp_path / "t", InlinePool(), RealDisk())
    with progress_display(screen, quiet=False) as show:
        run_tournament(small_plan(), tmp_path / "t", InlinePool(), RealDisk(), on_progress=show)
    assert file.getvalue() == "resuming: 6 of 6 matches are done\n"


@pytest.mark.parametrize("terminal", [True, False])
def test_quiet_is_quiet(tmp_path: Path, terminal: bool) -> None:
    screen, file = console(terminal=terminal)
    with progress_display(screen, quiet=True) as show:
        run_tournament(small_plan(), tmp_path / "t", InlinePool(), RealDisk(), on_progress=show)
    assert file.getvalue() == ""


@pytest.mark.parametrize("terminal", [True, False])
def test_an_aborted_match_is_told_at_once(terminal: bool) -> None:
    screen, file = console(terminal=terminal)
    progress = Progress(small_plan(), 6, [])
    with progress_display(screen, quiet=False) as show:
        progress.add(
            PlayedMatch(
                outcome("r01-m0001-x", ("alice", None), ("bob", None)), {}, "ValueError: so\x1b[2J!"
            )
        )
        show(progress)
        show(progress)
    assert file.getvalue().count("aborted: r01-m0001-x: ValueError: so\ufffd[2J!") == 1


def test_the_result_has_ratings_and_rates() -> None:
    screen, file = console(terminal=False)
    games = [
        outcome(
            "r01-m0001-x", ("alice", 3), ("bob", 0), valid=(3, 1), invalid=(0, 1), errors=(0, 2)
        ),
        outcome("r01-m0002-x", ("alice", None), ("carol", None)),
    ]
    print_result(screen, FinishedTournament(small_plan(), games))
    lines = file.getvalue().splitlines()
    assert lines[0] == "number-guess: 3 agents, 2 matches, seed 42"
    assert [" ".join(line.split()) for line in lines[1:5]] == [
        "# agent points won drawn lost diff rating, 95 % tier invalid errors",
        "1 alice 3 1 0 0 +3 1603 1 0.0 % 0.0 %",
        "2 carol 0 0 0 0 0 1500 3 0.0 % 0.0 %",
        "3 bob 0 0 0 1 -3 1397 2 50.0 % 50.0 %",
    ]
    assert lines[5] == "aborted, and counted for nobody: r01-m0002-x"


@pytest.mark.parametrize("width", [80, 100])
def test_long_and_hostile_ids_leave_the_figures_alone(width: int) -> None:
    screen, file = console(terminal=False, width=width)
    plan = small_plan(entrants=(*FIELD[:2], Seat("[red]\x1b[31m" + "名" * 60, "random")))
    print_result(screen, FinishedTournament(plan, []))
    lines = file.getvalue().splitlines()
    assert "\x1b" not in file.getvalue()
    assert "[red]" in file.getvalue()
    assert all(line.rstrip().endswith("0.0 %   0.0 %") for line in lines[2:5])
