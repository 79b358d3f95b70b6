"""Connect Four: the board against counted truths, the rules of turns and missed moves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.arena import AgentConfig, AgentContext, MatchConfig, MatchResult, run_match
from thorp.arena.scenarios import ConnectFour
from thorp.arena.scenarios.connect_four import (
    FULL,
    LINES,
    board_rows,
    centre_first,
    column_of,
    drop,
    has_four,
    landings,
    read_rows,
    winning_cells,
)
from thorp.kernel.errors import InvalidError

# Move sequences of length n from the empty board, where a win ends the line.
PERFT = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572, 268_031_646]
# Legal positions after n plies, won ones included: OEIS A212693.
POSITIONS = [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275, 558_186, 1_662_623]


def perft(own: int, other: int, depth: int) -> int:
    if depth == 0:
        return 1
    free = landings(own | other)
    if depth == 1:
        return free.bit_count()
    return sum(
        perft(other, own | cell, depth - 1)
        for cell in centre_first(free)
        if not has_four(own | cell)
    )


def positions_after(plies: int) -> int:
    layer = {(0, 0)}
    for _ in range(plies):
        layer = {
            (other, own | cell)
            for own, other in layer
            if not has_four(other)
            for cell in centre_first(landings(own | other))
        }
    return len(layer)


@pytest.mark.parametrize("depth", range(8))
def test_move_sequences_of_the_board(depth: int) -> None:
    assert perft(0, 0, depth) == PERFT[depth]


@pytest.mark.long
@pytest.mark.parametrize("depth", [8, 9, 10])
def test_longer_move_sequences_of_the_board(depth: int) -> None:
    assert perft(0, 0, depth) == PERFT[depth]


@pytest.mark.parametrize("plies", range(8))
def test_distinct_positions(plies: int) -> None:
    assert positions_after(plies) == POSITIONS[plies]


@pytest.mark.long
@pytest.mark.parametrize("plies", [8, 9, 10])
def test_more_distinct_positions(plies: int) -> None:
    assert positions_after(plies) == POSITIONS[plies]


def sequences(scenario: ConnectFour, state: Any, depth: int, seat: int = 0) -> int:
    """Perft by the rules as a match applies them."""
    if depth == 0:
        return 1
    if scenario.is_terminal(state):
        return 0
    count = 0
    for column in range(7):
        verdict = scenario.adjudicate(state, "xo"[seat], {"column": column})
        if verdict.valid:
            after = verdict.state if seat == 0 else scenario.end_turn(verdict.state)
            count += sequences(scenario, after, depth - 1, 1 - seat)
    return count


@pytest.mark.parametrize("depth", range(6))
def test_move_sequences_of_the_scenario(depth: int) -> None:
    scenario = ConnectFour()
    assert sequences(scenario, scenario.init(1, ["x", "o"]), depth) == PERFT[depth]


@pytest.mark.long
@pytest.mark.parametrize("depth", [6, 7, 8])
def test_longer_move_sequences_of_the_scenario(depth: int) -> None:
    scenario = ConnectFour()
    assert sequences(scenario, scenario.init(1, ["x", "o"]), depth) == PERFT[depth]


# A second board, with nothing clever about it: a list of columns, each a string from the bottom up.
def place(columns: list[str], column: int, mark: str) -> bool:
    if len(columns[column]) == 6:
        return False
    columns[column] += mark
    return True


def at(columns: list[str], column: int, row: int) -> str:
    return columns[column][row] if 0 <= column < 7 and 0 <= row < len(columns[column]) else "."


def plain_has_four(columns: list[str], mark: str) -> bool:
    return any(
        all(at(columns, c + n * dc, r + n * dr) == mark for n in range(4))
        for c in range(7)
        for r in range(6)
        for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from("xo")), max_size=42))
def test_the_bit_board_agrees_with_a_plain_one(moves: list[tuple[int, str]]) -> None:
    columns = [""] * 7
    sides = {"x": 0, "o": 0}
    for column, mark in moves:
        cell = drop(sides["x"] | sides["o"], column)
        assert bool(cell) == place(columns, column, mark)
        sides[mark] |= cell
    occupied = sides["x"] | sides["o"]
    rows = board_rows(sides["x"], sides["o"])
    assert rows == ["".join(at(columns, c, r) for c in range(7)) for r in range(5, -1, -1)]
    assert read_rows(rows) == (sides["x"], sides["o"])
    free = [column for column in range(7) if len(columns[column]) < 6]
    assert sorted(column_of(cell) for cell in centre_first(landings(occupied))) == free
    for mark in "xo":
        assert has_four(sides[mark]) == plain_has_four(columns, mark)
        assert has_four(sides[mark]) == any(line & sides[mark] == line for line in LINES)
        winning = sum(
            1 << bit
            for bit in range(49)
            if FULL >> bit & 1
            and not occupied >> bit & 1
            and any(line >> bit & 1 and (sides[mark] | 1 << bit) & line == line for line in LINES)
        )
        assert winning_cells(sides[mark], occupied) == winning


def test_there_are_69_lines() -> None:
    assert len(set(LINES)) == 69
    assert all(line.bit_count() == 4 for line in LINES)


class Script:
    """Drops into the columns given, one a turn; sends anything else as it is; raises exceptions."""

    def __init__(self, id: str, *steps: Any) -> None:
        self.id = id
        self.steps = steps

    def init(self, config: AgentConfig) -> None: ...

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        step = self.steps[min(ctx.turn, len(self.steps)) - 1]
        if isinstance(step, Exception):
            raise step
        return {"column": step} if type(step) is int else step


DOWN = RuntimeError("down")


def play(first: list[Any], second: list[Any], **parameters: int) -> MatchResult:
    agents = [Script("ann", *first), Script("bo", *second)]
    return run_match(ConnectFour(**parameters), agents, MatchConfig(1, 200))


def last_summary(result: MatchResult) -> dict[str, Any]:
    return [event for event in result.events if event["type"] == "StateUpdated"][-1]["summary"]


@pytest.mark.parametrize(
    ("first", "second", "moves"),
    [
        ([0, 1, 2, 3], [0, 1, 2], "0011223"),
        ([0, 0, 0, 0], [1, 1, 1], "0101010"),
        ([0, 1, 2, 2, 3, 3], [1, 2, 3, 3, 6], "01122323363"),
    ],
    ids=["row", "column", "diagonal"],
)
def test_four_in_a_row_wins_at_once(first: list[int], second: list[int], moves: str) -> None:
    result = play(first, second)
    assert (result.reason, result.scores) == ("completed", {"ann": 100, "bo": 0})
    summary = last_summary(result)
    assert (summary["result"], summary["winner"], summary["moves"]) == ("four", "ann", moves)


def test_the_second_seat_can_win() -> None:
    assert play([0, 1, 0, 1], [6, 6, 6, 6]).scores == {"ann": 0, "bo": 100}


def test_a_full_board_is_a_draw() -> None:
    # Columns filled in pairs, with the middle one upside down, so that no four line up.
    order = [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 2, 3, 2, 3, 3, 2, 3, 2, 2, 3, 2, 3]
    order += [4, 5, 4, 5, 5, 4, 5, 4, 4, 5, 4, 5, 6, 6, 6, 6, 6, 6]
    result = play(order[::2], order[1::2])
    summary = last_summary(result)
    assert (summary["result"], summary["winner"]) == ("full", None)
    assert "." not in "".join(summary["board"])
    assert (result.turns, result.scores) == (21, {"ann": 50, "bo": 50})


@pytest.mark.parametrize(
    "bad",
    [
        DOWN,
        None,
        7,
        -1,
        {"column": 1.5},
        {"column": True},
        {"column": "3"},
        {},
        [3],
        {"column": 1e300},
    ],
)
def test_a_seat_that_misses_three_moves_in_a_row_loses(bad: Any) -> None:
    result = play([bad], [0, 1, 2])
    summary = last_summary(result)
    assert (result.reason, result.turns, result.scores) == ("completed", 3, {"ann": 0, "bo": 100})
    assert (summary["result"], summary["winner"], summary["moves"]) == ("missed", "bo", "-0-1-2")
    assert summary["misses"] == {"ann": 3, "bo": 0}


def test_a_legal_move_forgives_the_misses_before_it() -> None:
    result = play([DOWN, None, 0, DOWN, 9, 0, 1, 2, 3], [6, 5, 6, 5, 6, 5, 5, 6, 4])
    assert last_summary(result)["result"] == "four"


def test_the_limit_of_missed_moves_is_a_parameter() -> None:
    assert play([DOWN], [0], max_misses=1).turns == 1


def test_if_both_miss_too_often_it_is_a_draw() -> None:
    result = play([DOWN], [None])
    assert (result.reason, result.turns, result.scores) == ("completed", 3, {"ann": 50, "bo": 50})
    assert last_summary(result)["result"] == "missed"


def test_a_full_column_is_no_move() -> None:
    result = play([0, 0, 0, 0, 0], [0, 0, 0, 0, 0])
    verdicts = [event for event in result.events if event["type"] == "ActionAdjudicated"]
    assert [verdict["valid"] for verdict in verdicts[:7]] == [True] * 6 + [False]
    assert verdicts[6]["feedback"] == {"error": "column 0 is full"}
    assert last_summary(result)["board"][-1] == "x......"


def test_a_four_beats_a_third_miss_of_the_same_turn() -> None:
    result = play([0, 9, 9, 9], [6, 6, 6, 6], max_misses=3)
    assert last_summary(result)["result"] == "four"
    assert result.scores == {"ann": 0, "bo": 100}


def test_the_turn_limit_leaves_both_without_points() -> None:
    agents = [Script("ann", 0), Script("bo", 1)]
    result = run_match(ConnectFour(), agents, MatchConfig(1, 2))
    assert (result.reason, result.scores) == ("maxTurnsReached", {"ann": 0, "bo": 0})


def test_what_a_seat_sees() -> None:
    scenario = ConnectFour()
    state = scenario.adjudicate(scenario.init(1, ["ann", "bo"]), "ann", {"column": 3}).state
    empty = "......."
    assert scenario.observe(state, "bo") == {
        "you": "o",
        "board": [empty, empty, empty, empty, empty, "...x..."],
        "opponentColumn": 3,
        "misses": 0,
        "maxMisses": 3,
    }
    state = scenario.end_turn(scenario.adjudicate(state, "bo", {"column": 0}).state)
    assert scenario.observe(state, "ann")["opponentColumn"] == 0
    missed = scenario.end_turn(state)
    assert scenario.observe(missed, "ann")["opponentColumn"] is None
    assert scenario.observe(missed, "bo")["misses"] == 1


def test_one_move_a_turn() -> None:
    scenario = ConnectFour()
    state = scenario.adjudicate(scenario.init(1, ["ann", "bo"]), "ann", {"column": 3}).state
    verdict = scenario.adjudicate(state, "ann", {"column": 3})
    assert (verdict.valid, verdict.state) == (False, state)


@pytest.mark.parametrize("max_misses", [0, -1, 101, 1.5, True, "3"])
def test_parameters_that_make_no_game_are_refused(max_misses: Any) -> None:
    with pytest.raises(InvalidError) as refusal:
        ConnectFour(max_misses=max_misses)
    assert refusal.value.code == "parameter"


@pytest.mark.parametrize("ids", [["a"], ["a", "b", "c"], ["a", "a"]], ids=str)
def test_it_is_for_two(ids: list[str]) -> None:
    with pytest.raises(InvalidError) as refusal:
        ConnectFour().init(1, ids)
    assert refusal.value.code == "seats"
