"""The city's council: mayor, captain and warden, who sit once a day, at dawn or as soon as there is a city.

They have no bodies. Each in turn looks at the city as it was sealed last, and hands off what it would have
done; the city judges it as it would anybody's. The people of the village see at the terminal what came of it.
"""

from __future__ import annotations

import logging

from thorp.bridges.village.notebook import SITTING, Notebook
from thorp.kernel.canonical import Json
from thorp.town.embedded.council import Council, Governor

_log = logging.getLogger(__name__)

ORDERS = "orders"
"""In the notebook: when the council sat last, so that people look for new orders."""


class CityCouncil:
    """The governors of the notebook's city, as soon as it has one."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook
        self._governors: list[Governor] = []
        self._turns: list[Governor] = []
        self._day = -1

    @property
    def city(self) -> str | None:
        return self._notebook.things.get("city")

    def has_turn(self, day: int) -> bool:
        """Whether somebody has something to say on that day."""
        return self.city is not None and (bool(self._turns) or day != self._day)

    def handoff(self, snapshot: dict[str, Json], tick: int) -> dict[str, Json] | None:
        """What the next governor would have done, seeing this; None if all have had their turn today."""
        if snapshot["day"] != self._day:
            self._governors = self._governors or Council(snapshot["townId"]).governors
            self._day = snapshot["day"]
            sat = self._notebook.done.get(SITTING) == self._day  # in a process before this one
            self._turns = [] if sat else list(self._governors)
            self._notebook.done[SITTING] = self._day
        if not self._turns:
            return None
        governor = self._turns.pop(0)
        try:
            handoff = governor.handoff(snapshot)
        except Exception:
            _log.exception("a governor of %s has no proposal", self.city)
            return None
        governor.remember(handoff["proposal"])
        self._notebook.done[ORDERS] = tick
        return handoff
