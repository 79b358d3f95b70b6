"""Sealed-bid auction: one lot a turn, private values, a budget for the whole match.

`docs/scenarios.md` has the rules. Bids stay sealed until all are in; `end_turn` then resolves the
lot. Winners and prices are public, bids and values are not; a summary holds both once the lot is
resolved.

Order of draws, from the secret of a sealed match or else from the scenario's seed: per lot, one
value for each seat, then the order of the seats that decides between equal bids, all orders equally
likely.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from thorp.arena.contract import Adjudication
from thorp.arena.scenarios import validation
from thorp.arena.scenarios.validation import Seats, refused
from thorp.arena.sealed import SealedDraws
from thorp.kernel.canonical import Json
from thorp.kernel.rng import Mulberry32

PRICINGS: Final = ("first", "second")
# How many of the latest results an observation carries; the totals cover all.
RESULTS_SHOWN: Final = 10
_LOTS_LIMIT: Final = 1000
_MONEY_LIMIT: Final = 1_000_000


class _Lot(msgspec.Struct, frozen=True):
    """A lot's value to each seat, and the order that decides between equal bids."""

    values: tuple[int, ...]
    order: tuple[int, ...]


class _Sale(msgspec.Struct, frozen=True):
    """A resolved lot: each seat's bid (0 for a pass, None for no bid), the winner, and the
    price."""

    bids: tuple[int | None, ...]
    winner: int | None
    price: int


class _AuctionState(msgspec.Struct, frozen=True):
    """The lots, the sealed bids on the present one, and the sales so far. Tuples of numbers are by
    seat."""

    ids: tuple[str, ...]
    lots: tuple[_Lot, ...]
    bids: tuple[int | None, ...]
    spent: tuple[int, ...]
    won: tuple[int, ...]
    scores: tuple[int, ...]
    sales: tuple[_Sale, ...] = ()


