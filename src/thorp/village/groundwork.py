"""Groundwork: clears and levels a site so that a blueprint fits, and tells natural ground from what
was built."""

from collections.abc import Iterable
from typing import Final

from thorp.protocol.obs import Position
from thorp.village.digging import FILLERS, OPEN, REACH, SIGHT
from thorp.village.villager import Script, Villager
from thorp.village.woodland import come_down, fetch_earth, rise

SOIL: Final = ("GRASS", "DIRT", "SAND", "GRAVEL", "ICE", "WARREN", "WARREN_EMPTY")
NATURAL: Final = (*SOIL, "LOG", "LEAVES", "STONE", "COAL_ORE", "IRON_ORE", "COPPER_ORE")
PASSED: Final = (*OPEN, "LOG", "LEAVES")
HIGHEST: Final = 5
PASSES: Final = 3
SIGN_AWAY: Final = 2
"""How far before a house the sign of the plot stands, on which it would be built."""
SIGN_SLOPE: Final = 3
"""How much higher or lower than the house."""


def surface(me: Villager, x: int, z: int) -> int | None:
    """The height at which a body stands in a column, on soil or paving and under trees; None if out
    of sight."""
    top = me.position[1] + SIGHT
    for y in range(top, top - 2 * SIGHT, -1):
        block = me.sight.block((x, y, z))
        if block is None or block in ("WATER", "BEDROCK"):
            return None
        if block not in PASSED:
            return y + 1
    return None


def cells_of(
    me: Villager, blueprint: str, anchor: Position, rotation: int = 0
) -> dict[Position, str]:
    """The cells of a work, and the block that belongs in each."""
    cells = {}
    for cell in me.blueprints[blueprint]["blocks"]:
        x, y, z = cell["pos"]
        for _ in range(rotation % 4):
            x, z = z, -x
        cells[anchor[0] + x, anchor[1] + y, anchor[2] + z] = cell["block"]
    return cells


def cost_of(me: Villager, blueprint: str) -> dict[str, int]:
    """The items that a blueprint uses up when it is built."""
    return {stack["item"]: stack["count"] for stack in me.blueprints[blueprint]["cost"]}


def corners(cells: Iterable[Position]) -> tuple[Position, Position]:
    """The lowest and the highest corner of the smallest box around some cells."""
    xs, ys, zs = zip(*cells, strict=True)
    return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))


def prepare(me: Villager, cells: dict[Position, str]) -> Script[bool]:
    """Remove what is in the way of a work, and put ground under it."""
    low, high = corners(cells)
    bottom = low[1]
    middle = ((low[0] + high[0]) // 2, bottom, (low[2] + high[2]) // 2)
    yield from me.walk(middle, 2)
    # From the top down: what is dug away first must not hold up what comes after it.
    box = [
        (x, y, z)
        for y in range(high[1], bottom - 1, -1)
        for x in range(low[0], high[0] + 1)
        for z in range(low[2], high[2] + 1)
    ]
    if any(me.sight.block(cell) in ("LOG", "LEAVES") for cell in box):
        yield from fetch_earth(me)
    for _ in range(PASSES):
        in_the_way = [
            cell for cell in box if me.sight.block(cell) not in (*OPEN, None, cells.get(cell))
        ]
        for cell in in_the_way:
            if me.sight.block(cell) in (*OPEN, cells.get(cell)):
                continue
            if me.sight.block(cell) not in (*NATURAL, None):
                return False
            yield from dig(me, cell, bottom)
        if not in_the_way:
            break
        yield from come_down(me, bottom)
        yield from me.walk(middle, 2, tries=1)
    yield from come_down(me, bottom)
    occupied = [
        cell
        for cell, block in cells.items()
        if me.sight.block(cell) not in ("AIR", "TALL_GRASS", None, block)
    ]
    for cell in occupied:
        yield from dig(me, cell)
    for x, y, z in cells:
        if y == bottom:
            yield from fill(me, (x, y - 1, z))
    return True


def dig(me: Villager, cell: Position, ground: int | None = None) -> Script[bool]:
    """Go beside a cell and take away what is in it; if it is too high, from steps of earth."""
    if me.away(cell) > REACH:
        yield from me.walk((cell[0], cell[1] if ground is None else ground, cell[2]), 1, tries=1)
    for _ in range(HIGHEST):
        if me.away(cell) <= REACH or cell[1] <= me.position[1] or not me.is_here(cell, 1):
            break
        if not (yield from rise(me)):
            break
    return me.away(cell) <= REACH and bool((yield from me.mine(cell)))


def fill(me: Villager, cell: Position) -> Script[None]:
    """Put ground into a hole below a work, and under that if it is deeper."""
    for y in range(cell[1] - 1, cell[1] + 1):
        below = (cell[0], y, cell[2])
        filler = me.first_of(FILLERS)
        if me.sight.block(below) in (*OPEN, "WATER") and filler is not None:
            yield from me.place(below, filler)


def is_site(me: Villager, cells: dict[Position, str]) -> bool:
    """Whether a work could stand there, judging by the blocks in sight: natural ground and no
    water."""
    bottom = min(y for _, y, _ in cells)
    for x, y, z in cells:
        block = me.sight.block((x, y, z))
        is_taken = block == "SIGN"  # somebody's plot
        if is_taken or block not in (*OPEN, *SOIL, "LOG", "LEAVES", None, cells[x, y, z]):
            return False
        if y == bottom and me.sight.block((x, y - 1, z)) in ("WATER", "ICE"):
            return False
    return True


def is_plot(me: Villager, cells: dict[Position, str]) -> bool:
    """Whether a work would stand on somebody's plot, or on one that is kept ready: before its north
    side is a sign."""
    low, high = corners(cells)
    return any(
        me.sight.block((x, y, low[2] - away)) == "SIGN"
        for x in range(low[0], high[0] + 1)
        for y in range(low[1] - SIGN_SLOPE, low[1] + SIGN_SLOPE + 1)
        for away in range(1, SIGN_AWAY + 1)
    )


def level_of(me: Villager, columns: list[tuple[int, int]]) -> int | None:
    """The height at which most of some columns can be stood on."""
    heights = [height for x, z in columns if (height := surface(me, x, z)) is not None]
    if 2 * len(heights) < len(columns):
        return None
    return sorted(heights)[len(heights) // 2]


def columns_of(me: Villager, blueprint: str, x: int, z: int) -> list[tuple[int, int]]:
    """The columns that a blueprint covers when it stands at x, z."""
    return sorted({(ax, az) for ax, _, az in cells_of(me, blueprint, (x, 0, z))})
