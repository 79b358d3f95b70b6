"""Evenings: the tavern hour, when people gather by the lamps of the plaza and talk about the day.

Somebody tells what it has heard of others today, and is answered; says what it did itself, drinks
to a friend, speaks of the election or of an event, or asks a neighbour something. Those who keep
the store stay there, which is on the plaza as well. On cold evenings everybody goes home early.
"""

from collections.abc import Iterator
from typing import Any, Final

from thorp.protocol.obs import Event
from thorp.village import small_talk, speech, tales
from thorp.village.elections import promises_of
from thorp.village.errands import KEEPERS
from thorp.village.event_answers import EVENT_NAMES
from thorp.village.jobs import Job, is_deep, is_night, reserve
from thorp.village.quarrels import is_grudging
from thorp.village.regard import FRIENDLY, dearest, feel, least_liked, reason, regard, speak_of
from thorp.village.thoughts import deed, neighbour
from thorp.village.villager import Script, Villager
from thorp.village.wishes import in_words, sentence

HOURS: Final = (0.755, 0.85)
# Who is further away goes home at once.
NEAR: Final = 70
ENOUGH_FOOD: Final = 14
# What everybody has heard is no news for this long.
STALE_TICKS: Final = 1_000
# Between two things that one person says.
PAUSE_TICKS: Final = 130
SEATS: Final = ((0, -4), (3, 4), (-4, 3), (4, -3), (-3, -3), (1, 5), (5, 1), (-5, -1))
"""Where people stand, around the middle of the plaza."""


def is_open(me: Villager) -> bool:
    """Whether it is the tavern hour, and somebody near enough to come is well."""
    plaza = me.knowledge.plaza
    is_fair = me.obs.world.weather not in ("COLD", "STORM") and not me.is_freezing
    is_well = reserve(me) >= ENOUGH_FOOD and not is_deep(me) and not is_night(me)
    return (
        plaza is not None
        and me.is_hour(*HOURS)
        and is_fair
        and is_well
        and me.is_here(plaza, NEAR)
        and me.knowledge.has_heard_of("store")
        and me.name not in KEEPERS
    )


def spend_evening(me: Villager) -> Script[bool]:
    """Join the others on the plaza, and talk until it is time for bed."""
    dx, dz = SEATS[me.number % len(SEATS)]
    if not (yield from me.walk(me.knowledge.place(dx, dz), 2, tries=2)):
        return False
    yield from me.wait(me.number * 17 % PAUSE_TICKS)
    for _ in range(6):
        if not is_open(me):
            break
        yield from _talk(me)
        yield from me.wait(PAUSE_TICKS)
    return True


def _talk(me: Villager) -> Script[None]:
    """Say one thing, or ask one."""
    turn = me.knowledge.notes.get("talks", me.number) + 1
    me.knowledge.notes["talks"] = turn
    other = neighbour(me)
    if other is not None and turn % 3 == 0 and not is_grudging(me, other):
        me.intent = f"At the tavern corner with {other}; today I {deed(me)}."
        topic = ("day", "wish", "foe")[turn // 3 % 3]
        for action in small_talk.ask(me, other, topic):
            yield from me.say(action["text"], data=action["data"])
        return
    tale = tales.tell(me) if turn % 3 != 1 else None
    if tale is not None:
        me.intent = f"Telling {other or 'nobody'} what I heard; today I {deed(me)}."
        yield from me.say(tale[0], data=tale[1])
        return
    topics = list(_topics(me))
    text, data = topics[turn % len(topics)]
    me.intent = f"At the tavern corner with {other or 'nobody'}; today I {deed(me)}."
    yield from me.say(text, data=data)


def _topics(me: Villager) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """What there is to talk about."""
    yield f"Today I {deed(me)}.", None
    friend = dearest(me)
    if friend is not None:
        mark = {"praise": {"of": speech.id_of(me, friend)}}
        yield f"Here is to {friend}, who {reason(me, friend)}.", mark
    foe = least_liked(me)
    if foe is not None:
        yield f"I do not drink with {foe}, who {reason(me, foe)}.", None
    event = me.obs.world.active_event
    place = me.obs.world.active_event_center
    is_stale = me.tick < me.knowledge.notes.get("event talk", -STALE_TICKS) + STALE_TICKS
    if isinstance(event, str) and event and not is_stale:
        way = me.knowledge.whereabouts(place) if isinstance(place, tuple) else "all over"
        name = EVENT_NAMES.get(event, event.lower().replace("_", " "))
        news = (f"Have you heard of {name}, {way}?", f"They talk of {name}, {way}.")
        yield news[me.number % len(news)], {"talk": {"of": event}}
    if me.knowledge.wish is not None:
        yield f"You know what I want? {sentence(in_words(me.knowledge.wish))}.", None
    mayor = me.knowledge.mayor
    if mayor and mayor != me.name:
        yield f"{mayor} promised us {promises_of(me.knowledge.promise)}. We shall see.", None


def hear(me: Villager, event: Event) -> None:
    """Praise does good to whoever is praised, and to its standing. News are told once."""
    if speech.marked(me, event, "talk") is not None:
        me.knowledge.notes["event talk"] = me.tick
    heard = speech.marked(me, event, "praise")
    if heard is None:
        return
    name = speech.name_in(me, heard[1], "of")
    if name is None or name == heard[0]:
        return
    speak_of(me, name, 1)
    if name == me.name and regard(me, heard[0]) < 2 * FRIENDLY:
        feel(me, heard[0], 1, "spoke well of me")


TAVERN: Final = Job(name="tavern", is_due=is_open, work=spend_evening, ticks=700, pause=400)
