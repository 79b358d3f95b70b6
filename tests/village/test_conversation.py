"""Villagers answer those who speak to them, in words, with ids for machines beside them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.village.lives import TOKENS, Founded, Guest
from thorp.village.answers import ANSWERS
from thorp.village.conversation import PATIENCE_TICKS
from thorp.village.headless import settle
from thorp.village.questions import Topic
from thorp.village.villager import Villager
from thorp.voxel.inputs import AnyInput
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

AWAKE_TICKS = 20
"""After this villagers have remembered who they are."""
TO_JORY = {
    "What do you sell?": "to spare",
    "Got any bread left?": "bread",
    "How much is a torch?": "torch",
    "What wares do you carry today?": "to spare",
    "What does the store want most?": "store",
    "Do you buy coal?": "coal",
    "Who are you?": "I am Jory",
    "Where are you?": "I am at",
    "What might a traveller purchase here?": "to spare",
    "May I know whom I am talking to?": "I am Jory",
    "I've lost my way, where is the plaza?": "The plaza is",
    "is there anything you are running low on?": "store",
}
TO_MAUD = {
    "What is there to do?": "contract",
    "Any work for me?": "contract",
    "How can I help?": "contract",
    "How do I become a citizen?": "plot",
    "Could I get a plot of land?": "plot",
    "Where is the terminal?": "The terminal is",
    "Which way to the crafting bench?": "The bench is",
    "Who is Bram?": "smith",
    "I would like to earn something": "contract",
    "Is there any employment going?": "contract",
    "who is in charge here": "Odile",
    "What time is it?": "It is",
}
TO_BRAM = {
    "What do you do for a living?": "I am Bram",
    "Have you seen Jory anywhere?": "Jory",
    "Where is the store?": "The store is",
    "I can't find the notice board": "The board is",
    "What are you doing?": ".",
    "How are you?": ".",
    "What's new?": ".",
    "Hello": "I am Bram",
    "Point me towards the smithy, would you": "The forge is",
    "Are there iron pickaxes in stock?": "iron pickaxe",
    "who minds the shop": "Jory",
    "Anything for me to do today?": ".",
}
TO_NAN = {
    "Do you like Jory?": "Jory",
    "who are your friends": "I",
    "What would you like best in life?": "What I want is a house of my own; ",
    "When is the next election?": "We elect one in 2 days",
    "How do I vote?": "whisper their choice to Odile",
    "Where do I find trees?": "ree",
    "Where am I?": "I am at",
    "Where can I sleep?": "hut of your own",
    "When will it be night?": "sleep from nine on",
    "Does anybody sell a pickaxe?": "pickaxe",
    "can I get something to eat here, I'm starving": "The store is",
    "well then, goodbye": "Farewell",
}
TO_WYSTAN = {
    "what did you do today?": "Today I built the cottage",
    "Where do you live?": "lamps on the plaza",
    "where's the well": "That I cannot tell you",
    "which way's north": "to the south z",
    "Who is the richest of you all?": "Jory sees most goods",
    "Who built the hall?": "Wystan, Elspeth, Rufus and Lettice",
    "What is this place?": "This is Thorp",
    "is it safe out there after dark": "cold at night",
    "so what's a contract then?": "read it at the terminal",
    "are you a real person": "a program",
    "Pardon me, where do the miners work?": "in the mine",
    "I'm freezing, is there a fire?": "The plaza is",
}


class Talk:
    """A village, and a guest who speaks to it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.guest = Guest(world, "Nell")
        self._instants: list[dict[str, Any]] = []
        self._village = settle(world, self._tick, TOKENS)
        self._pass(AWAKE_TICKS)

    def _tick(self, inputs: Sequence[AnyInput]) -> None:
        acts = [self.guest.asks(instants=self._instants)] if self._instants else []
        self._instants = []
        step(self.world, [*inputs, *acts])

    def _pass(self, ticks: int) -> None:
        for _ in range(ticks):
            self._village.step(self._tick)

    def ask(self, *instants: dict[str, Any], ticks: int = 40) -> list[dict[str, Any]]:
        """Send instants, let time pass, and return what the guest heard."""
        log = self.guest.body.event_log
        begin = log.next
        self._instants = [{"id": f"Q{begin}-{n}", **one} for n, one in enumerate(instants)]
        self._pass(ticks)
        events = [json.loads(event.text) for event in log.since(begin)]
        return [event for event in events if event["type"] == "CHAT" and event["from"] != self.body]

    def whisper(self, name: str, text: str) -> list[dict[str, Any]]:
        """Ask somebody alone, and return what that villager said."""
        villager = self.id_of(name)
        heard = self.ask({"type": "WHISPER", "to": villager, "text": text})
        return _whispers(heard, villager)

    def say(self, text: str) -> list[dict[str, Any]]:
        return self.ask({"type": "SAY", "text": text})

    def stand_beside(self, name: str) -> None:
        """Put the guest next to somebody, whatever lies between."""
        x, y, z = next(agent.position for agent in self.world.agents if agent.name == name)
        self.world.relocate(self.guest.body, (x + 1, y, z))

    def villager(self, name: str) -> Villager:
        """The program that lives in somebody's body."""
        return next(each for each in self._village.villagers if each.name == name)

    @property
    def body(self) -> str:
        return self.guest.body.id

    def id_of(self, name: str) -> str:
        return next(agent.id for agent in self.world.agents if agent.name == name)


