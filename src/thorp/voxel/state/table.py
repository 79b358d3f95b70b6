"""Tables: rows of one kind in key order, with a digest that follows their changes.

Code that changes a row in place must call `touch`; then the digest costs one hash for each changed
row, and one over the digests of all. A test recomputes every digest from nothing and compares.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from operator import attrgetter
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec
from msgspec import Meta

from thorp.voxel.state.ground import ChunkKey, Position, chunks_around

# Numbers that a stored row may hold; a file with others was not written by a world. Every JSON
# reader keeps integers up to this limit exact, and no sum of ours comes near it.
LIMIT: Final = 2**53
Natural = Annotated[int, Meta(ge=0, le=LIMIT)]
Positive = Annotated[int, Meta(ge=1, le=LIMIT)]

encode = msgspec.msgpack.Encoder(order="deterministic").encode

K = TypeVar("K", bound=int | str | tuple[Any, ...])
V = TypeVar("V")


class Table(Generic[K, V]):
    """Rows by their key: a dictionary that iterates in key order, whatever order rows came in."""

    __slots__ = ("_digest", "_digests", "_dirty", "_encode", "_key_of", "_keys", "_news", "_values")

    def __init__(self, key_of: Callable[[V], K], encode: Callable[[V], bytes] = encode) -> None:
        self._key_of = key_of
        self._encode = encode
        self._values: dict[K, V] = {}
        self._keys: list[K] = []
        self._digests: dict[K, bytes] = {}
        self._dirty: dict[K, None] = {}
        self._digest = sha256().digest()
        self._news: dict[K, bytes] | None = None

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __getitem__(self, key: K) -> V:
        return self._values[key]

    def __iter__(self) -> Iterator[V]:
        """All rows, in key order. The table may change meanwhile; rows that are added then are not
        visited."""
        values = self._values
        return iter([values[key] for key in self._keys])

    def get(self, key: K) -> V | None:
        return self._values.get(key)

    def put(self, value: V) -> V:
        """Add a row, or replace the one with its key."""
        key = self._key_of(value)
        if key not in self._values:
            insort(self._keys, key)
        self._values[key] = value
        self._dirty[key] = None
        return value

    def remove(self, key: K) -> V:
        """Take out a row that is there."""
        value = self._values.pop(key)
        del self._keys[bisect_left(self._keys, key)]
        self._digests.pop(key, None)
        self._dirty[key] = None
        return value

    def clear(self) -> None:
        """Take out all rows."""
        self.touch_all()
        self._values.clear()
        self._keys.clear()
        self._digests.clear()

    def touch(self, key: K) -> None:
        """Must be called after a row was changed in place."""
        self._dirty[key] = None

    def touch_all(self) -> None:
        """Have every row hashed again, because any may have changed in place."""
        self._dirty.update(dict.fromkeys(self._keys))

    def changed(self) -> list[K]:
        """The keys of rows that may have changed, come or gone since the last digest."""
        return list(self._dirty)

    def digest(self) -> bytes:
        """32 bytes that cover all rows, in key order."""
        if self._dirty:
            digests = self._hash_changed()
            self._digest = sha256(b"".join([digests[key] for key in self._keys])).digest()
        return self._digest

    def _hash_changed(self) -> dict[K, bytes]:
        """The digest of each row, with those that were touched hashed again."""
        values = self._values
        digests = self._digests
        encode = self._encode
        news = self._news
        for key in self._dirty:
            if key in values:
                data = encode(values[key])
                digest = sha256(data).digest()
                if news is not None and digests.get(key) != digest:
                    news[key] = data
                digests[key] = digest
            elif news is not None:
                news[key] = b""
        self._dirty.clear()
        return digests

    def take_news(self) -> dict[K, bytes]:
        """The rows that really changed between the last call and the last digest, as they were
        hashed, and an empty text for each that is gone. The first call returns nothing and begins
        the recording."""
        news = self._news or {}
        self._news = {}
        return news

    def forget_changes(self) -> None:
        """Forget which rows have changed, in a world that never computes a digest."""
        self._dirty.clear()


_position_of: Callable[[Any], Position] = attrgetter("position")
Groups = dict[Any, dict[K, V]]  # Rows by where they are, then by key; there are no empty groups.


def _enter(groups: Groups[K, V], group: Any, key: K, value: V) -> None:
    groups.setdefault(group, {})[key] = value


def _leave(groups: Groups[K, V], group: Any, key: K) -> None:
    inside = groups[group]
    del inside[key]
    if not inside:
        del groups[group]


def _in_order(groups: Groups[K, V], group: Any) -> list[V]:
    inside = groups.get(group)
    return [inside[key] for key in sorted(inside)] if inside else []


class Placed(Table[K, V]):
    """A table of things with a position, which can be looked up by chunk."""

    __slots__ = ("_chunks",)

    def __init__(self, key_of: Callable[[V], K], encode: Callable[[V], bytes] = encode) -> None:
        super().__init__(key_of, encode)
        self._chunks: dict[ChunkKey, dict[K, V]] = {}

    def put(self, value: V) -> V:
        key = self._key_of(value)
        if key in self._values:
            self._take_away(key, _position_of(self._values[key]))
        super().put(value)
        self._place(key, value)
        return value

    def remove(self, key: K) -> V:
        value = super().remove(key)
        self._take_away(key, _position_of(value))
        return value

    def clear(self) -> None:
        super().clear()
        self._chunks.clear()

    def moved(self, key: K, before: Position) -> None:
        """Must be called after the position of a row was changed in place."""
        self._dirty[key] = None
        x, _, z = _position_of(self._values[key])
        if (x >> 4, z >> 4) != (before[0] >> 4, before[2] >> 4):
            self._change_chunk(key, before)

    def in_chunk(self, cx: int, cz: int) -> list[V]:
        """The rows in a chunk, in key order."""
        return _in_order(self._chunks, (cx, cz))

    def chunks(self) -> Mapping[ChunkKey, Mapping[K, V]]:
        """The chunks that have rows, and those rows."""
        return self._chunks

    def near(self, x: int, z: int, reach: int) -> list[V]:
        """The rows in all chunks that a square of `reach` cells touches, so some are farther away;
        in key order within each chunk."""
        return [
            value for chunk in chunks_around((x, 0, z), reach) for value in self.in_chunk(*chunk)
        ]

    def _change_chunk(self, key: K, before: Position) -> None:
        """Look a row up in the chunk where it is now, and no more where it was before."""
        value = self._values[key]
        x, _, z = _position_of(value)
        _leave(self._chunks, (before[0] >> 4, before[2] >> 4), key)
        _enter(self._chunks, (x >> 4, z >> 4), key, value)

    def _place(self, key: K, value: V) -> None:
        x, _, z = _position_of(value)
        _enter(self._chunks, (x >> 4, z >> 4), key, value)

    def _take_away(self, key: K, position: Position) -> None:
        _leave(self._chunks, (position[0] >> 4, position[2] >> 4), key)


class Scattered(Placed[K, V]):
    """A table of things that lie about, which can be looked up by cell too."""

    __slots__ = ("_cells",)

    def __init__(self, key_of: Callable[[V], K]) -> None:
        super().__init__(key_of)
        self._cells: dict[Position, dict[K, V]] = {}

    def clear(self) -> None:
        super().clear()
        self._cells.clear()

    def moved(self, key: K, before: Position) -> None:
        super().moved(key, before)
        _leave(self._cells, before, key)
        _enter(self._cells, _position_of(self._values[key]), key, self._values[key])

    def at(self, position: Position) -> list[V]:
        """The rows in one cell, in key order."""
        return _in_order(self._cells, position)

    def any_at(self, position: Position) -> bool:
        """Whether anything lies in a cell."""
        return position in self._cells

    def _place(self, key: K, value: V) -> None:
        super()._place(key, value)
        _enter(self._cells, _position_of(value), key, value)

    def _take_away(self, key: K, position: Position) -> None:
        super()._take_away(key, position)
        _leave(self._cells, position, key)