class Auction:
    """The scenario: `lots` lots, a `budget` for each seat, values up to `highest_value`, and a
    pricing rule."""

    name = "auction"
    briefing = (
        "A sealed-bid auction, one lot a turn. Bid a whole number from 0 to your remaining budget; "
        "the highest bid wins the lot and you score what it is worth to you less what you pay. "
        'Answer {"bid": N}.'
    )
    seats: Seats = (2, None)
    sealed = True

    def __init__(
        self, lots: int = 10, budget: int = 100, highest_value: int = 100, pricing: str = "second"
    ) -> None:
        self.lots = validation.integer_parameter("lots", lots, 1, _LOTS_LIMIT)
        self.budget = validation.integer_parameter("budget", budget, 1, _MONEY_LIMIT)
        self.highest_value = validation.integer_parameter(
            "highest_value", highest_value, 1, _MONEY_LIMIT
        )
        self.pricing = validation.choice_parameter("pricing", pricing, PRICINGS)

    def init(self, seed: int, agent_ids: Sequence[str]) -> _AuctionState:
        stream = Mulberry32(seed)
        return self._open(agent_ids, lambda n, _purpose, _index: int(stream.integer(0, n - 1)))

    def init_sealed(self, seed: int, agent_ids: Sequence[str], draws: SealedDraws) -> _AuctionState:
        return self._open(agent_ids, draws.below)

    def _open(
        self, agent_ids: Sequence[str], below: Callable[[int, str, int], int]
    ) -> _AuctionState:
        ids = validation.take_seats(self.name, agent_ids, self.seats)
        lots = tuple(self._draw_lot(below, lot, len(ids)) for lot in range(self.lots))
        nothing = (0,) * len(ids)
        return _AuctionState(
            ids=ids, lots=lots, bids=(None,) * len(ids), spent=nothing, won=nothing, scores=nothing
        )

    def observe(self, state: _AuctionState, agent_id: str) -> Json:
        seat = state.ids.index(agent_id)
        sold = len(state.sales)
        return {
            "lot": sold + 1,
            "lots": self.lots,
            "pricing": self.pricing,
            "value": state.lots[sold].values[seat] if sold < self.lots else None,
            "highestValue": self.highest_value,
            "budget": self.budget - state.spent[seat],
            "score": state.scores[seat],
            "bidders": {
                bidder: {"won": won, "budget": self.budget - spent}
                for bidder, won, spent in zip(state.ids, state.won, state.spent, strict=True)
            },
            "results": [
                {
                    "lot": lot + 1,
                    "winner": _winner(state, state.sales[lot]),
                    "price": state.sales[lot].price,
                }
                for lot in range(max(0, sold - RESULTS_SHOWN), sold)
            ],
        }

    def parameters_from(self, observation: Json) -> dict[str, Json]:
        return {
            "lots": observation["lots"],
            "budget": observation["budget"],
            "highest_value": observation["highestValue"],
            "pricing": observation["pricing"],
        }

    def adjudicate(self, state: _AuctionState, agent_id: str, action: Json) -> Adjudication:
        seat = state.ids.index(agent_id)
        if state.bids[seat] is not None or self.is_terminal(state):
            return refused(state, "you have bid on this lot, or the auction is over")
        bid = validation.integer_field(action, "bid")
        left = self.budget - state.spent[seat]
        if bid is None or not 0 <= bid <= left:
            return refused(state, f"bid must be a whole number from 0 to {left}")
        bids = (*state.bids[:seat], bid, *state.bids[seat + 1 :])
        return Adjudication(True, {"sealed": True}, msgspec.structs.replace(state, bids=bids))

    def end_turn(self, state: _AuctionState) -> _AuctionState:
        """Resolve the lot. A seat without a bid passes."""
        if self.is_terminal(state):
            return state
        lot = state.lots[len(state.sales)]
        sale = self._sell(state.bids, lot.order)
        unsealed: tuple[int | None, ...] = (None,) * len(state.ids)
        after = msgspec.structs.replace(state, bids=unsealed, sales=(*state.sales, sale))
        if sale.winner is None:
            return after
        return msgspec.structs.replace(
            after,
            spent=_added(state.spent, sale.winner, sale.price),
            won=_added(state.won, sale.winner, 1),
            scores=_added(state.scores, sale.winner, lot.values[sale.winner] - sale.price),
        )

    def is_terminal(self, state: _AuctionState) -> bool:
        return len(state.sales) >= self.lots

    def score(self, state: _AuctionState) -> dict[str, float]:
        return dict(zip(state.ids, state.scores, strict=True))

    def summarize(self, state: _AuctionState) -> Json:
        ids = state.ids
        sold = len(state.sales)
        summary = {
            "lot": sold,
            "lots": self.lots,
            "scores": dict(zip(ids, state.scores, strict=True)),
        }
        if not sold:
            return summary
        sale = state.sales[-1]
        lot = state.lots[sold - 1]
        return {
            **summary,
            "winner": _winner(state, sale),
            "price": sale.price,
            "bids": dict(zip(ids, (bid or 0 for bid in sale.bids), strict=True)),
            "silent": [ids[seat] for seat, bid in enumerate(sale.bids) if bid is None],
            "values": dict(zip(ids, lot.values, strict=True)),
            "budgets": dict(zip(ids, (self.budget - spent for spent in state.spent), strict=True)),
        }

    def _draw_lot(self, below: Callable[[int, str, int], int], lot: int, seats: int) -> _Lot:
        """Draw a lot: a value for each seat, and a shuffled order of the seats."""
        first = lot * seats
        values = tuple(
            1 + below(self.highest_value, "value", first + seat) for seat in range(seats)
        )
        order = list(range(seats))
        for place in range(seats - 1, 0, -1):
            other = below(place + 1, "order", first + place)
            order[place], order[other] = order[other], order[place]
        return _Lot(values, tuple(order))

    def _sell(self, sealed: tuple[int | None, ...], order: tuple[int, ...]) -> _Sale:
        """Sell a lot to the highest bid; between equal ones the order decides."""
        bids = [bid or 0 for bid in sealed]
        highest = max(bids)
        if not highest:
            return _Sale(sealed, None, 0)
        winner = next(seat for seat in order if bids[seat] == highest)
        runner_up = max(bid for seat, bid in enumerate(bids) if seat != winner)
        return _Sale(sealed, winner, highest if self.pricing == "first" else runner_up)


def _winner(state: _AuctionState, sale: _Sale) -> str | None:
    return None if sale.winner is None else state.ids[sale.winner]


def _added(amounts: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*amounts[:seat], amounts[seat] + more, *amounts[seat + 1 :])
