"""The interface of a policy, and the rules that the built-in policies share.

A policy makes *offers*: what it would do in a situation, with a score and reasons. An offer with a
score above 0 is a candidate; one without says why it is withheld. What comes after (memory,
ranking, the proposal itself) is the same for all policies and not theirs to decide. A *chooser*
takes one of the ranked candidates, cannot add to them, and may leave the decision to `ranked`.

Key words of an event are searched for in the lower-cased text, inside words too ("afraid" contains
"raid").
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.town.profile import Profile
from thorp.town.snapshot import Snapshot

SIGNALS = {
    "threat": (0.04, 0.12, ("raid", "ghast", "piglin", "blaze", "breach", "attack", "wither")),
    "scarcity": (0, 0.12, ("resource", "supply", "crop", "food", "famine", "scarcity")),
    "dread": (
        0.04,
        0.14,
        ("raid", "ghast", "piglin", "panic", "fear", "breach", "wither", "blaze"),
    ),
}
"""By meter: what any event adds to it, what an event with one of the key words adds on top, and the
key words."""

MISSION = "MAYOR_ACCEPT_MISSION"
PROJECT = "PROJECT_ADVANCE"
SALVAGE = "SALVAGE_PLAN"
TALK = "TOWNSFOLK_TALK"

HIGH_THREAT = 0.3  # Up to this the captain has no reason to act.
HIGH_STRAIN = 0.4  # Up to this the warden waits.
LOW_HOPE = 0.6  # Below this the town needs a word of comfort.

# Scores of a talk.
_COMFORT = 0.5
_CHAT = 0.2


def event_signal(meter: str, event: str | None) -> float:
    """How much an event adds to a meter; 0 without an event."""
    if not event:
        return 0
    any_event, added, words = SIGNALS[meter]
    text = event.lower()
    for word in words:  # a plain loop: a generator would cost more than the search
        if word in text:
            return any_event + added
    return any_event


def event_signals(event: str | None) -> dict[str, float]:
    """How much an event adds to each meter."""
    return {meter: event_signal(meter, event) for meter in SIGNALS}


class Situation(msgspec.Struct, frozen=True, gc=False):
    """What a policy decides on: a snapshot in canonical order, and the governor's profile. To be
    read, not changed."""

    snapshot: Snapshot
    profile: Profile


class Option(msgspec.Struct, frozen=True, gc=False):
    """One target that was weighed. The score is its parts added in order, kept within 0 and 1."""

    target: str
    score: float
    parts: Mapping[str, float]
    skipped: str = ""  # Why it could not be chosen at all.


class Offer(msgspec.Struct, frozen=True, gc=False):
    """One thing a policy would do, or why it would not."""

    type: str
    target: str = ""
    score: float = 0
    tags: tuple[str, ...] = ()
    withheld: str = ""
    options: Callable[[Situation], list[Option]] = lambda _: []
    """Gives everything that was weighed for this offer, in canonical order. Only called to
    explain."""


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """An offer that can be chosen, and what memory took from its score."""

    offer: Offer
    penalty: float
    priority: float


class Choice(NamedTuple):
    """The answer of a chooser."""

    # Which candidate it takes, counted from 0; None leaves the decision to `ranked`.
    place: int | None
    report: Mapping[str, Json]  # What an inspection says about the choice.


class Policy(NamedTuple):
    """How a governor decides. Entry points of group `thorp.policies` name objects of this type."""

    name: str
    offers: Callable[[Situation], Sequence[Offer]]
    choose: Callable[[Situation, Sequence[Candidate]], Choice] | None = None
    """The chooser, which is given the candidates, best first; without one the first candidate is
    taken."""


def clamp(score: float) -> float:
    """The score within 0 and 1; never minus zero."""
    return 0.0 if score <= 0 else 1.0 if score >= 1 else score


def offers_by_role(
    roles: Mapping[str, Callable[[Situation], Offer]],
) -> Callable[[Situation], tuple[Offer, Offer]]:
    """Make the `offers` of a policy that has one action for each role, and may always talk."""
    return lambda situation: (roles[situation.profile.role](situation), offer_talk(situation))


def offer_talk(situation: Situation) -> Offer:
    """A word with the townsfolk: comfort when hope is low, a chat otherwise."""
    if situation.snapshot.pressure.hope < LOW_HOPE:
        return Offer(
            type=TALK,
            target="morale-boost",
            score=_COMFORT,
            tags=("low_hope",),
            withheld="",
            options=_options,
        )
    return Offer(type=TALK, target="casual", score=_CHAT, tags=(), withheld="", options=_options)


def _options(situation: Situation) -> list[Option]:
    hope_is_low = situation.snapshot.pressure.hope < LOW_HOPE
    comfort = Option(
        "morale-boost", _COMFORT, {"hope": _COMFORT}, "" if hope_is_low else "hope_is_not_low"
    )
    chat = Option("casual", _CHAT, {"hope": _CHAT}, "hope_is_low" if hope_is_low else "")
    return [comfort, chat]
