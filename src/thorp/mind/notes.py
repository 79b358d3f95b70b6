"""What a mind remembers from turn to turn, kept by the harness: what it has achieved, where it has
seen what it may need, and what it tried in vain.

Everything follows from the observations and the options that were taken.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from thorp.mind.circles import Circles, State
from thorp.mind.options import SOUGHT, Menu, Option
from thorp.mind.sight import Sight
from thorp.protocol.obs import Position
from thorp.voxel.achievements import ACHIEVEMENTS, Achievement

REMEMBERED: Final = (*SOUGHT, "CRAFTING_BENCH", "FURNACE", "WHEAT_SPROUT")
"""Blocks whose places are remembered."""
MAX_PLACES: Final = 24  # Of one kind: the nearest, or what was seen last.
MAX_LOOKED_AT: Final = 8  # Of one kind in sight: the nearest.
MAX_TRIED: Final = 64  # Places at which tried options are remembered.
MAX_OUT_OF_REACH: Final = 128
# A walk that brings a body less than this many blocks nearer shows that there is no way.
LEAST_PROGRESS: Final = 3
MINE_REACH: Final = 2
CLIMBING: Final = 4  # How many steps on level ground a step up is worth.
_TECH: Final = tuple(each for each in ACHIEVEMENTS if each.group == "tech")
_HEADINGS: Final = ("walk_", "move_")

Pocket = dict[str, int]


class _Moment(NamedTuple):
    """What tells whether an option had an effect."""

    position: Position
    pocket: Pocket
    cells: bytes | None

    @property
    def state(self) -> State:
        """Where it is, and what it has."""
        return State.of(self.position, self.pocket)


class Notes:
    """The memory of one mind."""

    def __init__(self) -> None:
        self.achieved: set[str] = set()
        """Achievements of the tech tree, by id."""
        self.places: dict[str, list[Position]] = {}
        """Where blocks are that it has seen, by their kind."""
        self.heading = ""
        """The side to which it went last."""
        self._circles = Circles()
        self._tried: dict[Position, list[str]] = {}
        self._out_of_reach: dict[Position, None] = {}
        self._before: _Moment | None = None
        self._taken: Option | None = None
        self._deciding: tuple[str, State] | None = None
        """What was taken last, and where, until its outcome is known."""
        self._target: Position | None = None

    @property
    def todo(self) -> Iterator[Achievement]:
        """What it has not achieved yet, in the order of the tech tree."""
        return (each for each in _TECH if each.id not in self.achieved)

    @property
    def tried(self) -> Sequence[str]:
        """Options that it took at this place before, since its pocket changed last, and those that
        led around to where it is now: to take one again leads in a circle. The surest come
        last."""
        now = self._before
        if now is None:
            return ()
        stale = self._tried.get(now.position, ())
        around = self._circles.led_around(now.state)
        return (*(name for name in stale if name not in around), *around)

    def offered(self, menu: Menu) -> str:
        """The letters of the options that are worth a question: all but those that have led around
        again and again. A model that is told so takes them none the less."""
        now = self._before
        vain = () if now is None else self._circles.in_vain(now.state)
        return "".join(option.letter for option in menu.options if option.name not in vain)

    def nearest(self, kind: str, position: Position) -> Position | None:
        """The place of a kind of block that is easiest to reach, among those remembered."""
        return min(
            (place for place in self.places.get(kind, ()) if place not in self._out_of_reach),
            key=lambda place: (_effort(place, position), place),
            default=None,
        )

    def took(self, option: Option, menu: Menu) -> None:
        """Note the option that was taken in this moment."""
        self._taken = option
        self._target = menu.target(option)
        if option.name != "wait" and self._before is not None:
            self._deciding = (option.name, self._before.state)

    def take(self, sight: Sight) -> None:
        """Take in what became of the last option, and what is in sight now."""
        now = _Moment(sight.position, sight.pocket, sight.view.cells)
        before = self._before
        if before is not None and self._taken is not None:
            self._note_deed(self._taken, before.pocket, now.pocket)
            self._note_effect(self._taken, before, now)
        self._before = now
        if not sight.is_busy:  # The result of a task that is under way is still to come.
            self._taken = None
            if self._deciding is not None:
                self._circles.note(*self._deciding, now.state)
                self._deciding = None
        self._remember_places(sight)

    def _note_effect(self, option: Option, before: "_Moment", now: "_Moment") -> None:
        """Remember what led nowhere."""
        stays = now.position == before.position
        for verb in _HEADINGS:
            if option.name.startswith(verb) and not stays:
                self.heading = option.name.removeprefix(verb)
        if now.pocket != before.pocket:
            self._tried.clear()
            return
        if option.name == "wait" or (stays and now.cells != before.cells):
            return
        tried = self._tried.setdefault(before.position, [])
        if option.name not in tried:
            tried.append(option.name)
        _keep_newest(self._tried, MAX_TRIED)
        target = self._target
        if target is not None and _distance(target, now.position) > MINE_REACH:
            progress = _distance(target, before.position) - _distance(target, now.position)
            if progress < LEAST_PROGRESS:
                self._out_of_reach[target] = None
                _keep_newest(self._out_of_reach, MAX_OUT_OF_REACH)

    def _note_deed(self, option: Option, before: Pocket, pocket: Pocket) -> None:
        """Infer from the pocket what was achieved."""
        gained = {item for item, count in pocket.items() if count > before.get(item, 0)}
        lost = {item for item, count in before.items() if count > pocket.get(item, 0)}
        for each in _TECH:
            match each.deed:
                case "mine":
                    done = bool(gained.intersection(each.things))
                case "craft":
                    done = option.name == f"craft_{each.things[0]}" and bool(lost)
                case deed:
                    names = {f"{deed}_{thing.lower()}" for thing in each.things}
                    done = option.name in names and bool(lost)
            if done:
                self.achieved.add(each.id)

    def _remember_places(self, sight: Sight) -> None:
        """Add what is in sight, and forget what is not where it was."""
        for kind in REMEMBERED:
            seen = list(islice(sight.find_all(kind), MAX_LOOKED_AT))
            kept = [
                place
                for place in self.places.get(kind, ())
                if place not in seen and sight.view.block(place) in (None, kind)
            ]
            places = (seen + kept)[:MAX_PLACES]
            if places:
                self.places[kind] = places
            else:
                self.places.pop(kind, None)


def _distance(one: Position, other: Position) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _effort(place: Position, here: Position) -> int:
    """How hard a place is to come to: it is easy to dig down, and hard to climb."""
    up = place[1] - here[1] - MINE_REACH
    return _distance(place, here) + max(0, up) * CLIMBING


def _keep_newest(kept: dict[Any, Any], most: int) -> None:
    while len(kept) > most:
        del kept[next(iter(kept))]
