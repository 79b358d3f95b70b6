"""Goods: counts by item, as actions list them and events show them; what they are worth, and who
has them.

The values only decide whether a trade is fair and how much reputation it earns; no rule sets a
price by them. An owner is an agent with its inventory, or an organisation with its treasury.
"""

from collections.abc import Iterable
from typing import Final

from thorp.protocol import codes
from thorp.protocol.actions import Stack
from thorp.voxel.refusal import Refusal, refuse_if
from thorp.voxel.state.agent import change_stock
from thorp.voxel.state.records import Items
from thorp.voxel.state.world import WorldState

DEFAULT_VALUE: Final = 1
VALUES: Final[Items] = {
    **dict.fromkeys(("LOG", "COAL"), 2),
    **dict.fromkeys(("IRON_ORE", "COPPER_ORE", "BREAD"), 3),
    "COPPER_INGOT": 4,
    **dict.fromkeys(("IRON_INGOT", "COOKED_MEAT"), 5),
    "CRYSTAL_SHARD": 20,
    "CLAIM_TOTEM": 26,
    "BATTERY": 30,
    "CONVEYOR": 36,
    "SENSOR": 52,
    "CONTRACT_TERMINAL": 80,
}


def from_pairs(world: WorldState, pairs: Iterable[tuple[str, float]] | None, what: str) -> Items:
    """Counts by item, of at least one item. An item that is listed twice is added up. A fraction is
    refused, not cut off, so that nobody gives or gets another count than it wrote. `what` names the
    field in refusals."""
    goods: Items = {}
    for item, amount in pairs or ():
        if item not in world.catalogs.items:
            raise Refusal(codes.BAD_REQUEST, f"bad {what}", problem=f"unknown item {item}")
        count = int(amount)
        if count != amount:
            problem = f"count of {item} must be a whole number"
            raise Refusal(codes.BAD_REQUEST, f"bad {what}", problem=problem)
        refuse_if(
            count <= 0,
            codes.BAD_REQUEST,
            f"bad {what}",
            problem=f"count of {item} must be positive",
        )
        goods[item] = goods.get(item, 0) + count
    refuse_if(not goods, codes.BAD_REQUEST, f"bad {what}", problem="nothing is listed")
    return dict(sorted(goods.items()))


def from_stacks(world: WorldState, stacks: Iterable[Stack] | None, what: str) -> Items:
    """The goods that an action lists; see `from_pairs`."""
    return from_pairs(world, [(stack.item, stack.count) for stack in stacks or ()], what)


def as_stacks(goods: Items) -> list[dict[str, object]]:
    """Goods as events show them, sorted by item."""
    return [{"item": item, "count": goods[item]} for item in sorted(goods)]


def adjust(goods: Items, by: Items, times: int = 1) -> None:
    """Add goods, or take them away with a negative `times`, in place."""
    for item, count in by.items():
        change_stock(goods, item, times * count)


def worth(goods: Items) -> int:
    """The value of goods, by which trades are judged fair."""
    return sum(count * VALUES.get(item, DEFAULT_VALUE) for item, count in goods.items())


def is_fair(offer: Items, request: Items) -> bool:
    """Whether the less valuable side of a deal is worth at least half of the other."""
    smaller, larger = sorted((worth(offer), worth(request)))
    return 2 * smaller >= larger


def exists(world: WorldState, owner: str) -> bool:
    """Whether an agent or an organisation with this id is in the world."""
    return owner in world.orgs or world.agent_by_id(owner) is not None


def have(world: WorldState, owner: str, item: str) -> int:
    """How many of an item an agent carries, or an organisation has in its treasury."""
    org = world.orgs.get(owner)
    if org is not None:
        return org.treasury.get(item, 0)
    agent = world.agent_by_id(owner)
    return agent.have(item) if agent is not None else 0


def give(world: WorldState, owner: str, item: str, count: int) -> None:
    """Give items to an owner, or take them with a negative count. The owner must exist."""
    org = world.orgs.get(owner)
    if org is None:
        agent = world.agent_by_id(owner)
        if agent is None:
            raise AssertionError(f"{owner} is nobody")
        agent.give(item, count)
        return
    change_stock(org.treasury, item, count)
    world.orgs.touch(owner)


def require(world: WorldState, owner: str, goods: Items, message: str = "missing items") -> None:
    """Refuse if the owner lacks some of the goods."""
    for item, count in goods.items():
        lacking = count - have(world, owner, item)
        refuse_if(lacking > 0, codes.NO_RESOURCE, f"{message}: {item} x{lacking}")