def _whispers(heard: list[dict[str, Any]], villager: str) -> list[dict[str, Any]]:
    return [event for event in heard if event["from"] == villager and event["channel"] == "WHISPER"]


@pytest.fixture
def talk(founded: Founded) -> Talk:
    return Talk(founded(1337))


@pytest.mark.parametrize(
    ("name", "phrases"),
    [
        ("Jory", TO_JORY),
        ("Maud", TO_MAUD),
        ("Bram", TO_BRAM),
        ("Nan", TO_NAN),
        ("Wystan", TO_WYSTAN),
    ],
)
def test_a_villager_answers_twelve_whispered_questions(
    name: str, phrases: dict[str, str], talk: Talk
) -> None:
    talk.villager(name).knowledge.deeds = {"built cottage": 1}
    for phrase, words in phrases.items():
        texts = [event["text"] for event in talk.whisper(name, phrase)]
        assert texts, phrase
        assert any(words in text for text in texts), (phrase, texts)


def test_an_answer_carries_its_ids_for_machines(talk: Talk) -> None:
    (where,) = talk.whisper("Bram", "Where is the store?")
    assert where["data"]["places"]["store"].startswith("CHEST@")
    assert "CHEST@" not in where["text"]


def test_whoever_is_named_in_chat_answers_in_chat_and_nobody_else(talk: Talk) -> None:
    talk.stand_beside("Jory")
    heard = talk.say("Jory, what do you sell?")
    assert [
        (event["from"], event["channel"]) for event in heard if "to spare" in event["text"]
    ] == [(talk.id_of("Jory"), "LOCAL")]


def test_one_villager_answers_a_question_to_nobody(talk: Talk) -> None:
    talk.stand_beside("Jory")
    heard = [event for event in talk.say("Where is the terminal?") if event["channel"] == "LOCAL"]
    assert len([event for event in heard if "The terminal is" in event["text"]]) == 1


@pytest.mark.parametrize(
    ("name", "phrases"), [("Jory", TO_JORY), ("Maud", TO_MAUD), ("Bram", TO_BRAM)]
)
def test_a_villager_answers_the_same_questions_in_chat(
    name: str, phrases: dict[str, str], talk: Talk
) -> None:
    """Called by its name, it answers aloud; each third question, as people stroll away meanwhile."""
    for phrase, words in list(phrases.items())[::3]:
        talk.stand_beside(name)
        heard = talk.say(f"{name}, {phrase}")
        villager = talk.id_of(name)
        texts = [event["text"] for event in heard if event["from"] == villager]
        assert any(words in text for text in texts), (phrase, texts)


def test_what_a_villager_thinks_of_others_is_told_with_its_reason(talk: Talk) -> None:
    nan = talk.villager("Nan")
    nan.knowledge.regard = {"Jory": 5, "Corin": -4}  # and of nobody else
    nan.knowledge.reasons |= {"Jory": "trades fairly", "Corin": "broke our contract"}
    (friend,) = talk.whisper("Nan", "What do you think of Jory?")
    assert friend["text"] == "I like Jory, who trades fairly."
    (foe,) = talk.whisper("Nan", "is there anyone you cannot stand?")
    assert "I do not like Corin, who broke our contract." in foe["text"]
    assert foe["data"]["people"]["Corin"] == talk.id_of("Corin")


def test_words_that_ask_nothing_are_not_answered(talk: Talk) -> None:
    assert talk.whisper("Jory", "I like turtles") == []


def test_a_question_that_nobody_understands_is_answered_so(talk: Talk) -> None:
    (reply,) = talk.whisper("Jory", "Is the moon made of cheese?")
    assert "do not understand" in reply["text"]


def test_the_same_question_again_is_not_answered_twice(talk: Talk) -> None:
    assert talk.whisper("Jory", "Who are you?")
    assert talk.whisper("Jory", "Who are you?") == []


def test_many_questions_at_once_are_answered_within_the_rate_limit(talk: Talk) -> None:
    villager = talk.id_of("Jory")
    texts = ["Who are you?", "Where is the board?", "What time is it?", "What's new?", "Hello"]
    asked = [{"type": "WHISPER", "to": villager, "text": text} for text in texts]
    heard = talk.ask(*asked, ticks=PATIENCE_TICKS)
    answers = _whispers(heard, villager)
    assert len(answers) == len(texts)
    assert len({event["t"] for event in answers}) == len(texts)


def test_every_topic_has_an_answer() -> None:
    assert set(ANSWERS) == set(Topic)
