"""What the `Disk` port promises while nothing breaks, the same for every disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from thorp.kernel.errors import ConflictError, IllegalError
from thorp.store.disk import Disk, DiskError
from thorp.store.real_disk import RealDisk
from thorp.store.testing import BreakableDisk


class DiskContract:
    """Inherit it and give `disk` and `root`, an empty directory on that disk."""

    def test_bytes_written_are_read_back(self, disk: Disk, root: Path) -> None:
        file = disk.create(root / "a")
        file.write(0, b"hello")
        file.write(5, b" world")
        assert (file.size(), file.read(0, 100), file.read(4, 3)) == (11, b"hello world", b"o w")
        file.close()

    def test_a_write_beyond_the_end_leaves_zeros(self, disk: Disk, root: Path) -> None:
        file = disk.create(root / "a")
        file.write(3, b"x")
        assert file.read(0, 9) == b"\0\0\0x"
        file.close()

    def test_writing_over_bytes_keeps_the_others(self, disk: Disk, root: Path) -> None:
        file = disk.create(root / "a")
        file.write(0, b"abcdef")
        file.write(2, b"XY")
        assert file.read(0, 9) == b"abXYef"
        file.close()

    def test_truncate_cuts_and_extends(self, disk: Disk, root: Path) -> None:
        file = disk.create(root / "a")
        file.write(0, b"abcdef")
        file.truncate(2)
        assert file.read(0, 9) == b"ab"
        file.truncate(4)
        assert file.read(0, 9) == b"ab\0\0"
        file.close()

    def test_nothing_is_read_beyond_the_end(self, disk: Disk, root: Path) -> None:
        file = disk.create(root / "a")
        assert file.read(0, 5) == b""
        assert file.read(7, 5) == b""
        file.close()

    def test_two_openings_see_the_same_file(self, disk: Disk, root: Path) -> None:
        writer = disk.create(root / "a")
        reader = disk.open(root / "a")
        writer.write(0, b"now")
        assert reader.read(0, 9) == b"now"
        writer.close()
        reader.close()

    def test_a_file_open_for_reading_cannot_be_written(self, disk: Disk, root: Path) -> None:
        disk.create(root / "a").close()
        file = disk.open(root / "a")
        with pytest.raises(DiskError):
            file.write(0, b"x")
        file.close()

    def test_create_refuses_a_name_that_is_taken(self, disk: Disk, root: Path) -> None:
        disk.create(root / "a").close()
        with pytest.raises(ConflictError, match="exists already") as caught:
            disk.create(root / "a")
        assert caught.value.code == "exists"

    def test_missing_files_are_refused_by_name(self, disk: Disk, root: Path) -> None:
        for attempt in (disk.open, disk.remove):
            with pytest.raises(IllegalError, match="nobody") as caught:
                attempt(root / "nobody")
            assert caught.value.code == "missing"
        with pytest.raises(IllegalError):
            disk.create(root / "nowhere" / "a")
        with pytest.raises(IllegalError):
            disk.sync_directory(root / "nowhere")

    def test_link_gives_a_second_name_once(self, disk: Disk, root: Path) -> None:
        file = disk.create(root / "a")
        disk.link(root / "a", root / "b")
        file.write(0, b"x")
        file.close()
        other = disk.open(root / "b")
        assert other.read(0, 9) == b"x"
        other.close()
        with pytest.raises(ConflictError):
            disk.link(root / "a", root / "b")

    def test_replace_renames_over_what_is_there(self, disk: Disk, root: Path) -> None:
        for name in ("old", "new"):
            file = disk.create(root / name)
            file.write(0, name.encode())
            file.close()
        disk.replace(root / "new", root / "old")
        file = disk.open(root / "old")
        assert file.read(0, 9) == b"new"
        file.close()
        assert disk.list(root) == ["old"]

    def test_names_come_and_go(self, disk: Disk, root: Path) -> None:
        disk.create(root / "b").close()
        disk.create(root / "a").close()
        assert disk.list(root) == ["a", "b"]
        assert disk.exists(root / "a")
        disk.remove(root / "a")
        assert not disk.exists(root / "a")
        disk.sync_directory(root)

    def test_directories_are_made_with_their_parents(self, disk: Disk, root: Path) -> None:
        disk.make_directories(root / "a" / "b")
        disk.make_directories(root / "a" / "b")
        disk.create(root / "a" / "b" / "c").close()
        assert disk.list(root / "a" / "b") == ["c"]

    def test_a_file_in_the_way_of_a_directory_is_refused(self, disk: Disk, root: Path) -> None:
        disk.create(root / "a").close()
        with pytest.raises(ConflictError):
            disk.make_directories(root / "a")

    def test_a_lock_is_held_once_and_ends_with_the_file(self, disk: Disk, root: Path) -> None:
        first = disk.create(root / "a")
        first.lock()
        first.lock()
        second = disk.open(root / "a", writable=True)
        with pytest.raises(IllegalError, match="another process") as caught:
            second.lock()
        assert caught.value.code == "locked"
        first.close()
        second.lock()
        second.close()

    def test_closing_twice_is_allowed_and_using_after_it_is_not(
        self, disk: Disk, root: Path
    ) -> None:
        file = disk.create(root / "a")
        file.sync()
        file.close()
        file.close()
        for use in (lambda: file.read(0, 1), lambda: file.write(0, b"x"), file.sync, file.size):
            with pytest.raises(DiskError):
                use()


class TestRealDisk(DiskContract):
    @pytest.fixture
    def disk(self) -> Disk:
        return RealDisk()

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        return tmp_path


class TestBreakableDisk(DiskContract):
    @pytest.fixture
    def disk(self) -> Disk:
        return BreakableDisk(seed=1)

    @pytest.fixture
    def root(self, disk: BreakableDisk) -> Path:
        return disk.root
