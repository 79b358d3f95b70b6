"""Which options lead a mind around: back to where it was, with what it had.

A pocket that changes is not progress by itself: an agent that puts a bench down and takes it up
again has changed it twice. So two things are remembered:

- the states, of place and pocket, that were met within the last decisions. What was taken there has
  led around when the same state comes again.
- the benches and furnaces that were put down and taken up again with nothing made meanwhile. To put
  such a station down is in vain, wherever that is, until something can be made at it that could not
  be made then.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple, Self

from thorp.protocol.obs import Position
from thorp.voxel import default_catalogs
from thorp.voxel.catalog import Recipe

RECALLED: Final = 32
"""For how many decisions a state is recalled. Longer ways around are rare, and the world may have
changed meanwhile: what grows has grown."""
OFTEN: Final = 2
"""An option that was taken so often in the same state is not offered there again."""
_PLACE: Final = "place_"
_MAKES: Final = ("craft_", "smelt_")
_BY_HAND: Final = "HAND"

Pocket = Mapping[str, int]


class State(NamedTuple):
    """Where a mind is, and what it has."""

    position: Position
    pocket: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, position: Position, pocket: Pocket) -> Self:
        """The state of a place and a pocket."""
        return cls(position, tuple(sorted(pocket.items())))


class Circles:
    """What led around, of one mind."""

    def __init__(self) -> None:
        self._decisions = 0
        self._met: dict[State, tuple[int, tuple[str, ...]]] = {}
        """When a state was met last, and what was taken there; the oldest first."""
        self._placed: dict[str, frozenset[str]] = {}
        """Stations that stand somewhere, with nothing made since, and what could be made at them
        when they were put down."""
        self._vain: dict[str, frozenset[str]] = {}
        """Stations that were taken up again like this."""

    def note(self, option: str, before: State, after: State) -> None:
        """Note an option that was taken in a state, and the state that came of it."""
        self._decisions += 1
        if before != after:  # What stays in its state leads nowhere, which is told otherwise.
            self._note_state(option, before)
        if before.pocket != after.pocket:
            self._note_station(option, dict(before.pocket), dict(after.pocket))

    def _note_station(self, option: str, before: Pocket, after: Pocket) -> None:
        """Note what this means for benches and furnaces."""
        if option.startswith(_MAKES):
            self._placed.clear()
            return
        placed = option.removeprefix(_PLACE).upper()
        if option.startswith(_PLACE) and placed in _recipes():
            self._placed[placed] = _makeable(placed, before)
            return
        for station in tuple(self._placed):
            if after.get(station, 0) > before.get(station, 0):
                self._vain[station] = self._placed.pop(station) | _makeable(station, after)

    def led_around(self, state: State) -> Sequence[str]:
        """Options that were taken in this state before, or are in vain with such a pocket."""
        return tuple(dict.fromkeys((*self._taken_in(state), *self._placings(state))))

    def in_vain(self, state: State) -> frozenset[str]:
        """Of these, the ones that need not be tried again."""
        taken = self._taken_in(state)
        often = {name for name in taken if taken.count(name) >= OFTEN}
        return frozenset((*often, *self._placings(state)))

    def _note_state(self, option: str, state: State) -> None:
        taken = (*self._taken_in(state), option)
        self._met.pop(state, None)
        self._met[state] = (self._decisions, taken[-RECALLED:])
        while len(self._met) > RECALLED:
            del self._met[next(iter(self._met))]

    def _taken_in(self, state: State) -> tuple[str, ...]:
        """What was taken in a state, if it was met lately."""
        when, taken = self._met.get(state, (0, ()))
        return taken if self._decisions - when <= RECALLED else ()

    def _placings(self, state: State) -> list[str]:
        """What need not be put down with such a pocket."""
        pocket = dict(state.pocket)
        return [
            f"{_PLACE}{station.lower()}"
            for station, then in self._vain.items()
            if _makeable(station, pocket) <= then
        ]


def _makeable(station: str, pocket: Pocket) -> frozenset[str]:
    """What can be made at a station with a pocket."""
    return frozenset(
        recipe.recipe_id
        for recipe in _recipes()[station]
        if all(pocket.get(stack.item, 0) >= stack.count for stack in recipe.inputs)
    )


@cache
def _recipes() -> dict[str, list[Recipe]]:
    """The recipes that need a station, by station."""
    by_station: dict[str, list[Recipe]] = {}
    for recipe in default_catalogs().recipes.values():
        if recipe.station != _BY_HAND:
            by_station.setdefault(recipe.station, []).append(recipe)
    return by_station
