"""Ids and other foreign text as people get to see it: one line, no control over the screen, not too long.

An id may be any text. Control characters could move a terminal's cursor, direction marks could turn the text
around them, and an unpaired surrogate cannot be written at all; each is shown as U+FFFD.
"""

from __future__ import annotations

import re

LABEL_LENGTH = 48

_UNSEEMLY = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def make_label(text: str, length: int = LABEL_LENGTH) -> str:
    """The text as it may be shown."""
    shown = _UNSEEMLY.sub("\ufffd", text)
    return shown if len(shown) <= length else f"{shown[: length - 1]}…"
