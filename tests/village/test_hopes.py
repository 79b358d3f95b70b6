"""Who is asked what it would like best names its own wish, and what it still lacks for it."""

import pytest

from tests.village.person import IDS, hear, look, person, texts
from thorp.village import small_talk
from thorp.village.answers import answer
from thorp.village.conversation import Asked
from thorp.village.hopes import hope
from thorp.village.knowledge import Wish
from thorp.village.questions import Question, Topic
from thorp.village.villager import Villager


def asked(me: Villager) -> str:
    """What somebody answers a neighbour who asks it."""
    ask = {"to": IDS[me.name], "about": "wish"}
    hear(me, "Odile", f"{me.name}, what would you like best?", ask=ask)
    look(me, me.tick + small_talk.ANSWER_TICKS, have=dict(me.inventory))
    (text,) = texts(small_talk.answer(me))
    return text


def who_wants(name: str, kind: str, thing: str = "", **have: int) -> Villager:
    me = person(name, have=have)
    me.knowledge.wish = Wish(kind, thing, me.tick)
    return me


def test_people_who_want_the_same_lack_something_else_for_it() -> None:
    people = [who_wants(name, "house") for name in ("Bram", "Gytha", "Nan", "Beatrix")]
    people[1].note_deed("brought BERRIES", 34)
    for me in people:
        me.knowledge.wanted = {"BRICK": 95}
        hear(me, "Odile", "The house at 9 27 9 is Odile's.", home={"of": "A1", "at": [9, 27, 9]})
    assert [asked(me) for me in people] == [
        "A house of my own; the next one is mine, and the builders are short of 95 bricks, Odile.",
        "A house of my own; 17 of us come before me, and today I brought 34 berries, Odile.",
        "A house of my own; 18 of us come before me, and the builders are short of 95 bricks, Odile.",
        "A house of my own; 20 of us come before me, and the builders are short of 95 bricks, Odile.",
    ]


def test_a_tool_is_lacking_in_the_store_or_in_the_purse() -> None:
    me = who_wants("Wystan", "tool", "IRON_AXE", STONE=12)
    me.knowledge.wanted = {"IRON_INGOT": 5}
    assert hope(me) == "an iron axe; Bram makes none while we are short of 5 iron ingots"
    me.knowledge.spare = {"IRON_AXE": 1}
    assert hope(me).endswith(
        "Jory wants the worth of 16 berries for it, and I can spare but 4 stone"
    )
    rich = who_wants("Wystan", "tool", "IRON_AXE", STONE=40)
    rich.knowledge.spare = {"IRON_AXE": 1}
    assert hope(rich) == "an iron axe; Jory has one, and I bring 32 stone for the axe"


def test_a_friend_an_office_and_a_bigger_house_are_lacking_otherwise() -> None:
    friend = who_wants("Gytha", "friend", "Nan", BERRIES=20)
    friend.knowledge.reasons = {"Nan": "trades fairly"}
    assert hope(friend) == "to have Nan for a friend; Nan trades fairly, and I have a berry for Nan"
    office = who_wants("Gytha", "office", "mayor")
    office.knowledge.mayor = "Corin"
    office.knowledge.standing = {"Gytha": 2}
    assert hope(office).endswith(
        "Corin has the office, and we vote in 3 days; twice I was well spoken of"
    )
    house = who_wants("Gytha", "bigger house", "9,27,9")
    house.knowledge.home = (9, 27, 9)
    assert "mine is 18 steps south-east of the plaza, and I asked today" in hope(house)


@pytest.mark.parametrize("kind", ["tool", "house", "bigger house", "friend", "office"])
def test_a_stranger_hears_the_same(kind: str) -> None:
    me = who_wants("Gytha", kind, {"tool": "IRON_AXE", "friend": "Nan"}.get(kind, ""))
    heard = Asked("A25", "What do you wish for?", False, me.tick, Question(Topic.WISH))
    assert answer(me, heard).text == f"What I want is {hope(me)}."


def test_who_wants_nothing_says_what_it_has() -> None:
    me = person("Gytha", have={"IRON_AXE": 1})
    me.knowledge.home = (9, 27, 9)
    have = "a house 18 steps south-east of the plaza and an iron axe"
    assert asked(me) in (f"I have all I want: {have}, Odile.", "I have all I want, Odile.")
