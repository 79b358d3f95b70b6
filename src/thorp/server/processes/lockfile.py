"""Lockfile that says where the running server answers: `serving.json` in its data directory.

The server holds a lock on it, which goes with the process however that ends. A file without a lock
was left by a server that was killed, and is ignored; the next server replaces it. It holds no
secret.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.errors import IllegalError, ThorpError
from thorp.store import DiskFile, RealDisk
from thorp.store.turn import alone_in

FILE: Final = "serving.json"
# Attempts to take or read the lockfile: a reader holds its lock for a moment, and a server that
# starts needs a moment to write it.
ATTEMPTS: Final = 20
ATTEMPT_SECONDS: Final = 0.01
# Addresses that mean every interface, and where such a server answers on this machine.
_EVERYWHERE: Final = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}


class RunningServer(msgspec.Struct, frozen=True):
    """Where a server answers, and who it is."""

    url: str
    pid: int
    release: str


def url_of(host: str, port: int) -> str:
    """How this machine reaches a server that listens on a host."""
    name = _EVERYWHERE.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


@contextmanager
def announce_server(data: Path, server: RunningServer) -> Iterator[None]:
    """Hold the lockfile while this lasts. Does nothing if another server holds it."""
    file = _write_held(RealDisk(), data / FILE, msgspec.json.encode(server) + b"\n")
    try:
        yield
    finally:
        if file is not None:
            with suppress(ThorpError):
                RealDisk().remove(data / FILE)
            file.close()


def find_server(data: Path) -> RunningServer | None:
    """The server that holds a data directory; None if none does."""
    for _ in range(ATTEMPTS):
        if not is_held(data / FILE):
            return None
        with suppress(msgspec.DecodeError, FileNotFoundError):
            return msgspec.json.decode((data / FILE).read_bytes(), type=RunningServer)
        time.sleep(ATTEMPT_SECONDS)
    raise IllegalError(f"{data / FILE}: a server holds it, but it cannot be read; stop that server")


def _write_held(disk: RealDisk, path: Path, content: bytes) -> DiskFile | None:
    """The lockfile with this content, locked; None if another server holds it.

    It is locked before it gets its name: a locked file of that name always has the content of the
    server that holds it, never that of one that was killed.
    """
    disk.make_directories(path.parent)
    for _ in range(ATTEMPTS):
        with alone_in(path.parent):
            if not is_held(path):
                written = path.with_name(f".{FILE}.{os.getpid()}")
                written.unlink(missing_ok=True)
                file = disk.create(written)
                file.lock()
                file.write(0, content)
                disk.replace(written, path)
                return file
        time.sleep(ATTEMPT_SECONDS)
    return None


def is_held(path: Path) -> bool:
    """Whether a server holds this file. Readers take a shared lock, so they are not mistaken for
    one."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
