"""What a model that chooses is told in a match of the voxel world, and what its letters stand for.

Like `thorp.bridges.answer_guide` it is no part of the match: a log holds the actions as any other
agent could have sent them.
"""

from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.mind import RULES, Menu, Notes, Sight, describe


class VoxelChooser:
    """Follows the observations of one seat. Give it each one, in order, and tell it each letter
    that was taken."""

    rules: Final = RULES

    def __init__(self) -> None:
        self._sight: Sight | None = None
        self._notes = Notes()
        self._menu: Menu | None = None

    def take(self, observation: Any) -> None:
        """Take in the next observation."""
        if self._sight is None:
            self._sight = Sight(observation["palette"])
        self._sight.take(observation)
        self._notes.take(self._sight)
        self._menu = Menu(self._sight)

    @property
    def letters(self) -> str:
        """The letters of the options that may be chosen now; a single one needs no question."""
        return self._notes.offered(self._now()[1])

    def prompt(self) -> str:
        """This moment, in words."""
        sight, menu = self._now()
        return describe(sight, self._notes, menu)

    def choose(self, letter: str) -> Json:
        """The action of an option, which is noted as taken."""
        _, menu = self._now()
        option = menu.option(letter)
        self._notes.took(option, menu)
        return {**menu.act(option)}

    def _now(self) -> tuple[Sight, Menu]:
        assert self._sight is not None, "take() an observation first"
        assert self._menu is not None, "made with each observation"
        return self._sight, self._menu
