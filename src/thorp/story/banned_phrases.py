"""The phrases that texts may not contain and the words that a search leaves out, from `words.toml`.

A phrase is found whatever its case, spacing and invisible characters.
"""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from pkgutil import get_data
from typing import Final

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point: characters that are not shown."""

_LISTS = tomllib.loads((get_data(__name__, "words.toml") or b"").decode())
META, DIRECTIVE, TIME_SHORTCUT, TOOL_DIRECTIVE = (
    tuple(_LISTS[name]) for name in ("meta", "directive", "time_shortcut", "tool_directive")
)
STOP_WORDS: Final = frozenset(_LISTS["stop_words"].split())


def find_phrase(text: str, phrases: Sequence[str]) -> str | None:
    """The first phrase of the list that the text holds."""
    plain = " ".join(plain_text(text).split())
    return next((phrase for phrase in phrases if phrase in plain), None)


def plain_text(text: str) -> str:
    """A text as it is compared: without case, invisible characters and the width or style of its letters."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    return text.casefold()
