"""The Unicode collation algorithm over the root table, for text beyond ASCII; see `docs/town.md`.

A contraction (several characters that weigh as one) is the longest match that starts at a
character; combining marks further on may complete it as long as no mark of their own class stands
between.

The table is in data files of this package, used under `LICENSE-UNICODE.txt`. Most characters are
*plain*: one element with a primary weight of its own and common lower weights, stored as one rank
per code point. Variants, expansions, ignored characters and the contractions are spelled out. A
character in neither table is unassigned: it comes after all others, by code point.
"""

from __future__ import annotations

from array import array
from functools import cache
from itertools import accumulate
from pkgutil import get_data
from struct import calcsize, unpack
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.inflate import inflate
from thorp.town.collation.decomposition import combining_class, decompose

# The larger of the two tables has 840,168 bytes.
MAX_TABLE_BYTES: Final = 2**20

Element = tuple[int, int, int]
"""The primary, secondary and tertiary weight of a character, or of a part of it. A weight of 0 does
not count on its level."""
RootKey = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The weights of a text level by level, so that a later level decides only between texts that are
equal on the earlier ones."""

COMMON_SECONDARY = 1
COMMON_TERTIARY = 2
UNASSIGNED: Final = 138430  # The primary weight of U+0000, were it unassigned.


def sort_key(text: str) -> RootKey:
    """The key that sorts any text among any others; texts that collate as equal have equal keys."""
    elements = _elements(text, load())
    return (
        tuple([primary for primary, _, _ in elements if primary]),
        tuple([secondary for _, secondary, _ in elements if secondary]),
        tuple([tertiary for _, _, tertiary in elements if tertiary]),
    )


def _elements(text: str, weights: Weights) -> list[Element]:
    """The collation elements of a text, contractions taken first."""
    characters = decompose(text)
    elements: list[Element] = []
    at = 0
    while at < len(characters):
        character = characters[at]
        at += 1
        if character in weights.openings:
            matched, at = _contraction(characters, at, weights)
            elements += weights.spelled[matched] if len(matched) > 1 else weights.of(matched)
        else:
            elements += weights.of(character)
    return elements


def _contraction(characters: list[str], after: int, weights: Weights) -> tuple[str, int]:
    """The longest match that starts before `after`, and where the text goes on. Marks that
    completed the match from further on are taken out of `characters`."""
    tried = matched = characters[after - 1]
    end = at = after
    while tried in weights.openings and at < len(characters):
        tried += characters[at]
        at += 1
        if tried in weights.spelled:
            matched = tried
            end = at
    # Marks further on may still complete the match. One that follows a skipped mark of its own
    # class is blocked by it, and a character of class 0 ends the search: it starts a new sequence.
    at = end
    skipped = 0
    while at < len(characters):
        kind = combining_class(characters[at])
        if kind == 0:
            break
        if kind != skipped and matched + characters[at] in weights.spelled:
            matched += characters.pop(at)
        else:
            at = at + 1
            skipped = kind
    return matched, end


class Weights(NamedTuple):
    """The collation weights of the root locale."""

    ranks: array[int]  # By code point: the primary weight of a plain character, 0 for any other.
    spelled: dict[str, list[Element]]  # Everything that is not plain, contractions included.
    openings: frozenset[str]  # Every proper prefix of a contraction.

    def of(self, character: str) -> list[Element]:
        """The elements of one character that stands alone."""
        elements = self.spelled.get(character)
        if elements is not None:
            return elements
        code = ord(character)
        rank = self.ranks[code] if code < len(self.ranks) else 0
        return [(rank or UNASSIGNED + code, COMMON_SECONDARY, COMMON_TERTIARY)]


@cache
def load() -> Weights:
    """Unpack the table, once. It takes some tens of milliseconds, which only non-ASCII text
    costs."""
    packed = inflate(_data("root-plain.zlib"), MAX_TABLE_BYTES)
    # Differences from one plain character to the next, which compress better than the ranks; 0 for
    # a character that is not plain.
    steps = unpack(f"<{len(packed) // calcsize('<i')}i", packed)
    ranks = array(
        "i", [rank if step else 0 for step, rank in zip(steps, accumulate(steps), strict=True)]
    )
    text = inflate(_data("root-spelled.zlib"), MAX_TABLE_BYTES)
    spelled = msgspec.json.decode(text, type=dict[str, list[Element]])
    contractions = [text for text in spelled if len(text) > 1]
    openings = frozenset(text[:end] for text in contractions for end in range(1, len(text)))
    return Weights(ranks, spelled, openings)


def _data(name: str) -> bytes:
    return get_data(__name__, name) or b""
