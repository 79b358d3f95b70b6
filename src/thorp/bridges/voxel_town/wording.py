"""Sentences for governors. Players' words are cleaned and cut: they neither break out nor fill a
snapshot."""

from typing import Final

from thorp.protocol.frame import clip
from thorp.voxel.state.records import Items

MAX_TITLE_BYTES: Final = 120
MAX_NAME_BYTES: Final = 40
NOBODY: Final = "somebody"
# What has no plural, or is one.
MASS: Final = (
    "berries",
    "bread",
    "coal",
    "dirt",
    "glass",
    "grass",
    "gravel",
    "ice",
    "meat",
    "ore",
    "sand",
    "seeds",
    "stone",
    "water",
    "wheat",
    "wire",
)


def title(text: str) -> str:
    """A text cut to the length of a title."""
    return clip(text, MAX_TITLE_BYTES)


def name(text: str) -> str:
    """A name that somebody chose, as part of a sentence."""
    letters = "".join(letter if letter.isprintable() else " " for letter in text)
    return clip(" ".join(letters.split()), MAX_NAME_BYTES).strip() or NOBODY


def thing(item_id: str) -> str:
    """`IRON_INGOT` as people say it."""
    return item_id.lower().replace("_", " ")


def things(goods: Items) -> str:
    """Goods as people say them: `3 planks and 1 torch`, or `nothing`."""
    return " and ".join(_counted(item, goods[item]) for item in sorted(goods)) or "nothing"


def _counted(item_id: str, count: int) -> str:
    said = thing(item_id)
    if count == 1 or said.split()[-1] in MASS:
        return f"{count} {said}"
    return f"{count} {said}es" if said.endswith(("ch", "x")) else f"{count} {said}s"
