"""The mayor and the council say what is ordered and why, and not the same every day."""

from typing import Any

from tests.village.person import IDS, person
from thorp.village import decrees
from thorp.village.knowledge import Offered
from thorp.village.villager import Villager


def contract(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "contract_id": f"C{number:06}",
        "poster": "ORG000001",
        "state": "OPEN",
        "acceptor": None,
        **fields,
    }


def work(number: int, blueprint: str, **fields: Any) -> dict[str, Any]:
    return contract(number, kind="BUILD", blueprint_id=blueprint, anchor=[20, 27, 0], **fields)


def wares(number: int, item: str, count: int = 5, **fields: Any) -> dict[str, Any]:
    asked = [{"item": item, "count": count}]
    return contract(number, kind="GATHER", requirements=asked, **fields)


def reeve(**world: Any) -> Villager:
    return person("Odile", tick=1_500, world=world)


CAMP = {"active_event": "BANDIT_CAMP", "active_event_center": [0, 27, 80]}


def test_an_order_names_its_thing_and_its_reason() -> None:
    me = reeve()
    me.knowledge.wanted = {"STONE": 40}
    told = decrees.told_orders(me, [work(3, "stone_wall_segment"), wares(4, "STONE")])
    assert told == (
        "The council orders a stone wall 20 steps east of the plaza, for the town is open on that"
        " side; and 5 stone, for the store is short of 40."
    )


def test_the_reason_follows_the_state_of_the_village() -> None:
    orders = [work(3, "watch_tower"), wares(4, "COAL")]
    calm = decrees.told_orders(reeve(), orders)
    cold = decrees.told_orders(reeve(weather="COLD"), orders)
    camp = decrees.told_orders(reeve(**CAMP), orders)
    assert len({calm, cold, camp}) == 3
    assert "for the nights are cold" in cold
    assert camp.count("for bandits camp 80 steps south of the plaza") == 2


def test_what_was_told_is_not_told_again_and_who_is_at_it_is() -> None:
    me = reeve()
    assert "The council orders a well" in decrees.told_orders(me, [work(3, "well")])
    assert decrees.told_orders(me, [work(3, "well")]) == "Nobody has taken the well yet."
    taken = work(3, "well", state="ACCEPTED", acceptor=IDS["Rufus"])
    assert decrees.told_orders(me, [taken]) == "Rufus is at the well that it ordered."
    assert "no new orders" in decrees.told_orders(me, [])
    again = decrees.told_orders(me, [work(9, "well")])
    assert (
        "a well 20 steps east of the plaza once more, since that of day 2 does not stand" in again
    )


def test_orders_of_others_are_not_the_councils() -> None:
    strange = work(3, "well") | {"poster": "A30"}
    assert "no new orders" in decrees.told_orders(reeve(), [strange])


def test_works_that_were_ordered_do_not_fill_the_memory() -> None:
    me = reeve()
    for number in range(100):
        order = work(number + 1, "well") | {"anchor": [number, 27, 0]}
        decrees.told_orders(me, [order])
    remembered = [note for note in me.knowledge.notes if note.startswith(decrees.ORDERED)]
    assert len(remembered) == decrees.MOST_ORDERED


def mayor(promise: str, **notes: int) -> Villager:
    me = person("Corin", tick=1_500)
    me.knowledge.mayor = "Corin"
    me.knowledge.promise = promise
    me.knowledge.notes |= {"mayor since": 5, "day": 8, **notes}
    return me


def test_the_mayor_tells_what_became_of_the_promise() -> None:
    first = mayor("feast", day=6)
    assert "I promised you a feast for everyone; let us see to that first." in decrees.opening(
        first
    )
    later = mayor("feast")
    later.knowledge.spare = {"BERRIES": 40}
    assert "takes 50 meals, and we have 20" in decrees.opening(later)
    held = mayor("feast", **{"feast day": 7})
    text = "The feast that I promised was held on day 7; 2 days are left to me."
    assert text in decrees.opening(held)
    held.knowledge.notes["day"] = 9
    assert "one day is left to me" in decrees.opening(held)
    lamps = mayor("lamps")
    lamps.knowledge.works = {"C000007": Offered("BUILD", "lamp_post", 1)}
    text = (
        "This is day 3 of my office: I promised you three more lamps, and a lamp post is on order."
    )
    assert text in decrees.opening(lamps)
    lamps.knowledge.works = {}
    lamps.knowledge.wanted = {"PLANK": 20}
    assert "nothing is on order today while we are short of 20 planks." in decrees.opening(lamps)


def test_the_mayor_names_what_is_lacking_most() -> None:
    me = mayor("lamps")
    me.knowledge.wanted = {"GLASS": 6, "COAL": 28}
    assert decrees.opening(me).endswith("What we lack most is glass, of which there is none left.")
    assert decrees.opening(me).endswith("What we lack most is glass, of which there is none left.")
    me.knowledge.wanted = {}
    assert decrees.opening(me).endswith("The store lacks nothing.")
    me.knowledge.wanted = {"COAL": 28, "GLASS": 1}
    assert decrees.opening(me).endswith("Of coal there are 12 left, and there were 40.")


def test_a_morning_tells_what_is_new() -> None:
    me = reeve(**CAMP)
    assert decrees.morning(me, 12) == (
        "Good morning! Day 2: 12 works of our plan stand."
        " Mind the bandits' camp, 80 steps south of the plaza."
    )
    assert "15 works of our plan stand, 3 more than yesterday." in decrees.morning(me, 15)
    assert "as many as yesterday" in decrees.morning(me, 15)
