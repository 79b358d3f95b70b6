"""Evenings have stories of the day, nights a watch that says what it sees, mornings early risers."""

from typing import Any

import pytest

from tests.village.person import IDS, hear, look, person, texts
from thorp.village import evenings, mornings, night_watch, small_talk, tales
from thorp.village.knowledge import Tale, read, write
from thorp.village.regard import feel
from thorp.village.roster import ROSTER
from thorp.village.villager import Villager

EVENING = 4_700
MIDNIGHT = 12_050


def near(*names: str, at: tuple[int, int, int] = (2, 27, 0)) -> list[dict[str, Any]]:
    return [{"id": IDS[name], "type": "AGENT", "pos": list(at)} for name in names]


def quarrel(step: str, **more: str) -> dict[str, Any]:
    mark = {"by": IDS["Rufus"], "against": IDS["Lettice"], "step": step, **more}
    return {"quarrel": {"cause": "took a contract before me", **mark}}


def teller(name: str = "Gytha") -> Villager:
    return person(name, tick=EVENING, entities=near("Nan"))


# Tales


@pytest.mark.parametrize(
    ("speaker", "text", "data", "tale"),
    [
        (
            "Rufus",
            ".",
            quarrel("complaint"),
            "Rufus and Lettice are at odds, since Lettice took a contract before Rufus",
        ),
        (
            "Odile",
            ".",
            quarrel("guilty", judge=IDS["Odile"]),
            "Odile judged for Rufus: Lettice took a contract before Rufus",
        ),
        ("Lettice", ".", quarrel("payment", judge="A1"), "Lettice paid Rufus what Odile had asked"),
        (
            "Odile",
            ".",
            {"election": {"state": "decided", "winner": IDS["Corin"], "votes": {IDS["Corin"]: 9}}},
            "Corin is mayor, with 9 votes",
        ),
        ("Corin", "Feast!", {"feast": {"host": "A4"}}, "Corin fed all of us at the feast"),
        (
            "Wystan",
            "I have found 4 iron ingots!",
            {"event": {"id": "RUINS_GATE", "step": "done"}},
            "Wystan came back with 4 iron ingots",
        ),
        (
            "Odile",
            ".",
            {"home": {"at": [18, 27, 0], "of": IDS["Bram"]}},
            "Bram got the house 18 steps east of the plaza",
        ),
        (
            "Sibyl",
            ".",
            {"wish": {"kind": "tool", "thing": "IRON_AXE", "state": "fulfilled"}},
            "Sibyl has an iron axe at last",
        ),
        ("Bram", ".", {"gift": {"to": IDS["Odile"], "item": "BERRIES"}}, "Bram gave Odile a berry"),
        ("Elspeth", "The hall stands.", {}, "Elspeth finished the hall"),
    ],
)
def test_what_was_heard_today_is_told_in_the_evening(
    speaker: str, text: str, data: dict[str, Any], tale: str
) -> None:
    me = teller()
    hear(me, speaker, text, **data)
    told = tales.tell(me)
    assert told is not None
    assert tale in told[0]
    assert told[1]["tale"]["to"] == IDS["Nan"]
    assert tales.tell(me) is None, "once"


@pytest.mark.parametrize(
    ("speaker", "text", "data"),
    [
        ("A25", "The hall stands.", {}),
        ("Rufus", ".", {"quarrel": {"by": "A99", "against": "A7", "step": "complaint"}}),
        ("Rufus", ".", quarrel("dance")),
        ("Nan", ".", {"wish": {"kind": "tool", "thing": "IRON_AXE", "state": "new"}}),
        ("Nan", "Nothing stands.", {}),
        ("Nan", ".", {"home": {"at": "here", "of": IDS["Bram"]}}),
        ("Nan", ".", {"gift": {"to": IDS["Gytha"], "item": "BREAD"}}),
    ],
)
def test_strangers_nonsense_and_what_concerns_the_teller_make_no_tale(
    speaker: str, text: str, data: dict[str, Any]
) -> None:
    me = teller()
    hear(me, speaker, text, **data)
    assert tales.tell(me) is None


def test_a_quarrel_is_told_by_its_last_step_and_before_smaller_things() -> None:
    me = teller()
    hear(me, "Rufus", ".", **quarrel("complaint"))
    hear(me, "Elspeth", "The hall stands.")
    hear(me, "Lettice", ".", **quarrel("refusal", judge=IDS["Odile"]))
    first = tales.tell(me)
    second = tales.tell(me)
    assert first is not None
    assert second is not None
    assert "Lettice will not pay Rufus, whatever Odile says" in first[0]
    assert "Elspeth finished the hall" in second[0]
    assert tales.tell(me) is None


