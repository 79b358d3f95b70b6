"""What people have, and what passes between them in a day: wealth, taxes, votes, and who dealt with
whom."""

from collections.abc import Iterable, Mapping
from statistics import fmean, median
from typing import Any, Final

from thorp.voxel import Agent, World
from thorp.voxel.society import scores
from thorp.voxel.society.wealth import HALVES, common_goods, worth
from thorp.voxel.state.records import MILLION

TENTH: Final = 10


def wealth(world: World, people: Iterable[Agent]) -> dict[str, float]:
    """What people carry and what they own together, and how much of it the richest tenth has."""
    purses = sorted(worth(agent.inventory) for agent in people)
    richest = purses[-max(1, len(purses) // TENTH) :]
    total = sum(purses)
    return {
        "mean": round(fmean(purses), 1) if purses else 0.0,
        "median": median(purses) if purses else 0.0,
        "richest_tenth": round(sum(richest) / total, 3) if total else 0.0,
        "common": sum(worth(goods) for goods in common_goods(world)),
    }


class Exchange:
    """Counts what passed between people in a day, from public events."""

    def __init__(self) -> None:
        self._pairs: set[frozenset[str]] = set()
        self._tax = 0
        self.votes = 0

    @property
    def partners(self) -> int:
        """How many pairs traded, or kept a contract with each other. An organisation counts as
        one."""
        return len(self._pairs)

    @property
    def tax(self) -> float:
        """What trades paid to the owners of the land."""
        return self._tax / HALVES

    def take(self, event: Mapping[str, Any]) -> None:
        """Count a public event."""
        kind = event["kind"]
        if kind == "VOTE":
            self.votes += 1
        elif kind == "TRADE":
            self._pairs.add(frozenset((str(event["actor"]), str(event["with"]))))
            self._tax += _tax(event)
        elif kind == "CONTRACT" and event["state"] == "COMPLETED":
            self._pairs.add(frozenset((str(event["poster"]), str(event["acceptor"]))))


def _tax(event: Mapping[str, Any]) -> int:
    """The tax of a trade, in halves, as the rules have taken it."""
    if "rate" not in event:
        return 0
    rate = round(event["rate"] * 2 * MILLION)
    swapped = [*event["offer"], *event["request"]]
    return scores.halves((item, count * rate // (2 * MILLION)) for item, count in swapped)
