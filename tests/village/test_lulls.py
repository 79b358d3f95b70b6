"""Nothing remarkable is crowded together, and no silence lasts: by design, not by luck."""

from itertools import pairwise
from typing import Any

from tests.village.person import DAY_TICKS, IDS, hear, look, person, texts
from thorp.protocol.outcome import Outcome
from thorp.village import customs, event_answers, lulls, quarrels, small_talk
from thorp.village.highlights import Highlights
from thorp.village.regard import feel, regard
from thorp.village.roster import ROSTER
from thorp.village.villager import Villager

MORNING = DAY_TICKS + int(lulls.HOURS[0] * DAY_TICKS)
EVENING = DAY_TICKS + int(lulls.HOURS[1] * DAY_TICKS)
STEP = 5
"""Ticks between two looks, so that a day is soon over."""
LONGEST = 700
"""What two kinds alone must keep to, once they are out of step."""
FLOOD = {
    "active_event": "FLOOD_WARNING",
    "active_event_ends_tick": 3 * DAY_TICKS,
    "active_event_center": [0, 27, 80],
}
DAM = {"id": "FLOOD_WARNING", "step": "plan"}


def day(me: Villager, tick: int, **world: Any) -> None:
    look(me, tick, world=world)
    me.knowledge.notes |= {"day": 2, "first tick": DAY_TICKS, "first hour": 0}


def said(me: Villager) -> list[tuple[str, dict[str, Any]]]:
    """What somebody does of itself on a slow day: it makes peace, or sees to the event."""
    peace = [(each["text"], each["data"]) for each in quarrels.make_up(me)]
    if event_answers.is_due(me) or event_answers.is_second_look_due(me):
        ends = event_answers.event_key(me)
        me.knowledge.notes |= {"answered": ends, "answered on": me.day}
        return [*peace, ("I look after the dam.", {"event": DAM})]
    return peace


def a_day_without_anything_else() -> tuple[list[int], list[str]]:
    """The ticks of what a stranger would point at, and all that is said, on a day on which nobody
    asks, builds, or keeps a contract, and after all that was news fell in step as it began."""
    names = ("Rufus", "Nan", "Gytha", "Beatrix", "Bram", "Tilda")
    people = {name: person(name) for name in names}
    for number, host in enumerate(people.values()):
        for other in names[:number]:
            feel(host, other, -2, "did not answer me")
        day(host, MORNING - 1, **FLOOD)
        host.knowledge.notes |= {f"news {kind}": MORNING - 1 for kind in ("event", "quarrel")}
        host.knowledge.notes["news"] = MORNING - 1
    highlights = Highlights()
    for data in ({"event": DAM}, {"quarrel": {"step": "peace"}}):
        event = {"kind": "CHAT", "from": IDS["Nan"], "text": ".", "data": data}
        highlights.take(event, MORNING - 1, IDS)
    counted = [MORNING - 1]
    everything: list[str] = []
    for tick in range(MORNING, EVENING, STEP):
        for name, me in people.items():
            day(me, tick, **FLOOD)
            for text, data in said(me):
                everything.append(text)
                before = highlights.count
                event = {"kind": "CHAT", "from": IDS[name], "text": text, "data": data}
                highlights.take(event, tick, IDS)
                counted += [tick] * (highlights.count - before)
                for listener in people.values():
                    hear(listener, name, text, **data)
    return counted, everything


def test_two_kinds_alone_leave_no_long_silence() -> None:
    """Both are stale at first, which takes its time; from then on they come round out of step."""
    counted, everything = a_day_without_anything_else()
    gaps = [later - before for before, later in pairwise(counted)]
    assert gaps[0] <= lulls.STALE_TICKS + 50
    assert len(gaps) >= 4
    assert max(gaps[1:]) <= LONGEST, gaps
    assert len(everything) <= len(counted) + 2, "one of them speaks, and not all at once"


def test_a_kind_that_was_heard_lately_is_no_news() -> None:
    me = person("Maud")
    day(me, MORNING + 1_000)
    hear(me, "Nan", ".", event=DAM)
    assert lulls.silence(me) == 0
    day(me, MORNING + 1_300)
    hear(me, "Rufus", ".", event=DAM)
    assert lulls.silence(me) == 300, "each of those who build a dam says so"
    hear(me, "Rufus", ".", quarrel={"step": "denial"})
    assert lulls.silence(me) == 0


