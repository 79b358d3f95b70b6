"""`thorp simulate`: what it prints, what it keeps, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.command import THORP, run
from thorp.cli.simulate import KEPT_BYTES_LIMIT

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60
FIELDS = ["seed", "steps", "faults", "kills", "checks", "failures"]
# The command, in a Python where a defect is planted.
PLANTED = """
import sys
import pytest
from tests.simulator.planted import PLANTED
from thorp.cli.main import main

PLANTED["town_without_receipts"][1](pytest.MonkeyPatch())
sys.argv = ["thorp", "simulate", *sys.argv[1:]]
main()
"""


def run_planted(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PLANTED, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )


def test_a_seed_is_one_line(tmp_path: Path) -> None:
    done = run("thorp", "simulate", "--seed", "7", cwd=tmp_path)
    assert done.returncode == 0
    page = (ROOT / "docs" / "simulator.md").read_text("utf-8")
    assert f"```\n{done.stdout.decode()}```\n" in page, "the page shows this seed"
    assert done.stderr == b""
    again = run("thorp", "simulate", "--seed", "7", cwd=tmp_path)
    assert again.stdout == done.stdout


def test_a_seed_in_json_is_one_object(tmp_path: Path) -> None:
    done = run("thorp", "simulate", "--seed", "7", "--json", cwd=tmp_path)
    report = json.loads(done.stdout)
    assert list(report) == FIELDS
    assert (report["seed"], report["failures"]) == (7, [])
    assert list(tmp_path.iterdir()) == []


def test_seeds_from_one_on_run_for_some_minutes(tmp_path: Path) -> None:
    done = run(
        "thorp", "simulate", "--seed", "5", "--minutes", "0.02", "--json", "--quiet", cwd=tmp_path
    )
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [report["seed"] for report in reports] == list(range(5, 5 + len(reports)))
    assert (done.returncode, done.stderr) == (0, b"")


def test_fresh_seeds_run_until_the_first_signal(tmp_path: Path) -> None:
    process = subprocess.Popen([THORP, "simulate", "--json"], cwd=tmp_path, stdout=subprocess.PIPE)
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    others = [json.loads(line)["seed"] for line in rest.splitlines()]
    assert first["seed"] not in others
    assert list(tmp_path.iterdir()) == []


# The command, in a Python where a seed takes forever.
ENDLESS = """
import sys, time
from thorp.cli.main import main
from thorp.simulator import run

def run_seed(seed):
    print("begun", flush=True)
    for _ in range(600):
        time.sleep(0.1)

run.run_seed = run_seed
sys.argv = ["thorp", "simulate"]
main()
"""


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", ENDLESS], cwd=tmp_path, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None, "the first one waits for the seed"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == -signal.SIGINT


def test_a_broken_promise_names_engine_seed_and_step(tmp_path: Path) -> None:
    done = run_planted(tmp_path, "--seed", "3")
    assert done.returncode == 1
    assert "seed 3, town, step " in done.stdout
    assert "without a receipt" in done.stdout
    assert "    thorp simulate --seed 3\n" in done.stdout
    assert done.stdout == run_planted(tmp_path, "--seed", "3").stdout


@pytest.mark.parametrize("options", [(), ("--keep", "kept/bad.jsonl")])
def test_failing_seeds_are_kept_where_it_says(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "kept").mkdir()
    file = tmp_path / (options[1] if options else "failing-seeds.jsonl")
    for _ in range(2):
        # On a busy machine the time is enough for one fresh seed, which may not meet the defect.
        runs = (run_planted(tmp_path, "--minutes", "0.01", *options) for _ in range(20))
        done = next(run for run in runs if run.returncode)
        assert done.returncode == 1
        assert (
            f"failing seeds are in {options[1] if options else 'failing-seeds.jsonl'}"
            in done.stderr
        )
    kept = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(kept) >= 2
    for report in kept:
        assert list(report) == FIELDS
        assert report["failures"][0]["engine"] == "town"
    again = run_planted(tmp_path, "--seed", str(kept[0]["seed"]), "--json")
    assert json.loads(again.stdout) == kept[0]


@pytest.mark.parametrize("package", ["apsw", "cryptography"])
def test_without_its_packages_it_says_what_to_install(tmp_path: Path, package: str) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None; sys.argv = ['thorp', 'simulate', '--seed', '1']\n"
        "from thorp.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode != 0
    assert done.stdout == ""
    assert done.stderr == (
        f"thorp: simulating needs the package {package}: pip install 'thorp[simulate]'\n"
    )


@pytest.mark.parametrize(
    "arguments", [["--seed", "-1"], ["--seed", str(2**53)], ["--minutes", "-1"], ["--seed", "x"]]
)
def test_what_cannot_be_run_is_refused(tmp_path: Path, arguments: list[str]) -> None:
    done = run("thorp", "simulate", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"thorp: ")


def test_a_place_where_nothing_can_be_kept_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "long.jsonl").write_bytes(b"x" * (KEPT_BYTES_LIMIT + 1))
    for place in (tmp_path / "missing" / "bad.jsonl", tmp_path, tmp_path / "long.jsonl"):
        done = run("thorp", "simulate", "--keep", place, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(f"thorp: {place}: ".encode())
        assert done.stderr.count(b"\n") == 1
