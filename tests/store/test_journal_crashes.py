"""Over thousands of seeds, nothing that was acknowledged is lost. `JournalLives` is the model.

The last tests take one safeguard away each, and show that the model then finds the loss.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from thorp.kernel.errors import DamagedError, IllegalError
from thorp.simulator.journal_lives import HEADER, JournalLives
from thorp.simulator.lives import BrokenPromise
from thorp.store import journal as journal_module
from thorp.store import scan as scan_module
from thorp.store.disk import DiskError
from thorp.store.journal import Journal, TornTail
from thorp.store.scan import Scan
from thorp.store.testing import BreakableDisk, Pages

SEEDS = 2_560
CHUNK = 256
LONG_SEEDS = 200_000
LONG_CHUNK = 2_000


def run_seeds(first: int, count: int) -> Counter[str]:
    tally: Counter[str] = Counter()
    for seed in range(first, first + count):
        try:
            tally += JournalLives(seed).run()
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
        tally["seeds"] += 1
    return tally


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_what_is_acknowledged_is_never_lost(first: int) -> None:
    tally = run_seeds(first, CHUNK)
    assert tally["seeds"] == tally["damage named"] == CHUNK
    for event in (
        "power lost",
        "killed",
        "disk_full",
        "disk_error",
        "torn",
        "survived unacknowledged",
    ):
        assert tally[event] > 0, f"no seed of this chunk has shown: {event}"


@pytest.mark.long
@pytest.mark.parametrize("first", range(SEEDS, SEEDS + LONG_SEEDS, LONG_CHUNK))
def test_what_is_acknowledged_is_never_lost_in_the_long_run(first: int) -> None:
    assert run_seeds(first, LONG_CHUNK)["seeds"] == LONG_CHUNK


@pytest.mark.parametrize("code", ["disk_error", "disk_full"])
@pytest.mark.parametrize("change", [1, 2])
def test_after_a_failed_write_or_sync_every_append_refuses(change: int, code: str) -> None:
    disk = BreakableDisk(seed=1)
    path = disk.root / "world.jsonl"
    journal = Journal.open(disk, path, header=HEADER)
    journal.append([b"1"])
    disk.fail_in(change, code)
    with pytest.raises(DiskError) as caught:
        journal.append([b"2"])
    assert caught.value.code == code
    changes = disk.changes
    for use in (lambda: journal.append([b"3"]), journal.sync):
        with pytest.raises(IllegalError, match="open the journal again") as refused:
            use()
        assert refused.value.code == "broken"
    assert journal.records == 1
    assert list(journal.read()) == [b"1"]
    journal.close()
    assert disk.changes == changes, "a broken journal touches the disk no more"
    with Journal.open(disk, path) as journal:
        assert list(journal.read())[:1] == [b"1"]


def find_loss(make_disk: type[BreakableDisk] = BreakableDisk) -> str:
    """Return how the first loss within some seeds shows itself."""
    for seed in range(3000):
        try:
            JournalLives(seed, make_disk).run()
        except (BrokenPromise, DamagedError) as error:
            return type(error).__name__
    return "nothing was lost"


def test_without_sync_records_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pages, "sync", lambda pages: None)
    assert find_loss() in ("BrokenPromise", "DamagedRecord")


def test_without_syncing_what_it_found_recovery_promises_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def settle(disk: BreakableDisk, path: Path, file, scan: Scan, torn: TornTail | None) -> None:
        if torn is not None:
            file.truncate(scan.end)

    monkeypatch.setattr(journal_module, "_settle", settle)
    monkeypatch.setattr(JournalLives, "check_torn", lambda *_: None)
    assert find_loss() in ("BrokenPromise", "DamagedRecord")


def test_without_writing_again_recovery_trusts_pages_that_a_failed_sync_forgot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def settle(disk: BreakableDisk, path: Path, file, scan: Scan, torn: TornTail | None) -> None:
        if torn is not None:
            file.truncate(scan.end)
        file.sync()
        disk.sync_directory(path.parent)

    monkeypatch.setattr(journal_module, "_settle", settle)
    monkeypatch.setattr(JournalLives, "check_torn", lambda *_: None)
    assert find_loss() in ("BrokenPromise", "DamagedRecord")


def test_without_syncing_the_directory_a_whole_journal_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class ForgetsDirectories(BreakableDisk):
        def sync_directory(self, path: Path) -> None:
            pass

    assert find_loss(ForgetsDirectories) == "BrokenPromise"


def test_without_looking_for_witnesses_damage_passes_for_a_torn_tail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scan_module, "_witness", lambda *_: None)
    with pytest.raises(BrokenPromise, match="not noticed"):
        run_seeds(0, 20)
