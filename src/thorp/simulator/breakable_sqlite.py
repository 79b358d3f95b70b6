"""Runs SQLite on a breakable disk: a VFS for apsw, which takes the place of the built-in sqlite3.

    with BreakableSqlite(disk) as sqlite, sqlite.open(disk.root / "ledger.db") as database:
        database.submit(work)

The sessions are those of `thorp.store.sqlite`, over another connection. The connection locks its
database exclusively (`locking_mode=EXCLUSIVE`), so that the index of the write-ahead log is in its
own memory: shared memory cannot be put on a disk that forgets. Therefore the writer and the readers
of a `Database` share one connection and take turns: each transaction waits until the other has
ended, and readers see only what is committed, as everywhere. A reader that waits too long for the
writer gets `busy`.

Loss of power is reported as an input/output error, because SQLite cannot be stopped in the middle
of a call; every call after it fails too, and `disk.off` is true. Names become durable as with
SQLite's own VFS for Unix: the first sync of a new log syncs the directory, and so does a deletion
if SQLite asks for it.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import apsw

from thorp.kernel.errors import ThorpError
from thorp.store.database import Database
from thorp.store.disk import DiskError
from thorp.store.session import BUSY_TIMEOUT_S, busy
from thorp.store.sqlite import SqliteSession, prepare_writer
from thorp.store.testing import BreakableDisk, BreakableFile, PowerLost

SECTOR_BYTES: Final = 4096
_LOGS: Final = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL
_numbers = itertools.count(1)


@contextlib.contextmanager
def _as_sqlite() -> Iterator[None]:
    """Turn our errors into SQLite's."""
    try:
        yield
    except PowerLost:
        raise _error(apsw.SQLITE_IOERR, "the power is lost") from None
    except ThorpError as error:
        code = apsw.SQLITE_FULL if error.code == "disk_full" else apsw.SQLITE_IOERR
        raise _error(code, str(error)) from None


def _error(code: int, message: str) -> Exception:
    error = apsw.exception_for(code)
    error.args = (message,)
    return error


class _File:
    """An open file as SQLite wants it. Locks always succeed: there is only one connection."""

    def __init__(self, file: BreakableFile, sync_name: Callable[[], None] | None) -> None:
        self._file = file
        self._sync_name = sync_name

    def xRead(self, amount: int, offset: int) -> bytes:
        with _as_sqlite():
            return self._file.read(offset, amount)

    def xWrite(self, data: bytes, offset: int) -> None:
        with _as_sqlite():
            self._file.write(offset, bytes(data))

    def xTruncate(self, size: int) -> None:
        with _as_sqlite():
            self._file.truncate(size)

    def xSync(self, flags: int) -> None:
        with _as_sqlite():
            self._file.sync()
            if self._sync_name is not None:
                self._sync_name()
                self._sync_name = None

    def xFileSize(self) -> int:
        with _as_sqlite():
            return self._file.size()

    def xClose(self) -> None:
        self._file.close()

    def xLock(self, level: int) -> None:
        pass

    def xUnlock(self, level: int) -> None:
        pass

    def xCheckReservedLock(self) -> bool:
        return False

    def xFileControl(self, op: int, pointer: int) -> bool:
        return False

    def xSectorSize(self) -> int:
        return SECTOR_BYTES

    def xDeviceCharacteristics(self) -> int:
        # As SQLite assumes of disks: a write does not hurt the bytes beside it.
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE


