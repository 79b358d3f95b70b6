"""The Unicode collation algorithm over the root table, for text beyond ASCII.

Three levels, nothing ignored for being punctuation, text taken in NFD. A contraction (several characters
that weigh as one) is the longest match that starts at a character; combining marks further on may complete
it as long as no mark of their own class stands between.
"""

from __future__ import annotations

from thorp.town.collation.decomposition import combining_class, decompose
from thorp.town.collation.weights import Element, Weights, load

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
