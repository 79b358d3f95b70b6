"""The directory: what is refused, what is moved aside, and what a bad disk or a lost machine can do
to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.arena.tournament.small import FIELD, small_plan, tree
from thorp.arena.contract import Seat
from thorp.arena.tournament import InlinePool, Interrupted, Plan, load_tournament, run_tournament
from thorp.arena.tournament.run import TOURNAMENT, TournamentDirectory
from thorp.kernel.errors import ConflictError, DamagedError, IllegalError, ThorpError
from thorp.kernel.manifest import manifest_bytes
from thorp.store import DiskError, RealDisk
from thorp.store.testing import BreakableDisk, PowerLost
from thorp.workers.batches import Batch

DISK = RealDisk()


class Stopping(InlinePool):
    """Plays a few batches, and is interrupted."""

    capacity = 1
    _left = 3

    def submit(self, batch: Batch[Any, Any]) -> None:
        if self._left == 0:
            raise KeyboardInterrupt
        self._left -= 1
        super().submit(batch)


def play(path: Path, plan: Plan | None = None, *, force: bool = False) -> None:
    run_tournament(plan or small_plan(), path, InlinePool(), DISK, force=force)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (small_plan(seed=43), "seed is 42 there and 43 here"),
        (small_plan(rounds=3), "rounds is 2 there and 3 here"),
        (small_plan(parameters={"maximum": 9}), "maximum is 100 there and 9 here"),
        (small_plan(logs=False), "logs is true there and false here"),
        (small_plan(entrants=FIELD[:2]), 'agent carol is "random" there and absent here'),
        (
            small_plan(entrants=(*FIELD[:2], Seat("carol", "baseline"))),
            'agent carol is "random" there and "baseline"',
        ),
        (small_plan(seed=1, rounds=5, max_turns=3, table=3, logs=False), "; and 2 more"),
    ],
)
def test_another_command_on_the_same_directory_is_refused(
    tmp_path: Path, other: Plan, words: str
) -> None:
    path = tmp_path / "t"
    with pytest.raises(Interrupted):
        run_tournament(small_plan(), path, Stopping(), DISK)
    before = tree(path)
    with pytest.raises(ConflictError) as refusal:
        play(path, other)
    assert words in str(refusal.value)
    assert "--force" in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert tree(path) == before
    play(path)


def test_a_path_that_is_taken_by_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("precious")
    with pytest.raises(ConflictError, match="is not a readable directory"):
        play(file)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("precious")
    with pytest.raises(ConflictError, match="holds no tournament"):
        play(tmp_path / "full")
    assert tree(tmp_path) == {"file": b"precious", "full/thesis.txt": b"precious"}


def test_an_empty_directory_is_welcome(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    play(tmp_path / "t")
    assert (tmp_path / "t" / "results.jsonl").exists()


def test_a_directory_is_made_with_its_parents(tmp_path: Path) -> None:
    play(tmp_path / "a" / "b" / "t")
    assert (tmp_path / "a" / "b" / "t" / "results.jsonl").exists()


def test_force_moves_aside_and_deletes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t"
    play(path)
    first = tree(path)
    play(path, small_plan(seed=2), force=True)
    second = tree(path)
    play(path, force=True)
    assert tree(tmp_path / "t.old-1") == first
    assert tree(tmp_path / "t.old-2") == second
    assert tree(path) == first
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["t", "t.old-1", "t.old-2"]


def test_force_moves_only_a_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("precious")
    (tmp_path / "directory").mkdir()
    (tmp_path / "directory" / "thesis.txt").write_text("precious")
    for name in ("file", "directory"):
        with pytest.raises(ConflictError):
            TOURNAMENT.move_aside(DISK, tmp_path / name)
    play(tmp_path / "t")
    monkeypatch.chdir(tmp_path / "t")
    with pytest.raises(ConflictError, match="the folder you are in"):
        TOURNAMENT.move_aside(DISK, Path("."))
    assert TOURNAMENT.move_aside(DISK, tmp_path / "none") is None


def test_force_leaves_a_tournament_that_is_being_played(tmp_path: Path) -> None:
    directory = TournamentDirectory(DISK, tmp_path / "t", small_plan().manifest({}), logs=True)
    try:
        with pytest.raises(IllegalError, match="another process"):
            TOURNAMENT.move_aside(DISK, tmp_path / "t")
    finally:
        directory.close()


def test_finishing_removes_only_what_is_ours(tmp_path: Path) -> None:
    play(tmp_path / "t")
    for name in (".notes.tmp", "results.journal.mine"):
        (tmp_path / "t" / name).write_text("precious")
    play(tmp_path / "t")
    assert (tmp_path / "t" / ".notes.tmp").read_text() == "precious"
    assert (tmp_path / "t" / "results.journal.mine").read_text() == "precious"


def test_force_with_an_entrant_that_cannot_play_moves_nothing(tmp_path: Path) -> None:
    play(tmp_path / "t")
    with pytest.raises(ThorpError, match="unknown agent"):
        play(tmp_path / "t", small_plan(entrants=(*FIELD, Seat("dave", "genius"))), force=True)
    assert [entry.name for entry in tmp_path.iterdir()] == ["t"]


def test_two_at_once_is_refused(tmp_path: Path) -> None:
    plan = small_plan()
    directory = TournamentDirectory(DISK, tmp_path / "t", plan.manifest({}), logs=True)
    with pytest.raises(IllegalError, match="another process holds it"):
        play(tmp_path / "t", plan)
    directory.close()
    play(tmp_path / "t", plan)


def test_an_unfinished_tournament_is_not_shown(tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        run_tournament(small_plan(), tmp_path / "t", Stopping(), DISK)
    with pytest.raises(ThorpError, match="is not finished; run the command"):
        load_tournament(DISK, tmp_path / "t")
    with pytest.raises(ThorpError, match="holds no tournament"):
        load_tournament(DISK, tmp_path)


def test_a_damaged_manifest_or_journal_is_told_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "t"
    with pytest.raises(Interrupted):
        run_tournament(small_plan(), path, Stopping(), DISK)
    journal = path / "results.journal"
    sound = journal.read_bytes()
    lines = sound.splitlines(keepends=True)
    journal.write_bytes(lines[0] + lines[1].replace(b'"turns"', b'"Turns"') + b"".join(lines[2:]))
    with pytest.raises(DamagedError, match="start over with --force"):
        play(path)
    journal.write_bytes(sound)
    manifest = (path / "manifest.json").read_bytes()
    (path / "manifest.json").write_bytes(manifest[:-9])
    with pytest.raises(DamagedError, match="start over with --force"):
        play(path)
    (path / "manifest.json").write_bytes(manifest.replace(b'"seed":42', b'"seed":43'))
    with pytest.raises(
        DamagedError, match=r"manifest.json:1: damaged: .*; start over with --force"
    ):
        play(path, small_plan(seed=43))
    (path / "manifest.json").write_bytes(manifest_bytes(small_plan(seed=43).manifest({})))
    with pytest.raises(DamagedError, match="written for another manifest"):
        play(path, small_plan(seed=43))
    (path / "manifest.json").write_bytes(manifest)
    play(path)


def test_a_torn_journal_loses_one_batch_and_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "t"
    play(tmp_path / "reference")
    with pytest.raises(Interrupted):
        run_tournament(small_plan(), path, Stopping(), DISK)
    journal = path / "results.journal"
    journal.write_bytes(journal.read_bytes()[:-20])
    (path / ".standings.json.0.tmp").write_bytes(b"half")
    play(path)
    assert tree(path) == tree(tmp_path / "reference")


def test_a_full_disk_is_one_line_and_what_is_done_is_kept(tmp_path: Path) -> None:
    """At every size of disk: either it fits, or it is refused with a remedy and nothing looks
    finished."""
    reference = _on(BreakableDisk(1))
    size = sum(map(len, reference.values()))
    for space in range(0, size, size // 40):
        disk = BreakableDisk(1, space_bytes=space)
        with pytest.raises(DiskError, match="no space left") as refusal:
            _on(disk)
        assert refusal.value.code == "disk_full"
        assert "\n" not in str(refusal.value)
        assert not disk.exists(disk.root / "t" / "results.jsonl")
        disk.space_bytes = None
        assert _on(disk) == reference


@pytest.mark.parametrize("seed", range(4))
def test_power_lost_at_any_moment_changes_nothing_in_the_end(seed: int) -> None:
    reference = _on(BreakableDisk(seed))
    counting = BreakableDisk(seed)
    _on(counting)
    for change in range(1 + seed, counting.changes, 4):
        disk = BreakableDisk(seed * 1000 + change)
        disk.cut_power_in(change)
        with pytest.raises(PowerLost):
            _on(disk)
        disk.restart()
        disk.cut_power_in(change // 2 + 1)  # and again, while it recovers
        with pytest.raises(PowerLost):
            _on(disk)
        disk.restart()
        assert _on(disk) == reference, f"power lost at change {change}"


@pytest.mark.parametrize("code", ["disk_error", "disk_full"])
def test_a_disk_that_fails_at_any_moment_changes_nothing_in_the_end(code: str) -> None:
    reference = _on(BreakableDisk(1))
    counting = BreakableDisk(1)
    _on(counting)
    for change in range(1, counting.changes, 3):
        disk = BreakableDisk(change)
        disk.fail_in(change, code)
        with pytest.raises(DiskError):
            _on(disk)
        assert _on(disk) == reference, f"failed at change {change}"


def _on(disk: BreakableDisk) -> dict[str, bytes]:
    """Play on that disk, and return all its files."""
    path = disk.root / "t"
    run_tournament(small_plan(), path, InlinePool(), disk)
    return {
        f"{directory.name}/{name}": _read(disk, directory / name)
        for directory in (path, path / "logs")
        for name in disk.list(directory)
        if name != "logs"
    }


def _read(disk: BreakableDisk, path: Path) -> bytes:
    file = disk.open(path)
    return file.read(0, file.size())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"seats":["alice"', b'"seats":["mallory"'),
        (b'"valid":[', b'"valid":[1,'),
        (b'"turns":', b'"turns":"x'),
    ],
    ids=["stranger", "lengths", "type"],
)
def test_results_that_do_not_fit_are_damage_and_not_a_crash(
    tmp_path: Path, old: bytes, new: bytes
) -> None:
    play(tmp_path / "t")
    results = tmp_path / "t" / "results.jsonl"
    changed = results.read_bytes().replace(old, new, 1)
    assert changed != results.read_bytes()
    results.write_bytes(changed)
    with pytest.raises(DamagedError):
        load_tournament(DISK, tmp_path / "t")
