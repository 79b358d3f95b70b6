"""How villagers say amounts, places and lists: short, as people speak.

    amount("STONE", 12)                 12 stone
    goods({"PLANK": 4, "COAL": 1})      4 planks and 1 coal
    direction((0, 27, 0), (20, 27, 0))  20 steps to the east
    from_plaza((0, 27, 0), (20, 27, 0)) 20 steps east of the plaza

The chronicle writes prose and has words of its own (`thorp.bridges.chronicle.wording`).
"""

from collections.abc import Mapping, Sequence
from typing import Final

from thorp.protocol.obs import Position

MOST_GOODS: Final = 6
"""Kinds of goods that one sentence lists; nobody listens to more."""
HERE: Final = 3
"""Steps within which something is simply here."""
UNCOUNTED: Final = frozenset(
    (
        *("BREAD", "COAL", "COOKED_MEAT", "COPPER_ORE", "DIRT", "GLASS", "GRASS", "GRAVEL"),
        *("ICE", "IRON_ORE", "RAW_MEAT", "SAND", "STONE", "TALL_GRASS", "WHEAT"),
    )
)
"""Goods whose name has no plural: `12 stone`."""

BUILDINGS: Final = {
    "glass_house": "house with windows",
    "hut_small": "small hut",
    "road_segment": "stretch of road",
    "road_turn": "bend of road",
    "stone_wall_segment": "stone wall",
    "workshop_pad": "workshop floor",
}
"""Buildings whose plans are called otherwise: a `watch_tower` is a watch tower."""


def building_name(blueprint: str) -> str:
    """A building as people call it: `small hut`."""
    return BUILDINGS.get(blueprint.lower(), blueprint.lower().replace("_", " "))


def item_name(item: str, count: int = 1) -> str:
    """An item as people call it: `stone axe`, and of several `stone axes`."""
    name = item.lower().replace("_", " ")
    if item in UNCOUNTED:
        return name
    if name.endswith("ies"):
        return name if count != 1 else f"{name[:-3]}y"
    if count == 1 or name.endswith("s"):
        return name
    return f"{name}es" if name.endswith(("ch", "sh", "x")) else f"{name}s"


def amount(item: str, count: int) -> str:
    """A number of items: `12 stone`, `1 stone axe`, `4 planks`."""
    return f"{count} {item_name(item, count)}"


def goods(stock: Mapping[str, int]) -> str:
    """Goods as a list in a sentence: `12 stone and 4 planks`, or `nothing`."""
    amounts = [amount(item, count) for item, count in stock.items() if count > 0]
    if len(amounts) > MOST_GOODS:
        amounts = [*amounts[: MOST_GOODS - 1], "other things"]
    return listing(amounts) or "nothing"


def listing(parts: Sequence[str]) -> str:
    """Words in a row: `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def direction(start: Position, target: Position) -> str:
    """The way from one cell to another: `20 steps to the east`, or `right here`.

    x grows to the east and z to the south.
    """
    steps = _steps(start, target)
    return "right here" if steps <= HERE else f"{steps} steps to the {quarter(start, target)}"


def from_plaza(plaza: Position, spot: Position) -> str:
    """Where a cell lies, for people who know the plaza: `20 steps east of the plaza`."""
    steps = _steps(plaza, spot)
    return "on the plaza" if steps <= HERE else f"{steps} steps {quarter(plaza, spot)} of the plaza"


def _steps(start: Position, target: Position) -> int:
    return abs(target[0] - start[0]) + abs(target[2] - start[2])


def quarter(start: Position, target: Position) -> str:
    """In which quarter of the sky one cell lies from another: `south-west`."""
    dx = target[0] - start[0]
    dz = target[2] - start[2]
    north_south = "south" if dz > 0 else "north"
    east_west = "east" if dx > 0 else "west"
    if abs(dx) > 2 * abs(dz):
        return east_west
    if abs(dz) > 2 * abs(dx):
        return north_south
    return f"{north_south}-{east_west}"
