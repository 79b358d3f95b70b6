"""The iterated prisoner's dilemma: two seats, each round both cooperate or defect without seeing
the other.

`docs/scenarios.md` has the rules. A match turn is a round. Its moves stay hidden until both are
in; `end_turn` then resolves it. Two conditions on the payoffs keep it a dilemma: without the
second, taking turns at defecting would beat cooperating. The scenario draws nothing from its seed.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from thorp.arena.contract import Adjudication
from thorp.arena.scenarios.validation import (
    Seats,
    choice_field,
    integer_parameter,
    refused,
    take_seats,
)
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError

COOPERATE: Final = "C"
DEFECT: Final = "D"
MOVES: Final = {"cooperate": COOPERATE, "defect": DEFECT}
"""Moves by their words in actions; histories are strings of the letters."""

ROUNDS_LIMIT: Final = 1000
"""The most rounds. Every observation carries both histories, so a log grows with the square of
them."""

_PAYOFF_LIMIT: Final = 1_000_000
_WORDS: Final = {letter: word for word, letter in MOVES.items()}
_NO_MOVE: Final = 'move must be "cooperate" or "defect"'


class _DilemmaState(msgspec.Struct, frozen=True):
    """Pairs are by seat: the moves of resolved rounds, the points, and the sealed moves of this
    round."""

    ids: tuple[str, ...]
    moves: tuple[str, str] = ("", "")
    scores: tuple[int, int] = (0, 0)
    sealed: tuple[str | None, str | None] = (None, None)
    silent: tuple[str, ...] = ()


class Dilemma:
    """The scenario: `rounds` rounds, and the four payoffs."""

    name = "dilemma"
    briefing = (
        "The iterated prisoner's dilemma. Each round you and the other seat choose at the same "
        "time; your score is the sum of your points over all rounds. "
        'Answer {"move": "cooperate"} or {"move": "defect"}.'
    )
    seats: Seats = (2, 2)

    def __init__(
        self,
        rounds: int = 200,
        temptation: int = 5,
        reward: int = 3,
        punishment: int = 1,
        sucker: int = 0,
    ) -> None:
        self.rounds = integer_parameter("rounds", rounds, 1, ROUNDS_LIMIT)
        given = {
            "temptation": temptation,
            "reward": reward,
            "punishment": punishment,
            "sucker": sucker,
        }
        self.payoffs = {
            name: integer_parameter(name, value, -_PAYOFF_LIMIT, _PAYOFF_LIMIT)
            for name, value in given.items()
        }
        temptation, reward, punishment, sucker = self.payoffs.values()
        if not temptation > reward > punishment > sucker:
            raise InvalidError(
                "payoffs need temptation > reward > punishment > sucker", code="parameter"
            )
        if 2 * reward <= temptation + sucker:
            raise InvalidError("payoffs need 2 reward > temptation + sucker", code="parameter")
        self._points = {"CC": reward, "CD": sucker, "DC": temptation, "DD": punishment}

    def init(self, seed: int, agent_ids: Sequence[str]) -> _DilemmaState:
        return _DilemmaState(ids=take_seats(self.name, agent_ids, self.seats))

    def observe(self, state: _DilemmaState, agent_id: str) -> Json:
        seat = state.ids.index(agent_id)
        return {
            "round": len(state.moves[0]) + 1,
            "rounds": self.rounds,
            "you": _view(state, seat),
            "opponent": _view(state, 1 - seat),
            "payoffs": self.payoffs,
        }

    def parameters_from(self, observation: Json) -> dict[str, Json]:
        return {"rounds": observation["rounds"], **observation["payoffs"]}

    def adjudicate(self, state: _DilemmaState, agent_id: str, action: Json) -> Adjudication:
        seat = state.ids.index(agent_id)
        if state.sealed[seat] is not None or self.is_terminal(state):
            return refused(state, "you have moved this round, or the match is over")
        move = choice_field(action, "move", MOVES)
        if move is None:
            return refused(state, _NO_MOVE)
        sealed = (move, state.sealed[1]) if seat == 0 else (state.sealed[0], move)
        return Adjudication(True, {"sealed": True}, msgspec.structs.replace(state, sealed=sealed))

    def end_turn(self, state: _DilemmaState) -> _DilemmaState:
        """Resolve the round. A seat without a move cooperates."""
        if self.is_terminal(state):
            return state
        first, second = (move or COOPERATE for move in state.sealed)
        points = self._points
        return msgspec.structs.replace(
            state,
            moves=(state.moves[0] + first, state.moves[1] + second),
            scores=(
                state.scores[0] + points[first + second],
                state.scores[1] + points[second + first],
            ),
            sealed=(None, None),
            silent=tuple(state.ids[seat] for seat, move in enumerate(state.sealed) if move is None),
        )

    def is_terminal(self, state: _DilemmaState) -> bool:
        return len(state.moves[0]) >= self.rounds

    def score(self, state: _DilemmaState) -> dict[str, float]:
        return dict(zip(state.ids, state.scores, strict=True))

    def summarize(self, state: _DilemmaState) -> Json:
        return {
            "round": len(state.moves[0]),
            "moves": {
                agent_id: _last(moves)
                for agent_id, moves in zip(state.ids, state.moves, strict=True)
            },
            "silent": state.silent,
            "scores": dict(zip(state.ids, state.scores, strict=True)),
        }


def _view(state: _DilemmaState, seat: int) -> Json:
    moves = state.moves[seat]
    score = state.scores[seat]
    return {"last": _last(moves), "defections": moves.count(DEFECT), "moves": moves, "score": score}


def _last(moves: str) -> str | None:
    return _WORDS[moves[-1]] if moves else None
