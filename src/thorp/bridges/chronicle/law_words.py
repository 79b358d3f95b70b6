"""What a law says and how the vote on it went, in words."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from thorp.bridges.chronicle.wording import WORDS, amount, number_in_words
from thorp.voxel.state.records import MILLION, Law

MINUTES: Final = 24 * 60  # Of a day.


def tally_words(law: Law) -> str:
    """How the vote on a decided law went, like ` by sixteen votes to four`."""
    choices = [*law.votes.values()]
    yes = choices.count("YES")
    no = choices.count("NO")
    more = max(yes, no)
    less = min(yes, no)
    if not more:
        return " because nobody voted" if law.status == "REJECTED" else ""
    votes = "vote" if more == 1 else "votes"
    return f" by {number_in_words(more)} {votes} to {number_in_words(less) if less else 'none'}"


def effect_words(law: Law) -> str:
    """What the law brings about while it is in force."""
    said = _EFFECTS.get(law.template_id)
    return "it stands as it was written" if said is None else said(law.params)


def _tax(params: Mapping[str, Any]) -> str:
    share = params["market_tax"]
    if not share:
        return "nobody is taxed for trading any more"
    if MILLION % share == 0 and MILLION // share in WORDS.shares:
        return f"{WORDS.shares[MILLION // share]} of whatever is traded there goes to the owner"
    percent = number_in_words(share * 100 // MILLION)
    return f"{percent} in the hundred of whatever is traded there go to the owner"


def _curfew(params: Mapping[str, Any]) -> str:
    if params["start_time"] == params["end_time"]:
        return "there is no curfew any more"
    start, end = (_clock_time(params[name]) for name in ("start_time", "end_time"))
    return f"nobody builds or breaks there from {start} to {end}"


def _clock_time(share: int) -> str:
    """A time of day, given in millionths of a day: `21:36`."""
    hours, minutes = divmod(share * MINUTES // MILLION % MINUTES, 60)
    return f"{hours:02}:{minutes:02}"


def _price_of_breaking(params: Mapping[str, Any]) -> str:
    count = params["fine_per_block"]
    if not count:
        return "nobody is fined for breaking any more"
    return f"a stranger who breaks something there pays {amount(params['fine_item'], count)}"


def _ticket(params: Mapping[str, Any]) -> str:
    count = params["ticket_cost"]
    if not count:
        return "strangers come in free again"
    return (
        "a stranger who comes into the middle of the land pays "
        f"{amount(params['ticket_item'], count)}"
    )


_EFFECTS: Final[dict[str, Callable[[Mapping[str, Any]], str]]] = {
    "ACCESS_PASS_CORE": _ticket,
    "CURFEW_NO_BUILD": _curfew,
    "FINE_BREAK_PER_BLOCK": _price_of_breaking,
    "MARKET_TAX": _tax,
}
