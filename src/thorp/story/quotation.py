"""Decides whether a reader is shown a quotation of a private entry, in one text or in several.

Texts are compared folded: without case, accents, spaces, punctuation and invisible characters, and
with letters that look alike as one letter, whatever their alphabet. A quotation is

    24 letters or digits of the entry in a row, or all of them if it has fewer;
    pieces of at least 8 in several texts, which together are as many, and half of the entry;
    for an entry without letters, its signs: 24 in a row, or all of them.

Form can be judged, meaning cannot: the same in other words, in a cipher or over several beats is
not detected.
"""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from pkgutil import get_data
from typing import Final

from thorp.story.text import visible_text

QUOTED_CHARS: Final = 24
"""Letters and digits that make a quotation: about five words, too many for a coincidence."""
WORD_CHARS: Final = 8
"""A source with fewer letters counts as quoted only in whole words: "know" does not quote "no"."""
PIECE_CHARS: Final = 8
"""Letters of a piece that counts on its own: longer than most words."""
PUNCTUATION_CHARS: Final = 4  # A secret of fewer punctuation marks would be quoted by every text.

_ALIKE: Final = tomllib.loads((get_data(__name__, "lookalikes.toml") or b"").decode())
"""By alphabet: its letters, and the Latin letters that they look like."""
_AS_LATIN: Final = str.maketrans(
    {
        look_alike: letter
        for ours, latin in _ALIKE.values()
        for look_alike, letter in zip(ours, latin, strict=True)
    }
)
_AS_ONE: Final = str.maketrans("01i", "oll")
"""Latin characters that look alike in lower case."""
_WORD: Final = re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """A text in the form that is compared: characters that look alike become the same."""
    visible = visible_text(text)
    if not visible.isascii():
        parts = unicodedata.normalize("NFKD", visible)
        visible = "".join(each for each in parts if not unicodedata.combining(each)).translate(
            _AS_LATIN
        )
    return visible.casefold().translate(_AS_ONE)


def _letters(*texts: str) -> str:
    """The letters and digits of some folded texts, joined. Pairs that look like one letter (rn, vv)
    become that letter, even across the border of two texts."""
    run = "".join(word for text in texts for word in _WORD.findall(text))
    return run.replace("rn", "m").replace("vv", "w")


class Hearing:
    """The texts of a bundle that one reader sees, in their order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._folded = [folded(each) for each in texts]
        self._letters = [_letters(each) for each in self._folded]
        self._joined = _letters(*self._folded)

    def quotes(self, source: str) -> bool:
        """Whether these texts repeat a piece of a source, or all of it if it is short."""
        plain = folded(source)
        words = _WORD.findall(plain)
        letters = _letters(plain)
        if not letters:
            return self._repeats_signs(plain)
        if len(letters) < WORD_CHARS:
            phrase = f" {' '.join(words)} "
            return any(phrase in f" {sentence} " for sentence in self._sentences)
        if len(letters) <= QUOTED_CHARS:
            return letters in self._joined or self._holds_pieces(letters)
        return not self._runs.isdisjoint(_runs(letters, QUOTED_CHARS)) or self._holds_pieces(
            letters
        )

    @cached_property
    def _sentences(self) -> list[str]:
        """All words of the texts, joined in two ways: a text may end with a word, or in the middle
        of one."""
        return [" ".join(_WORD.findall(between.join(self._folded))) for between in (" ", "")]

    @cached_property
    def _runs(self) -> frozenset[str]:
        return _runs(self._joined, QUOTED_CHARS)

    @cached_property
    def _pieces(self) -> dict[str, set[int]]:
        """Every piece of these texts, and the texts that have it."""
        places: dict[str, set[int]] = {}
        for number, letters in enumerate(self._letters):
            for piece in _runs(letters, PIECE_CHARS):
                places.setdefault(piece, set()).add(number)
        return places

    def _holds_pieces(self, letters: str) -> bool:
        """Whether several texts together have enough pieces of a source."""
        if len(self._letters) < 2:
            return False
        covered: set[int] = set()
        quoting_texts: set[int] = set()
        for start in range(len(letters) - PIECE_CHARS + 1):
            texts = self._pieces.get(letters[start : start + PIECE_CHARS])
            if texts:
                covered.update(range(start, start + PIECE_CHARS))
                quoting_texts |= texts
        is_long = len(covered) >= min(len(letters), QUOTED_CHARS)
        is_half = 2 * len(covered) >= len(letters)
        return is_long and is_half and len(quoting_texts) > 1

    def _repeats_signs(self, source: str) -> bool:
        """`quotes` for a source without letters: its pictures and symbols count, or if it has none,
        its punctuation."""
        symbols = _symbols(source)
        if symbols:
            return symbols[:QUOTED_CHARS] in _symbols("".join(self._folded))
        marks = "".join(source.split())
        if len(marks) < PUNCTUATION_CHARS:
            return False
        text = "".join("".join(self._folded).split())
        return any(marks[:QUOTED_CHARS] in run for run in _WORD.split(text))


def _runs(letters: str, size: int) -> frozenset[str]:
    """Every piece of this size."""
    return frozenset(letters[start : start + size] for start in range(len(letters) - size + 1))


def _symbols(text: str) -> str:
    """The characters that are neither letters, numbers, punctuation nor spaces."""
    return "".join(
        each for each in text if unicodedata.category(each)[0] not in "PZLN" and not each.isspace()
    )
