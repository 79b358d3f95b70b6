"""Whom an agent knows: names from what is said, places from what is seen."""

from __future__ import annotations

import msgspec
import pytest

from tests.client.test_hearsay import chat
from tests.protocol import samples
from thorp.client import people
from thorp.client.people import People, Person
from thorp.protocol.obs import Obs


def seen(agent_id: str, x: int, tick: int) -> Obs:
    entity = {"id": agent_id, "type": "AGENT", "pos": [x, 20, 0]}
    chest = {"id": "CHEST@1,20,1", "type": "CHEST", "pos": [1, 20, 1]}
    return msgspec.convert(samples.obs(tick, entities=[entity, chest]), Obs)


def test_somebody_is_known_by_its_name_and_where_it_was_last_seen() -> None:
    met = People()
    met.take(chat(text="I am Jory, storekeeper of Thorp.", speaker="A11"))
    assert met.find("Jory") == Person(id="A11", name="Jory", pos=None, seen_tick=None)
    met.look(seen("A11", 4, tick=9))
    met.look(seen("A12", 5, tick=12))
    assert met.find("Jory") == Person(id="A11", name="Jory", pos=(4, 20, 0), seen_tick=9)
    assert met.find("A11") == met.find("Jory")
    assert met.find("A12") == Person(id="A12", name="", pos=(5, 20, 0), seen_tick=12)
    assert met.find("CHEST@1,20,1") is None
    assert met.find("Bram") is None


def test_names_come_with_the_words_of_others() -> None:
    met = People()
    met.take(chat({"people": {"Jory": "A11", "Bram": "A2", "Nobody": 7, "Odd": "B2"}}))
    assert [(met.find(name) or Person("", "", None, None)).id for name in ("Jory", "Bram")] == [
        "A11",
        "A2",
    ]
    assert met.find("Nobody") is None
    assert met.find("Odd") is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Good morning! I am Sawyer.", "Sawyer"),
        ("I am O'Hara, and I sell coal.", "O'Hara"),
        ("I am Ömer!", "Ömer"),
        ("I am here", "here"),
        ("I am looking for Jory.", None),
        ("Who am I?", None),
        ("I am 7.", None),
    ],
)
def test_an_introduction_is_read(text: str, name: str | None) -> None:
    met = People()
    met.take(chat(text=text, speaker="A30"))
    person = met.find("A30")
    assert (person.name if person else None) == name


def test_the_first_who_bears_a_name_keeps_it() -> None:
    met = People()
    met.take(chat(text="I am Jory.", speaker="A11"))
    met.take(chat({"people": {"Jory": "A99"}}, text="I am Jory.", speaker="A99"))
    person = met.find("Jory")
    assert person is not None
    assert person.id == "A11"


def test_a_crowd_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MAX_PEOPLE", 3)
    met = People()
    for number in range(1, 8):
        met.take(chat(text=f"I am N{'o' * number}.", speaker=f"A{number}"))
        met.look(seen(f"A{number}", number, tick=number))
    assert met.find("A1") is None
    assert [met.find(f"A{number}") is not None for number in (5, 6, 7)] == [True] * 3
    met.forget()
    assert met.find("A7") is None
