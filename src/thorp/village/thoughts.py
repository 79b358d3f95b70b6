"""Thoughts: what a villager has in mind, in its own words, for those who watch.

A thought names its object: what, how much, for whom, where, why ("Taking 12 stone to the store.").
Each job begins with one of `THOUGHTS`; errands and verbs put a nearer one in its place as they go
on (`Villager.intent`).
"""

from collections.abc import Callable
from typing import Final

from thorp.village import errands, needs
from thorp.village.thought_log import ASLEEP
from thorp.village.villager import Villager
from thorp.village.wishes import motive
from thorp.village.words import (
    amount,
    building_name,
    direction,
    from_plaza,
    goods,
    item_name,
    listing,
    quarter,
)

Thought = Callable[[Villager], str]

# Kinds of goods that fit into a thought.
FEW_GOODS: Final = 3
MOST_DEEDS: Final = 2
# Longer thoughts are cut where they are shown.
LONGEST: Final = 136
ON_THE_PLAZA: Final = 12
BESIDE: Final = 3
LANDMARKS: Final = ("bench", "store", "board", "terminal", "forge")
ORES: Final = ("COAL", "IRON_ORE", "COPPER_ORE", "CRYSTAL_SHARD", "STONE")
"""What a miner is asked for, the dearest last but stone."""


def thought_of(me: Villager, job: str) -> str:
    """What somebody thinks who begins a job, by the job's name."""
    think = THOUGHTS.get(job)
    return f"Busy with {job}." if think is None else think(me)


def in_own_words(me: Villager, thought: str) -> str:
    """A thought as nobody else thinks it: with what it works for, or what it has done today, if
    that fits. People at the same work differ in that."""
    wish = me.knowledge.wish
    if not thought or thought.startswith(ASLEEP) or "oday I " in thought:
        return thought
    if me.number % 2 == 0 and wish is not None and wish.kind != "house":
        why = motive(me)
    elif me.knowledge.deeds or load(me) not in thought:
        why = f" {day(me)}."
    else:
        return thought
    return thought if len(thought) + len(why) > LONGEST else f"{thought}{why}"


# Parts of sentences


def where(me: Villager) -> str:
    """Where it is, as seen from the plaza: `by the forge`, `43 steps north-east of the plaza`."""
    plaza = me.knowledge.plaza
    if plaza is None:
        return "far from anywhere"
    if not me.is_here(plaza, ON_THE_PLAZA):
        return from_plaza(plaza, me.position)
    near = [(me.away(spot), name) for name in LANDMARKS if (spot := me.knowledge.spot(name))]
    steps, name = min(near, default=(ON_THE_PLAZA, "plaza"))
    if steps <= BESIDE:
        return f"by the {name}"
    if me.away(plaza) <= BESIDE:
        return "in the middle of the plaza"
    return f"on the {quarter(plaza, me.position)} side of the plaza"


def load(me: Villager) -> str:
    """What it could sell, most first: `12 stone and 3 coal`, or `nothing`."""
    surplus = errands.surplus(me)
    most = sorted(surplus, key=lambda item: (-surplus[item], item))[:FEW_GOODS]
    return goods({item: surplus[item] for item in most})


def is_in_town(me: Villager) -> bool:
    """Whether it is on the plaza, so that most work begins with a walk."""
    return me.knowledge.plaza is not None and me.is_here(me.knowledge.plaza, ON_THE_PLAZA)


def setting_out(me: Villager, errand: str, doing: str) -> str:
    """What it is about to do, on the plaza (`off to pick some, with 4 coal`), or does already
    (`picking some 43 steps north of the plaza`)."""
    if is_in_town(me):
        return f"off to {errand}{purse(me)}"
    return f"{doing} {where(me)}, with {load(me)}"


def purse(me: Villager) -> str:
    """What it has, or what it did and carries if that is nothing to sell: `, with 12 stone`."""
    if errands.surplus(me):
        return f", with {load(me)}"
    today = f"; today I {deed(me)}" if me.knowledge.deeds else ""
    return f"{today}, with {bag(me)}"


def bag(me: Villager) -> str:
    """What somebody has who can spare nothing of it."""
    return f"the {sum(me.inventory.values())} things in my bag"


def lack(me: Villager, item: str) -> str:
    """How badly the store needs something: `We are out of coal`, `The store needs 12 coal`."""
    lacking = me.knowledge.wanted.get(item, 0)
    if lacking >= needs.TARGETS.get(item, 1):
        return f"We are out of {item_name(item, 2)}"
    if lacking > 0:
        return f"The store needs {amount(item, lacking)}"
    return f"Nobody needs {item_name(item, 2)} today"


def scarcest(me: Villager, items: tuple[str, ...]) -> str:
    """The item that the store is most short of, by share of its target."""
    wanted = me.knowledge.wanted
    return max(items, key=lambda item: wanted.get(item, 0) / needs.TARGETS[item])


