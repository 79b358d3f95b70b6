"""The ground: chunks of 16×16×64 cells with one byte for each block. A chunk is made when it is
first looked at, and stays in memory while it is used.

`docs/world-ground.md` says which chunks are state and which a cache: looking, from inside or
outside the simulation, changes nothing. Cells of a chunk lie in the order of the wire: y outermost,
then z, then x. All chunks in use share one buffer, so that one numpy call gathers a thousand cubes.
Rules read single cells through a memoryview of the same buffer, which is faster for one cell.
"""

from __future__ import annotations

import zlib
from bisect import insort
from collections.abc import Container, Iterable
from hashlib import sha256
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from thorp.kernel.errors import DamagedError
from thorp.voxel.catalog import AIR

CHUNK: Final = 16
HEIGHT: Final = 64
LAYER: Final = CHUNK * CHUNK
CHUNK_CELLS: Final = LAYER * HEIGHT
# 256 MiB of address space; pages that were never touched take no memory.
CAPACITY_CHUNKS: Final = 16_384
MAX_CAPACITY_CHUNKS: Final = 8 * CAPACITY_CHUNKS
# An agent far from all others sees at most nine. If the chunks of all agents do not fit, every tick
# makes some of them anew.
CHUNKS_PER_AGENT: Final = 10
# A full buffer lets go of one chunk in eight at once.
EVICTED_SHARE: Final = 8

# The four horizontal neighbours, as steps in x and z. Rules visit them in this order.
SIDES: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))

Position = tuple[int, int, int]
ChunkKey = tuple[int, int]


def chunks_between(low: Position, high: Position) -> list[ChunkKey]:
    """The chunks that a box reaches into."""
    rows = range(low[2] >> 4, (high[2] >> 4) + 1)
    return [(cx, cz) for cx in range(low[0] >> 4, (high[0] >> 4) + 1) for cz in rows]


def chunks_around(middle: Position, radius: int) -> list[ChunkKey]:
    """The chunks that a square around a cell reaches into."""
    x, y, z = middle
    return chunks_between((x - radius, y, z - radius), (x + radius, y, z + radius))


class Terrain(Protocol):
    """The ground before anyone touched it: a pure function of its seeds."""

    def chunk(self, cx: int, cz: int) -> bytes:
        """CHUNK_CELLS bytes, y outermost, then z, then x."""

    def biome(self, x: int, z: int) -> str:
        """`PLAINS`, `FOREST` or `DESERT`."""

    def of_season(self, season: int) -> Terrain:
        """The land of a season; this world began with that of season 1."""


def capacity_for(agents: int) -> int:
    """How many chunks this many scattered agents may need at once, within bounds."""
    return min(max(CAPACITY_CHUNKS, CHUNKS_PER_AGENT * agents), MAX_CAPACITY_CHUNKS)


