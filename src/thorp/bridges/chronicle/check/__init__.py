"""Checks a chronicle against its world: finds sentences that contradict what happened.

    deeds    what the public events of a world are, as deeds
    facts    what the world says of a stretch of ticks: deeds, people, land, buildings
    reading  what a sentence claims
    fit      whether a deed fits what a sentence says of it
    rules    the table of rules by which a claim contradicts the facts
    run      executes the journal again, and judges every page with the facts of its ticks

See `docs/chronicle.md`.
"""

from thorp.bridges.chronicle.check.rules import RULES, Contradiction, Rule, judge
from thorp.bridges.chronicle.check.run import Checked, Finding, check_chronicle

__all__ = [
    "RULES",
    "Checked",
    "Contradiction",
    "Finding",
    "Rule",
    "check_chronicle",
    "judge",
]
