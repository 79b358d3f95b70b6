"""Makes a directory beside its place, and moves it there when it is whole.

A failure or a crash leaves nothing at that place. What a killed process has left beside it, as
`.NAME.unfinished`, is cleared away by the next one that makes the same directory.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from thorp.kernel.errors import ConflictError, IllegalError, InvalidError, ThorpError
from thorp.store.disk import DiskFile
from thorp.store.files import hold
from thorp.store.real_disk import RealDisk

LOCK: Final = ".unfinished"  # Held by the one process that makes the directory.


@contextmanager
def staged_directory(place: Path) -> Iterator[Path]:
    """An empty directory that gets its place, at once, when the block ends without an error.

    The place must be missing or empty; else it is refused as `exists`. Refuses as `locked` while
    another process makes the same directory.
    """
    disk = RealDisk()
    target = place.resolve()
    if disk.exists(target) and (not target.is_dir() or disk.list(target)):
        raise ConflictError(f"{place}: is not empty; choose a new directory", code="exists")
    if target == Path.cwd():
        raise InvalidError(
            f"{place}: is the current directory, which cannot be replaced; choose a new one",
            code="current",
        )
    stage = target.with_name(f".{target.name}.unfinished")
    new_parents = [each for each in target.parents if not each.exists()]
    disk.make_directories(stage)
    with closing(_hold(disk, stage, place)):
        try:
            _clear(stage)
            yield stage
            disk.sync_directory(stage)
            disk.replace(stage, target)
        except BaseException:
            shutil.rmtree(stage, ignore_errors=True)
            _remove_empty(new_parents)
            raise
        disk.remove(target / LOCK)
        disk.sync_directory(target.parent)


def _hold(disk: RealDisk, stage: Path, place: Path) -> DiskFile:
    """The lock of the directory that is being made."""
    try:
        return hold(disk, stage / LOCK)
    except ThorpError as problem:
        if problem.code != "locked":
            raise
        raise IllegalError(f"{place}: another process is making it now", code="locked") from None


def _clear(stage: Path) -> None:
    """Remove what a process that was killed has left."""
    for left in stage.iterdir():
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left)
        elif left.name != LOCK:
            left.unlink()


def _remove_empty(directories: list[Path]) -> None:
    """Remove directories, the innermost first, as long as they are empty."""
    with suppress(OSError):
        for directory in directories:
            directory.rmdir()
