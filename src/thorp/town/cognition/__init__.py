"""How a governor decides: policies make offers, memory tempers them, one proposal comes out."""

from thorp.town.cognition.decision import BUILT_IN_POLICIES
from thorp.town.cognition.inspection import inspect_decision
from thorp.town.cognition.policy import Candidate, Choice, Offer, Option, Policy, Situation
from thorp.town.cognition.proposing import propose

__all__ = [
    "BUILT_IN_POLICIES",
    "Candidate",
    "Choice",
    "Offer",
    "Option",
    "Policy",
    "Situation",
    "inspect_decision",
    "propose",
]
