"""The town plan: what stands where, seen from the middle of the plaza, and in which order it is
built.

The plaza is a square of 25 × 25 cells. Around it lie two rings of lots, 7 × 7 each, with ring roads
before and between them; the field takes three lots in the south. When the town is full, quarters
grow along the roads that lead out of it. The anchor of a work is its corner at the lowest x and z,
at ground level.
"""

from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import Final, NamedTuple

# Bodies that work there stand one column beside.
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
BIG_HOMES: Final = ("brick_house", "longhouse")
_HOUSE_OFFSET: Final = 2
# The first lot of a quarter: strangers wake nearer to the town than that.
_QUARTERS: Final = 52
_SIDES: Final = (-6, 6, -15, 15)
_BEHIND: Final = 23
# A hundred days of them.
MOST_WORKS: Final = 400
SECTION: Final = 8


class Work(NamedTuple):
    """A blueprint, where its corner is, and whether it lies in the ground instead of on it."""

    blueprint: str
    dx: int
    dz: int
    sunk: bool = False


def lots() -> Iterator[tuple[int, int]]:
    """The middles of the lots for homes, the nearest first: not those of field, gates and
    towers."""
    middles = [
        (PITCH * i, PITCH * j)
        for i in range(-3, 4)
        for j in range(-3, 4)
        if max(abs(i), abs(j)) > 1
    ]
    middles = [(x, z) for x, z in middles if not (z == 2 * PITCH and abs(x) <= PITCH)]
    middles = [(x, z) for x, z in middles if abs(z) < 3 * PITCH or abs(x) in (PITCH, 2 * PITCH)]
    yield from sorted(middles, key=lambda lot: (abs(lot[0]) + abs(lot[1]), lot))


_LAMPS: Final = tuple(
    Work("lamp_post", x, z)
    for x, z in (
        *((-6, -6), (6, 6), (-6, 6), (6, -6)),
        *((5, 11), (11, 0), (5, -11), (-11, 0)),
        *((12, 12), (-12, 12), (12, -12), (-12, -12)),
        *((24, 0), (-24, 0), (0, -24), (0, 24)),
        *((side * 24, along) for along in (-14, 14) for side in (-1, 1)),
        *((along, side * 24) for along in (-14, 14) for side in (-1, 1)),
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
    *_LAMPS[12:16],
    Work("town_gate", -2, -27),
    Work("watch_tower", 24, -27),
    *(Work("stone_wall_segment", -31, z) for z in range(-30, 26, 6)),
    Work("watch_tower", -27, -27),
    *_LAMPS[16:],
    *(Work("stone_wall_segment", 31, z) for z in range(-30, 26, 6)),
)


def _works() -> Iterator[Work]:
    """Homes and public buildings in turn; then the quarters, from the town outwards."""
    civic = iter(_CIVIC)
    for number, (x, z) in enumerate(lots()):
        yield from (work for _, work in zip(range(2 if number else 4), civic, strict=False))
        yield _home(number, x, z)
    yield from civic
    for row in count():
        yield from _row(row)


def _home(number: int, x: int, z: int) -> Work:
    return Work(HOMES[number % len(HOMES)], x - _HOUSE_OFFSET, z - _HOUSE_OFFSET)


def _row(row: int) -> Iterator[Work]:
    """One row of each quarter: a lamp at the road, two houses on either side, a well or a stall
    behind."""
    out = _QUARTERS + PITCH * row
    for number, (x, z) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
        yield Work("lamp_post", x * (out - 4) + 3 * abs(z), z * (out - 4) + 3 * abs(x))
        for kind, side in enumerate(_SIDES, row + number):
            yield _home(kind, x * out + side * abs(z), z * out + side * abs(x))
        if (row + number) % 3 == 0:
            common = ("well", "market_stall")[row // 3 % 2]
            yield Work(common, x * out - _BEHIND * abs(z), z * out - _BEHIND * abs(x))


WORKS: Final = tuple(islice(_works(), MOST_WORKS))


def _ring(size: int) -> Iterator[tuple[int, int]]:
    for along in range(-size, size):
        yield from ((along, -size), (size, along), (-along, size), (-size, -along))


def _streets() -> Iterator[tuple[int, int]]:
    """The ways of the plaza, the ring roads, lanes between the lots, the roads out of the town."""
    yield from ((0, -z) for z in range(4, 13))
    yield from ((side * x, 0) for side in (1, -1) for x in range(5, 13))
    for size in (13, 22, 14, 23):
        yield from sorted(_ring(size), key=lambda cell: (cell[0] > 0, cell[1] > 0, cell))
    for lane in (-4, 4, 5, -5):
        yield from ((lane, -along) for along in range(15, 31))
        yield from ((side * along, lane) for side in (-1, 1) for along in range(15, 31))
    for begin in range(CITY_RADIUS, 2 * _QUARTERS, SECTION):
        for width in (0, 1):
            road = range(begin, begin + SECTION)
            yield from ((width, -along) for along in road)
            yield from ((along, width - 2) for along in road)
            yield from ((width, along) for along in road)
            yield from ((-along, width - 2) for along in road)


def sections_of(cells: Sequence[tuple[int, int]]) -> list[Sequence[tuple[int, int]]]:
    """Parts of a street, each of them an hour's work."""
    return [cells[begin : begin + SECTION] for begin in range(0, len(cells), SECTION)]


STREETS: Final = tuple(_streets())
"""Cells that are to be paved, in order."""
SECTIONS: Final = sections_of(STREETS)


def way(begin: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """A road from one cell to another, with one turn."""
    (x, z) = begin
    (to_x, to_z) = end
    east = 1 if to_x > x else -1
    south = 1 if to_z > z else -1
    first = [(along, z) for along in range(x, to_x, east)]
    return first + [(to_x, along) for along in range(z, to_z, south)]
