"""Chunks as spectators see them: the top of every column, or every cell. Looking changes nothing.

The bytes are those of the observer protocol: a surface cell is the block's palette id in two bytes,
the low one first, and its height in one; a voxel is the palette id alone. Rows run along x, then z,
then y.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

import numpy as np

from thorp.voxel.catalog import AIR
from thorp.voxel.state.ground import HEIGHT, LAYER, ChunkKey, Ground

Column = tuple[int, int, int, int]

# While many chunks are looked through, one is a number: `(cx << _WIDTH_BITS) + cz`.
_WIDTH_BITS: Final = 32
_HALF: Final = 1 << _WIDTH_BITS - 1
_STEPS: Final = tuple(
    (dx << _WIDTH_BITS) + dz for dx in (-1, 0, 1) for dz in (-1, 0, 1) if (dx, dz) != (0, 0)
)


def surface_bytes(cells: bytes) -> bytes:
    """The topmost block of each of a chunk's 256 columns; AIR at height 0 where there is none."""
    blocks = np.frombuffer(cells, np.uint8).reshape(HEIGHT, LAYER)
    there = blocks != AIR
    top = HEIGHT - 1 - there[::-1].argmax(axis=0)
    top[~there.any(axis=0)] = 0
    shown = np.zeros((LAYER, 3), np.uint8)
    shown[:, 0] = blocks[top, np.arange(LAYER)]
    shown[:, 2] = top
    return shown.tobytes()


def voxel_bytes(cells: bytes) -> bytes:
    """Every cell of a chunk in two bytes."""
    return np.frombuffer(cells, np.uint8).astype("<u2").tobytes()


def top_of(column: bytes) -> tuple[int, int]:
    """The topmost block of a column and its height; AIR at 0 if there is none."""
    height = len(column.rstrip(b"\0"))
    return (column[height - 1], height - 1) if height else (AIR, 0)


def changed_columns(ground: Ground, cells: Iterable[tuple[int, int, int]]) -> list[Column]:
    """What tops the columns of these cells now: x and z in the chunk, block, height; by z, then
    x."""
    columns = sorted({(z, x) for x, _, z in cells})
    return [(x & 15, z & 15, *top_of(ground.column(x, z))) for z, x in columns]


def changed_voxels(ground: Ground, cells: Iterable[tuple[int, int, int]]) -> list[Column]:
    """What is in these cells now: x, y and z in the chunk, and the block; in the order of the
    wire."""
    places = sorted({(y, z, x) for x, y, z in cells})
    return [(x & 15, y, z & 15, ground.block(x, y, z)) for y, z, x in places]


def chunks_around(centres: Sequence[ChunkKey], radius: int, limit: int) -> list[ChunkKey]:
    """The chunks at most so far from any of these, the nearest first, at most `limit` of them."""
    found = dict.fromkeys([(cx << _WIDTH_BITS) + cz for cx, cz in centres])
    edge = list(found)
    for _ in range(radius):
        if len(found) >= limit:
            break
        around = dict.fromkeys([chunk + step for chunk in edge for step in _STEPS])
        edge = [chunk for chunk in around if chunk not in found]
        found.update(dict.fromkeys(edge))
    return [_chunk_key(chunk) for chunk in islice(found, limit)]


def _chunk_key(chunk: int) -> ChunkKey:
    cz = (chunk + _HALF & (1 << _WIDTH_BITS) - 1) - _HALF
    return (chunk - cz) >> _WIDTH_BITS, cz
