"""Words for governors. Names that players chose are cleaned and cut, so that they can neither pass
for other text nor fill a snapshot."""

from typing import Final

from thorp.protocol.frame import clip
from thorp.voxel.state.records import Items

MAX_TITLE_BYTES: Final = 120
MAX_NAME_BYTES: Final = 40
NOBODY: Final = "somebody"
# Words that have no plural, or are one.
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
    """An item as people say it: `iron ingot` for `IRON_INGOT`."""
    return item_id.lower().replace("_", " ")


def things(goods: Items) -> str:
    """Goods as people say them: `3 planks and 1 torch`, or `nothing`."""
    return " and ".join(_counted(item, goods[item]) for item in sorted(goods)) or "nothing"


def _counted(item_id: str, count: int) -> str:
    noun = thing(item_id)
    if count == 1 or noun.split()[-1] in MASS:
        return f"{count} {noun}"
    return f"{count} {noun}es" if noun.endswith(("ch", "x")) else f"{count} {noun}s"
