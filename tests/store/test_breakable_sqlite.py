"""A `Database` on the breakable disk, while it does not break: writer and readers share a
connection."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tests.store.test_database import WAIT_S, Gate, insert, ledger, numbers
from thorp.simulator import breakable_sqlite as shared_module
from thorp.simulator.breakable_sqlite import BreakableSqlite
from thorp.store.database import Database
from thorp.store.session import Connection, StatementError
from thorp.store.testing import BreakableDisk


@pytest.fixture
def database() -> Iterator[Database]:
    disk = BreakableDisk(seed=1, piece_bytes=4096)
    with BreakableSqlite(disk) as sqlite, sqlite.open(disk.root / "ledger.db") as database:
        database.submit(ledger).result(WAIT_S)
        yield database


def test_it_writes_and_reads(database: Database) -> None:
    assert database.submit(insert(1)).result(WAIT_S) == 1
    with pytest.raises(ZeroDivisionError):
        database.submit(lambda _: 1 // 0).result(WAIT_S)
    assert database.read(numbers) == [1]


def test_readers_cannot_write_and_the_writer_still_can(database: Database) -> None:
    with pytest.raises(StatementError, match="submit it"):
        database.read(insert(1))
    assert database.submit(insert(2)).result(WAIT_S) == 2
    assert database.read(numbers) == [2]


def test_a_reader_waits_for_the_commit(database: Database) -> None:
    gate = Gate()
    work = database.submit(lambda connection: (insert(1)(connection), gate(connection)))
    assert gate.reached.wait(WAIT_S)
    found: list[list[int]] = []
    reader = threading.Thread(target=lambda: found.append(database.read(numbers)))
    reader.start()
    gate.open.set()
    reader.join(WAIT_S)
    assert work.result(WAIT_S) == (1, "through")
    assert found == [[1]]


def test_a_reader_that_waits_for_the_writer_is_told(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_module, "BUSY_TIMEOUT_S", 0.01)

    def wait_for_the_writer(_: Connection) -> BaseException | None:
        return database.submit(insert(2)).exception(WAIT_S)

    assert getattr(database.read(wait_for_the_writer), "code", None) == "busy"
    assert database.submit(insert(3)).result(WAIT_S) == 3
    assert database.read(numbers) == [3]
