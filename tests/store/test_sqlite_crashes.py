"""SQLite with our group commit, on the breakable disk. See `thorp.simulator.database_lives` for the
model.

The last tests take one safeguard away each, and show that the loss is found.
"""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Callable

import pytest

from tests.store.test_database import WAIT_S, insert, ledger, numbers
from thorp.kernel.errors import ThorpError
from thorp.simulator.breakable_sqlite import BreakableSqlite
from thorp.simulator.database_lives import DatabaseLives
from thorp.store.database import Database, commit_group
from thorp.store.disk import DiskError
from thorp.store.sqlite import SqliteSession
from thorp.store.testing import BreakableDisk, PowerLost

SEEDS = 1_024
CHUNK = 256
LONG_SEEDS = 108_000
LONG_CHUNK = 2_000


def run_seeds(first: int, count: int) -> Counter[str]:
    tally: Counter[str] = Counter()
    for seed in range(first, first + count):
        try:
            tally += DatabaseLives(seed).run()
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
        tally["seeds"] += 1
    return tally


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_what_is_acknowledged_is_never_lost(first: int) -> None:
    tally = run_seeds(first, CHUNK)
    assert tally["seeds"] == CHUNK
    for event in (
        "power lost",
        "killed",
        "disk_full",
        "disk_error",
        "survived unacknowledged",
        "works undone",
    ):
        assert tally[event] > 0, f"no seed of this chunk has shown: {event}"


@pytest.mark.long
@pytest.mark.parametrize("first", range(SEEDS, SEEDS + LONG_SEEDS, LONG_CHUNK))
def test_what_is_acknowledged_is_never_lost_in_the_long_run(first: int) -> None:
    assert run_seeds(first, LONG_CHUNK)["seeds"] == LONG_CHUNK


@pytest.mark.parametrize("seed", range(40))
def test_the_writer_s_thread_acknowledges_only_what_is_durable(seed: int) -> None:
    """The whole Database, with works from several threads, losing power while it is busy."""
    disk = BreakableDisk(seed, piece_bytes=4096)
    path = disk.root / "ledger.db"
    acknowledged: list[int] = []

    def write(database: Database, first: int) -> None:
        with contextlib.suppress(ThorpError):
            for n in range(first, first + 20):
                acknowledged.append(database.submit(insert(n)).result(WAIT_S))
                assert n in database.read(numbers)

    with BreakableSqlite(disk) as sqlite:
        database = sqlite.open(path)
        database.submit(ledger).result(WAIT_S)
        disk.cut_power_in(10 + seed * 3)
        threads = [threading.Thread(target=write, args=[database, 100 * each]) for each in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WAIT_S)
        with contextlib.suppress(DiskError):
            database.close()
        disk.restart()
        with sqlite.open(path) as database:
            found = database.read(numbers)
    assert set(acknowledged) <= set(found)


Scenario = Callable[[BreakableSqlite, BreakableDisk], None]


def commit(session: SqliteSession, n: int) -> None:
    [outcome] = commit_group(session, [insert(n)])
    assert outcome.error is None


def losses(scenario: Scenario, expected: set[int]) -> int:
    """Play a scenario over some seeds, ending each with a crash; count those that lost a record."""
    lost = 0
    for seed in range(60):
        disk = BreakableDisk(seed, piece_bytes=4096)
        with BreakableSqlite(disk) as sqlite:
            scenario(sqlite, disk)
            disk.crash()
            with contextlib.closing(sqlite.connect(disk.root / "ledger.db")) as session:
                try:
                    found = set(numbers(session))
                except ThorpError:
                    found = set()
            lost += not expected <= found
    return lost


def die(disk: BreakableDisk, session: SqliteSession) -> None:
    """End the process without the tidying of a close."""
    disk.cut_power_in(1)
    with contextlib.suppress(DiskError):
        session.close()
    disk.restart(memory_kept=True)


def commit_and_die(sqlite: BreakableSqlite, disk: BreakableDisk) -> None:
    session = sqlite.connect(disk.root / "ledger.db")
    commit_group(session, [ledger])
    commit(session, 1)
    die(disk, session)


def fail_a_sync_and_go_on(sqlite: BreakableSqlite, disk: BreakableDisk) -> None:
    """A commit's sync fails; the process starts again, on the same machine, and commits more."""
    session = sqlite.connect(disk.root / "ledger.db")
    commit_group(session, [ledger])
    before = disk.changes
    commit(session, 1)
    disk.fail_in(disk.changes - before)
    with pytest.raises(DiskError):
        commit_group(session, [insert(2)])
    die(disk, session)
    session = sqlite.connect(disk.root / "ledger.db")
    commit(session, 3)
    die(disk, session)


def die_while_being_made(sqlite: BreakableSqlite, disk: BreakableDisk) -> None:
    """The process ends at the first change after the rollback journal is deleted, and starts
    again."""
    disk.cut_power_in(12)
    with pytest.raises((DiskError, PowerLost)):
        sqlite.connect(disk.root / "ledger.db")
    disk.restart(memory_kept=True)
    session = sqlite.connect(disk.root / "ledger.db")
    commit_group(session, [ledger])
    commit(session, 1)
    session.close()


SCENARIOS = [(commit_and_die, {1}), (fail_a_sync_and_go_on, {1, 3}), (die_while_being_made, {1})]


@pytest.mark.parametrize(("scenario", "expected"), SCENARIOS)
def test_the_scenarios_lose_nothing(scenario: Scenario, expected: set[int]) -> None:
    assert losses(scenario, expected) == 0


def replacing(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    run = SqliteSession.run
    monkeypatch.setattr(
        SqliteSession,
        "run",
        lambda session, sql, params=(): run(session, sql.replace(old, new), params),
    )


def test_without_full_synchrony_records_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    replacing(monkeypatch, "synchronous = FULL", "synchronous = NORMAL")
    assert losses(commit_and_die, {1}) > 0


def test_without_emptying_the_log_records_behind_a_failed_sync_are_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replacing(monkeypatch, "PRAGMA wal_checkpoint(TRUNCATE)", "SELECT 1")
    assert losses(fail_a_sync_and_go_on, {1, 3}) > 0


def test_without_syncing_the_directory_an_old_journal_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sync = BreakableDisk.sync_directory
    # SQLite itself syncs when it makes a journal: that one stays. Ours comes when all is made.
    monkeypatch.setattr(
        BreakableDisk,
        "sync_directory",
        lambda disk, path: sync(disk, path) if disk.exists(path / "ledger.db-journal") else None,
    )
    assert losses(die_while_being_made, {1}) > 0
