"""What a database does, the same on SQLite, on SQLite through apsw, and on PostgreSQL."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.postgres import Cluster
from thorp.kernel.errors import IllegalError, InvalidError, StaleError, UnavailableError
from thorp.store import database as database_module
from thorp.store.database import MAX_GROUP_WORKS, Database, migrate
from thorp.store.real_disk import RealDisk
from thorp.store.session import Connection, ConstraintError, StatementError
from thorp.store.sqlite import SqliteSession, prepare_writer
from thorp.store.url import open_database

WAIT_S = 60

OpenDatabase = Callable[[], Database]


def ledger(connection: Connection) -> None:
    connection.execute("CREATE TABLE entry (n BIGINT PRIMARY KEY, body TEXT, raw BYTEA)")


def insert(n: int, body: str | None = "x", raw: bytes | None = None) -> Callable[[Connection], int]:
    def work(connection: Connection) -> int:
        connection.execute("INSERT INTO entry (n, body, raw) VALUES (?, ?, ?)", [n, body, raw])
        return n

    return work


def numbers(connection: Connection) -> list[int]:
    return [n for (n,) in connection.execute("SELECT n FROM entry ORDER BY n")]


class Gate:
    """A work that holds the writer until it is told to go on."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()

    def __call__(self, connection: Connection) -> str:
        self.reached.set()
        assert self.open.wait(WAIT_S)
        return "through"


