"""Lockfile that says where the running server answers: `serving.json` in its data directory.

The server holds a lock on it, which goes with the process however that ends. A file without a lock was left
by a server that was killed, and is ignored; the next server replaces it. It holds no secret.
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

FILE: Final = "serving.json"
# A reader holds the lock for a moment, and a server that starts has not written for one.
ATTEMPTS: Final = 20
ATTEMPT_SECONDS: Final = 0.01
# How long one waits for one's turn in a directory. Whoever has it writes one small file.
TURN_SECONDS: Final = 10.0
# Shorter than such a write, so that somebody who writes again and again leaves a gap to others.
ASK_AGAIN_SECONDS: Final = 0.001
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
    """Hold the lockfile as long as this lasts. If another server holds it, do nothing."""
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

    It is locked before it gets its name, so nobody takes what a killed server left for the word of this one.
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


@contextmanager
def alone_in(directory: Path) -> Iterator[None]:
    """Let one process at a time change the small files of a data directory: its lockfile, its tokens.

    The lock goes with the process that has it. Raises IllegalError if somebody has it for too long.
    """
    descriptor = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        until = time.monotonic() + TURN_SECONDS
        while not _try_lock(descriptor):
            if time.monotonic() > until:
                told = f"another process has been changing it for {TURN_SECONDS:.0f} s; stop that one"
                raise IllegalError(f"{directory}: {told}, then try again", code="locked")
            time.sleep(ASK_AGAIN_SECONDS)
        yield
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_held(path: Path) -> bool:
    """Whether a process holds this file. Readers share the lock, so they are not mistaken for one."""
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
