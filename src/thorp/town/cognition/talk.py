"""Talking to the townsfolk: what any governor can do at any time, in either policy."""

from __future__ import annotations

from thorp.town.cognition.policy import Offer, Option, Situation

TYPE = "TOWNSFOLK_TALK"
LOW_HOPE = 0.6
"""Below this the town needs a word of comfort."""

_COMFORT = 0.5
_CHAT = 0.2


def offer_talk(situation: Situation) -> Offer:
    """A word with the townsfolk: comfort when hope is low, a chat otherwise."""
    if situation.snapshot.pressure.hope < LOW_HOPE:
        return Offer(TYPE, "morale-boost", _COMFORT, ("low_hope",), "", _options)
    return Offer(TYPE, "casual", _CHAT, (), "", _options)


def _options(situation: Situation) -> list[Option]:
    hope_is_low = situation.snapshot.pressure.hope < LOW_HOPE
    comfort = Option("morale-boost", _COMFORT, {"hope": _COMFORT}, "" if hope_is_low else "hope_is_not_low")
    chat = Option("casual", _CHAT, {"hope": _CHAT}, "hope_is_low" if hope_is_low else "")
    return [comfort, chat]
