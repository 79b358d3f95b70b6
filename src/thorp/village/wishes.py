"""Wishes: what a villager wants for itself, works for, and can reach.

house          a home of its own, while it has none
bigger house   another one, when everybody has a home; the reeve gives new ones to those who asked
tool           an iron tool of its trade
friend         somebody whom it likes, and who likes it
office         to be elected mayor

It says what it wants when it begins to want it, and when it has got it (`data.wish`).
"""

from collections.abc import Iterator
from typing import Final

from thorp.protocol.obs import Event
from thorp.village import speech
from thorp.village.errands import ANY_TOOLS, GUILD, TOOLS
from thorp.village.knowledge import Wish
from thorp.village.regard import FRIEND, dearest, feel, regard
from thorp.village.villager import Action, Villager
from thorp.village.words import item_name

# A villager thinks about its wishes this often.
THINK_TICKS: Final = 150
# What was not reached in this time is wished for no longer.
GIVEN_UP_TICKS: Final = 30_000
HOURS: Final = (0.2, 0.85)
# Nobody moves house again sooner.
SETTLED_DAYS: Final = 10
# Whoever is bound to the plaza cannot stand for an office.
IN_OFFICE: Final = ("reeve", "storekeeper", "smith", "greeter", *GUILD)
GIFTS: Final = ("BERRIES", "BREAD", "COOKED_MEAT")
GIFT_TICKS: Final = 2_500
KEPT_FOOD: Final = 4
# How near two people must be for a gift.
NEAR: Final = 6


def think(me: Villager) -> list[Action]:
    """See whether the wish is fulfilled, or make one."""
    if me.tick < me.postponed_until.get("wish", 0) or not me.is_hour(*HOURS):
        return []
    me.postponed_until["wish"] = me.tick + THINK_TICKS
    wish = me.knowledge.wish
    if wish is None:
        return _begin(me)
    if is_fulfilled(me, wish):
        return _end(me, wish)
    if me.tick > wish.since + GIVEN_UP_TICKS:
        me.knowledge.wish = None
        me.learn()
    return _give(me, wish.thing) if wish.kind == "friend" else []


def _begin(me: Villager) -> list[Action]:
    if me.knowledge.plaza is None or "arrived" not in me.knowledge.notes:
        return []
    options = list(_options(me))
    if not options or not speech.can_speak(me):
        return []
    turn = me.knowledge.notes.get("wishes", 0)
    wish = options[0] if options[0].kind == "house" else options[(me.number + turn) % len(options)]
    me.knowledge.wish = wish
    me.learn()
    if wish.kind == "house":  # as everybody does in the first days
        return []
    mark = {"wish": {"kind": wish.kind, "thing": wish.thing, "state": "new"}}
    return speech.saying(me, f"What I want now is {in_words(wish)}.", mark, "LOCAL")


def _options(me: Villager) -> Iterator[Wish]:
    """What it could wish for, as things are."""
    if me.own_org == "city" and me.knowledge.home is None:
        yield Wish("house", "", me.tick)
        return
    tool = next((tool for tool in iron_tools(me) if not me.have(tool)), None)
    if tool is not None:
        yield Wish("tool", tool, me.tick)
    friend = dearest(me)
    if friend is not None and regard(me, friend) < FRIEND:
        yield Wish("friend", friend, me.tick)
    if me.trade not in IN_OFFICE and me.knowledge.mayor != me.name:
        yield Wish("office", "mayor", me.tick)
    is_settled = me.day >= me.knowledge.notes.get("moved on", 0) + SETTLED_DAYS
    if me.knowledge.home is not None and is_settled and me.trade != "reeve":
        yield Wish("bigger house", ",".join(map(str, me.knowledge.home)), me.tick)


def iron_tools(me: Villager) -> list[str]:
    """The best tools of its trade."""
    return [f"IRON{tool.removeprefix('STONE')}" for tool in TOOLS.get(me.trade, ANY_TOOLS)]


def is_fulfilled(me: Villager, wish: Wish) -> bool:
    """Whether it has got what it wanted."""
    home = me.knowledge.home
    if wish.kind in ("house", "bigger house"):
        return home is not None and ",".join(map(str, home)) != wish.thing
    if wish.kind == "tool":
        return me.have(wish.thing) > 0
    if wish.kind == "friend":
        return regard(me, wish.thing) >= FRIEND
    return me.knowledge.mayor == me.name


def _end(me: Villager, wish: Wish) -> list[Action]:
    if not speech.can_speak(me):
        me.postponed_until["wish"] = 0
        return []
    if wish.kind == "bigger house":
        me.knowledge.notes["moved on"] = me.day
    me.knowledge.wish = None
    me.knowledge.notes["wishes"] = me.knowledge.notes.get("wishes", 0) + 1
    me.learn()
    text = f"At last I have {in_words(wish)}!"
    if wish.kind == "friend":
        text = f"{wish.thing} and I are friends now."
    elif wish.kind == "office":
        text = "I am mayor, as I always wanted."
    mark = {"wish": {"kind": wish.kind, "thing": wish.thing, "state": "fulfilled"}}
    return speech.saying(me, text, mark, "LOCAL")


def _give(me: Villager, friend: str) -> list[Action]:
    """A small gift for somebody it would like to have for a friend, when they meet."""
    friend_id = me.knowledge.ids.get(friend)
    is_near = any(body.id == friend_id and me.away(body.pos) <= NEAR for body in me.obs.entities)
    gift = next((item for item in GIFTS if me.have(item) > KEPT_FOOD), None)
    is_due = me.tick >= me.knowledge.notes.get("gave", -GIFT_TICKS) + GIFT_TICKS
    if not (is_near and is_due) or gift is None or not speech.can_speak(me):
        return []
    me.knowledge.notes["gave"] = me.tick
    feel(me, friend, 2, "is good company")
    offer = {
        "type": "OFFER_TRADE",
        "to": friend_id,
        "offer": [[gift, 1]],
        "request": [["STONE", 1]],
    }
    text = f"For you, {friend}: {article(item_name(gift))}."
    mark = {"gift": {"to": friend_id, "item": gift}}
    return [offer, *speech.saying(me, text, mark, "LOCAL")]


def hear(me: Villager, event: Event) -> None:
    """A gift is remembered."""
    heard = speech.marked(me, event, "gift")
    if heard is not None and heard[0] != me.name and heard[1].get("to") == me.obs.agent_id:
        feel(me, heard[0], 3, "gave me something")


def article(noun: str) -> str:
    """A noun with its article: `an iron axe`. Bread and meat have none."""
    if noun in ("bread", "cooked meat"):
        return f"some {noun}"
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def sentence(words: str) -> str:
    """Words that begin a sentence: only the first letter changes, since names keep theirs."""
    return f"{words[:1].upper()}{words[1:]}"


def in_words(wish: Wish) -> str:
    """What is wished for: `an iron axe`, `to have Nan for a friend`."""
    if wish.kind == "tool":
        return article(item_name(wish.thing))
    return {
        "house": "a house of my own",
        "bigger house": "a bigger house",
        "friend": f"to have {wish.thing} for a friend",
    }.get(wish.kind, "to be mayor one day")


def motive(me: Villager) -> str:
    """Its wish as the reason for its work, like ` I want an iron axe.`; empty if it has none."""
    wish = me.knowledge.wish
    return "" if wish is None else f" I want {in_words(wish)}."