class _Vfs(apsw.VFS):
    def __init__(self, name: str, disk: BreakableDisk) -> None:
        super().__init__(name, base="")
        self._disk = disk

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        assert isinstance(name, apsw.URIFilename | str), "temporary files are in memory"
        path = Path(name if isinstance(name, str) else name.filename())
        sync_name: Callable[[], None] | None = None

        def sync_directory() -> None:
            self._disk.sync_directory(path.parent)

        with _as_sqlite():
            if self._disk.exists(path):
                file = self._disk.open(path, writable=True)
            else:
                file = self._disk.create(path)
                if flags[0] & _LOGS:
                    sync_name = sync_directory
        flags[1] = flags[0]
        return _File(file, sync_name)  # type: ignore[return-value]

    def xDelete(self, filename: str, syncdir: bool) -> None:
        path = Path(filename)
        with _as_sqlite():
            self._disk.remove(path)
            if syncdir:
                self._disk.sync_directory(path.parent)

    def xAccess(self, pathname: str, flags: int) -> bool:
        with _as_sqlite():
            return self._disk.exists(Path(pathname))

    def xFullPathname(self, name: str) -> str:
        return name


class BreakableSqlite:
    """Opens SQLite databases on a breakable disk, until it is closed."""

    def __init__(self, disk: BreakableDisk) -> None:
        self._disk = disk
        self._name = f"breakable-{next(_numbers)}"
        self._vfs = _Vfs(self._name, disk)

    def open(self, path: Path) -> Database:
        """Open and recover a database, made if it is missing, as `thorp.store.open_database`
        does."""
        connection = self._connect(path)
        turn = threading.Lock()
        writer = SharedSession(path, connection, turn)
        self._prepare(writer, path)
        return Database(
            str(path), writer, lambda: SharedSession(path, connection, turn, reader=True)
        )

    def connect(self, path: Path) -> SqliteSession:
        """Open and recover a database without its threads: the bare session, for `commit_group`."""
        session = SqliteSession(path, self._connect(path), errors=(apsw.Error,), code_of=code_of)
        self._prepare(session, path)
        return session

    def close(self) -> None:
        """Forget the VFS. Close the sessions first."""
        self._vfs.unregister()

    def __enter__(self) -> BreakableSqlite:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connect(self, path: Path) -> apsw.Connection:
        try:
            return apsw.Connection(str(path), vfs=self._name)
        except apsw.Error as error:
            raise DiskError(f"{path}: {error}", file=path) from error

    def _prepare(self, session: SqliteSession, path: Path) -> None:
        try:
            session.run("PRAGMA locking_mode = EXCLUSIVE")
            session.run("PRAGMA temp_store = MEMORY")
            prepare_writer(session, self._disk, path)
        except BaseException:
            with contextlib.suppress(ThorpError):
                session.close()
            raise


def code_of(error: Exception) -> int:
    """The result code of an error of apsw."""
    return getattr(error, "result", apsw.SQLITE_ERROR)


class SharedSession(SqliteSession):
    """A session that shares its connection with others, and has it to itself from the beginning of
    a transaction to its end."""

    def __init__(
        self, path: Path, connection: apsw.Connection, turn: threading.Lock, *, reader: bool = False
    ) -> None:
        super().__init__(path, connection, reader=reader, errors=(apsw.Error,), code_of=code_of)
        self._turn = turn
        self._in_turn = False

    def begin(self) -> None:
        """Wait for the connection, and begin to write."""
        self._take_turn()
        super().begin()

    def begin_reading(self) -> None:
        """Wait for the connection, and begin to read; until the end nothing can be written."""
        self._take_turn()
        self.run("PRAGMA query_only = ON")
        super().begin_reading()

    def commit(self) -> None:
        """Commit, and give the connection back."""
        super().commit()
        self._end_turn()

    def rollback(self) -> None:
        """Roll back the transaction, if there is one, and give the connection back."""
        if not self._in_turn:
            return
        try:
            super().rollback()
        finally:
            try:
                self.run("PRAGMA query_only = OFF")
            finally:
                self._end_turn()

    def close(self) -> None:
        """Close the connection, if this is the writer's session."""
        if not self._reader:
            super().close()

    def _take_turn(self) -> None:
        if not self._turn.acquire(timeout=BUSY_TIMEOUT_S):
            raise busy(str(self._path))
        self._in_turn = True

    def _end_turn(self) -> None:
        self._in_turn = False
        self._turn.release()
