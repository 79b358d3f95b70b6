"""Connect Four: drop discs into seven columns of six cells; four in a row wins.

`docs/scenarios.md` has the rules. A match turn is a pair of moves. Missed moves are counted when
the turn ends, so every game ends: in any `max_misses` turns each seat drops a disc or loses, which
fills the board in 21 `max_misses` turns. The scenario draws nothing from its seed.

The board is two integers, one bit a cell, one for each side's discs. Column c holds the bits 7c
(bottom) to 7c + 5; bit 7c + 6 above each column is always empty. That empty row is what makes the
arithmetic work: a line that runs off the top of a column meets it and ends, and adding a column's
bottom bit to the occupied cells carries into the lowest free one.

    row 5    5 12 19 26 33 40 47        four directions, each one shift:
    ...                                 up 1, along a row 7, down to the right 6, up to the right 8
    row 0    0  7 14 21 28 35 42

Who is to move is not part of the board: a seat may miss its move.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from thorp.arena.contract import Adjudication
from thorp.arena.scenarios.validation import (
    Seats,
    integer_field,
    integer_parameter,
    refused,
    take_seats,
)
from thorp.kernel.canonical import Json

COLUMNS: Final = 7
ROWS: Final = 6
_HEIGHT: Final = ROWS + 1
_SHIFTS: Final = (1, _HEIGHT, _HEIGHT - 1, _HEIGHT + 1)
_BOTTOM: Final = tuple(1 << _HEIGHT * column for column in range(COLUMNS))
_COLUMN: Final = tuple(bottom * ((1 << ROWS) - 1) for bottom in _BOTTOM)
_CENTRE_FIRST: Final = tuple(_COLUMN[column] for column in (3, 2, 4, 1, 5, 0, 6))
_BOTTOM_ROW: Final = sum(_BOTTOM)
FULL: Final = sum(_COLUMN)  # Every cell taken.

WIN: Final = 100
DRAW: Final = 50

_MARKS: Final = "xo"
_MISS: Final = "-"
_NO_COLUMN: Final = f"column must be a whole number from 0 to {COLUMNS - 1}"
_MISSES_LIMIT: Final = 100


def _lines() -> tuple[int, ...]:
    """All lines of four cells that lie on the board."""
    fours = (
        cell * (1 + (1 << shift) + (1 << 2 * shift) + (1 << 3 * shift))
        for cell in (1 << bit for bit in range(_HEIGHT * COLUMNS))
        for shift in _SHIFTS
    )
    return tuple(four for four in fours if four & FULL == four)


LINES: Final = _lines()  # The 69 ways to have four in a row.


def drop(occupied: int, column: int) -> int:
    """Return the cell where a disc dropped into the column lands, as one bit; 0 if the column is
    full."""
    return occupied + _BOTTOM[column] & _COLUMN[column] & ~occupied


def landings(occupied: int) -> int:
    """Return the cells of all possible moves."""
    return occupied + _BOTTOM_ROW & FULL


def centre_first(cells: int) -> list[int]:
    """List cells of different columns, nearest to the centre first, left before right."""
    return [cell for column in _CENTRE_FIRST if (cell := cells & column)]


def column_of(cell: int) -> int:
    """The column of a cell, given as the one bit that is set."""
    return (cell.bit_length() - 1) // _HEIGHT


def has_four(discs: int) -> bool:
    """Whether one side's discs hold four in a row."""
    for shift in _SHIFTS:
        # Cells with a disc and a neighbour; two such pairs in a row are four discs.
        pairs = discs & discs >> shift
        if pairs & pairs >> 2 * shift:
            return True
    return False


def winning_cells(discs: int, occupied: int) -> int:
    """Return the empty cells, playable now or not, where one more disc of this side makes four."""
    cells = 0
    for shift in _SHIFTS:
        # An empty cell completes four if the other three are three to one side of it, or two to one
        # side and one to the other.
        above = discs << shift
        below = discs >> shift
        two_above = above & above << shift
        two_below = below & below >> shift
        cells |= two_above & (discs << 3 * shift | below) | two_below & (discs >> 3 * shift | above)
    return cells & FULL & ~occupied


def board_rows(first: int, second: int) -> list[str]:
    """The board as six strings, top row first: `x` for the first seat, `o` for the second, `.` for
    empty."""
    rows = []
    for row in range(ROWS - 1, -1, -1):
        cells = (1 << _HEIGHT * column + row for column in range(COLUMNS))
        rows.append(
            "".join("x" if first & cell else "o" if second & cell else "." for cell in cells)
        )
    return rows


def read_rows(rows: Sequence[str]) -> tuple[int, int]:
    """The two sides' discs from the six strings `board_rows` writes."""
    sides = {"x": 0, "o": 0}
    for row, text in enumerate(reversed(rows)):
        for column, mark in enumerate(text):
            if mark in sides:
                sides[mark] |= 1 << _HEIGHT * column + row
    return sides["x"], sides["o"]


