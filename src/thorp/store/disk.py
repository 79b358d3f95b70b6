"""The `Disk` port: the few things that the store asks of a disk, and no more.

A disk promises less than it seems to, so the port says exactly what the store may rely on:

    write            the bytes can be read back; a crash may keep any part of them, in any order
    sync             every byte of this file written before, and its size, will survive a crash
    create, link,    visible at once; a crash may undo them until `sync_directory` of the
    replace, remove  directory has returned
    replace          readers see the old file or the new one, never a mixture

A `write` or a `sync` that failed leaves unknown bytes behind, and a second `sync` proves nothing
about them: the system may have thrown the unwritten pages away and marked them clean. Whoever holds
the file must stop, open it again, and read what is there.

There are two disks: `RealDisk`, and `thorp.store.testing.BreakableDisk`, which does everything to
its files that is allowed above.
"""

from pathlib import Path
from typing import Protocol

from thorp.kernel.errors import ConflictError, IllegalError, ThorpError


class DiskError(ThorpError):
    """The disk refused or failed: `disk_full` or `disk_error`. Nothing was acknowledged."""

    code = "disk_error"

    def __init__(self, message: str, *, code: str | None = None, file: Path | None = None) -> None:
        super().__init__(message, code=code)
        self.file = file


def disk_full(file: Path, doing: str) -> DiskError:
    """The error for a disk without space left."""
    return DiskError(
        f"{file}: no space left to {doing}; free space on this disk, then start again",
        code="disk_full",
        file=file,
    )


def file_exists(file: Path) -> ConflictError:
    """The error for a file that would be overwritten although nobody asked for that."""
    return ConflictError(
        f"{file}: exists already; give another name, or ask to replace it", code="exists"
    )


def file_missing(file: Path) -> IllegalError:
    """The error for a path that leads nowhere."""
    return IllegalError(f"{file}: no such file or directory; check the path", code="missing")


def file_locked(file: Path) -> IllegalError:
    """The error for a file that another process holds."""
    return IllegalError(
        f"{file}: another process holds it open for writing; wait for that one, or stop it",
        code="locked",
    )


class DiskFile(Protocol):
    """One open file. Offsets are given with every call, so that no position can be wrong."""

    def read(self, offset: int, count: int) -> bytes:
        """Return `count` bytes from `offset`, fewer only where the file ends."""

    def write(self, offset: int, data: bytes) -> None:
        """Write all of `data`, or raise DiskError with an unknown part of it written."""

    def truncate(self, size: int) -> None:
        """Make the file `size` bytes long."""

    def size(self) -> int:
        """Return the length in bytes."""

    def sync(self) -> None:
        """Make every byte written so far survive a crash, or raise DiskError."""

    def lock(self) -> None:
        """Hold the file alone until it is closed, or raise `locked` at once."""

    def close(self) -> None:
        """Let go of the file and its lock. Closing twice is allowed; it syncs nothing."""


class Disk(Protocol):
    """The files of one machine. Every failure is a ThorpError that names the file."""

    def open(self, path: Path, *, writable: bool = False) -> DiskFile:
        """Open an existing file, or raise `missing`."""

    def create(self, path: Path) -> DiskFile:
        """Make a new empty file, open for writing, or raise `exists`."""

    def exists(self, path: Path) -> bool:
        """Return whether the name is taken."""

    def list(self, directory: Path) -> list[str]:
        """Return the names in a directory, sorted."""

    def link(self, source: Path, target: Path) -> None:
        """Give a file a second name in the same directory, or raise `exists`."""

    def replace(self, source: Path, target: Path) -> None:
        """Rename within one directory, over whatever had that name."""

    def remove(self, path: Path) -> None:
        """Take a file's name away, or raise `missing`."""

    def make_directories(self, path: Path) -> None:
        """Make a directory and its parents where they are missing, durably."""

    def sync_directory(self, path: Path) -> None:
        """Make the names in this directory survive a crash, or raise DiskError."""
