"""Bots for Connect Four: random, greedy, and minimax with alpha-beta pruning.

Minimax deepens its search one ply at a time and counts positions, never time, so it plays the same
moves on any machine. A search that runs out of budget is discarded, and the move of the depth
before stands. A position at the search depth is worth ten points for every cell where a side could
complete four, and one point for every line through each of its discs, less the same for the other
side. Between moves of equal worth the one nearer the centre is played, and the left one of two that
are equally near.
"""

from typing import Final

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.arena.scenarios import connect_four as board
from thorp.arena.scenarios.connect_four import (
    centre_first,
    column_of,
    landings,
    read_rows,
    winning_cells,
)
from thorp.arena.scenarios.validation import integer_parameter
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded

DEPTH_LIMIT: Final = 42
NODES_LIMIT: Final = 100_000_000

# The value of an immediate win. Each ply before it costs one; no other value comes near.
_WON: Final = 10_000
_DECIDED: Final = _WON - DEPTH_LIMIT
_PER_CHANCE: Final = 10
_COLUMN_WEIGHTS: Final = (1, 2, 3, 4, 3, 2, 1)


def _cells_by_lines() -> tuple[tuple[int, int], ...]:
    """Pairs of a number n and the cells through which n lines of four run."""
    cells = [1 << bit for bit in range(board.FULL.bit_length()) if board.FULL >> bit & 1]
    counts = {cell: sum(1 for line in board.LINES if line & cell) for cell in cells}
    return tuple((n, sum(c for c in cells if counts[c] == n)) for n in sorted(set(counts.values())))


_CELLS_BY_LINES: Final = _cells_by_lines()


class _ColumnBot(SimpleAgent):
    """The base of all bots: reads the board from its own side, and makes a column an action."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        first, second = read_rows(observation["board"])
        own, other = (first, second) if observation["you"] == "x" else (second, first)
        return {"column": column_of(self.cell(own, other, ctx))}

    def cell(self, own: int, other: int, ctx: AgentContext) -> int:
        """The cell to play, one of those a disc can land in."""
        raise NotImplementedError


class RandomColumns(_ColumnBot):
    """Drops into any free column."""

    def cell(self, own: int, other: int, ctx: AgentContext) -> int:
        return _weighted_choice(landings(own | other), (1,) * len(_COLUMN_WEIGHTS), ctx)


class GreedyColumns(_ColumnBot):
    """Wins if it can, blocks if it must, else draws a column, the middle four times as often as the
    edge."""

    def cell(self, own: int, other: int, ctx: AgentContext) -> int:
        occupied = own | other
        free = landings(occupied)
        urgent = free & winning_cells(own, occupied) or free & winning_cells(other, occupied)
        return centre_first(urgent)[0] if urgent else _weighted_choice(free, _COLUMN_WEIGHTS, ctx)


class Minimax(_ColumnBot):
    """Searches `depth` plies ahead, or as deep as `nodes` positions allow. Uses no randomness."""

    def __init__(self, id: str, depth: int = 6, nodes: int = 20_000) -> None:
        super().__init__(id)
        self.depth = integer_parameter("depth", depth, 1, DEPTH_LIMIT)
        self.nodes = integer_parameter("nodes", nodes, 1, NODES_LIMIT)

    def cell(self, own: int, other: int, ctx: AgentContext) -> int:
        return best_cell(own, other, self.depth, self.nodes)


def best_cell(own: int, other: int, depth: int, nodes: int) -> int:
    """The best move for `own` that a search of this depth and budget finds. The board must not be
    full."""
    best = centre_first(landings(own | other))[0]
    search = _ColumnSearch(nodes)
    for plies in range(1, depth + 1):
        try:
            best, value = search.best(own, other, plies)
        except _OutOfBudget:
            break
        if abs(value) >= _DECIDED:
            break  # won or lost by force: a deeper search changes nothing
    return best


class _OutOfBudget(Exception):
    """The search has looked at as many positions as it may."""


class _ColumnSearch:
    """Alpha-beta search with one budget of positions for all depths."""

    def __init__(self, nodes: int) -> None:
        self._left = nodes

    def best(self, own: int, other: int, depth: int) -> tuple[int, int]:
        """Return the best cell at this depth, and its value."""
        occupied = own | other
        free = landings(occupied)
        wins = free & winning_cells(own, occupied)
        if wins:
            return centre_first(wins)[0], _WON
        best = 0
        alpha = -_WON - 1
        for cell in centre_first(free):
            value = -self._evaluate(other, own | cell, depth - 1, 1, alpha=-_WON, beta=-alpha)
            if value > alpha:
                best = cell
                alpha = value
        return best, alpha

    def _evaluate(
        self, own: int, other: int, depth: int, ply: int, *, alpha: int, beta: int
    ) -> int:
        """The value of a position for `own`, whose move it is: exact between alpha and beta, else a
        bound."""
        if not self._left:
            raise _OutOfBudget
        self._left -= 1
        occupied = own | other
        free = landings(occupied)
        if not free:
            return 0
        chances = winning_cells(own, occupied)
        if chances & free:
            return _WON - ply
        threats = winning_cells(other, occupied)
        forced = threats & free
        if forced & forced - 1:  # more than one bit is set
            return ply + 1 - _WON  # two threats, and only one move to block them
        if depth <= 0:
            more_chances = chances.bit_count() - threats.bit_count()
            return _count_lines(own) - _count_lines(other) + _PER_CHANCE * more_chances
        for cell in centre_first(forced or free):
            value = -self._evaluate(other, own | cell, depth - 1, ply + 1, alpha=-beta, beta=-alpha)
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return alpha


def _count_lines(discs: int) -> int:
    """How many lines of four run through each disc, added up."""
    return sum(lines * (discs & cells).bit_count() for lines, cells in _CELLS_BY_LINES)


def _weighted_choice(free: int, weights: tuple[int, ...], ctx: AgentContext) -> int:
    """Choose a free cell with one draw; the chance of each is the weight of its column."""
    cells = centre_first(free)
    drawn = int(bounded(ctx.rng(), 1, sum(weights[column_of(cell)] for cell in cells)))
    for cell in cells:
        drawn -= weights[column_of(cell)]
        if drawn <= 0:
            return cell
    raise AssertionError("a draw is never above the sum of the weights")
