"""What governors ordered and what became of it, in words. Commands are those of `thorp.town.action`."""

from __future__ import annotations

import re
from typing import Final

from thorp.bridges.chronicle.names import Said, ours, title
from thorp.town.action import ACTIONS
from thorp.town.profile import ROLES

OUTCOMES: Final = {
    "executed": "town executed",
    "failed": "town failed",
    "rejected": "town refused",
    "stale": "town refused",
}
"""The notice that a result's status makes; what was said before, a duplicate, makes none."""

_ORDERS: Final[dict[str, dict[str, str]]] = {
    "MAYOR_ACCEPT_MISSION": {},
    "PROJECT_ADVANCE": {},
    "SALVAGE_PLAN": {"scarcity": "gather what was scarce", "dread": "gather against what it dreads"},
    "TOWNSFOLK_TALK": {"morale-boost": "raise the spirits of its people"},
}
"""What a town is to do, by what the order aims at."""

_ANY: Final = {
    "MAYOR_ACCEPT_MISSION": "take up a mission",
    "PROJECT_ADVANCE": "go on with its works",
    "SALVAGE_PLAN": "gather what could be used",
    "TOWNSFOLK_TALK": "talk with its people",
}

_REASONS: Final = {
    "APPLY_FAILED": "it could not be done",
    "PRECONDITION_FAILED": "things stood otherwise",
    "RULE_REFUSED": "its rules would not have it",
    "STALE_DECISION_EPOCH": "the order came a day too late",
    "STALE_SNAPSHOT_HASH": "things had moved on",
}


def order(command: str) -> Said:
    """What a command tells a town to do, as in: it was told to …"""
    for action_type, action in ACTIONS.items():
        if command.startswith(f"{action.verb} "):
            target = command.rsplit(" ", 1)[-1]
            return ours(_ORDERS[action_type].get(target, _ANY[action_type]))
    return Said(f"do {title(command)}", "do something")


def reason(code: str) -> Said:
    return ours(_REASONS.get(code, "it was not to be"))


def office(actor_id: str) -> Said:
    """Whoever gave the order, by the office that its id names."""
    words = re.findall("[a-z]+", actor_id.lower())
    return ours(f"the {next((word for word in words if word in ROLES), 'council')}")
