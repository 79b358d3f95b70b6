"""The four things a governor can propose, one row each: everything that differs between them is here.

The order of the rows is the order of types that breaks ties between equal priorities.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from thorp.kernel.canonical import Json
from thorp.town.profile import Traits
from thorp.town.snapshot import Pressure


class Action(NamedTuple):
    argument: str
    """The one key of `args`; its value is the target."""
    verb: str
    """The command, before town and target."""
    preconditions: Callable[[str], list[Json]]
    """From the target, the guards that go with a proposal: a fresh list each time."""
    reason: Callable[[Traits, Pressure], str]
    targets: tuple[str, ...] = ()
    """The only targets there are; none listed means an id from the snapshot."""


def percent(share: float) -> int:
    """A share of one in whole percent, halves rounded up."""
    hundredths = share * 100
    below = math.floor(hundredths)
    return below + 1 if hundredths - below >= 0.5 else below


ACTIONS = {
    "MAYOR_ACCEPT_MISSION": Action(
        argument="missionId",
        verb="mission accept",
        preconditions=lambda target: [
            {"kind": "mission_absent"},
            {"kind": "side_quest_exists", "targetId": target},
        ],
        reason=lambda traits, _: (
            f"No active mission. Authority level {percent(traits.authority)}% ready to accept."
        ),
    ),
    "PROJECT_ADVANCE": Action(
        argument="projectId",
        verb="project advance",
        preconditions=lambda target: [{"kind": "project_exists", "targetId": target}],
        reason=lambda _, pressure: (
            f"Threat level {percent(pressure.threat)}% demands project advancement for defense."
        ),
    ),
    "SALVAGE_PLAN": Action(
        argument="focus",
        verb="salvage initiate",
        preconditions=lambda target: [{"kind": "salvage_focus_supported", "expected": target}],
        reason=lambda _, pressure: (
            f"Scarcity {percent(pressure.scarcity)}% and dread {percent(pressure.dread)}% "
            "require salvage response."
        ),
        targets=("scarcity", "dread", "general"),
    ),
    "TOWNSFOLK_TALK": Action(
        argument="talkType",
        verb="townsfolk talk",
        preconditions=lambda target: [{"kind": "talk_type_supported", "expected": target}],
        reason=lambda _, pressure: f"Hope level {percent(pressure.hope)}%. Time to speak with townspeople.",
        targets=("morale-boost", "casual"),
    ),
}
TYPE_ORDER = {action_type: place for place, action_type in enumerate(ACTIONS)}


def command(action_type: str, town_id: str, target: str) -> str:
    """The command text. Nothing in it is quoted: it is hashed, and never split again."""
    return f"{ACTIONS[action_type].verb} {town_id} {target}"
