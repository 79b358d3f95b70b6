"""Connect Four bots: what they find, what they cost, who beats whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from thorp.arena import Agent, AgentContext, MatchConfig, run_match
from thorp.arena.agents import GreedyColumns, Minimax, RandomColumns
from thorp.arena.agents.connect_four import best_cell
from thorp.arena.scenarios import ConnectFour
from thorp.arena.scenarios.connect_four import (
    LINES,
    centre_first,
    drop,
    has_four,
    landings,
    winning_cells,
)
from thorp.kernel.errors import InvalidError
from thorp.kernel.rng import Mulberry32

EMPTY = "......."


def column(bot: Agent, rows: list[str], you: str = "x", draw: float = 0.0) -> int:
    """The column a bot plays on a board given by its lower rows."""
    board = [EMPTY] * (6 - len(rows)) + rows
    view = {"you": you, "board": board, "opponentColumn": None, "misses": 0, "maxMisses": 3}
    action: Any = bot.act(view, AgentContext(lambda: draw, 1, bot.id))
    return int(action["column"])


WINS = {
    "row": (["ooo....", "xxx.o.."], 3),
    "gap in a row": (["oo.o...", "xx.xo.."], 2),
    "column": (["x......", "xo.....", "xo....."], 0),
    "rising diagonal": (["..xo...", ".xoo...", "xoox..."], 3),
    "falling diagonal": (["x......", "ox.....", "oox....", "xoo.x.."], 3),
    "own win before a block": (["x.....o", "x.....o", "x.....o"], 0),
}


@pytest.mark.parametrize("bot", [GreedyColumns, Minimax, lambda id: Minimax(id, depth=1, nodes=1)])
@pytest.mark.parametrize(("rows", "expected"), WINS.values(), ids=WINS)
def test_a_win_is_taken(bot: Callable[[str], Agent], rows: list[str], expected: int) -> None:
    assert column(bot("a"), rows) == expected


@pytest.mark.parametrize("bot", [GreedyColumns, Minimax, lambda id: Minimax(id, depth=1)])
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["o......", "o.x....", "o.x...."], 0),
        (["xx.....", "xooo..."], 4),
        (["...x...", "oo.ox.x"], 2),
    ],
    ids=str,
)
def test_a_threat_is_blocked(bot: Callable[[str], Agent], rows: list[str], expected: int) -> None:
    assert column(bot("a"), rows) == expected


def test_a_forced_win_is_found_three_plies_ahead() -> None:
    # An open three has two ends, and the other side only one move.
    rows = ["..oo...", "..xx..."]
    assert column(Minimax("a", depth=3), rows) in (1, 4)
    assert column(Minimax("a"), rows) in (1, 4)


def test_a_forced_loss_is_prevented() -> None:
    assert column(Minimax("a"), ["..xx...", "..oo..."], you="x") in (1, 4)


@pytest.mark.parametrize("depth", range(1, 7))
def test_the_cell_below_a_threat_is_left_alone(depth: int) -> None:
    # A disc in column 4 would let the other side complete the second row on top of it.
    rows = ["xooo...", "oxxo..."]
    assert column(Minimax("a", depth=depth), rows) != 4


def test_the_first_move_is_the_centre() -> None:
    assert column(Minimax("a"), []) == 3


def test_equal_moves_go_to_the_centre_and_then_to_the_left() -> None:
    # Left of the three or right of it: both win.
    assert column(GreedyColumns("a"), ["..xxx.."]) == 1
    for bot in (GreedyColumns("a"), Minimax("a")):
        assert column(bot, ["..x.x..", "..x.x..", "..x.x.."]) == 2
    assert column(Minimax("a"), ["..xxx.."]) == 1
    assert column(Minimax("a"), [".xxx..."]) == 4


@pytest.mark.parametrize(("draw", "expected"), [(0.0, 3), (0.9999, 6)])
def test_random_and_greedy_draw_among_free_columns(draw: float, expected: int) -> None:
    assert column(RandomColumns("a"), [], draw=draw) == expected
    assert column(GreedyColumns("a"), [], draw=draw) == expected
    only_left = ["." + "xo" * 3] * 3 + ["." + "ox" * 3] * 3
    assert column(RandomColumns("a"), only_left, draw=draw) == 0


def test_greedy_prefers_the_centre() -> None:
    draws = [n / 1600 for n in range(1600)]
    counts = [0] * 7
    for draw in draws:
        counts[column(GreedyColumns("a"), [], draw=draw)] += 1
    assert counts == [100, 200, 300, 400, 300, 200, 100]


def unpruned(own: int, other: int, reach: int, ply: int) -> int:
    """What a position is worth by the words of the module, every line looked at."""
    occupied = own | other
    free = landings(occupied)
    if not free:
        return 0
    if winning_cells(own, occupied) & free:
        return 10_000 - ply
    threats = winning_cells(other, occupied)
    if (threats & free).bit_count() > 1:
        return ply + 1 - 10_000
    if reach <= 0:
        chances = 10 * (winning_cells(own, occupied).bit_count() - threats.bit_count())
        return chances + sum(
            (line & own).bit_count() - (line & other).bit_count() for line in LINES
        )
    moves = centre_first(threats & free or free)
    return max(-unpruned(other, own | cell, reach - 1, ply + 1) for cell in moves)


def first_best(own: int, other: int, depth: int) -> int:
    for reach in range(1, depth + 1):
        cells = centre_first(landings(own | other))
        worth = [
            10_000 if has_four(own | cell) else -unpruned(other, own | cell, reach - 1, 1)
            for cell in cells
        ]
        best = cells[worth.index(max(worth))]
        if abs(max(worth)) > 9_000:
            break
    return best


def positions(matches: int) -> list[tuple[int, int]]:
    """Positions of games between greedy bots, which are full of threats."""
    found = []
    for seed in range(matches):
        stream = Mulberry32(seed)
        own = other = 0
        while landings(own | other) and not has_four(other):
            found.append((own, other))
            cell = GreedyColumns("a").cell(own, other, AgentContext(stream.random, 1, "a"))
            own, other = other, own | cell
    return found


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_pruning_changes_no_move(depth: int) -> None:
    for own, other in positions(12):
        assert best_cell(own, other, depth, 10**6) == first_best(own, other, depth), (own, other)


def test_the_budget_is_a_number_of_positions() -> None:
    # What a budget cuts off is the deepest search: with little of it, the move is that of a lesser
    # depth.
    own, other = 0, 0
    for choice in (3, 3, 2, 4, 4, 2):
        own, other = other, own | drop(own | other, choice)
    by_depth = {depth: best_cell(own, other, depth, 10**6) for depth in range(1, 7)}
    by_budget = {nodes: best_cell(own, other, 6, nodes) for nodes in (1, 7, 10, 100, 1_000, 10_000)}
    assert set(by_budget.values()) <= {centre_first(landings(own | other))[0], *by_depth.values()}
    assert by_budget[10_000] == by_depth[6]
    assert by_budget[7] == by_depth[1]


@pytest.mark.parametrize(
    "parameters", [{"depth": 0}, {"depth": 43}, {"nodes": 0}, {"depth": 1.5}], ids=str
)
def test_a_search_that_cannot_be_is_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(InvalidError) as refusal:
        Minimax("a", **parameters)
    assert refusal.value.code == "parameter"


def wins(strong: Callable[[str], Agent], weak: Callable[[str], Agent], matches: int) -> int:
    """How many of the matches the first of the two wins, sitting in either seat in turn."""
    won = 0
    for seed in range(matches):
        agents = [strong("s"), weak("w")]
        result = run_match(ConnectFour(), agents[:: 1 - 2 * (seed % 2)], MatchConfig(seed, 100))
        assert result.reason == "completed"
        won += result.scores["s"] == 100
    return won


def test_greedy_beats_random() -> None:
    assert wins(GreedyColumns, RandomColumns, 60) >= 45


def test_minimax_beats_random_nearly_always() -> None:
    assert wins(lambda id: Minimax(id, depth=4), RandomColumns, 60) >= 59


def test_minimax_beats_greedy() -> None:
    assert wins(lambda id: Minimax(id, depth=4), GreedyColumns, 60) >= 54


def test_minimax_as_it_comes_beats_both() -> None:
    assert wins(Minimax, RandomColumns, 4) == 4
    assert wins(Minimax, GreedyColumns, 4) == 4


def test_a_small_budget_still_plays_whole_games() -> None:
    for nodes in (1, 10, 50):
        agents = [Minimax("a", nodes=nodes), Minimax("b", nodes=nodes)]
        result = run_match(ConnectFour(), agents, MatchConfig(1, 100))
        assert result.reason == "completed"
        assert '"valid":false' not in result.jsonl.decode()
