"""The night watch: while the others sleep, two of the builders walk the rounds from lamp to lamp,
and ask each other now and then whether all is quiet.

They take turns, night by night. On freezing nights the watch stays in, like everybody.
"""

from typing import Final

from thorp.village import errands
from thorp.village.villager import Script, Villager

WATCH: Final = ("Wystan", "Elspeth", "Rufus", "Lettice")
"""Who takes turns."""
ROUND: Final = ((0, -13), (13, -13), (22, 0), (13, 13), (0, 22), (-13, 13), (-22, 0), (-13, -13))
"""Where the round leads, as distances from the middle of the plaza."""
HOURS: Final = (0.85, 0.18)
"""From dusk to dawn."""
LISTEN_TICKS: Final = 40
# The pair walks together: where it is on its round follows from the time.
ROUND_TICKS: Final = 150
# Hungrier, or hurt more than this, nobody walks about at night.
LEAST_FOOD: Final = 12
LEAST_HEALTH: Final = 12
NOON: Final = 0.5


def is_on_watch(me: Villager) -> bool:
    """Whether it is this villager's night."""
    if me.name not in WATCH or me.is_hour(HOURS[1], HOURS[0]):
        return False
    night = me.day if me.obs.world.time_of_day > NOON else me.day - 1
    is_fair = me.obs.world.weather not in ("COLD", "STORM") and not me.is_freezing
    is_well = me.obs.body.hp >= LEAST_HEALTH and me.obs.body.hunger + errands.food(me) > LEAST_FOOD
    is_settled = me.knowledge.has_heard_of("land")
    return me.name in pair_of(night) and is_fair and is_well and is_settled


def pair_of(night: int) -> tuple[str, str]:
    """Who watches in a night, by the day on which it begins."""
    return WATCH[night % len(WATCH)], WATCH[(night + 1) % len(WATCH)]


def clock(me: Villager) -> str:
    """The hour as a watchman calls it: `Eleven o'clock`."""
    names = (
        *("Twelve", "One", "Two", "Three", "Four", "Five", "Six"),
        *("Seven", "Eight", "Nine", "Ten", "Eleven"),
    )
    return f"{names[int(me.obs.world.time_of_day * 24) % 12]} o'clock"


def walk_round(me: Villager) -> Script[bool]:
    """To the next place of the round: look, listen, and call each hour."""
    dx, dz = ROUND[me.tick // ROUND_TICKS % len(ROUND)]
    place = me.knowledge.place(dx, dz)
    me.intent = f"On watch: {me.knowledge.whereabouts(place)}, then on along the lamps."
    yield from me.walk(place, 2, tries=1)
    strangers = [
        body
        for body in me.obs.entities
        if body.type == "AGENT" and me.knowledge.name_of(body.id) is None
    ]
    hour = int(me.obs.world.time_of_day * 24)
    if me.knowledge.notes.get("called hour") != hour:
        me.knowledge.notes["called hour"] = hour
        news = "Who goes there? Come to the lamps." if strangers else "All is well."
        yield from me.say(f"{clock(me)}. {news}")
    yield from me.wait(LISTEN_TICKS)
    return True
