"""The disk of this machine, behind the `Disk` port."""

import contextlib
import errno
import fcntl
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from thorp.kernel.errors import DamagedError, ThorpError
from thorp.store.disk import DiskError, disk_full, file_exists, file_locked, file_missing

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})

# Linux writes less than 2 GiB at once. After a short write only the rest of a step is written
# again.
WRITE_STEP_BYTES = 64 * 1024 * 1024


def _refusal(error: OSError, path: Path, doing: str) -> ThorpError:
    if error.errno in _FULL:
        return disk_full(path, doing)
    if error.errno == errno.EEXIST:
        return file_exists(path)
    if error.errno == errno.ENOENT:
        return file_missing(path)
    reason = error.strerror or str(error)
    return DiskError(
        f"{path}: could not {doing}: {reason}; check the disk and the permissions", file=path
    )


@contextlib.contextmanager
def _naming(path: Path, doing: str) -> Iterator[None]:
    """Turn the system's error into ours, with the file and what was being done to it."""
    try:
        yield
    except OSError as error:
        raise _refusal(error, path, doing) from error


def _sync(descriptor: int) -> None:
    if sys.platform == "darwin":
        # fsync of macOS stops at the drive's own cache.
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fdatasync(descriptor)


class RealFile:
    """A file descriptor, closed on exec."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    def read(self, offset: int, count: int) -> bytes:
        parts = []
        with _naming(self._path, "read"):
            while count > 0 and (part := os.pread(self._opened(), count, offset)):
                parts.append(part)
                offset += len(part)
                count -= len(part)
        return b"".join(parts)

    def write(self, offset: int, data: bytes) -> None:
        rest = memoryview(data)
        with _naming(self._path, f"write {len(data)} bytes"):
            while rest:
                done = os.pwrite(self._opened(), rest[:WRITE_STEP_BYTES], offset)
                if done == 0:
                    raise OSError(errno.EIO, "the system wrote nothing and gave no error")
                offset += done
                rest = rest[done:]

    def truncate(self, size: int) -> None:
        with _naming(self._path, f"truncate to {size} bytes"):
            os.ftruncate(self._opened(), size)

    def size(self) -> int:
        with _naming(self._path, "read the size"):
            return os.fstat(self._opened()).st_size

    def sync(self) -> None:
        with _naming(self._path, "sync"):
            _sync(self._opened())

    def lock(self) -> None:
        with _naming(self._path, "lock"):
            try:
                fcntl.flock(self._opened(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise file_locked(self._path) from None

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            with _naming(self._path, "close"):
                os.close(descriptor)

    def _opened(self) -> int:
        if self._descriptor < 0:
            raise DiskError(f"{self._path}: this file is closed", file=self._path)
        return self._descriptor


class RealDisk:
    """The file system as the process sees it. It has no state, so any number of them may exist."""

    mode = 0o666  # The permissions of new files, less the process's umask.

    def open(self, path: Path, *, writable: bool = False) -> RealFile:
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for a writer.
        flags = os.O_RDWR if writable else os.O_RDONLY | os.O_NONBLOCK
        with _naming(path, "open"):
            descriptor = os.open(path, flags | os.O_CLOEXEC)
            if not writable and not stat.S_ISREG(os.fstat(descriptor).st_mode):
                os.close(descriptor)
                raise DamagedError(f"{path}: this is not a file; move it away")
            return RealFile(path, descriptor)

    def create(self, path: Path) -> RealFile:
        with _naming(path, "create"):
            return RealFile(
                path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, self.mode)
            )

    def exists(self, path: Path) -> bool:
        with _naming(path, "look for it"):
            # A dangling symbolic link takes the name too.
            return os.path.lexists(path)

    def list(self, directory: Path) -> list[str]:
        with _naming(directory, "list"):
            return sorted(os.listdir(directory))

    def link(self, source: Path, target: Path) -> None:
        with _naming(target, "link"):
            try:
                os.link(source, target)
            except OSError as error:
                if error.errno not in _NO_LINKS:
                    raise
                raise DiskError(
                    f"{target}: this file system cannot make hard links, without which a new file "
                    "cannot be told from an existing one; ask to replace it, or write elsewhere",
                    file=target,
                ) from error

    def replace(self, source: Path, target: Path) -> None:
        with _naming(target, "replace"):
            os.replace(source, target)

    def remove(self, path: Path) -> None:
        with _naming(path, "remove"):
            os.unlink(path)

    def make_directories(self, path: Path) -> None:
        if path.is_dir():
            return
        self.make_directories(path.parent)
        with _naming(path, "make the directory"):
            try:
                os.mkdir(path)
            except FileExistsError:
                # Another process may have made the same directory a moment earlier.
                if not path.is_dir():
                    raise
        self.sync_directory(path.parent)

    def sync_directory(self, path: Path) -> None:
        with _naming(path, "sync the directory"):
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


class PrivateDisk(RealDisk):
    """Creates files that only their owner may read: tokens and keys."""

    mode = 0o600
