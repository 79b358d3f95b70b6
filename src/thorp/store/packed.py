"""Compresses finished files: `NAME.zst`, one zstd frame with its length and its checksum.

`pack_file` writes the packed file durably; the caller then removes the plain one. A crash between
the two leaves both, with the same content. `open_plain_or_packed` reads either through the
`DiskFile` port, so that code which reads a plain file front to back reads a packed one too. A file
is unpacked piece by piece as it is read, so one that claims to be endless takes no more memory than
any other.
"""

import io
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO, Final, cast

import zstandard

from thorp.kernel.errors import DamagedError
from thorp.store.disk import Disk, DiskError, DiskFile
from thorp.store.files import write_atomic

SUFFIX: Final = ".zst"
LEVEL: Final = 3  # Journals shrink to a tenth, at more than 200 MB a second.
STEP_BYTES: Final = 256 * 1024
# How far back a frame may refer, and so how much of it a reader has to hold: four times what our
# level needs.
MAX_WINDOW_BYTES: Final = 8 * 2**20
_HEAD_BYTES: Final = 32  # A frame's head, with its length, has at most 18 bytes.


def packed_name(path: Path) -> Path:
    """The path of a file's compressed form."""
    return path.with_name(path.name + SUFFIX)


def pack_file(disk: Disk, path: Path, *, rest: Callable[[], None] = lambda: None) -> Path:
    """Write the packed form of a file beside it, durably; return its path. `rest` is called between
    pieces, to let other threads run."""
    with closing(disk.open(path)) as file:
        size = file.size()
        stream = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compressobj(size=size)
        pieces = []
        for offset in range(0, size, STEP_BYTES):
            pieces.append(stream.compress(file.read(offset, min(STEP_BYTES, size - offset))))
            rest()
    target = packed_name(path)
    write_atomic(disk, target, b"".join([*pieces, stream.flush()]), replace=True)
    return target


def open_plain_or_packed(disk: Disk, path: Path) -> DiskFile:
    """Open a file for reading; the name says whether it is packed."""
    file = disk.open(path)
    return PackedFile(file, path) if path.suffix == SUFFIX else file


class _Source(io.RawIOBase):
    """A file of the `DiskFile` port as the kind of object that zstandard reads from."""

    def __init__(self, file: DiskFile) -> None:
        self._file = file
        self._offset = 0

    def read(self, count: int = -1) -> bytes:
        data = self._file.read(self._offset, count)
        self._offset += len(data)
        return data


class PackedFile:
    """The content of a packed file, through the `DiskFile` port. Reading backwards is allowed, and
    unpacks from the front again."""

    def __init__(self, file: DiskFile, path: Path) -> None:
        self._file = file
        self._path = path
        try:
            self._size = zstandard.frame_content_size(file.read(0, _HEAD_BYTES))
        except zstandard.ZstdError as error:
            file.close()
            raise self._damage(error) from None
        if self._size < 0:
            file.close()
            raise self._damage("it does not say how long it is")
        self._begin()

    def _begin(self) -> None:
        unpacker = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES)
        self._stream = unpacker.stream_reader(cast(IO[bytes], _Source(self._file)))
        self._offset = 0

    def read(self, offset: int, count: int) -> bytes:
        if offset < self._offset:
            self._begin()
        try:
            while self._offset < offset:
                skipped = self._stream.read(min(STEP_BYTES, offset - self._offset))
                if not skipped:
                    return b""
                self._offset += len(skipped)
            data = self._stream.read(count)
        except zstandard.ZstdError as error:
            raise self._damage(error) from None
        self._offset += len(data)
        return data

    def size(self) -> int:
        return self._size

    def _refuse(self, *_: object) -> None:
        raise DiskError(f"{self._path}: a packed file can only be read", file=self._path)

    write = truncate = sync = _refuse

    def lock(self) -> None:
        self._file.lock()

    def close(self) -> None:
        self._file.close()

    def _damage(self, reason: object) -> DamagedError:
        return DamagedError(
            f"{self._path}: cannot be unpacked: {reason}; nothing was changed; restore it from a "
            "backup"
        )