def test_nobody_begins_anything_while_the_talk_is_of_something_else() -> None:
    me = person("Nan")
    day(me, MORNING + 1_000)
    hear(me, "Rufus", ".", event=DAM)
    assert lulls.is_crowded(me, "quarrel")
    assert not lulls.is_crowded(me, "event"), "that is no news"
    day(me, MORNING + 1_000 + lulls.FRESH_TICKS)
    assert not lulls.is_crowded(me, "quarrel")


def test_a_night_is_no_silence() -> None:
    """In the morning people do not all speak at the same moment."""
    me = person("Nan")
    me.knowledge.notes |= {"news": DAY_TICKS - 2_000}
    day(me, MORNING + 1)
    assert lulls.is_slow(me, "event", lulls.EVENT_TICKS)
    assert not lulls.is_slow(me, "quarrel", lulls.PEACE_TICKS)
    day(me, MORNING + lulls.PEACE_TICKS - lulls.EVENT_TICKS)
    assert lulls.is_slow(me, "quarrel", lulls.PEACE_TICKS)
    day(me, EVENING + 1)
    assert not lulls.is_slow(me, "event", lulls.EVENT_TICKS), "it is too late"


def test_who_waits_for_its_turn_looks_up_in_time() -> None:
    me = person("Nan")
    day(me, MORNING + 1_000)
    hear(me, "Rufus", ".", quarrel={"step": "denial"})
    me.wake_tick = me.tick + 5_000
    assert not lulls.is_slow(me, "event", lulls.EVENT_TICKS, 8)
    assert me.wake_tick == me.tick + lulls.EVENT_TICKS + 8


def test_peace_is_made_with_the_smallest_grudge_and_not_in_a_feud() -> None:
    me = person("Nan")
    day(me, MORNING + 1_000)
    assert quarrels.make_up(me) == [], "it has none"
    feel(me, "Corin", -5, "broke our contract")
    feel(me, "Bram", -1, "would not trade with me")
    feel(me, "Rufus", -1, "did not answer me")
    me.knowledge.feuds = {"Rufus": 1}
    (action,) = quarrels.make_up(me)
    assert "Bram" in action["text"]
    assert "would not trade with me" in action["text"]
    assert action["data"]["quarrel"]["step"] == "peace"
    assert quarrels.make_up(me) == [], "one at a time"
    hear(me, "Nan", action["text"], **action["data"])
    assert regard(me, "Bram") > 0
    assert me.knowledge.quarrels == {}


def test_a_wrong_is_told_to_ones_face_in_the_second_person() -> None:
    assert quarrels.as_told_to("bears a grudge") == "bear a grudge"
    assert quarrels.as_told_to("is always about") == "are always about"
    assert quarrels.as_told_to("broke our contract") == "broke our contract"


def test_who_has_done_its_part_looks_again_when_it_has_become_silent() -> None:
    rufus = person("Rufus")
    day(rufus, MORNING + 1_000, **FLOOD)
    hear(rufus, "Nan", ".", event=DAM)
    rufus.knowledge.notes |= {"answered": 3 * DAY_TICKS, "answered on": 2}
    day(rufus, rufus.tick + lulls.STALE_TICKS - 1, **FLOOD)
    assert not event_answers.is_second_look_due(rufus)
    day(rufus, rufus.tick + 200, **FLOOD)
    assert event_answers.is_second_look_due(rufus)
    plan = next(event_answers.look_again(rufus))
    assert plan is not None
    (request,) = plan.requests
    assert request.action["channel"] == "MARKET"
    assert request.action["data"]["event"]["step"] == "plan"
    assert texts([request.action]) == [
        "I look after the flood that may come once more, 34 steps south of the plaza."
    ]


def silent_for(me: Villager, ticks: int, start: int = MORNING + 500) -> None:
    """Nobody has said anything that people talk of, for so long."""
    day(me, start)
    me.knowledge.notes |= {f"news {kind}": start for kind in ("event", "quarrel")}
    me.knowledge.notes["news"] = start
    day(me, start + ticks)


