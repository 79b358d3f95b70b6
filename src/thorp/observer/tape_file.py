"""Opens the database file of a tape, whatever else may lie in its place.

The tape is a cache, so nothing in `DATA/tape` may keep a world from opening, or a server from
answering. The file is examined before it is used, and again when it fails or is not the same file
any more:

    what is there                               what happens
    nothing, or an empty file                   a tape is begun
    the tape of this world                      it is used
    a tape of another world or release          it is removed, and a tape is begun
    anything else: a file where the directory   it is moved aside as `tape.before-N`, with one
    should be, a link that leads nowhere,       warning, and a tape is begun
    another database, damage
    no tape can be kept at all, because of      UnavailableError with the reason; tried again later
    permissions or a full disk

Threads of one process take turns by `_changing`. The server and the process that makes missing
segments take turns by the lock of the directory, which is taken second: the later of them finds the
tape that the first has made.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from thorp.kernel.closing import closed_on_error
from thorp.kernel.errors import DamagedError, LimitError, StaleError, ThorpError, UnavailableError
from thorp.store import Connection, Database, RealDisk, StatementError
from thorp.store.sqlite import look_into, open_sqlite
from thorp.store.turn import alone_in

DIRECTORY: Final = "tape"
FILE: Final = "tape.db"
COMPONENT: Final = "tape"
"""The name of a tape's schema in its table of versions."""
# How many things may be moved aside before a person should look at them: they fill the disk.
MAX_ASIDE: Final = 20
# When no tape could be kept, this long passes before it is tried again; every question meanwhile
# gets the same answer.
RETRY_SECONDS: Final = 5.0

_log = logging.getLogger(__name__)


