"""Likings, wishes, thoughts, small talk, evenings, the watch, and answers to events."""

from typing import Any

import pytest

from tests.village.person import IDS, hear, look, person, texts
from thorp.observer.tape_recorder import SEGMENT_TICKS
from thorp.village import (
    evenings,
    event_answers,
    jobs,
    night_watch,
    small_talk,
    thoughts,
    wishes,
)
from thorp.village.knowledge import Knowledge, Offered, Wish, read, write
from thorp.village.regard import FRIEND, feel, heal, least_liked, reason, regard
from thorp.village.roster import ROSTER, TRADES
from thorp.village.villager import RETELL_TICKS
from thorp.village.works import _resent, deed_of, work_for_hire

# Likings


def test_a_liking_grows_from_what_others_did() -> None:
    me = person("Gytha")
    me._hear({"t": 5, "type": "TRADE_DONE", "with": IDS["Jory"], "trade_id": "TR1"})
    assert (regard(me, "Jory"), reason(me, "Jory")) == (1, "trades fairly")
    me._hear({"t": 6, "type": "TRADE_DONE", "with": IDS["Jory"], "trade_id": "TR2"})
    assert regard(me, "Jory") == 1, "once in a while"
    contract = {"type": "CONTRACT", "contract_id": "C1", "poster": IDS["Gytha"]}
    me._hear({**contract, "t": 7, "state": "FAILED", "acceptor": IDS["Corin"]})
    assert (least_liked(me), reason(me, "Corin")) == ("Corin", "broke our contract")
    _resent(me, {"acceptor": IDS["Nan"], "contract_id": "C2"})
    assert reason(me, "Nan") == "took a contract before me"
    assert read(write(me.knowledge)) == me.knowledge


def test_time_heals_but_not_a_feud() -> None:
    me = person("Gytha")
    feel(me, "Corin", -4, "lied")
    feel(me, "Nan", -4, "lied")
    me.knowledge.feuds = {"Nan": 1}
    heal(me)
    assert (regard(me, "Corin"), regard(me, "Nan")) == (-3, -4)


def test_nobody_has_feelings_for_itself_or_for_strangers() -> None:
    me = person("Gytha")
    feel(me, "Gytha", 5, "is the best")
    feel(me, "A25", 5, "came by")
    assert me.knowledge.regard == {}


def test_older_memories_are_read_with_nothing_at_stake() -> None:
    old = read('{"heard": 5, "ids": {"Odile": "A1"}, "notes": {"born": 0}}')
    assert (old.wish, old.regard, old.quarrels, old.mayor) == (None, {}, {}, "")
    assert old == Knowledge(heard=5, ids={"Odile": "A1"}, notes={"born": 0})


# Wishes


def test_who_has_no_house_wants_one_and_says_when_it_has_it() -> None:
    me = person("Gytha")
    wishes.think(me)
    assert me.knowledge.wish == Wish("house", "", me.tick)
    look(me, me.tick + wishes.THINK_TICKS)
    me.knowledge.home = (5, 27, 5)
    actions = wishes.think(me)
    assert texts(actions) == ["At last I have a house of my own!"]
    assert actions[0]["data"]["wish"]["state"] == "fulfilled"
    assert me.knowledge.wish is None
    look(me, me.tick + wishes.THINK_TICKS)
    assert texts(wishes.think(me))[0].startswith("What I want now is ")


@pytest.mark.parametrize(
    ("wish", "change"),
    [
        (Wish("tool", "IRON_AXE", 1), {"have": {"IRON_AXE": 1}}),
        (Wish("friend", "Nan", 1), {"regard": {"Nan": FRIEND}}),
        (Wish("office", "mayor", 1), {"mayor": "Gytha"}),
        (Wish("bigger house", "1,2,3", 1), {"home": (9, 27, 9)}),
    ],
)
def test_every_wish_can_be_reached(wish: Wish, change: dict[str, Any]) -> None:
    me = person("Gytha")
    me.knowledge.home = (1, 2, 3)
    assert not wishes.is_fulfilled(me, wish)
    look(me, me.tick + 1, have=change.pop("have", {}))
    for name, value in change.items():
        setattr(me.knowledge, name, value)
    assert wishes.is_fulfilled(me, wish)


