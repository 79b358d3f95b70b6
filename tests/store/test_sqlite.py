"""What is particular to SQLite: its settings, and its ways to fail."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from tests.store.test_database import WAIT_S, insert, ledger, numbers
from thorp.kernel.errors import DamagedError, IllegalError, UnavailableError
from thorp.store import session as session_module
from thorp.store.database import Database
from thorp.store.disk import DiskError
from thorp.store.real_disk import RealDisk
from thorp.store.sqlite import SqliteSession, open_sqlite, prepare_writer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


def connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def open_session(path: Path) -> SqliteSession:
    session = SqliteSession(path, connect(path))
    prepare_writer(session, RealDisk(), path)
    return session


def test_a_commit_is_synced_and_the_log_is_written_ahead(path: Path) -> None:
    session = open_session(path)
    settings = {
        name: session.run(f"PRAGMA {name}")[0][0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    }
    session.close()
    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 10_000,
    }


def test_a_full_database_acknowledges_nothing_and_stops(path: Path) -> None:
    session = open_session(path)
    session.run("PRAGMA max_page_count = 8")
    with Database("small", session, lambda: open_session(path)) as database:
        database.submit(ledger).result(WAIT_S)
        database.submit(insert(1)).result(WAIT_S)
        with pytest.raises(DiskError) as caught:
            database.submit(insert(2, "x" * 100_000)).result(WAIT_S)
        assert caught.value.code == "disk_full"
        with pytest.raises(IllegalError) as refused:
            database.submit(insert(3))
        assert refused.value.code == "broken"
        assert database.read(numbers) == [1]
    with open_sqlite(path) as database:
        assert database.submit(insert(3)).result(WAIT_S) == 3
        assert database.read(numbers) == [1, 3]


def test_a_missing_directory_is_named(path: Path) -> None:
    with pytest.raises(DiskError, match="check that the directory exists") as caught:
        open_sqlite(path / "deeper" / "ledger.db")
    assert "ledger.db" in str(caught.value)


def test_a_file_that_is_no_database_is_refused_and_kept(path: Path) -> None:
    content = b"the diary of Agnes Thistlewood, who never ran a database\n" * 100
    path.write_bytes(content)
    with pytest.raises(DamagedError, match="restore"):
        open_sqlite(path)
    assert path.read_bytes() == content


def test_a_damaged_page_is_told(path: Path) -> None:
    with open_sqlite(path) as database:
        database.submit(ledger).result(WAIT_S)
        for n in range(200):
            database.submit(insert(n, "x" * 200)).result(WAIT_S)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(4096 * 4))
    with open_sqlite(path) as database, pytest.raises(DamagedError):
        database.submit(lambda each: each.execute("SELECT count(body) FROM entry")).result(WAIT_S)


def test_a_database_that_is_held_elsewhere_is_busy(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "BUSY_TIMEOUT_S", 0)
    with open_sqlite(path) as database:
        database.submit(ledger).result(WAIT_S)
        other = open_session(path)
        other.begin()
        with pytest.raises(UnavailableError) as caught:
            database.submit(insert(1)).result(WAIT_S)
        assert caught.value.code == "busy"
        other.rollback()
        other.close()
        assert database.submit(insert(1)).result(WAIT_S) == 1


def test_two_statements_in_one_call_are_refused(path: Path) -> None:
    with open_sqlite(path) as database, pytest.raises(Exception, match="one statement"):
        database.submit(lambda each: each.execute("SELECT 1; SELECT 2")).result(WAIT_S)


def test_without_a_write_ahead_log_it_is_refused(path: Path) -> None:
    class NoLog(SqliteSession):
        def run(self, sql, params=()):
            return [("delete",)] if "journal_mode" in sql else super().run(sql, params)

    session = NoLog(path, connect(path))
    with pytest.raises(DiskError, match="write-ahead log"):
        prepare_writer(session, RealDisk(), path)
    session.close()
