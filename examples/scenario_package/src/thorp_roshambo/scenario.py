"""Rock, paper, scissors: both show a hand at the same time; a round won is a point.

An action is `{"hand": "rock"}`, or "paper" or "scissors". A seat that shows no hand loses the round
to any hand. The state is a value that is never changed, only replaced, so that nothing can leak out
of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from thorp.arena import Adjudication
from thorp.kernel.errors import InvalidError

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}


@dataclass(frozen=True)
class State:
    """By seat: the points, the hands of finished rounds (None for no hand), the hidden hands of
    this one."""

    ids: tuple[str, ...]
    points: tuple[int, int] = (0, 0)
    shown: tuple[tuple[str | None, str | None], ...] = ()
    hidden: tuple[str | None, str | None] = (None, None)


class Roshambo:
    """The scenario; `rounds` rounds."""

    name = "roshambo"
    seats = (2, 2)

    def __init__(self, rounds: int = 20) -> None:
        if type(rounds) is not int or not 1 <= rounds <= 1000:
            raise InvalidError("rounds must be a whole number from 1 to 1000", code="parameter")
        self.rounds = rounds

    def init(self, seed: int, agent_ids: Sequence[str]) -> State:
        if len(set(agent_ids)) != 2 or len(agent_ids) != 2:
            raise InvalidError("roshambo is for two seats with different ids", code="seats")
        return State(tuple(agent_ids))

    def observe(self, state: State, agent_id: str) -> Any:
        seat = state.ids.index(agent_id)
        return {
            "round": len(state.shown) + 1,
            "rounds": self.rounds,
            "points": state.points[seat],
            "opponentPoints": state.points[1 - seat],
            "opponentHands": [hands[1 - seat] for hands in state.shown],
        }

    def adjudicate(self, state: State, agent_id: str, action: Any) -> Adjudication:
        hand = action.get("hand") if isinstance(action, dict) else None
        if not isinstance(hand, str) or hand not in BEATS:
            return Adjudication(False, {"error": "hand must be rock, paper or scissors"}, state)
        first, second = state.hidden
        hidden = (hand, second) if agent_id == state.ids[0] else (first, hand)
        return Adjudication(True, {"hidden": True}, replace(state, hidden=hidden))

    def end_turn(self, state: State) -> State:
        """Show the hands. Runs even when a seat has failed."""
        first, second = state.hidden
        points = (state.points[0] + beats(first, second), state.points[1] + beats(second, first))
        return State(state.ids, points, (*state.shown, state.hidden))

    def is_terminal(self, state: State) -> bool:
        return len(state.shown) >= self.rounds

    def score(self, state: State) -> dict[str, float]:
        return dict(zip(state.ids, state.points, strict=True))

    def summarize(self, state: State) -> Any:
        last = state.shown[-1] if state.shown else (None, None)
        return {"round": len(state.shown), "hands": dict(zip(state.ids, last, strict=True))}


def beats(hand: str | None, other: str | None) -> bool:
    """Whether a hand wins against another; any hand wins against none."""
    return hand is not None and (other is None or BEATS[hand] == other)
