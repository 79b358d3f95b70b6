"""What goods are worth to those who judge a trade. No rule sets a price by it."""

from __future__ import annotations

from typing import Final

from thorp.voxel.society.records import Items

DEFAULT_VALUE: Final = 1
VALUES: Final[Items] = {
    "LOG": 2,
    "COAL": 2,
    "IRON_ORE": 3,
    "COPPER_ORE": 3,
    "BREAD": 3,
    "COPPER_INGOT": 4,
    "IRON_INGOT": 5,
    "COOKED_MEAT": 5,
    "CRYSTAL_SHARD": 20,
    "CLAIM_TOTEM": 26,
    "BATTERY": 30,
    "CONVEYOR": 36,
    "SENSOR": 52,
    "CONTRACT_TERMINAL": 80,
}


def worth(goods: Items) -> int:
    return sum(count * VALUES.get(item, DEFAULT_VALUE) for item, count in goods.items())


def is_fair(one: Items, other: Items) -> bool:
    """Whether both sides gain: the smaller is worth at least half of the larger."""
    smaller, larger = sorted((worth(one), worth(other)))
    return 2 * smaller >= larger
