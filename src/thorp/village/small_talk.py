"""Small talk: what villagers ask each other and answer, when they have a moment.

A question is marked with `data.ask`: whom, and about what. Who was asked answers beside its work,
with what it has done and thinks (`data.answer`), as it was asked: to those near, or before
everybody. Who gets no answer remembers that.
"""

import re
from collections.abc import Callable
from typing import Final

from thorp.protocol.obs import Event
from thorp.village import lulls, speech
from thorp.village.event_answers import EVENT_NAMES
from thorp.village.hopes import contentment, hope
from thorp.village.night_watch import WATCH, clock, is_on_watch, last_sight
from thorp.village.quarrels import is_grudging
from thorp.village.regard import dearest, feel, least_liked, reason
from thorp.village.thought_log import ASLEEP
from thorp.village.thoughts import deed, neighbour
from thorp.village.villager import Action, Villager
from thorp.village.wishes import sentence
from thorp.village.words import amount

ANSWER_TICKS: Final = 15
# Who was not answered by then was not heard.
FORGOTTEN_TICKS: Final = 90
# A question that is heard keeps others from asking for this long.
QUIET_TICKS: Final = 150
PEOPLE: Final = 24
HOURS: Final = (0.25, 0.75)
ASK_TICKS: Final = 1_000
ASKED: Final = "asked by "
# Of those who could break a silence, each waits a little longer than the one before.
TURN_TICKS: Final = 4


def ask(me: Villager, other: str, topic: str, channel: str = "LOCAL") -> list[Action]:
    """Ask somebody about something, beside those who stand near or before everybody."""
    me.knowledge.notes["asked somebody"] = me.tick
    me.waits_for = (other, me.tick)
    text = {
        "work": f"{other}, what are you at?",
        "day": f"{other}, how was your day?",
        "wish": f"{other}, what would you like best?",
        "vote": f"{other}, whom do you vote for?",
        "foe": f"{other}, is there anybody you cannot stand?",
        "store": f"{other}, what does the store need most?",
        "news": f"{other}, have you heard anything new?",
        "watch": f"{other}, is all quiet on your side?",
    }[topic]
    mark = {"ask": {"to": speech.id_of(me, other), "about": topic}}
    return speech.saying(me, text, mark, channel)


def may_ask(me: Villager) -> str | None:
    """Somebody near to talk to, if it has not asked anybody for a while."""
    is_due = me.tick >= me.knowledge.notes.get("asked somebody", -ASK_TICKS) + ASK_TICKS
    other = neighbour(me) if is_due and speech.can_speak(me) else None
    return None if other is None or is_grudging(me, other) else other


