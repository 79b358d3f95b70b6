"""The smith: takes ore, stone and wood out of the store, and puts back what a village is built
of."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from thorp.village import needs
from thorp.village.errands import go_to, hand_over, look_into, tell, to_plaza
from thorp.village.groundwork import cells_of, prepare
from thorp.village.town_plan import BENCH, FORGE
from thorp.village.villager import Script, Villager, yield_of
from thorp.village.words import goods as in_words

CLAIM_KIT: Final = {"BATTERY": 1, "CRYSTAL_SHARD": 1}
# Made at a time: visitors see the smith at work all day, and no order waits for another.
BATCH: Final = {"BRICK": 24, "TORCH": 8, "IRON_INGOT": 4, "GLASS": 3, "COOKED_MEAT": 4}
# One of each lies ready, for those who have worse.
TOOLS: Final = ("IRON_PICKAXE", "IRON_SHOVEL", "IRON_AXE")
# What is made for the store when it is short, by urgency.
GOODS: Final = (
    *("IRON_INGOT", "COOKED_MEAT", "TORCH", *TOOLS, "STONE_PICKAXE", "STONE_AXE", "STONE_SHOVEL"),
    *("GLASS", "BRICK"),
)
# For what a land costs and for meals it keeps less coal.
FIRST: Final = {"CRYSTAL_SHARD": 0, "CONTRACT_TERMINAL": 0, "IRON_INGOT": 0, "COOKED_MEAT": 8}
# What the store keeps of that which goes into goods.
SPARED: Final = {"PLANK": 20, "STONE": 20, "COAL": 16, "IRON_INGOT": 14, "IRON_ORE": 20}


def open_forge(me: Villager) -> Script[bool]:
    """A bench and a furnace on a floor of planks, with a torch."""
    yield from to_plaza(me, BENCH, 1)
    for item in ("CRAFTING_BENCH", "FURNACE", "TORCH"):
        yield from me.make(item)
    anchor = me.knowledge.place(*FORGE)
    cells = cells_of(me, "workshop_pad", anchor)
    if not (yield from prepare(me, cells)) or not (yield from me.build("workshop_pad", anchor)):
        return False
    x, y, z = next(cell for cell, block in cells.items() if block == "FURNACE")
    yield from tell(me, f"The forge is FURNACE@{x},{y},{z}.")
    return True


def orders(me: Villager, stock: Counter[str]) -> list[dict[str, int]]:
    """What to make next, the most urgent first."""
    things = me.knowledge.things
    wishes: list[dict[str, int]] = []
    if "land" not in things and any(stock[item] < count for item, count in CLAIM_KIT.items()):
        wishes.append(CLAIM_KIT)
    if stock["IRON_INGOT"] < 2 and stock["IRON_ORE"]:
        wishes.append({"IRON_INGOT": min(2, stock["IRON_ORE"] + stock["IRON_INGOT"])})
    if "land" in things and "terminal" not in things and not stock["CONTRACT_TERMINAL"]:
        wishes.append({"CONTRACT_TERMINAL": 1})
    if (
        "terminal" in things
        and "guild" in things
        and "quarter" not in things
        and not stock["BATTERY"]
    ):
        wishes.append(CLAIM_KIT)
    short = needs.short(stock) | {tool: 1 for tool in TOOLS if not stock[tool]}
    wishes += [{item: min(BATCH.get(item, 1), short[item])} for item in GOODS if item in short]
    return wishes


def work(me: Villager) -> Script[bool]:
    """Make the first order for which there is enough, and hand it over."""
    store = me.knowledge.things["store"]
    if not (yield from go_to(me, "store")):
        return False
    there = Counter((yield from look_into(me, store)) or {})
    own = Counter(me.inventory)
    for goods in orders(me, there + own):
        spared = next(({"COAL": FIRST[item]} for item in goods if item in FIRST), SPARED)
        usable = (
            Counter({item: max(0, count - spared.get(item, 0)) for item, count in there.items()})
            + own
        )
        made = [item for item in goods if item in me.recipes]
        usable.subtract({item: min(usable[item], own[item]) for item in made})
        if not missing(
            me.recipes, {item: usable[item] for item in usable if item not in made}, goods
        ):
            yield from fetch_parts(me, goods, there)
            if not (yield from go_to(me, "forge")):
                return False
            me.intent = f"At the furnace: making {in_words(goods)} for the store."
            for item in made:
                yield from me.make(item, goods[item])
            return (yield from hand_over(me, {item: me.have(item) for item in goods}))
    return False


def fetch_parts(me: Villager, goods: dict[str, int], there: Counter[str]) -> Script[None]:
    """Fetch the ingredients, raw materials included, that the store has and the smith lacks."""
    store = me.knowledge.things["store"]
    for item, number in ingredients(me, goods).items():
        lacking = min(number - me.have(item), there[item])
        if lacking > 0:
            yield from me.fetch(store, item, lacking)
    yield None


def ingredients(me: Villager, goods: dict[str, int]) -> Counter[str]:
    """All items that may be needed to make some goods: their inputs, and the inputs of these."""
    parts: Counter[str] = Counter()
    for item, number in goods.items():
        recipe = me.recipes.get(item)
        if recipe is None:
            parts[item] += number
            continue
        units = -(-number // yield_of(recipe, item))
        inner = {stack["item"]: units * stack["count"] for stack in recipe["inputs"]}
        crafted = {name: count for name, count in inner.items() if name in me.recipes}
        parts += Counter(inner) + ingredients(me, crafted)
    return parts


def missing(
    recipes: Mapping[str, Any], have: Mapping[str, int], goods: Mapping[str, int]
) -> Counter[str]:
    """What is lacking to make goods, down to what only the ground gives; nothing if they can be
    made."""
    stock = Counter(have)
    lacking = Counter[str]()

    def need(item: str, count: int) -> None:
        used = min(stock[item], count)
        stock[item] -= used
        left = count - used
        recipe = recipes.get(item)
        if recipe is None:
            lacking[item] += left
        elif left:
            made = yield_of(recipe, item)
            units = -(-left // made)
            for stack in recipe["inputs"]:
                need(stack["item"], units * stack["count"])
            stock[item] += units * made - left

    # Goods that cannot be made come first, so that they are not used up for those that can.
    for item in sorted(goods, key=lambda item: (item in recipes, item)):
        need(item, goods[item])
    return +lacking
