"""The city's council: mayor, captain and warden, who sit once a day, when the reeve of the village
calls.

They have no bodies. Each in turn looks at the city as it was sealed last, and hands off what it
would have done; the city judges it as it would anybody's. The reeve writes down the day in its
memory in the world before the first of them speaks, so the council sits once a day however often
the process ends.
"""

import logging

from thorp.kernel.canonical import Json
from thorp.town.embedded.council import Council, Governor
from thorp.village.villager import Villager

_log = logging.getLogger(__name__)


class CityCouncil:
    """The governors of the reeve's city, as soon as it has one."""

    def __init__(self, reeve: Villager | None = None) -> None:
        self.reeve = reeve
        self._governors: list[Governor] = []
        self._turns: list[Governor] = []
        self._council_day = -1

    @property
    def city(self) -> str | None:
        return None if self.reeve is None else self.reeve.knowledge.things.get("city")

    def has_turn(self) -> bool:
        """Whether somebody has something to say."""
        if self.reeve is not None and self.reeve.council_day != self._council_day:
            self._council_day = self.reeve.council_day
            self._governors = self._governors or Council(self.city or "").governors
            self._turns = list(self._governors)
        return bool(self._turns)

    def handoff(self, snapshot: dict[str, Json]) -> dict[str, Json] | None:
        """What the next governor would have done, seeing this; None if all have had their turn."""
        if not self.has_turn():
            return None
        governor = self._turns.pop(0)
        try:
            handoff = governor.handoff(snapshot)
        except Exception:
            _log.exception("a governor of %s has no proposal", self.city)
            return None
        governor.remember(handoff["proposal"])
        return handoff