class Ground:
    """The blocks of a world, chunk by chunk: some in memory, the others made anew when read."""

    def __init__(self, terrain: Terrain, boundary_r: int, capacity: int = CAPACITY_CHUNKS) -> None:
        self.terrain = terrain
        self.boundary_r = boundary_r
        self.array: NDArray[np.uint8] = np.zeros(capacity * CHUNK_CELLS, np.uint8)
        self.cells: memoryview = self.array.data
        """Block of a cell: `cells[base(cx, cz) + (y << 8 | (z & 15) << 4 | x & 15)]`."""
        self._bases: dict[ChunkKey, int] = {}
        self._free: list[int] = []
        # From here on the buffer was never used. The first chunk stays empty: it is what lies
        # outside the world.
        self._unused = CHUNK_CELLS
        # Grows when chunks are evicted: bases that were looked up before are not valid any more.
        self.evictions = 0
        self._packed: dict[ChunkKey, bytes] = {}
        # The chunks that are not as they were made any more, sorted: the digest depends on it.
        self.changed: list[ChunkKey] = []
        # What each changed chunk adds to the digest; empty until it was computed.
        self._parts: dict[ChunkKey, bytes] = {}
        self._stale: dict[ChunkKey, None] = {}  # Chunks whose part must be computed again.
        self._digest = sha256().digest()
        # The number of the last edit of each chunk: a view made since then is still good.
        self.versions: dict[ChunkKey, int] = {}
        self.edits = 0
        # The number of edits when this land began, which is the version of unchanged chunks.
        self.renewed = 0

    def inside(self, x: int, y: int, z: int) -> bool:
        """Whether the world has this cell."""
        limit = self.boundary_r
        return 0 <= y < HEIGHT and -limit <= x <= limit and -limit <= z <= limit

    def base(self, cx: int, cz: int) -> int:
        """Where a chunk begins in `cells`; 0, an empty chunk, for those outside the world."""
        key = (cx, cz)
        base = self._bases.get(key)
        return self._load(key) if base is None else base

    def block(self, x: int, y: int, z: int) -> int:
        """The block at a cell; AIR outside the world."""
        if not 0 <= y < HEIGHT:
            return AIR
        base = self._bases.get((x >> 4, z >> 4))
        if base is None:
            base = self._load((x >> 4, z >> 4))
        return self.cells[base + (y << 8 | (z & 15) << 4 | x & 15)]

    def column(self, x: int, z: int) -> bytes:
        """The 64 blocks of a column, from the bottom up."""
        start = self.base(x >> 4, z >> 4) + ((z & 15) << 4 | x & 15)
        return bytes(self.cells[start : start + CHUNK_CELLS - LAYER + 1 : LAYER])

    def in_use(self, cx: int, cz: int) -> bool:
        """Whether a chunk can be read without being made or unpacked."""
        return (cx, cz) in self._bases

    def look(self, cx: int, cz: int) -> bytes:
        """The cells of a chunk, for spectators: the chunk is not brought into use, so no other is
        evicted for it."""
        base = self._bases.get((cx, cz))
        if base is not None:
            return bytes(self.cells[base : base + CHUNK_CELLS])
        if not self._exists(cx, cz):
            return bytes(CHUNK_CELLS)
        packed = self._packed.get((cx, cz))
        return self.terrain.chunk(cx, cz) if packed is None else _unpack(packed)

    def put(self, x: int, y: int, z: int, block: int) -> None:
        """Change one cell, which the caller knows to be inside the world."""
        if not self.inside(x, y, z):
            raise AssertionError(f"put outside the world: {x}, {y}, {z}")
        key = (x >> 4, z >> 4)
        index = self.base(*key) + (y << 8 | (z & 15) << 4 | x & 15)
        before = self.cells[index]
        if before != block:
            self.cells[index] = block
            self._stale[key] = None
            self._mark_changed(key)
            self._packed.pop(key, None)
            self.edits += 1
            self.versions[key] = self.edits

    def biome(self, x: int, z: int) -> str:
        return self.terrain.biome(x, z)

    def is_untouched(self, cells: Iterable[Position]) -> bool:
        """Whether these cells, all inside the world, are as they were made. Makes changed chunks
        again to compare them."""
        made: dict[ChunkKey, bytes] = {}
        for x, y, z in cells:
            key = (x >> 4, z >> 4)
            if key in self._parts:
                if key not in made:
                    made[key] = self.terrain.chunk(*key)
                if made[key][y << 8 | (z & 15) << 4 | x & 15] != self.block(x, y, z):
                    return False
        return True

    def renew(self, terrain: Terrain, made: Ground | None = None) -> None:
        """Begin again with other land. `made` is a ground of that land in which some chunks were
        made ahead of time; its buffer is taken over."""
        self.evictions += len(self._bases)
        fresh = (
            Ground(terrain, self.boundary_r, len(self.array) // CHUNK_CELLS)
            if made is None
            else made
        )
        self.array = fresh.array
        self.cells = fresh.cells
        self._bases = fresh._bases
        self._free = fresh._free
        self._unused = fresh._unused
        self.terrain = terrain
        for record in (self._packed, self.changed, self._parts, self._stale, self.versions):
            record.clear()
        self._digest = self._root()
        self.edits += 1
        self.renewed = self.edits

    def _mark_changed(self, key: ChunkKey) -> None:
        if key not in self._parts:
            insort(self.changed, key)
            self._parts[key] = b""

    def digest(self) -> bytes:
        """32 bytes that cover every changed chunk and where it is."""
        if self._stale:
            for key in self._stale:
                start = self.base(*key)
                self._parts[key] = _part(key, self.cells[start : start + CHUNK_CELLS])
            self._stale.clear()
            self._digest = self._root()
        return self._digest

    def _root(self) -> bytes:
        return sha256(b"".join([self._parts[key] for key in self.changed])).digest()

    def export(self) -> list[tuple[int, int, bytes]]:
        """Copies of the changed chunks, some packed already. `restore` takes them back."""
        copies = []
        for key in self.changed:
            packed = self._packed.get(key)
            if packed is None:
                start = self._bases[key]
                packed = bytes(self.cells[start : start + CHUNK_CELLS])
            copies.append((*key, packed))
        return copies

    def restore(self, chunks: Iterable[tuple[int, int, bytes]]) -> None:
        """Take over changed chunks, packed or not."""
        for cx, cz, data in chunks:
            key = (cx, cz)
            self._let_go(key)
            self._packed[key] = zlib.compress(data, 1) if len(data) == CHUNK_CELLS else data
            self._mark_changed(key)
            self._parts[key] = _part(key, _unpack(data))
        self._digest = self._root()

    def adopt(self, chunks: Iterable[tuple[int, int, bytes]], edits: int) -> None:
        """Keep the packed forms that a snapshot made of chunks, as they were after `edits` edits.
        The next export then copies only chunks that have changed since."""
        for cx, cz, packed in chunks:
            if self.versions.get((cx, cz), self.renewed) <= edits:
                self._packed.setdefault((cx, cz), packed)

    @property
    def loaded(self) -> int:
        """How many chunks are in use."""
        return len(self._bases)

    def keep(self, wanted: Container[ChunkKey], at_most: int | None = None) -> None:
        """Evict chunks that are not wanted, at most `at_most` of them."""
        self._evict([key for key in self._bases if key not in wanted][:at_most])

    def is_changed(self, cx: int, cz: int) -> bool:
        """Whether anything in a chunk was ever changed; then it is state."""
        return (cx, cz) in self._parts

    def _exists(self, cx: int, cz: int) -> bool:
        first = -self.boundary_r >> 4
        last = self.boundary_r >> 4
        return first <= cx <= last and first <= cz <= last

    def _load(self, key: ChunkKey) -> int:
        cx, cz = key
        if not self._exists(cx, cz):
            return 0
        if not self._free and self._unused < len(self.array):
            self._free.append(self._unused)
            self._unused += CHUNK_CELLS
        elif not self._free:
            self._evict(list(self._bases)[: len(self._bases) // EVICTED_SHARE + 1])
        packed = self._packed.get(key)
        base = self._free.pop()
        content = self.terrain.chunk(cx, cz) if packed is None else _unpack(packed)
        self.cells[base : base + CHUNK_CELLS] = content
        self._bases[key] = base
        return base

    def _evict(self, keys: list[ChunkKey]) -> None:
        for key in keys:
            base = self._bases[key]
            if key in self._parts and key not in self._packed:
                self._packed[key] = zlib.compress(self.cells[base : base + CHUNK_CELLS], 1)
            self._let_go(key)

    def _let_go(self, key: ChunkKey) -> None:
        base = self._bases.pop(key, None)
        if base is not None:
            self._free.append(base)
            self.evictions += 1


def _part(key: ChunkKey, cells: bytes | memoryview) -> bytes:
    """What a changed chunk adds to the digest."""
    return b"%d,%d:" % key + sha256(cells).digest()


def _unpack(packed: bytes) -> bytes:
    """The cells of a chunk, packed or not. The length tells which: block numbers are below 128, so
    a packed chunk always has fewer bytes than cells. No more is unpacked than a chunk can have,
    whatever the bytes of a damaged file claim."""
    if len(packed) == CHUNK_CELLS:
        return packed
    unpacker = zlib.decompressobj()
    try:
        cells = unpacker.decompress(packed, CHUNK_CELLS)
        complete = unpacker.decompress(unpacker.unconsumed_tail, 1) == b"" and unpacker.eof
    except zlib.error:
        cells = b""
        complete = False
    if len(cells) != CHUNK_CELLS or not complete:
        raise DamagedError("a packed chunk cannot be unpacked", code="chunk")
    return cells
