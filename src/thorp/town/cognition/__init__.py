"""How a governor decides: policies make offers, memory tempers them, one proposal comes out."""

from thorp.town.cognition.decision import BUILT_IN_POLICIES, inspect_decision, propose
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
