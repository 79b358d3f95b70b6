"""The breakable disk breaks: every failure it is for can be seen to happen, and only where
allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from thorp.store.disk import DiskError
from thorp.store.testing import BreakableDisk, BreakableFile, PowerLost

SEEDS = range(300)
PIECE = 4
OLD = b"aaaabbbbcccc"
NEW = b"AAAABBBBCCCC"


def survivors(change: Callable[[BreakableDisk, BreakableFile], None]) -> Counter[bytes]:
    """What is left of OLD, durable, after a change and a crash, over many seeds."""
    found: Counter[bytes] = Counter()
    for seed in SEEDS:
        disk = BreakableDisk(seed, piece_bytes=PIECE)
        file = disk.create(disk.root / "a")
        file.write(0, OLD)
        file.sync()
        disk.sync_directory(disk.root)
        change(disk, file)
        disk.crash()
        found[disk.open(disk.root / "a").read(0, 99)] += 1
    return found


def test_what_is_synced_survives() -> None:
    def change(disk: BreakableDisk, file: BreakableFile) -> None:
        file.write(0, NEW)
        file.sync()

    assert set(survivors(change)) == {NEW}


def test_unsynced_pieces_are_kept_dropped_and_torn_each_on_its_own() -> None:
    found = survivors(lambda disk, file: file.write(0, NEW))
    assert found[OLD] > 0
    assert found[NEW] > 0
    assert found[b"aaaaBBBBcccc"] > 0, "a later piece without an earlier one"
    assert found[b"AAAAbbbbCCCC"] > 0
    assert any(found[torn] for torn in (b"Aaaabbbbcccc", b"AAaabbbbcccc", b"AAAabbbbcccc"))


def test_unsynced_writes_are_reordered() -> None:
    def change(disk: BreakableDisk, file: BreakableFile) -> None:
        file.write(0, b"1111")
        file.write(0, b"2222")

    found = survivors(change)
    assert found[b"1111bbbbcccc"] > 0
    assert found[b"2222bbbbcccc"] > 0


def test_an_unsynced_end_may_be_zeros() -> None:
    found = survivors(lambda disk, file: file.write(12, b"DDDDEEEE"))
    assert found[OLD + b"\0\0\0\0EEEE"] > 0
    assert found[OLD + b"\0\0\0\0\0\0\0\0"] > 0


def test_an_unsynced_truncation_may_vanish() -> None:
    found = survivors(lambda disk, file: file.truncate(4))
    assert set(found) == {OLD, b"aaaa"}


def test_killing_the_process_loses_nothing() -> None:
    disk = BreakableDisk(seed=1)
    file = disk.create(disk.root / "a")
    file.write(0, NEW)
    disk.restart(memory_kept=True)
    assert disk.open(disk.root / "a").read(0, 99) == NEW
    with pytest.raises(DiskError, match="closed"):
        file.read(0, 1)


def test_after_a_failed_sync_the_next_one_succeeds_and_lies() -> None:
    visible: Counter[bytes] = Counter()

    def change(disk: BreakableDisk, file: BreakableFile) -> None:
        file.write(0, NEW)
        disk.fail_in(1)
        with pytest.raises(DiskError) as caught:
            file.sync()
        assert caught.value.code == "disk_error"
        visible[file.read(0, 99)] += 1
        file.sync()

    found = survivors(change)
    assert found[OLD] > 0, "forgotten, although the second sync succeeded"
    assert visible[NEW] > found[NEW], "and yet it could still be read"


def test_names_need_a_sync_of_their_directory() -> None:
    found: Counter[tuple[str, ...]] = Counter()
    for seed in SEEDS:
        disk = BreakableDisk(seed)
        disk.create(disk.root / "old").close()
        disk.sync_directory(disk.root)
        disk.create(disk.root / "new").close()
        disk.replace(disk.root / "new", disk.root / "old")
        disk.crash()
        found[tuple(disk.list(disk.root))] += 1
    assert set(found) == {("old",), ("new", "old")}


def test_a_directory_that_is_lost_takes_its_files_along() -> None:
    found: Counter[tuple[str, ...]] = Counter()
    for seed in SEEDS:
        disk = BreakableDisk(seed)
        disk.cut_power_in(2)
        with pytest.raises(PowerLost):
            disk.make_directories(disk.root / "deep")
        disk.restart()
        found[tuple(disk.list(disk.root))] += 1
    assert set(found) == {(), ("deep",)}


def test_space_ends_with_a_short_write() -> None:
    disk = BreakableDisk(seed=1, space_bytes=10)
    file = disk.create(disk.root / "a")
    file.write(0, b"123456")
    with pytest.raises(DiskError) as caught:
        file.write(6, b"7890ab")
    assert caught.value.code == "disk_full"
    assert file.read(0, 99) == b"1234567890"
    file.write(0, b"overwriting needs no space"[:10])
    disk.remove(disk.root / "a")
    disk.create(disk.root / "b").write(0, b"1234567890")


@pytest.mark.parametrize("code", ["disk_full", "disk_error"])
def test_a_failing_write_gets_as_far_as_it_gets(code: str) -> None:
    lengths = set()
    for seed in SEEDS:
        disk = BreakableDisk(seed)
        file = disk.create(disk.root / "a")
        disk.fail_in(2, code)
        file.write(0, b"12")
        with pytest.raises(DiskError) as caught:
            file.write(2, b"34")
        assert caught.value.code == code
        lengths.add(file.size())
    assert lengths == {2, 3, 4}


def test_without_power_nothing_works_until_the_restart() -> None:
    disk = BreakableDisk(seed=1)
    file = disk.create(disk.root / "a")
    file.lock()
    disk.cut_power_in(1)
    for call in (lambda: file.write(0, b"x"), file.sync, file.size, lambda: disk.exists(disk.root)):
        with pytest.raises(PowerLost):
            call()
    disk.restart()
    disk.create(disk.root / "b").lock()


def test_the_seed_decides_everything() -> None:
    def play(seed: int) -> bytes:
        disk = BreakableDisk(seed, piece_bytes=PIECE)
        file = disk.create(disk.root / "a")
        disk.sync_directory(disk.root)
        file.write(0, bytes(range(200)))
        disk.crash()
        return disk.open(disk.root / "a").read(0, 999)

    assert play(7) == play(7)
    assert len({play(seed) for seed in range(20)}) > 5


def test_age_damages_what_is_durable() -> None:
    disk = BreakableDisk(seed=1)
    file = disk.create(disk.root / "a")
    file.write(0, OLD)
    file.sync()
    disk.sync_directory(disk.root)
    disk.corrupt(disk.root / "a", 2, 0xFF)
    disk.crash()
    assert disk.open(disk.root / "a").read(0, 4) == b"aa\xffa"
