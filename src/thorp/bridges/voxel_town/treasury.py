"""What a town has, what it can spend, and what it pays with.

Stocks are what lies in the treasury and free in containers on the land. Only the treasury pays, and never
what the land will cost in the next days.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from typing import Final

from thorp.bridges.voxel_town.territory import Domain
from thorp.voxel.society.goods import DEFAULT_VALUE, VALUES
from thorp.voxel.society.records import Items
from thorp.voxel.state.world import World
from thorp.voxel.systems.containers import available

# Days of upkeep that a town wants, and keeps back.
RESERVE_DAYS: Final = 3
# What people would rather be paid with; other goods follow by name.
WAGES: Final = ("PLANK", "STONE", "COAL", "LOG")


def stocks(world: World, domain: Domain) -> Counter[str]:
    held = Counter(domain.org.treasury)
    for box in domain.containers(world):
        for item in box.stock:
            held[item] += available(box, item)
    return held


def upkeep_days(world: World, domain: Domain) -> int:
    """For how many days the treasury can pay for the land."""
    cost, treasury = world.tuning.claim_maintenance_cost, domain.org.treasury
    days = [treasury.get(item, 0) // (count * len(domain.claims)) for item, count in cost.items()]
    return min(days, default=RESERVE_DAYS)


def spendable(world: World, domain: Domain) -> Items:
    cost = world.tuning.claim_maintenance_cost
    kept = {item: RESERVE_DAYS * count * len(domain.claims) for item, count in cost.items()}
    return {
        item: left for item, count in domain.org.treasury.items() if (left := count - kept.get(item, 0)) > 0
    }


def wage(world: World, domain: Domain, worth: int, *, but: Container[str] = ()) -> Items | None:
    """Goods out of the treasury that are worth so much, other than some; None if it has not got them."""
    purse, pay = spendable(world, domain), Items()
    for item in sorted(
        purse, key=lambda item: (item not in WAGES, item not in WAGES or WAGES.index(item), item)
    ):
        value = VALUES.get(item, DEFAULT_VALUE)
        if worth > 0 and item not in but:
            pay[item] = min(purse[item], -(-worth // value))
            worth -= pay[item] * value
    return dict(sorted(pay.items())) if worth <= 0 else None
