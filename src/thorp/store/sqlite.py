"""SQLite: a file, and nothing to install.

It uses a write-ahead log and `synchronous=FULL`: a commit returns when the log is synced. Opening
does two more things, whose need the breakable disk has shown:

- It copies the log into the database and empties it. After a failed sync the log may look sound in
  memory and have a hole on disk, and later commits would be lost after it. Copied pages are new
  writes, which the next sync really syncs.
- It syncs the directory. A new database begins with a rollback journal, which SQLite deletes
  without syncing the directory; if a crash brings that journal back, it rolls back everything
  since.
"""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar

from thorp.kernel.closing import closed_on_error
from thorp.kernel.errors import DamagedError, ThorpError
from thorp.store import session as sessions
from thorp.store.database import Database
from thorp.store.disk import Disk, DiskError, disk_full
from thorp.store.real_disk import RealDisk

LOOK_TIMEOUT_S: Final = 1  # How long `look_into` waits for a process that holds the database.
CHECKPOINT_PAGES: Final = 1000  # A commit empties the log when it has this many pages: 4 MiB.


T = TypeVar("T")


def _sqlite3_code(error: Exception) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)


class SqliteSession(sessions.Session):
    """A session over a connection to SQLite that has `execute` and `close`: the one of sqlite3, or
    of a library like apsw."""

    dialect: ClassVar[sessions.Dialect] = "sqlite"
    begin_write: ClassVar[str] = "BEGIN IMMEDIATE"
    begin_read: ClassVar[str] = "BEGIN"

    def __init__(
        self,
        path: Path,
        connection: Any,
        *,
        reader: bool = False,
        errors: tuple[type[Exception], ...] = (sqlite3.Error, sqlite3.Warning),
        code_of: Callable[[Exception], int] = _sqlite3_code,
    ) -> None:
        super().__init__()
        self._path = path
        self._connection = connection
        self._reader = reader
        self._errors: tuple[type[Exception], ...] = (*errors, OverflowError, UnicodeError)
        self._code_of = code_of

    def run(self, sql: str, params: Sequence[sessions.Value] = ()) -> list[sessions.Row]:
        try:
            rows: list[sessions.Row] = self._connection.execute(sql, params).fetchall()
        except self._errors as error:
            raise self._refusal(error) from error
        return rows

    def check(self) -> sessions.SelfCheck:
        [(verdict,)] = self.run("PRAGMA integrity_check(1)")
        return sessions.SelfCheck(
            "integrity_check", None if verdict == "ok" else f"{self._path}: {verdict}"
        )

    def close(self) -> None:
        try:
            self._connection.close()
        except self._errors as error:
            raise self._refusal(error) from error

    def _refusal(self, error: Exception) -> ThorpError:
        match self._code_of(error) & 0xFF:
            case sqlite3.SQLITE_READONLY if self._reader:
                return sessions.StatementError("a work that reads cannot write; submit it")
            case sqlite3.SQLITE_FULL:
                return disk_full(self._path, "write")
            case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY:
                return DiskError(
                    f"{self._path}: {error}; check the disk and the permissions", file=self._path
                )
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                return DamagedError(f"{self._path}: {error}; restore this database from a backup")
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                return sessions.busy(str(self._path))
            case sqlite3.SQLITE_CONSTRAINT:
                return sessions.ConstraintError(str(error))
            case _:
                return sessions.StatementError(str(error))


def prepare_writer(session: SqliteSession, disk: Disk, path: Path) -> None:
    """Set what durability needs, and recover. See the head of this file."""
    session.run(f"PRAGMA busy_timeout = {sessions.BUSY_TIMEOUT_S * 1000}")
    [(mode,)] = session.run("PRAGMA journal_mode = WAL")
    if mode != "wal":
        raise DiskError(
            f"{path}: this file system cannot hold a write-ahead log; use a local one", file=path
        )
    session.run("PRAGMA synchronous = FULL")
    session.run("PRAGMA fullfsync = ON")
    session.run("PRAGMA foreign_keys = ON")
    session.run(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    # While other processes read it may stop halfway, which is safe unless a sync has just failed.
    session.run("PRAGMA wal_checkpoint(TRUNCATE)")
    disk.sync_directory(path.parent)


def _open_session(path: Path, *, reader: bool) -> SqliteSession:
    """Open a connection that reads, or the one that writes."""
    try:
        # `Database` makes sure that one thread at a time uses it; another one only closes it.
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        message = f"{path}: {error}; check that the directory exists and can be written"
        raise DiskError(message, file=path) from error
    session = SqliteSession(path, connection, reader=reader)
    with closed_on_error(session):
        if reader:
            session.run(f"PRAGMA busy_timeout = {sessions.BUSY_TIMEOUT_S * 1000}")
            session.run("PRAGMA query_only = ON")
        else:
            prepare_writer(session, RealDisk(), path)
    return session


def look_into(path: Path, work: Callable[[sessions.Connection], T]) -> T:
    """Run a work that only reads on a file that may be anybody's database, or not a database at
    all. Changes nothing in it.

    Raises DamagedError if it is not a database, and StatementError if the work's statements fail.
    """
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
        )
    except sqlite3.Error as error:
        raise DamagedError(f"{path}: {error}") from error
    session = SqliteSession(path, connection, reader=True)
    try:
        session.run(f"PRAGMA busy_timeout = {LOOK_TIMEOUT_S * 1000}")
        session.begin_reading()
        return work(session)
    finally:
        connection.close()


def open_sqlite(path: Path) -> Database:
    """Open a SQLite database, made if it is missing, in a directory that exists."""
    writer = _open_session(path, reader=False)
    return Database(str(path), writer, lambda: _open_session(path, reader=True))