def test_a_wish_is_the_reason_for_work() -> None:
    me = person("Gytha", have={"STONE": 30})
    me.knowledge.wish = Wish("tool", "IRON_AXE", 1)
    thought = thoughts.in_own_words(me, thoughts.thought_of(me, "market"))
    assert thought == "Taking 22 stone to the store."
    other = person("Nan", have={"STONE": 30})
    other.knowledge.wish = Wish("tool", "IRON_AXE", 1)
    thought = thoughts.in_own_words(other, thoughts.thought_of(other, "market"))
    assert thought == "Taking 22 stone to the store. I want an iron axe."
    assert thoughts.in_own_words(other, "Asleep at home.") == "Asleep at home."


def test_a_gift_makes_friends() -> None:
    nan = person("Nan", entities=[{"id": IDS["Gytha"], "type": "AGENT", "pos": [1, 27, 0]}])
    nan.knowledge.wish = Wish("friend", "Gytha", nan.tick)
    look(
        nan,
        nan.tick + 1,
        have={"BERRIES": 9},
        entities=[{"id": IDS["Gytha"], "type": "AGENT", "pos": [1, 27, 0]}],
    )
    offer, saying = wishes.think(nan)
    assert (offer["type"], offer["to"]) == ("OFFER_TRADE", IDS["Gytha"])
    gytha = person("Gytha")
    hear(gytha, "Nan", saying["text"], **saying["data"])
    assert regard(gytha, "Nan") == 3


# Thoughts


def test_who_takes_on_the_same_work_at_the_same_moment_thinks_of_it_in_its_own_way() -> None:
    """Of several who heard a call all set out, until one of them has said that it takes it."""
    told: set[str] = set()
    for name, x in (("Gytha", 30), ("Beatrix", 34), ("Clement", 30)):
        me = person(name, at=(x, 27, 0), have={"BERRIES": 20 + len(told), "WHEAT": 6})
        me.knowledge.works = {"C000113": Offered(kind="DELIVER", what="6 BERRIES", tick=1_900)}
        next(work_for_hire(me))
        assert me.intent.startswith("I took on C000113, to bring 6 berries; I am ")
        told.add(thoughts.in_own_words(me, me.intent))
    assert len(told) == 3


def test_who_gathers_the_same_at_one_place_thinks_of_whom_it_is_beside_and_of_its_bag() -> None:
    """As three foragers do who set out together, with the same bread baked that day."""
    told: set[str] = set()
    for number, name in enumerate(("Aldous", "Clement", "Gytha")):
        other = "Aldous" if name == "Clement" else "Clement"
        near = [{"id": IDS[other], "type": "AGENT", "pos": [1, 27, 0]}]
        me = person(name, entities=near, have={"BERRIES": 8 + number})
        me.note_deed("made BREAD", 4)
        assert thoughts.beside(me) == f", beside {other}"
        told.add(f"{thoughts.beside(me)}{thoughts.purse(me)}")
    assert len(told) == 3
    assert thoughts.beside(person("Nan")) == ""


def test_every_job_has_a_thought_with_its_object() -> None:
    names = {job.name for trade in TRADES.values() for job in trade}
    names |= {job.name for job in (*jobs.SURVIVAL, jobs.MARKET, jobs.ARRIVAL)}
    names |= {job.name for job in event_answers.JOBS} | {"tavern", "watch", "vote", "company"}
    for trade_name, trade in ROSTER.items():
        me = person(trade_name, have={"STONE": 30, "COAL": 9})
        for job in sorted(names):
            thought = thoughts.in_own_words(me, thoughts.thought_of(me, job))
            assert not thought.startswith("Busy with"), (job, trade)
            assert len(thought.encode()) <= 140, thought


