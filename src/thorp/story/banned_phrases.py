"""Lists of phrases that texts may not contain. They are short, because long ones would reject lawful text.

A phrase is found whatever its case, spacing and invisible characters.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point: characters that are not shown."""

META: Final = (
    "rehydrat",
    "context window",
    "context limit",
    "token budget",
    "scene anchor",
    "language model",
    "system prompt",
)
"""Talk of the machinery, which is no part of the world. `rehydrat` stands for all its forms."""

DIRECTIVE: Final = (
    "make it dramatic",
    "keep it interesting",
    "make it exciting",
    "raise the stakes",
    "add some drama",
)
"""Instructions to the writer, in a text that should only describe."""

TIME_SHORTCUT: Final = (
    "later that day",
    "later that night",
    "hours passed",
    "hours later",
    "days passed",
    "days later",
    "the next morning",
    "some time later",
    "meanwhile",
)
"""Skips of time that no clock made."""

TOOL_DIRECTIVE: Final = (
    "decide what is relevant",
    "decide what matters",
    "whatever you think",
    "most important",
    "summarise",
    "summarize",
)
"""Requests that a tool should judge, or tell a summary as a fact."""


def find_phrase(text: str, phrases: Sequence[str]) -> str | None:
    """The first phrase of the list that the text holds."""
    plain = " ".join(plain_text(text).split())
    return next((phrase for phrase in phrases if phrase in plain), None)


def plain_text(text: str) -> str:
    """A text as it is compared: without case, invisible characters and the width or style of its letters."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    return text.casefold()
