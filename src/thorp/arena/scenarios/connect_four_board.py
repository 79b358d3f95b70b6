"""The Connect Four board as two integers, one bit a cell.

Column c holds the bits 7c (bottom) to 7c + 5; bit 7c + 6 above each column is always empty. That empty row
is what makes the arithmetic work: a line that runs off the top of a column meets it and ends, and adding a
column's bottom bit to the occupied cells carries into the lowest free one.

    row 5    5 12 19 26 33 40 47        four directions, each one shift:
    ...                                 up 1, along a row 7, down to the right 6, up to the right 8
    row 0    0  7 14 21 28 35 42

Each side's discs are one integer. Who is to move is not part of the board: a seat may miss its move.
"""

from collections.abc import Sequence
from typing import Final

COLUMNS: Final = 7
ROWS: Final = 6
_HEIGHT: Final = ROWS + 1
_SHIFTS: Final = (1, _HEIGHT, _HEIGHT - 1, _HEIGHT + 1)
_BOTTOM: Final = tuple(1 << _HEIGHT * column for column in range(COLUMNS))
_COLUMN: Final = tuple(bottom * ((1 << ROWS) - 1) for bottom in _BOTTOM)
_CENTRE_FIRST: Final = tuple(_COLUMN[column] for column in (3, 2, 4, 1, 5, 0, 6))
_BOTTOM_ROW: Final = sum(_BOTTOM)
FULL: Final = sum(_COLUMN)  # Every cell taken.


def _lines() -> tuple[int, ...]:
    fours = (
        cell * (1 + (1 << shift) + (1 << 2 * shift) + (1 << 3 * shift))
        for cell in (1 << bit for bit in range(_HEIGHT * COLUMNS))
        for shift in _SHIFTS
    )
    return tuple(four for four in fours if four & FULL == four)


LINES: Final = _lines()  # The 69 ways to have four in a row.


def drop(occupied: int, column: int) -> int:
    """Return the cell where a disc dropped into the column lands, as one bit; 0 if the column is full."""
    return occupied + _BOTTOM[column] & _COLUMN[column] & ~occupied


def landings(occupied: int) -> int:
    """Return the cells of all possible moves."""
    return occupied + _BOTTOM_ROW & FULL


def centre_first(cells: int) -> list[int]:
    """List cells of different columns, nearest to the centre first, left before right."""
    return [cell for column in _CENTRE_FIRST if (cell := cells & column)]


def column_of(cell: int) -> int:
    return (cell.bit_length() - 1) // _HEIGHT


def has_four(discs: int) -> bool:
    """Whether one side's discs hold four in a row."""
    for shift in _SHIFTS:
        pairs = discs & discs >> shift
        if pairs & pairs >> 2 * shift:
            return True
    return False


def winning_cells(discs: int, occupied: int) -> int:
    """Return the empty cells, playable now or not, where one more disc of this side makes four."""
    cells = 0
    for shift in _SHIFTS:
        above, below = discs << shift, discs >> shift
        two_above, two_below = above & above << shift, below & below >> shift
        cells |= two_above & (discs << 3 * shift | below) | two_below & (discs >> 3 * shift | above)
    return cells & FULL & ~occupied


def board_rows(first: int, second: int) -> list[str]:
    """The board as six strings, top row first: `x` for the first seat, `o` for the second, `.` for empty."""
    rows = []
    for row in range(ROWS - 1, -1, -1):
        cells = (1 << _HEIGHT * column + row for column in range(COLUMNS))
        rows.append("".join("x" if first & cell else "o" if second & cell else "." for cell in cells))
    return rows


def read_rows(rows: Sequence[str]) -> tuple[int, int]:
    """The two sides' discs from the six strings `board_rows` writes."""
    sides = {"x": 0, "o": 0}
    for row, text in enumerate(reversed(rows)):
        for column, mark in enumerate(text):
            if mark in sides:
                sides[mark] |= 1 << _HEIGHT * column + row
    return sides["x"], sides["o"]
