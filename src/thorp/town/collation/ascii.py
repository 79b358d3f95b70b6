"""Root collation of ASCII text, where three rules are all of it.

1. Most control characters are ignored. 2. The rest have one primary rank each, an upper-case letter that of
its lower-case one; ranks are compared left to right and a proper prefix comes first. 3. Where all ranks
agree, the first place that differs in case decides, lower case first.

Keys of many texts are made in one go: joined by NUL, translated once, split again.
"""

from collections.abc import Sequence

_RISING = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_IGNORED = bytes(code for code in range(1, 128) if chr(code) not in _RISING + _UPPER)
_RANKS = bytes.maketrans(
    (_RISING + _UPPER).encode(), bytes(1 + _RISING.index(letter) for letter in _RISING + _UPPER.lower())
)
_CASES = bytes.maketrans(
    (_RISING + _UPPER).encode(), bytes(1 + (letter in _UPPER) for letter in _RISING + _UPPER)
)

SEPARATOR = "\0"
"""Stands between joined texts. It is ignored inside one, and such a text takes the slower way."""


def primary_keys(texts: Sequence[str]) -> list[str] | None:
    """The primary ranks of each text as a string that sorts as they do; None unless all are plain ASCII."""
    joined = SEPARATOR.join(texts)
    if not joined.isascii() or joined.count(SEPARATOR) >= len(texts):
        return None
    return joined.encode("ascii").translate(_RANKS, _IGNORED).decode("ascii").split(SEPARATOR)


def sort_key(text: str) -> tuple[bytes, bytes]:
    """What orders one ASCII text among ASCII texts; texts that collate as equal have equal keys."""
    kept = text.encode("ascii").translate(None, _IGNORED + b"\0")
    return kept.translate(_RANKS), kept.translate(_CASES)
