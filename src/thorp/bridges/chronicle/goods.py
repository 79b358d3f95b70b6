"""Goods in words: what is counted, and by what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thorp.bridges.chronicle.numerals import counted, listed

KINDS: Final = 3
"""Kinds of goods that one sentence names."""

_MEASURED: Final[dict[str, tuple[str, str]]] = {
    "BERRIES": ("berry", "berries"),
    "BREAD": ("loaf of bread", "loaves of bread"),
    "COAL": ("lump of coal", "lumps of coal"),
    "COOKED_MEAT": ("piece of cooked meat", "pieces of cooked meat"),
    "COPPER_ORE": ("lump of copper ore", "lumps of copper ore"),
    "DIRT": ("clod of earth", "clods of earth"),
    "GLASS": ("pane of glass", "panes of glass"),
    "GRASS": ("sod", "sods"),
    "GRAVEL": ("heap of gravel", "heaps of gravel"),
    "ICE": ("block of ice", "blocks of ice"),
    "IRON_ORE": ("lump of iron ore", "lumps of iron ore"),
    "RAW_MEAT": ("piece of raw meat", "pieces of raw meat"),
    "SAND": ("heap of sand", "heaps of sand"),
    "SEEDS": ("handful of seeds", "handfuls of seeds"),
    "WATER": ("pail of water", "pails of water"),
    "WHEAT": ("sheaf of wheat", "sheaves of wheat"),
    "WIRE": ("length of wire", "lengths of wire"),
}


def goods(stacks: Sequence[tuple[str, int]]) -> str:
    """twelve planks and a lump of coal."""
    said = [amount(item, count) for item, count in stacks[:KINDS]]
    return listed([*said, "other goods"] if len(stacks) > KINDS else said) or "nothing"


def amount(item: str, count: int) -> str:
    one, many = _MEASURED.get(item) or _regular(item)
    if count == 1:
        return f"{'an' if one[0] in 'aeiou' else 'a'} {one}"
    return f"{counted(count)} {many}"


def _regular(item: str) -> tuple[str, str]:
    one = item.lower().replace("_", " ")
    if one.endswith("y") and one[-2:-1] not in "aeiou":
        return one, f"{one[:-1]}ies"
    return one, f"{one}es" if one.endswith(("s", "ch", "sh", "x")) else f"{one}s"
