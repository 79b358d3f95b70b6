"""The options of one moment: what an agent can do now, each named by a letter.

There are the discrete choices of `thorp.env`, a walk in each direction, and `mine_nearest` for each
kind of block that is worth looking for. Those of which most agents need most have a letter of their
own, which never changes, so that a small model knows it by heart. The others get, in a fixed order,
the letters of options that are not there now, and are spelled out.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from thorp.env.choices import COMPASS, Choices, default_choices
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, UnknownError
from thorp.language.tools import read_call
from thorp.mind.sight import Sight
from thorp.protocol.actions import Action, Task
from thorp.protocol.obs import Position
from thorp.voxel.systems.pathfinding import DIRECTIONS

LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Each is one token of every tokenizer that works on bytes."""
STRIDE: Final = 14  # How many cells a walk goes: to where half of what is in sight is new.
WALK_TOLERANCE: Final = 3
SOUGHT: Final = (
    "LOG",
    "LEAVES",
    "BERRY_BUSH",
    "TALL_GRASS",
    "WHEAT_RIPE",
    "WARREN",
    "STONE",
    "COAL_ORE",
    "IRON_ORE",
    "COPPER_ORE",
    "CRYSTAL_ORE",
)
"""The blocks that `mine_nearest` is offered for."""
_NEAREST: Final = "mine_nearest_"
_WALK: Final = "walk_"
FIXED: Final = (
    "wait",
    *(f"move_{name}" for name in COMPASS),
    *(f"walk_{name}" for name in COMPASS),
    *(f"mine_nearest_{block.lower()}" for block in SOUGHT),
    "mine_up",
    "mine_down",
    *(f"mine_{level}_{name}" for name in COMPASS for level in ("low", "feet", "head")),
    "craft_plank_from_log",
    "craft_stick_from_plank",
    "craft_crafting_bench",
    "place_crafting_bench",
    "craft_wood_pickaxe",
    "craft_stone_pickaxe",
    "craft_furnace",
    "place_furnace",
    "craft_torch",
    "smelt_iron_ore",
    "smelt_copper_ore",
    "craft_iron_pickaxe",
    "place_seeds",
    *(f"block_{name}" for name in COMPASS),
    "gather",
)
"""The options with a letter of their own, in the order of the letters."""
_LETTER: Final = dict(zip(FIXED, LETTERS, strict=True))


class Option(NamedTuple):
    """Something that the agent can do now."""

    letter: str
    name: str

    @property
    def is_fixed(self) -> bool:
        """Whether its letter never changes."""
        return _LETTER.get(self.name) == self.letter


class Menu:
    """The options of one moment, by letter. Without `choices` those of the packaged catalogs."""

    def __init__(self, sight: Sight, choices: Choices | None = None) -> None:
        self._sight = sight
        self._choices = choices or default_choices()
        self._body = None if sight.is_busy else sight.body()
        self.options: Final = tuple(self._lettered(list(self._names())))
        self._by_letter: Final = {option.letter: option for option in self.options}

    def __len__(self) -> int:
        return len(self.options)

    @property
    def letters(self) -> str:
        """The letters of all options, in their order."""
        return "".join(option.letter for option in self.options)

    def option(self, letter: str) -> Option:
        """The option of this letter. Refuses a letter that none has."""
        option = self._by_letter.get(letter)
        if option is None:
            raise UnknownError(
                f"no option has the letter {letter!r:.20}; there are {self.letters}", code="option"
            )
        return option

    def named(self, name: str) -> Option | None:
        """The option of this name, if it is there now."""
        return next((option for option in self.options if option.name == name), None)

    def target(self, option: Option) -> Position | None:
        """The block that a `mine_nearest` is after; None for any other option."""
        if not option.name.startswith(_NEAREST):
            return None
        (task,) = self.act(option)["tasks"][-1:]
        place = task.get("block_pos", task.get("target"))
        return (place[0], place[1], place[2])

    def act(self, option: Option) -> dict[str, list[Json]]:
        """The part of an ACT that carries an option out; empty for a wait."""
        name = option.name
        if name.startswith(_NEAREST):
            return read_call("mine_nearest", _nearest_block(name), self._sight)
        if name.startswith(_WALK):
            x, y, z = self._sight.position
            dx, dz = DIRECTIONS[COMPASS.index(name.removeprefix(_WALK))]
            target = [x + STRIDE * dx, y, z + STRIDE * dz]
            return {"tasks": [{"type": "MOVE_TO", "target": target, "tolerance": WALK_TOLERANCE}]}
        assert self._body is not None or name == "wait", "a busy agent can only wait"
        wish = (
            None
            if self._body is None
            else self._choices.wish(self._choices.names.index(name), self._body)
        )
        if wish is None:
            return {}
        return {"tasks" if isinstance(wish, Task) else "instants": [_as_sent(wish)]}

    def _names(self) -> Iterator[str]:
        """What the agent can do now: what has a letter of its own first."""
        if self._body is None:
            yield "wait"
            return
        mask = self._choices.possible(self._body)
        possible = {
            name for name, allowed in zip(self._choices.names, mask, strict=True) if allowed
        }
        possible |= {f"{_WALK}{name}" for name in COMPASS}
        possible |= {name for name in _searches() if self._can_mine_nearest(name)}
        yield from (name for name in FIXED if name in possible)
        yield from (name for name in self._choices.names if name in possible - _LETTER.keys())

    def _can_mine_nearest(self, name: str) -> bool:
        try:
            read_call("mine_nearest", _nearest_block(name), self._sight)
        except InvalidError:
            return False
        return True

    @staticmethod
    def _lettered(names: list[str]) -> Iterator[Option]:
        """Options with their letters. Beyond 52 the last ones are left out: places for yet another
        kind of building block."""
        taken = {_LETTER[name] for name in names if name in _LETTER}
        spare = (letter for letter in reversed(LETTERS) if letter not in taken)
        for name in names:
            letter = _LETTER.get(name) or next(spare, None)
            if letter is not None:
                yield Option(letter, name)


@cache
def _searches() -> tuple[str, ...]:
    return tuple(f"{_NEAREST}{block.lower()}" for block in SOUGHT)


def _nearest_block(name: str) -> dict[str, str]:
    return {"block": name.removeprefix(_NEAREST).upper()}


def _as_sent(wish: Action) -> dict[str, Any]:
    """An action as it goes over the wire."""
    sent: dict[str, Any] = msgspec.to_builtins(wish)
    return sent
