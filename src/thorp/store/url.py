"""Opens databases by URL: `sqlite:///relative`, `sqlite:////absolute`, `postgresql://…`.

No message repeats the URL, because it may hold a password.

The towns and the story of a directory can be kept in PostgreSQL instead of SQLite files beside the
world. A mark in the directory says so, so that no command begins new files there by mistake.
`copy_tables` copies an existing SQLite database there, row by row, in one transaction.
"""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from thorp.kernel.errors import IllegalError, InvalidError
from thorp.store.database import Database
from thorp.store.files import write_atomic
from thorp.store.postgres import open_postgres
from thorp.store.real_disk import RealDisk
from thorp.store.session import Connection, Row
from thorp.store.sqlite import open_sqlite

SQLITE: Final = "sqlite:///"
POSTGRESQL: Final = "postgresql://"
ADVICE: Final = (
    "write sqlite:///relative/path, sqlite:////absolute/path or postgresql://user@host/database"
)

MARK: Final = "database.txt"
_MARKED: Final = b"The towns and the story of this directory are in a PostgreSQL database.\n"
_PAGE: Final = 1_000  # Rows that are read, and held in memory, at a time.


def open_database(url: str) -> Database:
    """Open the database that a URL names, or refuse the URL with `bad_url`."""
    if url.startswith(SQLITE):
        path = url.removeprefix(SQLITE)
        if not path or path.endswith("/"):
            raise _bad_url("the name of the file is missing")
        if "?" in path or "#" in path:
            raise _bad_url("SQLite takes no options here")
        return open_sqlite(Path(path))
    if url.startswith(POSTGRESQL):
        # A URL that could be read in two ways is refused: a part of the password might be taken for
        # the host, and end up in a message.
        try:
            parts = urlsplit(url)
        except ValueError:
            raise _bad_url("the host cannot be read") from None
        if (
            url.count("@") > parts.netloc.count("@")
            or parts.netloc.count("@") > 1
            or parts.fragment
        ):
            raise _bad_url("special characters of a password must be escaped, like %40 for @")
        return open_postgres(url)
    scheme = url.partition(":")[0] if "://" in url else ""
    raise _bad_url(
        f"{scheme!r} is not a kind of database that we know"
        if scheme.isalnum()
        else "this is not a URL"
    )


def open_database_in(
    where: str | Path | Database, file_name: str, *, create: bool, absent: str, code: str
) -> Database:
    """Open the database at a URL, or the file of this name in a directory; an open one is returned
    as it is.

    Without `create` a missing file is refused: the error has this code and names the directory, and
    `absent` says what is missing.
    """
    if isinstance(where, Database):
        return where
    if isinstance(where, str) and "://" in where:
        file = Path(where.removeprefix(SQLITE)) if where.startswith(SQLITE) else None
        url = where
    else:
        check_not_relocated(Path(where))
        file = Path(where) / file_name
        url = f"{SQLITE}{file}"
        if create:
            RealDisk().make_directories(file.parent)
    if not create and file is not None and not file.exists():
        raise IllegalError(f"{file.parent}: {absent}", code=code)
    return open_database(url)


def _bad_url(reason: str) -> InvalidError:
    return InvalidError(f"this database URL cannot be used: {reason}; {ADVICE}", code="bad_url")


def mark_relocated(directory: Path) -> None:
    """Note that the towns and the story of this directory are in PostgreSQL. Every start of the
    server does that again."""
    disk = RealDisk()
    disk.make_directories(directory)
    write_atomic(disk, directory / MARK, _MARKED, replace=True)


def check_not_relocated(directory: Path) -> None:
    """Refuse to look for towns and story in a directory whose mark says that they are in
    PostgreSQL."""
    if (directory / MARK).exists():
        raise IllegalError(
            f"{directory}: its towns and story are in a PostgreSQL database; start its server with "
            "`thorp up --database URL`, or give commands --url postgresql://…",
            code="relocated",
        )


def copy_tables(
    source: Database, target: Database, create_tables: Callable[[Connection], bool], prefix: str
) -> int:
    """Copy the tables of one component, whose names begin with `prefix`, from SQLite in one
    transaction.

    Returns the number of rows. If the tables exist already, nothing is copied.
    """

    def write(connection: Connection) -> int:
        if not create_tables(connection):
            return 0
        copied = 0
        for table in source.read(lambda source: _table_names(source, prefix)):
            for row in _rows(source, table):
                connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
                copied += 1
        return copied

    return target.submit(write).result()


def _table_names(source: Connection, prefix: str) -> list[str]:
    """The tables in the order in which they were made, so that a row comes after those that it
    refers to."""
    rows = source.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
    return [name for (name,) in rows if name.startswith(f"{prefix}_")]


def _rows(source: Database, table: str) -> Iterator[Row]:
    """The rows of a SQLite table, read a page at a time. Bytes are cast to BLOB, since SQLite may
    have made text of bytes that were joined."""
    columns = source.read(
        lambda connection: connection.execute(
            "SELECT CASE type WHEN 'BYTEA' THEN 'CAST(' || name || ' AS BLOB)' ELSE name END, pk "
            "FROM pragma_table_info(?)",
            [table],
        )
    )
    keys = ", ".join(name for name, key in columns if key)
    page = (
        f"SELECT {', '.join(name for name, _ in columns)} FROM {table} ORDER BY {keys} LIMIT ? "
        "OFFSET ?"
    )

    def read_page(place: int) -> list[Row]:
        return source.read(lambda connection: connection.execute(page, [_PAGE, place]))

    for rows in map(read_page, count(0, _PAGE)):
        yield from rows
        if len(rows) < _PAGE:
            return