def neighbour(me: Villager) -> str | None:
    """The name of the villager who is nearest, if one is in sight."""
    names = {number: name for name, number in me.knowledge.ids.items()}
    near = [
        (me.away(body.pos), names[body.id])
        for body in me.obs.entities
        if body.type == "AGENT" and body.id in names and body.id != me.obs.agent_id
    ]
    return min(near, default=(0, None))[1]


def beside(me: Villager) -> str:
    """Who is with it, if somebody is: `, beside Nan`. Those who do the same at one place differ in
    that."""
    friend = neighbour(me)
    return "" if friend is None else f", beside {friend}"


# Thoughts


def hungry(me: Villager) -> str:
    """On the way to a meal, with what it has to pay for it."""
    meal = next((food for food in needs.FOODS if me.knowledge.spare.get(food)), "BREAD")
    if not errands.surplus(me):
        nothing = f"and I have nothing to pay for {item_name(meal, 2)}"
        return f"Hungry, {where(me)}, {nothing}. {day(me)}."
    return f"Hungry, {where(me)}; I shall buy {item_name(meal, 2)} for {load(me)}."


def bedtime(me: Villager) -> str:
    """On the way to bed."""
    home = me.knowledge.home
    if home is None:
        return f"No house yet; off to sleep by the lamps. I was {where(me)}, and {deed(me)} today."
    return f"Going home, {direction(me.position, home)}. {day(me)}."


def day(me: Villager) -> str:
    """Its day as a sentence: `Today I brought 34 berries`; before it has done anything, what it
    has."""
    if me.knowledge.deeds:
        return f"Today I {deed(me)}"
    return f"I carry {load(me)}" if errands.surplus(me) else f"I have but {bag(me)}"


def deed(me: Villager) -> str:
    """What its day was about: `brought 34 berries`, `built the hall`, or what it has."""
    deeds = me.knowledge.deeds
    order = sorted(deeds, key=lambda deed: (not deed.startswith("built"), -deeds[deed], deed))
    things: dict[str, list[str]] = {}
    for name in order[:MOST_DEEDS]:
        verb, _, thing = name.partition(" ")
        built = f"the {building_name(thing)}"
        things.setdefault(verb, []).append(built if verb == "built" else amount(thing, deeds[name]))
    parts = [f"{verb} {listing(names)}" for verb, names in things.items()]
    return listing(parts) or f"did little, and have {load(me)}"


