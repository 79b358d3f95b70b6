"""The check of a suite: that it finds what is wrong, and goes on where it stopped."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tasks.sources import FOLDER, FROZEN, first_rows, proofs, suite
from thorp.kernel.errors import ConflictError, UnknownError
from thorp.store import RealDisk
from thorp.tasks import check_suite, sample_rows
from thorp.tasks.check import CheckJob, CheckProgress, check_row
from thorp.tasks.goal import leaves, read_goal
from thorp.tasks.proof import PROOFS_FILE, Oracles, prove
from thorp.tasks.templates import read_templates
from thorp.workers import InlinePool, make_worker_pool

CHEAP = ["build-post-3000", "remember-feast-3000"]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of the private half, to spoil."""
    folder = tmp_path / "sources"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def finding(row: str, folder: Path) -> list[str]:
    return check_row(CheckJob(row, str(folder), str(FROZEN))).problems


def test_sound_rows_have_no_problems() -> None:
    checked = check_suite(FOLDER, CHEAP, InlinePool(), frozen=FROZEN)
    assert [found.row for found in checked.findings] == CHEAP
    assert checked.problems == []


def test_the_sample_has_a_row_of_every_task() -> None:
    assert {suite().rows[row].task for row in sample_rows(suite())} == set(suite().tasks)


@pytest.mark.long
def test_every_row_is_proven_again() -> None:
    with make_worker_pool() as pool:
        checked = check_suite(FOLDER, list(suite().rows), pool, frozen=FROZEN)
    assert checked.problems == []


def edit_proof(folder: Path, row: str, edit: Callable[[dict[str, object]], None]) -> None:
    path = folder / PROOFS_FILE
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    edit(next(line for line in lines if line["id"] == row))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_a_proof_that_was_embellished_is_found(sources: Path) -> None:
    edit_proof(sources, CHEAP[0], lambda proof: proof.update(random="0", turns=1))
    assert finding(CHEAP[0], sources) == ["it was measured otherwise; freeze it again"]


def test_a_solution_that_leads_elsewhere_is_found(sources: Path) -> None:
    def shorten(proof: dict[str, object]) -> None:
        solution = proof["solution"]
        assert isinstance(solution, dict)
        solution["acts"].pop()

    edit_proof(sources, CHEAP[0], shorten)
    assert finding(CHEAP[0], sources)[0] == "the solution that is kept leads elsewhere"


def test_an_oracle_that_fails_is_found(sources: Path) -> None:
    path = sources / "build.py"
    path.write_text(path.read_text() + "\n\ndef build_post(episode):\n    pass\n")
    assert "the oracle scores 0" in finding(CHEAP[0], sources)


def test_an_oracle_that_is_missing_is_one_line(sources: Path) -> None:
    (sources / "build.py").unlink()
    (problem,) = finding(CHEAP[0], sources)
    assert "no oracles here" in problem
    assert "\n" not in problem


def test_a_changed_template_is_found(sources: Path) -> None:
    path = sources / "build.toml"
    path.write_text(path.read_text().replace("max_turns = 40", "max_turns = 41"))
    (problem,) = check_suite(sources, [], InlinePool(), frozen=FROZEN).problems
    assert problem.startswith("build-post@1: the template has changed; raise its version")


def test_a_check_goes_on_where_it_stopped(tmp_path: Path) -> None:
    place = (RealDisk(), tmp_path / "check")
    seen: list[tuple[int, int]] = []

    def look(progress: CheckProgress) -> None:
        seen.append((progress.resumed, progress.done))

    def check() -> list[str]:
        checked = check_suite(
            FOLDER, CHEAP, InlinePool(), frozen=FROZEN, directory=place, on_progress=look
        )
        return [found.row for found in checked.findings]

    assert check() == CHEAP
    assert check() == CHEAP
    assert seen[-1] == (2, 2), "the second time nothing is left to do"
    with pytest.raises(ConflictError):
        check_suite(FOLDER, CHEAP[:1], InlinePool(), frozen=FROZEN, directory=place)


def test_a_row_of_nobody_is_refused() -> None:
    with pytest.raises(UnknownError):
        check_suite(FOLDER, ["build-post-9"], InlinePool(), frozen=FROZEN)


def test_a_proof_is_the_same_in_another_process() -> None:
    """And with another seed of hashes."""
    code = (
        "from pathlib import Path\n"
        "from thorp.tasks import read_suite\n"
        "from thorp.tasks.proof import Oracles, prove\n"
        f"suite = read_suite(Path({str(FROZEN)!r}))\n"
        f"for row in {CHEAP!r}:\n"
        "    task = suite.task(row)\n"
        f"    proof = prove(task, suite.rows[row].seed, Oracles(Path({str(FOLDER)!r})))\n"
        "    print(proof.solution.digest, proof.oracle, proof.random)\n"
    )
    environment = {"PYTHONHASHSEED": "7", "PATH": ""}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    here = [proofs()[row] for row in CHEAP]
    assert run.stdout.splitlines() == [
        f"{proof.solution.digest} {proof.oracle} {proof.random}" for proof in here
    ]


def test_a_task_that_idling_solves_is_not_admitted() -> None:
    (task,) = [each for each in read_templates(FOLDER) if each.id == "build-post"]
    spoilt = type(task).__struct_fields__
    fields = {name: getattr(task, name) for name in spoilt}
    easy = type(task)(**{**fields, "goal": {"hunger": 5}, "canaries": ()}).sealed()
    problems = prove(easy, 3000, Oracles(FOLDER)).problems(2)
    assert "doing nothing scores 1" in problems
    assert "acting at random scores 1" in problems


@pytest.mark.parametrize("row", first_rows())
def test_what_a_learner_sees_does_not_give_the_answer_away(row: str) -> None:
    frozen = suite().rows[row]
    seen = json.dumps(suite().open(row).observe())
    assert json.dumps(frozen.goal) not in seen
    assert frozen.digest not in seen
    for leaf in leaves(read_goal(frozen.goal)):
        if leaf.kind in ("answered", "cites"):
            secrets = [leaf.argument] if isinstance(leaf.argument, str) else leaf.argument
            assert not [secret for secret in secrets if f'"{secret}"' in seen]