def test_a_question_before_everybody_breaks_a_silence() -> None:
    """Also when there is no event and nobody has a grudge."""
    people = {name: person(name) for name in ROSTER}
    highlights = Highlights()
    for me in people.values():
        silent_for(me, lulls.QUESTION_TICKS - 1)
        assert small_talk.break_silence(me) == []
        assert quarrels.make_up(me) == []
        silent_for(me, lulls.QUESTION_TICKS + 100)
    asker = people["Nan"]
    (asked,) = small_talk.break_silence(asker)
    assert asked["channel"] == "MARKET"
    other = people[asked["text"].partition(",")[0]]
    for me in people.values():
        hear(me, "Nan", asked["text"], **asked["data"])
        assert small_talk.break_silence(me) == [], "one asks, and not all at once"
    day(other, other.tick + small_talk.ANSWER_TICKS)
    (answered,) = small_talk.answer(other)
    assert answered["channel"] == "MARKET"
    for name, said in (("Nan", asked), (other.name, answered)):
        event = {"kind": "CHAT", "from": IDS[name], "text": said["text"], "data": said["data"]}
        highlights.take(event, other.tick, IDS)
    assert highlights.count == 1
    for me in people.values():
        hear(me, other.name, answered["text"], **answered["data"])
        assert lulls.silence(me) == 0
    assert asker.waits_for is None, "it was answered"


def test_when_no_answer_comes_somebody_else_asks_somebody_else() -> None:
    nan = person("Nan")
    rufus = person("Rufus")
    silent_for(nan, lulls.QUESTION_TICKS + 100)
    (asked,) = small_talk.break_silence(nan)
    silent_for(rufus, lulls.QUESTION_TICKS + 100)
    hear(rufus, "Nan", asked["text"], **asked["data"])
    silent_for(rufus, lulls.QUESTION_TICKS + 100 + small_talk.QUIET_TICKS)
    (again,) = small_talk.break_silence(rufus)
    assert again["data"]["ask"]["to"] != asked["data"]["ask"]["to"]
    assert lulls.silence(rufus) > lulls.QUESTION_TICKS, "a question alone is no news"


def test_nobody_chats_while_people_talk_of_something_else() -> None:
    """A question is told like any other news, so it keeps out of the way of the others."""
    near = [{"id": IDS["Nan"], "type": "AGENT", "pos": [1, 27, 0]}]
    me = person("Gytha")
    silent_for(me, lulls.FRESH_TICKS - 1)
    look(me, me.tick, entities=near)
    assert small_talk.chat(me) == []
    look(me, me.tick + 1, entities=near)
    assert len(small_talk.chat(me)) == 1


def test_the_mayor_calls_a_feast_at_last_if_there_is_food_and_once_a_day() -> None:
    plenty = {"BERRIES": customs.FEAST_FOOD}
    maud = person("Maud")
    bram = person("Bram")
    for me in (maud, bram):
        silent_for(me, lulls.FEAST_TICKS)
        me.knowledge.mayor = "Maud"
        me.knowledge.spare = dict(plenty)
    assert not maud.is_hour(0.58, 0.66), "it is too early for the feast of the day"
    assert customs.is_feast_day(maud)
    assert not customs.is_feast_day(bram), "it is the mayor's to call"
    maud.knowledge.spare = {"BERRIES": 3}
    assert not customs.is_feast_day(maud)
    maud.knowledge.spare = dict(plenty)
    silent_for(maud, lulls.FEAST_TICKS - 1, start=MORNING + 1_200)
    assert not customs.is_feast_day(maud), "others come first"
    day(maud, maud.tick + 1)
    assert customs.is_feast_day(maud)
    maud.knowledge.notes["feast day"] = 2
    assert not customs.is_feast_day(maud), "one a day is enough"


def test_whatever_counts_is_said_where_everybody_hears_it() -> None:
    """Who has not heard what the others talk of falls in step with it."""
    me = person("Bram", have={"STONE": 8})
    me.knowledge.notes["owes"] = 4
    channels = []
    script = customs.pay_fine(me)
    for _ in range(12):
        plan = next(script, None)
        for request in () if plan is None else plan.requests:
            if request.action["type"] == "SAY":
                channels.append(request.action["channel"])
            request.outcome = Outcome(ok=True, event={})
    assert channels == ["MARKET"]
