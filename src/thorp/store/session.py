"""One connection to a database, and the rules that make two backends behave as one.

`docs/store.md` lists the rules ("SQL for both"). A *work* is a function of a `Connection`. It never
sees a transaction; the session around it does (see `database`). A statement that fails dooms its
work: every later statement of it fails the same way, and so does the work, even if it catches the
error. PostgreSQL behaves like that, so SQLite is made to.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol

from thorp.kernel.errors import ConflictError, InvalidError, ThorpError, UnavailableError
from thorp.store.disk import DiskError

Value = int | str | bytes | None
Row = tuple[Any, ...]
Dialect = Literal["sqlite", "postgresql"]

# How long a writer or reader waits while another process holds the database.
BUSY_TIMEOUT_S: Final = 10
STATEMENTS_KEPT: Final = 1024  # Texts of statements that are kept ready. An engine has some dozens.

_VALUE_TYPES: Final = frozenset({int, str, bytes, type(None)})
_NOT_FOR_WORKS: Final = re.compile(
    r"(?:\s+|--[^\n]*\n|/\*.*?\*/)*"
    r"(?:$|(ABORT|ATTACH|BEGIN|CALL|COMMIT|COPY|DETACH|DISCARD|END|LISTEN|LOAD|NOTIFY|PRAGMA"
    r"|PREPARE|RELEASE|RESET|ROLLBACK|SAVEPOINT|SET|START|VACUUM)\b)",
    re.DOTALL | re.IGNORECASE,
)


class ConstraintError(ConflictError):
    """A constraint of the schema refused the row."""

    code = "constraint"


class StatementError(InvalidError):
    """The database refused the statement."""

    code = "statement"


class ConnectionLost(DiskError, UnavailableError):
    """The database's server went away, or cannot be reached. `during` says what was under way. If
    that was a commit, it may be durable all the same: look it up by its key."""

    code = "disconnected"

    def __init__(self, message: str, during: Literal["begin", "work", "commit"] = "begin") -> None:
        super().__init__(message)
        self.during = during


def busy(name: str) -> UnavailableError:
    """The error for a database that another process held too long."""
    return UnavailableError(
        f"{name}: another process held the database for {BUSY_TIMEOUT_S} s; try again", code="busy"
    )


class SelfCheck(NamedTuple):
    """What a database says about its own pages and indexes."""

    name: str | None  # The check that ran; None if this database has none that we may run.
    problem: str | None


class Connection(Protocol):
    """What a work may do."""

    @property
    def dialect(self) -> Dialect:
        """Which SQL is spoken here, for the rare statement that cannot be the same."""

    def execute(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        """Execute one statement and return its rows, all of them."""


class Session(ABC):
    """A connection with control of its transactions. A backend implements `run`; `execute` decides
    which statements a work may run.

    Every error that leaves a session is a ThorpError.
    """

    dialect: ClassVar[Dialect]
    begin_write: ClassVar[str]
    begin_read: ClassVar[str]

    def __init__(self) -> None:
        self.doomed: ThorpError | None = None
        """The first error of the work that runs; every later statement of it raises the same."""

    def execute(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        """Execute a statement of a work, within the rules for both backends."""
        if self.doomed is not None:
            raise self.doomed
        _check_statement(sql)
        if not _VALUE_TYPES.issuperset(map(type, params)):
            kinds = ", ".join(type(value).__name__ for value in params)
            raise InvalidError(f"a parameter is None, int, str or bytes; these are: {kinds}")
        try:
            return self.run(sql, params)
        except ThorpError as error:
            self.doomed = error
            raise

    @abstractmethod
    def run(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        """Execute a statement, whatever it is; turn the backend's errors into ours."""

    def control(self, sql: str) -> None:
        """Execute a statement that controls the transaction."""
        self.run(sql)

    def check(self) -> SelfCheck:
        """Let the database check its own pages and indexes, in a transaction that only reads."""
        return SelfCheck(None, None)

    @abstractmethod
    def close(self) -> None:
        """End the connection. What is not committed is lost."""

    def begin(self) -> None:
        """Begin to write, alone: the next writer waits until this transaction ends."""
        self.doomed = None
        self.control(self.begin_write)

    def begin_reading(self) -> None:
        """Begin to read one unchanging state of what is committed."""
        self.doomed = None
        self.control(self.begin_read)

    def savepoint(self) -> None:
        """Begin a part of the transaction that can be undone alone."""
        self.control("SAVEPOINT work")

    def release(self) -> None:
        """Keep what was done since the savepoint."""
        self.control("RELEASE SAVEPOINT work")

    def undo(self) -> None:
        """Take back everything since the savepoint."""
        self.control("ROLLBACK TO SAVEPOINT work")
        self.control("RELEASE SAVEPOINT work")
        self.doomed = None

    def commit(self) -> None:
        """End the transaction, durably if it wrote."""
        self.control("COMMIT")

    def rollback(self) -> None:
        """End the transaction without keeping anything of it."""
        self.control("ROLLBACK")


@lru_cache(maxsize=STATEMENTS_KEPT)
def _check_statement(sql: str) -> None:
    """Refuse statements that would control the transaction or the connection."""
    refused = _NOT_FOR_WORKS.match(sql)
    if refused is not None:
        raise InvalidError(
            f"a work executes plain statements, not {refused.group(1) or 'nothing'}; "
            "its transaction begins before it and ends after it"
        )
