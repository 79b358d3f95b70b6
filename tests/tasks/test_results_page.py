"""`docs/task-results.md`: made by one command, from the suite that is here and from replies."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from thorp.store import RealDisk
from thorp.tasks import default_suite
from thorp.tasks.plan import plan_run
from thorp.tasks.runs import play_recorded, run_rows
from thorp.workers import InlinePool

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "task_results.py"
MOST_BYTES = 1_000_000
"""The replies come with the sources: they may not grow like a data set."""


def script() -> ModuleType:
    """The program that makes the page."""
    spec = spec_from_file_location("task_results", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_of_the_suite_that_is_here() -> None:
    assert f"digest `{default_suite().digest}`" in (ROOT / "docs/task-results.md").read_text()


def test_a_models_row_is_played_again_without_the_model(tmp_path: Path) -> None:
    """With the score that the page has, and its calls as they were."""
    program = script()
    row = default_suite().rows["live-bench-3000"]
    assert row in program.recorded_rows(default_suite())
    plan = plan_run(default_suite(), [row], program.MODEL)
    again = play_recorded(plan, program.RECORDED)
    report = run_rows(plan, tmp_path / "local", InlinePool(), RealDisk(), play=again)
    (played,) = report.rows
    assert (played.score, played.errors, played.spent.calls) == (1.0, 0, 4)
    (line,) = [
        line
        for line in (ROOT / "docs/task-results.md").read_text().splitlines()
        if line.startswith("| live-bench-3000 |") and line.count("|") == 6
    ]
    assert line.endswith("| 1.000 |")


def test_the_replies_are_of_rows_of_one_split_and_small() -> None:
    program = script()
    files = sorted(program.RECORDED.iterdir())
    rows = {row.id for row in program.recorded_rows(default_suite())}
    assert {file.name.partition(".")[0] for file in files} == rows
    assert {default_suite().rows[row].split for row in rows} == {program.SPLIT}
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


@pytest.mark.long
def test_the_page_is_what_is_played_now() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
