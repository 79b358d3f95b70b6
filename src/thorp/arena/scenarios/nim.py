"""Nim: heaps of objects; a move takes one or more from one heap; whoever takes the last wins.

`docs/scenarios.md` has the rules. Nothing is hidden. Without given heaps they are drawn from the
seed, three to five of one to nine, and two deals in a row have the same ones, so that each seat
begins once from each position. With `misere` the one who takes the last object loses.
"""

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Final

import msgspec

from thorp.arena.scenarios.deals import DealtGame
from thorp.arena.scenarios.validation import integer_field
from thorp.arena.sealed import SealedDraws
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError

HEAPS_LIMIT: Final = 10
OBJECTS_LIMIT: Final = 100
"""Bounds of given heaps: a match of a thousand objects is long enough for a game that is solved."""
_FEWEST_HEAPS: Final = 3
_MOST_HEAPS: Final = 5
_MOST_OBJECTS: Final = 9


def is_won(heaps: Sequence[int], misere: bool) -> bool:
    """Whether who is to move wins with perfect play, by Bouton's rule: the heaps' sizes, added in
    binary without carry, are not 0. In the misère game that turns round once no heap has two."""
    if misere and max(heaps, default=0) < 2:
        return sum(heaps) % 2 == 0
    return reduce(xor, heaps, 0) != 0


class NimPosition(msgspec.Struct, frozen=True):
    """The heaps, and who is to move. `taken` is the latest move as (heap, objects)."""

    heaps: tuple[int, ...]
    misere: bool
    mover: int | None = 0
    winner: int | None = None
    taken: tuple[int, int] | None = None

    def after(self, heap: int, take: int) -> "NimPosition":
        """The position after taking so many from this heap."""
        assert self.mover is not None
        heaps = (*self.heaps[:heap], self.heaps[heap] - take, *self.heaps[heap + 1 :])
        over = not any(heaps)
        winner = 1 - self.mover if self.misere else self.mover
        return NimPosition(
            heaps=heaps,
            misere=self.misere,
            mover=None if over else 1 - self.mover,
            winner=winner if over else None,
            taken=(heap, take),
        )

    def moves(self) -> list[tuple[int, int]]:
        """All legal moves as (heap, objects), smallest takes first in each heap."""
        return [
            (heap, take)
            for heap, objects in enumerate(self.heaps)
            for take in range(1, objects + 1)
        ]

    def view(self, place: int) -> dict[str, Json]:
        return {
            "heaps": list(self.heaps),
            "taken": None if self.taken is None else list(self.taken),
        }

    def closed_view(self, place: int) -> dict[str, Json]:
        return {"won": self.winner == place}

    def table(self) -> dict[str, Json]:
        return {**self.view(0), "mover": self.mover, "winner": self.winner}

    def returns(self) -> tuple[int, int]:
        return (1, -1) if self.winner == 0 else (-1, 1)

    def after_default(self) -> "NimPosition":
        return self.after(self.heaps.index(max(self.heaps)), 1)


class Nim(DealtGame):
    """The scenario: `heaps` of given sizes, or drawn ones if there are none."""

    name = "nim"
    briefing = (
        "Nim: heaps of objects. In a move you take one or more objects from one heap. Whoever "
        "takes the last object of all wins the deal, or loses it if `misere` is true. Answer "
        '{"heap": H, "take": N}, with H counted from 0.'
    )
    sealed = False

    def __init__(self, deals: int = 2, heaps: Sequence[int] = (), misere: bool = False) -> None:
        super().__init__(deals)
        self.heaps = tuple(heaps)
        sizes_fit = all(type(size) is int and 1 <= size <= OBJECTS_LIMIT for size in self.heaps)
        if not sizes_fit or len(self.heaps) > HEAPS_LIMIT:
            raise InvalidError(
                f"heaps must be up to {HEAPS_LIMIT} whole numbers from 1 to {OBJECTS_LIMIT}, or "
                "none to have them drawn",
                code="parameter",
            )
        if type(misere) is not bool:
            raise InvalidError("misere must be true or false", code="parameter")
        self.misere = misere

    def draw(self, draws: SealedDraws, deal: int) -> NimPosition:
        pair = deal // 2
        heaps = self.heaps
        if not heaps:
            count = _FEWEST_HEAPS + draws.below(_MOST_HEAPS - _FEWEST_HEAPS + 1, "heaps", pair)
            first = pair * _MOST_HEAPS
            heaps = tuple(
                1 + draws.below(_MOST_OBJECTS, "objects", first + heap) for heap in range(count)
            )
        return NimPosition(heaps=heaps, misere=self.misere)

    def read(self, position: NimPosition, action: Json) -> NimPosition | str:
        heap = integer_field(action, "heap")
        take = integer_field(action, "take")
        if heap is None or not 0 <= heap < len(position.heaps):
            return f"heap must be a whole number from 0 to {len(position.heaps) - 1}"
        if take is None or not 1 <= take <= position.heaps[heap]:
            has = position.heaps[heap]
            return f"take must be a whole number from 1 to the {has} that heap {heap} has"
        return position.after(heap, take)

    def is_plain(self, state: object) -> bool:
        """All that is shown is numbers and fixed words."""
        return True

    def shown_parameters(self) -> dict[str, Json]:
        return {"deals": self.deals, "misere": self.misere}

    def parameters_from(self, observation: Json) -> dict[str, Json]:
        return {
            "deals": observation["deals"],
            "misere": observation["misere"],
        }
