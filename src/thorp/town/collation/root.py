"""The Unicode collation algorithm over the root table, for text beyond ASCII.

Three levels, nothing ignored for being punctuation, text taken in NFD. A contraction (several characters
that weigh as one) is the longest match that starts at a character; combining marks further on may complete
it as long as no mark of their own class stands between.

The table is the root collation of Unicode CLDR 48 (Unicode 17, as in ICU 78), in two data files of this
package that are unpacked when first needed. It is derived from data of the Unicode Consortium, used under
`LICENSE-UNICODE.txt`. A collation element has three weights, each a dense rank on its level. Most characters
are *plain*: one element with a primary weight of its own and common lower weights, stored as one rank per
code point. All others (variants, expansions, ignored characters) and the contractions are spelled out. What
is in neither has no place of its own: it comes after everything assigned, by code point, as private use and
unassigned characters do. A test compares every assigned character, and random text of many scripts, with ICU.
"""

from __future__ import annotations

import unicodedata
from array import array
from functools import cache
from itertools import accumulate
from struct import calcsize, unpack
from typing import Final, NamedTuple
from zlib import decompress

import msgspec

RootKey = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def sort_key(text: str) -> RootKey:
    """What orders any text among any texts; texts that collate as equal have equal keys."""
    elements = _elements(text, load())
    return (
        tuple([primary for primary, _, _ in elements if primary]),
        tuple([secondary for _, secondary, _ in elements if secondary]),
        tuple([tertiary for _, _, tertiary in elements if tertiary]),
    )


def _elements(text: str, weights: Weights) -> list[Element]:
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
    """The longest match that starts before `after`, and where the text goes on. Marks that completed the
    match from further on are taken out of `characters`."""
    tried = matched = characters[after - 1]
    end = at = after
    while tried in weights.openings and at < len(characters):
        tried += characters[at]
        at += 1
        if tried in weights.spelled:
            matched, end = tried, at
    at, skipped = end, 0
    while at < len(characters):
        kind = combining_class(characters[at])
        if kind == 0:
            break
        if kind != skipped and matched + characters[at] in weights.spelled:
            matched += characters.pop(at)
        else:
            at, skipped = at + 1, kind
    return matched, end


Element = tuple[int, int, int]
"""Primary, secondary and tertiary weight; 0 where the element says nothing on that level."""

COMMON_SECONDARY = 1
COMMON_TERTIARY = 2
UNASSIGNED: Final = 138430
"""The primary weight of U+0000, were it unassigned."""


class Weights(NamedTuple):
    ranks: array[int]
    """By code point: the primary weight of a plain character, 0 for any other."""
    spelled: dict[str, list[Element]]
    openings: frozenset[str]
    """What a contraction can start with, short of the whole of it."""

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
    """The table. Unpacking takes some tens of milliseconds, which only non-ASCII text has to pay."""
    packed = _unpacked("plain")
    steps = unpack(f"<{len(packed) // calcsize('<i')}i", packed)
    ranks = array("i", [rank if step else 0 for step, rank in zip(steps, accumulate(steps), strict=True)])
    spelled = msgspec.json.decode(_unpacked("spelled"), type=dict[str, list[Element]])
    contractions = [text for text in spelled if len(text) > 1]
    openings = frozenset(text[:end] for text in contractions for end in range(1, len(text)))
    return Weights(ranks, spelled, openings)


def _unpacked(name: str) -> bytes:
    from importlib.resources import files

    return decompress((files(__package__) / f"root-{name}.zlib").read_bytes())


# Canonical decomposition (NFD) as of Unicode 17, whichever Unicode this Python was built with. Python's own
# tables are as old as the interpreter (3.11 has Unicode 14), and an order that is hashed must not change with
# it. How an assigned character decomposes never changes, so only the characters added after Unicode 14 need a
# word here: twenty that decompose, and the combining classes of the new marks.

_LATER_DECOMPOSITIONS = {
    "\U000105c9": "\U000105d2\u0307",
    "\U000105e4": "\U000105da\u0307",
    "\U00011383": "\U00011382\U000113c9",
    "\U00011385": "\U00011384\U000113bb",
    "\U0001138e": "\U0001138b\U000113c2",
    "\U00011391": "\U00011390\U000113c9",
    "\U000113c5": "\U000113c2\U000113c2",
    "\U000113c7": "\U000113c2\U000113b8",
    "\U000113c8": "\U000113c2\U000113c9",
    "\U00016121": "\U0001611e\U0001611e",
    "\U00016122": "\U0001611e\U00016129",
    "\U00016123": "\U0001611e\U0001611f",
    "\U00016124": "\U00016129\U0001611f",
    "\U00016125": "\U0001611e\U00016120",
    "\U00016126": "\U0001611e\U0001611e\U0001611f",
    "\U00016127": "\U0001611e\U00016129\U0001611f",
    "\U00016128": "\U0001611e\U0001611e\U00016120",
    "\U00016d68": "\U00016d67\U00016d67",
    "\U00016d69": "\U00016d63\U00016d67",
    "\U00016d6a": "\U00016d63\U00016d67\U00016d67",
}

_LATER_CLASSES: dict[int, tuple[range, ...]] = {
    9: (range(0x113CE, 0x113D1), range(0x11F41, 0x11F43), range(0x1612F, 0x16130)),
    220: (
        range(0x1ADD, 0x1ADE),
        range(0x1AE6, 0x1AE7),
        range(0x10EFA, 0x10EFC),
        range(0x10EFD, 0x10F00),
        range(0x1E4EE, 0x1E4EF),
        range(0x1E5EF, 0x1E5F0),
    ),
    230: (
        range(0x0897, 0x0898),
        range(0x1ACF, 0x1ADD),
        range(0x1AE0, 0x1AE6),
        range(0x1AE7, 0x1AEB),
        range(0x10D69, 0x10D6E),
        range(0x1E08F, 0x1E090),
        range(0x1E4EF, 0x1E4F0),
        range(0x1E5EE, 0x1E5EF),
        range(0x1E6E3, 0x1E6E4),
        range(0x1E6E6, 0x1E6E7),
        range(0x1E6EE, 0x1E6F0),
        range(0x1E6F5, 0x1E6F6),
    ),
    232: (range(0x1E4EC, 0x1E4EE),),
    234: (range(0x1AEB, 0x1AEC),),
}
_LATER_MARKS = {
    chr(code): kind for kind, ranges in _LATER_CLASSES.items() for codes in ranges for code in codes
}
_LATER = frozenset(_LATER_DECOMPOSITIONS).union(_LATER_MARKS)


def combining_class(character: str) -> int:
    """The canonical combining class: 0 for what starts a sequence, else its place in the order of marks."""
    return unicodedata.combining(character) or _LATER_MARKS.get(character, 0)


def decompose(text: str) -> list[str]:
    """The characters of the text in NFD."""
    characters = unicodedata.normalize("NFD", text)
    if _LATER.isdisjoint(characters):
        return list(characters)
    expanded = "".join(_LATER_DECOMPOSITIONS.get(character, character) for character in characters)
    ordered: list[str] = []
    marks: list[str] = []
    for character in expanded:
        if combining_class(character):
            marks.append(character)
            continue
        ordered += sorted(marks, key=combining_class)
        ordered.append(character)
        marks.clear()
    return ordered + sorted(marks, key=combining_class)
