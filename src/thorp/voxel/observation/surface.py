"""Chunks as spectators see them: the top of every column, or every cell. Looking changes nothing.

The bytes are those of the observer protocol: a surface cell is the block's palette id in two bytes,
low byte first, and its height in one; a voxel is the palette id alone. x changes fastest, then z,
then y.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

import numpy as np

from thorp.voxel.catalog import AIR
from thorp.voxel.state.ground import HEIGHT, LAYER, ChunkKey, Ground

Column = tuple[int, int, int, int]

# In `chunks_around` a chunk is one number, `(cx << _WIDTH_BITS) + cz`, so that a step to a
# neighbour is one addition: a spectator may ask for thousands of chunks.
_WIDTH_BITS: Final = 32
_HALF: Final = 1 << _WIDTH_BITS - 1
_STEPS: Final = tuple(
    (dx << _WIDTH_BITS) + dz for dx in (-1, 0, 1) for dz in (-1, 0, 1) if (dx, dz) != (0, 0)
)


def surface_bytes(cells: bytes) -> bytes:
    """The topmost block of each of a chunk's 256 columns; AIR at height 0 in an empty column."""
    blocks = np.frombuffer(cells, np.uint8).reshape(HEIGHT, LAYER)
    is_block = blocks != AIR
    # From the top down, `argmax` gives the first that is a block.
    top = HEIGHT - 1 - is_block[::-1].argmax(axis=0)
    top[~is_block.any(axis=0)] = 0
    surface = np.zeros((LAYER, 3), np.uint8)
    surface[:, 0] = blocks[top, np.arange(LAYER)]
    surface[:, 2] = top
    return surface.tobytes()


def voxel_bytes(cells: bytes) -> bytes:
    """Every cell of a chunk in two bytes."""
    return np.frombuffer(cells, np.uint8).astype("<u2").tobytes()


def top_of(column: bytes) -> tuple[int, int]:
    """The topmost block of a column and its height; AIR and 0 if the column is empty."""
    height = len(column.rstrip(b"\0"))
    return (column[height - 1], height - 1) if height else (AIR, 0)


def changed_columns(ground: Ground, cells: Iterable[tuple[int, int, int]]) -> list[Column]:
    """The tops of the columns that these cells are in: x and z within the chunk, block, height; in
    order of z, then x."""
    columns = sorted({(z, x) for x, _, z in cells})
    return [(x & 15, z & 15, *top_of(ground.column(x, z))) for z, x in columns]


def changed_voxels(ground: Ground, cells: Iterable[tuple[int, int, int]]) -> list[Column]:
    """The blocks in these cells: x, y and z within the chunk, and the block; in the order of the
    wire."""
    places = sorted({(y, z, x) for x, y, z in cells})
    return [(x & 15, y, z & 15, ground.block(x, y, z)) for y, z, x in places]


def chunks_around(centres: Sequence[ChunkKey], radius: int, limit: int) -> list[ChunkKey]:
    """The chunks at most `radius` from any of the centres, the nearest first, at most `limit` of
    them."""
    chunks = dict.fromkeys([(cx << _WIDTH_BITS) + cz for cx, cz in centres])
    edge = list(chunks)
    for _ in range(radius):
        if len(chunks) >= limit:
            break
        around = dict.fromkeys([chunk + step for chunk in edge for step in _STEPS])
        edge = [chunk for chunk in around if chunk not in chunks]
        chunks.update(dict.fromkeys(edge))
    return [_chunk_key(chunk) for chunk in islice(chunks, limit)]


def _chunk_key(chunk: int) -> ChunkKey:
    cz = (chunk + _HALF & (1 << _WIDTH_BITS) - 1) - _HALF
    return (chunk - cz) >> _WIDTH_BITS, cz
