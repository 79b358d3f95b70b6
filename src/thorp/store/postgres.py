"""PostgreSQL, by URL; needs the extra `thorp[postgres]`.

It is made to behave as SQLite does: an advisory lock, held by the transaction, allows one writer at
a time among all processes. Each statement sees what was committed before it began, and nobody else
commits meanwhile, so the transactions are serial.

After a lost connection the next work connects again. If it was lost during a commit, the group may
be durable although its members get an error: nothing was acknowledged, and the error says so.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from thorp.kernel.closing import closed_on_error
from thorp.kernel.errors import DamagedError, IllegalError, InvalidError, ThorpError
from thorp.store import session as sessions
from thorp.store.database import Database
from thorp.store.disk import DiskError

if TYPE_CHECKING:
    import psycopg
    from psycopg.rows import TupleRow

WRITER_LOCK: Final = 0x74686F7270  # "thorp" in ASCII. Any number that nobody else locks will do.

_QUOTED_OR_MARK: Final = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|\?""", re.DOTALL
)

# PostgreSQL's only checks of itself are those of the extension amcheck.
_OURS: Final = "c.relnamespace = current_schema()::regnamespace"
_CHECK_INDEXES: Final = (
    "SELECT c.relname, bt_index_check(c.oid, true)::text FROM pg_class c JOIN pg_am a ON a.oid = "
    f"c.relam WHERE c.relkind = 'i' AND a.amname = 'btree' AND {_OURS}"
)
_CHECK_TABLES: Final = (
    "SELECT c.relname || ': ' || v.msg FROM pg_class c CROSS JOIN LATERAL verify_heapam(c.oid) v "
    f"WHERE c.relkind = 'r' AND {_OURS} LIMIT 1"
)

# States of a server that was shut down, crashed or is starting, and of a failed connection.
_LOST: Final = ("57P01", "57P02", "57P03", "08006")
_NO_CONNECTION: Final = b"08006"

# The error that we make of a SQLSTATE, or of its class.
_REFUSALS: Final[Mapping[str, Callable[[str, str], ThorpError]]] = {
    "23": lambda _, reason: sessions.ConstraintError(reason),
    "40P01": lambda name, _: sessions.busy(name),
    "55P03": lambda name, _: sessions.busy(name),
    "53100": lambda name, reason: DiskError(
        f"{name}: {reason}; free space on the server", code="disk_full"
    ),
    "58": lambda name, reason: DiskError(f"{name}: {reason}; check the server's disk"),
    "XX001": lambda name, reason: DamagedError(
        f"{name}: {reason}; restore this database from a backup"
    ),
    "XX002": lambda name, reason: DamagedError(f"{name}: {reason}; rebuild the index"),
}


@lru_cache(maxsize=sessions.STATEMENTS_KEPT)
def numbered(sql: str) -> bytes:
    """Return the statement with each `?` outside quotes and comments replaced by `$1`, `$2`, …"""
    numbers = itertools.count(1)
    return _QUOTED_OR_MARK.sub(
        lambda match: f"${next(numbers)}" if match.group() == "?" else match.group(), sql
    ).encode()


