"""Group commit over a session that fails on demand: who hears what, and when."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

import pytest

from thorp.kernel.errors import DamagedError, IllegalError, ThorpError
from thorp.store.database import Database, commit_group
from thorp.store.disk import DiskError
from thorp.store.session import ConstraintError, Session

WAIT_S = 60
FULL = DiskError("the disk is full", code="disk_full")
DAMAGED = DamagedError("the database is damaged")
BUSY = IllegalError("try again", code="busy")


class FakeSession(Session):
    """Notes what is asked of it, and fails where it was told to."""

    dialect = "sqlite"
    begin_write = "BEGIN"
    begin_read = "BEGIN"

    def __init__(self, fail: dict[str, ThorpError] | None = None) -> None:
        super().__init__()
        self.fail = fail or {}
        self.said: list[str] = []
        self.closed = False

    def run(self, sql: str, params: Sequence[object] = ()) -> list[tuple[object, ...]]:
        self.said.append(sql)
        if sql in self.fail:
            raise self.fail[sql]
        return []

    def close(self) -> None:
        self.closed = True


def say(sql: str):
    return lambda connection: connection.execute(sql)


def test_one_transaction_with_a_savepoint_for_each_work() -> None:
    session = FakeSession()
    outcomes = commit_group(session, [say("INSERT 1"), say("INSERT 2")])
    assert [outcome.error for outcome in outcomes] == [None, None]
    save, release = "SAVEPOINT work", "RELEASE SAVEPOINT work"
    assert session.said == ["BEGIN", save, "INSERT 1", release, save, "INSERT 2", release, "COMMIT"]


def test_a_failed_work_goes_back_to_its_savepoint() -> None:
    session = FakeSession({"INSERT 1": ConstraintError("taken")})
    outcomes = commit_group(session, [say("INSERT 1"), say("INSERT 2")])
    assert [type(outcome.error) for outcome in outcomes] == [ConstraintError, type(None)]
    assert session.said[2:5] == ["INSERT 1", "ROLLBACK TO SAVEPOINT work", "RELEASE SAVEPOINT work"]
    assert session.said[-1] == "COMMIT"


@pytest.mark.parametrize(
    "where", ["BEGIN", "SAVEPOINT work", "INSERT 1", "RELEASE SAVEPOINT work", "INSERT 2", "COMMIT"]
)
def test_a_disk_error_anywhere_gives_no_outcome_at_all(where: str) -> None:
    session = FakeSession({where: FULL})
    with pytest.raises(DiskError):
        commit_group(session, [say("INSERT 1"), say("INSERT 2")])
    assert session.said[-1] == "ROLLBACK"
    assert where == "COMMIT" or "COMMIT" not in session.said


def test_a_disk_error_counts_also_if_the_work_hides_it() -> None:
    def hides(connection) -> str:
        with pytest.raises(DiskError):
            connection.execute("INSERT 1")
        return "all is well"

    with pytest.raises(DiskError):
        commit_group(FakeSession({"INSERT 1": FULL}), [hides])


def test_a_work_s_own_disk_error_is_its_own() -> None:
    def fails(_: object) -> None:
        raise FULL

    [outcome] = commit_group(FakeSession(), [fails])
    assert outcome.error is FULL


def test_a_work_that_cannot_be_taken_back_fails_the_group() -> None:
    session = FakeSession({"INSERT 1": BUSY, "ROLLBACK TO SAVEPOINT work": BUSY})
    with pytest.raises(IllegalError):
        commit_group(session, [say("INSERT 1")])
    assert session.said[-1] == "ROLLBACK"


def outcomes_of(database: Database, count: int) -> list[BaseException | None]:
    futures: list[Future[object]] = [database.submit(say(f"INSERT {n}")) for n in range(count)]
    return [future.exception(WAIT_S) for future in futures]


@pytest.mark.parametrize("error", [FULL, DAMAGED])
def test_a_failed_commit_tells_everyone_and_breaks_the_database(error: ThorpError) -> None:
    session = FakeSession({"COMMIT": error})
    with Database("fake", session, FakeSession) as database:
        first = database.submit(say("INSERT 1"))
        assert first.exception(WAIT_S) is error
        for _ in range(2):
            with pytest.raises(IllegalError, match="open the database again") as caught:
                database.submit(say("INSERT 2"))
            assert caught.value.code == "broken"
        assert session.said.count("COMMIT") == 1, "a failed commit is never tried again"
    assert session.closed


def test_those_behind_a_broken_group_are_told_too() -> None:
    session = FakeSession({"COMMIT": FULL})
    held: list[Future[object]] = []

    with Database("fake", session, FakeSession) as database:

        def work(_: object) -> None:
            # While this group runs, others queue up behind it.
            assert started.result(WAIT_S)

        started: Future[bool] = Future()
        held.append(database.submit(work))
        held += [database.submit(say("INSERT 1")) for _ in range(3)]
        started.set_result(True)
        errors = [future.exception(WAIT_S) for future in held]
    assert errors[0] is FULL
    assert {getattr(error, "code", None) for error in errors} <= {"disk_full", "broken"}
    assert None not in errors


def test_a_busy_database_is_not_broken() -> None:
    session = FakeSession({"BEGIN": BUSY})
    with Database("fake", session, FakeSession) as database:
        assert outcomes_of(database, 2) == [BUSY, BUSY]
        session.fail.clear()
        assert outcomes_of(database, 2) == [None, None]


def test_readers_are_reused_and_closed() -> None:
    opened: list[FakeSession] = []

    def open_reader() -> FakeSession:
        opened.append(FakeSession())
        return opened[-1]

    with Database("fake", FakeSession(), open_reader) as database:
        for _ in range(5):
            database.read(say("SELECT 1"))
        assert len(opened) == 1
        assert opened[0].said[-3:] == ["BEGIN", "SELECT 1", "ROLLBACK"]
        opened[0].fail["ROLLBACK"] = FULL
        database.read(say("SELECT 1"))
        assert opened[0].closed, "what cannot be rolled back is not used again"
        database.read(say("SELECT 1"))
    assert [session.closed for session in opened] == [True, True]


def test_a_reader_that_cannot_be_opened_is_tried_again() -> None:
    attempts: list[int] = []

    def open_reader() -> FakeSession:
        attempts.append(1)
        if len(attempts) < 10:
            raise FULL
        return FakeSession()

    with Database("fake", FakeSession(), open_reader) as database:
        for _ in range(9):
            with pytest.raises(DiskError):
                database.read(say("SELECT 1"))
        assert database.read(say("SELECT 1")) == []