def test_what_somebody_tells_is_news_to_nobody_who_heard_it() -> None:
    gytha = teller()
    bram = teller("Bram")
    for me in (gytha, bram):
        hear(me, "Elspeth", "The hall stands.")
    told = tales.tell(gytha)
    assert told is not None
    hear(bram, "Gytha", told[0], **told[1])
    assert tales.tell(bram) is None


def test_tales_are_of_today_and_few_and_are_kept_in_memory() -> None:
    me = teller()
    for name in ROSTER:
        if name not in ("Gytha", "Nan"):
            hear(me, name, "The hall stands.")
            hear(me, name, f"The {name.lower()} stands.")
    assert len(me.knowledge.tales) == tales.MOST_TALES
    assert read(write(me.knowledge)).tales == me.knowledge.tales
    look(me, me.tick + tales.DAY_TICKS)
    assert tales.tell(me) is None


@pytest.mark.parametrize(
    ("kind", "liking", "answer"),
    [
        ("quarrel", -5, "I am not surprised, Gytha: Lettice broke our contract."),
        ("quarrel", 5, "I stand by Lettice, Gytha, who broke our contract."),
        ("building", 5, "That is good for Lettice, Gytha, who broke our contract."),
        ("building", 0, "I saw nothing of Lettice today, Gytha; I brought 34 berries."),
        ("peace", 0, "Good that it is over, Gytha. I brought 34 berries meanwhile."),
    ],
)
def test_who_is_told_a_tale_answers_by_its_regard(kind: str, liking: int, answer: str) -> None:
    nan = person("Nan", tick=EVENING)
    nan.note_deed("brought BERRIES", 34)
    if liking:
        feel(nan, "Lettice", liking, "broke our contract")
    mark = {"of": "x", "kind": kind, "about": [IDS["Lettice"]], "to": IDS["Nan"]}
    hear(nan, "Gytha", "A tale.", tale=mark)
    assert tales.reply(nan) == [], "it thinks about it"
    look(nan, nan.tick + tales.REPLY_TICKS)
    assert texts(tales.reply(nan)) == [answer]
    assert tales.reply(nan) == []


@pytest.mark.parametrize(
    "mark",
    [
        {"of": 5, "kind": [], "about": "A7", "to": IDS["Nan"]},
        {"of": "x", "about": ["A99", 7], "to": IDS["Nan"]},
        {"of": "x", "kind": "quarrel", "about": [IDS["Rufus"]], "to": IDS["Bram"]},
        {},
    ],
)
def test_a_tale_that_is_none_or_for_somebody_else_is_not_answered(mark: dict[str, Any]) -> None:
    nan = person("Nan", tick=EVENING)
    hear(nan, "Gytha", "A tale.", tale=mark)
    hear(nan, "A25", "A tale.", tale={"about": [IDS["Rufus"]], "to": IDS["Nan"]})
    look(nan, nan.tick + tales.REPLY_TICKS)
    assert tales.reply(nan) == []


def test_the_tavern_hour_has_tales() -> None:
    me = person("Gytha", tick=EVENING, entities=near("Nan"))
    me.knowledge.tales = {
        "built": Tale("building", "Elspeth finished the hall", ["Elspeth"], 4_600)
    }
    me.knowledge.notes["talks"] = 1
    plan = next(evenings._talk(me))
    assert plan is not None
    assert "Elspeth finished the hall" in plan.requests[0].action["text"]


# The watch


def watchman(*people: dict[str, Any], index: int = 0, **world: Any) -> Villager:
    name = night_watch.pair_of(2)[index]
    me = person(name, tick=MIDNIGHT, entities=list(people), world=world)
    me.knowledge.notes["day"] = 3
    me.knowledge.houses = {"Nan": (2, 27, 0), "Bram": (0, 27, 9)}
    return me


def seen(me: Villager, **before: tuple[int, int, int]) -> dict[str, str]:
    return dict(night_watch.sights(me, before))


def test_the_watch_says_who_is_up_who_sleeps_and_who_is_not_at_home() -> None:
    me = watchman(*near("Nan", "Gytha"))
    assert seen(me, Nan=(2, 27, 0), Gytha=(6, 27, 0)) == {
        "up Gytha": "Gytha is still up, on the plaza",
        "asleep Nan": "Nan is asleep at home, on the plaza",
        "empty Bram": "Nobody is in at Bram's, 9 steps south of the plaza",
        "outside Gytha": "Gytha has no house, and sleeps on the plaza",
        "dark on the plaza": "It is dark on the plaza: a lamp is wanting",
    }


