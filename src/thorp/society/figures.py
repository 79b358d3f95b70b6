"""The figures of a society, each with its definition.

They are those of `thorp village live`, by the same keys: a day's line has all of them, and a key
with dots is a figure inside it, as `thorp village live --require` writes it.
"""

from collections.abc import Sequence
from typing import Final, Literal, get_args

import msgspec

from thorp.kernel.errors import UnknownError
from thorp.village.bounds import figure

Group = Literal["survival", "wealth", "trade", "law", "building", "cooperation", "daily life"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
Taken = Literal["last", "sum", "mean"]
"""How days combine into one figure: a stock takes the last day, a count the sum, a share the
mean."""


class Figure(msgspec.Struct, frozen=True):
    """One figure of a day."""

    key: str
    group: Group
    taken: Taken
    text: str
    """What it says, in a sentence."""


FIGURES: Final = (
    Figure("people", "survival", "last", "People who came into the world and are still there."),
    Figure(
        "downed", "survival", "sum", "Falls: how often somebody's health ran out, whatever hurt."
    ),
    Figure("starving", "survival", "mean", "People who were at hunger 0 at some time of the day."),
    Figure(
        "gini",
        "wealth",
        "last",
        "How unequal what bodies carry is: 0 if all have the same, nearly 1 if one has everything.",
    ),
    Figure(
        "wealth.mean",
        "wealth",
        "last",
        "What one of the people carries on average, in planks' worth.",
    ),
    Figure(
        "wealth.median",
        "wealth",
        "last",
        "What the person in the middle carries, in planks' worth.",
    ),
    Figure(
        "wealth.richest_tenth",
        "wealth",
        "last",
        "The share that the richest tenth carries of what all people carry.",
    ),
    Figure(
        "wealth.common",
        "wealth",
        "last",
        "What lies in chests and in treasuries of organisations, in planks' worth.",
    ),
    Figure("trades", "trade", "sum", "Trades that both sides agreed to and that were carried out."),
    Figure("tax", "trade", "sum", "What trades paid to the owners of the land, in planks' worth."),
    Figure("laws.ACTIVE", "law", "last", "Laws that were adopted and that the land remembers."),
    Figure("laws.REJECTED", "law", "last", "Laws that were rejected and that the land remembers."),
    Figure("votes", "law", "sum", "Votes that were cast or changed on laws."),
    Figure("buildings.standing", "building", "last", "Blueprints that were built and stand whole."),
    Figure("buildings.today", "building", "sum", "Blueprints that were finished."),
    Figure(
        "buildings.kinds", "building", "last", "Different blueprints among those that stand whole."
    ),
    Figure("contracts.completed", "cooperation", "sum", "Contracts that were kept."),
    Figure("contracts.failed", "cooperation", "sum", "Contracts that were taken and not kept."),
    Figure(
        "partners",
        "cooperation",
        "mean",
        "Pairs, of people or organisations, who traded or kept a contract with each other.",
    ),
    Figure("upkeep.paid", "cooperation", "sum", "Days of upkeep that lands paid."),
    Figure("upkeep.missed", "cooperation", "sum", "Days of upkeep that lands did not pay."),
    Figure(
        "idle_day",
        "daily life",
        "mean",
        "The share of daytime samples in which somebody did nothing that can be seen.",
    ),
    Figure(
        "quiet_minutes",
        "daily life",
        "mean",
        "Minutes of daytime, of ten, in which nothing public happened.",
    ),
    Figure(
        "worth_pointing_at",
        "daily life",
        "mean",
        "Highlights of the day, as the page of the village defines them.",
    ),
)
BY_KEY: Final = {each.key: each for each in FIGURES}


def find_figure(key: str) -> Figure:
    """The figure with this key. Refuses an unknown one."""
    if key not in BY_KEY:
        raise UnknownError(f"there is no figure {key!r}; known are {', '.join(BY_KEY)}")
    return BY_KEY[key]


def value_of(key: str, lines: Sequence[dict[str, object]]) -> float:
    """A figure over some days: the last one, their sum, or their mean."""
    values = [figure(line, key) or 0.0 for line in lines]
    taken = BY_KEY[key].taken
    if taken == "last":
        return values[-1]
    return sum(values) if taken == "sum" else sum(values) / len(values)
