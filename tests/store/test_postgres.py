"""What is particular to PostgreSQL: lost connections, locks, and the extra that it needs."""

from __future__ import annotations

import builtins
import sys
from operator import methodcaller
from typing import Any

import pytest

from tests.postgres import Cluster, cluster_or_skip
from tests.store.test_database import WAIT_S, insert, ledger, numbers
from thorp.kernel.errors import DamagedError, IllegalError, ThorpError, UnavailableError
from thorp.store import postgres as postgres_module
from thorp.store.disk import DiskError
from thorp.store.postgres import PostgresSession, numbered, open_postgres
from thorp.store.session import Connection, ConnectionLost, ConstraintError, StatementError
from thorp.store.url import open_database


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT 1", b"SELECT 1"),
        ("SELECT ?, ? WHERE a=?", b"SELECT $1, $2 WHERE a=$3"),
        ("SELECT '?', ?", b"SELECT '?', $1"),
        ("SELECT 'it''s ?', \"odd?\"\"?\", ?", b"SELECT 'it''s ?', \"odd?\"\"?\", $1"),
        ("SELECT ? -- ?\n, ?", b"SELECT $1 -- ?\n, $2"),
        ("SELECT /* ? \n ' */ ?", b"SELECT /* ? \n ' */ $1"),
    ],
)
def test_parameters_are_numbered(sql: str, expected: bytes) -> None:
    assert numbered(sql) == expected


