"""Decrees: what the mayor and the council have to say in the morning: what is ordered, and why.

The council's governors order works and goods at the terminal. The reeve reads there what is new,
and tells it with the lack or the event that speaks for it; who has taken an order of the days
before is told, too. The mayor opens the day with what became of the promise, and with what is
lacking most. Both say only what they know, so no two mornings are alike unless nothing has changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from thorp.protocol.obs import Position
from thorp.village import elections, errands, needs
from thorp.village.event_answers import EVENT_NAMES, centre
from thorp.village.hopes import short_of_materials
from thorp.village.town_plan import HOMES
from thorp.village.villager import Script, Villager
from thorp.village.wishes import article, sentence
from thorp.village.words import amount, building_name, item_name, listing

DEFENCES: Final = ("stone_wall_segment", "watch_tower", "town_gate")
STREETS: Final = ("road_segment", "road_turn", "paved_road")
LIGHTS: Final = ("COAL", "TORCH")
HARD_WEATHER: Final = ("COLD", "STORM")
WEATHER_WORDS: Final = {"COLD": "It is cold: come home early.", "STORM": "A storm blows."}
COLD_EVENTS: Final = ("COLD_SNAP", "STORM_FRONT")
FEAST_MEALS: Final = 50
"""Meals of eight that a feast takes."""
MEAL: Final = 8
DANGERS: Final = ("FLOOD_WARNING", "BANDIT_CAMP", "COLD_SNAP", "STORM_FRONT", "BLIGHT_ZONE")
MOST_TOLD: Final = 3
"""Orders that are told one by one; nobody listens to more."""
ONE_LEFT: Final = "one day is left to me"
LACKED: Final = "lacked "
ORDERED: Final = "ordered at "
MOST_ORDERED: Final = 12
"""Works that are remembered to have been ordered."""
ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")

Contract = Mapping[str, Any]


# The council, in the reeve's words


def told_orders(me: Villager, contracts: Sequence[Contract]) -> str:
    """What the council has ordered since the reeve told it last, and why; and who is at what it had
    ordered before."""
    city = me.knowledge.things.get("city")
    ours = [contract for contract in contracts if contract["poster"] == city]
    last = me.knowledge.notes.get("decreed", 0)
    new = [one for one in ours if _number(one) > last and one["state"] == "OPEN"]
    me.knowledge.notes["decreed"] = max([last, *map(_number, ours)])
    parts = [f"{_what(me, one)}{_again(me, one)}, {reason_for(me, one)}" for one in new[:MOST_TOLD]]
    orders = f"The council orders {'; and '.join(parts)}." if parts else ""
    old = " ".join(_at_work(me, ours)) or " ".join(_left_over(ours, new))
    return f"{orders} {old}".strip() or "The council has no new orders: nothing is lacking badly."


def _again(me: Villager, contract: Contract) -> str:
    """Whether the same work was ordered before, and is still not there."""
    if contract["kind"] != "BUILD":
        return ""
    x, _, z = _anchor(contract)
    note = f"{ORDERED}{contract['blueprint_id']} {x} {z}"
    last = me.knowledge.notes.pop(note, 0)
    me.knowledge.notes[note] = me.day
    for oldest in [one for one in me.knowledge.notes if one.startswith(ORDERED)][:-MOST_ORDERED]:
        del me.knowledge.notes[oldest]
    return f" once more, since that of day {last} does not stand" if last else ""


def _number(contract: Contract) -> int:
    return int(contract["contract_id"][1:])


def _at_work(me: Villager, contracts: Sequence[Contract]) -> Iterator[str]:
    """Who has taken what was ordered."""
    for contract in contracts[:MOST_TOLD]:
        worker = me.knowledge.name_of(contract["acceptor"] or "")
        if contract["state"] == "ACCEPTED" and worker is not None:
            yield f"{worker} is at {_thing(contract)} that it ordered."


def _left_over(contracts: Sequence[Contract], new: Sequence[Contract]) -> Iterator[str]:
    """What nobody has taken yet."""
    waiting = [one for one in contracts if one["state"] == "OPEN" and one not in new]
    for contract in waiting[:1]:
        yield f"Nobody has taken {_thing(contract)} yet."


def _thing(contract: Contract) -> str:
    """What is ordered, as something that was heard of before: `the lamp post`, `the coal`."""
    if contract["kind"] == "BUILD":
        return f"the {building_name(contract['blueprint_id'])}"
    names = [item_name(stack["item"], stack["count"]) for stack in contract["requirements"]]
    return f"the {listing(names)}"


def _what(me: Villager, contract: Contract) -> str:
    """What is ordered: `a stone wall 34 steps north of the plaza`, `5 coal`."""
    if contract["kind"] == "BUILD":
        name = article(building_name(contract["blueprint_id"]))
        return f"{name} {me.knowledge.whereabouts(_anchor(contract))}"
    return listing([amount(stack["item"], stack["count"]) for stack in contract["requirements"]])


def _anchor(contract: Contract) -> Position:
    x, y, z = contract["anchor"]
    return int(x), int(y), int(z)


def reason_for(me: Villager, contract: Contract) -> str:
    """The lack or the event that speaks for an order."""
    if contract["kind"] == "BUILD":
        return _reason_for_work(me, contract["blueprint_id"])
    return _reason_for_goods(me, contract["requirements"][0]["item"])


def _reason_for_work(me: Villager, blueprint: str) -> str:
    event = me.obs.world.active_event
    if blueprint in DEFENCES:
        return bandits(me) or "for the town is open on that side"
    if blueprint in (*HOMES, "hut_small"):
        homeless = len(me.knowledge.ids) - me.knowledge.notes.get("homes", 0)
        return f"for {homeless} of us have no house" if homeless > 0 else "for newcomers to come"
    if blueprint in STREETS:
        is_wet = event == "FLOOD_WARNING" or me.obs.world.weather in HARD_WEATHER
        return "before the ground is mud" if is_wet else "where everybody walks through the grass"
    if blueprint == "lamp_post":
        return bandits(me) or "where the watch walks in the dark"
    if blueprint == "storehouse":
        return f"for the store is full of {_plenty(me)}"
    return f"the {_nth(me, blueprint)} of the town"


def _nth(me: Villager, blueprint: str) -> str:
    stands = me.knowledge.notes.get(f"stands {blueprint}", 0)
    return ORDINALS[stands] if stands < len(ORDINALS) else f"{stands + 1}th"


def _plenty(me: Villager) -> str:
    spare = me.knowledge.spare
    item = max(spare, key=lambda item: (spare[item], item), default="STONE")
    return item_name(item, 2)


def _reason_for_goods(me: Villager, item: str) -> str:
    world = me.obs.world
    lacking = me.knowledge.wanted.get(item, 0)
    stock = f"for the store is short of {lacking}" if lacking else ""
    if item in LIGHTS:
        is_cold = world.weather in HARD_WEATHER or world.active_event in COLD_EVENTS
        return "for the nights are cold" if is_cold else bandits(me) or stock or "to have light"
    if item in needs.FOODS:
        meals = _meals(me)
        return f"for there are {meals} meals for {len(me.knowledge.ids)} of us"
    if stock:
        return stock
    spare = me.knowledge.spare.get(item, 0)
    return f"to lay by beside the {spare} in the store" if spare else "for the treasury has none"


def _meals(me: Villager) -> int:
    """Meals in the store, as far as it has heard."""
    spare = me.knowledge.spare
    return sum(value * spare.get(item, 0) for item, value in needs.FOODS.items()) // MEAL


def bandits(me: Villager) -> str:
    """Where bandits camp, as a reason; empty if there are none."""
    place = centre(me)
    if me.obs.world.active_event != "BANDIT_CAMP" or place is None:
        return ""
    return f"for bandits camp {me.knowledge.whereabouts(place)}"


def matter_of_the_day(me: Villager) -> str:
    """What everybody should know this morning: the event that is on, or the weather."""
    event = me.obs.world.active_event
    name = EVENT_NAMES.get(event, "") if isinstance(event, str) else ""
    place = centre(me)
    if name:
        way = "" if place is None else f", {me.knowledge.whereabouts(place)}"
        return f"{'Mind' if event in DANGERS else 'Come and see'} {name}{way}."
    if me.obs.world.weather in HARD_WEATHER:
        return (
            "It is cold: come home early." if me.obs.world.weather == "COLD" else "A storm blows."
        )
    return ""


# The mayor


def open_council(me: Villager) -> Script[bool]:
    """The mayor comes to the plaza at dawn, and says which works come first, and why."""
    me.knowledge.notes["opened on"] = me.day
    me.learn()
    promise = me.knowledge.promise
    me.intent = f"Opening the council: I promised {elections.promises_of(promise)}."
    yield from errands.to_plaza(me, (2, -4), 2)
    yield from errands.tell(me, opening(me), data={"priority": {"promise": promise}})
    return True


def opening(me: Villager) -> str:
    """What the mayor says in the morning: the promise, what became of it, what is lacking most."""
    return " ".join(filter(None, ("I open the council.", _promise(me), _first_lack(me))))


def _promise(me: Villager) -> str:
    promise = me.knowledge.promise
    words = elections.promises_of(promise)
    since = me.knowledge.notes.get("mayor since", 0)
    if me.day <= since + 1:
        return f"I promised you {words}; let us see to that first."
    if promise == "feast":
        return _feast(me, since)
    kinds = elections.priority(me)
    ordered = [work.what.strip() for work in me.knowledge.works.values() if work.kind == "BUILD"]
    begun = [article(building_name(kind)) for kind in ordered if kind in kinds]
    office = f"This is day {me.day - since} of my office"
    if begun:
        return f"{office}: I promised you {words}, and {listing(begun[:2])} is on order."
    short = short_of_materials(me)
    why = f" while we are {short}" if short else "; the store has what it takes"
    return f"{office}: of {words} that I promised nothing is on order today{why}."


def _feast(me: Villager, since: int) -> str:
    held = me.knowledge.notes.get("feast day", 0)
    if held < since:
        return f"The feast that I promised takes {FEAST_MEALS} meals, and we have {_meals(me)}."
    days = elections.days_until(me)
    left = "today is my last day" if days < 1 else f"{days} days are left to me"
    return f"The feast that I promised was held on day {held}; {left if days != 1 else ONE_LEFT}."


def _first_lack(me: Villager) -> str:
    """What comes first beside that: the event, what has become scarcer since the last morning, or
    what the store is shortest of."""
    wanted = {item: count for item, count in me.knowledge.wanted.items() if item in needs.TARGETS}
    before = {item: me.knowledge.notes.get(f"{LACKED}{item}") for item in needs.TARGETS}
    me.knowledge.notes |= {f"{LACKED}{item}": wanted.get(item, 0) for item in needs.TARGETS}
    event = bandits(me)
    if event:
        return f"Keep together today, {event}."
    risen = {
        item: (count - known) / needs.TARGETS[item]
        for item, count in wanted.items()
        if (known := before[item]) is not None and count > known
    }
    if risen:
        item = max(risen, key=lambda name: (risen[name], name))
        had = needs.TARGETS[item] - (before[item] or 0)
        has = needs.TARGETS[item] - wanted[item]
        return f"Of {item_name(item, 2)} there are {has} left, and there were {max(0, had)}."
    if not wanted:
        return "The store lacks nothing."
    return f"What we lack most is {_lack(wanted)}."


def _lack(wanted: Mapping[str, int]) -> str:
    """What the store is shortest of, by share of its target: `coal: 28 of 40`."""
    item = max(wanted, key=lambda item: (wanted[item] / needs.TARGETS[item], item))
    target = needs.TARGETS[item]
    if wanted[item] >= target:
        return f"{item_name(item, 2)}, of which there is none left"
    return f"{item_name(item, 2)}: {wanted[item]} of {target}"


def morning(me: Villager, stands: int) -> str:
    """The reeve's greeting: the day, what stands, and what is new since yesterday."""
    before = me.knowledge.notes.get("stood", 0)
    me.knowledge.notes["stood"] = stands
    more = stands - before
    gain = f", {more} more than yesterday" if before and more > 0 else ""
    gain = gain or (", as many as yesterday" if before else "")
    greeting = f"Good morning! Day {me.day}: {stands} works of our plan stand{gain}."
    return sentence(f"{greeting} {matter_of_the_day(me)}".strip())
