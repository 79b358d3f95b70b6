"""One SQLite connection in the place of many: its writer and its readers take turns.

A breakable database is held alone by one connection, but a `Database` has a writer and several
readers. Each transaction of one of them waits until the other's has ended, so that readers see only
what is committed, as everywhere. A reader that waits for the writer is told `busy` instead.
"""

from __future__ import annotations

import threading
from pathlib import Path

import apsw

from thorp.store.session import BUSY_TIMEOUT_S, busy
from thorp.store.sqlite import SqliteSession


def code_of(error: Exception) -> int:
    """The result code of an error of apsw."""
    return getattr(error, "result", apsw.SQLITE_ERROR)


class SharedSession(SqliteSession):
    """A session that has the connection from the beginning of a transaction to its end."""

    def __init__(
        self, path: Path, connection: apsw.Connection, turn: threading.Lock, *, reader: bool = False
    ) -> None:
        super().__init__(path, connection, reader=reader, errors=(apsw.Error,), code_of=code_of)
        self._turn = turn
        self._in_turn = False

    def begin(self) -> None:
        self._take_turn()
        super().begin()

    def begin_reading(self) -> None:
        self._take_turn()
        self.run("PRAGMA query_only = ON")
        super().begin_reading()

    def commit(self) -> None:
        super().commit()
        self._end_turn()

    def rollback(self) -> None:
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
        # The connection is the writer's to close.
        if not self._reader:
            super().close()

    def _take_turn(self) -> None:
        if not self._turn.acquire(timeout=BUSY_TIMEOUT_S):
            raise busy(str(self._path))
        self._in_turn = True

    def _end_turn(self) -> None:
        self._in_turn = False
        self._turn.release()
