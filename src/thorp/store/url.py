"""Databases by URL: `sqlite:///relative`, `sqlite:////absolute`, `postgresql://…`.

No message repeats the URL, because it may hold a password.
"""

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from thorp.kernel.errors import IllegalError, InvalidError
from thorp.store.database import Database
from thorp.store.postgres import open_postgres
from thorp.store.real_disk import RealDisk
from thorp.store.relocation import check_not_relocated
from thorp.store.sqlite import open_sqlite

SQLITE: Final = "sqlite:///"
POSTGRESQL: Final = "postgresql://"
ADVICE: Final = "write sqlite:///relative/path, sqlite:////absolute/path or postgresql://user@host/database"


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
        # What could be read in two ways is refused: a part of the password may end up as a host's name.
        try:
            parts = urlsplit(url)
        except ValueError:
            raise _bad_url("the host cannot be read") from None
        if url.count("@") > parts.netloc.count("@") or parts.netloc.count("@") > 1 or parts.fragment:
            raise _bad_url("special characters of a password must be escaped, like %40 for @")
        return open_postgres(url)
    scheme = url.partition(":")[0] if "://" in url else ""
    raise _bad_url(
        f"{scheme!r} is no kind of database that we know" if scheme.isalnum() else "this is no URL"
    )


def open_database_in(
    where: str | Path | Database, file_name: str, *, create: bool, absent: str, code: str
) -> Database:
    """Open the database at a URL, or the file of this name in a directory; an open one is taken over.

    Without `create` a missing file is refused: the error has this code and names the directory, and `absent`
    says what is not there.
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
