"""Values as short texts: bounded, on one line, quoted where an agent chose the words."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from thorp.protocol.frame import clip
from thorp.protocol.obs import Position

# A sentence of somebody else: enough to understand it. `open`, `search_board` and `load_memory`
# show the rest.
MAX_QUOTE_BYTES: Final = 160
MAX_LISTED: Final = 12  # Items of a list, and fields of an object, in a line.
_PLAIN: Final = re.compile(r"[\w@,.:#+-]{1,64}", re.ASCII)


def bounded(items: Iterable[str], budget: int, between: str = "; ") -> str:
    """As many items as there is room for, and how many more there are."""
    lines = list(items)
    count = count_fitting(lines, budget, between)
    rest = [f"and {len(lines) - count} more"] if count < len(lines) else []
    return between.join(lines[:count] + rest)


def count_fitting(lines: Sequence[str], budget: int, between: str) -> int:
    """How many of the first lines fit into `budget` bytes."""
    for number, line in enumerate(lines):
        budget -= len(line.encode()) + len(between)
        if budget < 0:
            return number
    return len(lines)


def value_text(value: object) -> str:
    """A field of an event in short: goods as "3 COAL", a place as "4 20 -9", texts in quotes."""
    match value:
        case bool() | int() | float():
            return str(value)
        case [int(), int(), int()]:
            return place_text((value[0], value[1], value[2]))
        case [str() as item, int() as count] | {"item": str() as item, "count": int() as count}:
            return f"{count} {word(item)}"
        case list():
            rest = ["…"] if len(value) > MAX_LISTED else []
            return ", ".join([*map(value_text, value[:MAX_LISTED]), *rest]) or "nothing"
        case dict():
            fields = islice(value.items(), MAX_LISTED)
            return f"({', '.join(f'{word(name)} {value_text(each)}' for name, each in fields)})"
    return word(value)


def place_text(position: Position) -> str:
    """A place as `x y z`."""
    return "{} {} {}".format(*position)


def word(value: object) -> str:
    """An id as it is; any other text in quotes."""
    text = str(value)
    return text if _PLAIN.fullmatch(text) else quote(text)


def quote(value: object) -> str:
    """A text between quotation marks."""
    return '"' + clean(value, MAX_QUOTE_BYTES).replace('"', "'") + '"'


def clean(value: object, max_bytes: int) -> str:
    """One line of printable text, cut to its limit."""
    line = one_line(str(value)[: 4 * max_bytes])
    cut = clip(line, max_bytes)
    return cut if cut == line and len(str(value)) <= 4 * max_bytes else f"{cut}…"


def one_line(text: str) -> str:
    """A text without line breaks."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
