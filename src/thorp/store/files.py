"""Writes whole files, at once or not at all.

A crash at any point leaves the old file, or the new one, or none, and at worst a temporary
`.NAME.N.tmp` beside it, which nobody reads and anyone may delete.
"""

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from thorp.kernel.closing import closed_on_error
from thorp.kernel.errors import ConflictError, LimitError, ThorpError
from thorp.store.disk import Disk, DiskFile, file_exists

# Unfinished writes that crashes have left beside a file; at a hundred, a person should look.
MAX_TEMPORARIES = 100


def read_whole(disk: Disk, path: Path, *, most: int | None = None) -> bytes:
    """Read a whole file; one with more bytes than `most` is refused unread."""
    with contextlib.closing(disk.open(path)) as file:
        size = file.size()
        if most is not None and size > most:
            raise LimitError(f"{path}: it has {size} bytes, where {most} are the most")
        return file.read(0, size)


def hold(disk: Disk, path: Path) -> DiskFile:
    """Hold a lock file, which is made if it is missing, until it is closed."""
    with contextlib.suppress(ConflictError):
        disk.create(path).close()
    file = disk.open(path, writable=True)
    with closed_on_error(file):
        file.lock()
    return file


Content = bytes | Iterable[bytes]
"""The content of a file: all at once, or in pieces that are written as they come."""


def write_atomic(disk: Disk, path: Path, data: Content, *, replace: bool = False) -> None:
    """Write a whole file durably; on any failure nothing half-written has the name.

    Without `replace` an existing name is refused as `exists`, also when two writers race for it:
    the link decides, and it can be made once. With `replace` a failure after the rename may leave
    the new file in place, whole but not known to be durable.
    """
    write_together(disk, {path: data}, replace=replace)


def write_together(disk: Disk, files: Mapping[Path, Content], *, replace: bool = False) -> None:
    """Write several files that belong together, each as `write_atomic` would.

    The bytes of all of them are durable under temporary names before the first gets its own, so
    running out of space leaves everything as it was. Only a disk that fails while names change, or
    a crash in that moment, can leave some of them old and some new; without `replace` even then
    none is left behind.
    """
    if not replace:
        for path in files:
            if disk.exists(path):
                raise file_exists(path)
    ready: list[tuple[Path, Path]] = []
    mine: list[Path] = []  # to be removed if anything fails
    try:
        for path, data in files.items():
            temporary, file = _create_temporary(disk, path)
            mine.append(temporary)
            try:
                _write_content(file, data)
                file.sync()
            finally:
                file.close()
            ready.append((temporary, path))
        for temporary, path in ready:
            if replace:
                disk.replace(temporary, path)
            else:
                disk.link(temporary, path)
                mine.append(path)
                disk.remove(temporary)
            mine.remove(temporary)
        for folder in dict.fromkeys(path.parent for path in files):
            disk.sync_directory(folder)
    except BaseException:
        for leftover in mine:
            with contextlib.suppress(ThorpError):
                disk.remove(leftover)
        raise


def _write_content(file: DiskFile, data: Content) -> None:
    offset = 0
    for piece in [data] if isinstance(data, bytes) else data:
        file.write(offset, piece)
        offset += len(piece)


def _create_temporary(disk: Disk, path: Path) -> tuple[Path, DiskFile]:
    """Create the first free temporary name. Creation is exclusive, so two writers never share
    one."""
    for number in range(MAX_TEMPORARIES):
        candidate = path.with_name(f".{path.name}.{number}.tmp")
        try:
            return candidate, disk.create(candidate)
        except ConflictError:
            continue
    raise LimitError(
        f"{path}: {MAX_TEMPORARIES} unfinished writes lie beside it (.{path.name}.*.tmp); "
        "stop what is writing it, and delete them"
    )
