"""The collation elements of characters: three weights each, unpacked when first asked for.

Most characters are *plain*: one element with a primary weight of its own and common lower weights. Those
are stored as one rank per code point; all others (variants, expansions, ignored characters) and the
contractions are spelled out. What is in neither has no place of its own: it comes after everything
assigned, by code point, as private use and unassigned characters do.
"""

from __future__ import annotations

from array import array
from functools import cache
from itertools import accumulate
from struct import calcsize, unpack
from typing import NamedTuple

import msgspec

Element = tuple[int, int, int]
"""Primary, secondary and tertiary weight; 0 where the element says nothing on that level."""

COMMON_SECONDARY = 1
COMMON_TERTIARY = 2


class Weights(NamedTuple):
    ranks: array[int]
    """By code point: the primary weight of a plain character, 0 for any other."""
    spelled: dict[str, list[Element]]
    openings: frozenset[str]
    """What a contraction can start with, short of the whole of it."""
    unassigned: int
    """The primary weight of U+0000, were it unassigned."""

    def of(self, character: str) -> list[Element]:
        """The elements of one character that stands alone."""
        elements = self.spelled.get(character)
        if elements is not None:
            return elements
        code = ord(character)
        rank = self.ranks[code] if code < len(self.ranks) else 0
        return [(rank or self.unassigned + code, COMMON_SECONDARY, COMMON_TERTIARY)]


@cache
def load() -> Weights:
    """The table. Unpacking takes some tens of milliseconds, which only non-ASCII text has to pay."""
    from thorp.town.collation.table import UNASSIGNED, unpacked

    packed = unpacked("plain")
    steps = unpack(f"<{len(packed) // calcsize('<i')}i", packed)
    ranks = array("i", [rank if step else 0 for step, rank in zip(steps, accumulate(steps), strict=True)])
    spelled = msgspec.json.decode(unpacked("spelled"), type=dict[str, list[Element]])
    contractions = [text for text in spelled if len(text) > 1]
    openings = frozenset(text[:end] for text in contractions for end in range(1, len(text)))
    return Weights(ranks, spelled, openings, UNASSIGNED)
