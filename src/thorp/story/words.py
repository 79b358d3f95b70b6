"""Words of a text, as a search sees them: runs of letters and digits, whatever their case.

Stop words are no words here. Nothing else is changed: no stems, no synonyms, no folding of accents.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from hashlib import sha256
from typing import Final

from thorp.story.stop_words import STOP_WORDS

LONGEST_WORD: Final = 64
"""Characters of a word that stands for itself; a longer one stands by its digest, so that keys stay small."""

_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """The distinct words of a text, in the order they first come."""
    runs = _WORD.findall(text.lower()) if text.isascii() else map(str.casefold, _WORD.findall(text))
    return [_key(word) for word in dict.fromkeys(runs) if word not in STOP_WORDS]


def shared_words(text: str, words: Sequence[str]) -> int:
    """How many of these words a text has."""
    folded = text.casefold()
    if not any(word in folded or len(word) >= LONGEST_WORD for word in words):
        return 0  # a word is a piece of the text; looking for pieces is ten times faster than for words
    return len(frozenset(words).intersection(words_of(text)))


def excerpt(text: str, words: Container[str], limit: int) -> str:
    """The text itself, or if it is longer than the limit a piece of it around the first of these words."""
    if len(text) <= limit:
        return text
    found = next((run for run in _WORD.finditer(text) if _key(run.group().casefold()) in words), None)
    middle = 0 if found is None else (found.start() + found.end()) // 2
    start = max(0, min(middle - limit // 2, len(text) - limit))
    return text[start : start + limit]


def _key(word: str) -> str:
    return word if len(word) <= LONGEST_WORD else sha256(word.encode()).hexdigest()
