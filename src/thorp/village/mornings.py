"""Mornings: whoever is up before the others says why, in the hour before the sun: bakers, miners,
the smith, foresters, foragers.

One of each trade says so (`data.early`); the others of it have heard that already.
"""

from collections.abc import Callable
from typing import Final

from thorp.protocol.obs import Event
from thorp.village import needs, speech
from thorp.village.quarrels import phrase
from thorp.village.thoughts import ORES, lack, scarcest, where
from thorp.village.villager import Action, Villager
from thorp.village.words import amount, item_name

HOURS: Final = (0.18, 0.25)
STAGGER: Final = 0.0012
"""Of a day, between those who might speak at the same moment."""
LOAVES: Final = 3
"""Wheat of a loaf."""


def rise(me: Villager) -> list[Action]:
    """Say why it is up, once a morning."""
    begin = HOURS[0] + STAGGER * me.number
    is_up = me.is_hour(begin, HOURS[1]) and me.job not in ("", "rest", "watch")
    if not is_up or me.trade not in REASONS or me.knowledge.notes.get("early") == me.day:
        return []
    if not speech.can_speak(me):
        return []
    me.knowledge.notes["early"] = me.day
    why = REASONS[me.trade](me)
    return speech.saying(me, why, {"early": {"trade": me.trade}}, "LOCAL")


def hear(me: Villager, event: Event) -> None:
    """Somebody of its trade has said so already."""
    heard = speech.marked(me, event, "early")
    if heard is not None and heard[1].get("trade") == me.trade:
        me.knowledge.notes["early"] = me.day


def _baker(me: Villager) -> str:
    wheat = me.have("WHEAT")
    if wheat >= LOAVES:
        loaves = amount("BREAD", wheat // LOAVES)
        return f"Up before you all: {amount('WHEAT', wheat)} make {loaves}, to be eaten warm."
    lacking = me.knowledge.wanted.get("BREAD", 0)
    if lacking:
        return f"Up early: the store is short of {amount('BREAD', lacking)}: the field first."
    return "Up early: there is bread enough, so the field gets the whole morning."


def _miner(me: Villager) -> str:
    ore = scarcest(me, ORES)
    tool = me.first_of(("IRON_PICKAXE", "STONE_PICKAXE"))
    way = f"with my {item_name(tool)}" if tool else "with bare hands"
    return phrase(
        me,
        f"{lack(me, ore)}; it is a long way down, {way}, so I go before the sun.",
        f"{lack(me, ore)}, and I am {where(me)} already, {way}: so down I go.",
        f"Who is up first digs in peace; {lower(lack(me, ore))}, and I go {way}.",
    )


def _smith(me: Villager) -> str:
    wanted = me.knowledge.wanted
    made = next((item for item in MADE if wanted.get(item)), None)
    if made is None:
        return "Up early for nothing: the store lacks none of what I make."
    return f"I light the furnace early: {amount(made, wanted[made])} are wanted."


def _forester(me: Villager) -> str:
    item = scarcest(me, ("PLANK", "LOG"))
    saplings = me.have("SAPLING")
    plant = f", and I have {amount('SAPLING', saplings)} to plant" if saplings else ""
    return f"{lack(me, item)}{plant}; the wood is far, so I am off."


def _forager(me: Villager) -> str:
    lacking = me.knowledge.wanted.get("BERRIES", 0)
    people = len(me.knowledge.ids)
    missing = amount("BERRIES", lacking)
    if lacking * 2 > needs.TARGETS["BERRIES"]:
        return f"{missing} short for {people} of us: who picks first picks most."
    own = amount("BERRIES", me.have("BERRIES"))
    return f"I have {own} left, {where(me)}; I look where those of tomorrow grow."


def lower(words: str) -> str:
    """Words that do not begin a sentence."""
    return f"{words[:1].lower()}{words[1:]}"


MADE: Final = ("IRON_INGOT", "BRICK", "GLASS", "TORCH", "COOKED_MEAT")
"""What the smith makes for the store."""
REASONS: Final[dict[str, Callable[[Villager], str]]] = {
    "farmer": _baker,
    "miner": _miner,
    "smith": _smith,
    "forester": _forester,
    "forager": _forager,
}
"""Why somebody is up early, by its trade."""
