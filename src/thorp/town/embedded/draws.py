"""Random draws of one town on one day, and the deck of nether events.

A draw is a function of seed, day, town and purpose, and of nothing else. The deck is shuffled for each town,
drawn to its end, then shuffled again.
"""

from thorp.kernel.rng import KeyedDraws
from thorp.town.embedded.catalogue import DECK, Card
from thorp.town.embedded.town import FULL, METERS, STOCKS, Happening, Town, push_meter, store


class DayDraws:
    """The draws of one town on one day."""

    def __init__(self, draws: KeyedDraws, town: Town) -> None:
        self._draws = draws
        self._day = town.day
        self._subject = town.town_id

    def below(self, bound: int, purpose: str, index: int = 0) -> int:
        return self._draws.below(bound, tick=self._day, subject=self._subject, purpose=purpose, index=index)

    def happens(self, per_mille: int, purpose: str) -> bool:
        return self.below(FULL, purpose) < per_mille


def draw_event(town: Town, draws: KeyedDraws) -> Happening:
    """Draw the next card of the deck, which is shuffled anew when it is used up."""
    shuffle, place = divmod(town.deck_place, len(DECK))
    card = DECK[_shuffled(town.town_id, shuffle, draws)[place]]
    town.deck_place += 1
    return _play(town, card)


def _shuffled(town_id: str, shuffle: int, draws: KeyedDraws) -> list[int]:
    order = list(range(len(DECK)))
    for last in range(len(order) - 1, 0, -1):
        other = draws.below(last + 1, tick=shuffle, subject=town_id, purpose="deck", index=last)
        order[last], order[other] = order[other], order[last]
    return order


def _play(town: Town, card: Card) -> Happening:
    for name in METERS:
        push_meter(town.meters, name, getattr(card, name))
    for stock in STOCKS:
        store(town, stock, getattr(card, stock))
    town.event, town.event_day = card.name, town.day
    return Happening("nether_event", f"{card.name}: {card.text}")
