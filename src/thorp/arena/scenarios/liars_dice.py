"""Liar's dice for two: hidden dice, rising bids on all of them, and a call that ends it.

`docs/scenarios.md` has the rules. Sixes are wild: they count as every face. A bid is a quantity and
a face; it must have a higher quantity than the bid before it, or the same and a higher face.
"""

from math import comb
from typing import Final

import msgspec

from thorp.arena.scenarios.deals import DealtGame
from thorp.arena.scenarios.validation import integer_parameter
from thorp.arena.sealed import SealedDraws
from thorp.kernel.canonical import Json

FACES: Final = 6
WILD: Final = FACES
DICE_LIMIT: Final = 10  # Of each seat.
_EXPECTED: Final = 'answer {"bid": [QUANTITY, FACE]} or {"call": true}'


def chance_of_at_least(wanted: int, dice: int, face: int) -> float:
    """The chance that at least so many of these unseen dice count for the face."""
    if wanted <= 0:
        return 1.0
    fitting = 1 if face == WILD else 2
    hits = range(wanted, dice + 1)
    ways: int = sum(comb(dice, n) * fitting**n * (FACES - fitting) ** (dice - n) for n in hits)
    every: int = FACES**dice
    return ways / every


class LiarsDicePosition(msgspec.Struct, frozen=True):
    """Each place's dice in rising order, the bids so far as (quantity, face), and whether the last
    was called."""

    dice: tuple[tuple[int, ...], tuple[int, ...]]
    bids: tuple[tuple[int, int], ...] = ()
    called: bool = False

    @property
    def mover(self) -> int | None:
        return None if self.called else len(self.bids) % 2

    def bids_left(self) -> list[tuple[int, int]]:
        """All bids that are higher than the last, in rising order."""
        last = self.bids[-1] if self.bids else (0, FACES)
        most = len(self.dice[0]) + len(self.dice[1])
        every = ((n, face) for n in range(1, most + 1) for face in range(1, FACES + 1))
        return [bid for bid in every if bid > last]

    def view(self, place: int) -> dict[str, Json]:
        return {"dice": list(self.dice[place]), "bids": self._bids()}

    def closed_view(self, place: int) -> dict[str, Json]:
        return {
            **self.view(place),
            "theirDice": list(self.dice[1 - place]),
            "gain": self.returns()[place],
        }

    def table(self) -> dict[str, Json]:
        return {
            "dice": [list(own) for own in self.dice],
            "bids": self._bids(),
            "called": self.called,
        }

    def returns(self) -> tuple[int, int]:
        quantity, face = self.bids[-1]
        rolled = [*self.dice[0], *self.dice[1]]
        bidder = (len(self.bids) - 1) % 2
        is_true = sum(die in (face, WILD) for die in rolled) >= quantity
        winner = bidder if is_true else 1 - bidder
        return (1, -1) if winner == 0 else (-1, 1)

    def after_bid(self, bid: tuple[int, int]) -> "LiarsDicePosition":
        """The position after this bid."""
        return LiarsDicePosition(self.dice, (*self.bids, bid))

    def after_call(self) -> "LiarsDicePosition":
        """The position after the last bid is called, which ends the deal."""
        return LiarsDicePosition(self.dice, self.bids, True)

    def after_default(self) -> "LiarsDicePosition":
        """A missed move calls, or makes the lowest bid if there is nothing to call."""
        return self.after_call() if self.bids else self.after_bid((1, 1))

    def _bids(self) -> list[Json]:
        return [list(bid) for bid in self.bids]


class LiarsDice(DealtGame):
    """The scenario: `deals` deals with `dice` dice for each seat, the seats leading in turns."""

    name = "liars-dice"
    briefing = (
        "Liar's dice: each player sees only its own dice. A bid [QUANTITY, FACE] claims that "
        "among the dice of both at least so many show this face; sixes count as every face. Bid "
        "higher than the last bid (a higher quantity, or the same and a higher face), or call it: "
        "if the claim is true the bidder wins the deal, else the caller. Answer "
        '{"bid": [QUANTITY, FACE]} or {"call": true}.'
    )

    def __init__(self, deals: int = 10, dice: int = 5) -> None:
        super().__init__(deals)
        self.dice = integer_parameter("dice", dice, 1, DICE_LIMIT)

    def draw(self, draws: SealedDraws, deal: int) -> LiarsDicePosition:
        first = deal * 2 * self.dice
        rolled = [1 + draws.below(FACES, "die", first + n) for n in range(2 * self.dice)]
        return LiarsDicePosition(
            (tuple(sorted(rolled[: self.dice])), tuple(sorted(rolled[self.dice :])))
        )

    def read(self, position: LiarsDicePosition, action: Json) -> LiarsDicePosition | str:
        if type(action) is not dict or len(action) != 1:
            return _EXPECTED
        if action.get("call") is True:
            return position.after_call() if position.bids else "there is no bid to call yet"
        bid = _read_bid(action.get("bid"))
        if bid is None:
            return _EXPECTED
        if bid not in position.bids_left():
            most = 2 * self.dice
            return f"bid higher than the last, at most [{most}, {FACES}], or call it"
        return position.after_bid(bid)

    def is_plain(self, state: object) -> bool:
        """All that is shown is numbers and fixed words."""
        return True

    def shown_parameters(self) -> dict[str, Json]:
        return {"deals": self.deals, "diceEach": self.dice}

    def parameters_from(self, observation: Json) -> dict[str, Json]:
        return {"deals": observation["deals"], "dice": observation["diceEach"]}


def _read_bid(value: Json) -> tuple[int, int] | None:
    """A pair of whole numbers, as JSON writes them."""
    if type(value) is not list or len(value) != 2:
        return None
    if not all(type(n) is int or (type(n) is float and n.is_integer()) for n in value):
        return None
    return (int(value[0]), int(value[1]))
