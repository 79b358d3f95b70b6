"""Where bodies may begin: one site in each square of a lattice, numbered along a spiral from the middle.

Terrain makes a glade around every site on dry land; `spawn_points` assigns them. The sites are the same in
all worlds, so that neither has to ask the other.
"""

from functools import cache
from typing import Final

SPACING: Final = 32
GLADE_R: Final = 7
"""Around a site the ground is level so far out, and bare but for the boulders."""
BOULDERS: Final = ((-1, -1), (-1, 1))
"""Where blocks to be mined stand around a site, as (dx, dz). Every way from the site to a cell beside one of
them that ends 2 cells short of it, as MOVE_TO may, ends within MINE's reach. Towards +x one can build."""
# Sites do not lie in rows: each is off the middle of its square by at most this many cells.
SCATTER: Final = 4
# 71 × 71 squares: with two in five under water there are still more sites than bodies in a full world.
MAX_RINGS: Final = 35


def rings(boundary_r: int) -> int:
    """How many rings of squares around the middle one lie in a world with this boundary."""
    return max(0, min(MAX_RINGS, (boundary_r - SCATTER - GLADE_R) // SPACING))


def column(i: int, j: int) -> tuple[int, int]:
    """The column (x, z) of the site in one square of the lattice. That of the middle square is the origin."""
    off_x, off_z = 7 * i + 4 * j * j, 5 * j + 2 * i * i
    return i * SPACING + _scattered(off_x), j * SPACING + _scattered(off_z)


def _scattered(off: int) -> int:
    return (off + SCATTER) % (2 * SCATTER + 1) - SCATTER


@cache
def columns(ring_count: int) -> list[tuple[int, int]]:
    """The columns of all sites, ring by ring, each ring clockwise from its east."""
    squares = [(0, 0)]
    for r in range(1, ring_count + 1):
        squares += [(r, j) for j in range(1 - r, r + 1)]
        squares += [(i, r) for i in range(r - 1, -r - 1, -1)]
        squares += [(-r, j) for j in range(r - 1, -r - 1, -1)]
        squares += [(i, -r) for i in range(1 - r, r + 1)]
    return [column(i, j) for i, j in squares]


@cache
def numbers(ring_count: int) -> dict[tuple[int, int], int]:
    """The place of each site in that order, by its column."""
    return {column: number for number, column in enumerate(columns(ring_count))}
