"""The policy *ranked*: every quest and project is weighed, and events and goals count. The default.

Everything that *ranked* weighs, each quest and project an offer of its own: what a chooser chooses from.

Scores are those of *ranked*, and what it would never choose is withheld here with its reason.
"""

from __future__ import annotations

from thorp.town.cognition.captain import offer_project
from thorp.town.cognition.mayor import offer_mission
from thorp.town.cognition.policy import Offer, Option, Policy, Situation, offer_talk
from thorp.town.cognition.warden import offer_salvage

_ROLES = {"mayor": offer_mission, "captain": offer_project, "warden": offer_salvage}


def _offers(situation: Situation) -> tuple[Offer, Offer]:
    return _ROLES[situation.profile.role](situation), offer_talk(situation)


RANKED = Policy("ranked", _offers)


def offer_every_option(situation: Situation) -> list[Offer]:
    """The offers of *ranked*, taken apart into their options."""
    offers: list[Offer] = []
    for offer in RANKED.offers(situation):
        if offer.score > 0:
            offers += [_offer(offer, option) for option in offer.options(situation)]
        else:
            offers.append(offer)
    return offers


def _offer(offer: Offer, option: Option) -> Offer:
    def only(_: Situation) -> list[Option]:
        return [option]

    score = 0 if option.skipped else option.score
    return Offer(offer.type, option.target, score, offer.tags, option.skipped, only)