def test_the_watch_challenges_strangers_first_and_listens_for_bandits() -> None:
    stranger = {"id": "A25", "type": "AGENT", "pos": [4, 27, 0]}
    camp: dict[str, Any] = {"active_event": "BANDIT_CAMP", "active_event_center": [0, 27, 80]}
    sights = list(seen(watchman(stranger, **camp)).values())
    assert sights[0].startswith("Who goes there? A stranger 4 steps east of the plaza")
    assert "Bandits camp 80 steps south of the plaza: from here I hear nothing of it" in sights


def rounds(me: Villager) -> list[dict[str, Any]]:
    """What is said at the end of one stop of the round."""
    said = []
    for plan in night_watch._tell_sight(me, {}, 1):
        said += [request.action for request in plan.requests] if plan is not None else []
        break
    return said


def test_one_of_the_pair_calls_the_hour_and_the_other_does_not() -> None:
    first, second = (rounds(watchman(*near("Nan"), index=index)) for index in (0, 1))
    calls = [action["text"] for action in (*first, *second)]
    assert sum(text.startswith("Twelve o'clock. ") for text in calls) == 1


def test_what_the_mate_has_told_is_not_told_again() -> None:
    me = watchman(*near("Nan"))
    mate = night_watch.pair_of(2)[1]
    first = next(iter(seen(me)))
    night_watch.hear(
        me,
        {
            "type": "CHAT",
            "from": IDS[mate],
            "channel": "LOCAL",
            "text": ".",
            "data": {"watch": {"of": first, "sight": "Nan is asleep"}},
        },
    )
    assert night_watch.last_sight(me) == "Nan is asleep"
    assert first in me.night
    hear(me, mate, "Wystan, is all quiet?", ask={"to": IDS[me.name], "about": "watch"})
    look(me, me.tick + small_talk.ANSWER_TICKS)
    assert texts(small_talk.answer(me)) == [f"Nan is asleep, {mate}. Twelve o'clock."]


def test_the_watch_learns_from_the_reeve_who_lives_where() -> None:
    me = person("Wystan")
    hear(me, "Odile", ".", home={"at": [9, 27, 9], "of": IDS["Nan"]})
    hear(me, "A25", ".", home={"at": [1, 27, 1], "of": IDS["Bram"]})
    assert me.knowledge.houses == {"Nan": (9, 27, 9)}
    other = person("Gytha")
    hear(other, "Odile", ".", home={"at": [9, 27, 9], "of": IDS["Nan"]})
    assert other.knowledge.houses == {}


def test_the_night_is_summed_up_for_those_who_get_up() -> None:
    me = watchman()
    mate = night_watch.pair_of(2)[1]
    assert night_watch.night_report(me) == f"The night is over. {mate} and I saw nobody about."
    me.night = {"up Nan": ".", "empty Bram": ".", "outside Gytha": ".", "dark here": "."}
    assert night_watch.night_report(me) == (
        f"The night is over. {mate} and I saw this: Nan was up late; nobody was in at Bram's;"
        " 1 of us slept without a house."
    )


# Mornings


def early(name: str, **have: int) -> Villager:
    me = person(name, tick=6_000 + 1_300, have=have)
    me.job = "field"
    me.knowledge.notes["day"] = 2
    return me


def test_who_is_up_early_says_why() -> None:
    baker = early("Gytha", WHEAT=9)
    said = mornings.rise(baker)
    assert texts(said) == ["Up before you all: 9 wheat make 3 bread, to be eaten warm."]
    assert mornings.rise(baker) == [], "once a morning"
    miner = early("Tilda", IRON_PICKAXE=1)
    miner.knowledge.wanted = {"COAL": 28}
    assert texts(mornings.rise(miner)) == [
        "The store needs 28 coal; it is a long way down, with my iron pickaxe, so I go before the"
        " sun."
    ]


def test_one_of_each_trade_says_so_and_nobody_who_sleeps() -> None:
    gytha = early("Gytha")
    nan = early("Nan")
    hear(nan, "Gytha", ".", **mornings.rise(gytha)[0]["data"])
    assert mornings.rise(nan) == []
    sleeper = early("Beatrix")
    sleeper.job = "rest"
    assert mornings.rise(sleeper) == []
    noon = person("Gytha", tick=9_000)
    noon.job = "field"
    assert mornings.rise(noon) == []


@pytest.mark.parametrize("trade", sorted(mornings.REASONS))
def test_a_reason_names_what_is_lacking(trade: str) -> None:
    name = next(name for name, own in ROSTER.items() if own == trade)
    calm = mornings.REASONS[trade](early(name))
    me = early(name)
    me.knowledge.wanted = {
        "BREAD": 20, "COAL": 30, "IRON_INGOT": 9, "LOG": 20, "BERRIES": 90, "STONE": 9,
    }  # fmt: skip
    assert mornings.REASONS[trade](me) != calm
