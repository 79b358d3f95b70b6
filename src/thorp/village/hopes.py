"""Hopes: what a villager says of its wish when somebody asks: what it wants, and what it still
lacks for it.

    tool           whether the store has one, what it costs, what it could pay
    house          who comes before it, what the builders are short of, what it has done for one
    bigger house   where its own is, since when it asks for another
    friend         what it likes in somebody, what it could give
    office         who has it, until when, how it is spoken of itself

It says only what it knows itself; so no two people have the same to say.
"""

from collections.abc import Callable, Iterator
from typing import Final

from thorp.protocol.obs import Event
from thorp.village import elections, needs, speech
from thorp.village.errands import STOREKEEPER, surplus
from thorp.village.knowledge import Wish
from thorp.village.quarrels import is_grudging
from thorp.village.regard import dearest, reason
from thorp.village.thoughts import deed
from thorp.village.villager import Villager
from thorp.village.wishes import GIFTS, KEPT_FOOD, article, in_words, iron_tools
from thorp.village.words import amount, goods, item_name, listing

HOMES_GIVEN: Final = "homes given"
DAY_TICKS: Final = 6_000
SMITH: Final = "Bram"
MATERIALS: Final = ("BRICK", "PLANK", "GLASS")
"""What houses are made of."""
METALS: Final = ("IRON_INGOT", "IRON_ORE", "COAL")
"""What tools are made of."""
FEW_KINDS: Final = 2
"""Kinds of goods that somebody names who says what it would pay with."""


def hope(me: Villager) -> str:
    """What it wants and what it still lacks: `an iron axe; Jory has none to sell yet`."""
    wish = me.knowledge.wish
    return "" if wish is None else f"{in_words(wish)}; {LACKS[wish.kind](me, wish)}"


def contentment(me: Villager) -> str:
    """What it has that it once wanted: `I have all I want: an iron axe, and Nan for a friend`."""
    have = listing([*_treasures(me)])
    return f"I have all I want: {have}" if have else "I have all I want"


def _treasures(me: Villager) -> Iterator[str]:
    if me.knowledge.home is not None:
        yield f"a house {me.knowledge.whereabouts(me.knowledge.home)}"
    tool = me.first_of(iron_tools(me))
    if tool is not None:
        yield article(item_name(tool))
    friend = dearest(me)
    if friend is not None:
        yield f"{friend}, who {reason(me, friend)}"


def _lacks_tool(me: Villager, wish: Wish) -> str:
    """Whether the store has one, and whether it can pay for it."""
    thing = item_name(wish.thing)
    price = needs.WORTH.get(wish.thing, 1)
    have = {item: count for item, count in surplus(me).items() if item in needs.TARGETS}
    if is_grudging(me, STOREKEEPER):
        return f"but I buy nothing from {STOREKEEPER}, who {reason(me, STOREKEEPER)}"
    if not me.knowledge.spare.get(wish.thing):
        short = next((item for item in METALS if me.knowledge.wanted.get(item)), None)
        if short is None:
            return f"{SMITH} has made none that is to spare"
        return f"{SMITH} makes none while we are {_short(me, short)}"
    if needs.worth(have) < price:
        asked = amount("BERRIES", price)
        if not have:
            return f"{STOREKEEPER} wants the worth of {asked} for it, and I can spare nothing"
        most = sorted(have, key=lambda item: (-have[item], item))[:FEW_KINDS]
        purse = goods({item: have[item] for item in most})
        return f"{STOREKEEPER} wants the worth of {asked} for it, and I can spare but {purse}"
    most = sorted(have, key=lambda item: (-have[item], item))[:FEW_KINDS]
    pay = goods({item: have[item] for item in most})
    return f"{STOREKEEPER} has one, and I bring {pay} for the {thing.split()[-1]}"


def _lacks_house(me: Villager, _: Wish) -> str:
    """How many come before it, what houses wait for, and what it has done for the town today."""
    before = _rank(me) - me.knowledge.notes.get(HOMES_GIVEN, 0)
    turn = {0: "the next one is mine", 1: "one of us comes before me"}
    line = turn.get(before, f"{before} of us come before me") if before >= 0 else "it is time"
    short = short_of_materials(me)
    nights = me.day - 1
    reasons = (
        f"the builders are {short}" if short else f"I have slept {_times(nights)} by the lamps",
        f"today I {deed(me)}" if me.knowledge.deeds else f"I have slept {_times(nights)} outside",
    )
    return f"{line}, and {reasons[me.number % len(reasons)]}"


def _rank(me: Villager) -> int:
    """How many of those who get houses of the city came before it."""
    return sum(int(number[1:]) < me.number for number in me.knowledge.ids.values())


def hear(me: Villager, event: Event) -> None:
    """Count the houses that were given."""
    if speech.marked(me, event, "home") is not None:
        notes = me.knowledge.notes
        notes[HOMES_GIVEN] = notes.get(HOMES_GIVEN, 0) + 1


def _lacks_bigger_house(me: Villager, wish: Wish) -> str:
    """Where its house is, and since when it has asked."""
    home = me.knowledge.home
    own = "" if home is None else f"mine is {me.knowledge.whereabouts(home)}, and "
    days = (me.tick - wish.since) // DAY_TICKS
    asked = "today" if days < 1 else "yesterday" if days == 1 else f"{days} days ago"
    short = short_of_materials(me)
    rest = f" and we are {short}" if short else " and big ones go to who asked first"
    return f"{own}I asked {asked},{rest}"


def _lacks_friend(me: Villager, wish: Wish) -> str:
    """What it likes in somebody, and what it has to give."""
    friend = wish.thing
    gift = next((item for item in GIFTS if me.have(item) > KEPT_FOOD), None)
    plan = f"I have {article(item_name(gift))} for {friend}" if gift else "I have no gift yet"
    return f"{friend} {reason(me, friend)}, and {plan}"


def _lacks_office(me: Villager, _: Wish) -> str:
    """Who is mayor, when the next one is elected, and how it is spoken of."""
    days = elections.days_until(me)
    when = "today" if days == 0 else "tomorrow" if days == 1 else f"in {days} days"
    mayor = me.knowledge.mayor
    rival = f"{mayor} has the office, and we vote {when}" if mayor else f"we vote {when}"
    praise = me.knowledge.standing.get(me.name, 0)
    if praise > 0:
        return f"{rival}; {_times(praise)} I was well spoken of"
    return f"{rival}; nobody speaks well of me yet"


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def short_of_materials(me: Villager) -> str:
    """What the store lacks for houses: `short of 95 bricks`."""
    wanted = me.knowledge.wanted
    item = max(MATERIALS, key=lambda item: wanted.get(item, 0) / needs.TARGETS[item])
    return _short(me, item) if wanted.get(item) else ""


def _short(me: Villager, item: str) -> str:
    return f"short of {amount(item, me.knowledge.wanted[item])}"


LACKS: Final[dict[str, Callable[[Villager, Wish], str]]] = {
    "tool": _lacks_tool,
    "house": _lacks_house,
    "bigger house": _lacks_bigger_house,
    "friend": _lacks_friend,
    "office": _lacks_office,
}
"""What is lacking for a wish, by its kind."""
