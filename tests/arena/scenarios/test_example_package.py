"""The package that authors copy: its tests pass, and its entry points are found."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from thorp.arena import MatchConfig, run_match
from thorp.arena.registry import agent_kinds, make_agent, make_scenario, scenario_names

PACKAGE = Path(__file__).parents[3] / "examples" / "scenario_package"


def test_its_own_tests_pass() -> None:
    # In a process of its own, as an author would run them: with its settings and not ours.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"],
        cwd=PACKAGE,
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout


def test_thorp_finds_it_by_its_entry_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text("utf-8"))["project"]
    # What an installer would leave behind.
    info = tmp_path / "thorp_roshambo-0.1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0.1.0\n"
    )
    groups = project["entry-points"].items()
    info.joinpath("entry_points.txt").write_text(
        "\n".join(
            f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in points.items())
            for group, points in groups
        )
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(PACKAGE / "src"))
    assert "roshambo" in scenario_names()
    assert agent_kinds("roshambo") == ["counter"]
    agents = [make_agent("roshambo", "counter", id) for id in ("ann", "bo")]
    result = run_match(make_scenario("roshambo", {"rounds": 5}), agents, MatchConfig(7))
    assert (result.reason, result.turns) == ("completed", 5)
