"""The cubes of blocks that agents see, and how they are packed for an OBS.

A cube is its blocks in the order of the wire: y outermost, then z, then x. It is copied out of the
chunks it touches, slice by slice. (That was measured to be faster than one numpy `take` over the
cells of all agents, which would first have to write 27,000 bytes of indices for each cube.)

    RLE     pairs of varints (block, run length ≥ 1), runs as long as possible, as base64
    DELTA   the cells that differ from the cube sent before, compared slot by slot, even if the two
            cubes have different centres

Cubes are packed together, because every call of numpy has a fixed cost that a single cube would not
repay.
"""

from binascii import b2a_base64
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thorp.voxel.catalog import AIR, MAX_BLOCKS
from thorp.voxel.state.ground import CHUNK, CHUNK_CELLS, HEIGHT, Ground, Position

Cubes = NDArray[np.uint8]
Numbers = NDArray[np.int64]

# An op has some 20 bytes of text, and a packed cube seldom more than 2,000. More ops than this
# would not be shorter than the cube.
MAX_OPS: Final = 100

# How many cubes are packed at once. For more, the arrays would be so large that the allocator gets
# them from the system, and gives them back, each time.
BATCH: Final = 64

# Set in all bytes of a varint except its last. Block numbers must fit into one byte without it.
_MORE: Final = 0x80
assert MAX_BLOCKS <= _MORE


def gather(ground: Ground, centres: Sequence[Position], radius: int) -> Cubes:
    """The cubes around the centres, one in each row. Cells outside the world are AIR."""
    width = 2 * radius + 1
    cubes = np.empty((len(centres), width, width, width), np.uint8)
    chunks = ground.array.reshape(-1, HEIGHT, CHUNK, CHUNK)
    base = ground.base
    cuts = _cuts(width)
    for cube, (x, y, z) in zip(cubes, centres, strict=True):
        cx = (x - radius) >> 4
        x_cuts = cuts[(x - radius) & 15]
        cz = (z - radius) >> 4
        z_cuts = cuts[(z - radius) & 15]
        # Both within the world's height. A call for this would cost as much as the two lines.
        bottom = min(max(y - radius, 0), HEIGHT)
        top = min(max(y + radius + 1, 0), HEIGHT)
        if top - bottom < width:
            cube[:] = AIR
        layers = cube[bottom - y + radius : top - y + radius]
        for dz, z_from, z_to in z_cuts:
            for dx, x_from, x_to in x_cuts:
                number = base(cx + dx, cz + dz) // CHUNK_CELLS
                layers[:, z_to, x_to] = chunks[number, bottom:top, z_from, x_from]
    return cubes.reshape(len(centres), width**3)


@cache
def _cuts(width: int) -> list[list[tuple[int, slice, slice]]]:
    """How the chunks cut one axis of a cube, for each cell of a chunk in which the cube may begin.
    Each cut is the number of the chunk after the first, the slice of its cells, and the slice of
    the cube where they belong."""
    return [
        [
            (
                chunk,
                slice(max(begin - CHUNK * chunk, 0), min(begin + width - CHUNK * chunk, CHUNK)),
                slice(max(CHUNK * chunk - begin, 0), min(CHUNK * chunk + CHUNK - begin, width)),
            )
            for chunk in range((begin + width - 1) // CHUNK + 1)
        ]
        for begin in range(CHUNK)
    ]


def rle_texts(cubes: Cubes) -> list[bytes]:
    """Each cube packed by run lengths, as base64 text."""
    texts: list[bytes] = []
    for start in range(0, len(cubes), BATCH):
        batch = cubes[start : start + BATCH]
        starts, lengths = _runs(batch)
        first_runs = starts.searchsorted(np.arange(len(batch) + 1) * cubes.shape[1])
        packed, edges = _varint_pairs(batch.reshape(-1).take(starts), lengths, first_runs)
        texts += [b2a_base64(packed[begin:end], newline=False) for begin, end in pairwise(edges)]
    return texts


def _runs(cubes: Cubes) -> tuple[Numbers, Numbers]:
    """Where runs of equal blocks begin in all cubes together, and how long they are. No run crosses
    from one cube into the next."""
    flat = cubes.reshape(-1)
    begins = np.empty(flat.size, np.bool_)
    np.not_equal(flat[1:], flat[:-1], out=begins[1:])
    begins[:: cubes.shape[1]] = True
    starts = np.flatnonzero(begins)
    return starts, np.diff(starts, append=flat.size)


def _varint_pairs(blocks: Cubes, lengths: Numbers, runs: Numbers) -> tuple[bytes, list[int]]:
    """The varints of all runs, one after the other, and the offsets at which the runs with the
    numbers `runs` begin.

    Nearly every length needs one byte. So all pairs are written as two bytes each, and the further
    bytes of the few longer lengths are inserted afterwards.
    """
    pairs = np.empty((len(lengths), 2), np.uint8)
    pairs[:, 0] = blocks
    pairs[:, 1] = lengths
    long = np.flatnonzero(lengths >= _MORE)
    pairs[long, 1] |= _MORE
    # Each round of the loop makes one more byte for the lengths that need it. Rounds are inserted
    # in their order at the same place, so the low byte of a varint comes first.
    inserted_at = [long]
    inserted = [lengths[long] >> 7]
    while (more := inserted[-1] >= _MORE).any():
        inserted_at.append(inserted_at[-1][more])
        inserted.append(inserted[-1][more] >> 7)
        inserted[-2] = inserted[-2] & (_MORE - 1) | more * _MORE
    at = np.concatenate(inserted_at)
    packed = np.insert(pairs.reshape(-1), 2 * at + 2, np.concatenate(inserted))
    return packed.tobytes(), (2 * runs + np.sort(at).searchsorted(runs)).tolist()


def delta_ops(previous: Cubes, current: Cubes, radius: int) -> bytes | None:
    """The JSON text of the ops that turn one cube into another. None if the cube must be sent
    whole: if nothing differs, or half of it does, or so much that the ops would be longer."""
    changed = np.flatnonzero(previous != current)
    if not 0 < len(changed) < min(current.size // 2, MAX_OPS + 1):
        return None
    heads = _op_heads(radius)
    blocks = current[changed].tolist()
    ops = [
        b"%b%d}" % (heads[cell], block)
        for cell, block in zip(changed.tolist(), blocks, strict=True)
    ]
    return b"[" + b",".join(ops) + b"]"


@cache
def _op_heads(radius: int) -> list[bytes]:
    """The text of an op up to its block, for each cell of a cube: only the block is formatted in a
    tick."""
    span = range(-radius, radius + 1)
    return [b'{"d":[%d,%d,%d],"b":' % (dx, dy, dz) for dy in span for dz in span for dx in span]
