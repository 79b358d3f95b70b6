"""Reading a world: looks after every tick, and gives a page when a range is over.

It begins anywhere. A page says from which tick on it was read, so that whoever tells it knows whether the
range is whole.
"""

from __future__ import annotations

from typing import Final

from thorp.bridges.chronicle.hours import Range, ends_range
from thorp.bridges.chronicle.notices import Notice, Noticing
from thorp.bridges.chronicle.publisher import Page
from thorp.voxel.state.world import World

MAX_NOTICES: Final = 512
"""Of one range. When there are twice as many the lighter half is forgotten."""


class Reading:
    def __init__(self, world: World) -> None:
        self._noticing = Noticing(world)
        self._first = world.tick + 1
        self._notices: list[Notice] = []

    def look(self, world: World) -> Page | None:
        """Take in what a tick was; the page of the range that it ends, if it ends one."""
        if world is not self._noticing.world:
            self._noticing = Noticing(world)
        self._notices += self._noticing.look()
        if len(self._notices) >= 2 * MAX_NOTICES:
            self._notices = _weightiest(self._notices)
        if not ends_range(world.tick, world.tuning.day_ticks):
            return None
        page = Page(Range(self._first, world.tick), world.tuning.day_ticks, self._notices)
        self._first, self._notices = world.tick + 1, []
        return page


def _weightiest(notices: list[Notice]) -> list[Notice]:
    """Of those that weigh the same, the first."""
    ranked = sorted(range(len(notices)), key=lambda place: (-notices[place].weight, place))
    return [notices[place] for place in sorted(ranked[:MAX_NOTICES])]
