"""Customs: what a village does together, and not every day.

feast        every fifth day, when it was promised, or when nothing else breaks a long silence, if
             the store can spare it: everyone near comes to the plaza and eats
expedition   where an event has left a chest, six go together, and bring home what is in it
lamps        at dusk builders set torches along the streets, where it is dark
case         those who have broken a contract are named on the board, and pay a fine to the city
"""

from typing import Final

from thorp.protocol.obs import Position
from thorp.village import decrees, elections, errands, lulls, needs, speech
from thorp.village.groundwork import surface
from thorp.village.jobs import Job, is_deep, is_night
from thorp.village.thoughts import deed, load, neighbour
from thorp.village.town_plan import STREETS
from thorp.village.villager import Script, Villager
from thorp.village.words import amount, direction

FEAST_EVERY_DAYS: Final = 5
# Not on the days of elections.
FEAST_DAY: Final = 2
CASE_EVERY_DAYS: Final = 2
FEAST_TICKS: Final = 350
# Hunger that the store's spare food must be good for: two loaves for everyone.
FEAST_FOOD: Final = 400
NEAR: Final = 40
TOASTS: Final = ("To Thorp!", "To whoever baked this!", "To those who build.", "A song, somebody!")
EXPLORERS: Final = ("Wystan", "Lettice", "Clement", "Ivo", "Oswin", "Dunstan")
WORTH_A_WALK: Final = ("RUINS_GATE", "BANDIT_CAMP")
FARTHEST: Final = 110
CHEST_REACH: Final = 6
MEETING_TICKS: Final = 250
# Others who must be there.
COMPANY: Final = 2
LAMP_EVERY: Final = 6
LAMPS_A_DAY: Final = 4
LIGHT_REACH: Final = 5
FINE: Final = (4, "STONE")


def is_day_of(me: Villager, what: str, every: int) -> bool:
    """Whether the reeve's days are up for something that is not done yet today."""
    days = me.knowledge.notes.get("days", 0)
    return days > 0 and days % every == 0 and me.knowledge.notes.get(what) != days


# Feasts


def is_feast_day(me: Villager) -> bool:
    """Whether the mayor should call a feast: it is time for one, it was promised, or nobody has had
    anything to talk about for long, and the store has food enough."""
    if not elections.acts_as_mayor(me):
        return False
    food = sum(value * me.knowledge.spare.get(item, 0) for item, value in needs.FOODS.items())
    since = me.knowledge.notes.get("mayor since", 0)
    is_promised = me.knowledge.promise == "feast" and me.knowledge.notes.get("feast day", 0) < since
    is_time = is_promised or me.day % FEAST_EVERY_DAYS == FEAST_DAY % FEAST_EVERY_DAYS
    is_due = is_time and me.is_hour(0.58, 0.66)
    has_feasted = me.knowledge.notes.get("feast day") == me.day
    if food < FEAST_FOOD or has_feasted or not me.knowledge.has_heard_of("store"):
        return False
    return is_due or (not is_deep(me) and lulls.is_slow(me, "feast", lulls.FEAST_TICKS))


def call_feast(me: Villager) -> Script[bool]:
    """Call everyone to the plaza, and open the feast."""
    me.knowledge.notes["feast day"] = me.day
    yield from errands.to_plaza(me)
    text = "Feast! Come to the plaza, there is food for all."
    yield from errands.tell(me, text, data={"feast": {"host": me.obs.agent_id}})
    return (yield from feast(me))


def is_invited(me: Villager) -> bool:
    """Whether a feast was called that it has not been to, and it is near enough to come."""
    called = me.knowledge.notes.get("feast", -FEAST_TICKS)
    is_on = called > me.knowledge.notes.get("feasted", -1) and me.tick < called + FEAST_TICKS
    return is_on and me.is_here(me.knowledge.place(0, 0), NEAR) and not is_deep(me)


