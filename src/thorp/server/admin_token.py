"""The admin token of a data directory: `admin-token`, a file that only its owner may read.

Nobody is admin by address, because a proxy on this machine forwards everybody from this machine's address.
Whoever can read this file is admin. `thorp up` makes it once, commands read it, `thorp token rotate-admin`
replaces it. It is never followed as a link, and counts for nothing when others may read or write it.
"""

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe
from typing import Final

from thorp.kernel.errors import ConflictError, DamagedError
from thorp.store import RealDisk, write_atomic
from thorp.store.real_disk import PrivateDisk

FILE: Final = "admin-token"
TOKEN_PREFIX: Final = "thorp_"
# Longer than any token; what is longer need not be hashed.
MAX_TOKEN_BYTES: Final = 256
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_TOKEN: Final = re.compile(rf"{TOKEN_PREFIX}[A-Za-z0-9_-]{{40,}}\n?", re.ASCII)
_ADVICE: Final = "`thorp token rotate-admin` makes a new one"


def new_token() -> str:
    return TOKEN_PREFIX + token_urlsafe(32)


def make_data_directory(data: Path) -> None:
    """Make a data directory that only its owner may enter. One that is there keeps its permissions."""
    if not data.is_dir():
        RealDisk().make_directories(data.parent)
        with suppress(FileExistsError):
            data.mkdir(mode=0o700)
        RealDisk().make_directories(data)  # which says so if a file has its name


def ensure_admin_token(data: Path) -> str:
    """The admin token; made if there is none. Of several who start at once one makes it."""
    make_data_directory(data)
    token = read_admin_token(data)
    if token is None:
        with suppress(ConflictError):
            write_atomic(PrivateDisk(), data / FILE, f"{new_token()}\n".encode())
        token = read_admin_token(data)
    assert token is not None
    return token


def rotate_admin_token(data: Path) -> None:
    """Replace the admin token; the one before is worthless from the next request on."""
    make_data_directory(data)
    write_atomic(PrivateDisk(), data / FILE, f"{new_token()}\n".encode(), replace=True)


def read_admin_token(data: Path) -> str | None:
    """The admin token; None if there is none. Raises DamagedError if it is not secret, or no token."""
    path = data / FILE
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError:
        raise
    except OSError:
        raise DamagedError(f"{path}: this is a link, not a file; {_ADVICE}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise DamagedError(f"{path}: this is not a file; move it away")
        if status.st_mode & _OTHERS:
            raise DamagedError(f"{path}: others may read it or write to it; {_ADVICE}")
        text = os.read(descriptor, MAX_TOKEN_BYTES).decode("ascii", "replace")
    finally:
        os.close(descriptor)
    if _TOKEN.fullmatch(text) is None:
        raise DamagedError(f"{path}: this is no token; {_ADVICE}")
    return text.rstrip("\n")
