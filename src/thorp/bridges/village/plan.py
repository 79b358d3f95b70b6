"""The plan of the village: what stands where, seen from its middle, and what things cost among neighbours."""

from __future__ import annotations

from typing import Final, NamedTuple


class Plot(NamedTuple):
    """A blueprint, where its anchor is, and how often it is turned."""

    blueprint: str
    dx: int
    dz: int
    rotation: int = 0


# The glade is level for six cells in every direction: a hut in each corner, walls between, gates beside them.
HUTS: Final = (
    Plot("hut_small", -4, -4, 2),
    Plot("hut_small", 6, -4, 2),
    Plot("hut_small", -6, 4),
    Plot("hut_small", 4, 4),
)
WALLS: Final = (
    Plot("stone_wall_segment", -6, -2),
    Plot("stone_wall_segment", 6, -2),
    Plot("stone_wall_segment", -2, -6, 1),
    Plot("stone_wall_segment", -2, 6, 1),
)
WORKSHOP: Final = Plot("workshop_pad", 3, -1)

# Where a body stands who works there is one column beside.
BENCH: Final = (-2, -2)
CHEST: Final = (-2, 1)
BOARD: Final = (1, 2)
SIGN: Final = (-1, 2)
TOTEM: Final = (0, -3)
TERMINAL: Final = (0, 2)

CITY_RADIUS: Final = 32
GUILD_RADIUS: Final = 24

# A newcomer's gift to the village.
GIFT: Final = {"PLANK": 14, "COAL": 3}
# What a citizen gives to the city.
DUE: Final = {"PLANK": 2}
# What a builder must bring along: the chest has planks, and seldom stone.
MADE_OF: Final = {
    "stone_wall_segment": {"STONE": 10},
    "road_segment": {"PLANK": 5},
    "hut_small": {"PLANK": 40},
}
CONTRACT_TICKS: Final = 6_000
# What the smith pays, in planks, and what it charges.
ORE_PRICES: Final = {"CRYSTAL_SHARD": 10, "COPPER_ORE": 1, "IRON_ORE": 1, "COAL": 1}
CLAIM_KIT: Final = {"BATTERY": 1, "CRYSTAL_SHARD": 1}
CLAIM_KIT_PRICE: Final = {"STONE": 19, "COAL": 4}
GUILD_KIT_PRICE: Final = {"PLANK": 16, "COAL": 5}
TERMINAL_PRICE: Final = {"COAL": 20}
# What somebody who fells trees keeps.
OWN_PLANKS: Final = 6
HUT_PLANKS: Final = 40
