"""Regard: whom a villager likes, whom it has a grudge against, and why.

It grows from what others did to it: they traded, kept or broke a contract, took one first, gave
something, spoke well or ill of it. Each villager keeps its own in its memory; time heals a little
every day. The standing of somebody is how it is spoken of in public.
"""

import re
from typing import Final

from thorp.protocol.obs import Event
from thorp.village.villager import Action, Villager

FRIENDLY: Final = 3
FRIEND: Final = 8
"""From this regard on somebody is a friend."""
GRUDGE: Final = -2
"""Down to this regard nobody complains."""
SHUNNED: Final = -6
"""Below this regard somebody is avoided."""
MOST: Final = 12
HEALED_A_DAY: Final = 1
# The same reason counts again no sooner than this.
AGAIN_TICKS: Final = 600
MOST_TAKEN: Final = 24
_GIVEN: Final = re.compile(r"The house at .* is (\w+)'s\.")
_TAKEN: Final = re.compile(r"I take (C\d+)\.")


def feel(me: Villager, name: str, change: int, reason: str) -> None:
    """Like somebody more or less, for something that they did."""
    knowledge = me.knowledge
    if name == me.name or name not in knowledge.ids:
        return
    before = knowledge.regard.get(name, 0)
    knowledge.regard[name] = max(-MOST, min(MOST, before + change))
    if change < 0:
        knowledge.notes[f"wronged by {name}"] = me.tick
    if (change < 0) == (knowledge.regard[name] < 0):
        knowledge.reasons[name] = reason
    me.learn()


def regard(me: Villager, name: str) -> int:
    """How much it likes somebody."""
    return me.knowledge.regard.get(name, 0)


def reason(me: Villager, name: str) -> str:
    """Why it likes somebody or does not, as what they did: `broke our contract`."""
    return me.knowledge.reasons.get(name, "is always about")


def dearest(me: Villager) -> str | None:
    """Whom it likes best, if anybody."""
    liked = [(value, name) for name, value in me.knowledge.regard.items() if value >= FRIENDLY]
    return max(liked, key=lambda pair: (pair[0], pair[1]), default=(0, None))[1]


def least_liked(me: Villager) -> str | None:
    """Against whom it has the worst grudge, if any."""
    disliked = [(value, name) for name, value in me.knowledge.regard.items() if value < GRUDGE]
    return min(disliked, default=(0, None))[1]


def take_in(me: Villager, event: Event) -> None:
    """What an event does to its regard for those who are behind it."""
    kind = event["type"]
    if kind == "TRADE_DONE":
        _once(me, event["with"], 1, "trades fairly")
    elif kind == "TRADE_DECLINED":
        _once(me, event["by"], -1, "would not trade with me")
    elif kind == "CONTRACT":
        _take_contract(me, event)
    elif kind == "CHAT":
        _note_taker(me, event)
        _envy(me, event)


def _note_taker(me: Villager, event: Event) -> None:
    """Remember who takes which contract, to know whom it was lost to."""
    taken = _TAKEN.match(event["text"])
    name = me.knowledge.name_of(event["from"])
    if taken and name is not None and name != me.name:
        me.taken_by[taken[1]] = name
        for old in list(me.taken_by)[:-MOST_TAKEN]:
            del me.taken_by[old]


def _envy(me: Villager, event: Event) -> None:
    """Somebody got the house that it had asked for, or told everybody of its debts."""
    speaker = me.knowledge.name_of(event["from"])
    wish = me.knowledge.wish
    given = _GIVEN.match(event["text"])
    if speaker is None:
        return
    if given and wish is not None and wish.kind == "bigger house" and given[1] != me.name:
        feel(me, given[1], -4, "got the house that I had asked for")
    if f"{me.name} owes the city" in event["text"]:
        feel(me, speaker, -4, "called me out in public")


def _once(me: Villager, agent_id: str, change: int, why: str) -> None:
    """Count what happens all day only now and then."""
    name = me.knowledge.name_of(agent_id)
    mark = f"{why} {agent_id}"
    if name is not None and me.tick >= me.postponed_until.get(mark, 0):
        me.postponed_until[mark] = me.tick + AGAIN_TICKS
        feel(me, name, change, why)


def _take_contract(me: Villager, event: Event) -> None:
    poster = me.knowledge.name_of(event["poster"])
    acceptor = me.knowledge.name_of(event["acceptor"] or "")
    if event["state"] == "COMPLETED" and acceptor is not None and poster is not None:
        feel(me, acceptor, 2, "kept a contract with me")
        feel(me, poster, 1, "paid me for my work")
    elif event["state"] == "FAILED" and acceptor is not None:
        feel(me, acceptor, -6, "broke our contract")


def mellow(me: Villager) -> list[Action]:
    """Once a day time heals a little; nothing can be seen of it."""
    if me.knowledge.notes.get("mellowed") != me.day:
        me.knowledge.notes["mellowed"] = me.day
        heal(me)
    return []


def heal(me: Villager) -> None:
    """Another day: grudges lose some of their sting, and so do likings."""
    for name, value in list(me.knowledge.regard.items()):
        if value and name not in me.knowledge.feuds:
            step = HEALED_A_DAY if value < 0 else -HEALED_A_DAY
            if value < 0 or value > FRIENDLY:
                me.knowledge.regard[name] = value + step


def speak_of(me: Villager, name: str, change: int) -> None:
    """Somebody was spoken of in public."""
    me.knowledge.standing[name] = me.knowledge.standing.get(name, 0) + change
