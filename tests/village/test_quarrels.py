"""A quarrel has two sides, steps that are said in public, and an outcome."""

import pytest

from tests.village.person import IDS, hear, look, person, texts
from thorp.village import quarrels, storekeeper
from thorp.village.knowledge import Quarrel
from thorp.village.regard import feel, regard
from thorp.village.villager import Villager

SCENE = ("Wystan", "Rufus", "Odile")
"""The plaintiff, the defendant, and the judge while there is no mayor."""


def scene(*names: str, cause: str = "took C000012 before me") -> dict[str, Villager]:
    """Some villagers, of whom the first has a grudge against the second."""
    people = {name: person(name, have={"STONE": 9, "BREAD": 3}) for name in names}
    feel(people[names[0]], names[1], -6, cause)
    return people


def clocked(people: dict[str, Villager]) -> list[str]:
    """The steps of a quarrel, taken one after the other at the ticks at which they are due."""
    steps: list[str] = []
    tick = 2_000
    for _ in range(12):
        for name, me in people.items():
            hour = 1_500 + tick % 3_000
            look(me, tick, have=dict(me.inventory), world={"time_of_day": hour / 6_000})
            for action in quarrels.act(me):
                if action["type"] == "SAY":
                    steps.append(f"{name}: {action['data']['quarrel']['step']}")
                    for other in people.values():
                        look(other, tick, have=dict(other.inventory))
                        hear(other, name, action["text"], **action["data"])
        tick += 900
    return steps


def test_who_is_mild_is_sorry_and_it_is_settled() -> None:
    mild = of_temper(quarrels.MILD)
    plaintiff = of_temper(quarrels.STUBBORN)
    people = scene(plaintiff, mild, "Odile")
    steps = clocked(people)
    assert steps[:3] == [f"{plaintiff}: complaint", f"{mild}: apology", f"{plaintiff}: peace"]
    assert people[plaintiff].knowledge.quarrels == {}
    assert regard(people[plaintiff], mild) > -3


def of_temper(temper: int, *, but: str = "") -> str:
    """Somebody of a temper who is no judge."""
    names = [name for name in IDS if name not in ("Odile", but)]
    return next(name for name in names if quarrels.temper(person(name)) == temper)


def test_a_judge_finds_for_whoever_was_wronged_and_the_proud_pay() -> None:
    proud = of_temper(1)
    plaintiff = of_temper(1, but=proud)
    people = scene(plaintiff, proud, "Odile", cause="broke contract C000012")
    steps = clocked(people)
    assert [step.split(": ")[1] for step in steps[:6]] == [
        *("complaint", "denial", "appeal", "guilty", "payment", "peace")
    ]
    assert steps[3].startswith("Odile")


def test_who_refuses_to_pay_is_in_a_feud_that_ends_after_some_days() -> None:
    stubborn = of_temper(quarrels.STUBBORN)
    plaintiff = of_temper(1)
    people = scene(plaintiff, stubborn, "Odile", cause="broke contract C000012")
    steps = [step.split(": ")[1] for step in clocked(people)]
    assert steps[4:6] == ["refusal", "feud"]
    wronged = people[plaintiff]
    assert stubborn in wronged.knowledge.feuds
    assert quarrels.is_grudging(wronged, stubborn)
    late = wronged.tick + quarrels.FEUD_TICKS
    look(wronged, late, world={"time_of_day": 0.5})
    (action,) = quarrels.act(wronged)
    assert action["data"]["quarrel"]["step"] == "peace"
    hear(wronged, plaintiff, action["text"], **action["data"])
    assert wronged.knowledge.feuds == {}


def test_the_mayor_judges_unless_it_is_a_party() -> None:
    me = person("Nan")
    quarrel = Quarrel(
        plaintiff="Nan", defendant="Rufus", cause="shouted at me", step="denial", tick=1
    )
    assert quarrels.judge_for(me, quarrel) == "Odile"
    me.knowledge.mayor = "Gytha"
    assert quarrels.judge_for(me, quarrel) == "Gytha"
    me.knowledge.mayor = "Rufus"
    assert quarrels.judge_for(me, quarrel) == "Odile"


def test_strangers_and_third_parties_take_no_steps() -> None:
    me = person("Rufus")
    mark = {"by": IDS["Wystan"], "against": IDS["Rufus"], "cause": "lied", "step": "complaint"}
    hear(me, "A25", "Rufus, you lied.", quarrel=mark)
    hear(me, "Nan", "Rufus, you lied.", quarrel=mark)
    hear(me, "Wystan", "Rufus, you lied.", quarrel={**mark, "step": "hanging"})
    hear(me, "Wystan", "Rufus, you lied.", quarrel={**mark, "by": 7})
    assert me.knowledge.quarrels == {}
    hear(me, "Wystan", "Rufus, you lied.", quarrel=mark)
    assert list(me.knowledge.quarrels) == ["Wystan and Rufus"]


def test_nobody_begins_a_quarrel_while_another_is_the_talk_of_the_town() -> None:
    me = scene(*SCENE)["Wystan"]
    mark = {"by": IDS["Nan"], "against": IDS["Gytha"], "cause": "lied", "step": "complaint"}
    hear(me, "Nan", "Gytha, you lied.", quarrel=mark)
    assert quarrels.act(me) == []
    look(me, me.tick + 2 * quarrels.TALK_TICKS)
    assert len(quarrels.act(me)) == 1


@pytest.mark.parametrize("hour", [0.1, 0.9])
def test_nobody_quarrels_at_night(hour: float) -> None:
    me = scene(*SCENE)["Wystan"]
    look(me, me.tick + 10, world={"time_of_day": hour})
    assert quarrels.act(me) == []


def test_an_apology_comes_with_a_gift_that_is_taken() -> None:
    mild = of_temper(quarrels.MILD)
    people = scene("Wystan", mild, "Odile")
    for me in people.values():
        look(me, 3_000, have={"STONE": 9, "BREAD": 3})
    complaint = quarrels.act(people["Wystan"])
    assert "took C000012 before me" in texts(complaint)[0]
    hear(people[mild], "Wystan", complaint[0]["text"], **complaint[0]["data"])
    look(people[mild], people[mild].tick + 200, have={"STONE": 9, "BREAD": 3})
    apology, gift = quarrels.act(people[mild])
    assert "1 bread" in apology["text"]
    offer = {"type": "TRADE_OFFER", "from": IDS[mild], "trade_id": "TR1", "t": 1}
    people["Wystan"]._hear({**offer, "offer": gift["offer"], "request": gift["request"]})
    taken = quarrels.accept_gifts(people["Wystan"])
    assert taken == [{"type": "ACCEPT_TRADE", "trade_id": "TR1"}]


def test_a_grudge_keeps_tools_from_somebody_and_nothing_else() -> None:
    jory = person("Jory")
    feel(jory, "Corin", -10, "broke contract C000012")
    offer = {"request": [["IRON_AXE", 1]], "offer": [["STONE", 9]]}
    meal = {"request": [["BREAD", 2]], "offer": [["STONE", 6]]}
    assert storekeeper.is_shunned(jory, IDS["Corin"], offer)
    assert not storekeeper.is_shunned(jory, IDS["Corin"], meal)
    upkeep = {"request": [["IRON_INGOT", 1]], "offer": [["STONE", 6]]}
    assert not storekeeper.is_shunned(jory, IDS["Corin"], upkeep)
    assert not storekeeper.is_shunned(jory, IDS["Nan"], offer)
    assert not storekeeper.is_shunned(jory, "A25", offer)
