"""What a law says, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from thorp.bridges.chronicle.goods import amount
from thorp.bridges.chronicle.numerals import counted, ordinal
from thorp.voxel.society.records import MILLION, Law

Params = Mapping[str, Any]

_CALLED: Final = {
    "ACCESS_PASS_CORE": "a law about tickets",
    "CURFEW_NO_BUILD": "a law about the hours of building",
    "FINE_BREAK_PER_BLOCK": "a law about fines",
    "MARKET_TAX": "a law about trade",
}


def called(template_id: str) -> str:
    """A law without its title."""
    return _CALLED.get(template_id, "a law")


def sense(law: Law) -> str:
    """What holds when the law is in force."""
    said = _SENSE.get(law.template_id)
    return "it stands as it was written" if said is None else said(law.params)


def _tax(params: Params) -> str:
    share = params["market_tax"]
    if not share:
        return "nobody is taxed for trading any more"
    if MILLION % share == 0 and MILLION // share in _PARTS:
        return f"{_PARTS[MILLION // share]} of whatever is traded there goes to the owner"
    return f"{counted(share * 100 // MILLION)} in the hundred of whatever is traded there go to the owner"


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
