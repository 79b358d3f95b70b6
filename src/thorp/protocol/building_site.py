"""Where a blueprint fits, judged by the blocks that an agent sees.

    site = find_site(blocks, plan, low=(4, 4), high=(10, 10), near=(7, 22, 7))

A blueprint fits where its columns end in nearly level natural ground and all of its cells are free.
It is set on the highest of these columns, so that nothing has to be dug away; the cell below
another column may stay open. Blocks do not tell whose land it is.
"""

from collections.abc import Collection, Iterable
from typing import Final

from thorp.protocol.block_view import BlockView
from thorp.protocol.obs import Position

FREE: Final = frozenset({"AIR", "TALL_GRASS"})
"""Blocks that give way to what is built."""
SOIL: Final = frozenset({"GRASS", "DIRT", "SAND", "GRAVEL"})
ROCK: Final = frozenset({"STONE"})
"""Natural ground as well, but streets are paved with it."""
MAX_STEP: Final = 1
"""How much higher one column of a site may be than another."""

Column = tuple[int, int]
EVERYWHERE: Final = 2**31
_WEST_NORTH: Final = (-EVERYWHERE, -EVERYWHERE)
_EAST_SOUTH: Final = (EVERYWHERE, EVERYWHERE)


def find_site(
    blocks: BlockView,
    plan: Collection[Position],
    *,
    near: Position,
    low: Column = _WEST_NORTH,
    high: Column = _EAST_SOUTH,
    taken: Iterable[Position] = (),
    ground: Collection[str] = SOIL,
) -> Position | None:
    """The anchor nearest to a cell at which the cells of a plan, counted from the anchor, are free.

    The whole of it lies in the columns from `low` to `high`, both included, and in no cell that is
    `taken` by somebody. None if no such place is in sight.
    """
    heights = _heights(blocks, low, high, ground)
    columns = sorted({(x, z) for x, _, z in plan})
    bottom = min(y for _, y, _ in plan)
    occupied = frozenset(taken)
    for x, z in sorted(heights, key=lambda column: _distance(column, columns, near)):
        under = [heights.get((x + dx, z + dz)) for dx, dz in columns]
        levels = [height for height in under if height is not None]
        if len(levels) < len(under) or max(levels) - min(levels) > MAX_STEP:
            continue
        y = max(levels) - bottom
        cells = [(x + dx, y + dy, z + dz) for dx, dy, dz in plan]
        if all(blocks.block(cell) in FREE and cell not in occupied for cell in cells):
            return x, y, z
    return None


def _heights(
    blocks: BlockView, low: Column, high: Column, ground: Collection[str]
) -> dict[Column, int]:
    """For each column in sight that ends in open ground, the height at which a body stands."""
    x, y, z = blocks.center
    radius = blocks.radius
    heights = {}
    for column_x in range(max(low[0], x - radius), min(high[0], x + radius) + 1):
        for column_z in range(max(low[1], z - radius), min(high[1], z + radius) + 1):
            for cell_y in range(y + radius, y - radius - 1, -1):
                block = blocks.block((column_x, cell_y, column_z))
                if block in FREE:
                    continue
                if block in ground and cell_y < y + radius:
                    heights[column_x, column_z] = cell_y + 1
                break
    return heights


def _distance(anchor: Column, columns: list[Column], near: Position) -> tuple[int, Column]:
    """How far the middle of a site is from a cell, twice, so that it is a whole number."""
    span_x = columns[0][0] + columns[-1][0]
    span_z = min(dz for _, dz in columns) + max(dz for _, dz in columns)
    middle_x = 2 * anchor[0] + span_x
    middle_z = 2 * anchor[1] + span_z
    return abs(middle_x - 2 * near[0]) + abs(middle_z - 2 * near[2]), anchor
