"""The Unicode collation algorithm over the root table, for text beyond ASCII; see `docs/town.md`.

A contraction (several characters that weigh as one) is the longest match that starts at a
character; combining marks further on may complete it as long as no mark of their own class stands
between.

The table is in data files of this package, used under `LICENSE-UNICODE.txt`. Most characters are
*plain*: one element with a primary weight of its own and common lower weights, stored as one rank
per code point. Variants, expansions, ignored characters and the contractions are spelled out. What
is in neither comes after everything assigned, by code point.
"""

from __future__ import annotations

import unicodedata
from array import array
from functools import cache
from itertools import accumulate
from pkgutil import get_data
from struct import calcsize, unpack
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.inflate import inflate

# The larger of the two tables has 840,168 bytes.
MAX_TABLE_BYTES: Final = 2**20

RootKey = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

COMMON_SECONDARY = 1
COMMON_TERTIARY = 2
UNASSIGNED: Final = 138430  # The primary weight of U+0000, were it unassigned.


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


Element = tuple[
    int, int, int
]  # Primary, secondary and tertiary weight; 0 says nothing on that level.


class Weights(NamedTuple):
    """The collation weights of the root locale."""

    ranks: array[int]  # By code point: the primary weight of a plain character, 0 for any other.
    spelled: dict[str, list[Element]]
    openings: frozenset[str]  # What a contraction can start with, short of the whole of it.

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
    """The table. Unpacking takes some tens of milliseconds, which only non-ASCII text has to
    pay."""
    packed = inflate(_data("root-plain.zlib"), MAX_TABLE_BYTES)
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


# Canonical decomposition (NFD) as of Unicode 17, whichever Unicode this Python was built with.
# Python's own tables are as old as the interpreter (3.11 has Unicode 14), and an order that is
# hashed must not change with it. How an assigned character decomposes never changes, so only the
# characters added after Unicode 14 need a word: `later.json` has twenty that decompose, and the new
# marks by their combining class.

_READ = msgspec.json.decode(_data("later.json"))
_LATER_DECOMPOSITIONS: dict[str, str] = _READ["decompositions"]
_LATER_MARKS = {mark: int(kind) for kind, marks in _READ["classes"].items() for mark in marks}
_LATER = frozenset(_LATER_DECOMPOSITIONS).union(_LATER_MARKS)


def combining_class(character: str) -> int:
    """The canonical combining class: 0 for what starts a sequence, else its place in the order of
    marks."""
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
