"""Laws, and governors' orders with their outcomes, in words. Commands are those of `thorp.town.proposal`."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from thorp.bridges.chronicle.names import Phrase, title, trusted
from thorp.bridges.chronicle.wording import WORDS, amount, number_in_words, ordinal
from thorp.town.profile import ROLES
from thorp.town.proposal import ACTIONS
from thorp.voxel.society.records import MILLION, Law

Params = Mapping[str, Any]


def law_kind(template_id: str) -> str:
    """A law without its title."""
    return WORDS.laws.get(template_id, "a law")


def law_effect(law: Law) -> str:
    """What holds when the law is in force."""
    said = _SENSE.get(law.template_id)
    return "it stands as it was written" if said is None else said(law.params)


def _tax(params: Params) -> str:
    share = params["market_tax"]
    if not share:
        return "nobody is taxed for trading any more"
    if MILLION % share == 0 and MILLION // share in WORDS.shares:
        return f"{WORDS.shares[MILLION // share]} of whatever is traded there goes to the owner"
    percent = number_in_words(share * 100 // MILLION)
    return f"{percent} in the hundred of whatever is traded there go to the owner"


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


def order(command: str) -> Phrase:
    """What a command tells a town to do, as in: it was told to …"""
    for action_type, action in ACTIONS.items():
        if command.startswith(f"{action.verb} "):
            target = command.rsplit(" ", 1)[-1]
            aims = WORDS.orders[action_type]
            return trusted(aims.get(target) or aims[""])
    return Phrase(f"do {title(command)}", "do something")


def reason(code: str) -> Phrase:
    return trusted(WORDS.reasons.get(code, "it was not to be"))


def office(actor_id: str) -> Phrase:
    """Whoever gave the order, by the office that its id names."""
    words = re.findall("[a-z]+", actor_id.lower())
    return trusted(f"the {next((word for word in words if word in ROLES), 'council')}")