# The scenario


Result: TypeAlias = Literal["playing", "four", "full", "missed"]
"""The state of a game: going on, or over by four in a row, a full board, or too many missed
moves."""


class _ConnectFourState(msgspec.Struct, frozen=True):
    """Pairs are by seat. `columns` is this turn's moves, `reply` the second seat's move of the turn
    before. `moves` is the game in columns, first seat first, `-` for a missed move."""

    ids: tuple[str, ...]
    discs: tuple[int, int] = (0, 0)
    columns: tuple[int | None, int | None] = (None, None)
    misses: tuple[int, int] = (0, 0)
    reply: int | None = None
    moves: str = ""
    result: Result = "playing"
    winner: int | None = None


class ConnectFour:
    """The scenario: a seat that misses `max_misses` moves in a row loses the game."""

    name = "connect-four"
    briefing = (
        "Connect Four on seven columns of six cells: drop a disc into a column; four in a row, in "
        'any direction, wins. Answer {"column": C}, with C from 0 (left) to 6.'
    )
    seats: Seats = (2, 2)

    def __init__(self, max_misses: int = 3) -> None:
        self.max_misses = integer_parameter("max_misses", max_misses, 1, _MISSES_LIMIT)

    def init(self, seed: int, agent_ids: Sequence[str]) -> _ConnectFourState:
        return _ConnectFourState(ids=take_seats(self.name, agent_ids, self.seats))

    def observe(self, state: _ConnectFourState, agent_id: str) -> Json:
        seat = state.ids.index(agent_id)
        return {
            "you": _MARKS[seat],
            "board": board_rows(*state.discs),
            "opponentColumn": state.columns[0] if seat == 1 else state.reply,
            "misses": state.misses[seat],
            "maxMisses": self.max_misses,
        }

    def parameters_from(self, observation: Json) -> dict[str, Json]:
        return {"max_misses": observation["maxMisses"]}

    def adjudicate(self, state: _ConnectFourState, agent_id: str, action: Json) -> Adjudication:
        seat = state.ids.index(agent_id)
        if state.result != "playing" or state.columns[seat] is not None:
            return refused(state, "you have moved this turn, or the game is over")
        column = integer_field(action, "column")
        if column is None or not 0 <= column < COLUMNS:
            return refused(state, _NO_COLUMN)
        cell = drop(state.discs[0] | state.discs[1], column)
        if not cell:
            return refused(state, f"column {column} is full")
        moved = _moved(state, seat, column, cell)
        return Adjudication(True, {"result": moved.result}, moved)

    def end_turn(self, state: _ConnectFourState) -> _ConnectFourState:
        """Count the misses, close the turn, and end the game if a seat has missed too often."""
        if state.result != "playing":
            return state
        misses = tuple(
            0 if column is not None else missed + 1
            for column, missed in zip(state.columns, state.misses, strict=True)
        )
        out = [missed >= self.max_misses for missed in misses]
        return msgspec.structs.replace(
            state,
            columns=(None, None),
            misses=misses,
            reply=state.columns[1],
            moves=state.moves + _turn_text(state),
            result="missed" if any(out) else "playing",
            winner=None if all(out) or not any(out) else out.index(False),
        )

    def is_terminal(self, state: _ConnectFourState) -> bool:
        return state.result != "playing"

    def score(self, state: _ConnectFourState) -> dict[str, float]:
        if state.winner is not None:
            return {
                agent_id: WIN if seat == state.winner else 0
                for seat, agent_id in enumerate(state.ids)
            }
        return dict.fromkeys(state.ids, 0 if state.result == "playing" else DRAW)

    def summarize(self, state: _ConnectFourState) -> Json:
        return {
            "result": state.result,
            "winner": None if state.winner is None else state.ids[state.winner],
            "board": board_rows(*state.discs),
            "moves": state.moves,
            "misses": dict(zip(state.ids, state.misses, strict=True)),
        }


def _moved(state: _ConnectFourState, seat: int, column: int, cell: int) -> _ConnectFourState:
    """The state after a legal move: the disc is on the board, and perhaps the game is over."""
    first, second = state.discs
    discs = (first | cell, second) if seat == 0 else (first, second | cell)
    columns = (column, state.columns[1]) if seat == 0 else (state.columns[0], column)
    four = has_four(discs[seat])
    moved = msgspec.structs.replace(state, discs=discs, columns=columns)
    if not four and discs[0] | discs[1] != FULL:
        return moved
    return msgspec.structs.replace(
        moved,
        # end_turn does nothing after the game has ended, so this turn's moves are recorded here.
        moves=state.moves + _turn_text(moved).rstrip(_MISS),
        result="four" if four else "full",
        winner=seat if four else None,
    )


def _turn_text(state: _ConnectFourState) -> str:
    """The moves of this turn, as the game's `moves` has them."""
    return "".join(_MISS if column is None else str(column) for column in state.columns)