def test_thoughts_say_what_and_how_much() -> None:
    me = person("Gytha", have={"STONE": 20, "COAL": 5})
    assert thoughts.thought_of(me, "market") == "Taking 12 stone and 3 coal to the store."
    me.knowledge.wanted = {"COAL": 40}
    assert thoughts.lack(me, "COAL") == "We are out of coal"
    me.knowledge.wanted = {"COAL": 12}
    assert thoughts.lack(me, "COAL") == "The store needs 12 coal"


def test_sleep_is_shown_as_sleep() -> None:
    me = person("Gytha")
    assert thoughts.sleep(me) == "Asleep by the lamps on the plaza."
    me.knowledge.home = (0, 27, 2)
    assert thoughts.sleep(me) == "Asleep at home."


def test_a_thought_is_not_told_too_soon_after_the_last_one() -> None:
    me = person("Gytha")
    me.intent = "One."
    me._tell_thought()
    me.intent = "Two."
    look(me, me.tick + 10)
    me._tell_thought()
    assert me.session.intent.startswith("One.")
    look(me, me.tick + 40)
    me._tell_thought()
    assert me.session.intent.startswith("Two.")


def test_sleep_is_told_again_in_every_stretch_of_the_past() -> None:
    """Who looks at a moment of the night sees who sleeps, though nobody has said a word since."""
    me = person("Gytha")
    me.intent = "Asleep at home."
    me._tell_thought()
    assert not me._is_thought_stale(), "it has just been told"
    assert me.wake_tick <= me.tick + RETELL_TICKS
    assert RETELL_TICKS == SEGMENT_TICKS
    for stretch in range(1, 4):
        look(me, 2_000 + stretch * RETELL_TICKS)
        assert me._is_thought_stale()
        me._thought_tick = me.tick
        assert not me._is_thought_stale()
    me.intent = "Up early."
    look(me, 4_000)
    me._tell_thought()
    look(me, 5_000)
    assert not me._is_thought_stale(), "who is awake soon thinks of something new"


# Small talk


def test_a_neighbour_who_asks_is_answered_with_what_one_did() -> None:
    me = person("Gytha")
    me.note_deed("brought BERRIES", 34)
    ask = {"to": IDS["Gytha"], "about": "day"}
    hear(me, "Nan", "Gytha, how was your day?", ask=ask)
    look(me, me.tick + small_talk.ANSWER_TICKS)
    assert texts(small_talk.answer(me)) == ["I brought 34 berries, Nan."]
    assert small_talk.answer(me) == []


def test_who_bears_a_grudge_does_not_answer() -> None:
    me = person("Gytha")
    feel(me, "Nan", -10, "lied")
    hear(me, "Nan", "Gytha, how was your day?", ask={"to": IDS["Gytha"], "about": "day"})
    look(me, me.tick + small_talk.ANSWER_TICKS)
    assert small_talk.answer(me) == []


def test_silence_is_remembered_and_an_answer_is_not() -> None:
    near = [{"id": IDS["Nan"], "type": "AGENT", "pos": [1, 27, 0]}]
    for is_answered in (True, False):
        me = person("Gytha", entities=near)
        small_talk.ask(me, "Nan", "day")
        if is_answered:
            hear(me, "Nan", "I slept all day.")
        look(me, me.tick + small_talk.FORGOTTEN_TICKS + 1)
        small_talk.chat(me)
        assert regard(me, "Nan") == (0 if is_answered else -2)


def test_the_watch_asks_each_other_at_night() -> None:
    pair = [name for name in ROSTER if night_watch.is_on_watch(on_night(name, 5_500))]
    near = [{"id": IDS[pair[1]], "type": "AGENT", "pos": [1, 27, 0]}]
    me = person(pair[0], tick=5_500, entities=near)
    me.knowledge.notes["day"] = 1
    assert texts(small_talk.chat(me)) == [f"{pair[1]}, is all quiet on your side?"]
    sleeper = person("Gytha", tick=5_500, entities=near)
    assert small_talk.chat(sleeper) == []


