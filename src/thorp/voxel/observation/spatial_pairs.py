"""Finds all pairs of places that lie near each other.

Looking at every pair would cost the square of their number. So places are sorted by the squares they lie in,
as wide as the reach: what is near lies in the same square or in one of the eight beside it, and three squares
of a column lie side by side in that order, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Places = NDArray[np.int64]
"""A row of x, one of y, one of z."""

# So many at once that what is computed of them stays near the processor.
PAIRS_AT_ONCE: Final = 2**15

_COLUMNS: Final = np.array([[-1], [0], [1]])


class Pairs(NamedTuple):
    """All pairs of some places `here`, in no order."""

    some: slice
    here: Numbers
    """Counted from the first of them."""
    there: Numbers


def places(positions: Sequence[tuple[int, int, int]]) -> Places:
    flat = np.fromiter(chain.from_iterable(positions), np.int64, 3 * len(positions))
    return np.ascontiguousarray(flat.reshape(-1, 3).T)


def pairs(here: Places, there: Places, reach: int) -> Iterator[Pairs]:
    """All that are at most `reach` cells apart along x and along z, and some that are farther apart."""
    bits = (reach - 1).bit_length()
    squares = _squares(there[0] >> bits, there[2] >> bits)
    order = squares.argsort()
    squares = squares[order]
    x, z = (here[0] >> bits) + _COLUMNS, here[2] >> bits
    begins = squares.searchsorted(_squares(x, z - 1), "left")
    counts = squares.searchsorted(_squares(x, z + 1), "right") - begins
    for some in _batches(counts.sum(axis=0)):
        begin, count = begins[:, some].ravel(), counts[:, some].ravel()
        steps = np.arange(count.sum()) + (begin - count.cumsum() + count).repeat(count)
        who = np.tile(np.arange(some.stop - some.start), len(_COLUMNS)).repeat(count)
        yield Pairs(some, who, order.take(steps))


def _squares(x: Numbers, z: Numbers) -> Numbers:
    """One number for each square; those of a column follow each other."""
    return (x << 32) + z


def _batches(counts: Numbers) -> Iterator[slice]:
    edges = np.flatnonzero(np.diff(counts.cumsum() // PAIRS_AT_ONCE)) + 1
    return (slice(first, last) for first, last in pairwise([0, *edges.tolist(), len(counts)]))
