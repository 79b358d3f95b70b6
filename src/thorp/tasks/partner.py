"""A scripted partner in a voxel world: it sells at its prices, makes offers, and posts work.

It does not learn, and its parameters decide everything it does: once a second it looks at what
happened to it, and answers with actions of the protocol. Offers are answered at once; for each that
it declines it takes one off its price, down to the least that it accepts.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from thorp.kernel.canonical import Json
from thorp.tasks.goal import Count, Counts, Place

TERMINAL: Final = "CONTRACT_TERMINAL"

Event = Mapping[str, Any]
Acts = dict[str, list[dict[str, Json]]]


class PartnerPrice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the partner gives, and how much of what it takes for each."""

    gives: str
    takes: str
    asks: Count
    least: Count


class PartnerOffer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An offer that the partner makes."""

    gives: Counts
    wants: Counts


class PartnerWork(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A delivery that the partner posts as a contract, at a terminal that it sets up beside
    itself."""

    wants: Counts
    pays: Counts
    deposit: dict[str, Count] = {}
    ticks: Annotated[int, Meta(ge=100, le=20_000)] = 6_000


class PartnerParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a partner has, and what it does."""

    goods: Counts
    prices: Annotated[tuple[PartnerPrice, ...], Meta(max_length=8)] = ()
    offers: Annotated[tuple[PartnerOffer, ...], Meta(max_length=8)] = ()
    """Made one after the other: each once the one before was declined, or lapsed."""
    at_once: bool = False
    """All offers come together, in the first moment."""
    work: PartnerWork | None = None


class Partner:
    """The partner of one run."""

    def __init__(self, params: PartnerParams, learner: str, place: Place) -> None:
        self._params = params
        self._learner = learner
        x, y, z = place
        self.terminal: Place = (x + 1, y, z)
        """Where it sets up its terminal, if it has one."""
        self._asks = [price.asks for price in params.prices]
        self._offered = 0
        self._waits = False
        self._steps = 0

    @property
    def goods(self) -> Mapping[str, int]:
        """What it has in the beginning, what it will pay for work included."""
        goods = Counter(self._params.goods)
        if self._params.work is not None:
            goods[TERMINAL] += 1
            goods.update(self._params.work.pays)
        return goods

    @property
    def state(self) -> Json:
        """Everything that decides what it does next."""
        return [self._asks, self._offered, self._waits, self._steps]

    def copy(self) -> "Partner":
        """A partner that goes on as this one would."""
        copy = object.__new__(Partner)
        copy.__dict__.update(self.__dict__)
        copy._asks = list(self._asks)
        return copy

    def decide(self, events: list[Event]) -> Acts:
        """What it does, after these events."""
        instants: list[dict[str, Json]] = []
        tasks: list[dict[str, Json]] = []
        for event in events:
            if event["type"] == "TRADE_OFFER" and event["from"] == self._learner:
                instants.append(self._answer(event))
            elif event["type"] in ("TRADE_DECLINED", "TRADE_EXPIRED"):
                self._waits = False
        self._set_up(tasks, instants)
        instants += self._next_offers()
        self._steps += 1
        return {"instants": instants, "tasks": tasks}

    def _answer(self, event: Event) -> dict[str, Json]:
        """Accept an offer that pays the price; decline another, and come down a little."""
        trade_id = event["trade_id"]
        decline: dict[str, Json] = {"type": "DECLINE_TRADE", "trade_id": trade_id}
        number = self._price_of(event)
        if number is None:
            return decline
        price = self._params.prices[number]
        ((_, paid),) = event["offer"]
        ((_, wanted),) = event["request"]
        if paid >= self._asks[number] * wanted:
            return {"type": "ACCEPT_TRADE", "trade_id": trade_id}
        self._asks[number] = max(price.least, self._asks[number] - 1)
        return decline

    def _price_of(self, event: Event) -> int | None:
        if len(event["offer"]) != 1 or len(event["request"]) != 1:
            return None
        ((takes, _),) = event["offer"]
        ((gives, _),) = event["request"]
        numbers = range(len(self._params.prices))
        prices = self._params.prices
        matching = (n for n in numbers if (prices[n].takes, prices[n].gives) == (takes, gives))
        return next(matching, None)

    def _next_offers(self) -> list[dict[str, Json]]:
        offers = self._params.offers
        if self._waits or self._offered >= len(offers):
            return []
        count = len(offers) if self._params.at_once else self._offered + 1
        made = offers[self._offered : count]
        self._offered = count
        self._waits = True
        return [
            {
                "type": "OFFER_TRADE",
                "to": self._learner,
                "offer": [list(pair) for pair in sorted(offer.gives.items())],
                "request": [list(pair) for pair in sorted(offer.wants.items())],
            }
            for offer in made
        ]

    def _set_up(self, tasks: list[dict[str, Json]], instants: list[dict[str, Json]]) -> None:
        """Place the terminal first, then post the work."""
        work = self._params.work
        if work is None:
            return
        if self._steps == 0:
            place: Json = list(self.terminal)
            tasks.append({"type": "PLACE", "block_pos": place, "item_id": TERMINAL})
        elif self._steps == 1:
            instants.append(
                {
                    "type": "POST_CONTRACT",
                    "terminal_id": self.terminal_id,
                    "contract_kind": "DELIVER",
                    "requirements": _stacks(work.wants),
                    "reward": _stacks(work.pays),
                    "deposit": _stacks(work.deposit),
                    "duration_ticks": work.ticks,
                }
            )

    @property
    def terminal_id(self) -> str:
        """The id of its terminal."""
        return "{}@{},{},{}".format(TERMINAL, *self.terminal)


def _stacks(counts: Mapping[str, int]) -> Json:
    return [{"item": item, "count": count} for item, count in sorted(counts.items())]