def chat(me: Villager) -> list[Action]:
    """Ask whoever stands near something, now and then, beside whatever it is at. People do not all
    speak at once: nobody asks while another's question is in the air."""
    _resent_silence(me)
    quiet = me.knowledge.notes.get("question heard", -QUIET_TICKS) + QUIET_TICKS
    is_watching = is_on_watch(me)
    if me.tick < quiet + me.number % PEOPLE * 4 or not (me.is_hour(*HOURS) or is_watching):
        return []
    if not is_watching and lulls.is_crowded(me, lulls.QUESTION):
        return []
    other = may_ask(me)
    if other is None:
        return []
    if is_watching:
        return ask(me, other, "watch") if other in WATCH else []
    if me.knowledge.trades.get(other) == "storekeeper":
        return ask(me, other, "store")
    return ask(me, other, TOPICS[(me.number + me.tick // 10) % len(TOPICS)])


def break_silence(me: Villager) -> list[Action]:
    """On a slow day, ask somebody something before everybody. Who is asked hears it wherever it is;
    if no answer comes, somebody else asks somebody else."""
    turn = TURN_TICKS * (me.number % PEOPLE)
    if not lulls.is_slow(me, lulls.QUESTION, lulls.QUESTION_TICKS, turn):
        return []
    quiet = me.knowledge.notes.get("question heard", -QUIET_TICKS) + QUIET_TICKS
    if me.tick < quiet or me.waits_for is not None or not speech.can_speak(me):
        return []
    others = [each for each in me.knowledge.ids if each != me.name and not is_grudging(me, each)]
    if not others:
        return []
    turn = me.number + me.tick // QUIET_TICKS
    return ask(me, others[turn % len(others)], TOPICS[turn % len(TOPICS)], "MARKET")


def _resent_silence(me: Villager) -> None:
    """Whoever was asked and said nothing is remembered for it."""
    if me.waits_for is not None and me.tick > me.waits_for[1] + FORGOTTEN_TICKS:
        feel(me, me.waits_for[0], -2, "did not answer me")
        me.waits_for = None


def hear(me: Villager, event: Event) -> None:
    """Note that somebody asks it something."""
    asked = "" if me.waits_for is None else me.knowledge.ids.get(me.waits_for[0])
    if event["type"] == "CHAT" and event["from"] == asked:
        me.waits_for = None
    heard = speech.marked(me, event, "ask")
    if heard is not None:
        me.knowledge.notes["question heard"] = me.tick
    if heard is None or heard[0] == me.name or heard[1].get("to") != me.obs.agent_id:
        return
    topic = str(heard[1].get("about", ""))
    if topic in ANSWERS:
        me.asked[heard[0]] = (topic, me.tick, str(event["channel"]))
        me.wake_tick = min(me.wake_tick, me.tick + ANSWER_TICKS)


def answer(me: Villager) -> list[Action]:
    """Answer what was asked a moment ago."""
    for other, (topic, tick, channel) in list(me.asked.items()):
        if me.tick < tick + ANSWER_TICKS or not speech.can_speak(me):
            me.wake_tick = min(me.wake_tick, me.tick + ANSWER_TICKS)
            continue
        del me.asked[other]
        if me.tick <= tick + FORGOTTEN_TICKS and not is_grudging(me, other):
            feel(me, other, 1, "asks after me")
            mark = {"answer": {"to": speech.id_of(me, other), "about": topic}}
            return speech.saying(me, ANSWERS[topic](me, other), mark, channel)
    return []


def _of_work(me: Villager, other: str) -> str:
    if me.intent.startswith(ASLEEP):
        return f"Let me sleep, {other}."
    doing = re.split(r"[;.]", me.intent)[0]
    return f"{doing}, {other}." if doing else f"Not much, {other}."


def _of_the_day(me: Villager, other: str) -> str:
    return f"I {deed(me)}, {other}."


def _of_wishes(me: Villager, other: str) -> str:
    wanted = hope(me)
    return f"{sentence(wanted)}, {other}." if wanted else f"{contentment(me)}, {other}."


def _of_votes(me: Villager, other: str) -> str:
    choice = me.knowledge.notes.get("voted day") == me.day
    return f"I have voted already, {other}." if choice else f"I shall think about it, {other}."


def _of_foes(me: Villager, other: str) -> str:
    foe = least_liked(me)
    if foe is not None:
        return f"{foe}, who {reason(me, foe)}."
    friend = dearest(me)
    if friend is None:
        return f"No, {other}, nobody."
    return f"No, {other}; I like {'you' if friend == other else friend} best."


def _of_the_store(me: Villager, other: str) -> str:
    wanted = me.knowledge.wanted
    item = next(iter(wanted), None)
    if item is None:
        return f"Nothing at all, {other}."
    return f"{amount(item, wanted[item])}, {other}; then we are well off."


def _of_news(me: Villager, other: str) -> str:
    mayor = me.knowledge.mayor
    if mayor and mayor not in (me.name, other):
        return f"{mayor} is mayor, {other}, and has much to do."
    foe = least_liked(me)
    if foe is not None:
        return f"Only that {foe} {reason(me, foe)}, {other}."
    event = me.obs.world.active_event
    if isinstance(event, str) and event in EVENT_NAMES:
        return f"There is talk of {EVENT_NAMES[event]}, {other}."
    return f"Nothing new, {other}."


ANSWERS: Final[dict[str, Callable[[Villager, str], str]]] = {
    "work": _of_work,
    "day": _of_the_day,
    "wish": _of_wishes,
    "vote": _of_votes,
    "foe": _of_foes,
    "store": _of_the_store,
    "news": _of_news,
    "watch": lambda me, other: f"{last_sight(me)}, {other}. {clock(me)}.",
}
"""What is said to a question, by its topic."""
TOPICS: Final = ("work", "wish", "foe", "news")
"""What people ask each other by day."""