def test_without_the_extra_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real_import = builtins.__import__

    def refuse(name: str, *rest: Any) -> object:
        if name == "psycopg":
            raise ImportError(name)
        return real_import(name, *rest)

    monkeypatch.delitem(sys.modules, "psycopg", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(IllegalError, match=r"pip install 'thorp\[postgres\]'") as caught:
        open_database("postgresql://localhost/nowhere")
    assert caught.value.code == "missing_extra"


def test_a_server_that_is_not_there_is_told_without_the_password(tmp_path) -> None:
    with pytest.raises(DiskError, match="could not connect") as caught:
        open_database(f"postgresql://agnes:hunter2@/town?host={tmp_path}")
    assert caught.value.code == "disconnected"
    assert "hunter2" not in str(caught.value)


@pytest.mark.real("postgresql")
class TestServer:
    @pytest.fixture
    def url(self, postgres: Cluster) -> str:
        return postgres.make_database()

    @pytest.fixture
    def session(self, url: str):
        session = postgres_module._connect(url)
        yield session
        session.close()

    def test_a_lost_connection_acknowledges_nothing_and_is_made_again(
        self, url: str, session: PostgresSession
    ) -> None:
        with open_database(url) as database:
            database.submit(ledger).result(WAIT_S)

            def lose(connection: Connection) -> None:
                insert(1)(connection)
                [(backend,)] = connection.execute("SELECT pg_backend_pid()")
                session.run("SELECT pg_terminate_backend(?, 10000)", [backend])
                insert(2)(connection)

            with pytest.raises(ConnectionLost, match="nothing of this was kept") as caught:
                database.submit(lose).result(WAIT_S)
            assert (caught.value.code, caught.value.during) == ("disconnected", "work")
            assert database.read(numbers) == []
            assert database.submit(insert(3)).result(WAIT_S) == 3
            assert database.read(numbers) == [3]

    def test_a_restarted_server_is_found_again(self) -> None:
        with cluster_or_skip() as cluster, open_database(cluster.make_database()) as database:
            database.submit(ledger).result(WAIT_S)
            assert database.read(numbers) == []
            cluster.crash()
            for _ in range(2):
                with pytest.raises(ConnectionLost, match="could not connect"):
                    database.submit(insert(1)).result(WAIT_S)
            with pytest.raises(ConnectionLost):
                database.read(numbers)
            cluster.start()
            assert database.submit(insert(2)).result(WAIT_S) == 2
            cluster.crash()
            cluster.start()
            assert database.read(numbers) == [2]
            assert database.submit(insert(3)).result(WAIT_S) == 3

    def test_what_was_being_committed_may_be_durable(
        self, url: str, session: PostgresSession
    ) -> None:
        with open_database(url) as database:
            database.submit(ledger).result(WAIT_S)
            # A constraint that is checked by the commit, and takes its time for that.
            for sql in (
                "CREATE FUNCTION doze() RETURNS trigger LANGUAGE plpgsql AS "
                "'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'",
                "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON entry DEFERRABLE INITIALLY "
                "DEFERRED FOR EACH ROW EXECUTE FUNCTION doze()",
            ):
                session.run(sql)
            with pytest.raises(ConnectionLost, match="look it up by its key") as caught:
                database.submit(insert(1)).result(WAIT_S)
            assert caught.value.during == "commit"

    def test_a_reader_that_lost_its_connection_is_replaced(
        self, url: str, session: PostgresSession
    ) -> None:
        def my_backend(connection: Connection) -> int:
            [(backend,)] = connection.execute("SELECT pg_backend_pid()")
            return backend

        with open_database(url) as database:
            backend = database.read(my_backend)
            assert database.read(my_backend) == backend
            session.run("SELECT pg_terminate_backend(?, 10000)", [backend])
            assert database.read(my_backend) != backend

    def test_it_checks_itself_where_amcheck_is_installed(
        self, url: str, session: PostgresSession
    ) -> None:
        with open_database(url) as database:
            database.submit(ledger).result(WAIT_S)
            database.submit(insert(1)).result(WAIT_S)
            assert database.check() == (None, None)
            session.run("CREATE EXTENSION amcheck")
            assert database.check() == ("amcheck", None)
            # An index over a function that changes its mind is one that does not fit its table.
            sign = (
                "CREATE OR REPLACE FUNCTION sign_of(n BIGINT) RETURNS BIGINT IMMUTABLE "
                "LANGUAGE sql AS '{}'"
            )
            session.run(sign.format("SELECT n"))
            session.run("CREATE INDEX entry_sign ON entry (sign_of(n))")
            session.run(sign.format("SELECT -n"))
            assert "entry" in (database.check().problem or "")

    def test_a_database_that_is_held_elsewhere_is_busy(
        self, url: str, session: PostgresSession
    ) -> None:
        with open_database(url) as database:
            database.submit(ledger).result(WAIT_S)
            session.begin()
            # The timeout of the writer's own session is 10 s; this is the shortest way to set
            # another.
            database._writer.run("SET lock_timeout = '10ms'")
            with pytest.raises(UnavailableError) as caught:
                database.submit(insert(1)).result(WAIT_S)
            assert caught.value.code == "busy"
            session.rollback()
            assert database.submit(insert(1)).result(WAIT_S) == 1

    def test_two_statements_in_one_call_are_refused(self, url: str) -> None:
        with open_database(url) as database:
            for params in ([], [1]):
                work = methodcaller("execute", "SELECT 1; SELECT 2", params)
                with pytest.raises(StatementError, match="multiple commands"):
                    database.submit(work).result(WAIT_S)

    def test_a_commit_that_the_server_turns_into_a_rollback_is_an_error(
        self, session: PostgresSession
    ) -> None:
        session.begin()
        with pytest.raises(StatementError):
            session.run("SELECT nonsense")
        with pytest.raises(StatementError, match="rolled this back"):
            session.commit()

    def test_commits_are_synced_whatever_the_server_s_default(
        self, session: PostgresSession
    ) -> None:
        assert session.run("SHOW synchronous_commit") == [("on",)]

    @pytest.mark.parametrize(
        ("state", "kind", "code"),
        [
            ("23505", ConstraintError, "constraint"),
            ("53100", DiskError, "disk_full"),
            ("58030", DiskError, "disk_error"),
            ("XX001", DamagedError, "damaged"),
            ("XX002", DamagedError, "damaged"),
            ("55P03", UnavailableError, "busy"),
            ("42601", StatementError, "statement"),
        ],
    )
    def test_states_of_the_server_become_our_errors(
        self, session: PostgresSession, state: str, kind: type[ThorpError], code: str
    ) -> None:
        with pytest.raises(kind) as caught:
            session.run(f"DO $$ BEGIN RAISE EXCEPTION 'made up' USING ERRCODE = '{state}'; END $$")
        assert caught.value.code == code

    def test_a_missing_database_is_told(self, postgres: Cluster) -> None:
        with pytest.raises(DiskError, match="nowhere"):
            open_postgres(postgres.url("nowhere"))
