"""Processes that are really killed, in the middle of writing.

This does not show durability, because the system keeps the memory of its files; the breakable disk
is for that. It shows that the real disk, SQLite and PostgreSQL are used as the models assume, and
that what a killed process leaves behind can be opened.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.postgres import Cluster, cluster_or_skip
from tests.store.kill_child import payload
from thorp.store import Connection, Journal, RealDisk, open_database

KILLS = 20
LONG_KILLS = 200
SERVER_CRASHES = 3
LONG_SERVER_CRASHES = 20
END_TIMEOUT_S = 30
LONGEST_LIFE_S = 0.08
REPOSITORY = Path(__file__).parents[2]

kills = pytest.mark.parametrize("count", [KILLS, pytest.param(LONG_KILLS, marks=pytest.mark.long)])


class Child:
    """A writing process. Its output is read to the end after it has been killed."""

    def __init__(self, kind: str, where: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.kill_child", kind, where],
            cwd=REPOSITORY,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A buffer would keep what `communicate` looks for behind the first line.
            bufsize=0,
        )
        # Nobody waits for a process that never says anything.
        self._watchdog = threading.Timer(END_TIMEOUT_S, self._process.kill)
        self._watchdog.start()
        assert self._process.stdout is not None
        self._first = self._process.stdout.readline()

    def kill(self) -> list[int]:
        """Kill it and return what it has acknowledged."""
        self._process.kill()
        return self.acknowledged()

    def acknowledged(self) -> list[int]:
        self._watchdog.cancel()
        rest, errors = self._process.communicate(timeout=END_TIMEOUT_S)
        assert self._first, errors.decode()
        # The last line may have been cut off with the process.
        return [int(line) for line in (self._first + rest).split(b"\n")[:-1]]


def live_and_die(kind: str, where: str, random: Random) -> list[int]:
    child = Child(kind, where)
    time.sleep(random.uniform(0, LONGEST_LIFE_S))
    numbers = child.kill()
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return numbers


@kills
def test_a_killed_journal_has_what_it_acknowledged(tmp_path: Path, count: int) -> None:
    random = Random(count)
    path = tmp_path / "world.jsonl"
    last = 0
    for _ in range(count):
        last = live_and_die("journal", str(path), random)[-1]
        with Journal.open(RealDisk(), path) as journal:
            assert journal.records >= last
    with Journal.open(RealDisk(), path) as journal:
        assert list(journal.read()) == [payload(n).encode() for n in range(1, journal.records + 1)]


def check_database(url: str, last: int) -> None:
    def look(connection: Connection) -> list[tuple[int, str]]:
        return connection.execute("SELECT n, body FROM entry ORDER BY n")

    with open_database(url) as database:
        rows = database.read(look)
    assert len(rows) >= last
    assert rows == [(n, payload(n)) for n in range(1, len(rows) + 1)]


def kill_database_writers(url: str, count: int) -> None:
    random = Random(count)
    for _ in range(count):
        check_database(url, live_and_die("database", url, random)[-1])


@kills
def test_a_killed_sqlite_has_what_it_acknowledged(tmp_path: Path, count: int) -> None:
    kill_database_writers(f"sqlite:///{tmp_path}/ledger.db", count)


@kills
@pytest.mark.real("postgresql")
def test_a_killed_client_of_postgresql_has_what_it_acknowledged(
    postgres: Cluster, count: int
) -> None:
    kill_database_writers(postgres.make_schema(), count)


@pytest.fixture
def own_cluster() -> Iterator[Cluster]:
    with cluster_or_skip() as cluster:
        yield cluster


@pytest.mark.parametrize(
    "count", [SERVER_CRASHES, pytest.param(LONG_SERVER_CRASHES, marks=pytest.mark.long)]
)
@pytest.mark.real("postgresql")
def test_a_crashed_server_has_what_was_acknowledged(own_cluster: Cluster, count: int) -> None:
    """The server stops at once, and the client sees its connection break."""
    random = Random(count)
    url = own_cluster.make_database()
    for _ in range(count):
        child = Child("database", url)
        time.sleep(random.uniform(0, LONGEST_LIFE_S))
        own_cluster.crash()
        numbers = child.acknowledged()
        own_cluster.start()
        check_database(url, numbers[-1])
