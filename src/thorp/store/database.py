"""A database with one writer thread, a few readers, group commit and migrations; see
`docs/store.md`.

open → (submit, read)* → close
        a disk error → broken: submit refuses; close it and open it again
        a lost connection → the works under way fail; the next work connects again

A *work* is a function of a connection. Works are queued, and the writer's thread runs as many as
wait as one group: one transaction, one sync, and a savepoint for each, so that one that fails takes
none of the others with it.

Locks: `_changed` guards the queue, `_broken` and `_closing`; it is never held while a work runs or
a future is answered. A reader's session belongs to the thread that borrowed it.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from thorp.kernel.closing import Closing
from thorp.kernel.errors import DamagedError, IllegalError, StaleError, ThorpError, UnavailableError
from thorp.store.disk import DiskError
from thorp.store.session import (
    BUSY_TIMEOUT_S,
    Connection,
    ConnectionLost,
    Dialect,
    SelfCheck,
    Session,
)

Step = Sequence[str]
"""The statements that take a schema from one version to the next."""
Work = Callable[[Connection], Any]
"""A function that reads or writes through a connection, inside a transaction it does not see."""
T = TypeVar("T")
_Job = tuple[Work, "Future[Any]"]

_TABLE = (
    "CREATE TABLE IF NOT EXISTS schema_version (component TEXT PRIMARY KEY, version BIGINT "
    "NOT NULL)"
)
_SET = (
    "INSERT INTO schema_version (component, version) VALUES (?, ?) "
    "ON CONFLICT (component) DO UPDATE SET version = excluded.version"
)

# After one of these a database is not trusted until it is opened again.
FATAL: Final = (DiskError, DamagedError)

MAX_QUEUED_WORKS: Final = 4096  # Four groups ahead. A work beyond that is refused at once.
# Enough to share one sync; few enough to keep memory and waits small.
MAX_GROUP_WORKS: Final = 1024
# Reads are short and use the processor; more at once only take it from each other.
MAX_READERS: Final = 4
CLOSE_TIMEOUT_S: Final = 6 * BUSY_TIMEOUT_S  # The writer's own waits end before this.


def statements(schema: str, dialect: Dialect) -> list[str]:
    """The statements of a schema's text, for a database of this dialect. Each ends with a semicolon
    at the end of a line.

    The text is written for SQLite, which stores rows by their key, without an index beside it, only
    if the key is called INTEGER or the table is WITHOUT ROWID. Otherwise every commit would write
    one more page.
    """
    lines = [line for line in schema.splitlines() if not line.lstrip().startswith("--")]
    text = "\n".join(lines)
    if dialect == "postgresql":
        text = text.replace("INTEGER", "BIGINT").replace(" WITHOUT ROWID", "")
    return [statement.strip() for statement in text.split(";\n") if statement.strip()]


def migrate(connection: Connection, component: str, steps: Sequence[Step]) -> int:
    """Apply the steps that this database lacks; return how many it had.

    Use it as a work of its own, so that all steps are one transaction:
    `database.submit(lambda connection: migrate(connection, "ledger", STEPS)).result()`. A database
    with more steps than the code knows is refused as `newer`.
    """
    connection.execute(_TABLE)
    rows = connection.execute("SELECT version FROM schema_version WHERE component = ?", [component])
    version: int = rows[0][0] if rows else 0
    if version > len(steps):
        raise StaleError(
            f"this database has version {version} of {component}, and this release knows "
            f"{len(steps)}; use a newer release",
            code="newer",
        )
    for step in steps[version:]:
        for statement in step:
            connection.execute(statement)
    if version < len(steps):
        connection.execute(_SET, [component, len(steps)])
    return version


@dataclass(frozen=True, slots=True)
class WorkOutcome:
    """What a work returned, or what it raised."""

    value: Any
    error: Exception | None


def commit_group(session: Session, works: Sequence[Work]) -> list[WorkOutcome]:
    """Run the works in one transaction and commit it; return their outcomes, or raise for all of
    them."""
    try:
        session.begin()
        outcomes = [_run(session, work) for work in works]
        session.commit()
    except BaseException:
        with contextlib.suppress(ThorpError):
            session.rollback()
        raise
    return outcomes


def _run(session: Session, work: Work) -> WorkOutcome:
    """Run one work of a group in its own savepoint. A failure undoes this work alone, unless it is
    fatal for the whole group."""
    session.savepoint()
    try:
        value = work(session)
        failure = None
    except Exception as error:
        value = None
        failure = error
    if isinstance(session.doomed, FATAL):
        raise session.doomed
    if failure is None and session.doomed is None:
        session.release()
        return WorkOutcome(value, None)
    failure = failure or session.doomed
    session.undo()
    return WorkOutcome(None, failure)


class Database(Closing):
    """An open database. All methods may be called from any thread."""

    def __init__(
        self,
        name: str,
        writer: Session,
        open_reader: Callable[[], Session],
        open_writer: Callable[[], Session] | None = None,
    ) -> None:
        """Take over the writer's session; callers use `open_database`. `open_writer` makes a new
        one when its connection was lost."""
        self._name = name
        self._writer = writer
        self._open_writer = open_writer
        self._open_reader = open_reader
        self._readers: queue.LifoQueue[Session | None] = queue.LifoQueue()
        for _ in range(MAX_READERS):
            self._readers.put(None)
        self._changed = threading.Condition()
        self._jobs: deque[_Job] = deque()
        self._broken: BaseException | None = None
        self._closing = False
        self._working = False
        self._thread = threading.Thread(
            target=self._write, name=f"thorp writer {name}", daemon=True
        )
        self._thread.start()

    def submit(self, work: Callable[[Connection], T]) -> Future[T]:
        """Queue a work. Its future is done when it is durable, or has failed and left nothing.

        The work runs in the writer's thread, once, in its own savepoint. Refuses as `queue_full`,
        `broken` or `closed`, and as `nested` if a work submits another one: waiting for that would
        never end.
        """
        future: Future[T] = Future()
        with self._changed:
            self._check_open()
            if self._broken is not None:
                raise self._broken_error()
            if self._working and threading.get_ident() == self._thread.ident:
                raise IllegalError(
                    "a work runs in a transaction; use its connection", code="nested"
                )
            if len(self._jobs) >= MAX_QUEUED_WORKS:
                raise UnavailableError(
                    f"{self._name}: {MAX_QUEUED_WORKS} works are waiting already; try again later",
                    code="queue_full",
                )
            self._jobs.append((work, future))
            self._changed.notify()
        return future

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run a work that only reads, in this thread, on one unchanging committed state."""
        reader = self._borrow_reader()
        try:
            self._check_open()
            reader = self._begin_reading(reader)
            return work(reader)
        finally:
            self._return_reader(reader)

    def check(self) -> SelfCheck:
        """Let the database check itself, with SQLite's `integrity_check` or PostgreSQL's `amcheck`
        if that is installed."""

        def work(reader: Connection) -> SelfCheck:
            assert isinstance(reader, Session), "works are given sessions"
            return reader.check()

        try:
            return self.read(work)
        except DamagedError as damage:
            return SelfCheck("read", damage.message)

    def close(self) -> None:
        """Commit the works that are queued, end the writer, close every connection. Closing twice
        is allowed."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(CLOSE_TIMEOUT_S)
        if self._thread.is_alive():
            raise UnavailableError(
                f"{self._name}: a work is still running after {CLOSE_TIMEOUT_S} s", code="busy"
            )
        readers = [self._borrow_reader() for _ in range(MAX_READERS)]
        for reader in readers:
            if reader is not None:
                reader.close()
            self._readers.put(None)
        self._writer.close()

    def _check_open(self) -> None:
        if self._closing:
            raise IllegalError(
                f"{self._name}: this database is closed; open it again", code="closed"
            )

    def _broken_error(self) -> IllegalError:
        return IllegalError(
            f"{self._name}: an earlier commit failed ({self._broken}); mend the cause, then open "
            "the database again to see what survived",
            code="broken",
        )

    # The writer's thread.

    def _write(self) -> None:
        """Commit group after group until the database closes. Futures are answered only after the
        commit: nothing is acknowledged before it is durable."""
        while jobs := self._take():
            works = [work for work, _ in jobs]
            self._working = True
            try:
                outcomes = self._commit(works)
            except BaseException as error:
                self._working = False
                self._fail(jobs, error)
                continue
            self._working = False
            for (_, future), outcome in zip(jobs, outcomes, strict=True):
                if outcome.error is None:
                    future.set_result(outcome.value)
                else:
                    future.set_exception(outcome.error)

    def _commit(self, works: Sequence[Work]) -> list[WorkOutcome]:
        """Commit a group. If the connection was lost before the group began, it is made again."""
        try:
            return commit_group(self._writer, works)
        except ConnectionLost as lost:
            if lost.during != "begin" or self._open_writer is None:
                raise
        with contextlib.suppress(ThorpError):
            self._writer.close()
        self._writer = self._open_writer()
        return commit_group(self._writer, works)

    def _take(self) -> list[_Job]:
        """Wait for works, and return the next group; an empty one when the database closes."""
        with self._changed:
            while True:
                self._changed.wait_for(lambda: self._jobs or self._closing)
                count = min(len(self._jobs), MAX_GROUP_WORKS)
                group = [self._jobs.popleft() for _ in range(count)]
                wanted = [job for job in group if job[1].set_running_or_notify_cancel()]
                if wanted or not group:
                    return wanted

    def _fail(self, jobs: Sequence[_Job], error: BaseException) -> None:
        """Fail the whole group, and the works queued after it too if there can be no next group."""
        waiting: list[_Job] = []
        with self._changed:
            goes_on = isinstance(error, ConnectionLost) and self._open_writer is not None
            if not goes_on and (isinstance(error, FATAL) or not isinstance(error, ThorpError)):
                self._broken = error
                waiting = list(self._jobs)
                self._jobs.clear()
        for _, future in jobs:
            future.set_exception(error)
        for _, future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(self._broken_error())

    # The readers' connections: None stands for one that is not open yet.

    def _borrow_reader(self) -> Session | None:
        try:
            return self._readers.get(timeout=BUSY_TIMEOUT_S)
        except queue.Empty:
            raise UnavailableError(
                f"{self._name}: {MAX_READERS} readers are busy; try again", code="busy"
            ) from None

    def _begin_reading(self, reader: Session | None) -> Session:
        """A reader in a transaction of its own; one whose connection was lost is replaced."""
        if reader is not None:
            try:
                reader.begin_reading()
                return reader
            except ConnectionLost:
                reader.close()
        reader = self._open_reader()
        reader.begin_reading()
        return reader

    def _return_reader(self, reader: Session | None) -> None:
        if reader is not None:
            try:
                reader.rollback()
            except ThorpError:
                # The connection was lost, or nothing was begun on it. The next read opens another.
                with contextlib.suppress(ThorpError):
                    reader.close()
                reader = None
        self._readers.put(reader)
