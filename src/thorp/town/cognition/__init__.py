"""How a governor decides: policies make offers, memory tempers them, one proposal comes out."""

from thorp.town.cognition.decision import BUILT_IN_POLICIES, propose
from thorp.town.cognition.inspection import inspect_decision
from thorp.town.cognition.policy import Candidate, Choice, Offer, Option, Policy, Situation

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
