"""The policy *ranked*: every quest and project is weighed, and events and goals count. The default."""

from __future__ import annotations

from thorp.town.cognition.captain import offer_project
from thorp.town.cognition.mayor import offer_mission
from thorp.town.cognition.policy import Offer, Policy, Situation
from thorp.town.cognition.talk import offer_talk
from thorp.town.cognition.warden import offer_salvage

_ROLES = {"mayor": offer_mission, "captain": offer_project, "warden": offer_salvage}


def _offers(situation: Situation) -> tuple[Offer, Offer]:
    return _ROLES[situation.profile.role](situation), offer_talk(situation)


RANKED = Policy("ranked", _offers)