def feast(me: Villager) -> Script[bool]:
    """A meal out of the store, in company."""
    me.knowledge.notes["feasted"] = me.tick
    me.learn()
    if me.trade not in errands.GUILD:  # they bring their own
        foods = filter(me.knowledge.spare.get, needs.FOODS)
        yield from errands.take(me, {item: me.have(item) + 1 for item in foods})
    yield from errands.to_plaza(me, (me.number % 7 - 3, me.number // 7 + 4), 1)
    if food := me.first_of(needs.FOODS):
        yield from me.do("EAT", item_id=food)
    toast = TOASTS[(me.number + me.tick) % len(TOASTS)]
    me.intent = f"At the feast beside {neighbour(me) or 'nobody'}; today I {deed(me)}."
    yield from me.say(toast)
    yield from me.wait(40)
    return True


# Expeditions


def event_place(me: Villager) -> Position | None:
    """Where there is something to fetch, if it is not too far."""
    world = me.obs.world
    (x, _, z) = me.knowledge.place(0, 0)
    place = world.active_event_center
    if world.active_event not in WORTH_A_WALK or not isinstance(place, tuple):
        return None
    return place if max(abs(place[0] - x), abs(place[2] - z)) <= FARTHEST else None


def may_explore(me: Villager) -> bool:
    """Whether it is a good hour and weather to visit the place of an event, one it has not seen
    yet."""
    is_fair = (
        me.is_hour(0.3, 0.6) and me.obs.world.weather not in ("COLD", "STORM") and not is_deep(me)
    )
    return is_fair and event_place(me) not in (None, me.knowledge.places.get("explored"))


def explore(me: Villager) -> Script[bool]:
    """Meet on the plaza, go together, take what is there, and bring it to the store."""
    place = event_place(me)
    is_risky = me.obs.world.active_event == "BANDIT_CAMP"
    if place is None or not (yield from errands.to_plaza(me, (3, 6), 4)):
        return False
    me.knowledge.places["explored"] = place
    me.learn()
    me.intent = f"Who comes along to the chest, {direction(me.position, place)}? I have {load(me)}."
    mark = {"id": me.obs.world.active_event, "step": "plan"}
    yield from errands.tell(me, "Who comes along to the old chest?", data={"event": mark})
    in_company = yield from me.wait_for(lambda: has_company(me), ticks=MEETING_TICKS)
    if (is_risky and not in_company) or not (yield from me.walk(place, 3)):
        return False
    for chest in [
        one for one in me.obs.entities if one.type == "CHEST" and me.away(one.pos) <= CHEST_REACH
    ]:
        yield from me.walk(chest.pos, 2, tries=1)
        for item, count in ((yield from errands.look_into(me, chest.id)) or {}).items():
            if (yield from me.fetch(chest.id, item, count)):
                found = {"id": me.obs.world.active_event, "step": "done"}
                yield from errands.tell(
                    me, f"I have found {amount(item, count)}!", data={"event": found}
                )
    return (yield from errands.hand_over(me, errands.surplus(me)))


def has_company(me: Villager) -> bool:
    """Whether enough of the other explorers are in sight."""
    mates = [me.knowledge.ids.get(name) for name in EXPLORERS]
    return sum(entity.id in mates for entity in me.obs.entities) >= COMPANY


# Lamps


def may_light_lamps(me: Villager) -> bool:
    """Whether it is the evening hour for lamps and the store can spare torches."""
    is_due = me.is_hour(0.68, 0.8) and not me.was_today("lamps")
    return is_due and not is_night(me) and me.knowledge.spare.get("TORCH", 0) > LAMPS_A_DAY


def light_lamps(me: Villager) -> Script[bool]:
    """Along the streets, one after the other, where no torch is near."""
    me.knowledge.notes["lamps"] = me.today
    if not (yield from errands.take(me, {"TORCH": LAMPS_A_DAY + needs.KEEP["TORCH"]})):
        return False
    lit = 0
    first = me.knowledge.notes.get("lamp", me.number * 40 % len(STREETS))
    for number in range(first, first + 10 * LAMP_EVERY, LAMP_EVERY):
        me.knowledge.notes["lamp"] = (number + LAMP_EVERY) % len(STREETS)
        dx, dz = STREETS[number % len(STREETS)]
        x, y, z = me.knowledge.place(dx + (dx > 0) - (dx < 0), dz + (dz > 0) - (dz < 0))
        me.intent = f"Is there light in the street {me.knowledge.whereabouts((x, y, z))}?"
        yield from me.walk((x, y, z), 2, tries=1)
        ground = surface(me, x, z)
        is_dark = all(me.away(torch) > LIGHT_REACH for torch in me.sight.find_all("TORCH"))
        if ground is not None and is_dark and lit < LAMPS_A_DAY:
            lit += bool((yield from me.place((x, ground, z), "TORCH")))
    return lit > 0


# Cases


def broken_contracts(me: Villager) -> list[str]:
    """The notes about contracts that somebody took and did not keep."""
    return [note for note in me.knowledge.notes if note.startswith("broken ")]


def has_case(me: Villager) -> bool:
    """Whether the court should sit today: a contract was broken, and the last case is long enough
    ago."""
    is_due = me.is_hour(0.55, 0.75) and is_day_of(me, "case day", CASE_EVERY_DAYS)
    return is_due and bool(broken_contracts(me))


def hear_case(me: Villager) -> Script[bool]:
    """Tell who did not keep a contract, and what that costs."""
    case = broken_contracts(me)[0]
    count, item = FINE
    culprit = f"A{me.knowledge.notes.pop(case)}"
    me.knowledge.notes["case day"] = me.knowledge.notes["days"]
    yield from me.save()
    name = next(name for name, one in me.knowledge.ids.items() if one == culprit)
    text = (
        f"{name} took {case.split()[1]} and did not keep it. {name} owes the city {count} {item}."
    )
    mark = {"by": me.obs.agent_id, "against": culprit, "step": "fine", "cause": case}
    yield from errands.tell(me, f"Case: {text}", data={"quarrel": mark})
    return (yield from errands.post(me, f"The case of {name}", text))


def owes(me: Villager) -> bool:
    """Whether it owes a fine and has something to pay it with."""
    return me.knowledge.notes.get("owes", 0) > 0 and me.have(FINE[1]) > 0 and me.own_org == "city"


def pay_fine(me: Villager) -> Script[bool]:
    """Pay a fine into the treasury, and say so."""
    yield from errands.go_to(me, "board")
    if not (
        yield from errands.deposit(me, FINE[1], min(me.knowledge.notes["owes"], me.have(FINE[1])))
    ):
        return False
    me.knowledge.notes["owes"] = 0
    reeve = speech.id_of(me, "Odile")
    mark = {"by": reeve, "against": me.obs.agent_id, "step": "paid", "cause": "a fine"}
    yield from errands.tell(me, "I have paid what I owe.", data={"quarrel": mark})
    return True


FOR_EVERYONE: Final = (
    Job(name="feast", is_due=is_invited, work=feast, ticks=300, urgent=True),
    Job(name="fine", is_due=owes, work=pay_fine, ticks=600),
    Job(name="call to the feast", is_due=is_feast_day, work=call_feast, urgent=True),
    Job(name="opening", is_due=elections.is_opening_due, work=decrees.open_council, ticks=600),
)
EXPEDITION: Final = Job(
    name="expedition", is_due=may_explore, work=explore, ticks=2_000, pause=600, urgent=True
)
LAMPS: Final = Job(
    name="lamps", is_due=may_light_lamps, work=light_lamps, ticks=700, pause=600, urgent=True
)
OF_THE_REEVE: Final = (Job(name="case", is_due=has_case, work=hear_case, pause=600),)
