"""Whole files are written at once or not at all, whatever happens meanwhile."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from thorp.kernel.errors import ConflictError, LimitError, ThorpError
from thorp.store.disk import Disk, DiskError
from thorp.store.files import MAX_TEMPORARIES, write_atomic
from thorp.store.real_disk import RealDisk
from thorp.store.testing import BreakableDisk, BreakableFile, PowerLost

OLD = b"old " * 300
NEW = b"new " * 400
# Create, write, sync, link, remove, sync the directory: six changes, and one more after them.
CHANGES = range(1, 8)
SEEDS = range(40)


def read(disk: Disk, path: Path) -> bytes:
    file = disk.open(path)
    content = file.read(0, 1 << 20)
    file.close()
    return content


class FilesContract:
    def test_the_file_is_there_and_nothing_else(self, disk: Disk, root: Path) -> None:
        write_atomic(disk, root / "out.json", NEW)
        assert read(disk, root / "out.json") == NEW
        assert disk.list(root) == ["out.json"]

    def test_an_existing_file_is_refused_and_kept(self, disk: Disk, root: Path) -> None:
        write_atomic(disk, root / "out.json", OLD)
        with pytest.raises(ConflictError) as caught:
            write_atomic(disk, root / "out.json", NEW)
        assert caught.value.code == "exists"
        assert read(disk, root / "out.json") == OLD
        assert disk.list(root) == ["out.json"]

    def test_replacing_is_asked_for(self, disk: Disk, root: Path) -> None:
        write_atomic(disk, root / "out.json", OLD, replace=True)
        write_atomic(disk, root / "out.json", NEW, replace=True)
        assert read(disk, root / "out.json") == NEW
        assert disk.list(root) == ["out.json"]

    def test_an_empty_file_is_a_file(self, disk: Disk, root: Path) -> None:
        write_atomic(disk, root / "out.json", b"")
        assert read(disk, root / "out.json") == b""

    def test_what_a_crash_left_behind_is_stepped_over(self, disk: Disk, root: Path) -> None:
        disk.create(root / ".out.json.0.tmp").close()
        write_atomic(disk, root / "out.json", NEW)
        assert read(disk, root / "out.json") == NEW

    def test_too_many_leftovers_are_someone_s_to_look_at(self, disk: Disk, root: Path) -> None:
        for number in range(MAX_TEMPORARIES):
            disk.create(root / f".out.json.{number}.tmp").close()
        with pytest.raises(LimitError, match="delete them"):
            write_atomic(disk, root / "out.json", NEW)


class TestRealFiles(FilesContract):
    @pytest.fixture
    def disk(self) -> Disk:
        return RealDisk()

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        return tmp_path

    def test_of_many_writers_one_wins(self, disk: Disk, root: Path) -> None:
        writers = 8
        start = threading.Barrier(writers, timeout=30)
        results: list[str] = []

        def write(number: int) -> None:
            start.wait()
            try:
                write_atomic(disk, root / "out.json", b"%d" % number)
                results.append(str(number))
            except ThorpError as error:
                results.append(error.code)

        threads = [threading.Thread(target=write, args=[number]) for number in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert results.count("exists") == writers - 1
        assert read(disk, root / "out.json").decode() in results
        assert disk.list(root) == ["out.json"]

    def test_a_link_to_nowhere_takes_the_name(self, disk: Disk, root: Path) -> None:
        (root / "out.json").symlink_to(root / "elsewhere")
        with pytest.raises(ConflictError):
            write_atomic(disk, root / "out.json", NEW)
        assert disk.list(root) == ["out.json"]


class TestBreakableFiles(FilesContract):
    @pytest.fixture
    def disk(self) -> BreakableDisk:
        return BreakableDisk(seed=3)

    @pytest.fixture
    def root(self, disk: BreakableDisk) -> Path:
        return disk.root


def disk_with_old_file(seed: int, *, old: bool) -> tuple[BreakableDisk, Path]:
    disk = BreakableDisk(seed)
    path = disk.root / "out.json"
    if old:
        write_atomic(disk, path, OLD)
    return disk, path


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("change", CHANGES)
def test_power_lost_at_any_change_leaves_old_or_new_or_none(change: int, replace: bool) -> None:
    outcomes = set()
    for seed in SEEDS:
        disk, path = disk_with_old_file(seed, old=replace)
        disk.cut_power_in(change)
        try:
            write_atomic(disk, path, NEW, replace=replace)
            finished = True
        except PowerLost:
            finished = False
        disk.crash() if finished else disk.restart()
        found = read(disk, path) if disk.exists(path) else None
        assert found in ((NEW,) if finished else (NEW, OLD if replace else None))
        outcomes.add(found)
        write_atomic(disk, path, NEW, replace=True)
    assert NEW in outcomes or change < 4


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("code", ["disk_error", "disk_full"])
@pytest.mark.parametrize("change", CHANGES[:-1])
def test_a_failure_at_any_change_leaves_nothing_half_written(
    change: int, code: str, replace: bool
) -> None:
    for seed in SEEDS:
        disk, path = disk_with_old_file(seed, old=replace)
        disk.fail_in(change, code)
        with_replace_there_are_fewer = replace and change == 6
        if with_replace_there_are_fewer:
            write_atomic(disk, path, NEW, replace=replace)
            continue
        with pytest.raises(DiskError) as caught:
            write_atomic(disk, path, NEW, replace=replace)
        assert caught.value.code == code
        if replace:
            assert disk.list(disk.root) == ["out.json"]
            assert read(disk, path) in (OLD, NEW)
        else:
            assert disk.list(disk.root) == []


@pytest.mark.parametrize("space", range(0, len(NEW), 97))
def test_a_full_disk_leaves_what_was_there(space: int) -> None:
    disk, path = disk_with_old_file(1, old=True)
    disk.space_bytes = len(OLD) + space
    with pytest.raises(DiskError) as caught:
        write_atomic(disk, path, NEW, replace=True)
    assert caught.value.code == "disk_full"
    assert read(disk, path) == OLD
    assert disk.list(disk.root) == ["out.json"]


def test_losing_the_race_for_a_name_leaves_the_winner_s_file() -> None:
    class RacedDisk(BreakableDisk):
        def link(self, source: Path, target: Path) -> None:
            winner = self.create(target)
            winner.write(0, OLD)
            super().link(source, target)

    disk = RacedDisk(seed=1)
    with pytest.raises(ConflictError):
        write_atomic(disk, disk.root / "out.json", NEW)
    assert read(disk, disk.root / "out.json") == OLD
    assert disk.list(disk.root) == ["out.json"]


class ForgetsDirectories(BreakableDisk):
    def sync_directory(self, path: Path) -> None:
        pass


class ForgetsFiles(BreakableDisk):
    def create(self, path: Path) -> BreakableFile:
        file = super().create(path)
        vars(file)["sync"] = lambda: None
        return file


@pytest.mark.parametrize("forgetful", [ForgetsDirectories, ForgetsFiles])
def test_without_either_sync_files_are_lost(forgetful: type[BreakableDisk]) -> None:
    """The tests above can fail: leave out a sync, and they would."""
    lost = 0
    for seed in SEEDS:
        disk = forgetful(seed)
        write_atomic(disk, disk.root / "out.json", NEW)
        disk.crash()
        lost += not disk.exists(disk.root / "out.json") or read(disk, disk.root / "out.json") != NEW
    assert lost > 0
