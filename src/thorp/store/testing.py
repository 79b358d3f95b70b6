"""A disk in memory that does everything the `Disk` port allows a disk to do; `docs/store.md` shows
its use.

Everything follows from the seed and from the order of the calls. `restart()` decides what has
survived: of the bytes, as `Pages` describes; of the names, any part of what happened in a directory
since it was last synced. Files that were open are dead, locks are gone. A failed sync forgets the
bytes that it could not write, and the next one succeeds. A failed sync of a directory forgets
nothing: file systems keep names in a journal of their own, and stop when that fails.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from thorp.store.disk import DiskError, disk_full, file_exists, file_locked, file_missing

_Change = tuple[int, bytes | None]  # A piece at an offset, or with None a new length.

# How likely each change survives a crash. Every crash picks one of these.
SURVIVAL = (0.0, 0.3, 0.6, 0.9, 1.0)
# How likely a piece that survives does so only in part.
TEARING = 0.2
# How likely a file comes back as long as it was going to be, with zeros at its end.
ZERO_TAIL = 0.1

ROOT: Final = Path("/breakable")


class Pages:
    """The bytes of one file: as readers see them, as they are durable, and the changes since the
    last sync.

    A change is a piece of a write, split where pages end, or a new length. A crash lets each of
    them, on its own, reach the disk, get lost, or (a piece) reach it in part, in any order; it may
    also leave the file as long as it was going to be, with zeros where nothing has arrived.
    """

    def __init__(self, piece_bytes: int) -> None:
        self.cache = bytearray()
        self.durable = bytearray()
        self._piece_bytes = piece_bytes
        self._changes: list[_Change] = []

    def write(self, offset: int, data: bytes) -> None:
        _apply(self.cache, (offset, data))
        size = self._piece_bytes
        start = 0
        while start < len(data):
            stop = min(len(data), start + size - (offset + start) % size)
            self._changes.append((offset + start, data[start:stop]))
            start = stop

    def resize(self, size: int) -> None:
        change = (size, None)
        _apply(self.cache, change)
        self._changes.append(change)

    def sync(self) -> None:
        for change in self._changes:
            _apply(self.durable, change)
        self._changes.clear()

    def fail_sync(self, random: Random) -> None:
        """Write some of the changes to the disk, and forget the rest as if they had been written.

        Readers go on seeing the forgotten bytes or, as if memory had been short, what the disk has.
        """
        self._settle(random)
        if random.random() < 0.5:
            self.cache[:] = self.durable

    def crash(self, random: Random) -> None:
        """Lose the memory: only what has reached the disk is left."""
        self._settle(random)
        self.cache[:] = self.durable

    def _settle(self, random: Random) -> None:
        """Let chance decide which changes since the last sync reach the disk."""
        survival = random.choice(SURVIVAL)
        arrived = []
        for offset, piece in self._changes:
            if random.random() >= survival:
                continue
            if piece and random.random() < TEARING:
                piece = piece[: random.randrange(len(piece))]
            arrived.append((offset, piece))
        random.shuffle(arrived)
        for change in arrived:
            _apply(self.durable, change)
        if self._changes and random.random() < ZERO_TAIL:
            _apply(self.durable, (max(len(self.cache), len(self.durable)), None))
        self._changes.clear()


def _apply(content: bytearray, change: _Change) -> None:
    offset, piece = change
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    if piece is None:
        del content[offset:]
    else:
        content[offset : offset + len(piece)] = piece


_Names = dict[Path, Pages | None]  # By name: a file, or None for a directory.
_Renaming = list[tuple[Path, Pages | None, bool]]
"""Names that change together: each is given to a file or a directory, or with False removed."""


class PowerLost(BaseException):
    """The machine stops here. Not an Exception: no program gets to handle it."""


class BreakableFile:
    """One open file of a BreakableDisk."""

    def __init__(self, disk: BreakableDisk, path: Path, pages: Pages, *, writable: bool) -> None:
        self._disk = disk
        self._path = path
        self._pages = pages
        self._writable = writable
        self._life = disk.restarts
        self._closed = False

    def read(self, offset: int, count: int) -> bytes:
        self._check()
        return bytes(self._pages.cache[offset : offset + count])

    def write(self, offset: int, data: bytes) -> None:
        self._check(writing=True)
        random = self._disk.random
        self._disk.change(
            self._path,
            lambda: self._write(offset, data),
            failing=lambda: self._write(offset, data[: random.randrange(len(data) + 1)]),
        )

    def truncate(self, size: int) -> None:
        self._check(writing=True)
        self._disk.change(self._path, lambda: self._pages.resize(size))

    def size(self) -> int:
        self._check()
        return len(self._pages.cache)

    def sync(self) -> None:
        self._check()
        self._disk.change(
            self._path, self._pages.sync, failing=lambda: self._pages.fail_sync(self._disk.random)
        )

    def lock(self) -> None:
        self._check()
        if self._disk.locks.setdefault(id(self._pages), self) is not self:
            raise file_locked(self._path)

    def close(self) -> None:
        self._closed = True
        if self._disk.locks.get(id(self._pages)) is self:
            del self._disk.locks[id(self._pages)]

    def _write(self, offset: int, data: bytes) -> None:
        room = self._disk.room_bytes()
        growth = offset + len(data) - len(self._pages.cache)
        if room is None or growth <= room:
            self._pages.write(offset, data)
            return
        self._pages.write(offset, data[: max(0, len(data) - (growth - room))])
        self._disk.faults += 1
        raise disk_full(self._path, f"write {len(data)} bytes")

    def _check(self, *, writing: bool = False) -> None:
        self._disk.check_power()
        if self._closed or self._life != self._disk.restarts:
            raise DiskError(f"{self._path}: this file is closed", file=self._path)
        if writing and not self._writable:
            raise DiskError(f"{self._path}: this file is open for reading", file=self._path)


class BreakableDisk:
    """A `Disk` whose failures are drawn from a seed. See the head of this file."""

    def __init__(
        self, seed: int, *, piece_bytes: int = 512, space_bytes: int | None = None
    ) -> None:
        self.random = Random(seed)
        self.root = ROOT
        self.space_bytes = space_bytes
        self.changes = 0
        self.restarts = 0
        self.faults = 0
        """How many changes have failed, as arranged or because there was no space."""
        self.locks: dict[int, BreakableFile] = {}
        self._piece_bytes = piece_bytes
        self._names: _Names = {ROOT: None}
        self._durable: _Names = {ROOT: None}
        self._pending: list[tuple[Path, _Renaming]] = []
        self._cut_at = 0
        self._fail_at = 0
        self._fail_code = ""
        self.off = False

    def cut_power_in(self, changes: int) -> None:
        """Lose power at the given change from now; 0 calls it off."""
        self._cut_at = self.changes + changes if changes else 0

    def fail_in(self, changes: int, code: str = "disk_error") -> None:
        """Fail the given change from now with this code; 0 calls it off."""
        self._fail_at = self.changes + changes if changes else 0
        self._fail_code = code

    def restart(self, *, memory_kept: bool = False) -> None:
        """Come up again with what has survived."""
        if not memory_kept:
            self._lose_memory()
        self.locks.clear()
        self.restarts += 1
        self._cut_at = self._fail_at = 0
        self.off = False

    def crash(self) -> None:
        """Lose power between two changes, and come up again."""
        self.off = True
        self.restart()

    def corrupt(self, path: Path, offset: int, byte: int) -> None:
        """Change one durable byte, as age does."""
        pages = self._file(path)
        pages.cache[offset] = pages.durable[offset] = byte

    def open(self, path: Path, *, writable: bool = False) -> BreakableFile:
        self.check_power()
        return BreakableFile(self, path, self._file(path), writable=writable)

    def create(self, path: Path) -> BreakableFile:
        pages = Pages(self._piece_bytes)
        self._give(path, pages)
        return BreakableFile(self, path, pages, writable=True)

    def exists(self, path: Path) -> bool:
        self.check_power()
        return path in self._names

    def list(self, directory: Path) -> list[str]:
        self._check_directory(directory)
        return sorted(
            path.name for path in self._names if path.parent == directory and path != ROOT
        )

    def link(self, source: Path, target: Path) -> None:
        assert source.parent == target.parent, "the port links within one directory"
        self.check_power()
        self._give(target, self._file(source))

    def replace(self, source: Path, target: Path) -> None:
        assert source.parent == target.parent, "the port renames within one directory"
        self.check_power()
        self._rename(target, [(target, self._file(source), True), (source, None, False)])

    def remove(self, path: Path) -> None:
        self.check_power()
        self._file(path)
        self._rename(path, [(path, None, False)])

    def make_directories(self, path: Path) -> None:
        self.check_power()
        if path in self._names and self._names[path] is None:
            return
        self.make_directories(path.parent)
        self._give(path, None)
        self.sync_directory(path.parent)

    def sync_directory(self, path: Path) -> None:
        self._check_directory(path)
        self.change(path, lambda: self._sync_names(path))

    # For files and directories alike.

    def change(
        self, path: Path, action: Callable[[], None], *, failing: Callable[[], None] = lambda: None
    ) -> None:
        """Do one change, or whatever was arranged to happen instead."""
        self.check_power()
        self.changes += 1
        if self.changes == self._cut_at:
            if self.random.random() < 0.5:
                action()
            self.off = True
            raise PowerLost
        if self.changes == self._fail_at:
            self.faults += 1
            failing()
            if self._fail_code == "disk_full":
                raise disk_full(path, "do what was asked")
            raise DiskError(
                f"{path}: input/output error; check the disk", code=self._fail_code, file=path
            )
        action()

    def check_power(self) -> None:
        if self.off:
            raise PowerLost

    def room_bytes(self) -> int | None:
        """How many more bytes fit, or None without a limit."""
        if self.space_bytes is None:
            return None
        files = dict.fromkeys(self._names.values())
        used = sum(len(pages.cache) for pages in files if pages is not None)
        return max(0, self.space_bytes - used)

    def _lose_memory(self) -> None:
        for _, renaming in self._pending:
            if self.random.random() < 0.5:
                _apply_names(self._durable, renaming)
        self._pending.clear()
        # Each file once, in an order that the seed repeats.
        for pages in dict.fromkeys((*self._names.values(), *self._durable.values())):
            if pages is not None:
                pages.crash(self.random)
        self._durable = {
            path: pages for path, pages in self._durable.items() if self._reachable(path)
        }
        self._names = dict(self._durable)

    def _file(self, path: Path) -> Pages:
        pages = self._names.get(path)
        if pages is None:
            raise file_missing(path)
        return pages

    def _check_directory(self, path: Path) -> None:
        self.check_power()
        if path not in self._names:
            raise file_missing(path)

    def _give(self, path: Path, pages: Pages | None) -> None:
        self._check_directory(path.parent)
        if path in self._names:
            raise file_exists(path)
        self._rename(path, [(path, pages, True)])

    def _rename(self, path: Path, renaming: _Renaming) -> None:
        def action() -> None:
            _apply_names(self._names, renaming)
            self._pending.append((path.parent, renaming))

        self.change(path, action)

    def _sync_names(self, directory: Path) -> None:
        for where, renaming in self._pending:
            if where == directory:
                _apply_names(self._durable, renaming)
        self._pending = [pending for pending in self._pending if pending[0] != directory]

    def _reachable(self, path: Path) -> bool:
        return all(
            parent in self._durable for parent in path.parents if ROOT in (parent, *parent.parents)
        )


def _apply_names(names: _Names, renaming: _Renaming) -> None:
    for path, pages, given in renaming:
        if given:
            names[path] = pages
        else:
            names.pop(path, None)
