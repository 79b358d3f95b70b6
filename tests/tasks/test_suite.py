"""The frozen suite: that it is what its templates say, and that nobody can change a line of it."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.tasks.sources import FOLDER, FROZEN, proofs, suite
from thorp.kernel.errors import DamagedError, InvalidError, ThorpError, UnknownError
from thorp.tasks import Task, default_suite, read_suite
from thorp.tasks.goal import read_goal
from thorp.tasks.record import SPLITS, RowName
from thorp.tasks.suite import ABOUT_FILE, ROWS_FILE, TASKS_FILE
from thorp.tasks.templates import read_templates

# The suite is part of the wheel.
MAX_BYTES = 1_500_000
TEST_ONLY = "remember"


def test_the_frozen_tasks_are_those_of_the_templates() -> None:
    """A changed template is a new version: freeze it with `python scripts/tasks.py`."""
    templates = {task.id: task.digest for task in read_templates(FOLDER)}
    assert {task.id: task.digest for task in suite().tasks.values()} == templates


def test_the_suite_has_name_version_and_digest() -> None:
    assert (suite().name, suite().version) == ("Thorp Tasks 1", 1)
    assert default_suite().digest == suite().digest
    assert sum(path.stat().st_size for path in FROZEN.iterdir()) < MAX_BYTES


def test_every_task_has_rows_of_its_splits() -> None:
    counts = Counter((row.task, row.split) for row in suite().rows.values())
    for task in suite().tasks.values():
        splits = {split: counts[task.id, split] for split in SPLITS}
        if task.family == TEST_ONLY:
            assert (splits["train"], splits["dev"]) == (0, 0)
        else:
            assert splits["train"] >= splits["dev"] >= 1
        assert splits["test"] >= 2, task.id


def test_splits_share_no_seed() -> None:
    seeds = {
        split: {row.seed for row in suite().rows.values() if row.split == split} for split in SPLITS
    }
    assert not seeds["train"] & seeds["test"]
    assert not seeds["train"] & seeds["dev"]
    assert not seeds["dev"] & seeds["test"]


def test_each_family_has_every_difficulty() -> None:
    tiers: dict[str, list[int]] = {}
    for task in suite().tasks.values():
        tiers.setdefault(task.family, []).append(task.difficulty)
    for family, difficulties in tiers.items():
        assert set(difficulties) == {1, 2, 3}, family


def test_a_row_says_all_that_its_task_leaves_open() -> None:
    for row in suite().rows.values():
        assert "{" not in row.prompt
        read_goal(row.goal)
        assert row.digest == row.computed_digest
        assert (row.max_turns, row.max_ticks) == (
            suite().tasks[row.task].max_turns,
            suite().tasks[row.task].max_ticks,
        )


def test_every_row_is_proven() -> None:
    for row in suite().rows.values():
        proof = proofs()[row.id]
        assert proof.task == suite().tasks[row.task].digest
        assert proof.problems(row.difficulty) == []


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    shutil.copytree(FROZEN, folder)
    return folder


def test_a_changed_line_is_refused(copied: Path) -> None:
    path = copied / TASKS_FILE
    path.write_bytes(path.read_bytes().replace(b'"LOG":3', b'"LOG":2', 1))
    with pytest.raises(DamagedError, match="new version") as refused:
        read_suite(copied)
    assert refused.value.code == "digest"


def test_a_line_that_was_sealed_again_is_refused_too(copied: Path) -> None:
    path = copied / TASKS_FILE
    (first, *others) = path.read_bytes().splitlines(keepends=True)
    fields = Task.read(first).fields
    fields["title"] = "Easier"
    path.write_bytes(b"".join([_sealed(fields), *others]))
    with pytest.raises(DamagedError, match="changed, added or left out"):
        read_suite(copied)


def _sealed(fields: dict[str, object]) -> bytes:
    import msgspec

    return msgspec.convert({**fields, "digest": ""}, Task).sealed().line


def test_a_missing_row_is_noticed(copied: Path) -> None:
    path = copied / ROWS_FILE
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))
    with pytest.raises(DamagedError):
        read_suite(copied)


def test_no_suite_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UnknownError) as refused:
        read_suite(tmp_path)
    assert refused.value.code == "suite"
    (tmp_path / ABOUT_FILE).write_bytes(b"[]")
    with pytest.raises(InvalidError):
        read_suite(tmp_path)


@pytest.mark.parametrize("line", [b"", b"{}", b"[" * 40, b'{"id":"a","id":"b"}', b"\xff", b"null"])
def test_a_line_that_is_no_record_is_refused(line: bytes) -> None:
    with pytest.raises(ThorpError):
        Task.read(line)


@pytest.mark.parametrize(
    ("text", "task", "version", "seed"),
    [
        ("live-logs", "live-logs", None, None),
        ("live-logs@1", "live-logs", 1, None),
        ("live-logs-1007", "live-logs", None, 1007),
        ("live-logs@1-1007", "live-logs", 1, 1007),
    ],
)
def test_an_id_names_a_task_or_a_row(
    text: str, task: str, version: int | None, seed: int | None
) -> None:
    assert RowName.read(text) == RowName(task, version, seed)


@pytest.mark.parametrize("text", ["", "Live", "live_logs", "live-logs@", "live-logs-4294967296"])
def test_other_ids_are_refused(text: str) -> None:
    with pytest.raises(InvalidError) as refused:
        RowName.read(text)
    assert refused.value.code == "task"


@pytest.mark.parametrize(
    ("text", "code"), [("live-gold", "task"), ("live-logs@2", "version"), ("live-gold-3", "task")]
)
def test_what_the_suite_does_not_have_is_refused(text: str, code: str) -> None:
    with pytest.raises(UnknownError) as refused:
        suite().task(text)
    assert refused.value.code == code


def test_rows_are_selected_by_family_task_row_and_split() -> None:
    assert {row.family for row in suite().select("live")} == {"live"}
    assert {row.task for row in suite().select("live-logs")} == {"live-logs"}
    assert [row.split for row in suite().select("live-logs", split="dev", limit=1)] == ["dev"]
    (row,) = suite().select("live-logs-1000")
    assert row.id == "live-logs-1000"
    with pytest.raises(UnknownError) as refused:
        suite().select("live-logs-1000", split="test")
    assert refused.value.code == "rows"
