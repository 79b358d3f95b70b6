"""Makes text from strangers safe to show and to keep.

Control characters could move a terminal's cursor, direction marks could reverse the text around
them, and an unpaired surrogate cannot be written at all.
"""

import re

from thorp.kernel.errors import InvalidError

LABEL_LENGTH = 48

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)


def printable(text: str) -> str:
    """The text with a space for each unprintable character, line feeds aside."""
    return "".join(mark if mark.isprintable() or mark == "\n" else " " for mark in text)


def one_line(text: str) -> str:
    """The printable text on one line."""
    return printable(text).replace("\n", " ")


def make_label(text: str, length: int = LABEL_LENGTH) -> str:
    """A short name for a table: one line, at most `length` characters, U+FFFD for each unsafe
    one."""
    label = _UNSAFE.sub("\ufffd", text)
    return label if len(label) <= length else f"{label[: length - 1]}…"


def check_text(text: str, subject: str) -> None:
    """Refuse text that the stores cannot keep: NUL and unpaired surrogates. `subject` is the
    beginning of the sentence that says so."""
    if "\0" in text:
        raise InvalidError(f"{subject} holds a NUL character; leave it out", code="text")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidError(
            f"{subject} holds half a character (an unpaired surrogate)", code="text"
        ) from None
