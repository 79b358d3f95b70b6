"""The town plan: what stands where, seen from the middle of the plaza, and in which order it is built.

The plaza is a square of 25 × 25 cells. Around it lie two rings of lots, 7 × 7 each, with ring roads before
and between them; the field takes three lots in the south. The anchor of a work is its corner at the lowest x
and z; its height is that of the ground, which whoever orders it goes and looks at.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple


class Work(NamedTuple):
    """A blueprint, where its corner is, and whether it lies in the ground instead of on it."""

    blueprint: str
    dx: int
    dz: int
    sunk: bool = False


# Where a body stands who works there is one column beside.
BENCH: Final = (-2, -2)
CHEST: Final = (-2, 1)
BOARD: Final = (1, 2)
SIGN: Final = (-1, 2)
TOTEM: Final = (1, 0)
TERMINAL: Final = (0, 2)
FORGE: Final = (3, -1)
MINE: Final = (-10, -31)
CITY_RADIUS: Final = 32
GUILD_RADIUS: Final = 16
# West, north, east and south of it, in cells from the plaza.
FIELD: Final = (-12, 15, 12, 21)

PITCH: Final = 9
HOMES: Final = ("cottage", "brick_house", "longhouse", "log_cabin", "glass_house")
_HOUSE_OFFSET: Final = 2


def lots() -> Iterator[tuple[int, int]]:
    """The middles of the lots for homes, the nearest first: not those of field, gates and towers."""
    found = [(PITCH * i, PITCH * j) for i in range(-3, 4) for j in range(-3, 4) if max(abs(i), abs(j)) > 1]
    found = [(x, z) for x, z in found if not (z == 2 * PITCH and abs(x) <= PITCH)]
    found = [(x, z) for x, z in found if abs(z) < 3 * PITCH or abs(x) in (PITCH, 2 * PITCH)]
    yield from sorted(found, key=lambda lot: (abs(lot[0]) + abs(lot[1]), lot))


_LAMPS: Final = tuple(
    Work("lamp_post", x, z)
    for x, z in (
        *((-6, -6), (6, 6), (-6, 6), (6, -6)),
        *((5, 11), (11, 0), (5, -11), (-11, 0)),
        *((12, 12), (-12, 12), (12, -12), (-12, -12)),
        *((23, 0), (-23, 0), (0, -23), (0, 23)),
    )
)
_CIVIC: Final = (
    *_LAMPS[:4],
    Work("well", 8, 7),
    Work("market_stall", -9, -4),
    Work("storehouse", -12, 6),
    Work("market_stall", -9, 1),
    *_LAMPS[4:8],
    Work("hall", -3, 5),
    Work("market_stall", 8, -4),
    Work("market_stall", 8, 1),
    Work("town_gate", -2, 27),
    *_LAMPS[8:12],
    Work("watch_tower", 24, 24),
    Work("paved_road", 0, -9, sunk=True),
    Work("paved_road", 0, -14, sunk=True),
    Work("watch_tower", -27, 24),
    *_LAMPS[12:],
    Work("town_gate", -2, -27),
    Work("watch_tower", 24, -27),
    *(Work("stone_wall_segment", -31, z) for z in range(-30, 26, 6)),
    Work("watch_tower", -27, -27),
    *(Work("stone_wall_segment", 31, z) for z in range(-30, 26, 6)),
)


def _works() -> Iterator[Work]:
    """Homes and what is everybody's, in turn."""
    civic = iter(_CIVIC)
    for number, (x, z) in enumerate(lots()):
        yield from (work for _, work in zip(range(2 if number else 4), civic, strict=False))
        yield Work(HOMES[number % len(HOMES)], x - _HOUSE_OFFSET, z - _HOUSE_OFFSET)
    yield from civic


WORKS: Final = tuple(_works())


def _ring(size: int) -> Iterator[tuple[int, int]]:
    for along in range(-size, size):
        yield from ((along, -size), (size, along), (-along, size), (-size, -along))


STREETS: Final = (
    *((0, -z) for z in range(4, 13)),
    *((x, 0) for x in range(5, 13)),
    *((-x, 0) for x in range(4, 13)),
    *sorted(_ring(13), key=lambda cell: (cell[0] > 0, cell[1] > 0, cell)),
    *sorted(_ring(22), key=lambda cell: (cell[0] > 0, cell[1] > 0, cell)),
    *sorted(_ring(14), key=lambda cell: (cell[0] > 0, cell[1] > 0, cell)),
)
"""Cells that are to be paved, in order."""