def test_a_question_to_another_or_of_a_stranger_is_left_alone() -> None:
    me = person("Gytha")
    hear(me, "Nan", "Bram, how was your day?", ask={"to": IDS["Bram"], "about": "day"})
    hear(me, "A25", "Gytha, how was your day?", ask={"to": IDS["Gytha"], "about": "day"})
    hear(me, "Nan", "Gytha, how are you?", ask={"to": IDS["Gytha"], "about": "nonsense"})
    assert me.asked == {}


def test_people_ask_their_neighbours_now_and_then() -> None:
    near = [{"id": IDS["Nan"], "type": "AGENT", "pos": [1, 27, 0]}]
    me = person("Gytha", entities=near)
    first = small_talk.chat(me)
    assert texts(first)[0].startswith("Nan, ")
    look(me, me.tick + 300, entities=near)
    assert small_talk.chat(me) == []


# Evenings and nights


def test_the_tavern_is_open_on_fair_evenings() -> None:
    me = person("Gytha", tick=4_700)
    assert evenings.is_open(me)
    look(me, 4_710, world={"weather": "COLD"})
    assert not evenings.is_open(me)
    look(me, 4_720, at=(200, 27, 0))
    assert not evenings.is_open(me)
    assert not evenings.is_open(person("Gytha", tick=3_000))


def test_praise_is_heard_by_all_and_felt_by_one() -> None:
    gytha = person("Gytha")
    nan = person("Nan")
    for me in (gytha, nan):
        hear(me, "Bram", "Here is to Nan.", praise={"of": IDS["Nan"]})
        hear(me, "Nan", "Here is to Nan.", praise={"of": IDS["Nan"]})
    assert gytha.knowledge.standing == nan.knowledge.standing == {"Nan": 1}
    assert (regard(nan, "Bram"), regard(gytha, "Bram")) == (1, 0)


def test_two_of_the_builders_watch_every_fair_night() -> None:
    for tick in (5_500, 11_500, 12_500):
        watching = [name for name in ROSTER if night_watch.is_on_watch(on_night(name, tick))]
        assert [ROSTER[name] for name in watching] == ["builder", "builder"]
    assert not any(night_watch.is_on_watch(on_night(name, 5_500, "COLD")) for name in ROSTER)
    assert not any(night_watch.is_on_watch(on_night(name, 3_000)) for name in ROSTER)


def on_night(name: str, tick: int, weather: str = "CLEAR") -> Any:
    me = person(name, tick=tick, world={"weather": weather})
    me.knowledge.notes["day"] = tick // 6_000 + 1
    return me


def test_the_watch_does_not_go_to_bed_and_the_others_do() -> None:
    people = [on_night(name, 5_500) for name in ROSTER]
    assert sum(not jobs.is_bedtime(me) for me in people) == 2


# Events


@pytest.mark.parametrize("event", sorted(event_answers.ANSWERS))
def test_somebody_answers_every_event(event: str) -> None:
    world = {
        "active_event": event,
        "active_event_ends_tick": 9_000,
        "active_event_center": [60, 27, 0],
        "active_event_radius": 20,
    }
    people = [person(name, tick=4_300, world=world) for name in ROSTER]
    due = [me for me in people if event_answers.is_due(me)]
    assert due
    for me in due:
        me.knowledge.notes |= {"answered": 9_000, "answered on": me.day}
        assert not event_answers.is_due(me), "once"
    quiet = person(due[0].name, tick=4_300)
    assert not event_answers.is_due(quiet)


def test_a_dam_is_cleared_when_the_water_did_not_come() -> None:
    flood = {"active_event": "FLOOD_WARNING", "active_event_ends_tick": 9_000}
    me = person("Rufus", tick=3_000, world=flood)
    me.knowledge.places["bag 1"] = (34, 27, 0)
    assert not event_answers.is_flood_over(me)
    look(me, 3_010)
    assert event_answers.is_flood_over(me)


def test_work_is_named_as_people_say_it() -> None:
    assert deed_of(Offered("BUILD", "brick_house", 1)) == "build a brick house"
    assert deed_of(Offered("GATHER", "6 COAL, 1 LOG", 1)) == "bring 6 coal and 1 log"
