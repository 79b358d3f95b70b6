"""The guests of the village: strangers whom the greeter has met, and how far each has come.

A guest is known by its id, and called by the name with which it introduced itself. What is known of
it is part of the greeter's knowledge, and outlives the process.
"""

import re
from typing import Final

from thorp.village.knowledge import Guest
from thorp.village.villager import Villager

MOST_GUESTS: Final = 100
"""Most guests that are remembered; those who need nothing any more are forgotten first."""
_NAME: Final = re.compile(
    r"(?:\b[Ii] am|\bI'm|\b[Mm]y name is|\b[Cc]all me) ([^\W\d_][\w'-]{0,23})(?=[.,!;]|$)"
)
_ID: Final = re.compile(r"A\d+")


def guest_of(me: Villager, agent_id: str) -> Guest:
    """What is known of a guest, also when it was never heard of before."""
    guests = me.knowledge.guests
    if agent_id not in guests:
        guests[agent_id] = Guest()
        _forget_some(guests)
    return guests[agent_id]


def _forget_some(guests: dict[str, Guest]) -> None:
    """Make room: forget first those who have their plot, then those who came longest ago."""
    while len(guests) > MOST_GUESTS:
        served = (agent_id for agent_id, guest in guests.items() if guest.has_plot)
        del guests[next(served, next(iter(guests)))]


def is_stranger(me: Villager, agent_id: str) -> bool:
    """Whether somebody is not a villager."""
    return agent_id != me.obs.agent_id and agent_id not in me.knowledge.ids.values()


def name_in(me: Villager, text: str) -> str:
    """The name by which a stranger introduces itself; "" if there is none. Nobody is called like a
    villager, or like the id of somebody."""
    match = _NAME.search(text)
    if match is None or match[1] in me.knowledge.ids or _ID.fullmatch(match[1]):
        return ""
    return match[1]


def owed_plots(me: Villager) -> list[str]:
    """The ids of guests who have earned a plot and have not got it yet."""
    return [
        agent_id
        for agent_id, guest in me.knowledge.guests.items()
        if guest.has_worked and not guest.has_plot
    ]
