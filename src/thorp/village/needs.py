"""What the village needs: how much of everything the common store should hold, and what it is
worth.

The targets follow from what 24 people and two lands use in a day (180 berries or 90 loaves, an
ingot and a coal for each land, a torch for each of them) and from what the next works of the town
plan are made of.
"""

from collections.abc import Mapping
from typing import Final

TARGETS: Final = {
    "BERRIES": 120,
    "BREAD": 24,
    "COAL": 40,
    "IRON_ORE": 8,
    "IRON_INGOT": 20,
    "COPPER_ORE": 4,
    "CRYSTAL_SHARD": 4,
    "TORCH": 24,
    "PLANK": 140,
    "LOG": 24,
    "STONE": 300,
    "BRICK": 140,
    "GLASS": 6,
    "SAND": 6,
    "RAW_MEAT": 8,
    "COOKED_MEAT": 12,
    "STONE_AXE": 2,
    "STONE_PICKAXE": 2,
    "STONE_SHOVEL": 2,
}
# The store sells all it has of these, and of other goods only what exceeds half of the target.
SOLD_TO_THE_LAST: Final = (
    *("BERRIES", "BREAD", "COOKED_MEAT", "TORCH"),
    *("STONE_AXE", "STONE_PICKAXE", "STONE_SHOVEL", "IRON_AXE", "IRON_PICKAXE", "IRON_SHOVEL"),
)
# The guild has to pay its upkeep, too.
KEPT: Final = {"IRON_INGOT": 2}
# The village's price list, in berries: raw goods as the world judges whether a trade is fair, and
# what is made of them by what goes into it. An iron axe takes three ingots and a stick's wood.
WORTH: Final = {
    "LOG": 2,
    "COAL": 2,
    "STONE_SHOVEL": 2,
    "IRON_ORE": 3,
    "COPPER_ORE": 3,
    "BREAD": 3,
    "GLASS": 3,
    "COPPER_INGOT": 4,
    "STONE_AXE": 4,
    "STONE_PICKAXE": 4,
    "IRON_INGOT": 5,
    "COOKED_MEAT": 5,
    "IRON_SHOVEL": 6,
    "IRON_AXE": 16,
    "IRON_PICKAXE": 16,
    "CRYSTAL_SHARD": 20,
    "CLAIM_TOTEM": 26,
    "BATTERY": 30,
    "CONTRACT_TERMINAL": 80,
}
FOODS: Final = {"BREAD": 8, "COOKED_MEAT": 12, "BERRIES": 4}
"""What one of each does against hunger."""

# What everybody keeps for itself; everything else is for the store.
KEEP: Final = {
    "TORCH": 4,
    "COAL": 2,
    "PLANK": 4,
    "STONE": 8,
    "DIRT": 12,
    "GRASS": 12,
    "SAND": 0,
    "SAPLING": 12,
    "STONE_AXE": 1,
    "STONE_PICKAXE": 1,
    "STONE_SHOVEL": 1,
    "IRON_AXE": 1,
    "IRON_PICKAXE": 1,
    "IRON_SHOVEL": 1,
    "BREAD": 5,
    "BERRIES": 10,
    "COOKED_MEAT": 3,
}
KEEP_BY_TRADE: Final[dict[str, dict[str, int]]] = {
    "forester": {"SAPLING": 40, "DIRT": 24, "GRASS": 24, "BERRIES": 16, "BREAD": 8},
    "farmer": {"SEEDS": 400, "WHEAT": 0},
    "forager": {"SEEDS": 40},
    "miner": {"STONE": 20, "BERRIES": 16, "BREAD": 8},
    "guildmaster": {"IRON_INGOT": 4, "COAL": 4, "BATTERY": 1, "CRYSTAL_SHARD": 1},
    "greeter": {"SIGN": 8, "PLANK": 8},
    "smith": {"IRON_ORE": 8, "COPPER_ORE": 8, "COAL": 12, "CRYSTAL_SHARD": 8},
}


def short(stock: Mapping[str, int]) -> dict[str, int]:
    """What is below its target, by how much."""
    lacking = {item: target - stock.get(item, 0) for item, target in TARGETS.items()}
    return {item: count for item, count in lacking.items() if count > 0}


def to_spare(stock: Mapping[str, int]) -> dict[str, int]:
    """What the store can part with."""
    spare = {
        item: count
        if item in SOLD_TO_THE_LAST
        else count - KEPT.get(item, TARGETS.get(item, 0) // 2)
        for item, count in stock.items()
    }
    return {item: count for item, count in sorted(spare.items()) if count > 0}


def kept(trade: str, item: str) -> int:
    """How many of an item someone of a trade keeps for itself."""
    return KEEP_BY_TRADE.get(trade, {}).get(item, KEEP.get(item, 0))


def worth(goods: Mapping[str, int]) -> int:
    """What goods are worth in trade, all together."""
    return sum(WORTH.get(item, 1) * count for item, count in goods.items())
