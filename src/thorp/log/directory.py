"""A log on disk: leaves come in, signed checkpoints go out.

    DIR/key               the private key (0600), unless it is kept elsewhere
    DIR/lock              held by the one process that writes
    DIR/pending-N.jsonl   a journal of the leaves from number N on, published or not
    DIR/signed            the largest checkpoint that was ever about to be signed
    DIR/public/           files that anybody may read and any web server may serve: log.vkey,
                          checkpoint, tile/…

Files are written in this order, so that a crash at any point loses nothing and never leads to two
views of one log:

    add         the leaf is durable in the journal; then it is acknowledged
    checkpoint  tiles are durable; `signed` is durable; only then is the signature made and shown to
                witnesses; at last `checkpoint` gets its name, and now and then a new journal begins
                after it

The published tiles and the journal together are the log. Opening it computes the root again at the
size of `checkpoint` and of `signed`, and refuses to continue from anything else: such a log was
restored or changed. The hashes and entries that a new tile repeats from an old one are checked
before they are written again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from thorp.kernel.closing import Closing, closed_on_error
from thorp.kernel.errors import (
    ConflictError,
    DamagedError,
    IllegalError,
    InvalidError,
    LimitError,
    UnknownError,
)
from thorp.log import merkle, tlog
from thorp.log import note as notes
from thorp.log.signer import Signer
from thorp.store import Disk, Journal, hold, read_journal, read_whole, write_atomic, write_together

KEY = "key"
PUBLIC = "public"
SIGNED = "signed"
LOCK = "lock"
CHECKPOINT = "checkpoint"
VKEY = "log.vkey"
TILES_AT_ONCE: Final = 64  # Written together; each is at most 8 KiB of hashes or 16 MiB of entries.
# Published leaves that are kept in the journal. Reading them takes a few milliseconds, while a new
# journal costs several syncs.
MAX_KEPT: Final = 4_096
# Leaves that are added together are held in memory: half a day of them at one a second.
MAX_ADDED: Final = 50_000
_HEADER: Final = {"kind": "log"}
_PENDING: Final = re.compile(r"pending-(0|[1-9][0-9]*)\.jsonl\Z")

Cosign = Callable[[notes.Note, "Log"], notes.Note]
"""Shows a signed checkpoint to witnesses, and returns it with their lines; raises if too few
agree."""


def create(disk: Disk, directory: Path, vkeys: Sequence[notes.VerifierKey]) -> None:
    """Make an empty log, whose checkpoints these keys verify."""
    notes.check_name(vkeys[0].name)
    if disk.exists(directory / PUBLIC / VKEY):
        raise ConflictError(
            f"{directory}: a log is here already; give another --data", code="exists"
        )
    disk.make_directories(directory / PUBLIC)
    write_atomic(disk, directory / PUBLIC / VKEY, vkey_file(vkeys))


def vkey_file(vkeys: Sequence[notes.VerifierKey]) -> bytes:
    """The content of `log.vkey`: one verifier key a line."""
    return "".join(f"{vkey}\n" for vkey in vkeys).encode()


def no_log(directory: Path) -> UnknownError:
    """The error for a directory without a log."""
    return UnknownError(f"{directory}: there is no log; `thorp log init` makes one", code="no_log")


class Log(Closing):
    """An open log, which only this process holds. Not to be used by several threads at once."""

    def __init__(self, disk: Disk, directory: Path, *, kept: int = MAX_KEPT) -> None:
        """Open the log of a directory; refuse one that another process holds, or that was changed.

        A new journal begins when `kept` leaves of the last one are published.
        """
        self._kept = kept
        self._disk = disk
        self._directory = directory
        self._public = directory / PUBLIC
        if not disk.exists(self._public / VKEY):
            raise no_log(directory)
        self._lock = hold(disk, directory / LOCK)
        with closed_on_error(self):
            lines = _text(disk, self._public / VKEY).split("\n")
            self.vkeys = [notes.read_vkey(line) for line in lines if line]
            self.published = self._read_published()
            self.tiles = TileReader(disk, self._public, self.published.size)
            self._begin, self._journal, self._pending = self._open_pending()
            self._signed = self._read_signed()
            self._check_roots()
            self._indexes: dict[bytes, int] | None = None
            self._folders: set[Path] = set()

    def close(self) -> None:
        """Let go of the log, also when opening it has failed halfway."""
        journal = getattr(self, "_journal", None)
        if journal is not None:
            journal.close()
        self._lock.close()

    @property
    def origin(self) -> str:
        """The name of the log, which is that of its first key."""
        return self.vkeys[0].name

    @property
    def size(self) -> int:
        """How many leaves the log has, published or not."""
        return self._begin + len(self._pending)

    # Opening

    def _read_published(self) -> tlog.Checkpoint:
        """The published checkpoint, verified; that of an empty tree if there is none."""
        path = self._public / CHECKPOINT
        self.published_by: list[notes.VerifierKey] = []
        if not self._disk.exists(path):
            return tlog.Checkpoint(self.origin, 0, merkle.EMPTY_ROOT)
        note = notes.read_note(read_whole(self._disk, path, most=notes.MAX_NOTE_BYTES))
        self.published_by = [each.key for each in notes.verify_note(note, self.vkeys)]
        checkpoint = tlog.read_checkpoint(note.text)
        if checkpoint.origin != self.origin:
            raise DamagedError(f"{path}: a checkpoint of another log, {checkpoint.origin}")
        return checkpoint

    def _open_pending(self) -> tuple[int, Journal, list[bytes]]:
        """The newest journal that begins at or before the published end, and the leaves in it."""
        starts = [
            int(name[1]) for name in map(_PENDING.match, self._disk.list(self._directory)) if name
        ]
        if any(start > self.published.size for start in starts):
            raise DamagedError(
                f"{self._public / CHECKPOINT}: it ends at {self.published.size}, and leaves "
                f"after number {max(starts)} are kept: it was lost or replaced by an older one; "
                "restore the newest"
            )
        if not starts and self.published.size:
            raise DamagedError(
                f"{self._directory}: the journal of pending leaves is missing; restore it"
            )
        start = max(starts, default=0)
        path = self._directory / f"pending-{start}.jsonl"
        journal = Journal.open(self._disk, path, header={**_HEADER, "first": start})
        return start, journal, list(read_journal(self._disk, path))

    def _read_signed(self) -> tlog.Checkpoint:
        """The largest checkpoint that may ever have been signed."""
        path = self._directory / SIGNED
        if not self._disk.exists(path):
            return tlog.Checkpoint(self.origin, 0, merkle.EMPTY_ROOT)
        return tlog.read_checkpoint(_text(self._disk, path))

    def _check_roots(self) -> None:
        """Refuse a log whose leaves are not those that were published and signed."""
        published = self.published
        signed = self._signed
        if signed.size > self.size or signed.size < published.size:
            raise DamagedError(
                f"{self._directory}: {signed.size} leaves were signed, and {self.size} are here: "
                "this is an older copy, and a log that goes on from it would show two views"
            )
        self._check_tiles()
        # Checked now, so that nothing is added to a damaged log.
        self.tiles.last_entries()
        if self._root_at(signed.size) != signed.root:
            raise DamagedError(
                f"{self._directory}: the first {signed.size} leaves are not those that were signed"
            )

    def _check_tiles(self) -> None:
        if merkle.root_of(self.tiles.node, self.published.size) != self.published.root:
            raise DamagedError(
                f"{self._public}: the tiles are not those of the checkpoint; restore them"
            )

    def _root_at(self, size: int) -> bytes:
        """The root of the first `size` leaves: the published tiles, and leaves of the journal."""
        frontier = self.tiles.frontier()
        for leaf in self._unpublished(size):
            frontier.append(merkle.leaf_hash(leaf))
        return frontier.root()

    def _unpublished(self, end: int) -> Sequence[bytes]:
        """The leaves after the published ones, up to number `end`."""
        return self._pending[self.published.size - self._begin : end - self._begin]

    # Leaves

    def add(self, leaves: Sequence[bytes]) -> list[int]:
        """Add leaves durably, all or none, and return their numbers. A leaf that is in the log
        already keeps its number."""
        if len(leaves) > MAX_ADDED:
            raise LimitError(
                f"at most {MAX_ADDED} leaves are added at once, these are {len(leaves)}"
            )
        indexes = self._leaf_numbers()
        numbers: list[int] = []
        new: dict[bytes, int] = {}
        fresh: list[bytes] = []
        for leaf in leaves:
            if len(leaf) > tlog.MAX_ENTRY_BYTES:
                raise LimitError(
                    f"a leaf has at most {tlog.MAX_ENTRY_BYTES} bytes, this one {len(leaf)}"
                )
            key = merkle.leaf_hash(leaf)
            number = indexes.get(key, new.get(key))
            if number is None:
                number = new[key] = self.size + len(fresh)
                fresh.append(leaf)
            numbers.append(number)
        self._journal.append(fresh)
        self._pending += fresh
        indexes.update(new)
        return numbers

    def _leaf_numbers(self) -> dict[bytes, int]:
        """The number of each leaf, by its hash; read when it is first needed."""
        if self._indexes is None:
            hashes = (
                *self.tiles.leaf_hashes(),
                *map(merkle.leaf_hash, self._unpublished(self.size)),
            )
            # Reversed, so that the first of two equal leaves counts.
            self._indexes = {each: number for number, each in reversed(list(enumerate(hashes)))}
        return self._indexes

    # Checkpoints

    def tiles_at(self, size: int) -> TileReader:
        """The tiles of the tree at a size at which they have been written."""
        return TileReader(self._disk, self._public, size)

    def checkpoint(self, signers: Sequence[Signer], cosign: Cosign | None = None) -> bytes:
        """Publish all leaves under a signed checkpoint, and return it. If `cosign` raises, nothing
        is published."""
        if any(signer.vkey not in self.vkeys for signer in signers):
            raise IllegalError(
                f"this key is not one of the log's; {VKEY} names those that are", code="other_key"
            )
        self._check_tiles()  # again, since a server keeps its log open for weeks
        size = self.size
        files: dict[Path, bytes] = {}  # tiles of this size that the published one does not have
        for path, content in self.tiles.grown(self._unpublished(size)):
            files[self._public / path] = content
            if len(files) == TILES_AT_ONCE:
                self._write(files)
                files = {}
        self._write(files)
        checkpoint = tlog.Checkpoint(self.origin, size, self._root_at(size))
        if checkpoint != self._signed or not self._disk.exists(self._directory / SIGNED):
            write_atomic(
                self._disk, self._directory / SIGNED, str(checkpoint).encode(), replace=True
            )
            self._signed = checkpoint
        note = notes.Note(
            str(checkpoint), tuple(signer.sign(str(checkpoint)) for signer in signers)
        )
        if cosign is not None:
            note = cosign(note, self)
        data = str(note).encode()
        write_atomic(self._disk, self._public / CHECKPOINT, data, replace=True)
        self._begin_anew(checkpoint)
        return data

    def _write(self, files: dict[Path, bytes]) -> None:
        for folder in dict.fromkeys(path.parent for path in files):
            self._make_folder(folder)
        write_together(self._disk, files, replace=True)

    def _make_folder(self, folder: Path) -> None:
        """Make a folder of tiles durably, even if an earlier attempt made it on a disk that failed
        before it was durable."""
        if folder in self._folders:
            return
        self._disk.make_directories(folder)
        if folder != self._public:
            self._make_folder(folder.parent)
        self._disk.sync_directory(folder.parent)
        self._folders.add(folder)

    def _begin_anew(self, checkpoint: tlog.Checkpoint) -> None:
        """If the journal has grown long, begin a new one after the published leaves, and remove the
        old one."""
        self.published = checkpoint
        self.tiles = TileReader(self._disk, self._public, checkpoint.size)
        if checkpoint.size < self._begin + self._kept:
            return
        old = self._directory / f"pending-{self._begin}.jsonl"
        header = {**_HEADER, "first": checkpoint.size}
        new = Journal.open(
            self._disk, self._directory / f"pending-{checkpoint.size}.jsonl", header=header
        )
        self._journal.close()
        self._journal = new
        self._pending = []
        self._begin = checkpoint.size
        self._disk.remove(old)


def prove(disk: Disk, public: Path, wanted: bytes | int) -> tlog.Proof:
    """The proof that a leaf, given itself or by its number, is under the published checkpoint.

    Needs no lock: what is published does not change.
    """
    if not disk.exists(public / CHECKPOINT):
        raise UnknownError(
            "nothing is published yet; `thorp log checkpoint` publishes", code="not_published"
        )
    note = read_whole(disk, public / CHECKPOINT, most=notes.MAX_NOTE_BYTES)
    checkpoint = tlog.read_checkpoint(notes.read_note(note).text)
    tiles = TileReader(disk, public, checkpoint.size)
    index = wanted if isinstance(wanted, int) else tiles.index_of(wanted)
    if index is None or not 0 <= index < checkpoint.size:
        raise UnknownError(
            f"this is not in the log as far as it is published, {checkpoint.size} leaves; "
            "`thorp log add` and `thorp log checkpoint` publish it",
            code="not_logged",
        )
    leaf = tiles.entries(index // tlog.TILE_WIDTH)[index % tlog.TILE_WIDTH]
    hashes = tuple(merkle.inclusion_proof(tiles.node, index, checkpoint.size))
    if not merkle.is_included(
        merkle.leaf_hash(leaf), index, checkpoint.size, hashes, checkpoint.root
    ):
        raise DamagedError(f"{public}: the tiles are not those of the checkpoint; restore them")
    return tlog.Proof(index, hashes, note, leaf)


class TileReader:
    """Reads the tree of a log at one size from its published tiles."""

    def __init__(self, disk: Disk, public: Path, size: int) -> None:
        self._disk = disk
        self._public = public
        self.size = size
        self._row = lru_cache(maxsize=64)(self._read_row)

    def _width(self, level: int, index: int) -> int:
        """How many hashes a tile has in a tree of this size."""
        return min(
            tlog.TILE_WIDTH, (self.size >> tlog.TILE_HEIGHT * level) - index * tlog.TILE_WIDTH
        )

    def _read_row(self, level: int, index: int) -> tuple[bytes, ...]:
        """The hashes of a tile."""
        width = self._width(level, index)
        path = self._public / tlog.tile_path(level, index, width)
        row = tlog.split_hashes(read_whole(self._disk, path, most=tlog.MAX_TILE_BYTES))
        if len(row) != width or len(row[-1]) != len(row[0]):
            raise DamagedError(
                f"{path}: a tile of {width} hashes has {32 * width} bytes; restore it"
            )
        return tuple(row)

    def node(self, level: int, index: int) -> bytes:
        """The hash of a whole subtree of 2**level leaves."""
        tile_level, height = divmod(level, tlog.TILE_HEIGHT)
        first = index << height
        row = self._row(tile_level, first // tlog.TILE_WIDTH)
        at = first % tlog.TILE_WIDTH
        return tlog.tile_root(row[at : at + (1 << height)])

    def frontier(self) -> merkle.Frontier:
        """The tree, ready to grow."""
        return merkle.Frontier(
            self.size, [self.node(*each) for each in merkle.whole_subtrees(0, self.size)]
        )

    def leaf_hashes(self) -> Iterator[bytes]:
        """The hashes of all leaves, in order."""
        for index in range(-(-self.size // tlog.TILE_WIDTH)):
            yield from self._read_row(0, index)

    def index_of(self, leaf: bytes) -> int | None:
        """The number of a leaf; None if it is not in the tree."""
        wanted = merkle.leaf_hash(leaf)
        return next(
            (number for number, each in enumerate(self.leaf_hashes()) if each == wanted), None
        )

    def entries(self, index: int) -> list[bytes]:
        """The entries of one bundle."""
        width = self._width(0, index)
        path = self._public / tlog.tile_path(tlog.ENTRIES, index, width)
        data = read_whole(self._disk, path, most=tlog.MAX_BUNDLE_BYTES)
        try:
            entries = tlog.unpack_entries(data)
        except DamagedError as damage:
            raise DamagedError(f"{path}: {damage.message}; restore it") from None
        if len(entries) != width:
            raise DamagedError(f"{path}: it has {len(entries)} entries, not {width}; restore it")
        return entries

    def last_entries(self) -> list[bytes]:
        """The entries of the last bundle if it is partial. Refuses entries that do not have the
        hashes in their tile."""
        bundle, width = divmod(self.size, tlog.TILE_WIDTH)
        if not width:
            return []
        entries = self.entries(bundle)
        for number, (entry, leaf_hash) in enumerate(
            zip(entries, self._row(0, bundle), strict=True)
        ):
            if merkle.leaf_hash(entry) != leaf_hash:
                path = self._public / tlog.tile_path(tlog.ENTRIES, bundle, width)
                raise DamagedError(
                    f"{path}: entry {number}, leaf {bundle * tlog.TILE_WIDTH + number}, is not "
                    "the one that was published; restore the file"
                )
        return entries

    def all_entries(self) -> Iterator[bytes]:
        """All entries, in order."""
        for index in range(-(-self.size // tlog.TILE_WIDTH)):
            yield from self.entries(index)

    def grown(self, leaves: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
        """The paths and contents of the tiles that adding these leaves changes: whole tiles as they
        fill up, then the partial ones at the edge of the tree."""
        bundle = self.size // tlog.TILE_WIDTH
        size = self.size
        entries = self.last_entries()
        rows = [list(self._row(*edge)) if self._width(*edge) else [] for edge in self._edges()]
        counts = [size >> tlog.TILE_HEIGHT * level for level in range(len(rows))]
        for leaf in leaves:
            entries.append(leaf)
            if len(entries) == tlog.TILE_WIDTH:
                yield tlog.tile_path(tlog.ENTRIES, bundle), tlog.pack_entries(entries)
                bundle = bundle + 1
                entries = []
            # As in adding one to a number of base 256: a tile that is full carries its root to the
            # level above.
            carried = merkle.leaf_hash(leaf)
            level = 0
            while True:
                if level == len(rows):
                    rows.append([])
                    counts.append(0)
                rows[level].append(carried)
                counts[level] += 1
                if len(rows[level]) < tlog.TILE_WIDTH:
                    break
                yield (
                    tlog.tile_path(level, (counts[level] - 1) // tlog.TILE_WIDTH),
                    b"".join(rows[level]),
                )
                carried = tlog.tile_root(rows[level])
                rows[level] = []
                level = level + 1
        if entries:
            yield tlog.tile_path(tlog.ENTRIES, bundle, len(entries)), tlog.pack_entries(entries)
        for level, row in enumerate(rows):
            if row and counts[level] > size >> tlog.TILE_HEIGHT * level:
                yield (
                    tlog.tile_path(level, counts[level] // tlog.TILE_WIDTH, len(row)),
                    b"".join(row),
                )

    def _edges(self) -> list[tuple[int, int]]:
        """The last, partial tile of each level."""
        levels = range(-(-self.size.bit_length() // tlog.TILE_HEIGHT))
        return [(level, self.size >> tlog.TILE_HEIGHT * (level + 1)) for level in levels]


def _text(disk: Disk, path: Path) -> str:
    try:
        return read_whole(disk, path).decode()
    except UnicodeDecodeError:
        raise InvalidError(f"{path}: not UTF-8 text") from None
