"""Seeds of the simulator: every promise is kept, planted defects are found, and a seed replays exactly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.simulator.planted import PLANTED, find_failure
from thorp.simulator.run import ENGINES, Report, run_seed
from thorp.simulator.world_lives import WorldLives
from thorp.voxel import verify
from thorp.voxel.persistence.directory import HEAD

ROOT = Path(__file__).parents[2]
CHUNK = 10
SEEDS = 40
LONG_SEEDS = 20_000
LONG_CHUNK = 200
PATIENCE_SECONDS = 120


def run_seeds(first: int, count: int) -> list[Report]:
    reports = [run_seed(seed) for seed in range(first, first + count)]
    assert [report for report in reports if report.failures] == []
    return reports


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_every_promise_is_kept(first: int) -> None:
    reports = run_seeds(first, CHUNK)
    for name in ("steps", "faults", "kills", "checks"):
        assert sum(getattr(report, name) for report in reports) >= 5 * CHUNK, name


def test_a_world_that_never_had_a_tick_may_lose_its_head() -> None:
    """Its founding may have ended before the head was written: nothing was shown, nothing is lost."""
    lives = WorldLives(0)
    with lives._open():
        pass
    lives.disk.remove(lives.path / HEAD)
    assert verify(lives.disk, lives.path, make_world=lives.make_world).ok
    assert run_seed(501, ["world"]).failures == [], "where no life came to a tick"


@pytest.mark.long
@pytest.mark.parametrize("first", range(SEEDS, SEEDS + LONG_SEEDS, LONG_CHUNK))
def test_every_promise_is_kept_in_the_long_run(first: int) -> None:
    run_seeds(first, LONG_CHUNK)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_has_steps_faults_kills_and_checks(engine: str) -> None:
    reports = [run_seed(seed, [engine]) for seed in range(12)]
    for name in ("steps", "faults", "kills", "checks"):
        assert sum(getattr(report, name) for report in reports) > 0, name


def test_every_engine_has_a_planted_defect() -> None:
    assert {engine for engine, _ in PLANTED.values()} == set(ENGINES)


def in_another_process(program: str, hash_seed: str) -> bytes:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        timeout=PATIENCE_SECONDS,
    ).stdout


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found_and_its_seed_and_step_reproduce_it(name: str) -> None:
    report = find_failure(name)
    assert report is not None, "no seed has found it"
    [failure] = report.failures
    assert failure.engine == PLANTED[name][0]
    assert 1 <= failure.step <= report.steps
    assert failure.message
    assert find_failure(name, [report.seed]) == report
    program = (
        f"from tests.simulator.planted import print_failure; print_failure({name!r}, {report.seed})"
    )
    assert msgspec.json.decode(in_another_process(program, "7"), type=Report) == report
    assert run_seed(report.seed, [failure.engine]).failures == [], "it is the defect that fails"


def test_a_seed_gives_the_same_report_in_every_process() -> None:
    program = (
        "from thorp.simulator.run import run_seed; print([run_seed(seed) for seed in range(8)])"
    )
    outputs = {in_another_process(program, hash_seed) for hash_seed in ("0", "1", "4711")}
    assert len(outputs) == 1
    assert run_seed(1) != run_seed(2)


def test_an_error_that_no_accident_explains_is_a_failure_with_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thorp.voxel.service.encode_tick", lambda *_: 1 // 0)
    [failure] = run_seed(0, ["world"]).failures
    assert failure.doing == "tick 1"
    assert failure.message.startswith("ZeroDivisionError in thorp/voxel/service.py:")
