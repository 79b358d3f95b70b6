"""Negotiation: two seats divide a pool of things that are worth something else to each of them.

`docs/scenarios.md` has the rules, which are those of "Deal or No Deal?" (Lewis et al., 2017). A
pool has three kinds of things; each seat's values are its own secret, and the whole pool is worth
ten points to each. The places offer in turns until one accepts; after MOVES_LIMIT moves without
that, nobody gets anything.
"""

from functools import cache
from itertools import product
from typing import Final

import msgspec

from thorp.arena.scenarios.deals import DealtGame
from thorp.arena.sealed import SealedDraws
from thorp.kernel.canonical import Json

KINDS: Final = ("book", "hat", "ball")
WORTH: Final = 10  # What the whole pool is worth to each place.
FEWEST_THINGS: Final = 5
MOST_THINGS: Final = 7
MOVES_LIMIT: Final = 10
SAY_LIMIT: Final = 200
"""The longest message, in characters: a sentence or two, so that a match has a bounded price."""
_EXPECTED: Final = (
    'answer {"keep": [BOOKS, HATS, BALLS]} or {"accept": true}, with "say" if you like'
)


class Instance(msgspec.Struct, frozen=True):
    """How many there are of each kind, and what one of each is worth to each place."""

    pool: tuple[int, ...]
    values: tuple[tuple[int, ...], tuple[int, ...]]


@cache
def instances() -> tuple[Instance, ...]:
    """Every pool of five to seven things with at least one of each kind, and all pairs of values
    for it: to each place the pool is worth WORTH, every kind is worth something to somebody, and
    some kind to both, so that there is something to quarrel about."""
    balanced = []
    for pool in product(range(1, MOST_THINGS - 1), repeat=len(KINDS)):
        if not FEWEST_THINGS <= sum(pool) <= MOST_THINGS:
            continue
        choices = product(*(range(WORTH // count + 1) for count in pool))
        values = [each for each in choices if worth(pool, each) == WORTH]
        for own, other in product(values, repeat=2):
            pairs = list(zip(own, other, strict=True))
            if all(a or b for a, b in pairs) and any(a and b for a, b in pairs):
                balanced.append(Instance(pool, (own, other)))
    return tuple(balanced)


def worth(things: tuple[int, ...], values: tuple[int, ...]) -> int:
    """What these things are worth at these values."""
    return sum(count * value for count, value in zip(things, values, strict=True))


class PoolOffer(msgspec.Struct, frozen=True):
    """What the place that makes the offer would keep, and what it says with it."""

    keep: tuple[int, ...]
    say: str = ""


class NegotiationPosition(msgspec.Struct, frozen=True):
    """The offers so far, place 0 first, and whether the last was accepted, with what words."""

    instance: Instance
    offers: tuple[PoolOffer, ...] = ()
    accepted: bool = False
    farewell: str = ""

    @property
    def mover(self) -> int | None:
        over = self.accepted or len(self.offers) == MOVES_LIMIT
        return None if over else len(self.offers) % 2

    def view(self, place: int) -> dict[str, Json]:
        return {
            "pool": list(self.instance.pool),
            "values": list(self.instance.values[place]),
            "offers": self._offers(),
            "movesLeft": MOVES_LIMIT - len(self.offers) - self.accepted,
        }

    def closed_view(self, place: int) -> dict[str, Json]:
        return {
            **self.view(place),
            "accepted": self.accepted,
            "farewell": self.farewell,
            "gain": self.returns()[place],
        }

    def table(self) -> dict[str, Json]:
        return {
            "pool": list(self.instance.pool),
            "values": [list(values) for values in self.instance.values],
            "offers": self._offers(),
            "accepted": self.accepted,
            "farewell": self.farewell,
        }

    def returns(self) -> tuple[int, int]:
        if not self.accepted:
            return (0, 0)
        keep = self.offers[-1].keep
        rest = tuple(count - kept for count, kept in zip(self.instance.pool, keep, strict=True))
        offerer = (len(self.offers) - 1) % 2
        shares = (keep, rest) if offerer == 0 else (rest, keep)
        values = self.instance.values
        return (worth(shares[0], values[0]), worth(shares[1], values[1]))

    def after_offer(self, offer: PoolOffer) -> "NegotiationPosition":
        """The position after this offer."""
        return NegotiationPosition(self.instance, (*self.offers, offer))

    def after_acceptance(self, farewell: str) -> "NegotiationPosition":
        """The position after the last offer is accepted, which ends the deal."""
        return NegotiationPosition(self.instance, self.offers, True, farewell)

    def after_default(self) -> "NegotiationPosition":
        """A missed move asks for everything, which nobody has to accept."""
        return self.after_offer(PoolOffer(self.instance.pool))

    def _offers(self) -> list[Json]:
        return [{"keep": list(offer.keep), "say": offer.say} for offer in self.offers]


class Negotiation(DealtGame):
    """The scenario: `deals` pools to divide, the seats offering first in turns."""

    name = "negotiation"
    briefing = (
        "Divide a pool of books, hats and balls with another player. `values` is what one of each "
        "is worth to you; the other's values are different and hidden, and the whole pool is "
        'worth 10 to each. Make an offer, {"keep": [BOOKS, HATS, BALLS]}, which says what you '
        'would keep, or accept the other\'s last offer, {"accept": true}. You may add "say": a '
        f"message of up to {SAY_LIMIT} characters. After {MOVES_LIMIT} moves without an agreement "
        "both get nothing. You score what your share is worth to you."
    )

    def __init__(self, deals: int = 6) -> None:
        super().__init__(deals)

    def draw(self, draws: SealedDraws, deal: int) -> NegotiationPosition:
        every = instances()
        return NegotiationPosition(every[draws.below(len(every), "instance", deal)])

    def read(self, position: NegotiationPosition, action: Json) -> NegotiationPosition | str:
        if type(action) is not dict:
            return _EXPECTED
        say = action.get("say", "")
        if type(say) is not str or len(say) > SAY_LIMIT or not _is_text(say):
            return f"say must be a text of at most {SAY_LIMIT} characters"
        if action.get("accept") is True and "keep" not in action:
            return position.after_acceptance(say) if position.offers else "there is no offer yet"
        keep = _read_things(action.get("keep"), position.instance.pool)
        if keep is None or "accept" in action:
            return f"{_EXPECTED}; the pool is {list(position.instance.pool)}"
        return position.after_offer(PoolOffer(keep, say))


def _is_text(say: str) -> bool:
    """Whether a message can be written: half a character, as JSON can hold it, cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in say)


def _read_things(value: Json, pool: tuple[int, ...]) -> tuple[int, ...] | None:
    """How many of each kind, if that is what the value is and the pool has them."""
    if type(value) is not list or len(value) != len(pool):
        return None
    if not all(type(n) is int or (type(n) is float and n.is_integer()) for n in value):
        return None
    things = tuple(int(n) for n in value)
    fits = all(0 <= n <= count for n, count in zip(things, pool, strict=True))
    return things if fits else None
