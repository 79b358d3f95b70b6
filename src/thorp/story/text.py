"""Text functions: the words that a search sees, excerpts, and phrases that texts may not contain.

A word is a run of letters and digits, whatever its case; stop words are left out. There are no
stems, no synonyms and no folding of accents. A phrase is found whatever its case, spacing and
invisible characters.
"""

import re
import tomllib
import unicodedata
from collections.abc import Container, Sequence
from hashlib import sha256
from pkgutil import get_data
from typing import Final

LONGEST_WORD: Final = 64
"""Longest word, in characters; a longer one is indexed by its digest, so keys stay small."""

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point: characters that are not shown."""

_LISTS = tomllib.loads((get_data(__name__, "words.toml") or b"").decode())
META, DIRECTIVE, TIME_SHORTCUT, TOOL_DIRECTIVE = (
    tuple(_LISTS[name]) for name in ("meta", "directive", "time_shortcut", "tool_directive")
)
STOP_WORDS: Final = frozenset(_LISTS["stop_words"].split())
_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """The distinct words of a text, in the order of their first appearance."""
    runs = _WORD.findall(text.lower()) if text.isascii() else map(str.casefold, _WORD.findall(text))
    return [_key(word) for word in dict.fromkeys(runs) if word not in STOP_WORDS]


def shared_words(text: str, words: Sequence[str]) -> int:
    """How many of these words a text has."""
    folded = text.casefold()
    if not any(word in folded or len(word) >= LONGEST_WORD for word in words):
        # Searching for substrings is ten times as fast as splitting into words, and every word of a
        # text is a substring of it. Long words are digests, which no text contains.
        return 0
    return len(frozenset(words).intersection(words_of(text)))


def excerpt(text: str, words: Container[str], limit: int) -> str:
    """The text itself; if it is longer than the limit, a piece of it around the first of these
    words."""
    if len(text) <= limit:
        return text
    match = next(
        (run for run in _WORD.finditer(text) if _key(run.group().casefold()) in words), None
    )
    middle = 0 if match is None else (match.start() + match.end()) // 2
    start = max(0, min(middle - limit // 2, len(text) - limit))
    return text[start : start + limit]


def _key(word: str) -> str:
    """The index term of a word."""
    return word if len(word) <= LONGEST_WORD else sha256(word.encode()).hexdigest()


def find_phrase(text: str, phrases: Sequence[str]) -> str | None:
    """The first phrase of a list that a text contains; None if it contains none."""
    plain = " ".join(plain_text(text).split())
    return next((phrase for phrase in phrases if phrase in plain), None)


def plain_text(text: str) -> str:
    """A text in the form that phrases are compared with: without case, invisible characters, and
    differences of width or style."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", visible_text(text))
    return text.casefold()


def visible_text(text: str) -> str:
    """A text without invisible characters."""
    return text if text.isascii() else _INVISIBLE.sub("", text)
