"""Lulls: how long ago something remarkable was heard, so that whoever has something to do that can
be told chooses its moment.

What is remarkable is marked (`MARKS`), and mostly said on the market, where everybody hears it. The
same kind again within `STALE_TICKS` is no news, as when each of those who build a dam says so.
Kinds that fall in step would leave a long silence between them. So they keep out of each other's
way by two rules, which everybody follows by its own ears:

    is_crowded    nobody begins something of a new kind while the news of another kind is fresh
    is_slow       when nothing was heard for a while, whoever can sets out sooner than it would

The greeter calls out a job after the shortest silence (`small_jobs`), then somebody sees to the
event of the day (`event_answers`), then somebody makes peace (`quarrels`), then somebody asks
another something before everybody (`small_talk`), and at last the mayor calls a feast (`customs`).
Each of them alone comes round within `STALE_TICKS`; two of them, out of step, within some
`STALE_TICKS - EVENT_TICKS`. When there is no event, nobody has a grudge left, or two of them fell
in step, there is always one more.

What counts must be heard by everybody: so whatever bears one of the `MARKS` is said on the market.
"""

from collections.abc import Mapping
from typing import Final

from thorp.protocol.obs import Event
from thorp.village import speech
from thorp.village.villager import Villager

MARKS: Final = ("quarrel", "election", "vote", "feast", "event")
"""Marks of what is worth telling."""
QUESTION: Final = "question"
"""Something that somebody was asked by name and has answered."""
STALE_TICKS: Final = 900
"""What is told again sooner than this is no news."""
FRESH_TICKS: Final = 250
"""For so long the talk is of one thing."""
JOB_TICKS: Final = 250
"""After so long a silence a job is called out."""
EVENT_TICKS: Final = 330
"""After so long a silence somebody sees to the event."""
PEACE_TICKS: Final = 410
"""After so long a silence somebody makes peace."""
QUESTION_TICKS: Final = 510
"""After so long a silence somebody asks a question that everybody hears."""
FEAST_TICKS: Final = 650
"""After so long a silence the mayor calls a feast."""
HOURS: Final = (0.25, 0.745)
"""From sunrise until shortly before the tavern hour."""


def hear(me: Villager, event: Event) -> None:
    """Note when something was heard that people talk of, and that is not the same again."""
    data = event.get("data")
    if not isinstance(data, Mapping):
        return
    notes = me.knowledge.notes
    for kind in MARKS:
        is_marked = kind in data and speech.marked(me, event, kind) is not None
        if is_marked and is_news(me, kind):
            notes[f"news {kind}"] = me.tick
            notes["news"] = me.tick
    if speech.marked(me, event, "answer") is not None and is_news(me, QUESTION):
        notes[f"news {QUESTION}"] = me.tick
        if event["channel"] == "MARKET":  # others have heard it, too
            notes["news"] = me.tick


def is_news(me: Villager, kind: str) -> bool:
    """Whether nothing of a kind was heard for so long that people would talk of it."""
    return me.tick >= me.knowledge.notes.get(f"news {kind}", -STALE_TICKS) + STALE_TICKS


def silence(me: Villager) -> int:
    """Ticks since something was heard that people talk of."""
    return me.tick - me.knowledge.notes.get("news", 0)


def is_slow(me: Villager, kind: str, ticks: int, turn: int = 0) -> bool:
    """Whether so long a silence should be broken with something of a kind. Of those who could,
    somebody waits `turn` ticks longer than the first, and looks up in time: so the others hear it
    before they say the same.

    A night is no silence: in the morning whatever takes the shortest one comes first.
    """
    if not me.is_hour(*HOURS):
        return False
    notes = me.knowledge.notes
    spoken = notes.get("news", 0) + ticks
    stale = notes.get(f"news {kind}", -STALE_TICKS) + STALE_TICKS
    morning = me.tick_of(HOURS[0]) + ticks - EVENT_TICKS
    due = max(spoken, stale, morning) + turn
    if me.tick < due:
        me.wake_tick = min(me.wake_tick, due)
    return me.tick >= due


def is_crowded(me: Villager, kind: str) -> bool:
    """Whether something of a kind would be news, and should wait for its turn, since people talk of
    something else."""
    return silence(me) < FRESH_TICKS and is_news(me, kind)
