"""Text functions: the words that a search sees, excerpts, quotations, and the size of a text in a window.

A word is a run of letters and digits, whatever its case; stop words are left out. There are no stems, no
synonyms and no folding of accents. Sizes are characters, or tokens estimated at four characters each.
"""

import re
from collections.abc import Container, Sequence
from hashlib import sha256
from typing import Final

from thorp.story.banned_phrases import STOP_WORDS, plain_text
from thorp.story.config import StoryConfig

LONGEST_WORD: Final = 64
"""Characters of a word that stands for itself; a longer one stands by its digest, so that keys stay small."""

QUOTED_CHARS: Final = 24
"""Letters and digits in a row that make a quotation: some five words, more than two texts share by chance."""

WORD_CHARS: Final = 8
"""A source with fewer is quoted as whole words only: "no" does not stand in "know"."""

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


def quotes(text: str, source: str) -> bool:
    """Whether a text has a piece of a source, or all of it if it is short. Spaces and punctuation do not
    count, nor does what `plain_text` leaves out."""
    said, told = (_WORD.findall(plain_text(each)) for each in (text, source))
    letters, piece = "".join(said), "".join(told)
    if len(piece) < WORD_CHARS:
        return bool(piece) and f" {' '.join(told)} " in f" {' '.join(said)} "
    size = min(len(piece), QUOTED_CHARS)
    runs = {letters[start : start + size] for start in range(len(letters) - size + 1)}
    return any(piece[start : start + size] in runs for start in range(len(piece) - size + 1))


def _key(word: str) -> str:
    return word if len(word) <= LONGEST_WORD else sha256(word.encode()).hexdigest()


CHARS_PER_TOKEN: Final = 4


def units(text: str, config: StoryConfig) -> int:
    """The size of a text in units."""
    return len(text) if config.context.unit == "chars" else -(-len(text) // CHARS_PER_TOKEN)


def units_to_chars(count: int, config: StoryConfig) -> int:
    """How many characters surely fit into `count` units."""
    return count if config.context.unit == "chars" else count * CHARS_PER_TOKEN
