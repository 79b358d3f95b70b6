"""Texts that every database can keep, and every reader reads alike: no NUL, no half of a surrogate pair."""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def is_storable(text: str) -> bool:
    return "\0" not in text if text.isascii() else _UNSTORABLE.search(text) is None
