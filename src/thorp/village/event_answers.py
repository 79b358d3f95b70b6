"""What the village does about the events of the world: each is answered by somebody, with a deed
that can be seen and with words (`data.event`).

    FLOOD_WARNING                 a dam of earth at the edge of the town that faces the water
    BUILDER_EXPO, BLUEPRINT_FAIR  builders show what they built last
    CRYSTAL_RIFT, DEEP_VEIN       scouts go and look, and tell how far it is
    MARKET_WEEK                   the guild and others cry their goods on the plaza
    CIVIC_VOTE                    the mayor and others speak to the people by the board
    COLD_SNAP, STORM_FRONT        foresters light fires on the plaza
    BLIGHT_ZONE                   foragers look where it begins, and warn the others
    BANDIT_CAMP                   guards stand where the road comes into the town
    RUINS_GATE                    people tell on the plaza what they know of the ruins

`customs` has the expeditions to ruins and bandits.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from thorp.protocol.obs import Position
from thorp.village import errands, lulls
from thorp.village.digging import FILLERS, HEADINGS
from thorp.village.elections import acts_as_mayor
from thorp.village.groundwork import surface
from thorp.village.jobs import Job, is_deep, is_night
from thorp.village.regard import regard
from thorp.village.thoughts import deed, load, purse
from thorp.village.villager import Script, Villager
from thorp.village.words import listing

# From when on people set out, one after the other.
FIRST_HOUR: Final = 0.29
SPREAD: Final = 0.36
LAST_HOUR: Final = 0.74
# A little outside the town.
EDGE: Final = 34
FARTHEST: Final = 110
# Of those who could break a silence, each waits a little longer than the one before.
TURN_TICKS: Final = 8
AGAIN_TICKS: Final = 900
HOUR_TICKS: Final = 250
FEW_NAMES: Final = 3
BAGS: Final = 4
FIRES: Final = 2


class Answer(NamedTuple):
    """Who answers an event, and how."""

    people: tuple[str, ...]
    deed: Callable[[Villager], Script[str]]
    """Does it, and returns what to say afterwards; empty if it came to nothing."""
    plan: str
    """What is said before."""


def event_key(me: Villager) -> int:
    """What tells one event from the next: the tick at which it ends."""
    ends = me.obs.world.active_event_ends_tick
    return ends if isinstance(ends, int) else 0


def centre(me: Villager) -> Position | None:
    """Where the event is, if it has a place."""
    place = me.obs.world.active_event_center
    return place if isinstance(place, tuple) else None


def answer_of(me: Villager) -> Answer | None:
    """What this villager does about the event that is going on."""
    event = me.obs.world.active_event
    answer = ANSWERS.get(event) if isinstance(event, str) else None
    if answer is None:
        return None
    is_mine = me.name in answer.people or ("the mayor" in answer.people and acts_as_mayor(me))
    return answer if is_mine else None


def is_due(me: Villager) -> bool:
    """Whether it should answer the event now. Those who share an answer set out one by one."""
    answer = answer_of(me)
    if answer is None or has_answered(me):
        return False
    begin = FIRST_HOUR + SPREAD * turn_of(me, answer) / len(answer.people)
    is_turn = me.is_hour(begin, LAST_HOUR) and not lulls.is_crowded(me, "event")
    return (is_turn or is_awaited(me, answer)) and is_ready(me)


def turn_of(me: Villager, answer: Answer) -> int:
    """Which of those who share an answer it is; the mayor is the first."""
    return answer.people.index(me.name) if me.name in answer.people else 0


def is_ready(me: Villager) -> bool:
    """Whether it can set out: it is day, and it is not below the ground."""
    return not is_deep(me) and not is_night(me) and me.knowledge.has_heard_of("store")


def is_awaited(me: Villager, answer: Answer) -> bool:
    """Whether nobody has said anything of the event, or of anything else, for a while. The first
    who could go goes."""
    turn = turn_of(me, answer) + len(answer.people) * has_answered(me)
    return lulls.is_slow(me, "event", lulls.EVENT_TICKS, TURN_TICKS * turn)


def has_answered(me: Villager) -> bool:
    """Whether it has done its part about this event today; some last for two days."""
    notes = me.knowledge.notes
    return notes.get("answered") == event_key(me) and notes.get("answered on") == me.day


def respond(me: Villager) -> Script[bool]:
    """Say what it is going to do, do it, and say what came of it."""
    answer = answer_of(me)
    if answer is None:
        return False
    event = str(me.obs.world.active_event)
    me.knowledge.notes |= {"answered": event_key(me), "answered on": me.day}
    me.learn()
    me.intent = f"{answer.plan}{purse(me)}."
    plan = {"event": {"id": event, "step": "plan"}}
    yield from errands.tell(me, f"{answer.plan}.", data=plan)
    result = (yield from answer.deed(me)) or "I am back; there was nothing that I could do."
    yield from errands.tell(me, result, data={"event": {"id": event, "step": "done"}})
    return True


def is_second_look_due(me: Villager) -> bool:
    """Whether somebody who has done its part should look after it again: it has become silent."""
    answer = answer_of(me)
    return answer is not None and has_answered(me) and is_ready(me) and is_awaited(me, answer)


def look_again(me: Villager) -> Script[bool]:
    """Go where it did its part, and tell everybody how things are there."""
    me.postponed_until["second look"] = me.tick + AGAIN_TICKS
    event = str(me.obs.world.active_event)
    name = EVENT_NAMES.get(event, event.lower().replace("_", " "))
    place = centre(me)
    spot = me.knowledge.place(me.number % 5 - 2, 4)
    if place is not None:
        (x, y, z), (along_x, along_z) = edge_towards(me, place)
        aside = me.number % 5 - 2
        spot = (x + along_x * aside, y, z + along_z * aside)
    way = me.knowledge.whereabouts(spot)
    me.intent = f"Looking after {name} again, {way}. Today I {deed(me)}."
    mark = {"id": event, "step": "plan"}
    yield from errands.tell(me, f"I look after {name} once more, {way}.", data={"event": mark})
    yield from me.walk(spot, 3, tries=1)
    mark = {"id": event, "step": "done"}
    yield from errands.tell(me, _sight(me, name, way), data={"event": mark})
    return True


def _sight(me: Villager, name: str, way: str) -> str:
    """Who is there, and how long the event will last."""
    names = {number: each for each, number in me.knowledge.ids.items() if each != me.name}
    here = [names[body.id] for body in me.obs.entities if body.id in names]
    company = f"{listing(here[:FEW_NAMES])} and I are" if here else "I am alone"
    hours = max(1, (event_key(me) - me.tick) // HOUR_TICKS)
    rest = "an hour" if hours == 1 else f"{hours} hours"
    return f"{company} {way}; {name} will last for {rest} yet."


# Deeds


def edge_towards(me: Villager, place: Position) -> tuple[Position, tuple[int, int]]:
    """The middle of that edge of the town that faces a place, and the direction along it."""
    x, y, z = me.knowledge.place(0, 0)
    dx = place[0] - x
    dz = place[2] - z
    if abs(dx) >= abs(dz):
        return (x + (EDGE if dx > 0 else -EDGE), y, z), (0, 1)
    return (x, y, z + (EDGE if dz > 0 else -EDGE)), (1, 0)


def build_dam(me: Villager) -> Script[str]:
    """Put a few blocks of earth in a row, where the water would come."""
    place = centre(me)
    if place is None:
        return ""
    (x, y, z), (along_x, along_z) = edge_towards(me, place)
    first = me.number % 6 * (BAGS + 1) - 15
    yield from me.walk((x + along_x * first, y, z + along_z * first), 1, tries=2)
    yield from _dig_earth(me)
    laid = 0
    for step in range(first, first + BAGS):
        filler = me.first_of(FILLERS)
        ax = x + along_x * step
        az = z + along_z * step
        height = surface(me, ax, az)
        if filler is None or height is None or me.is_here((ax, height, az), 0):
            continue
        spot = (ax, height, az)
        me.intent = f"Laying bag {laid + 1} of a dam, {me.knowledge.whereabouts(spot)}."
        is_meadow = me.sight.block((ax, height - 1, az)) in ("GRASS", "DIRT", "SAND")
        is_free = me.sight.block(spot) in ("AIR", "TALL_GRASS")
        if is_meadow and is_free and (yield from me.place(spot, filler)):
            laid += 1
            me.knowledge.places[f"bag {laid}"] = spot
    me.learn()
    return f"My part of the dam stands: {laid} bags of earth against the flood." if laid else ""


def _dig_earth(me: Villager) -> Script[None]:
    """Earth for a dam, from the ground around."""
    x, y, z = me.position
    for dx, dz in HEADINGS:
        if sum(map(me.have, FILLERS)) >= BAGS:
            return
        ground = (x + 2 * dx, y - 1, z + 2 * dz)
        if me.away(ground) <= 3 and me.sight.block(ground) in ("GRASS", "DIRT"):
            yield from me.mine(ground)


def bags(me: Villager) -> list[str]:
    """The names under which it remembers its part of a dam."""
    return [name for name in me.knowledge.places if name.startswith("bag ")]


def is_flood_over(me: Villager) -> bool:
    """Whether its part of the dam is of no use any more."""
    is_time = me.is_hour(0.3, LAST_HOUR) and not is_night(me)
    return bool(bags(me)) and me.obs.world.active_event != "FLOOD_WARNING" and is_time


def clear_dam(me: Villager) -> Script[bool]:
    """Take away its part of the dam."""
    way = me.knowledge.whereabouts(me.knowledge.places[bags(me)[0]])
    me.intent = f"The water did not come; clearing away my part of the dam, {way}."
    for name in bags(me):
        spot = me.knowledge.places.pop(name)
        yield from me.walk(spot, 1, tries=1)
        if me.sight.block(spot) in FILLERS and me.away(spot) <= 2:
            yield from me.mine(spot)
    me.learn()
    return True


def show_building(me: Villager) -> Script[str]:
    """Stand before what it built last, and show it to whoever comes."""
    place = me.knowledge.places.get("built")
    if place is None:
        return ""
    yield from me.walk((place[0] - 2, place[1], place[2] - 2), 2, tries=2)
    me.intent = f"Showing my last building, {me.knowledge.whereabouts(place)}."
    yield from me.say("Come and see what I built! Mind the step.")
    yield from me.wait(120)
    return f"I have shown my work, {me.knowledge.whereabouts(place)}. Look at that roof!"


def exhibit(me: Villager) -> Script[str]:
    """Builders show what they built; the others look at it, and say whose work they like."""
    if me.trade == "builder":
        return (yield from show_building(me))
    yield from errands.to_plaza(me, (me.number % 7 - 3, 9), 2)
    best = max(BUILDERS, key=lambda name: (regard(me, name), me.number * 7 % len(name), name))
    me.intent = f"Looking at what our builders made; I like the work of {best}."
    yield from me.wait(120)
    return f"I have looked at everything. {best} builds best."


def look_at_ore(me: Villager) -> Script[str]:
    """Go where the rocks have opened, and tell the way."""
    place = centre(me)
    if place is None:
        return ""
    way = me.knowledge.whereabouts(place)
    if max(abs(place[0] - me.position[0]), abs(place[2] - me.position[2])) > FARTHEST:
        yield from me.walk(me.knowledge.place(0, 0), 12, tries=1)
        return f"The ore that opened lies {way}: too far for one day."
    me.intent = f"Going to see the ore that opened, {way}, with {load(me)}."
    yield from me.walk(place, 4, tries=2)
    return f"I was where the ore lies open, {way} and deep down."


def cry_goods(me: Villager) -> Script[str]:
    """Come to the market place, and call out what one has."""
    yield from errands.to_plaza(me, (-7, me.number % 4 - 2), 2)
    me.intent = f"Crying my goods on the plaza: {load(me)}."
    yield from me.say(f"Market week, half the tax! I have {load(me)}.")
    yield from me.wait(150)
    return f"Market week! I am on the plaza with {load(me)}."


def speak_by_the_board(me: Villager) -> Script[str]:
    """Tell people to vote."""
    yield from errands.go_to(me, "board")
    me.intent = f"Speaking by the board: every vote counts. Today I {deed(me)}."
    yield from me.say("Every vote counts, this week double. Read the laws, and vote!")
    yield from me.wait(60)
    return "A week of votes: read the laws on the board, and say what you think of them."


def light_fires(me: Villager) -> Script[str]:
    """Put torches on the plaza, for whoever is out in the cold."""
    if not (yield from errands.take(me, {"TORCH": FIRES + 2}, "for fires on the plaza")):
        return ""
    lit = 0
    for corner in ((7, 7), (-7, 7), (7, -7), (-7, -7)):
        x, y, z = me.knowledge.place(*corner)
        yield from me.walk((x, y, z), 2, tries=1)
        height = surface(me, x, z)
        way = me.knowledge.whereabouts((x, y, z))
        me.intent = f"Lighting a fire, {way}, with {load(me)} on me."
        is_dark = all(me.away(torch) > 3 for torch in me.sight.find_all("TORCH"))
        if height is not None and is_dark and lit < FIRES:
            lit += bool((yield from me.place((x, height, z), "TORCH")))
    return "There are fires on the plaza. Nobody needs to freeze tonight."


def stand_guard(me: Villager) -> Script[str]:
    """Stand where the road from the bandits' camp comes into the town."""
    place = centre(me)
    if place is None:
        return ""
    (x, y, z), (along_x, along_z) = edge_towards(me, place)
    aside = me.number % 5 - 2
    yield from me.walk((x + along_x * aside, y, z + along_z * aside), 3, tries=1)
    way = me.knowledge.whereabouts(place)
    me.intent = f"On guard against the bandits, who camp {way}. Today I {deed(me)}."
    yield from me.say("Halt! Nobody comes in from that side without a word.")
    yield from me.wait(120)
    return f"I have stood guard; nothing stirs towards the bandits' camp, {way}."


