"""Finds the right name for a wrong one: `MOVE` is near to `MOVE_TO`, `planks` to `plank_from_log`.

Names that were sent are hostile: `quote_name` makes one short printable line of each. The search is
bounded by MAX_COMPARED, and its answers are cached, because an agent that is wrong once is often
wrong again.
"""

from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from thorp.kernel.text import one_line
from thorp.protocol.frame import clip

# A longer text is not a mistyped name, and is not compared.
MAX_COMPARED: Final = 40
# How much of a name that was sent is quoted.
MAX_QUOTED_BYTES: Final = 40
# The fewest characters with which the beginning of a name stands for it: `hut` for `hut_small`.
MIN_BEGINNING: Final = 3
# How alike two names must be for one to stand for the other, from 0 to 1.
LIKENESS: Final = 0.6
# How many answers are cached. The names that a world has differ little from case to case.
_KEPT: Final = 1_024


def quote_name(name: str) -> str:
    """A name that somebody sent, in quotes, on one line, cut after MAX_QUOTED_BYTES."""
    line = one_line(name[: 4 * MAX_QUOTED_BYTES]).replace('"', "'")
    start = clip(line, MAX_QUOTED_BYTES)
    return f'"{start}…"' if start != line or len(name) > 4 * MAX_QUOTED_BYTES else f'"{start}"'


@lru_cache(maxsize=_KEPT)
def nearest(name: str, names: tuple[str, ...]) -> str:
    """The name, of those in `names`, that was probably meant; empty if none is near. Case does not
    matter."""
    if not name or len(name) > MAX_COMPARED:
        return ""
    wanted = name.casefold()
    folded = {each.casefold(): each for each in names}
    if wanted in folded:
        return folded[wanted]
    for beginning in (wanted, wanted.removesuffix("s")):
        beginnings = [other for other in folded if other.startswith(beginning)]
        if beginnings and len(beginning) >= MIN_BEGINNING:
            return folded[min(beginnings, key=lambda other: (len(other), other))]
    alike = get_close_matches(wanted, folded, n=1, cutoff=LIKENESS)
    return folded[alike[0]] if alike else ""


def did_you_mean(name: str, names: tuple[str, ...]) -> str:
    """`; did you mean MOVE_TO?`, to be added to what is wrong; a full stop if none is near."""
    near = nearest(name, names)
    return f"; did you mean {near}?" if near else "."


__all__ = ["did_you_mean", "nearest", "quote_name"]