class PostgresSession(sessions.Session):
    """A session over a psycopg connection in autocommit mode, so that we control transactions."""

    dialect: ClassVar[sessions.Dialect] = "postgresql"
    begin_write: ClassVar[str] = (
        f"BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock({WRITER_LOCK})"
    )
    begin_read: ClassVar[str] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    def __init__(self, name: str, connection: psycopg.Connection[TupleRow]) -> None:
        super().__init__()
        import psycopg

        self.name = name
        self._connection = connection
        # Binary results need the extended protocol, and that refuses two statements in one call.
        self._cursor = psycopg.RawCursor(connection)
        self._errors = (psycopg.Error, UnicodeError)
        self._good = frozenset({psycopg.pq.ExecStatus.COMMAND_OK, psycopg.pq.ExecStatus.TUPLES_OK})
        self._state_field = psycopg.pq.DiagnosticField.SQLSTATE
        self._release_due = False
        self._doing: Literal["begin", "work", "commit"] = "begin"

    def run(self, sql: str, params: Sequence[sessions.Value] = ()) -> list[sessions.Row]:
        try:
            self._cursor.execute(numbered(sql), params, binary=True)
            return self._cursor.fetchall() if self._cursor.description else []
        except self._errors as error:
            raise self._refusal(getattr(error, "sqlstate", None), str(error)) from error

    def control(self, sql: str) -> None:
        self._exec(sql)

    def commit(self) -> None:
        # The server answers a commit of a failed transaction with a rollback, and calls that
        # success.
        self._doing = "commit"
        if self._exec("COMMIT") != b"COMMIT":
            raise sessions.StatementError(f"{self.name}: the server has rolled this back")

    def _exec(self, sql: str) -> bytes | None:
        """Execute without psycopg's cursor, which costs more than such a statement; return the
        command tag."""
        try:
            result = self._connection.pgconn.exec_(sql.encode())
        except self._errors as error:
            raise self._refusal(None, str(error)) from error
        if result.status not in self._good:
            # Errors without a state come from the client's library, and are about the connection.
            state = result.error_field(self._state_field) or _NO_CONNECTION
            raise self._refusal(
                state.decode(), result.error_message.decode(errors="replace").strip()
            )
        return result.command_status

    def begin(self) -> None:
        self._release_due = False
        self._doing = "begin"
        super().begin()
        self._doing = "work"

    def savepoint(self) -> None:
        self.control(
            "RELEASE SAVEPOINT work; SAVEPOINT work" if self._release_due else "SAVEPOINT work"
        )
        self._release_due = False

    def release(self) -> None:
        # Sent together with the next savepoint, which saves a round trip; a commit needs none.
        self._release_due = True

    def check(self) -> sessions.SelfCheck:
        if not self.run("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'"):
            return sessions.SelfCheck(None, None)
        self.run(_CHECK_INDEXES)  # a damaged index is an error of state XX002
        damage = self.run(_CHECK_TABLES)
        return sessions.SelfCheck("amcheck", f"{self.name}: {damage[0][0]}" if damage else None)

    def close(self) -> None:
        self._connection.close()

    def _refusal(self, state: str | None, reason: str) -> ThorpError:
        state = state or ""
        if self._connection.closed or state.startswith(_LOST):
            kept = "nothing of this was kept"
            if self._doing == "commit":
                kept = "what was being committed may or may not be durable; look it up by its key"
            return sessions.ConnectionLost(
                f"{self.name}: the connection was lost; {kept}", self._doing
            )
        refusal = _REFUSALS.get(state) or _REFUSALS.get(state[:2])
        return refusal(self.name, reason) if refusal else sessions.StatementError(reason)


def _connect(url: str) -> PostgresSession:
    """Connect, and set what durability and waiting need."""
    try:
        import psycopg
    except ImportError:
        raise IllegalError(
            "PostgreSQL needs psycopg, which is not installed; run: pip install 'thorp[postgres]'",
            code="missing_extra",
        ) from None
    try:
        connection = psycopg.connect(url, autocommit=True, connect_timeout=sessions.BUSY_TIMEOUT_S)
    except psycopg.ProgrammingError:
        # Its message may quote the part that it could not read, and that may be the password.
        raise InvalidError(
            "PostgreSQL cannot read this URL; check its escapes and options"
        ) from None
    except psycopg.OperationalError as error:
        raise sessions.ConnectionLost(f"could not connect to PostgreSQL: {error}") from None
    session = PostgresSession(f"PostgreSQL database {connection.info.dbname}", connection)
    with closed_on_error(session):
        session.control(
            f"SET synchronous_commit = on; SET lock_timeout = '{sessions.BUSY_TIMEOUT_S}s'"
        )
    return session


def open_postgres(url: str) -> Database:
    """Open a PostgreSQL database that exists."""
    session = _connect(url)
    return Database(session.name, session, lambda: _connect(url), open_writer=lambda: _connect(url))