def sleep(me: Villager) -> str:
    """In bed, or wherever the night is spent."""
    home = me.knowledge.home
    if home is not None and me.is_here(home, ON_THE_PLAZA // 2):
        return f"{ASLEEP} at home."
    if me.knowledge.plaza is not None and me.is_here(me.knowledge.plaza, ON_THE_PLAZA):
        return f"{ASLEEP} by the lamps on the plaza."
    return f"{ASLEEP} {where(me)}."


def to_market(me: Villager) -> str:
    """On an errand to the store."""
    if errands.surplus(me):
        return f"Taking {load(me)} to the store{beside(me)}."
    return f"Going to the store for food; I am {where(me)}."


def picking(me: Villager) -> str:
    """Out for berries, for the store."""
    return f"{lack(me, 'BERRIES')}; {setting_out(me, 'pick some', 'I am picking some')}."


def felling(me: Villager) -> str:
    """Out for wood."""
    item = scarcest(me, ("PLANK", "LOG"))
    return f"{lack(me, item)}; {setting_out(me, 'fell trees', 'I am felling trees')}."


def quarrying(me: Villager) -> str:
    """On the way to the quarry."""
    return f"{lack(me, 'STONE')}; {setting_out(me, 'dig', 'I am digging')}."


def mining(me: Villager) -> str:
    """On the way into the mine."""
    item = scarcest(me, ORES)
    return f"{lack(me, item)}; {setting_out(me, 'dig some', 'I am digging')}."


def idling(me: Villager) -> str:
    """Nothing to do."""
    friend = neighbour(me)
    if friend is None:
        return f"Nothing to do, {where(me)}; I am looking for company."
    return f"Nothing to do; keeping {friend} company {where(me)}."


def trading(me: Villager) -> str:
    """Its thought when somebody has made it an offer."""
    names = {number: name for name, number in me.knowledge.ids.items()}
    customer = next(iter(me.offers), "")
    return f"{names.get(customer, 'A stranger')} wants to trade with me."


def lost(me: Villager) -> str:
    """Its thought after a fall, while it fetches what it lost."""
    place = me.knowledge.places.get("fell")
    there = "" if place is None else f", {direction(me.position, place)}"
    return f"I fell; fetching what I lost there{there}."


def owing(me: Villager) -> str:
    """Its thought while it pays a fine."""
    return f"Paying the city the {amount('STONE', me.knowledge.notes.get('owes', 0))} I owe."


THOUGHTS: Final[dict[str, Thought]] = {
    "pit": lambda me: f"Stuck in a hole, {where(me)}{purse(me)}; digging my way out.",
    "way up": lambda me: f"Looking for the way up {where(me)}, with {load(me)}.",
    "warmth": lambda me: f"Freezing, {where(me)}; off to the nearest fire.",
    "meal": hungry,
    "berries for oneself": lambda me: (
        f"Hungry; looking for berries {where(me)}{purse(me)}, and {bag(me)}."
    ),
    "food from afar": lambda me: f"Starving {where(me)}. Who brings me food?",
    "rest": bedtime,
    "lost goods": lost,
    "market": to_market,
    "arrival": lambda me: f"New here; walking to the plaza with {load(me)}.",
    "baking": lambda me: f"{amount('WHEAT', me.have('WHEAT'))} to bake for the store, {where(me)}.",
    "berries": picking,
    "harvest": picking,
    "larder": lambda me: f"Only {goods({'BERRIES': me.have('BERRIES')})} to eat; picking berries.",
    "game": lambda me: f"{lack(me, 'RAW_MEAT')}; {setting_out(me, 'hunt', 'hunting')}.",
    "trees": felling,
    "wood": felling,
    "quarry": quarrying,
    "prospecting": lambda me: f"Our land costs crystal and copper; looking for them {where(me)}.",
    "shift": mining,
    "field": lambda me: f"To the field, with {amount('SEEDS', me.have('SEEDS'))}, {where(me)}.",
    "paving": lambda me: f"Off to pave a street with {amount('STONE', me.have('STONE'))}.",
    "company": idling,
    "customers": trading,
    "store": lambda _: "Counting what the store has, and what it lacks.",
    "round": lambda me: f"Looking out for newcomers, {where(me)}.",
    "smithy": lambda _: "Looking for what the store lacks of a smith's work.",
    "forge": lambda _: "Setting up the forge.",
    "tools": lambda me: f"Making tools of my own {where(me)}.",
    "contract": lambda me: f"Reading the contracts at the terminal, {where(me)}.",
    "city": lambda _: "Founding a city: Thorp.",
    "plaza": lambda _: "Putting up a bench, a chest and a board for everyone.",
    "land": lambda _: "The store has what a claim costs; claiming our land.",
    "law": lambda _: "Drawing up the next law.",
    "council": lambda _: "Calling the council together on the plaza.",
    "report": lambda me: f"Writing up the day: {len(me.knowledge.done)} works stand.",
    "terminal": lambda _: "Putting up a terminal, so that work can be paid.",
    "upkeep": lambda _: "Our land costs an ingot and a coal a day; paying ahead.",
    "funds": lambda _: "The treasury runs low; taking planks and stone there.",
    "homes": lambda _: "A new house stands empty; somebody shall have it.",
    "shortage": lambda _: "Looking for what we are nearly out of.",
    "works": lambda _: "Choosing what the town builds next.",
    "gate": lambda _: "Asking Maud to keep the gate.",
    "jobs for newcomers": lambda _: "Newcomers need something to do; posting jobs for them.",
    "notice": lambda _: "Writing on the board where newcomers find things.",
    "plots": lambda _: "A newcomer did a job for us; I am marking out a plot.",
    "free plots": lambda me: f"Looking for a good plot for the next newcomer, {where(me)}.",
    "look at plots": lambda me: f"Off to see whether our free plots are free, {where(me)}.",
    "guild": lambda _: "Founding a guild: Reed and Rush.",
    "quarter": lambda _: "Claiming land for our quarter.",
    "case": lambda _: "Somebody broke a contract; I am calling the case.",
    "fine": owing,
    "call to the feast": lambda _: "The store is full; I am calling everyone to a feast.",
    "feast": lambda me: f"To the feast; I was {where(me)}, with {load(me)}.",
    "expedition": lambda me: f"There is something to explore; I was {where(me)}, with {load(me)}.",
    "vote": lambda me: f"Going to vote; I was {where(me)}.",
    "tavern": lambda me: f"To the tavern corner; I was {where(me)}, and today I {deed(me)}.",
    "watch": lambda me: f"On watch, {where(me)}.",
    "answer": lambda me: f"Something is up; off I go, with {load(me)}.",
    "second look": lambda me: f"It is quiet; off to look once more, with {load(me)}.",
    "dam": lambda me: f"The water did not come; off to clear my part of the dam, {where(me)}.",
    "election": lambda _: "There is an election to see to.",
    "opening": lambda _: "To the plaza; as mayor I open the council.",
    "lamps": lambda me: f"Dusk; setting lamps, with {amount('TORCH', me.have('TORCH'))}.",
}
"""What a villager thinks at the beginning of a job, by the job's name."""