class TapeFile:
    """The open database of a tape. All methods may be called from any thread."""

    def __init__(self, data: Path, prepare: Callable[[Connection], bool]) -> None:
        """`prepare` makes an empty database a tape of this world, and returns whether the database
        is one."""
        self._directory = data / DIRECTORY
        self._path = self._directory / FILE
        self._prepare = prepare
        # Reentrant: `condemn` and `explain` hold it while they open the file again.
        self._changing = threading.RLock()
        self._database: Database | None = None
        self._identity = (0, 0)
        """The device and inode of the file that was opened."""
        self._is_doubtful = False
        self._condemned: str | None = None
        """Why the file is to be moved aside although it looks like a tape."""
        self._trouble = ""
        self._retry_at = 0.0

    def opened(self) -> Database:
        """The database, opened if need be. Raises UnavailableError with the reason why there is
        none."""
        with self._changing:
            if self._database is not None and not self._may_be_used():
                self._let_go()
            if self._database is None:
                self._database = self._open_or_refuse()
            return self._database

    def ready(self) -> Database:
        """The database if it can be used at once, for a thread that must not wait; else
        UnavailableError."""
        database = self._database
        if database is None or not self._may_be_used():
            raise UnavailableError(self._trouble or "the tape is being opened", code="tape")
        return database

    def doubt(self) -> None:
        """Have the file examined before it is used the next time. Does not wait."""
        self._is_doubtful = True

    def condemn(self, problem: Exception) -> UnavailableError:
        """Move the file aside, since its content is not a tape's; returns the error for the
        question that found out."""
        with self._changing:
            self._condemned = f"{FILE} cannot be read: {problem}"
            with suppress(UnavailableError):
                self.opened()
        return self._explanation()

    def explain(self, problem: ThorpError) -> ThorpError:
        """The error for a question that failed: the problem itself, unless the file is to blame."""
        with self._changing:
            flaw = None
            with suppress(ThorpError):  # an examination that fails says nothing about the file
                flaw = None if self._database is None else self._flaw()
            if flaw is not None:
                self._condemned = flaw
                with suppress(UnavailableError):
                    self.opened()
                return self._explanation()
        if isinstance(problem, StatementError):
            return problem
        self.doubt()
        return UnavailableError(f"the tape cannot be read just now: {problem.message}", code="tape")

    def close(self) -> None:
        """Close the database, if it is open."""
        with self._changing:
            if self._database is not None:
                self._database.close()

    def _explanation(self) -> UnavailableError:
        return UnavailableError(
            self._trouble
            or "the tape was damaged, and is being made again from the journal; try again soon",
            code="tape",
        )

    def _may_be_used(self) -> bool:
        """Whether the file is still the one that was opened, and nothing speaks against it."""
        if self._is_doubtful or self._condemned is not None:
            return False
        try:
            status = self._path.stat()
        except OSError:
            return False
        return (status.st_dev, status.st_ino) == self._identity

    def _let_go(self) -> None:
        database, self._database = self._database, None
        if database is not None:
            with suppress(ThorpError):
                database.close()

    def _open_or_refuse(self) -> Database:
        """Open the database, or raise UnavailableError and remember it for a while."""
        if time.monotonic() < self._retry_at:
            raise self._explanation()
        try:
            with alone_in(self._directory.parent):
                database = self._open()
        except (ThorpError, OSError) as problem:
            message = f"no tape can be kept: {problem}"
            if message != self._trouble:
                _log.warning("%s; the world goes on without it", message)
            self._trouble = message
            self._retry_at = time.monotonic() + RETRY_SECONDS
            raise self._explanation() from problem
        self._trouble = ""
        self._is_doubtful = False
        return database

    def _open(self) -> Database:
        """Open the database, after whatever is in its way was moved aside or removed."""
        reason = self._condemned or self._foreign()
        for _ in range(3):
            if reason is not None:
                self._set_aside(reason)
                reason = None
                self._condemned = None
            RealDisk().make_directories(self._directory)
            try:
                database = self._open_ours()
            except DamagedError as problem:
                reason = f"{FILE} is damaged: {problem.message}"
                continue
            if database is not None:
                return database
            self._remove()  # it is the tape of another world, or of another release
        raise DamagedError(
            f"{self._directory}: nothing that is written here can be read; check the disk"
        )

    def _open_ours(self) -> Database | None:
        """The database, if it is a tape of this world now."""
        database = open_sqlite(self._path)
        with closed_on_error(database):
            try:
                is_ours = database.submit(self._prepare).result()
            except (StaleError, StatementError):  # a newer schema, or another one
                is_ours = False
            if is_ours:
                status = self._path.stat()
                self._identity = (status.st_dev, status.st_ino)
                return database
        with suppress(ThorpError):
            database.close()
        return None

    def _foreign(self) -> str | None:
        """Why the thing in its place is not a tape at all; None if it is one, or there is
        nothing."""
        flaw = self._misplaced()
        if flaw is not None or not self._path.exists() or not self._path.stat().st_size:
            return flaw
        try:
            tables = look_into(self._path, _tables)
            is_tape = not tables or look_into(self._path, _is_tape)
        except (DamagedError, StatementError) as problem:
            return f"{FILE} cannot be read as a tape: {problem.message}"
        return (
            None
            if is_tape
            else f"{FILE} is another database, with the tables {', '.join(tables)[:200]}"
        )

    def _flaw(self) -> str | None:
        """Why the file that was opened is not a tape of this release any more; None if it is."""
        flaw = self._foreign()
        if flaw is None and self._path.exists() and not look_into(self._path, _is_tape):
            return f"{FILE} was emptied"
        return flaw

    def _misplaced(self) -> str | None:
        """Why the directory or a file cannot be what it should be; None if nothing is wrong."""
        if os.path.lexists(self._directory) and not self._directory.is_dir():
            return "it is not a directory"
        for suffix in ("", "-wal", "-shm"):
            path = self._path.with_name(FILE + suffix)
            if os.path.lexists(path) and not path.is_file():
                return f"{path.name} is not a file"
        return None

    def _set_aside(self, reason: str) -> None:
        """Rename the whole directory, or whatever is in its place. Nothing is removed."""
        for number in range(1, MAX_ASIDE + 1):
            aside = self._directory.with_name(f"{DIRECTORY}.before-{number}")
            if not os.path.lexists(aside):
                break
        else:
            advice = f"look at them, and delete {DIRECTORY}.before-*"
            raise LimitError(
                f"{self._directory}: {MAX_ASIDE} things were moved aside already; {advice}"
            )
        if os.path.lexists(self._directory):
            RealDisk().replace(self._directory, aside)
            message = (
                "%s is not a tape (%s): it was moved to %s; the tape is made again from the journal"
            )
            _log.warning(message, self._directory, reason, aside)

    def _remove(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            self._path.with_name(FILE + suffix).unlink(missing_ok=True)


def _tables(connection: Connection) -> list[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [str(name) for (name,) in rows]


def _is_tape(connection: Connection) -> bool:
    """Whether a database says that it is a tape, of whatever release."""
    if "schema_version" not in _tables(connection):
        return False
    rows = connection.execute("SELECT component FROM schema_version")
    return (COMPONENT,) in rows
