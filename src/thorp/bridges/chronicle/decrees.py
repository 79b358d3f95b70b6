"""Laws, and governors' orders with their outcomes, in words. Commands are those of `thorp.town.proposal`."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from thorp.bridges.chronicle.names import Phrase, title, trusted
from thorp.bridges.chronicle.wording import amount, number_in_words, ordinal
from thorp.town.profile import ROLES
from thorp.town.proposal import ACTIONS
from thorp.voxel.society.records import MILLION, Law

Params = Mapping[str, Any]

_CALLED: Final = {
    "ACCESS_PASS_CORE": "a law about tickets",
    "CURFEW_NO_BUILD": "a law about the hours of building",
    "FINE_BREAK_PER_BLOCK": "a law about fines",
    "MARKET_TAX": "a law about trade",
}


def law_kind(template_id: str) -> str:
    """A law without its title."""
    return _CALLED.get(template_id, "a law")


def law_effect(law: Law) -> str:
    """What holds when the law is in force."""
    said = _SENSE.get(law.template_id)
    return "it stands as it was written" if said is None else said(law.params)


def _tax(params: Params) -> str:
    share = params["market_tax"]
    if not share:
        return "nobody is taxed for trading any more"
    if MILLION % share == 0 and MILLION // share in _PARTS:
        return f"{_PARTS[MILLION // share]} of whatever is traded there goes to the owner"
    percent = number_in_words(share * 100 // MILLION)
    return f"{percent} in the hundred of whatever is traded there go to the owner"


_PARTS: Final = {
    4: "a quarter",
    5: "a fifth",
    8: "an eighth",
    10: "a tenth",
    20: "a twentieth",
    100: "a hundredth",
}


def _curfew(params: Params) -> str:
    start, end = (params[name] * 24 // MILLION for name in ("start_time", "end_time"))
    if params["start_time"] == params["end_time"]:
        return "there is no curfew any more"
    return f"nobody builds or breaks there from {_hour(start)} to {_hour(end)}"


def _hour(hour: int) -> str:
    return f"the {ordinal(hour)} hour" if hour % 24 else "midnight"


def _fine(params: Params) -> str:
    count = params["fine_per_block"]
    if not count:
        return "nobody is fined for breaking any more"
    return f"a stranger who breaks something there pays {amount(params['fine_item'], count)}"


def _ticket(params: Params) -> str:
    count = params["ticket_cost"]
    if not count:
        return "strangers come in free again"
    return f"a stranger who comes into the middle of the land pays {amount(params['ticket_item'], count)}"


_SENSE: Final[dict[str, Callable[[Params], str]]] = {
    "ACCESS_PASS_CORE": _ticket,
    "CURFEW_NO_BUILD": _curfew,
    "FINE_BREAK_PER_BLOCK": _fine,
    "MARKET_TAX": _tax,
}

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


def order(command: str) -> Phrase:
    """What a command tells a town to do, as in: it was told to …"""
    for action_type, action in ACTIONS.items():
        if command.startswith(f"{action.verb} "):
            target = command.rsplit(" ", 1)[-1]
            return trusted(_ORDERS[action_type].get(target, _ANY[action_type]))
    return Phrase(f"do {title(command)}", "do something")


def reason(code: str) -> Phrase:
    return trusted(_REASONS.get(code, "it was not to be"))


def office(actor_id: str) -> Phrase:
    """Whoever gave the order, by the office that its id names."""
    words = re.findall("[a-z]+", actor_id.lower())
    return trusted(f"the {next((word for word in words if word in ROLES), 'council')}")
