"""Founding a village: the rules of its world, and how far it has come.

The rules make company worth having. A world that exists keeps those it has, also when villagers
move in.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from thorp.voxel import World

RULES: Final[dict[str, object]] = {
    "shelter": True,
    "blueprint_ticks_per_block": 5,
    "starving_recovery": 4,
    "newcomers": "gate",
    "starter_goods_per_day": 60,  # One whole kit: visitors are many, and none of them is a mine.
}
"""Values of the tuning."""

# Days that a new village lives before anyone else may come: to the third morning, when people are
# about.
VILLAGE_DAYS: Final = 2.27
STEP_PERCENT: Final = 10
MILESTONES: Final[dict[tuple[str, str | None], str]] = {
    ("JOIN", None): "everyone has woken",
    ("CREATE_ORG", None): "a city is founded",
    ("BUILT", None): "the first building stands",
    ("CLAIM_LAND", None): "the land is claimed",
    ("CONTRACT", "COMPLETED"): "the first contract is kept",
    ("TOWN_RESULT", "executed"): "the council has given its first order",
    ("LAW", "ACTIVE"): "the first law is in force",
}
"""Public events, some with the state they must be in, and what the first of each means."""
# How often the progress is shown: about every two seconds of a founding.
SHOWN_TICKS: Final = 100


class Milestone(msgspec.Struct):
    """One step of a village's founding, for those who watch it."""

    text: str
    tick: int | None = None
    """When it was reached; None while it is to come."""


class Founding(msgspec.Struct):
    """How far a founding is, as `/v1/status` and `/readyz` tell it."""

    tick: int
    of: int
    day_ticks: int
    milestones: list[Milestone]


class Progress:
    """Tells how far the founding is: every tenth of it, and whatever happens for the first time."""

    def __init__(
        self,
        to_tick: int,
        say: Callable[[str], None],
        show: Callable[[Founding], None] = lambda _: None,
    ) -> None:
        self._to_tick = to_tick
        self._say = say
        self._show = show
        self._reached: dict[str, int] = {}
        self._told = 0
        self._to_come = dict(MILESTONES)
        self._newest = ""

    def look(self, world: World) -> None:
        """Take in the last tick."""
        before = self._newest
        for event in world.scratch.public_events:
            state = str(event.get("state") or event.get("status"))
            for key in ((str(event["kind"]), None), (str(event["kind"]), state)):
                if key in self._to_come:
                    self._newest = self._to_come.pop(key)
                    self._reached[self._newest] = world.tick
        percent = min(100, 100 * world.tick // self._to_tick)
        if percent >= self._told + STEP_PERCENT or self._newest != before:
            self._told = percent // STEP_PERCENT * STEP_PERCENT
            self._say(f"the village is being founded: {percent} %, {self._newest}")
        if world.tick % SHOWN_TICKS == 1 or self._newest != before:
            milestones = [Milestone(text, self._reached.get(text)) for text in MILESTONES.values()]
            self._show(Founding(world.tick, self._to_tick, world.tuning.day_ticks, milestones))
