"""What is still missing to make things, all the way down to what only the ground gives."""

from collections import Counter
from collections.abc import Mapping
from typing import Any


def missing(recipes: Mapping[str, Any], have: Mapping[str, int], goods: Mapping[str, int]) -> Counter[str]:
    """What somebody lacks who has so much and wants these goods; nothing if they can be made."""
    stock, lacking = Counter(have), Counter[str]()

    def need(item: str, count: int) -> None:
        used = min(stock[item], count)
        stock[item] -= used
        left = count - used
        if not left:
            return
        recipe = recipes.get(item)
        if recipe is None:
            lacking[item] += left
            return
        made = yield_of(recipe, item)
        units = -(-left // made)
        for stack in recipe["inputs"]:
            need(stack["item"], units * stack["count"])
        stock[item] += units * made - left

    # What is wanted as it is comes first, lest it go into what is made.
    for item in sorted(goods, key=lambda item: (item in recipes, item)):
        need(item, goods[item])
    return lacking


def yield_of(recipe: Mapping[str, Any], item: str) -> int:
    """How many of an item one unit of a recipe gives."""
    return int(next(output["count"] for output in recipe["outputs"] if output["item"] == item))