def tell_of_ruins(me: Villager) -> Script[str]:
    """What is known about the ruins, told by the board."""
    place = centre(me)
    if place is None:
        return ""
    yield from errands.to_plaza(me, (me.number % 5 - 2, 4), 2)
    way = me.knowledge.whereabouts(place)
    me.intent = f"Telling what I know of the ruins, {way}. Today I {deed(me)}."
    teller = TELLERS.index(me.name) if me.name in TELLERS else 0
    yield from me.say(RUINS_TALES[teller].format(way=way))
    yield from me.wait(100)
    return RUINS_ADVICE[teller].format(way=way)


def warn_of_blight(me: Villager) -> Script[str]:
    """Look where the blight begins, from a safe distance."""
    place = centre(me)
    radius = me.obs.world.active_event_radius
    if place is None or not isinstance(radius, int):
        return ""
    (x, y, z), _ = edge_towards(me, place)
    yield from me.walk((x, y, z), 3, tries=1)
    return (
        f"Keep away from the land {me.knowledge.whereabouts(place)}: blight, {radius} steps around."
    )


EVENT_NAMES: Final = {
    "MARKET_WEEK": "the market week",
    "CRYSTAL_RIFT": "the crystal rift",
    "RUINS_GATE": "the gate to the ruins",
    "DEEP_VEIN": "the deep vein of ore",
    "BLUEPRINT_FAIR": "the fair of blueprints",
    "CIVIC_VOTE": "the week of votes",
    "BUILDER_EXPO": "the builders' exhibition",
    "FLOOD_WARNING": "the flood that may come",
    "BANDIT_CAMP": "the bandits' camp",
    "COLD_SNAP": "the cold",
    "STORM_FRONT": "the storm",
    "BLIGHT_ZONE": "the blight",
}
"""What villagers call the events of the world."""
SCOUTS: Final = ("Dunstan", "Oswin", "Clement", "Ysolt", "Aldous", "Beatrix")
FIRE_KEEPERS: Final = ("Oswin", "Aldous", "Ysolt", "Nan", "Dunstan", "Gytha")
BUILDERS: Final = ("Wystan", "Lettice", "Elspeth", "Rufus")
EXHIBITORS: Final = ("Wystan", "Lettice", "Maud", "Elspeth", "Rufus", "Nan")
DAM_BUILDERS: Final = ("Gytha", "Clement", "Rufus", "Beatrix", "Nan", "Aldous")
GUARDS: Final = ("Rufus", "Nan", "Elspeth", "Aldous", "Gytha", "Ysolt")
TELLERS: Final = ("Beatrix", "Maud", "Nan", "Bram", "Aldous", "Gytha")
RUINS_TALES: Final = (
    "The old gate stands open, {way}. There is a chest behind it.",
    "Old brickwork has come to light, {way}. Nobody here has built it.",
    "Have you heard? There are ruins {way}, and their gate is open.",
    "I burn bricks every day, and somebody did so before us: {way}.",
    "It is a good walk to the ruins, {way}; I would not go alone.",
    "We sow and reap, and an old gate has opened {way}.",
)
"""What each of the tellers says of the ruins, so that nobody hears the same twice."""
RUINS_ADVICE: Final = (
    "Whoever goes to the ruins, {way}: go with others, and come back before dark.",
    "Look at the ruins while they are open, {way}.",
    "Take food along if you go to the ruins; they lie {way}.",
    "If you find ingots in the ruins, {way}, I buy them.",
    "The way to the ruins is long, {way}. Mind the holes.",
    "What is in the ruins belongs to whoever opens them, {way}.",
)
SPEAKERS: Final = ("the mayor", "Maud", "Bram", "Gytha", "Jory", "Nan")
CRIERS: Final = ("Sibyl", "Hob", "Gytha", "Piers", "Marten", "Dunstan")
ANSWERS: Final[dict[str, Answer]] = {
    "FLOOD_WARNING": Answer(DAM_BUILDERS, build_dam, "The water may come; off to build a dam"),
    "BUILDER_EXPO": Answer(EXHIBITORS, exhibit, "I am off to the exhibition"),
    "BLUEPRINT_FAIR": Answer(EXHIBITORS, exhibit, "I am off to the fair"),
    "CRYSTAL_RIFT": Answer(SCOUTS, look_at_ore, "The rocks have opened; I am off to see"),
    "DEEP_VEIN": Answer(SCOUTS, look_at_ore, "There is a vein of ore; I am off to see it"),
    "BANDIT_CAMP": Answer(GUARDS, stand_guard, "Bandits are about; I am off to stand guard"),
    "RUINS_GATE": Answer(TELLERS, tell_of_ruins, "The ruins are open; I am off to tell people"),
    "MARKET_WEEK": Answer(CRIERS, cry_goods, "Market week; I am off to the plaza"),
    "CIVIC_VOTE": Answer(SPEAKERS, speak_by_the_board, "I have something to tell the people"),
    "COLD_SNAP": Answer(FIRE_KEEPERS, light_fires, "It will freeze; I am off to light fires"),
    "STORM_FRONT": Answer(FIRE_KEEPERS, light_fires, "A storm; I am off to light fires"),
    "BLIGHT_ZONE": Answer(SCOUTS, warn_of_blight, "A blight on the land; I am off to look"),
}
"""By the id of the event."""

JOBS: Final = (
    Job(name="answer", is_due=is_due, work=respond, ticks=900, pause=600, urgent=True),
    Job(
        name="second look",
        is_due=is_second_look_due,
        work=look_again,
        ticks=600,
        pause=300,
        urgent=True,
    ),
    Job(name="dam", is_due=is_flood_over, work=clear_dam, ticks=500, pause=600),
)
