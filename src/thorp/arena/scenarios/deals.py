"""What games of several deals share: two seats play `deals` deals one after the other, and take
turns in leading.

A game of this kind is a `Position` for one deal, and a subclass of `DealtGame` that draws the deals
and reads actions. Within a deal the two *places* are 0, which moves first, and 1. In deal n (from
0) seat 0 has place n mod 2, so each seat leads every other deal.

Only the seat that is to move is asked. One that fails or sends no legal move has missed it: when
the turn ends, the game makes its default move for it, so every match comes to an end. All deals are
drawn before the first move, and a seat sees of a finished deal what the rules let it see.

Nothing here shows an agent's id: seats are numbers, so no seat learns from a name whom it plays.
"""

from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgspec

from thorp.arena.contract import Adjudication
from thorp.arena.scenarios.validation import Seats, integer_parameter, refused, take_seats
from thorp.arena.sealed import SealedDraws, open_draws
from thorp.kernel.canonical import Json

# A match is a sample of deals; more of them are better played as more matches.
DEALS_LIMIT: Final = 1000


class Position(Protocol):
    """One deal in progress: a value, replaced with each move."""

    @property
    def mover(self) -> int | None:
        """The place that is to move, or None when the deal is over."""

    def view(self, place: int) -> dict[str, Json]:
        """All that this place knows of the deal, and nothing that it does not."""

    def closed_view(self, place: int) -> dict[str, Json]:
        """What this place may look back at when the deal is over."""

    def table(self) -> dict[str, Json]:
        """Everything, hidden things included, for the log."""

    def returns(self) -> tuple[int, int]:
        """What each place has won; asked when the deal is over."""

    def after_default(self) -> "Position":
        """The position after the move that is made for a place that missed its own."""


class DealsState(msgspec.Struct, frozen=True):
    """Tuples are by seat. `position` is deal `number`, from 0; when all are over it is the last.
    `moved` is the seat that moved last in this turn, `missed` counts moves that were made for a
    seat, and `results` are the gains of the finished deals."""

    ids: tuple[str, ...]
    deals: tuple[Any, ...]
    position: Any
    number: int = 0
    points: tuple[int, int] = (0, 0)
    results: tuple[tuple[int, int], ...] = ()
    missed: tuple[int, int] = (0, 0)
    moved: int | None = None


def place_of(seat: int, deal: int) -> int:
    """The place of a seat in a deal, and just so the seat that has a place."""
    return seat ^ (deal & 1)


class DealtGame:
    """The base of these games. A subclass has a name, a briefing and its rules of one deal."""

    name: str
    briefing: str
    seats: Seats = (2, 2)
    sealed = True
    rules = 1

    def __init__(self, deals: int) -> None:
        self.deals = integer_parameter("deals", deals, 1, DEALS_LIMIT)

    # What a game brings.

    def draw(self, draws: SealedDraws, deal: int) -> Any:
        """The first position of a deal, all hidden things drawn."""
        raise NotImplementedError

    def read(self, position: Any, action: Json) -> Any:
        """The position after an action, or a text that says why it is not a legal move."""
        raise NotImplementedError

    def shown_parameters(self) -> dict[str, Json]:
        """The parameters as every observation shows them."""
        return {"deals": self.deals}

    def parameters_from(self, observation: Json) -> dict[str, Json]:
        return {"deals": observation["deals"]}

    # The match.

    def init(self, seed: int, agent_ids: Sequence[str]) -> DealsState:
        return self.init_sealed(seed, agent_ids, open_draws(seed))

    def init_sealed(self, seed: int, agent_ids: Sequence[str], draws: SealedDraws) -> DealsState:
        ids = take_seats(self.name, agent_ids, self.seats)
        return self.begin(ids, tuple(self.draw(draws, deal) for deal in range(self.deals)))

    def begin(self, ids: Sequence[str], deals: tuple[Any, ...]) -> DealsState:
        """A match of these deals."""
        return DealsState(ids=tuple(ids), deals=deals, position=deals[0])

    def to_act(self, state: DealsState) -> tuple[str, ...]:
        mover = _seat_to_move(state)
        return () if mover is None else (state.ids[mover],)

    def observe(self, state: DealsState, agent_id: str) -> Json:
        seat = state.ids.index(agent_id)
        place = place_of(seat, state.number)
        view: dict[str, Json] = {
            **self.shown_parameters(),
            "deal": state.number + 1,
            "place": place,
            "toMove": _seat_to_move(state) == seat,
            **state.position.view(place),
            "points": state.points[seat],
            "results": [gains[seat] for gains in state.results],
            "last": None,
        }
        # The position of the last deal stays when all are over, and is seen as a closed one, too.
        before = len(state.results) - 1
        if before >= 0:
            finished = state.position if before == state.number else state.deals[before]
            view["last"] = finished.closed_view(place_of(seat, before))
        return view

    def adjudicate(self, state: DealsState, agent_id: str, action: Json) -> Adjudication:
        seat = state.ids.index(agent_id)
        if _seat_to_move(state) != seat:
            return refused(state, "it is not your move, or the match is over")
        after = self.read(state.position, action)
        if isinstance(after, str):
            return refused(state, after)
        moved = _advanced(state, after, seat)
        closed = len(moved.results) > len(state.results)
        feedback = {"gain": moved.results[-1][seat]} if closed else {"moved": True}
        return Adjudication(True, feedback, moved)

    def end_turn(self, state: DealsState) -> DealsState:
        """Make the default move for a seat that was asked in this turn and did not move."""
        mover = _seat_to_move(state)
        # Seats are asked in order, so one that comes before the last that moved was not asked.
        if mover is not None and (state.moved is None or mover > state.moved):
            missed = (
                state.missed[0] + (mover == 0),
                state.missed[1] + (mover == 1),
            )
            state = msgspec.structs.replace(
                _advanced(state, state.position.after_default(), mover), missed=missed
            )
        return msgspec.structs.replace(state, moved=None)

    def is_terminal(self, state: DealsState) -> bool:
        return len(state.results) == len(state.deals)

    def score(self, state: DealsState) -> dict[str, float]:
        return dict(zip(state.ids, state.points, strict=True))

    def summarize(self, state: DealsState) -> Json:
        return {
            "deal": state.number + 1,
            "leader": place_of(0, state.number),
            "table": state.position.table(),
            "points": list(state.points),
            "results": [list(gains) for gains in state.results],
            "missed": list(state.missed),
        }


def _seat_to_move(state: DealsState) -> int | None:
    place = state.position.mover
    return None if place is None else place_of(place, state.number)


def _advanced(state: DealsState, position: Any, seat: int) -> DealsState:
    """The state after a seat's move; if that closes the deal, it is settled and the next begins."""
    if position.mover is not None:
        return msgspec.structs.replace(state, position=position, moved=seat)
    by_place = position.returns()
    gains = (by_place[place_of(0, state.number)], by_place[place_of(1, state.number)])
    following = state.number + 1
    last = following == len(state.deals)
    return msgspec.structs.replace(
        state,
        # A finished deal replaces the one that was dealt, so that it can be looked back at.
        deals=(*state.deals[: state.number], position, *state.deals[following:]),
        position=position if last else state.deals[following],
        number=state.number if last else following,
        points=(state.points[0] + gains[0], state.points[1] + gains[1]),
        results=(*state.results, gains),
        moved=seat,
    )