class DatabaseContract:
    """Inherit it and give `open_again`, which opens the same, at first empty, database."""

    @pytest.fixture
    def database(self, open_again: OpenDatabase) -> Iterator[Database]:
        with open_again() as database:
            database.submit(ledger).result(WAIT_S)
            yield database

    def test_a_work_s_value_is_its_result(self, database: Database) -> None:
        assert database.submit(insert(7)).result(WAIT_S) == 7
        assert database.read(numbers) == [7]

    def test_values_come_back_as_they_went(self, database: Database) -> None:
        rows = [(2**63 - 1, "é\U0001f600", b"\0\xff"), (-(2**63), "", b""), (0, None, None)]
        for row in rows:
            database.submit(insert(*row)).result(WAIT_S)
        found = database.read(
            lambda connection: connection.execute("SELECT n, body, raw FROM entry")
        )
        assert sorted(found) == sorted(rows)

    @pytest.mark.parametrize("value", [1.5, True, [1], bytearray(b"x")])
    def test_other_kinds_of_values_are_refused(self, database: Database, value: object) -> None:
        with pytest.raises(InvalidError, match="None, int, str or bytes"):
            database.submit(insert(1, value)).result(WAIT_S)  # type: ignore[arg-type]
        assert database.read(numbers) == []

    @pytest.mark.parametrize("values", [(2**63, "x"), (1, "\ud800")])
    def test_values_that_do_not_fit_are_refused(
        self, database: Database, values: tuple[int, str]
    ) -> None:
        with pytest.raises(StatementError):
            database.submit(insert(*values)).result(WAIT_S)
        assert database.submit(insert(3)).result(WAIT_S) == 3

    def test_a_failed_work_leaves_nothing_and_disturbs_no_one(self, database: Database) -> None:
        class ChangeOfMind(Exception):
            pass

        def regrets(connection: Connection) -> None:
            insert(2)(connection)
            raise ChangeOfMind

        gate = Gate()
        works: list[Callable[[Connection], object]] = [
            gate,
            insert(1),
            regrets,
            insert(1),
            insert(3),
        ]
        futures = [database.submit(work) for work in works]
        gate.open.set()
        wait(futures, WAIT_S)
        assert [type(future.exception(0)) for future in futures] == [
            type(None),
            type(None),
            ChangeOfMind,
            ConstraintError,
            type(None),
        ]
        assert database.read(numbers) == [1, 3]

    def test_a_failed_statement_dooms_its_work(self, database: Database) -> None:
        def stubborn(connection: Connection) -> str:
            insert(5)(connection)
            for _ in range(2):
                with pytest.raises(ConstraintError):
                    insert(5)(connection)
            with pytest.raises(ConstraintError):
                numbers(connection)
            return "as if nothing had happened"

        with pytest.raises(ConstraintError) as caught:
            database.submit(stubborn).result(WAIT_S)
        assert caught.value.code == "constraint"
        assert database.submit(insert(6)).result(WAIT_S) == 6
        assert database.read(numbers) == [6]

    @pytest.mark.parametrize(
        "sql",
        [
            "COMMIT",
            "  rollback",
            "/* sly */ -- very\n BEGIN",
            "SAVEPOINT mine",
            "Release work",
            "end",
            "PRAGMA synchronous = OFF",
            "SET synchronous_commit = off",
            "VACUUM",
            "",
            "-- nothing\n",
        ],
    )
    def test_transactions_and_settings_are_not_for_works(
        self, database: Database, sql: str
    ) -> None:
        with pytest.raises(InvalidError, match="plain statements"):
            database.submit(lambda connection: connection.execute(sql)).result(WAIT_S)

    def test_bad_sql_is_refused_and_the_next_work_is_fine(self, database: Database) -> None:
        with pytest.raises(StatementError):
            database.submit(lambda connection: connection.execute("SELEC 1")).result(WAIT_S)
        with pytest.raises(StatementError):
            database.submit(lambda connection: connection.execute("SELECT ?", [])).result(WAIT_S)
        assert database.submit(insert(1)).result(WAIT_S) == 1

    def test_question_marks_in_quotes_and_comments_are_themselves(self, database: Database) -> None:
        sql = """SELECT 'why?', "body" || '''?' /* what? */ FROM entry WHERE n = ? -- really?"""
        database.submit(insert(1, "is it")).result(WAIT_S)
        assert database.read(lambda connection: connection.execute(sql, [1])) == [
            ("why?", "is it'?")
        ]

    def test_later_works_of_a_group_see_earlier_ones(self, database: Database) -> None:
        gate = Gate()
        futures: list[Future[object]] = [database.submit(gate)]
        futures += [database.submit(insert(n)) for n in range(3)]
        futures.append(database.submit(numbers))
        gate.open.set()
        assert futures[-1].result(WAIT_S) == [0, 1, 2]

    def test_nothing_is_told_or_seen_before_the_common_commit(self, database: Database) -> None:
        """The gate is the last of a group of two: the first is done, and no one knows it."""
        opening, closing = Gate(), Gate()
        first = database.submit(opening)
        assert opening.reached.wait(WAIT_S)
        early, late = database.submit(insert(1)), database.submit(closing)
        opening.open.set()
        assert first.result(WAIT_S) == "through"
        assert closing.reached.wait(WAIT_S)
        time.sleep(0.05)
        assert not early.done()
        assert database.read(numbers) == []
        closing.open.set()
        assert early.result(WAIT_S) == 1
        assert late.result(WAIT_S) == "through"
        assert database.read(numbers) == [1]

    def test_a_commit_that_fails_fails_for_the_whole_group(self, database: Database) -> None:
        """A deferred constraint is checked by the commit, when it is too late to know whose fault
        it is."""

        def schema(connection: Connection) -> None:
            connection.execute(
                "CREATE TABLE child (n BIGINT REFERENCES entry (n) DEFERRABLE INITIALLY DEFERRED)"
            )

        database.submit(schema).result(WAIT_S)
        gate = Gate()
        first = database.submit(gate)
        assert gate.reached.wait(WAIT_S)
        group: list[Future[Any]] = [
            database.submit(insert(1)),
            database.submit(
                lambda connection: connection.execute("INSERT INTO child VALUES (?)", [99])
            ),
            database.submit(insert(2)),
        ]
        gate.open.set()
        assert first.result(WAIT_S) == "through"
        for future in group:
            with pytest.raises(ConstraintError):
                future.result(WAIT_S)
        assert database.read(numbers) == []
        assert database.submit(insert(3)).result(WAIT_S) == 3, (
            "it was not the disk: the database goes on"
        )

    def test_a_full_queue_refuses_at_once(
        self, database: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(database_module, "MAX_QUEUED_WORKS", 3)
        gate = Gate()
        futures: list[Future[object]] = [database.submit(gate)]
        assert gate.reached.wait(WAIT_S)
        futures += [database.submit(insert(n)) for n in range(3)]
        with pytest.raises(UnavailableError) as caught:
            database.submit(insert(3))
        assert caught.value.code == "queue_full"
        gate.open.set()
        wait(futures, WAIT_S)
        assert database.read(numbers) == [0, 1, 2]

    def test_more_works_than_a_group_may_have(self, database: Database) -> None:
        gate = Gate()
        futures: list[Future[object]] = [database.submit(gate)]
        futures += [database.submit(insert(n)) for n in range(MAX_GROUP_WORKS + 5)]
        gate.open.set()
        assert [future.result(WAIT_S) for future in futures[1:]] == list(range(MAX_GROUP_WORKS + 5))

    def test_a_work_that_submits_is_refused(self, database: Database) -> None:
        with pytest.raises(IllegalError) as caught:
            database.submit(lambda _: database.submit(insert(1))).result(WAIT_S)
        assert caught.value.code == "nested"

    def test_a_callback_may_submit(self, database: Database) -> None:
        second: Future[Future[int]] = Future()
        first = database.submit(insert(1))
        first.add_done_callback(lambda _: second.set_result(database.submit(insert(2))))
        assert second.result(WAIT_S).result(WAIT_S) == 2

    def test_a_cancelled_work_is_not_done(self, database: Database) -> None:
        gate = Gate()
        futures: list[Future[object]] = [database.submit(gate)]
        assert gate.reached.wait(WAIT_S)
        unwanted = database.submit(insert(1))
        futures.append(database.submit(insert(2)))
        assert unwanted.cancel()
        gate.open.set()
        wait(futures, WAIT_S)
        assert database.read(numbers) == [2]

    def test_a_group_of_cancelled_works_is_no_end(self, database: Database) -> None:
        gate = Gate()
        first = database.submit(gate)
        assert gate.reached.wait(WAIT_S)
        assert database.submit(insert(1)).cancel()
        gate.open.set()
        assert first.result(WAIT_S) == "through"
        assert database.submit(insert(2)).result(WAIT_S) == 2

    def test_a_reader_sees_one_state(self, database: Database) -> None:
        database.submit(insert(1)).result(WAIT_S)

        def look_twice(connection: Connection) -> tuple[list[int], list[int]]:
            before = numbers(connection)
            database.submit(insert(2)).result(WAIT_S)
            return before, numbers(connection)

        assert database.read(look_twice) == ([1], [1])
        assert database.read(numbers) == [1, 2]

    def test_a_reader_cannot_write(self, database: Database) -> None:
        with pytest.raises(StatementError):
            database.read(insert(1))
        assert database.read(numbers) == []

    def test_a_reader_that_fails_is_followed_by_others(self, database: Database) -> None:
        for _ in range(10):
            with pytest.raises(StatementError):
                database.read(lambda connection: connection.execute("SELECT nonsense"))
            with pytest.raises(ZeroDivisionError):
                database.read(lambda _: 1 // 0)
        assert database.read(numbers) == []

    def test_many_readers_and_writers(self, database: Database) -> None:
        failures: list[BaseException] = []

        def write(first: int) -> None:
            try:
                for n in range(first, first + 25):
                    database.submit(insert(n)).result(WAIT_S)
                    assert n in database.read(numbers)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=write, args=[100 * number]) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WAIT_S)
        assert failures == []
        assert len(database.read(numbers)) == 150

    def test_two_databases_take_turns(self, database: Database, open_again: OpenDatabase) -> None:
        """Read, add one, write back, from two writers at once: no addition is lost."""
        database.submit(insert(1, "0")).result(WAIT_S)

        def add_one(connection: Connection) -> None:
            [(body,)] = connection.execute("SELECT body FROM entry WHERE n = 1")
            connection.execute("UPDATE entry SET body = ? WHERE n = 1", [str(int(body) + 1)])

        with open_again() as other:
            for _ in range(20):
                wait(
                    [writer.submit(add_one) for writer in (database, other) for _ in range(5)],
                    WAIT_S,
                )
        [(total,)] = database.read(lambda connection: connection.execute("SELECT body FROM entry"))
        assert total == "200"

    def test_closing_commits_what_is_queued_and_then_refuses(
        self, database: Database, open_again: OpenDatabase
    ) -> None:
        futures = [database.submit(insert(n)) for n in range(50)]
        database.close()
        assert [future.result(0) for future in futures] == list(range(50))
        for use in (lambda: database.submit(insert(99)), lambda: database.read(numbers)):
            with pytest.raises(IllegalError) as caught:
                use()
            assert caught.value.code == "closed"
        database.close()
        with open_again() as again:
            assert again.read(numbers) == list(range(50))

    def test_a_work_that_ends_the_thread_breaks_the_database(self, database: Database) -> None:
        def leaves(_: Connection) -> None:
            raise SystemExit

        with pytest.raises(SystemExit):
            database.submit(leaves).result(WAIT_S)
        with pytest.raises(IllegalError) as caught:
            database.submit(insert(1))
        assert caught.value.code == "broken"

    def test_the_dialect_is_known(self, database: Database) -> None:
        assert database.read(lambda connection: connection.dialect) in ("sqlite", "postgresql")

    # Migrations.

    STEPS = (
        ["CREATE TABLE house (n BIGINT PRIMARY KEY)", "INSERT INTO house VALUES (1)"],
        ["ALTER TABLE house ADD COLUMN name TEXT"],
    )

    def test_steps_are_applied_once(self, database: Database) -> None:
        def to(count: int) -> int:
            return database.submit(lambda each: migrate(each, "town", self.STEPS[:count])).result(
                WAIT_S
            )

        assert [to(1), to(1), to(2), to(2)] == [0, 1, 1, 2]
        houses = database.read(lambda connection: connection.execute("SELECT n, name FROM house"))
        assert houses == [(1, None)]

    def test_components_have_their_own_numbers(self, database: Database) -> None:
        works = [
            lambda connection: migrate(connection, "town", self.STEPS),
            lambda connection: migrate(connection, "story", [["CREATE TABLE tale (n BIGINT)"]]),
        ]
        assert [database.submit(work).result(WAIT_S) for work in works * 2] == [0, 0, 2, 1]

    def test_a_newer_database_is_refused(self, database: Database) -> None:
        database.submit(lambda connection: migrate(connection, "town", self.STEPS)).result(WAIT_S)
        with pytest.raises(
            StaleError, match="version 2 of town, and this release knows 1"
        ) as caught:
            database.submit(lambda each: migrate(each, "town", self.STEPS[:1])).result(WAIT_S)
        assert caught.value.code == "newer"

    def test_a_step_that_fails_leaves_nothing_of_any(self, database: Database) -> None:
        steps = [
            *self.STEPS,
            ["INSERT INTO house VALUES (2, 'b')", "INSERT INTO house VALUES (2, 'c')"],
        ]
        with pytest.raises(ConstraintError):
            database.submit(lambda connection: migrate(connection, "town", steps)).result(WAIT_S)
        assert database.submit(lambda each: migrate(each, "town", self.STEPS)).result(WAIT_S) == 0


class TestSqlite(DatabaseContract):
    @pytest.fixture
    def open_again(self, tmp_path: Path) -> OpenDatabase:
        return lambda: open_database(f"sqlite:///{tmp_path}/ledger.db")


class TestApsw(DatabaseContract):
    """The connection is a parameter: the same code over another library."""

    @pytest.fixture
    def open_again(self, tmp_path: Path) -> OpenDatabase:
        path = tmp_path / "ledger.db"

        def connect(*, reader: bool = False) -> SqliteSession:
            return SqliteSession(
                path,
                apsw.Connection(str(path)),
                reader=reader,
                errors=(apsw.Error,),
                code_of=lambda error: getattr(error, "result", apsw.SQLITE_ERROR),
            )

        def open_reader() -> SqliteSession:
            session = connect(reader=True)
            session.run("PRAGMA query_only = ON")
            return session

        def open_it() -> Database:
            writer = connect()
            prepare_writer(writer, RealDisk(), path)
            return Database("apsw", writer, open_reader)

        return open_it


@pytest.mark.real("postgresql")
class TestPostgres(DatabaseContract):
    @pytest.fixture
    def open_again(self, postgres: Cluster) -> OpenDatabase:
        url = postgres.make_schema()
        return lambda: open_database(url)
